"""Making EconLogicQA questions as the paper did: article, model, checks, person, split."""

from ordojo.benchmarks.econlogicqa.build.pipeline import build
from ordojo.benchmarks.econlogicqa.build.settings import BuildSettings, BuildStatus

__all__ = ["BuildSettings", "BuildStatus", "build"]
