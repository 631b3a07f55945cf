"""`ordojo mcp`, driven by the SDK's own client over stdio: every tool in one session."""

import gzip
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from ordojo.api import assistant
from tests.api.test_examples import BAKERY, PROGRAM

FEASIBLE = BAKERY.replace("75", "35")
WIDE = "minimize\n obj: " + "\n + ".join(f"x{k}" for k in range(2000))
WIDE += "\nsubject to\n" + "\n".join(f" c{k}: x{k} >= 1" for k in range(2000)) + "\nend\n"


def test_all_tools_in_one_session(tmp_path: Path) -> None:
    given, secret = tmp_path / "given", tmp_path / "secret.lp"
    given.mkdir()
    (given / "bakery.lp").write_text(BAKERY)
    (given / "wide.lp").write_text(WIDE)
    (given / "size.txt").write_text("4")
    (given / "program.py").write_text(
        PROGRAM.replace("ub=4.0", "ub=float(open('size.txt').read())")
    )
    secret.write_text(BAKERY)
    (given / "link.lp").symlink_to(secret)
    (given / "loop.lp").symlink_to("loop.lp")
    (given / "up").symlink_to("..")
    (given / "peek.py").write_text("print(open('link.lp').read())\n")
    (given / "climb.py").write_text("print(open('up/secret.lp').read())\n")
    os.mkfifo(given / "pipe.lp")
    with gzip.open(given / "bomb.mps.gz", "wb") as bomb:
        for _ in range(70):
            bomb.write((b"* " + b"x" * 61 + b"\n") * (1 << 14))
    anyio.run(session, given)


async def session(given: Path) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    words = ["-m", "ordojo", "mcp", "--allow", str(given)]
    progress: list[str] = []

    async def told(done: float, total: float | None, message: str | None) -> None:
        progress.append(message or "")

    async with (
        stdio_client(
            StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
        ) as streams,
        ClientSession(*streams) as client,
    ):
        await client.initialize()
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "solve", "explain", "repair", "run_program", "structure", "equivalent",
            "whatif", "whynot", "worth", "suspects", "check",
        }  # fmt: skip
        assert all(
            tool.description and "ctx" not in str(tool.inputSchema) for tool in tools.values()
        )

        async def call(tool: str, fails: bool = False, **arguments: Any) -> str:
            done = await client.call_tool(tool, arguments, progress_callback=told)
            text: str = done.content[0].text  # type: ignore[union-attr]
            assert bool(done.isError) is fails, text
            assert len(text) <= assistant.LONGEST + 200
            return text

        # Files, texts and the last model.
        assert 'no "last" model yet' in await call("solve", True, model="last")
        assert "oven    2 bread + 3 cake <= 60" in await call("explain", model="bakery.lp")
        firm = await call("explain", model="last", weights={"oven": 10, "orders": 1})
        assert "1. moves 15 in all" in firm and "orders >= 75 becomes 60" in firm
        assert "INFEASIBLE" in await call("solve", model="last")
        mended = await call("repair", model="last", write="mended.mps", hard=["ov*"])
        assert "orders: 75 becomes 60" in mended and (given / "mended.mps").exists()
        assert "objective 100" in await call("solve", model="last")
        assert "different" in await call("equivalent", model="mended.mps", other=FEASIBLE)
        assert "equal" in await call("equivalent", model="last", other="mended.mps")
        assert "objective 100" in await call("solve", model=FEASIBLE)
        assert "## Constraints" in await call("structure", model="last")
        assert "finished" in (ran := await call("run_program", program="program.py"))
        assert "--- stdout\n4.0" in ran and "optimal 4" in ran
        assert "objective 4" in await call("solve", model="last")
        broken = await call("run_program", program="import gurobipy\n1 / 0\n")
        assert "ZeroDivisionError" in broken
        # What is asked next, of files and of the last model.
        changed = await call("whatif", model=FEASIBLE, edits=["oven <= 50"], solver="highs")
        assert "oven: 2 bread + 3 cake <= 50" in changed and "16.6666667 worse" in changed
        assert "asked" in await call("whynot", model="last", statement="cake >= 21")
        assert "looser by 5, to 65" in await call("worth", model="last", row="oven", by=5)
        assert "No family has 5 numbers" in await call("suspects", model="last", limit=3)
        (given / "plan.csv").write_text("bread,30\ncake,1\n")
        for plan in ("plan.csv", {"bread": 30, "cake": 1}):
            assert "is 63, off by 3" in await call("check", model="last", solution=plan)
        # A result too long for a context is cut, and says so.
        assert "characters; the command `ordojo`" in await call("solve", model="wide.lp")
        assert any("solving" in message for message in progress)

        # A program reads what lies beside it, and follows no link out of there.
        for program in ("peek.py", "climb.py"):
            peeked = await call("run_program", program=program)
            assert "FileNotFoundError" in peeked and "oven" not in peeked

        # Bad input: a sentence, and the session goes on.
        for tool, arguments, says in [
            ("explain", {"model": "../secret.lp"}, "outside of what the server may read"),
            ("explain", {"model": str(given.parent / "secret.lp")}, "outside"),
            ("explain", {"model": "link.lp"}, "outside"),
            ("explain", {"model": "up/secret.lp"}, "outside"),
            ("solve", {"model": "loop.lp"}, "there is no file"),
            ("solve", {"model": "pipe.lp"}, "there is no file"),
            ("solve", {"model": "bomb.mps.gz"}, "unpacks to more than 67,108,864 bytes"),
            ("structure", {"model": "bomb.mps.gz"}, "unpacks to more than 67,108,864 bytes"),
            ("repair", {"model": "bakery.lp", "write": "../mended.mps"}, "outside"),
            ("repair", {"model": "bakery.lp", "write": "mended.mps"}, "exists already"),
            ("repair", {"model": FEASIBLE}, "there is no repair 1 of"),
            ("run_program", {"program": "/etc/passwd"}, "outside"),
            ("solve", {"model": "none.lp"}, "there is no file none.lp"),
            ("solve", {"model": "a\0b"}, "is no path"),
            ("solve", {"model": "minimize\n" + "x" * assistant.LARGEST_TEXT}, "write it to a file"),
            ("solve", {"model": "minimize\n rubbish rubbish\n"}, "text.lp"),
            (
                "solve",
                {"model": "bakery.lp", "time_limit": -1},
                "time_limit -1.0: give a number from 0.001 to 1000000",
            ),
            ("solve", {}, "model"),
            ("whatif", {"model": "bakery.lp", "edits": ["ovn <= 5"]}, "did you mean 'oven'"),
            ("worth", {"model": "bakery.lp", "row": "oven", "by": -1}, "`by` -1"),
            ("check", {"model": "bakery.lp", "solution": "../secret.lp"}, "outside"),
            ("check", {"model": "bakery.lp", "solution": "link.lp"}, "outside"),
            ("check", {"model": "bakery.lp", "solution": "none.sol"}, "there is no file none.sol"),
        ]:
            assert says in await call(tool, True, **arguments), (tool, arguments)
        assert "objective 4" not in await call("solve", model="bakery.lp")


def test_a_file_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bakery.lp").write_text(BAKERY)
    monkeypatch.setattr(assistant, "LARGEST_FILE", 10)
    with pytest.raises(assistant.UsageError, match="use the command"):
        assistant.Assistant([tmp_path], 10.0)._model("bakery.lp", 1.0)
    with pytest.raises(assistant.UsageError, match="no such folder"):
        assistant.Assistant([tmp_path / "none"], 10.0)
