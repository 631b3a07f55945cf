"""Why there is no reply of a model: the provider's own sentence, in one line."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.model import ModelOutput

LONGEST = 300
"""Characters of a sentence: some providers quote the whole request."""


def reason_of(error: BaseException) -> str:
    """What went wrong, from under all that has wrapped it: the status and what was said of it."""
    while error.__cause__ is not None:
        error = error.__cause__
    status = getattr(error, "status_code", None)
    said = sentence(getattr(error, "body", None)) or _line(str(error))
    return f"HTTP {status}: {said}" if status else f"{type(error).__name__}: {said}".rstrip(": ")


def failure_of(output: ModelOutput, response: Mapping[str, Any]) -> str:
    """Why an output is no reply of the model, although Inspect gives it as one; "" where it is.

    `response` is what the provider sent, as far as it is known.
    """
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    if output.error or not output.choices:
        return _line(output.error or "the provider returned nothing")
    if output.stop_reason == "model_length" and output.usage is None:
        # A reply that the model's window ended has taken tokens; this is the text of an error.
        return f"the prompt is too long for the model: {_line(output.completion)}"
    if first.get("finish_reason") == "error":
        said = sentence(first.get("error"))
        return "the provider ended the reply with an error" + f": {said}" * bool(said)
    if output.stop_reason == "unknown" and not output.completion:
        # Nothing says that it was the model that kept silent.
        return "the provider returned no text and no reason why"
    return ""


def sentence(body: Any) -> str:
    """The message in the body of an error, in one line; "" where there is none."""
    while isinstance(body, Mapping):
        body = body.get("error") or body.get("message")
    return _line(body) if isinstance(body, str) else ""


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."
