"""Curricula: stages of growing difficulty, each trained from the model of the one before."""

from ordojo.training.curriculum.run import CurriculumConfig, Stage, run, stages_of

__all__ = ["CurriculumConfig", "Stage", "run", "stages_of"]
