"""Answers in the form that the prompt asks for: actions, or the whole program."""

from collections.abc import Callable, Iterable, Iterator

from ordojo.benchmarks.or_debug.actions import REPAIR, Action, Invalid, parse_action
from ordojo.benchmarks.or_debug.program_prompts import WHOLE
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.core.environment import Observation
from ordojo.core.policy import Act
from ordojo.milp.model import Model
from ordojo.milp.source import gurobipy_source

SUBMIT = "Action: SUBMIT()"


def reply(action: str, diagnosis: Iterable[str] = ()) -> str:
    """One action, and the diagnosis if there is one."""
    return f"{_named(diagnosis)}Action: {action}"


def program(model: Model, diagnosis: Iterable[str] = ()) -> str:
    """The whole program of a model, and the diagnosis if there is one."""
    return f"{_named(diagnosis)}```python\n{gurobipy_source(model).strip()}\n```"


def script(replies: Iterator[str], whole: Callable[[], str]) -> Act:
    """Give the replies one by one, whatever is observed; after the last, submit.

    Where the first observation asks for the whole program, give `whole()`, and then nothing.
    """
    chosen: tuple[Iterator[str], str] | None = None

    def act(observation: Observation) -> str:
        nonlocal chosen
        if chosen is None:
            programs = WHOLE in observation.text
            chosen = (iter([whole()]), "") if programs else (replies, SUBMIT)
        return next(*chosen)

    return act


def repaired(model: Model, replies: Iterator[str]) -> str:
    """The program of a model after all repairs of the replies, with every name diagnosed."""
    diagnosis: dict[str, None] = {}
    for text in replies:
        action = parse_action(text, model)
        diagnosis.update(dict.fromkeys(action.diagnosis))
        if isinstance(action, Action) and action.kind in REPAIR:
            after = apply_action(model, action)
            model = model if isinstance(after, Invalid) else after
    return program(model, diagnosis)


def _named(diagnosis: Iterable[str]) -> str:
    names = ", ".join(diagnosis)
    return f"Diagnosis: {names}\n" if names else ""
