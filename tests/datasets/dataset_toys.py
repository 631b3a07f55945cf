"""Small datasets, and a server on this machine that can be made to fail."""

import http.server
import json
import re
from typing import Any, ClassVar

FULL_REVISION = "abc1234" + "0" * 33


def orqa_row(**changes: Any) -> dict[str, Any]:
    row = {
        "QUESTION_TYPE": "Q1",
        "CONTEXT": "A bakery plans its bread.",
        "QUESTION": " What is minimised?",
        "OPTIONS": ["cost", "time", "waste", "nothing"],
        "TARGET_ANSWER": 0,
        "REASONING": "Because.",
    }
    return {**row, **changes}


def jsonl(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


CSV = b'Question,A,B,C,D,Answer\n"Sort, please",a,b,c,d,"B,A , D,C"\nAgain,e,f,g,h,"A, B, C, D"\n'
TEST = jsonl(*(orqa_row(QUESTION=f"Question {n}?", CONTEXT="c" * 200) for n in range(400)))
DEV = jsonl(orqa_row())


class Host:
    """What the server gives, and how it misbehaves."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.break_after: list[int] = []
        self.statuses: list[int] = []
        self.ranges = True
        self.requests: list[tuple[str, str]] = []
        self.url = ""


class Handler(http.server.BaseHTTPRequestHandler):
    host: ClassVar[Host]

    def do_GET(self) -> None:
        host = self.host
        host.requests.append((self.path, self.headers.get("Range", "")))
        body, status = host.pages.get(self.path), 200
        if host.statuses:
            body, status = b"", host.statuses.pop(0)
        if body is None:
            body, status = b"", 404
        found = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if found and host.ranges and status == 200:
            start = int(found[1])
            status = 206 if start < len(body) else 416
            body = body[start:]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: host.break_after.pop(0)] if host.break_after else body)

    def log_message(self, format: str, *args: Any) -> None:
        pass
