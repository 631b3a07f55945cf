"""The structure workbench: an expert corrects what was found on a local page; exactness is watched.

`state.py` has the edits (rename, merge, split, reword), what they do to groups, families, names and
sentences, and the ways in which a group can be split. `session.py` keeps each edit in a journal at
once, undoes by replay, and in one background thread works out what follows: abstraction and its
check, labels, formulation, blueprint, spy plot. `server.py` shows that as a page on 127.0.0.1
(`static/`, on the server that `ordojo.review` has) with edits that it suggests, and takes edits.
Out comes an instance folder.
"""

from ordojo.structures.workbench.server import WorkbenchServer
from ordojo.structures.workbench.session import WorkbenchSession

__all__ = ["WorkbenchServer", "WorkbenchSession"]
