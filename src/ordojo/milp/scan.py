"""A first look at the text of an MPS or LP file: what HiGHS would drop or misread."""

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.milp.scan_mps import MpsScan

_BYTES = 64
"""The text of one coefficient is shorter than this."""
_LP_SOS = re.compile(r"\s*sos[12]?\s*$|.*\bs[12]\s*::", re.IGNORECASE)
_LP_ARROW = re.compile(r"-\s*>")
_LP_END = re.compile(r"(?:.*\s)?end\s*$", re.IGNORECASE)
_LP_GENERAL = re.compile(r"\s*(?:general constraints?|gencons?|pwlobj)\s*$", re.IGNORECASE)
_LP_NAN = re.compile(r"(?<![^\s+\-<>=*:])nan(?![^\s+\-<>=*])", re.IGNORECASE)


def look(path: Path, is_lp: bool, max_nonzeros: int) -> int:
    """Go over the file once; the number of columns that an MPS file names, -1 for LP files.

    Raises DataError, in a sentence, for what cannot be read as a linear model: no file, a
    directory, an empty, binary, damaged, truncated or too large one, NaN, quadratic terms,
    special ordered sets, indicators.
    """
    lines = _lines(path, _BYTES * max_nonzeros)
    if is_lp:
        _look_lp(path, lines)
        return -1
    return MpsScan(lambda problem: refusal(path, problem, "correct the file")).run(lines)


def refusal(path: Path, problem: str, advice: str = "write it as a linear model") -> DataError:
    """The error of a file that cannot be read as a linear model."""
    return DataError(f"{path.name} {problem}; {advice}")


def _lines(path: Path, limit: int) -> Iterator[str]:
    size = 0
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for line in file:
                size += len(line)
                if size > limit:
                    raise refusal(path, f"has over {limit} bytes", "allow more nonzeros")
                if b"\0" in line:
                    raise refusal(path, "is not text", "give an MPS or LP file")
                yield line.decode("utf-8")
    except FileNotFoundError:
        raise DataError(f"there is no file {path}; check the name") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory; name an MPS or LP file in it") from None
    except UnicodeDecodeError:
        raise refusal(path, "is not UTF-8 text", "save it as UTF-8") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise refusal(path, f"is damaged ({error})", "fetch it again") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; check the file") from None
    if not size:
        raise refusal(path, "is empty", "give an MPS or LP file")


def _look_lp(path: Path, lines: Iterator[str]) -> None:
    ended, before = False, ""
    for line in lines:
        text = line.partition("\\")[0]
        if ">" in text and _LP_ARROW.search(before + text):
            raise refusal(path, "has indicator constraints")
        if "s" in text.lower() and _LP_SOS.match(text):
            raise refusal(path, "has special ordered sets")
        if _LP_GENERAL.match(text):
            raise refusal(path, f"has a section '{text.strip()}', which is not linear")
        if _LP_NAN.search(text):
            raise refusal(path, "has NaN", "correct the number")
        ended = ended or bool(_LP_END.match(text))
        before = text.rstrip()[-1:] or before
    if not ended:
        raise refusal(path, "is no LP file, or truncated: it has no End", "fetch it again")
