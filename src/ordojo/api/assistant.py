"""The front door for a language model's assistant: a server of the Model Context Protocol.

Tools over `ordojo.api`, each with a short text as its result. A client names a model by a path,
by its text, or as "last", the one that it used before. Solves run in a thread of their own, one at
a time, and tell how far they are.
"""

import inspect
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import anyio
import anyio.from_thread
import anyio.to_thread
import numpy as np
from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.server.stdio import stdio_server
from pydantic import Field

from ordojo.api import models, programs
from ordojo.api.kinds import Solver
from ordojo.api.reading import read_model
from ordojo.core.errors import OrdojoError, UsageError
from ordojo.core.files import reading
from ordojo.core.ranges import SECONDS
from ordojo.core.signatures import arguments
from ordojo.milp.files import write_model
from ordojo.milp.model import Model
from ordojo.structures import abstract, flat_model
from ordojo.structures.formulation import formulate, model_md

LONGEST = 8_000
"""Characters of a result, some 2,500 tokens: ten of them still fit into a small context."""
LARGEST_TEXT = 200_000
"""Characters of a model or program given as text; more belongs into a file."""
LARGEST_FILE = 64 << 20
"""Bytes of a file that is read, packed and unpacked: HiGHS takes some ten times as much memory."""
BEAT = 2.0
"""Seconds between two messages of progress."""

INSTRUCTIONS = """\
Optimization models (LP and MIP) solved, explained where they are infeasible, repaired, compared,
asked (what if, why not, what a row is worth, which numbers are odd, what a plan breaks) and read as
index sets; gurobipy and coptpy programs run without either library or a licence. Give a
model as a path (.mps, .lp, packed with .gz, or a .py program that solves it), as the text of an LP
or MPS file, or as "last" for the model used before."""

Given = Annotated[
    str, Field(description='A path, the text of an LP or MPS file or of a program, or "last".')
]
Seconds = Annotated[float, Field(description=f"Seconds, {SECONDS}; the server may allow fewer.")]
Weights = Annotated[
    dict[str, float] | None,
    Field(description="What moving a row, x.lb or x.ub by 1 costs; 1 by default; * matches."),
]
Hard = Annotated[
    list[str] | None, Field(description="Rows, x.lb or x.ub that must not move; * matches.")
]
Say = Callable[[str], None]
Run = Callable[[Say, float], str]
"""Has what hears of progress, and the seconds that it may take."""
Ctx: TypeAlias = Context[Any, Any, Any]
QUESTIONS: tuple[Callable[..., Any], ...] = (
    models.whatif,
    models.whynot,
    models.worth,
    models.suspects,
    models.check,
)
"""Each is a tool as it is declared there."""


class Assistant:
    """The tools of one session, and its last model. `allowed` are the folders that it may read."""

    def __init__(self, allowed: Sequence[Path], time_limit: float) -> None:
        self.allowed = [folder.resolve() for folder in allowed]
        self.time_limit = time_limit
        self.last: Model | None = None
        self._one_at_a_time = anyio.Lock()
        for folder in self.allowed:
            if not folder.is_dir():
                raise UsageError(f"`allow` {folder}: there is no such folder")

    def server(self) -> FastMCP:
        """The tools as a server, to be run over any transport."""
        server = FastMCP("ordojo", INSTRUCTIONS, log_level="WARNING")
        tools: tuple[Callable[..., Any], ...] = (
            self.solve,
            self.explain,
            self.repair,
            self.run_program,
            self.structure,
            self.equivalent,
            *map(self._asking, QUESTIONS),
        )
        for tool in tools:
            server.add_tool(tool, structured_output=False)
        return server

    async def solve(
        self, ctx: Ctx, model: Given, solver: Solver = "highs", time_limit: Seconds = 30.0
    ) -> str:
        """Solve a model: status, objective, and the columns that are not zero."""

        def work(say: Say, seconds: float) -> str:
            found = self._model(model, seconds)
            say(f"solving {found.size}")
            done = models.solve(found, solver=solver, time_limit=seconds)
            lines = [
                f"{found.name or 'the model'}: {done.status}"
                + ("" if done.objective is None else f", objective {done.objective:.9g}")
                + ("" if done.bound is None else f", bound {done.bound:.9g}")
                + f" ({found.size.replace(' and', ',')}; {solver}, {done.seconds:.2f} s)"
            ]
            if done.x is not None:
                live = np.flatnonzero(np.abs(done.x) > 1e-9).tolist()
                lines += [f"{found.col_names[j]} = {done.x[j]:.9g}" for j in live]
                lines += [f"all other columns are 0 ({found.n - len(live):,})"]
            return "\n".join(lines)

        return await self._answer(ctx, time_limit, work)

    async def explain(
        self,
        ctx: Ctx,
        model: Given,
        weights: Weights = None,
        hard: Hard = None,
        time_limit: Seconds = 30.0,
    ) -> str:
        """Why a model is infeasible: an irreducible conflict, and the smallest proved repairs."""

        def work(say: Say, seconds: float) -> str:
            found = self._model(model, seconds)
            told = models.explain(
                found, time_limit=seconds, weights=weights, hard=hard or (), progress=say
            )
            return told.text()

        return await self._answer(ctx, time_limit, work)

    async def repair(
        self,
        ctx: Ctx,
        model: Given,
        number: Annotated[int, Field(ge=1, le=5, description="Which repair of explain.")] = 1,
        weights: Weights = None,
        hard: Hard = None,
        write: Annotated[
            str, Field(description="A new .mps or .lp file in an allowed folder; none by default.")
        ] = "",
        time_limit: Seconds = 30.0,
    ) -> str:
        """Apply a smallest repair to an infeasible model; the repaired one is "last" then."""

        def work(say: Say, seconds: float) -> str:
            target = self._inside(write) if write else None
            if target is not None and target.exists():
                raise UsageError(f"{write} exists already; name a new file")
            found = self._model(model, seconds)
            told = models.explain(
                found, time_limit=seconds, weights=weights, hard=hard or (), progress=say
            )
            self.last = told.repaired(number)
            chosen = told.repairs[number - 1]
            if target is not None:
                write_model(self.last, target)
            moves = [f"{s.target}: {s.old:g} becomes {s.new:g}" for s in chosen.shifts]
            optimum = "" if chosen.objective is None else f", optimum then {chosen.objective:.9g}"
            solved = "solved again" if chosen.verified else "not verified"
            done = [f"written to {target}"] if target else []
            return "\n".join([f"repaired ({solved}{optimum}):", *moves, *done])

        return await self._answer(ctx, time_limit, work)

    async def run_program(
        self,
        ctx: Ctx,
        program: Annotated[
            str, Field(description="A path, which finds the files beside it, or Python's text.")
        ],
        arguments: list[str] | None = None,
        time_limit: Seconds = 30.0,
    ) -> str:
        """Run a gurobipy or coptpy program, contained; the model it solved last is "last" then."""

        def work(say: Say, seconds: float) -> str:
            with tempfile.TemporaryDirectory() as folder:
                path = self._file(program, Path(folder))
                say(f"running {path.name}")
                with reading(seconds, LARGEST_FILE):
                    done = programs.run_program(path, arguments or (), time_limit=seconds)
            with suppress(OrdojoError):  # where it solved none that is linear, "last" stays
                self.last = done.model
            ended = f"{done.outcome}: {done.detail}" if done.detail else done.outcome
            ends = [
                f"{one['ending']}"
                + ("" if one["objective"] is None else f" {one['objective']:.9g}")
                for one in done.solves[-5:]
            ]
            solves = f"solves: {len(done.solves)}" + (f", last {', '.join(ends)}" if ends else "")
            # Each output by its end, where the result and the traceback stand.
            parts = [f"{ended} ({done.seconds:.1f} s; {solves})"]
            for name, text in (("stdout", done.stdout), ("stderr", done.stderr), ("log", done.log)):
                if text:
                    cut = len(text) - LONGEST // 3
                    told = f"[{cut:,} characters before] ..." if cut > 0 else ""
                    parts.append(f"--- {name}\n{told}{text[max(cut, 0) :]}")
            return "\n".join(parts)

        return await self._answer(ctx, time_limit, work)

    async def structure(self, ctx: Ctx, model: Given) -> str:
        """A flat model as an indexed problem: sets, variables and families of constraints."""

        def work(say: Say, seconds: float) -> str:
            found = self._model(model, seconds)
            say("finding groups and families")
            flat = flat_model(found)
            return model_md(formulate(flat, abstract(flat)))

        return await self._answer(ctx, self.time_limit, work)

    async def equivalent(
        self, ctx: Ctx, model: Given, other: Given, time_limit: Seconds = 30.0
    ) -> str:
        """Whether two models are the same problem (equal, different, unknown), and by what."""

        def work(say: Say, seconds: float) -> str:
            second = self._model(other, seconds)
            first = self._model(model, seconds)
            say("comparing")
            found = models.equivalent(first, second, time_limit=seconds)
            return f"{found.verdict.value}: {found.reason}"

        return await self._answer(ctx, time_limit, work)

    def _asking(self, question: Callable[..., Any]) -> Callable[..., Any]:
        """The tool of a function of `ordojo.api.models`: its arguments, but a model as given here.

        Its name, arguments and their descriptions are the function's own.
        """

        async def tool(ctx: Ctx, model: str, time_limit: float = 30.0, **options: Any) -> str:
            def work(say: Say, seconds: float) -> str:
                found = self._model(model, seconds)
                if isinstance(path := options.get("solution"), str):
                    options["solution"] = self._known(path)
                say(f"asking {question.__name__} of {found.size}")
                told: str = question(found, time_limit=seconds, **options).text()
                return told

            return await self._answer(ctx, time_limit, work)

        known = arguments(question)
        kept = [
            one.parameter
            for one in known.values()
            if one.name not in ("model", "isolation", "time_limit")
        ]
        hints: dict[str, Any] = {"ctx": Ctx, "model": Given, "time_limit": Seconds}
        hints |= {
            one.name: Annotated[one.annotation, Field(description=known[one.name].says)]
            for one in kept
        }
        defaults = {"time_limit": 30.0} | {one.name: one.default for one in kept}
        tool.__name__ = question.__name__
        tool.__doc__ = (question.__doc__ or "").partition("\n\n")[0]
        tool.__annotations__ = {**hints, "return": str}
        tool.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [
                inspect.Parameter(
                    name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=defaults.get(name, inspect.Parameter.empty),
                    annotation=hint,
                )
                for name, hint in hints.items()
            ],
            return_annotation=str,
        )
        return tool

    async def _answer(self, ctx: Ctx, time_limit: float, work: Run) -> str:
        """What `work` says, in a thread, with progress; raises ToolError with its refusal."""
        seconds = float(min(SECONDS.check("time_limit", time_limit), self.time_limit))
        last = "waiting"
        began = time.monotonic()

        async def report() -> None:
            await ctx.report_progress(time.monotonic() - began, seconds, last)

        def say(line: str) -> None:
            nonlocal last
            last = line
            anyio.from_thread.run(report)

        def guarded() -> str | ToolError:
            try:
                return short(work(say, seconds))
            except (OrdojoError, OSError, MemoryError) as error:
                return ToolError(short(str(error) or type(error).__name__))
            except Exception as error:  # the assistant goes on serving; the host's log has it all
                traceback.print_exc()
                return ToolError(f"a bug of ordojo: {short(repr(error))}")

        async def beat() -> None:
            while True:
                await report()
                await anyio.sleep(BEAT)

        async with self._one_at_a_time, anyio.create_task_group() as group:
            group.start_soon(beat)
            # A client that gives up is let go at once; the thread ends by its time limit.
            found = await anyio.to_thread.run_sync(guarded, abandon_on_cancel=True)
            group.cancel_scope.cancel()
        if isinstance(found, ToolError):
            raise found
        return found

    def _model(self, given: str, seconds: float) -> Model:
        if given.strip() == "last":
            if self.last is None:
                raise UsageError('there is no "last" model yet: give a path or a text')
            return self.last
        with tempfile.TemporaryDirectory() as folder:
            path = self._file(given, Path(folder))
            with reading(seconds, LARGEST_FILE):
                self.last = read_model(path, time_limit=seconds)
        return self.last

    def _file(self, given: str, folder: Path) -> Path:
        """An allowed file, or a text put into the folder under a name that says its kind."""
        if "\n" in given:
            if len(given) > LARGEST_TEXT:
                raise UsageError(
                    f"the text has {len(given):,} characters, more than {LARGEST_TEXT:,}; write it "
                    "to a file and give its path"
                )
            path = folder / f"text.{_kind(given)}"
            path.write_text(given, "utf-8")
            return path
        return self._known(given)

    def _known(self, given: str) -> Path:
        """A file that is there, in an allowed folder, and not too large."""
        path = self._inside(given)
        if not path.is_file():
            raise UsageError(f"there is no file {given} in {_listed(self.allowed)}")
        if (size := path.stat().st_size) > LARGEST_FILE:
            raise UsageError(
                f"{given} has {size >> 20} MB, more than the {LARGEST_FILE >> 20} that the server "
                "reads; use the command `ordojo` on it"
            )
        return path

    def _inside(self, given: str) -> Path:
        """The path, links followed, in an allowed folder; a relative one is looked for in each."""
        if not given.isprintable() or len(given) > 1000:
            raise UsageError(f"{given[:60]!r} is no path; give one, or a text of several lines")
        paths = [Path(os.path.realpath(root / given)) for root in self.allowed]
        found = [p for p in paths if any(p.is_relative_to(root) for root in self.allowed)]
        if not found:
            raise UsageError(
                f"{given} is outside of what the server may read ({_listed(self.allowed)}); its "
                "user can allow another folder"
            )
        return next((path for path in found if path.exists()), found[0])


def short(text: str) -> str:
    """The text, or as many of its lines as `LONGEST` holds, and how much there is."""
    if len(text) <= LONGEST:
        return text
    head = text[: LONGEST - 200]
    head = head[: head.rfind("\n")] if "\n" in head else head
    return f"{head}\n[{len(head):,} of {len(text):,} characters; the command `ordojo` prints all]"


def serve(allowed: Sequence[Path], time_limit: float) -> None:
    """Serve over stdin and stdout until the client closes them.

    Whatever else writes to stdout, a solver's library for one, is led to stderr.
    """
    server = Assistant(allowed, time_limit).server()
    with (
        os.fdopen(os.dup(0), encoding="utf-8", errors="replace") as incoming,
        os.fdopen(os.dup(1), "w", encoding="utf-8") as outgoing,
    ):
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

        async def run() -> None:
            low = server._mcp_server  # the SDK's own way to other streams
            async with stdio_server(anyio.wrap_file(incoming), anyio.wrap_file(outgoing)) as both:
                await low.run(both[0], both[1], low.create_initialization_options())

        anyio.run(run)


def _kind(text: str) -> str:
    """The suffix of a text's format."""
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and line[0] not in "\\*#"), "")
    if re.match(r"(NAME|ROWS|OBJSENSE|OBJNAME)\b", first):
        return "mps"
    return "lp" if re.match(r"(min|max)(imi[sz]e|imum)?\b(?!\s*[=(.\[])", first, re.I) else "py"


def _listed(folders: Sequence[Path]) -> str:
    return ", ".join(map(str, folders))
