"""The judges by rule: outcome, score, figures, and the reason in one line."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ordojo.benchmarks.nl2opt.reading import (
    UNDECIDABLE,
    AnswerOutcome,
    AnswerReading,
    agrees,
    as_printed,
    core_outcome,
    read_turn,
    spell,
)
from ordojo.benchmarks.nl2opt.rules import (
    COMPARISONS,
    OPTMATH,
    SIRL,
    STRICT,
    JudgeRule,
    optmath_right,
    sirl_right,
)
from ordojo.benchmarks.nl2opt.schema import WordProblem
from ordojo.core.canonical import Json
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.datasets.golds import GoldAnswer
from ordojo.datasets.nl2opt.items import SCORED

UNDER, OVER = "under-constrained", "over-constrained"
"""The paper's diagnosis (figure 16): better than the gold is possible, or the gold is not."""

DEFAULT = "strict-1e-6"
EQUIVALENT = "equivalent"
"""The same model as the reference's, whatever the objective; the turn's info says it under
"equivalence": {"answer": "equal", "different", "unknown" or "incomparable" (the reference is of a
form that nothing is compared with), "detail": str, "feasible": bool}."""

STDOUT = "stdout-1e-6"
"""The default rule on what the program printed, whether or not a solve supports it."""

MODELLED = "modelled-1e-6"
"""The default rule, but a solve counts for nothing that follows from bounds and constants alone
(trivial), or that a library told without its model (told)."""

LEAKING = (OPTMATH, SIRL)
"""Rules that mend an answer with the gold's help: apart, and for comparison only."""

RULES = (*COMPARISONS, MODELLED, STDOUT, EQUIVALENT)
"""Rules that leak nothing; the first is the paper's."""

_latest: tuple[Episode, AnswerReading] | None = None


def judge_with(rule: str) -> Judge:
    """The judge that decides a finished episode by `rule`.

    The objective is that of a solve, under all rules but STDOUT. An answer that asked for a
    feature, a library or a licence that is missing here, or whose model cannot be compared where a
    rule asks for that, is "unsupported", and pays what a wrong one does. Unscored is what no answer
    caused: an instance whose gold is unknown or whose files are missing, and what a rule cannot
    tell from what was recorded. Metrics: see `_measure`.
    Raises BenchmarkError for an unknown rule.
    """
    if rule not in {*RULES, *LEAKING}:
        known = ", ".join((*RULES, *LEAKING))
        raise BenchmarkError(f"there is no rule '{rule}'; choose from {known}")

    def judge(instance: Instance[WordProblem], episode: Episode) -> Verdict:
        info = episode.turns[-1].info if episode.turns else {}
        reading, problem = _read(instance.id, info, episode), instance.problem
        metrics = _measure(reading, problem)
        if rule == STDOUT:
            reading = as_printed(reading)
        answer = _answer(reading)
        if problem.status == "incomplete":
            return Verdict(rule, "unscored", None, answer, "files of the item are missing", metrics)
        outcome, detail = _decide(rule, reading, problem, info)
        if outcome is None:
            return Verdict(rule, "unscored", None, answer, detail, metrics)
        score = float(outcome is AnswerOutcome.CORRECT)
        reason = "" if outcome is AnswerOutcome.CORRECT else spell(outcome, detail)
        kind = core_outcome(outcome)
        return Verdict(rule, kind, score, answer, reason, metrics, outcome.value)

    return judge


JUDGES: Mapping[str, Judge] = {name: judge_with(name) for name in (*RULES, *LEAKING)}
"""All judges by name, the leaking ones last."""


def _read(name: str, info: Mapping[str, Any], episode: Episode) -> AnswerReading:
    # An episode is judged by each rule in turn, and once more for the reward.
    global _latest
    latest = _latest
    if latest is None or latest[0] is not episode:
        latest = _latest = (episode, read_turn(info, name))
    return latest[1]


def _decide(
    rule: str, reading: AnswerReading, problem: WordProblem, info: Mapping[str, Any]
) -> tuple[AnswerOutcome | None, str]:
    """The outcome with its detail; None and the reason where the rule cannot tell."""
    if reading.outcome in UNDECIDABLE:
        return reading.outcome, reading.detail
    if rule == EQUIVALENT:
        return _by_model(reading, problem, info)
    golds = [gold for gold in problem.golds if gold.kind != "unknown"]
    if not golds:
        return None, "no gold value is known"
    if rule in LEAKING:
        if (retries := info.get("retries")) is None:
            return None, "the edited programs that this rule tries are not run without leaks=true"
        right = (optmath_right if rule == OPTMATH else sirl_right)(reading, golds, retries)
    else:
        comparison = COMPARISONS.get(rule, COMPARISONS[DEFAULT])
        if rule == MODELLED and (why := _unmodelled(reading)):
            return AnswerOutcome.PRINTED, why
        if reading.outcome is AnswerOutcome.OTHERWISE:
            return reading.outcome, reading.detail
        right = _right(comparison, reading, golds, problem.status == "sentinel")
    if right:
        return AnswerOutcome.CORRECT, ""
    if reading.outcome not in {None, AnswerOutcome.WRONG}:
        return reading.outcome, reading.detail
    return AnswerOutcome.WRONG, _difference(reading, golds)


def _right(
    rule: JudgeRule, reading: AnswerReading, golds: Sequence[GoldAnswer], sentinel: bool
) -> bool:
    if reading.value is not None:
        value = reading.value
        return any(rule.right(value, gold) for gold in golds)
    if any(rule.right_without(reading, gold, sentinel) for gold in golds):
        return True
    ends = (reading.low, reading.high)
    # At a limit: right if incumbent and bound are, for then the optimum between them is.
    return (
        reading.ended
        and all(map(math.isfinite, ends))
        and any(all(rule.right(end, gold) for end in ends) for gold in golds)
    )


def _unmodelled(reading: AnswerReading) -> str:
    """Why the solve that was read shows no model of the problem; "" where it may."""
    if reading.trivial:
        return "the answer follows from bounds and constants alone"
    return f"{reading.solve['library']} told of a solve without its model" if reading.told else ""


def _by_model(
    reading: AnswerReading, problem: WordProblem, info: Mapping[str, Any]
) -> tuple[AnswerOutcome | None, str]:
    if not reading.ended or (reading.outcome is not None and not reading.solve):
        return reading.outcome, reading.detail
    found = info.get("equivalence")
    if not found and problem.reference is None:
        return None, "there is no reference to compare the model with"
    if not found:
        return AnswerOutcome.UNDECIDED, "no model of it reached our service"
    detail = str(found.get("detail") or "")
    if found["answer"] == "equal":
        return AnswerOutcome.CORRECT, ""
    if found["answer"] == "different":
        return AnswerOutcome.WRONG, f"another model: {detail}"
    if found["answer"] == "incomparable":
        return None, detail
    return AnswerOutcome.UNDECIDED, f"it is unknown whether the models are equal: {detail}"


def _answer(reading: AnswerReading) -> Json:
    """What was read, and where: "model" (by our service), a library's name, or "stdout"."""
    if reading.outcome is AnswerOutcome.NO_PROGRAM:
        return None
    source = (reading.solve.get("library") if reading.source == "model" else "") or reading.source
    if reading.value is None:
        return {"objective": None, "source": source, "ended": reading.outcome}
    found: dict[str, Json] = {
        "objective": reading.value,
        "source": source,
        "flipped": reading.flipped,
    }
    if reading.outcome is AnswerOutcome.OTHERWISE and reading.said is not None:
        found["said"] = reading.said.word or str(reading.said.value)
    return found


def _difference(reading: AnswerReading, golds: Sequence[GoldAnswer]) -> str:
    """How a wrong objective differs from the nearest gold, with the diagnosis of figure 16."""
    gold = _nearest(reading, golds)
    value = reading.value if reading.value is not None else reading.found
    if gold is None:
        return f"an optimum of {value}, where there is none"
    said = f"the optimum is {value}, and {gold.text or gold.value} is right"
    diagnosis = _diagnosis(reading, gold)
    return f"{said}; the model is {diagnosis}" if diagnosis else said


def _diagnosis(reading: AnswerReading, gold: GoldAnswer | None) -> str:
    """Whether the model allows too much or too little (paper 003, E.2); "" where it is unknown."""
    if gold is None or gold.value is None:
        return ""
    if reading.source == "model" and reading.outcome is AnswerOutcome.INFEASIBLE:
        return "" if reading.either else OVER
    if reading.source == "model" and reading.outcome is AnswerOutcome.UNBOUNDED:
        return UNDER
    # The optimum lies between the two, which are one where it was found.
    slack = STRICT * (abs(gold.value) or 1.0)
    above, below = reading.low > gold.value + slack, reading.high < gold.value - slack
    if reading.maximize is None or not (above or below):
        return ""
    return UNDER if above == reading.maximize else OVER


def _nearest(reading: AnswerReading, golds: Sequence[GoldAnswer]) -> GoldAnswer | None:
    numbers = [gold for gold in golds if gold.value is not None]
    value = reading.value if reading.value is not None else reading.found
    return min(numbers, key=lambda gold: abs((gold.value or 0.0) - (value or 0.0)), default=None)


def _measure(reading: AnswerReading, problem: WordProblem) -> dict[str, float]:
    """The figures of an answer, the same under every rule.

    "published": whether the item counts in the published metric. "program": one was found.
    "executable": it ended with a feasible solution (paper 003, F.3). Of an objective that is there:
    "from_service": our service solved it (else it is "told" by a library in the program's
    process); "trivial": it follows from bounds and constants alone; "flipped":
    the program states it with the other sign than it solved it; "agrees": stdout states the same,
    left out where it states nothing. "contradicted": its last statement is not what any solve gave.
    "value", "gold" (the nearest one),
    "relative_error". "solves", of which "cached"; "solver_seconds"; "size": variables and
    constraints of the judged model. "under_constrained" and "over_constrained": the diagnosis.
    "late_match": what was solved is right by the strict rule, although the program broke off or
    met a limit. "executable" is left out where an old run ended a solve early without a point.
    """
    gold = _nearest(reading, problem.golds)
    printed = reading.outcome is AnswerOutcome.PRINTED and as_printed(reading).value is not None
    feasible = reading.found is not None or reading.value is not None or printed
    diagnosis = _diagnosis(reading, gold)
    metrics = {
        "published": float(problem.status in SCORED),
        "program": float(reading.outcome is not AnswerOutcome.NO_PROGRAM),
        "executable": float(reading.ended and feasible),
        "solves": float(reading.solves),
        "cached": float(reading.cached),
        "contradicted": float(reading.outcome is AnswerOutcome.OTHERWISE),
        "solver_seconds": reading.seconds,
        "under_constrained": float(diagnosis == UNDER),
        "over_constrained": float(diagnosis == OVER),
    }
    if reading.outcome is AnswerOutcome.WRONG and not feasible:
        del metrics["executable"]  # ended early by the bound: whether it is feasible is not known
    if size := _size(reading.solve):
        metrics["size"] = size
    if reading.value is not None:
        metrics["value"] = reading.value
        metrics["from_service"] = float(not reading.told)
        metrics["told"] = float(reading.told)
        metrics["trivial"] = float(reading.trivial)
        metrics["flipped"] = float(reading.flipped)
        if reading.stated is not None:
            metrics["agrees"] = float(agrees(reading.value, reading.stated))
    if gold is not None and gold.value is not None:
        metrics["gold"] = gold.value
        if reading.value is not None and gold.value:
            metrics["relative_error"] = abs(reading.value - gold.value) / abs(gold.value)
        if reading.value is None and reading.found is not None:
            metrics["late_match"] = float(COMPARISONS[DEFAULT].right(reading.found, gold))
    return {name: value for name, value in metrics.items() if math.isfinite(value)}


def _size(solve: Mapping[str, Any]) -> float:
    columns = solve.get("columns", solve.get("cols", 0))
    return float((solve.get("rows") or 0) + (columns or 0))
