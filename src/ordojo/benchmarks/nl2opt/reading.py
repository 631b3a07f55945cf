"""From what a turn recorded to what the answer says: a value, where it is from, or why none.

What became of an answer has a name, and belongs to one of the paper's three classes of errors.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

from ordojo.core.errors import BenchmarkError
from ordojo.core.judge import Outcome as CoreOutcome
from ordojo.core.judge import Verdict
from ordojo.core.readers.values import Stated, last_statements, read_objective
from ordojo.sandbox import ProgramOutcome
from ordojo.solvers.answers import Status


class AnswerOutcome(StrEnum):
    """How an answer ended."""

    CORRECT = "correct"
    """Its objective is the gold, or it found, as the gold has it, that there is no optimum."""
    WRONG = "wrong"
    """It has an optimum, another one than the gold."""
    NOT_EXECUTABLE = "not executable"
    """The program did not come to its end: an exception, or a limit other than time."""
    INFEASIBLE = "infeasible"
    """Its model has no solution, or none was told apart from unboundedness."""
    UNBOUNDED = "unbounded"
    """Its model has no best solution."""
    NO_SOLUTION = "no solution"
    """The program came to its end without an optimum: a limit of its own, a failed solve, nothing
    solved at all."""
    PRINTED = "printed only"
    """It printed an answer that no solve supports."""
    OTHERWISE = "said otherwise"
    """Its last statement is not what its solves gave: another number, or that there is none."""
    TIME_LIMIT = "time limit"
    """The program, or the solver on its model, ran out of time."""
    LICENCE_LIMIT = "licence limit"
    """The real solver's licence was too small for the model, as the service saw it."""
    UNSUPPORTED = "unsupported"
    """The program asked for a feature that our layers, or libraries together, do not have."""
    LACKING = "library missing"
    """The program needs a declared library that our own check could not import."""
    UNDECIDED = "undecided"
    """Its model is of a form, or a size, that cannot be compared with the reference's."""
    NO_PROGRAM = "no program found"
    """There is no Python program in the reply."""


class ErrorClass(StrEnum):
    """The classes of failures of paper 003, section 4.4, figure 7 and appendix G."""

    EXECUTION = "execution"
    """The code fails to run."""
    MODELLING = "modelling"
    """The code runs, on another problem than the one described."""
    TIMEOUT = "timeout"
    """The solver does not finish in the time that it has."""


_O = AnswerOutcome
UNDECIDABLE = frozenset({_O.LICENCE_LIMIT, _O.UNSUPPORTED, _O.LACKING, _O.UNDECIDED})
"""Outcomes that say nothing of the program's model: what the answer chose cannot be decided here.
They count as not solved, and are shown apart."""

_EXECUTION = frozenset({_O.NOT_EXECUTABLE, _O.NO_PROGRAM, _O.PRINTED, _O.OTHERWISE})


def error_class(outcome: AnswerOutcome, solved: bool) -> ErrorClass | None:
    """The paper's class of an outcome, None for a right and for an undecidable one.

    `solved` says whether the program had a model solved; without that, "no solution" means that
    the code did nothing, which is no error of modelling.
    """
    if outcome in {AnswerOutcome.CORRECT, *UNDECIDABLE}:
        return None
    if outcome is AnswerOutcome.TIME_LIMIT:
        return ErrorClass.TIMEOUT
    if outcome in _EXECUTION or (outcome is AnswerOutcome.NO_SOLUTION and not solved):
        return ErrorClass.EXECUTION
    return ErrorClass.MODELLING


def core_outcome(outcome: AnswerOutcome) -> CoreOutcome:
    """The outcome in the words that all benchmarks share."""
    if outcome is AnswerOutcome.CORRECT:
        return "correct"
    if outcome in UNDECIDABLE:
        return "unsupported"
    return "unparsed" if outcome is AnswerOutcome.NO_PROGRAM else "wrong"


def spell(outcome: AnswerOutcome, detail: str) -> str:
    """A verdict's reason: the outcome, then what is known of it, in one line."""
    detail = " ".join(detail.split())
    return f"{outcome.value}: {detail[:300]}" if detail else outcome.value


def outcome_of(verdict: Verdict) -> AnswerOutcome | None:
    """How the answer of a verdict ended, None where the rule could not be applied."""
    if verdict.outcome == "correct":
        return AnswerOutcome.CORRECT
    if verdict.outcome == "unparsed":
        return AnswerOutcome.NO_PROGRAM
    # Runs from before it was kept name it in the reason alone.
    name = verdict.kind or verdict.reason.partition(":")[0]
    return AnswerOutcome(name) if name in set(AnswerOutcome) else None


def detail_of(verdict: Verdict) -> str:
    """What a verdict's reason says after its outcome."""
    return verdict.reason.partition(":")[2].strip()


def exception_of(verdict: Verdict) -> str:
    """The class of the exception, or the limit, that a program ended with; else empty."""
    if outcome_of(verdict) is not AnswerOutcome.NOT_EXECUTABLE:
        return ""
    return detail_of(verdict).partition(":")[0]


def error_class_of(verdict: Verdict) -> ErrorClass | None:
    """The paper's class of a verdict's error, None where there is none."""
    outcome = outcome_of(verdict)
    if outcome is None:
        return None
    return error_class(outcome, verdict.metrics.get("solves", 0.0) > 0)


Source = Literal["model", "stdout", ""]
Solve = Mapping[str, Any]

_AGREE = 1e-6
_LOGGED = "ordojo solves a "
"""Begins the log of our layers."""
_ENDED: Mapping[str, tuple[AnswerOutcome, str]] = {
    Status.INFEASIBLE.word: (AnswerOutcome.INFEASIBLE, ""),
    Status.INFEASIBLE_OR_UNBOUNDED.word: (AnswerOutcome.INFEASIBLE, "or unbounded"),
    Status.UNBOUNDED.word: (AnswerOutcome.UNBOUNDED, ""),
    Status.TIME_LIMIT.word: (AnswerOutcome.TIME_LIMIT, "of the solver"),
    Status.INTERRUPTED.word: (AnswerOutcome.TIME_LIMIT, "the solve was interrupted"),
    Status.NODE_LIMIT.word: (AnswerOutcome.NO_SOLUTION, "node limit"),
    Status.SOLUTION_LIMIT.word: (AnswerOutcome.NO_SOLUTION, "solution limit"),
    Status.CUTOFF.word: (AnswerOutcome.NO_SOLUTION, "cutoff"),
    Status.NUMERIC.word: (AnswerOutcome.NO_SOLUTION, "numerical trouble"),
    Status.MEMORY.word: (AnswerOutcome.NO_SOLUTION, "memory limit of the solver"),
    Status.CRASH.word: (AnswerOutcome.UNSUPPORTED, "the solver broke down on the model"),
    # Of runs before version 2: ended as soon as the optimum was proven to be no accepted one.
    "decided": (AnswerOutcome.WRONG, "the solve was ended early"),
}
_NO_SOLVE = frozenset({Status.LACKING.word, Status.UNSUPPORTED.word})
"""Endings of what was asked for and not done."""
_SUPPORT: Mapping[str, frozenset[str]] = {
    "infeasible": frozenset({Status.INFEASIBLE.word, Status.INFEASIBLE_OR_UNBOUNDED.word}),
    "unbounded": frozenset({Status.UNBOUNDED.word, Status.INFEASIBLE_OR_UNBOUNDED.word}),
    "no solution": frozenset(_ENDED),
}
"""The endings of a solve by what a program may say of it."""
_DEFINITE = _SUPPORT["infeasible"] | _SUPPORT["unbounded"] | {Status.OPTIMAL.word}
"""Endings that a statement can contradict: at a limit nothing is said for good."""


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """What an answer came to, before any gold is looked at.

    With `value` and no `outcome` there is an optimum to compare. Else `outcome` and `detail` say
    what there is instead, and `low` and `high` bound the optimum as far as it is known. `found` is
    the value of the solve that was read, however the program went on; `solve` its record.
    `flipped` says that the program states the optimum with the other sign than it solved it, and
    that the value is as stated. With the outcome OTHERWISE `value` is what was solved, and `said`
    what was said instead. `stated` is what the output states alone (`as_printed`). `ended` is
    whether the program came to its end.
    """

    outcome: AnswerOutcome | None
    detail: str = ""
    value: float | None = None
    source: Source = ""
    low: float = -math.inf
    high: float = math.inf
    found: float | None = None
    ended: bool = False
    flipped: bool = False
    maximize: bool | None = None
    stated: Stated | None = None
    said: Stated | None = None
    solve: Solve = field(default_factory=dict)
    solves: int = 0
    seconds: float = 0.0
    cached: int = 0

    @property
    def told(self) -> bool:
        """Whether the solve is a library's word in the program's process, without its model."""
        # Of runs before version 3 all that libraries solved was.
        return bool(self.solve.get("told", self.solve.get("library")))

    @property
    def either(self) -> bool:
        """Whether the model is infeasible or unbounded, and not told which."""
        ending = self.solve.get("ending")
        return (
            self.outcome is AnswerOutcome.INFEASIBLE
            and ending == Status.INFEASIBLE_OR_UNBOUNDED.word
        )

    @property
    def trivial(self) -> bool:
        """Whether the solve's answer follows from bounds and constants alone."""
        return bool(self.solve.get("trivial"))


def read_turn(info: Mapping[str, Any], name: str = "the episode") -> AnswerReading:
    """What the last turn's `info` says the answer is.

    The objective is that of a solve: the last one whose optimum the program states last, else the
    last one whose optimum it states with the other sign, else the last one. Where the last
    statement is not what any solve gave, the answer contradicts itself: OTHERWISE. What is printed
    where nothing was solved is no answer (but see `as_printed`), nor has a program one that breaks
    off, whatever was solved before. Raises BenchmarkError where the info is not that of a finished
    episode.
    """
    if "program" not in info:
        raise BenchmarkError(
            f"{name} was judged before its end; play it until the environment gives no observation"
        )
    if info["program"] is None:
        return AnswerReading(AnswerOutcome.NO_PROGRAM, str(info.get("program_problem") or ""))
    execution = info.get("execution")
    if not isinstance(execution, Mapping) or "outcome" not in execution:
        raise BenchmarkError(f"{name} has a program that was not run; run it before judging")
    return read_run(execution, info.get("solves") or ())


def read_run(execution: Mapping[str, Any], records: Sequence[Solve]) -> AnswerReading:
    """What one run of a program says the answer is; see `read_turn`."""
    stdout = str(execution.get("stdout") or "")
    ended = execution["outcome"] == ProgramOutcome.FINISHED
    stated, said = read_objective(stdout), last_statements(stdout)
    if "log" not in execution and _LOGGED in stdout:  # of runs before version 3, whose log is in it
        said = ()
    solve, flipped = _choose(records, said or ((stated,) if stated else ()))
    solves = [one for one in records if one["ending"] not in _NO_SOLVE]
    value = _number(solve.get("objective"))
    known: dict[str, Any] = {
        "found": -value if flipped and value is not None else value,
        "flipped": flipped,
        "ended": ended,
        "stated": stated,
        "solve": solve,
        "solves": len(solves),
        "seconds": float(sum(one.get("seconds") or 0.0 for one in solves)),
        "cached": sum(bool(one.get("cached")) for one in solves),
    }
    last = solve if ended or not records else records[-1]
    if last.get("ending") == Status.LACKING.word:
        return AnswerReading(AnswerOutcome.LACKING, f"our world lacks {last['library']}", **known)
    if last.get("ending") == Status.UNSUPPORTED.word:
        detail = str(last.get("detail") or "")
        licence = not last.get("library") and detail.startswith("licence")
        return AnswerReading(
            AnswerOutcome.LICENCE_LIMIT if licence else AnswerOutcome.UNSUPPORTED, detail, **known
        )
    if not ended:
        return AnswerReading(*_broken(execution), **known)
    if solve:
        return _contradicted(_solved(solve, known), solves, said)
    if stated is None:
        return AnswerReading(
            AnswerOutcome.NO_SOLUTION, "nothing was solved and nothing was printed", **known
        )
    detail = f"{stated.word or stated.value}, without a solve"
    return AnswerReading(AnswerOutcome.PRINTED, detail, source="stdout", **known)


def as_printed(reading: AnswerReading) -> AnswerReading:
    """The reading by the output of the program alone, whatever it solved."""
    stated = reading.stated
    if not reading.ended:
        return reading
    known = replace(
        reading,
        outcome=AnswerOutcome.NO_SOLUTION,
        value=None,
        source="stdout",
        low=-math.inf,
        high=math.inf,
        solve={},
    )
    if stated is None:
        return replace(known, detail="nothing was printed")
    if stated.word is not None:
        return replace(
            known, outcome=AnswerOutcome(stated.word), detail=f"said '{stated.text[:80]}'"
        )
    if stated.value is None or not math.isfinite(stated.value):
        return replace(known, detail=f"printed {stated.value}")
    value = stated.value
    return replace(known, outcome=None, detail="", value=value, low=value, high=value)


def _choose(records: Sequence[Solve], said: Sequence[Stated]) -> tuple[Solve, bool]:
    """The record to read, empty if there is none, and whether its sign is the other one's."""
    if said and said[-1].word is not None:
        for solve in reversed(records):
            if solve["ending"] in _SUPPORT[said[-1].word]:
                return solve, False
    stated = [one for one in said if one.value is not None]
    ways = [
        (close, sign, one) for close in (agrees, _rounded) for sign in (1.0, -1.0) for one in stated
    ]
    for close, sign, one in ways:
        for solve in reversed(records):
            value = _number(solve.get("objective"))
            if solve["ending"] != Status.OPTIMAL.word or value is None:
                continue
            if close(sign * value, one):
                return solve, sign < 0 and value != 0
    return (records[-1] if records else {}), False


def _contradicted(
    reading: AnswerReading, solves: Sequence[Solve], said: Sequence[Stated]
) -> AnswerReading:
    """The reading, OTHERWISE where the program's last statement is not what its solves gave."""
    ending = reading.solve["ending"]
    if not said or ending not in _DEFINITE:
        return reading
    last, values = said[-1], [_number(one.get("objective")) for one in solves]
    if last.value is not None and math.isfinite(last.value):
        if any(v is not None and _rounded(s * v, last) for v in values for s in (1.0, -1.0)):
            return reading
        # A status says that there is none, and a number follows, as PuLP's objective does.
        if any(one.word and ending in _SUPPORT[one.word] for one in said):
            return reading
    elif reading.value is None and (last.word is None or ending in _SUPPORT[last.word]):
        return reading
    given = f"{reading.value}" if reading.value is not None else f"that the model is {ending}"
    told = last.word or last.value
    detail = f"the solve gave {given}, and the program says {told}"
    return replace(reading, outcome=AnswerOutcome.OTHERWISE, detail=detail, said=last)


def _rounded(value: float, stated: Stated) -> bool:
    """Whether a stated value is the given one, rounded or cut, be its unit "million" or one."""
    if stated.value is None or not math.isfinite(stated.value):
        return False
    return any(
        abs(value - stated.value / scale)
        < max(stated.unit / scale * (1 - 1e-9), _AGREE * max(1.0, abs(value)))
        for scale in (1.0, stated.scale)
    )


def agrees(value: float, stated: Stated) -> bool:
    """Whether a printed value is the given one, but for the digits that were not printed."""
    if stated.value is None or not math.isfinite(stated.value):
        return False
    printed = stated.text.rstrip(")'\"`* ")
    decimals = len(re.sub(r".*[.,]", "", printed)) if re.search(r"[.,]\d{1,40}$", printed) else 0
    half = 0.5 * 10.0 ** -min(decimals, 40) if decimals else _AGREE
    return abs(value - stated.value) <= max(half * (1 + 1e-9), _AGREE * max(1.0, abs(value)))


def _broken(execution: Mapping[str, Any]) -> tuple[AnswerOutcome, str]:
    outcome, message = str(execution["outcome"]), str(execution.get("message") or "")
    if outcome == ProgramOutcome.TIME_LIMIT:
        return AnswerOutcome.TIME_LIMIT, "of the program"
    kind = str(execution.get("exception") or "")
    if outcome == ProgramOutcome.SYNTAX_ERROR:
        kind = kind or "SyntaxError"
    if outcome not in {ProgramOutcome.RAISED, ProgramOutcome.SYNTAX_ERROR} or not kind:
        kind, message = outcome.replace("_", " "), ""
    return AnswerOutcome.NOT_EXECUTABLE, f"{kind}: {message}" if message else kind


def _solved(solve: Solve, known: dict[str, Any]) -> AnswerReading:
    """The reading of a program that ended and whose model was solved."""
    ending, value = str(solve["ending"]), known["found"]
    if ending == Status.OPTIMAL.word:
        if value is None:
            return AnswerReading(AnswerOutcome.NO_SOLUTION, "an optimum that is no number", **known)
        maximize = bool(solve["maximize"]) != known["flipped"] if "maximize" in solve else None
        return AnswerReading(None, "", value, "model", value, value, maximize=maximize, **known)
    low, high, maximize = _interval(solve, value)
    known |= {"low": low, "high": high, "maximize": maximize, "source": "model"}
    if ending not in _ENDED:
        raise BenchmarkError(f"a solve ended as '{ending}', which is no ending that a judge knows")
    return AnswerReading(*_ENDED[ending], **known)


def _interval(solve: Solve, value: float | None) -> tuple[float, float, bool | None]:
    """Between what the optimum lies, by the incumbent and the bound; whether it is a maximum."""
    bound = _number(solve.get("bound"))
    maximize: bool | None = None
    if "maximize" in solve:
        maximize = bool(solve["maximize"])
    elif value is not None and bound is not None and value != bound:
        maximize = value < bound
    if maximize is None:
        # Of unknown sense: an incumbent alone bounds nothing.
        known = [x for x in (value, bound) if x is not None]
        return (known[0], known[0], None) if len(known) == 2 else (-math.inf, math.inf, None)
    low, high = (value, bound) if maximize else (bound, value)
    return (-math.inf if low is None else low, math.inf if high is None else high, maximize)


def _number(value: Any) -> float | None:
    """A finite number, else None: JSON has no infinity, and a forged record may hold anything."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) and abs(value) < 1e100 else None
