"""Judging an answer by named rules, from what the last turn recorded."""

from ordojo.benchmarks.nl2opt.judging.judge import DEFAULT, JUDGES, LEAKING, RULES, judge_with
from ordojo.benchmarks.nl2opt.judging.leaks import Edit, variants
from ordojo.benchmarks.nl2opt.judging.reading import Reading, read_turn
from ordojo.benchmarks.nl2opt.judging.rules import Rule

__all__ = [
    "DEFAULT",
    "JUDGES",
    "LEAKING",
    "RULES",
    "Edit",
    "Reading",
    "Rule",
    "judge_with",
    "read_turn",
    "variants",
]
