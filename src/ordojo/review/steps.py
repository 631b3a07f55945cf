"""Cutting a chain of thought into the steps that are labelled one by one."""

import re
from collections.abc import Sequence

_KINDS = (
    re.compile(r"[#\s]*step\s+\d+\b\s*[:.)–—-]?\s*", re.IGNORECASE),
    re.compile(r"\(?\d{1,2}[.):]\)?\s+"),
    re.compile(r"[-*•–]\s+"),
)
"""Markers of steps, the plainest first: "Step 2:", "2.", "-"."""

_INLINE_STEP = re.compile(r"(?<=[.!?;])[ \t]+(?=step\s+\d+\s*[:.)–—-])", re.IGNORECASE)
_END = re.compile(r"[.!?][\"')\]*_]*\s+(?=[\"'(\[*_]*[A-Z0-9])")
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|eq|fig|no|nr|dr|mr|mrs|ms|st|approx)|(?:^|[\s(])\d+|^\W*[A-Z])\.$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_FEW_WORDS = 2


def split_steps(text: str) -> Sequence[str]:
    """The steps of a reasoning, none if it is empty; no word is lost except the markers.

    Lines marked "Step 2:", "2." or "-" are steps, with what follows up to the next; a conclusion
    set apart after the last is its own. Unmarked text is cut into sentences. An announcement
    ("We consider:") goes with what it announces, and a fragment of one or two words with its
    neighbour.
    """
    plain = text.replace("**", "").strip()
    lines = _INLINE_STEP.sub("\n", plain).split("\n")
    for marker in _KINDS:
        if sum(bool(marker.match(line.strip())) for line in lines) > 1:
            return _announced(_marked(lines, marker))
    return _announced(_sentences(lines))


def _marked(lines: Sequence[str], marker: re.Pattern[str]) -> list[str]:
    starts = [i for i, line in enumerate(lines) if marker.match(line.strip())]
    blocks = [list(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    rest: list[str] = []
    # Paragraphs below every heading belong to it; one below the last alone concludes.
    if not any(_apart(block) for block in blocks[:-1]):
        cut = _apart(blocks[-1]) or len(blocks[-1])
        blocks[-1], rest = blocks[-1][:cut], blocks[-1][cut:]
    steps = [" ".join([marker.sub("", b[0].strip(), count=1), *b[1:]]) for b in blocks]
    return [*_sentences(lines[: starts[0]]), *steps, *_sentences(rest)]


def _apart(block: Sequence[str]) -> int:
    """Where text begins after a blank line, 0 if nowhere."""
    return next(
        (i for i in range(1, len(block)) if block[i].strip() and not block[i - 1].strip()), 0
    )


def _sentences(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for text in _joined(lines):
        start = 0
        for end in [*_END.finditer(text), None]:
            stop = end.end() if end else len(text)
            if end and _NO_END.search(text[start : end.start() + 1]):
                continue
            if found and (_short(text[start:stop]) or _short(found[-1])):
                found[-1] = f"{found[-1]} {text[start:stop]}"
            else:
                found.append(text[start:stop])
            start = stop
    return found


def _short(text: str) -> bool:
    return len(_WORD.findall(text)) <= _FEW_WORDS


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines, each with those that go on with it: they begin in lower case."""
    found: list[str] = []
    before = ""
    for line in (line.strip() for line in lines):
        if before and line[:1].islower():
            found[-1] += " " + line
        elif line:
            found.append(line)
        before = line
    return found


def _announced(steps: Sequence[str]) -> Sequence[str]:
    """Put what ends in a colon together with the step after it."""
    found: list[str] = []
    for step in filter(None, (" ".join(step.split()) for step in steps)):
        if found and found[-1].endswith(":"):
            found[-1] += " " + step
        else:
            found.append(step)
    return found
