"""A first look at the text of an MPS or LP file: what HiGHS would drop or misread."""

import gzip
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.milp.scan_lp import checked, plain_lines
from ordojo.milp.scan_mps import MpsScan

_BYTES = 64
"""The text of one coefficient is shorter than this."""
_LINEAR = "write it as a linear model"


def look(path: Path, max_nonzeros: int) -> MpsScan:
    """Go over an MPS file once.

    Raises DataError, in a sentence, for what cannot be read as a linear model: no file, a
    directory, an empty, binary, damaged, truncated or too large one, NaN, quadratic terms,
    special ordered sets, indicators.
    """
    scan = MpsScan(lambda problem: refusal(path, problem, "correct the file"))
    scan.run(_lines(path, _BYTES * max_nonzeros))
    return scan


def edited_copy(path: Path, copy: Path, edits: Mapping[int, str]) -> None:
    """Write an MPS file once more, with other lines at some numbers."""
    with copy.open("w", encoding="utf-8", newline="") as file:
        file.writelines(edits.get(k, line) for k, line in enumerate(_lines(path, sys.maxsize), 1))


def plain_copy(path: Path, copy: Path, max_nonzeros: int) -> dict[str, str]:
    """Write an LP file once more, as HiGHS reads it; the names behind its placeholders.

    Raises DataError as `look` does.
    """

    def refuse(problem: str, advice: str) -> DataError:
        return refusal(path, problem, advice)

    names: dict[str, str] = {}
    lines = _lines(path, _BYTES * max_nonzeros)
    with copy.open("w", encoding="utf-8", newline="") as file:
        file.writelines(checked(plain_lines(lines, names, refuse, _LINEAR), refuse, _LINEAR))
    return {short: name for name, short in names.items()}


def refusal(path: Path, problem: str, advice: str = _LINEAR) -> DataError:
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
