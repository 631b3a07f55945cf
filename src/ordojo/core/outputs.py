"""The one writer of outputs: a file or a folder is there whole or not at all, as before or new.

It is made beside its place and put there in one step, so that a kill, a full disk or an error at
any moment leaves what stood there. Only what grows by lines (`core.journal`) is written in place.
And where what is fetched or unpacked is kept.
"""

import contextlib
import errno
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from ordojo.core.ending import DRAFT, beside, take_place
from ordojo.core.errors import DataError, OrdojoError, UsageError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SAID_FULL = ("No space left", "failed writing file", "quota exceeded")
"""What the writers of weights say of a full disk, in exceptions of their own."""
_PARTLY = re.compile(r"\d+ requested and \d+ written")
"""What numpy says where the system took a part, without the system's reason."""
_UNSAID = "the disk is full, or files may not be that large"


def cache_root() -> Path:
    """Where what can be had again is kept: $ORDOJO_CACHE, or the user's cache directory."""
    import platformdirs

    root = os.environ.get("ORDOJO_CACHE") or platformdirs.user_cache_dir("ordojo")
    return Path(root).expanduser()


_drafts: dict[Path, Path] = {}
"""Folders that are being made, and the places that they are going to take."""


@contextlib.contextmanager
def whole_file(
    path: Path | str,
    *,
    sync: bool = False,
    error: type[OrdojoError] = DataError,
    advice: str = "choose another place",
) -> Iterator[Path]:
    """Give a path beside `path`, of the same name, to write to; it takes its place at the end.

    The folder above is made. With `sync` the disk itself has the file before that. Raises `error`
    with the cause and the `advice` where it cannot be written, UsageError where something else than
    a file is there; then everything is as it was.
    """
    target = Path(os.path.realpath(path))  # a link stays one, what it leads to is exchanged
    with _told(path, error, advice), _above(target):
        _refuse(path, target, folder=False)
        if _outer(target):
            yield target
            return
        with beside(target) as place:
            draft = place / target.name
            yield draft
            _as_former(draft, target)
            if sync:
                _store(draft)
            draft.replace(target)


def write_file(
    path: Path | str,
    content: str | bytes,
    *,
    sync: bool = False,
    error: type[OrdojoError] = DataError,
    advice: str = "choose another place",
) -> None:
    """Write a file whole, text as UTF-8 with its line ends as they are; raises as `whole_file`."""
    data = content if isinstance(content, bytes) else content.encode()
    with whole_file(path, sync=sync, error=error, advice=advice) as draft:
        draft.write_bytes(data)


@contextlib.contextmanager
def whole_folder(
    path: Path | str,
    *,
    own: Sequence[str] | None = None,
    keep: bool = False,
    sync: bool = False,
    error: type[OrdojoError] = DataError,
    advice: str = "choose another folder",
) -> Iterator[Path]:
    """Give an empty folder beside `path` to write to; it takes the place of `path` at the end.

    The folders above are made. What stood at `path` is gone then; with `keep` its files of other
    names come along. `own` are patterns of the paths that a former output has: where anything else
    stands there, nothing is begun. `sync` and what is raised are as for `whole_file`.
    """
    target = Path(os.path.realpath(path))  # a link stays one, what it leads to is exchanged
    with _told(path, error, advice), _above(target):
        _refuse(path, target, folder=True)
        if own is not None:
            refuse_strangers(path, any_of(own))
        if _outer(target):
            target.mkdir(exist_ok=True)
            yield target
            return
        with beside(target) as place:
            draft = place / "new"
            draft.mkdir()
            _drafts[draft] = Path(path)
            try:
                yield draft
            finally:
                del _drafts[draft]
            if keep and target.exists():
                _bring(target, draft)
            _as_former(draft, target)
            for file in draft.rglob("*") if sync else ():
                if file.is_file():
                    _store(file)
            take_place(draft, target)


def any_of(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path within a folder fits one of the patterns."""
    return lambda name: any(fnmatchcase(name, one) for one in patterns)


def refuse_strangers(path: Path | str, own: Callable[[str], bool]) -> None:
    """Raise UsageError where a folder holds a file that `own` does not know: it would be lost."""
    for place, folders, names in os.walk(path):
        folders.sort()
        links = [one for one in folders if Path(place, one).is_symlink()]
        for name in sorted([*names, *links]):
            found = Path(place, name).relative_to(path).as_posix()
            if not own(found):
                raise UsageError(
                    f"{path} also holds {found}, which would be lost; move it away, or name "
                    "another folder"
                )


def named(path: Path) -> Path:
    """What a path is called in front of a user: that in a draft is the one that it will have."""
    outer = _outer(path)
    return _drafts[outer] / path.relative_to(outer) if outer else path


def why(problem: BaseException) -> str:
    """Why the disk did not take something, "" where an error is about something else."""
    said = str(problem).strip().partition("\n")[0]
    if isinstance(problem, OSError) and not isinstance(problem, ConnectionError):
        if _PARTLY.search(said):
            return _UNSAID
        elsewhere = problem.filename if isinstance(problem.filename, str) else ""
        inside = not elsewhere or DRAFT in elsewhere
        return (problem.strerror or said) + ("" if inside else f" ({elsewhere})")
    return said if any(mark in said for mark in _SAID_FULL) else ""


@contextlib.contextmanager
def _told(path: Path | str, error: type[OrdojoError], advice: str) -> Iterator[None]:
    """What the disk refuses in the block is one sentence, with the path that the user knows."""
    try:
        yield
    except OrdojoError:
        raise
    except Exception as problem:
        if not (reason := why(problem)):
            raise
        full = reason == _UNSAID or getattr(problem, "errno", errno.ENOSPC) in FULL
        room = "free some space, or " if full else ""
        raise error(f"cannot write {named(Path(path))}: {reason}; {room}{advice}") from problem


def _outer(path: Path) -> Path | None:
    """The folder being made that a path lies in: what is written there is whole with it."""
    return next((one for one in [*_drafts] if path.is_relative_to(one)), None)


@contextlib.contextmanager
def _above(target: Path) -> Iterator[None]:
    """Make the folders above, and take them away again where nothing came of it."""
    missing = [one for one in target.parents if not one.exists()]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            for one in missing:
                one.rmdir()
        raise


def _refuse(path: Path | str, target: Path, *, folder: bool) -> None:
    """Raise for what nothing can take the place of."""
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        return
    if folder and not stat.S_ISDIR(mode):
        raise UsageError(f"{path} is no folder; name a folder")
    if not folder and not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "no plain file"
        raise UsageError(f"{path} is {kind}; name a file")
    if folder and os.path.ismount(target):
        raise UsageError(
            f"{path} is a mount point, which no folder can take the place of; name one within it"
        )
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _as_former(draft: Path, target: Path) -> None:
    """Give a draft the permissions of what it replaces."""
    if target.exists():
        draft.chmod(stat.S_IMODE(target.stat().st_mode))


def _store(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def _bring(former: Path, draft: Path) -> None:
    """Have the files of the former folder in the draft, too, but for those that it has already."""
    for place, folders, names in os.walk(former):
        here = draft / Path(place).relative_to(former)
        for name in [*names, *(one for one in folders if Path(place, one).is_symlink())]:
            if os.path.lexists(here / name):
                continue
            try:
                os.link(Path(place, name), here / name, follow_symlinks=False)
            except OSError:  # disks without links
                shutil.copy2(Path(place, name), here / name, follow_symlinks=False)
        for name in folders:
            if not Path(place, name).is_symlink():
                (here / name).mkdir(exist_ok=True)
