"""Getting a dataset from its source, and checking each file: hash, format, number of items."""

import errno
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.progress import counted, counting
from ordojo.core.words import amount
from ordojo.datasets.or_debug_authors import READER, count, repack
from ordojo.datasets.registry import DatasetSpec, FileSpec, get_dataset
from ordojo.datasets.rows import read_split
from ordojo.datasets.store import (
    Located,
    at,
    cache_folder,
    content_hash,
    expected_hashes,
    find,
    hash_problem,
    locate,
    read_lock,
    write_lock,
)


def count_items(spec: DatasetSpec, file: FileSpec, path: Path) -> int:
    """The number of items at `path`, all well formed; raises DataError, also for a wrong number."""
    if spec.reader == READER:
        # What is built hangs on the time that solves take: a model more or less is no damage.
        if (found := count(path)) != file.rows and spec.source.kind != "built":
            raise DataError(f"{path} has {amount(found, 'item')} where {spec.id} has {file.rows}")
        return found
    if spec.reader:
        # Only these datasets need the readers; whoever pulls another does without them.
        from ordojo.datasets.nl2opt.load import read_items

        return len(read_items(spec, path))
    return len(read_split(spec, file, path))


@dataclass(frozen=True)
class FileCheck:
    """One thing that was checked, and what came of it."""

    file: str
    name: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class VerifyReport:
    """All checks of one dataset."""

    id: str
    folder: Path
    sha256: str
    checks: tuple[FileCheck, ...]

    @property
    def ok(self) -> bool:
        """Whether every check held."""
        return all(check.ok for check in self.checks)

    def to_json(self) -> dict[str, Json]:
        """The report as plain JSON."""
        return {**asdict(self), "folder": str(self.folder), "ok": self.ok}

    def table(self) -> list[tuple[str, ...]]:
        """The report for readers; the first row is the heading."""
        rows = [(c.file, c.name, "ok" if c.ok else "FAILED", c.detail) for c in self.checks]
        return [("file", "check", "result", "detail"), *rows]


def verify(dataset_id: str) -> VerifyReport:
    """Check every file of a dataset; raises UsageError or DataError if it cannot be read."""
    located = find(get_dataset(dataset_id))
    spec = located.spec
    expected = expected_hashes(spec, located.folder)
    checks = []
    for file in counted(spec.files, "checking files"):
        found, wanted = located.hashes[file.name], expected[file.name]
        problem = hash_problem(found, wanted)
        detail = problem or (found if wanted else f"{found} (not pinned)")
        checks.append(FileCheck(file.name, "sha256", not problem, detail))
        try:
            items = count_items(spec, file, located.files[file.split])
            checks.append(FileCheck(file.name, "items", True, f"{items}, each well formed"))
        except DataError as error:
            checks.append(FileCheck(file.name, "items", False, str(error)))
    return VerifyReport(spec.id, located.folder, located.sha256, tuple(checks))


if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

TRIES = 3
PAUSE = 0.5
"""Seconds before the second try; doubled before each later one."""
BUSY = frozenset({408, 429, 500, 502, 503, 504})
"""Answers that another try may turn into a better one."""
HOSTS = {
    "ORDOJO_GITHUB_ARCHIVE": "https://codeload.github.com",
    "ORDOJO_GITHUB_RAW": "https://raw.githubusercontent.com",
    "ORDOJO_HF_ENDPOINT": "https://huggingface.co",
}
"""Where sources are, by the variables that name a mirror."""


def pull(dataset_id: str) -> Located:
    """Fetch what the cache lacks of a dataset, and return where it is.

    Finished files are kept and a broken transfer is continued by the next call. Raises
    UsageError for an unknown id; DataError if the source or the disk fails or a check does.
    """
    spec = get_dataset(dataset_id)
    if spec.source.kind == "shipped":
        return locate(dataset_id)
    if spec.source.kind in ("local", "built"):
        raise DataError(f"{spec.id} cannot be pulled; {spec.remedy}")
    folder = cache_folder(spec)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _fill(folder, spec)
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        raise DataError(
            f"cannot write to {folder}: {error.strerror or error}; "
            f"{'free some space' if full else 'make it writable'} or set ORDOJO_CACHE to another "
            f"folder, then run: ordojo data pull {spec.id}"
        ) from error
    return at(spec, folder)


def _fill(folder: Path, spec: DatasetSpec) -> None:
    expected = expected_hashes(spec, folder)
    lacking = [f for f in spec.files if not _is_whole(f, folder / f.name, expected[f.name])]
    if not lacking:
        return
    import httpx

    # Compressed answers cannot be continued at a byte of the file, so none is asked for.
    headers = {"Accept-Encoding": "identity", "User-Agent": "ordojo"}
    with httpx.Client(headers=headers, follow_redirects=True, timeout=30) as client:
        transfer = _Transfer(client, spec)
        lock = read_lock(folder)
        lock = replace(lock, revision=lock.revision or transfer.whole_revision())
        for file in lacking:
            target = folder / file.name
            sha256 = transfer.fetch(file, lock.revision, target, expected[file.name])
            if not file.sha256:
                lock = replace(lock, files={**lock.files, file.name: sha256})
                write_lock(folder, lock)
    for archive in folder.glob("*.tar.gz"):
        archive.unlink()


def _is_whole(file: FileSpec, path: Path, expected: str) -> bool:
    try:
        return bool(expected) and path.is_file() and content_hash(file, path) == expected
    except DataError:  # it cannot even be unpacked
        return False


@dataclass
class _Transfer:
    """What all requests of one pull share."""

    client: "httpx.Client"
    spec: DatasetSpec

    @property
    def mirror(self) -> str:
        """The environment variable that says where the source's host is."""
        if self.spec.source.kind != "github":
            return "ORDOJO_HF_ENDPOINT"
        return "ORDOJO_GITHUB_ARCHIVE" if self.spec.files[0].repacked else "ORDOJO_GITHUB_RAW"

    @property
    def host(self) -> str:
        usual = HOSTS[self.mirror]
        if self.spec.source.kind != "github":
            usual = os.environ.get("HF_ENDPOINT") or usual
        return (os.environ.get(self.mirror) or usual).rstrip("/")

    def url(self, file: FileSpec, revision: str) -> str:
        repository = self.spec.source.repository
        if file.repacked:
            return f"{self.host}/{repository}/tar.gz/{revision}"
        if self.spec.source.kind == "github":
            return f"{self.host}/{repository}/{revision}/{file.path}"
        return f"{self.host}/datasets/{repository}/resolve/{revision}/{file.path}"

    def whole_revision(self) -> str:
        """The full commit hash that the pinned one, on Hugging Face a prefix, stands for."""
        pinned = self.spec.source.revision
        if self.spec.source.kind == "github":
            return pinned
        url = f"{self.host}/api/datasets/{self.spec.source.repository}/commits/main"
        text = self.persist(url, lambda: self.client.get(url).raise_for_status().text)
        try:
            matches = [c["id"] for c in json.loads(text) if c["id"].startswith(pinned)]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise DataError(
                f"{url} did not answer with a list of commits; check {self.mirror} or try later"
            ) from None
        if len(matches) != 1:
            raise DataError(
                f"{url} lists {len(matches)} commits that begin with {pinned}, the revision of "
                f"{self.spec.id}; get that revision's files by hand and set ORDOJO_DATA"
            )
        return str(matches[0])

    def fetch(self, file: FileSpec, revision: str, target: Path, expected: str) -> str:
        """Download a file beside its place, check it, move it there; returns its SHA-256."""
        url = self.url(file, revision)
        part = target.with_name(f"{file.name}.part")
        continued = part.exists()
        if file.repacked:
            # One archive of the repository serves all its files.
            archive = target.with_name(f"{revision}.tar.gz")
            if not archive.exists():
                draft = target.with_name(f"{revision}.part")
                self.persist(url, lambda: self.download(url, draft, file))
                draft.replace(archive)
            part = target.with_name(f"new.{file.name}")
            repack(archive, file.path, part)
        else:
            self.persist(url, lambda: self.download(url, part, file))
        sha256 = content_hash(file, part)
        try:
            if problem := hash_problem(sha256, expected):
                raise DataError(f"{problem}; check {self.mirror} or try later")
            count_items(self.spec, file, part)
        except DataError as error:
            part.unlink()
            if continued:  # its beginning may have been at fault
                return self.fetch(file, revision, target, expected)
            raise DataError(f"{url} is not {file.name} of {self.spec.id}: {error}") from None
        part.replace(target)
        return sha256

    def download(self, url: str, part: Path, file: FileSpec) -> None:
        """Append what `part` lacks; start anew if the server does not continue."""
        done = part.stat().st_size if part.exists() else 0
        headers = {"Range": f"bytes={done}-"} if done else {}
        with self.client.stream("GET", url, headers=headers) as response:
            if response.status_code == 416:  # nothing follows; the checks decide
                return
            response.raise_for_status()
            continued = response.status_code == 206
            done = done if continued else 0
            length = int(response.headers.get("Content-Length", 0))
            total = done + length if length else file.size
            with (
                part.open("ab" if continued else "wb") as sink,
                counting(f"fetching {file.name}", total or None, done, "B") as count,
            ):
                for chunk in response.iter_bytes():
                    sink.write(chunk)
                    count.step(len(chunk))

    def persist(self, url: str, action: Callable[[], T]) -> T:
        """The action's result, tried up to TRIES times while the network is at fault."""
        import httpx

        failure = ""
        for attempt in range(TRIES):
            if attempt:
                time.sleep(PAUSE * 2 ** (attempt - 1))
            try:
                return action()
            except httpx.HTTPStatusError as error:
                answer = error.response
                failure = f"the server answered {answer.status_code} {answer.reason_phrase}"
                if answer.status_code not in BUSY:
                    break
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                failure = str(error) or type(error).__name__
        raise DataError(
            f"cannot get {url}: {failure}; check the network, or set {self.mirror} to a mirror, "
            f"then run again: ordojo data pull {self.spec.id}"
        )
