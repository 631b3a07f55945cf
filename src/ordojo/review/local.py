"""A page for one person on this machine: one address with a token, nothing that leaves it."""

import hmac
import json
import secrets
import sys
import threading
from abc import abstractmethod
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.review.queue import KINDS, ReviewQueue

_LIMIT = 4 * 2**20


class NotHereError(Exception):
    """Nothing stands at a path, or it takes nothing."""


class LocalServer:
    """Serves the static page of `package` and JSON on 127.0.0.1, at an address nobody can guess.

    Its page.html, page.css and page.js go into the shell that all pages share. Subclasses say what
    stands at each path below `api/`.
    """

    package = title = ""

    def __init__(self, identity: str, port: int) -> None:
        """Bind; `port` 0 takes the port of `identity` (hex), or any other if that is in use.

        The same identity keeps its port so that a page that outlives the server can hand its
        unsent work to the next page: browsers keep such things by host and port.
        """
        self.token = secrets.token_urlsafe(32)
        self.lock = threading.Lock()
        self.closed = self._served = False
        # Below every system's ephemeral ports (Linux: from 32768), which another program's
        # outgoing connection may hold just when the server comes back.
        wanted = [port] if port else [20000 + int(identity[:8], 16) % 12000, 0]
        self._server = _bind(self, wanted)
        self.port = int(self._server.server_address[1])
        self.hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        self.url = f"http://127.0.0.1:{self.port}/{self.token}/"

    def serve_forever(self) -> None:
        """Answer until `close` is called from another thread, or Ctrl-C."""
        self._served = True
        self._server.serve_forever(poll_interval=0.1)

    def serve_until_interrupted(self) -> None:
        """Answer until Ctrl-C, then free the port."""
        try:
            self.serve_forever()
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Stop serving and free the port; nothing is taken from here on."""
        with self.lock:
            self.closed = True
        if self._served:  # shutdown() would wait forever for a loop that never began
            self._server.shutdown()
        self._server.server_close()

    def page(self, nonce: str) -> str:
        """The whole page, its style and script allowed by `nonce`."""
        text = _static("shell.html")
        for mark, part in {
            "TITLE": self.title,
            "STYLE": _static("shell.css") + _static("page.css", self.package),
            "BODY": _static("page.html", self.package),
            "SCRIPT": _static("shell.js") + _static("page.js", self.package),
            "NONCE": nonce,
        }.items():
            text = text.replace(f"@{mark}@", part)
        return text

    @abstractmethod
    def get(self, path: str) -> Any:
        """The JSON at a path below the token; NotHereError where there is none."""

    @abstractmethod
    def post(self, path: str, asked: Any) -> Any:
        """The answer to JSON sent to a path; NotHereError where nothing takes any.

        UsageError and ValueError are the sender's fault, DataError this machine's.
        """


def _static(name: str, package: str = "ordojo.review") -> str:
    return files(package).joinpath("static", name).read_text(encoding="utf-8")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    local: LocalServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A browser that leaves in the middle of an answer is no error of ours.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 60

    def do_GET(self) -> None:
        path = self._path()
        if path == "":
            nonce = secrets.token_urlsafe(16)
            self._send(HTTPStatus.OK, self.server.local.page(nonce), "text/html", nonce)
        elif path is not None:
            try:
                self._json(HTTPStatus.OK, self.server.local.get(path))
            except NotHereError:
                self._json(HTTPStatus.NOT_FOUND, {"error": "there is nothing at this address"})

    def do_POST(self) -> None:
        path = self._path()
        if path is None:
            return
        length = self.headers.get("Content-Length", "")
        wrong = (
            self.headers.get_content_type() != "application/json"
            or not length.isdecimal()
            or int(length) > _LIMIT
        )
        if wrong:
            self._json(HTTPStatus.BAD_REQUEST, {"error": "this is sent as JSON"})
            return
        try:
            asked = json.loads(self.rfile.read(int(length)))
            self._json(HTTPStatus.OK, self.server.local.post(path, asked))
        except NotHereError:
            self._json(HTTPStatus.BAD_REQUEST, {"error": "nothing is taken at this address"})
        except (UsageError, ValueError, RecursionError) as error:
            self._json(HTTPStatus.BAD_REQUEST, {"error": str(error)})
        except DataError as error:
            self._json(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": str(error)})

    def _path(self) -> str | None:
        """The path below the token; None, and a refusal sent, for a request that is not ours."""
        local = self.server.local
        token, slash, rest = self.path.removeprefix("/").partition("/")
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        ours = (
            hmac.compare_digest(token.encode(), local.token.encode())
            and slash == "/"
            and host in local.hosts
            and (origin is None or origin.removeprefix("http://") in local.hosts)
        )
        if not ours:
            self._json(HTTPStatus.FORBIDDEN, {"error": "open the address that the command printed"})
            return None
        return rest

    def _json(self, status: HTTPStatus, value: Any) -> None:
        self._send(status, json.dumps(value), "application/json")

    def _send(self, status: HTTPStatus, text: str, kind: str, nonce: str = "") -> None:
        data = text.encode()
        allowed = f"'nonce-{nonce}'" if nonce else "'none'"
        self.send_response(status)
        for name, value in {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(data)),
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": (
                f"default-src 'none'; script-src {allowed}; style-src {allowed}; "
                "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                "frame-ancestors 'none'"
            ),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal shows the address, and the page its own errors."""


def _bind(local: LocalServer, ports: list[int]) -> _Server:
    for port in ports:
        try:
            server = _Server(("127.0.0.1", port), _Handler)
        except OSError as error:
            problem = error
            continue
        server.local = local
        return server
    raise UsageError(
        f"cannot serve on port {ports[-1]} ({problem.strerror}): choose another `port`"
    )


_TEXTS = ("reason", "comment", "label")


class ReviewServer(LocalServer):
    """Serves one queue to one reviewer on 127.0.0.1, at an address that nobody can guess."""

    package, title = "ordojo.review", "Review"

    def __init__(
        self, queue: ReviewQueue, reviewer: str, *, port: int = 0, independent: bool = False
    ) -> None:
        """Bind; `port` 0 takes the queue's own port, or any other if that is in use."""
        self.queue, self.reviewer = queue, reviewer
        self.view = reviewer if independent else ""
        super().__init__(queue.sha256, port)

    def get(self, path: str) -> Any:
        """The queue."""
        if path != "api/queue":
            raise NotHereError(path)
        return self.everything()

    def post(self, path: str, asked: Any) -> Any:
        """Take a decision."""
        if path != "api/decide":
            raise NotHereError(path)
        return self.decide(asked)

    def state(self, item_id: str) -> dict[str, Any] | None:
        """What the page knows of an item's decision."""
        decision = self.queue.current(item_id, self.view)
        if decision is None:
            return None
        return {**decision.model_dump(mode="json"), "final": decision.final}

    def everything(self) -> dict[str, Any]:
        """The queue, as the page loads it."""
        return {
            "title": self.queue.title,
            "hash": self.queue.sha256,
            "reviewer": self.reviewer,
            "reasons": self.queue.reasons,
            "items": [
                {
                    **item.model_dump(mode="json", exclude={"data"}),
                    "notes": self.queue.notes(item.id),
                }
                for item in self.queue.items
            ],
            "states": {item.id: self.state(item.id) for item in self.queue.items},
            "latest": self.queue.latest(self.reviewer),
        }

    def decide(self, asked: Any) -> dict[str, Any]:
        """Store the decision that the page sent; UsageError if it is not one."""
        if not isinstance(asked, dict) or asked.get("kind") not in KINDS:
            raise UsageError("a decision is a JSON object with an item and a kind")
        item, fields, parts = (
            str(asked.get("item")),
            asked.get("fields", {}),
            asked.get("parts", []),
        )
        if not isinstance(fields, dict) or not isinstance(parts, list):
            raise UsageError("the fields of a decision are an object, and its parts a list")
        with self.lock:
            if self.closed:
                raise DataError("the server is stopping")
            self.queue.decide(
                item,
                asked["kind"],
                self.reviewer,
                fields=fields,
                parts=parts,
                **{name: str(asked.get(name, "")) for name in _TEXTS},
            )
            return {"state": self.state(item), "latest": self.queue.latest(self.reviewer)}
