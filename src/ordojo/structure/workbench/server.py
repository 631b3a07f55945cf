"""The workbench in a browser: one local page on one session."""

from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.review.local import LocalServer, NotHereError
from ordojo.structure.workbench.session import Session
from ordojo.structure.workbench.view import detail, overview

_ITEM = "api/item/"


class WorkbenchServer(LocalServer):
    """Serves one session on 127.0.0.1; `port` 0 takes the model's own, or any that is free."""

    package, title = "ordojo.structure.workbench", "Workbench"

    def __init__(self, session: Session, *, port: int = 0) -> None:
        """Bind; raises UsageError where a given port is in use."""
        self.session = session
        super().__init__(session.digest, port)

    def get(self, path: str) -> Any:
        """The model, its status alone, or one group or family."""
        if path == "api/model":
            return overview(self.session)
        if path == "api/status":
            return self.session.status()
        if path.startswith(_ITEM):
            try:
                return detail(self.session, path.removeprefix(_ITEM))
            except UsageError:
                raise NotHereError(path) from None
        raise NotHereError(path)

    def post(self, path: str, asked: Any) -> Any:
        """Take an edit, undo, redo or export; the answer is the status, while it is worked out."""
        steps = {
            "api/undo": self.session.undo,
            "api/redo": self.session.redo,
            "api/export": self.session.export,
        }
        if path != "api/edit" and path not in steps:
            raise NotHereError(path)
        with self.lock:
            if self.closed:
                raise DataError("the server is stopping")
            if path == "api/edit":
                self.session.edit(asked)
            else:
                steps[path]()
        return self.session.status()
