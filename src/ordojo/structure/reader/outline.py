"""The sections of an MPS file: where each begins, what its header says, which are only kept."""

from pathlib import Path

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structure.flat import Bytes, Flat, Ints
from ordojo.structure.reader.stream import PAD, refusal

PLAIN = ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA")
KEPT = (
    *("SOS", "SOS1", "SOS2", "SETS", "INDICATORS", "QUADOBJ", "QMATRIX", "QSECTION"),
    *("QCMATRIX", "CSECTION", "PWLOBJ", "GENCONS", "SCENARIOS"),
)
REFUSED = ("LAZYCONS", "USERCUTS", "DELAYEDROWS", "MODELCUTS", "OBJECTIVE")
_HEADS = (*PLAIN, *KEPT, *REFUSED, "NAME", "OBJSENSE")
BEGINNINGS = np.array(sorted({int.from_bytes(head[:3].encode(), "little") for head in _HEADS}))


class Outline:
    """What is known after the lines so far; `feed` takes blocks, `flat` gives the model.

    A reader says what becomes of the sections of PLAIN: `open`, `finish_columns`, `lines`, `flat`.
    """

    counted = True
    """Whether lines are counted, for the words of a refusal."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.section, self.name = "", b""
        self.maximize, self.objective_name = False, b""
        self.sections: list[bytes] = []
        self.seen: set[str] = set()

    @property
    def done(self) -> bool:
        """Whether ENDATA was read."""
        return self.section == "ENDATA"

    def feed(self, block: Bytes, first: int) -> None:
        """Take a padded block of whole lines, the first of which has the number `first`."""
        heads = self.heads(block)
        if comments := [at for at in heads if block[at] == 42]:
            block = _without(block, comments)
            heads = [at for at in heads if block[at] != 32]
        low, stop = PAD, len(block) - PAD
        for at in heads:
            line = _line(block, at)
            words = line.split()
            head = words[0].decode("utf-8", "replace").upper()
            if not self._is_header(head, len(words)):
                continue
            self._between(block, low, at, first)
            first += int(np.count_nonzero(block[low:at] == 10)) if self.counted else 0
            self.header(head, words, line, first)
            first, low = first + 1, at + len(line) + 1
            if self.done:
                return
        self._between(block, low, stop, first)

    def heads(self, block: Bytes) -> list[int]:
        """Where the lines begin that are comments, or may be headers by their first letters."""
        begins = block[PAD - 1 : -PAD] == 10
        begins[0] = True
        begins[:-1] &= block[PAD:-PAD] > 32
        begins[-1] = False
        heads = np.flatnonzero(begins) + PAD
        if not len(heads):
            return []
        letters = [block[heads + k].astype(np.int64) for k in range(3)]
        upper: Ints = np.sum([(letter & 0xDF) << (8 * k) for k, letter in enumerate(letters)], 0)
        foreign = (letters[0] | letters[1] | letters[2]) > 127
        wanted = np.isin(upper, BEGINNINGS) | foreign | (letters[0] == 42)
        found: list[int] = heads[wanted].tolist()
        return found

    def _between(self, block: Bytes, low: int, high: int, first: int) -> None:
        if low < high and self.section in KEPT:
            self.sections[-1] += block[low:high].tobytes()
        elif low < high:
            self.lines(block, low, high, first)

    def _is_header(self, head: str, words: int) -> bool:
        if head in PLAIN:
            return words == 1 or self.section not in ("RHS", "RANGES", "BOUNDS", "COLUMNS")
        if self.section in ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS"):
            return (head in KEPT and words <= 3) or (head in REFUSED and words == 1)
        return (
            head in (*KEPT, *REFUSED) or head[:4] == "OBJS" or head in ("NAME", "OBJNAME", "RANGES")
        )

    def header(self, head: str, words: list[bytes], line: bytes, number: int) -> None:
        """Take the line that begins a section; raises DataError where it may not stand there."""
        if head in REFUSED:
            raise refusal(self.path, number, f"begins the section {head}, which is not supported")
        self.section = head
        if head in PLAIN:
            if head in self.seen:
                raise refusal(self.path, number, f"begins the section {head} a second time")
            self.seen.add(head)
            if head != "ROWS":
                if "ROWS" not in self.seen:
                    raise refusal(self.path, number, f"begins the section {head} before ROWS")
                self.open(head)
        elif head == "NAME":
            self.name = line.strip()[4:].strip()
        elif head in KEPT:
            self.finish_columns()
            self.sections.append(line.rstrip() + b"\n")
        elif len(words) > 1:
            self.word(words[1], number)

    def word(self, word: bytes, number: int) -> None:
        """Take a line under OBJSENSE or OBJNAME, or the word behind it."""
        if self.section == "OBJNAME":
            self.objective_name = word
            return
        text = word.upper()
        if text in (b"MAX", b"MAXIMIZE", b"MAXIMISE", b"MIN", b"MINIMIZE", b"MINIMISE"):
            self.maximize = text.startswith(b"MAX")
            return
        what = word.decode("utf-8", "replace")
        raise refusal(self.path, number, f"has the objective sense '{what}', neither MAX nor MIN")

    def open(self, head: str) -> None:
        """Begin a section of PLAIN behind ROWS."""
        raise NotImplementedError

    def finish_columns(self) -> None:
        """Note that COLUMNS is over, if it began; may be called again."""
        raise NotImplementedError

    def lines(self, block: Bytes, low: int, high: int, first: int) -> None:
        """Take the whole lines in `block[low:high]` of the section at hand."""
        raise NotImplementedError

    def flat(self) -> Flat:
        """The model; raises DataError where the file ended too early."""
        raise NotImplementedError

    def whole(self) -> None:
        """Raise DataError where the file ended too early."""
        if not self.done:
            raise DataError(f"{self.path.name}: there is no ENDATA line; the file is cut or no MPS")


def _without(block: Bytes, comments: list[int]) -> Bytes:
    """The block with blanks in place of comments."""
    block = block.copy()
    for at in comments:
        block[at : at + len(_line(block, at))] = 32
    return block


def _line(block: Bytes, at: int) -> bytes:
    """The line that begins at a place, without its end."""
    short = block[at : at + 256].tobytes().partition(b"\n")
    return short[0] if short[1] else block[at:].tobytes().partition(b"\n")[0]
