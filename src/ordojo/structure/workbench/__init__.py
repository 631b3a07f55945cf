"""The workbench: an expert renames, merges and splits what was found; exactness is watched.

`Session` keeps every edit on disk at once and works it out in the background, `WorkbenchServer`
shows it on a local page.
"""

from ordojo.structure.workbench.server import WorkbenchServer
from ordojo.structure.workbench.session import Session

__all__ = ["Session", "WorkbenchServer"]
