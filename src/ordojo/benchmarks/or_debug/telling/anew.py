"""Texts that a language model tells anew: in its own words, under a check that loses no fact.

A text that a grammar made can be read by the grammar turned round; one in a writer's own words
cannot. `lost` compares figures and names, which are most of what goes wrong. It is no proof that a
figure is said of the same thing.
"""

import re
from collections import Counter
from collections.abc import Iterator

from ordojo.benchmarks.or_debug.telling.reading import figure_of
from ordojo.benchmarks.or_debug.telling.rules import Told
from ordojo.core.errors import DataError
from ordojo.core.policy import Generate
from ordojo.core.readers.numbers import ONES, TENS

ANEW_PROMPT = """Below are the facts of a planning problem. Tell them as somebody who works there \
tells them in a message to a colleague: plain connected prose in paragraphs, in your own words and \
in an order of your own.
- Keep every figure as it is given: the numbers that it is given by, as digits or words, with \
nothing worked out, and no number besides. Figures in brackets that no longer hold are told too, \
and that they do not.
- Keep the names of things as they are. Say what is decided, of what kind and within which \
bounds each decision is, every rule with its direction, and what is minimized or maximized.
- Rules in force and rules given up stand mixed among the rest. A careful reader can tell which \
are which, from what has happened to them ("the lease that this was about has ended"), never from \
a formula, and the words for both are alike.
- Names of rows, lists, tables and headings do not occur.
Answer with the text alone.

{brief}"""

SMALL = 2
"""Whole numbers up to this are words of their own ("both", "a pair", "once"), and not compared."""

ATTEMPTS = 3
"""Each may be paid for; after the first, which is greedy, they are drawn."""
COUNTED = 10
"""From here on a figure is to be said as often as it is given: two facts have it. Of the first 48
texts of `told`, which were read and are right, one says such a figure once for two facts ("each
fifteen below"), and twelve a smaller one."""

_WORD = rf"(?:{'|'.join([*list(ONES)[1:], *TENS])}|hundred|thousand)"
_FIGURE = re.compile(
    rf"\d+(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\b{_WORD}(?:(?:-| and | ){_WORD})*\b", re.I
)


def figures(text: str) -> Iterator[float]:
    """The numbers of a text in digits or words, those above `SMALL`."""
    for found in _FIGURE.finditer(text):
        words = found[0].replace(",", "")
        while words:  # the longest beginning that is one number: "four and six" are two
            parts = re.split(r"(?<=\w)(?=-| )", words)
            for k in range(len(parts), 0, -1):
                value = figure_of("".join(parts[:k]))
                if value is not None:
                    if value > SMALL:
                        yield value
                    break
            words = re.sub(r"^[- ]*(?:and )?", "", "".join(parts[k:]))


def lost(told: Told, text: str) -> list[str]:
    """What a text fails to say or says besides, each in a few words; none where it is accepted."""
    wanted, said = Counter(figures(told.brief)), Counter(figures(text))
    spoken = text.lower()
    return [
        *(f"the figure {value:g} is missing" for value in sorted(wanted.keys() - said)),
        *(
            f"the figure {value:g} is missing in {count - said[value]} of {count} places"
            for value, count in sorted(wanted.items())
            if value >= COUNTED and 0 < said[value] < count
        ),
        *(f"the figure {value:g} is new" for value in sorted(said.keys() - wanted)),
        *(
            f"{thing} is not named"
            for thing in told.things
            if any(word not in spoken for word in thing.lower().split())
        ),
    ]


def told_anew(told: Told, generate: Generate) -> str:
    """A model's text of a problem. Raises DataError, with what it loses, after `ATTEMPTS`."""
    wrong: list[str] = []
    for attempt in range(ATTEMPTS):
        text = generate(
            ANEW_PROMPT.format(brief=told.brief),
            max_tokens=len(told.brief) // 2 + 512,
            temperature=0.7 if attempt else 0.0,
            seed=attempt,
        ).strip()
        wrong = lost(told, text)
        if not wrong:
            return text
    raise DataError("; ".join(wrong[:5]) + (f"; and {len(wrong) - 5} more" * (len(wrong) > 5)))
