"""A session on a small model, and its server, for the tests of the workbench."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ordojo.structures import Flat, read_flat
from ordojo.structures.workbench import WorkbenchServer, WorkbenchSession
from ordojo.structures.workbench.server import overview

from .toys import LOTS


def lots(folder: Path) -> Flat:
    path = folder / "lots.mps"
    path.write_text(LOTS)
    return read_flat(path)


@contextmanager
def session(folder: Path, flat: Flat | None = None) -> Iterator[WorkbenchSession]:
    with WorkbenchSession(flat or lots(folder), folder / "bench", "lots") as opened:
        opened.wait()
        yield opened


@contextmanager
def serving(folder: Path, flat: Flat | None = None) -> Iterator[WorkbenchServer]:
    folder.mkdir(exist_ok=True)
    with session(folder, flat) as opened:
        server = WorkbenchServer(opened)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.close()
            thread.join()


def edit(opened: WorkbenchSession, **asked: Any) -> dict[str, Any]:
    """Make an edit, wait for it, and return what the page would see."""
    opened.edit(asked)
    opened.wait()
    return overview(opened)


def sizes(seen: dict[str, Any], side: str) -> dict[str, int]:
    return {one["name"]: one["size"] for one in seen[side]}


def texts(seen: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["text"] for one in seen["blueprint"]["items"]}
