"""Making EconLogicQA questions as the paper did: article, model, checks, person, split."""

from ordojo.benchmarks.econlogicqa.build.articles import read_articles
from ordojo.benchmarks.econlogicqa.build.candidates import requests
from ordojo.benchmarks.econlogicqa.build.pipeline import build
from ordojo.benchmarks.econlogicqa.build.settings import BuildSettings, BuildStatus

__all__ = ["BuildSettings", "BuildStatus", "build", "read_articles", "requests"]
