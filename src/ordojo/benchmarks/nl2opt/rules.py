"""How each evaluator decides that an objective is right: one arithmetic, one name.

The rules compare; how an answer is read is the same under all of them, so that their spread shows
what the comparison alone does. What an evaluator also does in reading is said beside it.

Two published evaluators use the gold to mend an answer: for comparison only. On a miss they edit
the program, run it again and keep what matches the gold. The edits themselves need no gold and are
made here; whoever runs them hands the runs to the judge in the turn's info as
"retries": [{"edit": name, "execution": {...}, "solves": [...]}].
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, AnswerReading, read_run
from ordojo.datasets.golds import GoldAnswer
from ordojo.solvers.answers import Status

Accepts = Callable[[float, float, int], bool]
"""Whether a value is right, given the gold and its digits after the point as printed."""

Absent = Literal["as stated", "no optimum", "never"]
"""When an answer is right whose gold is that there is no optimum.

"as stated": the model is infeasible or unbounded as the gold says; "no optimum": the program came
to its end without one, for whatever reason; "never".
"""


@dataclass(frozen=True, slots=True)
class JudgeRule:
    """A way to compare an objective with the gold.

    `literal` rules take a number such as -99999 that stands for "no optimum" as it is. Rules of a
    `publisher` are averaged as there, over every item that has a gold; ours over those that the
    published metric of paper 003 counts.
    """

    name: str
    accepts: Accepts
    absent: Absent = "as stated"
    literal: bool = False
    publisher: bool = True

    def right(self, value: float, gold: GoldAnswer) -> bool:
        """Whether an optimal objective is the gold's."""
        return gold.value is not None and self.accepts(value, gold.value, gold.decimals)

    def right_without(self, reading: AnswerReading, gold: GoldAnswer, sentinel: bool) -> bool:
        """Whether an answer without an optimum is right where the gold is that there is none."""
        if gold.kind not in {"infeasible", "unbounded"} or self.absent == "never":
            return False
        if self.literal and sentinel:
            return False
        if self.absent == "no optimum":
            return reading.ended and reading.outcome not in {
                None,
                AnswerOutcome.WRONG,
                AnswerOutcome.PRINTED,
            }
        wanted = AnswerOutcome.INFEASIBLE if gold.kind == "infeasible" else AnswerOutcome.UNBOUNDED
        return reading.outcome is wanted or reading.either


STRICT = 1e-6
"""The relative error that the paper's rule allows (003, F.3)."""


def strict(value: float, gold: float, decimals: int) -> bool:
    """Relative error of at most 1e-6 (paper 003, F.3); where the gold is 0, absolute."""
    return abs(value - gold) <= STRICT * (abs(gold) or 1.0)


def orlm(value: float, gold: float, decimals: int) -> bool:
    """Both rounded to integers, halves to even, then 5% relative; a gold that rounds to 0: 0."""
    whole, wanted = round(value), round(gold)
    if wanted == 0:
        return abs(whole) <= 0.05
    return abs((whole - wanted) / wanted) <= 0.05


def sirl(value: float, gold: float, decimals: int) -> bool:
    """At most 1e-6 * (|gold| + 1)."""
    return abs(value - gold) / (abs(gold) + 1) <= 1e-6


def mamo(value: float, gold: float, decimals: int) -> bool:
    """Less than one unit of the gold's last decimal, at least the second, or 1e-4 relative.

    With gold 0 the error is multiplied by 1e-4 instead of divided: anything within 1 is right.
    """
    scale = 10.0 ** max(2, decimals)
    if abs(value * scale - gold * scale) < 1:
        return True
    error = abs(value - gold)
    return (error * 1e-4 if gold == 0 else error / abs(gold)) <= 1e-4


def within(tolerance: float) -> Accepts:
    """An absolute error below `tolerance`."""
    return lambda value, gold, decimals: abs(value - gold) < tolerance


def exact(value: float, gold: float, decimals: int) -> bool:
    """The same floating-point number."""
    return value == gold


def printed(value: float, gold: float, decimals: int) -> bool:
    """The strict rule, or the value as it would be rounded to the digits that the gold shows.

    A gold that shows no decimals, or a single 0 as in "57.0", is as likely as not a whole number,
    so that only the strict rule holds for it.
    """
    if strict(value, gold, decimals):
        return True
    if decimals == 0 or (decimals == 1 and gold == math.floor(gold)):
        return False
    return abs(value - gold) <= 0.5 * 10.0**-decimals * (1 + 1e-9)


_ALL = (
    # Paper 003 (MIPLIB-NL), appendix F.3: relative error of at most 1e-6; absolute where the gold
    # is 0.
    JudgeRule("strict-1e-6", strict, publisher=False),
    # ORLM, eval/execute.py; without its retries also OptMATH's: rounds to integers, then 5%: 104 is
    # 100; no optimum for any reason is 'No Best Solution'.
    JudgeRule("orlm-5pct", orlm, "no optimum", literal=True),
    # SIRL, check_result, the comparison alone: 1e-6 of |gold| + 1, looser than strict below 1.
    JudgeRule("sirl", sirl),
    # Mamo, 3.run_code_comp_optimization.py: a unit of the gold's last decimal (0.01 at most) or
    # 1e-4; with gold 0 anything within 1.
    JudgeRule("mamo", mamo, "never", literal=True),
    # BWOR (OR-LLM-Agent), utils.py: below 0.1; the original reads the value from Gurobi's log and
    # loses it with OutputFlag=0.
    JudgeRule("bwor-0.1", within(0.1), "no optimum", literal=True),
    # ORThought, analyze.py: below 0.01; the original compares the first entry of a returned tuple
    # with ==.
    JudgeRule("orthought-0.01", within(0.01), "never", literal=True),
    # ReSocratic, eval_sft_code.py: below 1e-4; the original asks it of every variable too, so that
    # another optimum fails.
    JudgeRule("resocratic-1e-4", within(1e-4), "never", literal=True),
    # Chain-of-Experts, test_generated_code.py: ==, float noise fails.
    JudgeRule("exact", exact, "never", literal=True),
    # Ours: strict, but a gold printed with decimals is taken as rounded to them.
    JudgeRule("printed", printed, publisher=False),
)

COMPARISONS: Mapping[str, JudgeRule] = {rule.name: rule for rule in _ALL}
"""The rules that compare objectives, by name; the first is the default."""


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
    reading: AnswerReading, golds: Sequence[GoldAnswer], retries: Sequence[Mapping[str, Any]]
) -> bool:
    """OptMATH's verdict: ORLM's rule, on a miss each edit in turn."""
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
    reading: AnswerReading, golds: Sequence[GoldAnswer], retries: Sequence[Mapping[str, Any]]
) -> bool:
    """SIRL's verdict: its reading, its rule, on a miss its edit.

    Where the gold is that there is no optimum, running out of time counts as right, and so does
    coming to an end without a value.
    """
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
