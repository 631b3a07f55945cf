"""Scripted answers: a right program, none, a number by chance, always the same number."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.nl2opt.schema import WordProblem
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, NoOp, Policy
from ordojo.core.seeds import generator
from ordojo.datasets.golds import Gold


def reply(program: str) -> str:
    """A program as an answer."""
    return f"```python\n{program.rstrip()}\n```"


def printing(said: str) -> str:
    """The answer whose program only prints."""
    return reply(f'print("optimal_value = {said}")')


@dataclass(frozen=True)
class Scripted:
    """Answers with what `answer` makes of instance, seed and epoch."""

    answer: Callable[[Instance[Any], int, int], str]

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Decide once."""
        text = self.answer(instance, seed, epoch)
        return lambda observation: text


def policies(instances: Sequence[Instance[WordProblem]]) -> Mapping[str, Policy]:
    """The policies by name.

    "gold" is the dataset's own right program; where there is none, a program that prints the gold:
    it then checks the judge and nothing else. "majority" prints the commonest gold of `instances`
    (ties: the smallest).
    """
    counts = Counter(
        gold.value
        for instance in instances
        for gold in instance.problem.golds[:1]
        if gold.value is not None
    )
    common = min(counts, key=lambda value: (-counts[value], value), default=0.0)
    constant = printing(repr(common))
    return {
        "gold": Scripted(lambda instance, seed, epoch: _right(instance.problem)),
        "noop": NoOp(),
        "random": Scripted(_chance),
        "majority": Scripted(lambda instance, seed, epoch: constant),
    }


def _right(problem: WordProblem) -> str:
    if problem.program:
        return reply(problem.program)
    return printing(_spelt(problem.golds[0])) if problem.golds else ""


def _spelt(gold: Gold) -> str:
    return repr(gold.value) if gold.value is not None else gold.kind.upper()


def _chance(instance: Instance[Any], seed: int, epoch: int) -> str:
    """A whole number of one to five digits, each length as likely as the others."""
    rng = generator(seed, f"random-policy/{instance.id}", epoch)
    return printing(str(int(rng.integers(10 ** int(rng.integers(1, 6))))))
