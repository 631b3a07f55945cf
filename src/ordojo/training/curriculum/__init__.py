"""Curricula: stages of growing difficulty, each trained from the model of the one before."""

from ordojo.training.curriculum.plan import CurriculumConfig, Stage, stages_of
from ordojo.training.curriculum.run import run

__all__ = ["CurriculumConfig", "Stage", "run", "stages_of"]
