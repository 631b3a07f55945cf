"""Judging an answer by named rules, from what the last turn recorded."""

from ordojo.benchmarks.nl2opt.judging.judge import (
    DEFAULT,
    JUDGES,
    LEAKING,
    MODELLED,
    RULES,
    STDOUT,
    judge_with,
)
from ordojo.benchmarks.nl2opt.judging.leaks import Edit, variants
from ordojo.benchmarks.nl2opt.judging.reading import AnswerReading, read_turn
from ordojo.benchmarks.nl2opt.judging.rules import COMPARISONS, JudgeRule

__all__ = [
    "COMPARISONS",
    "DEFAULT",
    "JUDGES",
    "LEAKING",
    "MODELLED",
    "RULES",
    "STDOUT",
    "AnswerReading",
    "Edit",
    "JudgeRule",
    "judge_with",
    "read_turn",
    "variants",
]
