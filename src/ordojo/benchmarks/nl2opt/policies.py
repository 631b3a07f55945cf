"""Scripted answers: a right program, none, a number by chance, always the same number.

A number is answered with a model of one variable that is fixed at it, for no rule but one takes
what was only printed. A guess that is dressed up so is worth what the guess is worth.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.nl2opt.schema import WordProblem
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, NoOp, Policy
from ordojo.core.seeds import generator


def reply(program: str) -> str:
    """A program as an answer."""
    return f"```python\n{program.rstrip()}\n```"


def stating(value: float | None, kind: str = "number") -> str:
    """The answer whose program solves a model of one variable for the value, or for none."""
    low, high = (value, value) if value is not None else (1.0, 0.0)
    sense, upper = ("MAXIMIZE", "float('inf')") if kind == "unbounded" else ("MINIMIZE", repr(high))
    return reply(
        "import gurobipy as gp\n"
        "m = gp.Model()\n"
        f"x = m.addVar(lb={low!r}, ub={upper})\n"
        f"m.setObjective(x, gp.GRB.{sense})\n"
        "m.optimize()\n"
        f"print('optimal_value =', {'m.ObjVal' if value is not None else repr(kind.upper())})"
    )


@dataclass(frozen=True)
class ScriptedProgram:
    """Answers with what `answer` makes of instance, seed and epoch."""

    answer: Callable[[Instance[Any], int, int], str]

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Decide once."""
        text = self.answer(instance, seed, epoch)
        return lambda observation: text


def policies(instances: Sequence[Instance[WordProblem]]) -> Mapping[str, Policy]:
    """The policies by name.

    "gold" is the dataset's own right program; where there is none, one that states the gold: it
    then checks the judge and nothing else. "majority" states the commonest gold of `instances`
    (ties: the smallest).
    """
    counts = Counter(
        gold.value
        for instance in instances
        for gold in instance.problem.golds[:1]
        if gold.value is not None
    )
    common = min(counts, key=lambda value: (-counts[value], value), default=0.0)
    constant = stating(common)
    return {
        "gold": ScriptedProgram(lambda instance, seed, epoch: _right(instance.problem)),
        "noop": NoOp(),
        "random": ScriptedProgram(_chance),
        "majority": ScriptedProgram(lambda instance, seed, epoch: constant),
    }


def _right(problem: WordProblem) -> str:
    if problem.program:
        return reply(problem.program)
    return stating(problem.golds[0].value, problem.golds[0].kind) if problem.golds else ""


def _chance(instance: Instance[Any], seed: int, epoch: int) -> str:
    """A whole number of one to five digits, each length as likely as the others."""
    rng = generator(seed, f"random-policy/{instance.id}", epoch)
    return stating(float(rng.integers(10 ** int(rng.integers(1, 6)))))
