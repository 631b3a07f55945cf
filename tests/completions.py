"""A server of completions on this machine, for what is asked through a provider's client."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Sent = tuple[int, dict[str, Any]]
"""A status and a body."""


@contextmanager
def serving(send: Callable[[dict[str, Any], Message], Sent]) -> Iterator[str]:
    """A server that sends what it is told to for a request's body and headers."""

    class Answer(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, body = send(asked, self.headers)
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def failed(status: int, message: str, **more: Any) -> Sent:
    """An error in a provider's words."""
    return status, {"error": {"message": message, "type": "invalid_request_error", **more}}


def said(text: str | None, stop: str | None = "stop", **more: Any) -> Sent:
    """A completion, for a raw prompt as for a chat."""
    message = {"role": "assistant", "content": text, **more}
    choice = {"index": 0, "finish_reason": stop, "text": text or "", "message": message}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
    return 200, {**head, "choices": [choice], "usage": usage}
