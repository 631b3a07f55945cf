"""Answers in the form that the prompt asks for."""

from collections.abc import Iterable, Iterator

from ordojo.core.environment import Observation
from ordojo.core.policy import Act

SUBMIT = "Action: SUBMIT()"


def reply(action: str, diagnosis: Iterable[str] = ()) -> str:
    """One action, and the diagnosis if there is one."""
    named = ", ".join(diagnosis)
    return f"Diagnosis: {named}\nAction: {action}" if named else f"Action: {action}"


def script(replies: Iterator[str]) -> Act:
    """Give the replies one by one, whatever is observed; after the last, submit."""

    def act(observation: Observation) -> str:
        return next(replies, SUBMIT)

    return act
