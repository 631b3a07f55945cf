"""Cutting a chain of thought into the steps that are labelled one by one."""

import re
from collections.abc import Sequence

_KINDS = (
    re.compile(r"[*_#\s]*step\s+\d+\b[*_]*\s*[:.)–—-]?[*_\s]*", re.IGNORECASE),
    re.compile(r"[*_\s]*\(?\d{1,2}[.):]\)?[*_]*\s+"),
    re.compile(r"[-*•–]\s+"),
)
"""Markers of steps, the plainest first: "Step 2:", "2.", "-"."""

_INLINE_STEP = re.compile(r"(?<=[.!?;])[ \t]+(?=[*_]*step\s+\d+\s*[:.)–—-])", re.IGNORECASE)
_END = re.compile(r"[.!?][\"')\]*_]*\s+(?=[\"'(\[*_]*[A-Z0-9])")
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|eq|fig|no|nr|dr|mr|mrs|ms|st|approx)|(?:^|[\s(])\d+|^\W*[A-Z])\.$",
    re.IGNORECASE,
)
_FEW_WORDS = 2


def split_steps(text: str) -> Sequence[str]:
    """The steps of a reasoning, none if it is empty; no word is lost except the markers.

    Lines marked "Step 2:", "2." or "-" are steps, with what follows up to the next; a conclusion
    set apart after the last is its own. Unmarked text is cut into sentences. An announcement
    ("We consider:") goes with what it announces, and a fragment of one or two words with its
    neighbour.
    """
    lines = _INLINE_STEP.sub("\n", text.strip()).split("\n")
    for marker in _KINDS:
        if sum(bool(marker.match(line.strip())) for line in lines) > 1:
            return _merge(_marked(lines, marker))
    return _merge(_sentences(lines))


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
    open_line = False
    for line in (line.strip() for line in lines):
        # A line that begins in lower case goes on with the sentence before.
        if found and open_line and line[:1].islower():
            found[-1] += " " + line
        elif line:
            start = 0
            for end in _END.finditer(line):
                if not _NO_END.search(line[start : end.start() + 1]):
                    found.append(line[start : end.end()])
                    start = end.end()
            found.append(line[start:])
        open_line = bool(line)
    return found


def _merge(steps: Sequence[str]) -> Sequence[str]:
    merged: list[str] = []
    for step in (" ".join(step.split()).strip("*_# ") for step in steps):
        short = len(re.findall(r"\w+", step)) <= _FEW_WORDS
        if merged and (merged[-1].endswith(":") or short):
            merged[-1] = f"{merged[-1]} {step}".strip()
        elif step:
            merged.append(step)
    return merged
