"""Reading the output format of the generation prompt, as loosely as models write it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ordojo.benchmarks.econlogicqa.schema import LETTERS

_FENCE = re.compile(r"^\s*(```|~~~)")
_HEAD = re.compile(
    r"^[\s*_#>]*(question|choices|correct\s*(?:order|sequence)|explanation)[*_\s]*:[*_\s]*(.*)$",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"^[\s*_>-]*\(?([A-D])[*_]*[.):][*_]*\s*(.*)$")
_COMPACT = re.compile(r"[A-D]{4}")


@dataclass(frozen=True)
class Draft:
    """A question as a model or a reviewer left it; whatever is missing is empty.

    `order` holds the letters as stated, which need not be an order at all.
    """

    question: str
    events: tuple[str, ...]
    order: tuple[str, ...]
    explanation: str

    @property
    def answer(self) -> str:
        """The stated order as the dataset spells it."""
        return ", ".join(self.order)

    def fields(self) -> dict[str, str]:
        """The dataset's columns, and the explanation."""
        return {
            "Question": self.question,
            **dict(zip(LETTERS, self.events, strict=True)),
            "Answer": self.answer,
            "Explanation": self.explanation,
        }

    @classmethod
    def from_fields(cls, fields: Mapping[str, str]) -> "Draft":
        """The inverse of `fields`; runs of white space become one blank."""
        clean = {name: " ".join(text.split()) for name, text in fields.items()}
        return cls(
            clean["Question"],
            tuple(clean[letter] for letter in LETTERS),
            read_order(clean["Answer"]),
            clean["Explanation"],
        )


def parse(reply: str) -> Draft:
    """The first question in a reply; never raises."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in reply.split("\n"):
        if _FENCE.match(line):
            continue
        if head := _HEAD.match(line):
            name = re.sub(r"\s", "", head[1]).lower().replace("sequence", "order")
            if name == "question" and name in found:
                break  # the model went on to pose another question
            section, text = name, head[2]
        elif section in ("question", "choices", *LETTERS) and (choice := _CHOICE.match(line)):
            section, text = choice[1], choice[2]
        else:
            text = line
        found.setdefault(section, []).append(text.strip().removesuffix("**"))
    texts = {name: " ".join(" ".join(lines).split()) for name, lines in found.items()}
    return Draft(
        question=texts.get("question", ""),
        events=tuple(texts.get(letter, "") for letter in LETTERS),
        order=read_order(texts.get("correctorder", "")),
        explanation=texts.get("explanation", ""),
    )


def read_order(text: str) -> tuple[str, ...]:
    """The letters of a stated order: "D, C, A, B", "D -> C -> A -> B", "(D) (C) (A) (B)"."""
    compact = _COMPACT.fullmatch(text.strip(" ._*"))
    return tuple(compact[0] if compact else re.findall(r"(?<![A-Za-z])[A-D](?![A-Za-z'])", text))
