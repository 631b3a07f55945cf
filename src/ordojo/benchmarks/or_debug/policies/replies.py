"""Answers in the form that the prompt asks for: actions, the whole program, or an LP file."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.or_debug.actions import REPAIR, Action, Invalid, parse_action
from ordojo.benchmarks.or_debug.program_prompts import FILE, WHOLE
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.environment import Observation
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.milp.files import lp_text
from ordojo.milp.model import Model
from ordojo.milp.source import gurobipy_source

SUBMIT = "Action: SUBMIT()"


def reply(action: str, diagnosis: Iterable[str] = ()) -> str:
    """One action, and the diagnosis if there is one."""
    return f"{_named(diagnosis)}Action: {action}"


def program(model: Model, diagnosis: Iterable[str] = ()) -> str:
    """The whole program of a model, and the diagnosis if there is one."""
    return f"{_named(diagnosis)}```python\n{gurobipy_source(model).strip()}\n```"


def file(model: Model, diagnosis: Iterable[str] = ()) -> str:
    """A model as an LP file, and the diagnosis if there is one."""
    return f"{_named(diagnosis)}```lp\n{lp_text(model)}```"


Whole = tuple[Model, Iterable[str]]
"""A model, and what was wrong before."""


def script(replies: Iterator[str], whole: Callable[[], Whole]) -> Act:
    """Give the replies one by one, whatever is observed; after the last, submit.

    Where the first observation asks for a program or a file, give `whole()`, and then nothing.
    """
    chosen: tuple[Iterator[str], str] | None = None

    def act(observation: Observation) -> str:
        nonlocal chosen
        if chosen is None:
            write = next((w for phrase, w in _FORMS.items() if phrase in observation.text), None)
            chosen = (iter([write(*whole())]), "") if write else (replies, SUBMIT)
        return next(*chosen)

    return act


_FORMS = {WHOLE: program, FILE: file}


def repaired(model: Model, replies: Iterator[str]) -> Whole:
    """A model after all repairs of the replies, with every name diagnosed."""
    diagnosis: dict[str, None] = {}
    for text in replies:
        action = parse_action(text, model)
        diagnosis.update(dict.fromkeys(action.diagnosis))
        if isinstance(action, Action) and action.kind in REPAIR:
            after = apply_action(model, action)
            model = model if isinstance(after, Invalid) else after
    return model, diagnosis


@dataclass(frozen=True)
class Repairer:
    """Gives the replies that `replies` makes of a problem; `name` is what records call it."""

    replies: Callable[[Debugging], Iterator[str]]
    name: str

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Make the replies one by one, when asked for."""
        problem: Debugging = instance.problem
        return script(self.replies(problem), lambda: repaired(problem.model, self.replies(problem)))


def _named(diagnosis: Iterable[str]) -> str:
    names = ", ".join(diagnosis)
    return f"Diagnosis: {names}\n" if names else ""
