"""Polishing by a language model: any wording, but never another problem."""

from dataclasses import dataclass

from ordojo.core.errors import UsageError
from ordojo.core.policy import Generate
from ordojo.structure.blueprint.checks import reasons

PROMPT = """Rewrite the problem description below so that it reads more fluently.
Change wording only. The problem must stay exactly the same:
- Keep every line, its order, its headings, and the name in backticks at its beginning.
- Keep every name in backticks, every {{name}} in braces and every file path, in their order.
- Keep every sum, product, side and condition where it is. Keep "at most", "at least", "equal",
  "each", "only", "if", "where it exists", and whether something is minimized or maximized.
- Add no number, no variable, no rule and no example.
Answer with the rewritten description alone.

{text}"""


@dataclass(frozen=True)
class Polished:
    """What came of it: the text to use, whether it is the model's, and why not.

    `reasons` has a list for each attempt that was refused; `raw` is the last answer.
    """

    text: str
    accepted: bool
    reasons: tuple[tuple[str, ...], ...]
    raw: str


def polish(text: str, generate: Generate, attempts: int = 1, seed: int = 0) -> Polished:
    """Ask a model to rewrite a blueprint's text; where the checks refuse it, the text stays.

    Raises UsageError for fewer than one attempt.
    """
    if attempts < 1:
        raise UsageError(f"polish: {attempts} attempts; give at least one")
    refused: list[tuple[str, ...]] = []
    raw = ""
    for attempt in range(attempts):
        raw = generate(
            PROMPT.format(text=text),
            max_tokens=len(text) // 2 + 512,
            temperature=0.7 if attempt else 0.0,
            seed=seed + attempt,
        )
        answer = _bare(raw)
        wrong = reasons(text, answer)
        if not wrong:
            return Polished(answer, True, tuple(refused), raw)
        refused.append(tuple(wrong))
    return Polished(text, False, tuple(refused), raw)


def _bare(raw: str) -> str:
    """The answer without a code fence around it."""
    lines = raw.strip().splitlines()
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1].startswith("```"):
        lines = lines[1:-1]
    return "\n".join(lines).strip() + "\n"
