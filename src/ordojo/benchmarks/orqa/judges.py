"""Reading a letter out of a reply, by four named rules."""

import re
from collections.abc import Callable, Mapping
from typing import cast

from ordojo.benchmarks.orqa.schema import LETTERS, Question
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict

Reader = Callable[[str], str | None]

_STATED = re.compile(
    r"(?:answer|option|choice)\s*(?:is|:|would be|should be)?\s*(?:option\s*)?"
    r"(?:\\boxed\{|\$|\*\*|[(\[\"'`])*\s*([A-D])(?![A-Za-z'])",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\boxed\{\s*(?:\\text\{)?\s*\(?([A-D])\)?\s*\}")
_LEADING = re.compile(r"^[\s*_(\[\"'`>#-]*([A-D])(?:[\s*_)\].:,\"'`]|$)")
_FINAL_LINE = re.compile(r"^[\s*_(\[\"'`]*([A-D])[\s*_)\].:\"'`]*$")


def read_stripped(text: str) -> str | None:
    """The reply, stripped, if it is one of the four letters."""
    letter = text.strip()
    return letter if letter in LETTERS else None


def read_exact(text: str) -> str | None:
    """The reply if it is one of the four letters with nothing around it."""
    return text if text in LETTERS else None


def read_first_character(text: str) -> str | None:
    """The reply's first character if it is one of the four letters."""
    return text[:1] if text[:1] in LETTERS else None


def read_letter(text: str) -> str | None:
    """The letter that a person would take a free answer to mean.

    In order: the last boxed letter; a reply that begins with a letter ("B", "(B) ...", "**B.**");
    the last statement of the form "the answer is B"; a last line that is a letter. A reply that
    begins with the article "A" counts only if that is all its first word group is ("A." or "A)").
    """
    text = text[-20_000:].strip()
    text = text.rpartition("</think>")[2].strip()
    if boxed := _BOXED.findall(text):
        return cast(str, boxed[-1])
    leading = _LEADING.match(text)
    if leading and not re.match(r"^A [a-z]", text):
        return leading.group(1)
    if stated := _STATED.findall(text):
        return cast(str, stated[-1].upper())
    final = _FINAL_LINE.match(text.rpartition("\n")[2])
    return final.group(1) if final else None


READERS: Mapping[str, Reader] = {
    "published": read_stripped,
    "published-exact": read_exact,
    "first-character": read_first_character,
    "letter": read_letter,
}
"""Rules by name. "published" is the protocol as documented. The released program compares the
unstripped text ("published-exact"), and its second script takes the first character."""


def judge_with(rule: str) -> Judge:
    """The judge that reads the last reply by `rule` and compares it with the answer key."""
    read = READERS[rule]

    def judge(instance: Instance[Question], episode: Episode) -> Verdict:
        letter = read(episode.last_reply)
        if letter is None:
            return Verdict(rule, "unparsed", 0.0, reason="no letter could be read")
        right = letter == instance.problem.letter
        return Verdict(rule, "correct" if right else "wrong", float(right), letter)

    return judge
