"""What a problem in words is, and the settings under which it is asked."""

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field

from ordojo.core.canonical import Json
from ordojo.core.options import Options
from ordojo.core.ranges import COUNT, COUNT_OR_NONE, MEGABYTES, SECONDS, TEMPERATURE
from ordojo.datasets.golds import GoldAnswer
from ordojo.datasets.nl2opt.items import SCORED, Status

NAME = "nl2opt"
SHOWN = 2000
"""Tokens of data files in a prompt, where it has a place for them."""
VERSION = "3"
"""The benchmark's version, which every instance carries."""

LIBRARIES = ("gurobipy", "coptpy", "pyscipopt", "highspy", "Pyomo", "PuLP", "OR-Tools", "cvxpy")
"""What the neutral prompt offers."""


class Nl2OptOptions(Options):
    """How problems are asked, and how the programs of the answers are run.

    `dataset` is an id with its version, one's own JSONL file, or `folder:PATH` with instance
    folders in it; `items` are ids, parted by commas. `prompt` is one of appendix J's, by default
    (auto) the paper's choice for the dataset; `library` narrows the neutral one. `preview` bounds
    what is shown of data files, in tokens: by default `SHOWN`, and nothing in MIPLIB-NL's prompt,
    which has no place for it in appendix J. `repair` is the number of further turns in which the
    traceback or status is shown. `time_limit` is for all solves of a program together,
    `program_limit` for what it does besides, in seconds; `memory` is in megabytes. `solver` "open"
    is HiGHS, and SCIP for what HiGHS lacks. `reward` is the rule that pays a turn, for training.
    `leaks` also runs the edited programs that two published evaluators try with the gold's help.
    """

    dataset: str = "nl2opt@ordojo"
    items: str = ""
    prompt: Literal["auto", "optmath", "bench4opt", "miplib-nl", "complexor", "neutral"] = "auto"
    library: Literal[
        "any", "gurobipy", "coptpy", "pyscipopt", "highspy", "Pyomo", "PuLP", "OR-Tools", "cvxpy"
    ] = "any"
    mode: Literal["chat"] = "chat"
    preview: int | None = COUNT_OR_NONE.field(None)
    temperature: float = TEMPERATURE.field(0.6)
    max_tokens: int = COUNT.field(8192)
    repair: int = Field(default=0, ge=0, le=20)
    solver: Literal["open", "highs", "scip", "gurobi"] = "open"
    time_limit: float = SECONDS.field(60.0)
    program_limit: float = SECONDS.field(60.0)
    memory: int = MEGABYTES.field(2048)
    isolation: Literal["auto", "userns", "bwrap", "landlock", "docker", "unsafe"] = "auto"
    reward: Literal["strict-1e-6", "modelled-1e-6"] = "strict-1e-6"
    leaks: bool = False


@dataclass(frozen=True)
class DataFile:
    """A file by its content; where it lies on this machine is no part of the problem."""

    sha256: str
    size: int
    path: InitVar[Path]

    def __post_init__(self, path: Path) -> None:
        object.__setattr__(self, "_place", path)

    @property
    def place(self) -> Path:
        """Where it lies here."""
        place: Path = self._place  # type: ignore[attr-defined]
        return place


@dataclass(frozen=True)
class WordProblem:
    """A problem in words with what is known of its answer.

    `files` and `documents` are what a program may read, by name: files of the dataset, and texts.
    Neither holds a gold. `reference` is an LP file of the right model, `program` a right program,
    where there is one.
    """

    dataset: str
    question: str
    golds: tuple[GoldAnswer, ...]
    status: Status
    reason: str = ""
    files: Mapping[str, DataFile] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Json] = field(default_factory=dict)
    reference: DataFile | None = None
    program: str = ""

    @property
    def scored(self) -> bool:
        """Whether it counts in the published metric."""
        return self.status in SCORED

    @property
    def inputs(self) -> dict[str, Path | bytes]:
        """What a program finds in its working directory."""
        texts = {name: text.encode() for name, text in self.documents.items()}
        return {**{name: file.place for name, file in self.files.items()}, **texts}
