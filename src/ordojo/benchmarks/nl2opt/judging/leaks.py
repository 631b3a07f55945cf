"""Two published evaluators that use the gold to mend an answer: for comparison only.

On a miss they edit the program, run it again and keep what matches the gold. The edits themselves
need no gold and are made here; whoever runs them hands the runs to the judge in the turn's info as
"retries": [{"edit": name, "execution": {...}, "solves": [...]}].
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.nl2opt.judging.reading import AnswerReading, read_run
from ordojo.benchmarks.nl2opt.judging.rules import orlm, sirl
from ordojo.benchmarks.nl2opt.outcomes import AnswerOutcome
from ordojo.datasets.schemas import GoldAnswer
from ordojo.solvers.answers import Status

OPTMATH, SIRL = "leak-optmath", "leak-sirl"

_PATTERN = re.compile(r"-?\d+\.?\d*")
_CREATION = re.compile(r"(\w{1,80}\s{0,9}=\s{0,9}\w{1,80}\.addVars?)\(([^\0]{0,2000}?)(\)\n)")
_TYPED = re.compile(r"\bvtype\s*=")


@dataclass(frozen=True, slots=True)
class Edit:
    """A program changed as a leaking rule changes it; `name` begins with the rule's."""

    name: str
    program: str


def variants(program: str) -> tuple[Edit, ...]:
    """The edits that the leaking rules try, in their order; those that change nothing are left out.

    OptMATH: all types to integer, all to continuous, strict inequalities to weak ones, sense to
    max, sense to min. SIRL: types flipped, or made integer where none is given.
    """
    swap = program.replace
    edits = (
        Edit(f"{OPTMATH}: integer", swap("GRB.CONTINUOUS", "GRB.INTEGER")),
        Edit(f"{OPTMATH}: continuous", swap("GRB.INTEGER", "GRB.CONTINUOUS")),
        Edit(f"{OPTMATH}: weak", swap(" > ", " >= ").replace(" < ", " <= ")),
        Edit(f"{OPTMATH}: maximize", swap("GRB.MINIMIZE", "GRB.MAXIMIZE")),
        Edit(f"{OPTMATH}: minimize", swap("GRB.MAXIMIZE", "GRB.MINIMIZE")),
        Edit(f"{SIRL}: types", _flipped(program)),
    )
    return tuple(edit for edit in edits if edit.program != program)


def _flipped(program: str) -> str:
    if "vtype" in program or "Vtype" in program:
        if "INTEGER" in program:
            return program.replace("INTEGER", "CONTINUOUS")
        return program.replace("CONTINUOUS", "INTEGER")
    return _CREATION.sub(_integral, program)


def _integral(call: re.Match[str]) -> str:
    given = call[2].rstrip()
    if _TYPED.search(given):
        return call[0]
    comma = "" if not given else " " if given.endswith(",") else ", "
    return f"{call[1]}({given}{comma}vtype=GRB.INTEGER{call[3]}"


def optmath_right(
    reading: AnswerReading, golds: Sequence[GoldAnswer], retries: Sequence[Mapping[str, Any]] | None
) -> bool | None:
    """OptMATH's verdict: ORLM's rule, on a miss each edit in turn; None if edits are not run."""
    if retries is None:
        return None
    if _orlm_right(reading, golds):
        return True
    if reading.outcome is AnswerOutcome.NO_PROGRAM:
        return False
    return any(
        _orlm_right(read_run(retry["execution"], retry["solves"]), golds)
        for retry in retries
        if retry["edit"].startswith(OPTMATH)
    )


def _orlm_right(reading: AnswerReading, golds: Sequence[GoldAnswer]) -> bool:
    if reading.value is None:
        absent = any(gold.value is None for gold in golds)
        answered = {AnswerOutcome.WRONG, AnswerOutcome.PRINTED}
        return absent and reading.ended and reading.outcome not in answered
    value = reading.value
    return any(gold.value is not None and orlm(value, gold.value, 0) for gold in golds)


def sirl_right(
    reading: AnswerReading, golds: Sequence[GoldAnswer], retries: Sequence[Mapping[str, Any]] | None
) -> bool | None:
    """SIRL's verdict: its reading, its rule, on a miss its edit; None if edits are not run.

    Where the gold is that there is no optimum, running out of time counts as right, and so does
    coming to an end without a value.
    """
    if retries is None:
        return None
    if reading.outcome is AnswerOutcome.NO_PROGRAM:
        return False
    absent = any(gold.kind in {"infeasible", "unbounded"} for gold in golds)
    if reading.outcome is AnswerOutcome.TIME_LIMIT and not reading.ended:
        return absent
    if not reading.ended:
        return False
    value = _as_sirl_reads(reading)
    if _sirl_matches(value, golds):
        return True
    infeasible = reading.solve.get("ending") == Status.INFEASIBLE.word
    missed = value is not None or reading.outcome in {AnswerOutcome.WRONG, AnswerOutcome.PRINTED}
    if infeasible or (missed and not absent):
        for retry in retries:
            if not retry["edit"].startswith(SIRL):
                continue
            again = read_run(retry["execution"], retry["solves"])
            if not again.ended:
                return (
                    absent if again.outcome is AnswerOutcome.TIME_LIMIT else infeasible and absent
                )
            if _sirl_matches(_as_sirl_reads(again), golds):
                return True
    return absent and not missed


def _sirl_matches(value: float | None, golds: Sequence[GoldAnswer]) -> bool:
    numbers = [gold.value for gold in golds if gold.value is not None]
    return value is not None and any(sirl(value, gold, 0) for gold in numbers)


def _as_sirl_reads(reading: AnswerReading) -> float | None:
    """The value as SIRL's pattern reads what Python prints of it: 1 of 1e+16."""
    if reading.value is None:
        return None
    found = _PATTERN.search(repr(reading.value))
    return float(found[0]) if found else None
