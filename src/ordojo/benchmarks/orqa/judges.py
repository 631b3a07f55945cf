"""Reading a letter out of a reply, by four named rules."""

from collections.abc import Callable, Mapping, Sequence

from ordojo.benchmarks.orqa.schema import LETTERS, Question
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.readers.letters import read_letter
from ordojo.core.readers.turn import without_thinking

Reader = Callable[[str, Sequence[str]], str | None]
"""From a reply and the texts of the four options to a letter; only "letter" looks at them."""


def read_stripped(text: str, _: Sequence[str] = ()) -> str | None:
    """The reply, stripped, if it is one of the four letters."""
    letter = text.strip()
    return letter if letter in LETTERS else None


def read_exact(text: str, _: Sequence[str] = ()) -> str | None:
    """The reply if it is one of the four letters with nothing around it."""
    return text if text in LETTERS else None


def read_first_character(text: str, _: Sequence[str] = ()) -> str | None:
    """The reply's first character if it is one of the four letters."""
    return text[:1] if text[:1] in LETTERS else None


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
        letter = read(without_thinking(episode.last_reply), instance.problem.options)
        if letter is None:
            return Verdict(rule, "unparsed", 0.0, reason="no letter could be read")
        right = letter == instance.problem.letter
        return Verdict(rule, "correct" if right else "wrong", float(right), letter)

    return judge
