"""What a model to repair is, the settings under which it is asked, and its files, JSON Lines.

It is infeasible, or solves and is wrong (`SILENT`); its error is of one of the paper's types, it
has several (the hard set), or it came broken (`NATURAL`). A large one is kept as a recipe, and made
when it is asked. Files are read strictly; those that come along are `shipped`.
"""

import dataclasses
import gzip
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.seeds import check_recipe, is_recipe, model_of
from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError, UsageError
from ordojo.core.instance import (
    Certificate,
    Instance,
    check_fields,
    check_texts,
    collect,
    number_of,
    object_of,
    read_instances,
)
from ordojo.core.options import Options
from ordojo.core.ranges import COUNT, SECONDS
from ordojo.milp.model import Model
from ordojo.milp.source import gurobipy_source

T = TypeVar("T")

VERSION = "7"
"""The benchmark's version: of what is asked and how it is scored."""
INSTANCES = "7"
"""The version since which instances are as they are, which each carries."""
FIRST = ("1", "2")
"""Versions of the first generation of instances, most of which yield to `shortcuts`."""
PLAIN = (*FIRST, "3")
"""Versions whose infeasible models are told in plain words, which yield to `adversaries`."""
READABLE = (*PLAIN, "4", "5", "6", INSTANCES)
"""Versions whose files are read."""

TYPES: Mapping[str, str] = {
    "A": "direction flip",
    "B": "variable type error",
    "C": "coefficient modification",
    "D": "contradicting constraint",
    "E": "multi-constraint conflict",
    "F": "hidden dependency",
    "G": "cascading conflict",
    "H": "IIS-incomplete",
    "I": "optimal selection",
}
"""The paper's nine error types (table 6, C.6)."""

OWN = "own"
"""The split of models that were there (`from_files`): what is broken in them may be told unread."""
NATURAL = "N"
"""The type of a model that was infeasible when it came (`from_files`); no type of the paper."""
SEVERAL = "M"
"""The type of two to four errors of the paper's types at once (`generate`)."""
HARD = "hard"
"""The split of these."""
QUIET = "silent"
"""The split of models that solve and are wrong (`silent`)."""
LARGE = "large"
"""The split of models of 5,000 to 100,000 rows (`large`), infeasible or wrong."""
TOLD = "told"
"""The split of problems of `eval-v6` in a language model's own words (`told_anew`)."""

SILENT: Mapping[str, str] = {
    "sign": "a coefficient has the other sign",
    "coefficient": "a coefficient is another number",
    "row": "a rule is not in the model",
    "sense": "an inequality points the other way",
    "integrality": "a whole number may be fractional",
    "goal": "a term of the goal is missing or wrong",
    "unit": "a number is in another unit",
}
"""The errors of models that solve and are wrong, each the only one of its model."""

DIFFICULTY: Mapping[str, str] = {
    **dict.fromkeys("BC", "easy"),
    **dict.fromkeys("HI", "medium"),
    **dict.fromkeys("ADEFG", "hard"),
}
"""The paper's levels (table 7)."""

SPLITS: Mapping[str, int] = {"train": 696, "rl": 300, "eval": 450}
"""The paper's splits and their sizes (table 3)."""


PRINTED = frozenset({"basic", "tightest", "tier 1", "tier 2", "tier 3", "tier 4"})
"""Methods of `injection.printed`: their problems may be repaired unread."""


def _whole(value: Any) -> Any:
    """Settings of the command line are text."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


DEFAULT_REWARD: Final = "equation-5-no-drift"
"""The reward that neither a wrecker nor one who gives up beats (docs/decisions/0019)."""
FARMED: Mapping[str, str] = {
    "algorithm-9": "pays every turn: 60 for looking at a solved model with end=submit, 10 for "
    "looking at one made unbounded, and any OPTIMAL",
    "algorithm-9-printed": "pays the same diagnosis in every turn, and punishes each "
    "repair that works",
    "equation-5": "pays for any OPTIMAL, so for taking constraints out",
    "authors": "pays for any OPTIMAL, and for each smaller IIS again after RESTART",
}
"""How a rule as published is paid more than the ground truth; the default is not."""


class OrDebugOptions(Options):
    """How OR-Debug-Bench is asked; the defaults are the paper's protocol.

    `instances` is a file of `ordojo build or-debug`, asked in place of the set. `prompt` and
    `shots` are those of B.2 and I.2, `examples` says how the shots are chosen; `rag` and `k` are
    those of E.4. `history` is a chat in which each turn says what changed, or the whole state anew
    each turn (D.1). `end`: the episode ends at the first OPTIMAL (2.3), or only at SUBMIT.
    `count`: diagnostic actions are free for RR@k (D.2), or
    every action counts (A.1). `iis`: what GET_IIS shows, rows only as in the paper, or bounds too.
    `simulate` answers by algorithm 1 in place of a solver; `oracle=gurobi` has table 18's settings.
    `reward` names the reward rule: algorithm-9, algorithm-9-printed, equation-5 and authors can be
    farmed (`warnings` says how). `labels` says how steps are labelled for a process reward model.
    `prompt=authors` is the protocol of the authors' code, with `AUTHORS_PROTOCOL`'s settings.
    `answer`: a reply is an action, the whole program written anew, which is run under
    `isolation`, or the whole model as an LP file, which is read.
    """

    set: Literal[
        "eval", "eval-v1", "eval-v3", "eval-v6", "train", "rl", "hard", "silent", "silent-v3",
        "large", "told", "wild", "authors/holdout", "authors/v1", "authors/hard",
        "authors/hard-da", "authors/mdp", "authors/mdp-v2", "authors/test", "authors/test-v2",
    ] = "eval"  # fmt: skip
    instances: str = ""
    prompt: Literal["baseline", "cot", "zero-shot-cot", "workflow", "authors"] = "workflow"
    shots: Annotated[Literal[0, 1, 3], BeforeValidator(_whole)] = 0
    examples: Literal["chosen", "random"] = "chosen"
    rag: Literal["none", "quick_fix", "reasoning", "by_type"] = "none"
    k: int = Field(default=5, ge=1, le=20)
    history: Literal["chat", "state"] = "chat"
    end: Literal["optimal", "submit"] = "optimal"
    count: Literal["repairs", "all"] = "repairs"
    iis: Literal["rows", "rows+bounds"] = "rows"
    reward: Literal[
        "algorithm-9", "algorithm-9-printed", "equation-5", "equation-5-no-drift", "authors"
    ] = DEFAULT_REWARD
    labels: Literal["algorithm-10", "equation-6"] = "algorithm-10"
    oracle: Literal["highs", "gurobi", "scip"] = "highs"
    simulate: bool = False
    answer: Literal["actions", "program", "lp"] = "actions"
    isolation: Literal["auto", "userns", "bwrap", "landlock", "docker", "unsafe"] = "auto"
    max_steps: int = Field(default=50, ge=1, le=200)
    max_tokens: int = COUNT.field(2048)
    time_limit: float = SECONDS.field(10.0)

    @model_validator(mode="before")
    @classmethod
    def _protocol(cls, given: Any) -> Any:
        """With `prompt=authors` the authors' protocol, in what is not said otherwise."""
        named = isinstance(given, Mapping) and given.get("prompt") == "authors"
        return {**AUTHORS_PROTOCOL, **given} if named else given

    def warnings(self) -> Iterator[str]:
        """That the chosen reward can be farmed."""
        if self.reward in FARMED:
            yield f"or-debug is paid by {self.reward}, which {FARMED[self.reward]}"


AUTHORS_PROTOCOL: Mapping[str, Json] = {
    "history": "state",
    "count": "all",
    "iis": "rows+bounds",
    "max_steps": 20,
    "reward": "authors",
}
"""What `prompt=authors` implies: 20 steps, each reply one, the whole state anew each turn."""

_ACTIONS_ALONE = ("prompt", "shots", "examples", "rag", "history", "end", "count", "simulate")


def check_options(options: OrDebugOptions) -> None:
    """Refuse, by a UsageError, settings of the actions where whole models are asked for."""
    if options.answer != "actions":
        what = f"together with answer={options.answer}, which has one prompt and no actions"
        _refuse(options, _ACTIONS_ALONE, what)


def _refuse(options: OrDebugOptions, names: Sequence[str], what: str, *fits: str) -> None:
    """Raise a UsageError where one of these settings is neither the usual one nor among `fits`."""
    usual = OrDebugOptions()
    for name in names:
        if (value := getattr(options, name)) not in (getattr(usual, name), *fits):
            raise UsageError(f"or-debug cannot use {name}={value} {what}; leave it out")


@dataclass(frozen=True)
class Debugging:
    """One infeasible model, or one that is silently wrong, with what it was made from.

    `original` and `sabotaged` are models as `Model.to_json` writes them, or of large ones the
    `recipe`, which with an "error" is the sabotaged one; an original that is not known is empty.
    `targets` are the elements that were sabotaged: a row's name, "column.lb", "column.ub" or
    "column.type"; `fix` the ground-truth actions, in order ("RELAX(c3, -10)").
    `iis_rows` and `iis_bounds` are the recorded IIS by names. `objective` is the original optimum.
    `method` names the injector ("robust/tier-1"), the types of several errors ("A+C"), or the
    problem in its source; `regenerations`
    says how many candidates failed before this one.
    """

    index: int
    split: str
    type: str
    family: str
    text: str
    original: Mapping[str, Json]
    sabotaged: Mapping[str, Json]
    targets: tuple[str, ...]
    fix: tuple[str, ...]
    iis_rows: tuple[str, ...]
    iis_bounds: tuple[str, ...]
    objective: float
    method: str = ""
    regenerations: int = 0

    @property
    def is_silent(self) -> bool:
        """Whether the model solves, and is wrong."""
        return self.type in SILENT

    @property
    def is_recipe(self) -> bool:
        """Whether the models are made when they are asked for."""
        return is_recipe(self.original)

    @property
    def is_mip(self) -> bool:
        """Whether it has whole variables, which no recipe makes."""
        if self.is_recipe:
            return False
        return (self.original_model if self.original else self.model).is_mip

    @property
    def faults(self) -> tuple[str, ...]:
        """What a diagnosis should name: the IIS, or where there is none, what is wrong."""
        return (*self.iis_rows, *self.iis_bounds) or self.targets

    @cached_property
    def original_model(self) -> Model:
        """The feasible model."""
        return model_of(self.original)

    @cached_property
    def model(self) -> Model:
        """The model as it is asked."""
        if self.is_recipe:
            return apply_fix(self.original_model, [str(self.sabotaged["error"])])
        return Model.from_json(self.sabotaged)

    @cached_property
    def code(self) -> str:
        """The infeasible model's program, written once: training plays each instance many times."""
        return gurobipy_source(self.model)

    @cached_property
    def rows(self) -> frozenset[str]:
        """The rows of the infeasible model that limit anything."""
        model = self.model
        return frozenset(name for i, name in enumerate(model.row_names) if model.is_live(i))

    @cached_property
    def bounds(self) -> frozenset[str]:
        """Its bounds."""
        ends = (("lb", self.model.col_lower), ("ub", self.model.col_upper))
        return frozenset(
            f"{name}.{end}"
            for end, side in ends
            for name, finite in zip(self.model.col_names, np.isfinite(side).tolist(), strict=True)
            if finite
        )

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        return {}

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """What `find` finds of the problem, kept under a key: training plays an instance often."""
        if key not in self._kept:
            self._kept[key] = find()
        found: T = self._kept[key]
        return found


def make_instance(
    problem: Debugging,
    solvers: Mapping[str, str],
    found: Mapping[str, Json] | None = None,
    version: str = INSTANCES,
) -> Instance[Debugging]:
    """Wrap a debugging problem as an instance; `solvers` maps solver names to versions.

    `found` is what was found true of a problem whose original is not known, or of a silently wrong
    one its "optimum".
    """
    name = f"{problem.split}-{problem.type}-{problem.index:05d}"
    return Instance(
        id=name,
        benchmark="or-debug",
        version=version,
        problem=problem,
        certificate=Certificate(
            "optima" if problem.is_silent else "iis",
            {
                "objective": problem.objective,
                "iis_rows": list(problem.iis_rows),
                "iis_bounds": list(problem.iis_bounds),
                "fix": list(problem.fix),
                "solvers": dict(solvers),
                **({} if found is None else {"found": dict(found)}),
            },
        ),
        cluster=name,
        labels={
            "type": problem.type,
            "difficulty": DIFFICULTY.get(problem.type, "unknown"),
            "family": problem.family,
            "kind": "MIP" if problem.is_mip else "LP",
            "split": problem.split,
        },
    )


_NOT_SILENT = ("prompt", "shots", "examples", "rag", "simulate", "answer", "end")


def check_silent(instances: Sequence[Instance[Debugging]], options: OrDebugOptions) -> None:
    """Refuse, by a UsageError, settings that belong to infeasible models."""
    if any(one.problem.is_silent for one in instances):
        what = "with models that solve and are wrong, which have one prompt and end when they are"
        _refuse(options, _NOT_SILENT, f"{what} submitted", "lp")


LIBRARY = "library"
"""Where worked examples and retrieved cases come from, and what adversaries are fitted on: the
first twenty of each type of the train split of seed 0, as `generate` makes them."""

_FIELDS = {field.name for field in dataclasses.fields(Debugging)}
_TEXT = ("split", "type", "family", "text", "method")
_WHOLE = ("index", "regenerations")
_NAMES = ("targets", "fix", "iis_rows", "iis_bounds")
_MODELS = ("original", "sabotaged")


def content_key(problem: Debugging) -> str:
    """A digest of what is asked, text and sabotaged model: equal for the same item anywhere."""
    return digest([problem.text, problem.sabotaged])


def read_instance(row: Mapping[str, Json]) -> Instance[Debugging]:
    """The instance of a row; raises DataError, naming the field, where the row cannot be one.

    The certificate is taken as it stands: `certificate.verify` is what checks it.
    """
    if (version := row.get("version")) not in READABLE:
        raise DataError(f"version is {version!r}, this ordojo reads or-debug {', '.join(READABLE)}")
    problem = _problem(object_of(row, "problem"))
    certificate = object_of(row, "certificate")
    data = object_of(certificate, "data")
    solvers = object_of(data, "solvers")
    found = object_of(data, "found") if "found" in data else None
    named = {name: str(value) for name, value in solvers.items()}
    instance = make_instance(problem, named, found, str(version))
    if row.get("id") != instance.id:
        raise DataError(f"id is {row.get('id')!r}, this problem's is {instance.id}")
    stored = Certificate(str(certificate.get("kind")), data)
    return dataclasses.replace(instance, certificate=stored)


def read_text(lines: Iterable[str]) -> list[Instance[Debugging]]:
    """Every instance of JSON lines, in order; raises DataError with field and line."""
    rows = ((f"line {place}", json.loads(line)) for place, line in enumerate(lines, 1) if line)
    return collect(rows, "or-debug", read_instance)


def shipped(name: str) -> list[str]:
    """The lines of a set that comes with ordojo. Raises DataError where its file is damaged."""
    file = files("ordojo.benchmarks.or_debug").joinpath(f"data/{name}.jsonl.gz")
    try:
        return gzip.decompress(file.read_bytes()).decode("utf-8").splitlines()
    except (OSError, EOFError) as error:
        raise DataError(f"the set {name} is damaged ({error}); install ordojo again") from None


def read_file(path: Path) -> list[Instance[Debugging]]:
    """Every instance of a built file, in order; raises DataError with field and file:line."""
    return read_instances(path, "or-debug", read_instance)


def _problem(given: Mapping[str, Any]) -> Debugging:
    check_fields(given, _FIELDS, "debugging problem")
    check_texts(given, _TEXT)
    values = dict(given)
    if given["type"] not in (*TYPES, SEVERAL, NATURAL, *SILENT):
        known = ", ".join((*TYPES, *SILENT))
        raise DataError(f"type is {given['type']!r}, it must be one of {known}")
    for name in _WHOLE:
        value = given[name]
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise DataError(f"{name} is {value!r}, it must be a whole number, 0 or more")
    values["objective"] = number_of("objective", given["objective"])
    for name in _NAMES:
        names = given[name]
        if not isinstance(names, list) or not all(isinstance(text, str) for text in names):
            raise DataError(f"{name} must be a list of texts")
        values[name] = tuple(names)
    for name in _MODELS:
        object_of(given, name)
    problem = Debugging(**values)
    if is_recipe(given["original"]):
        # What can be said of a recipe without making its models, which takes seconds.
        check_recipe(problem.original)
        rest = {name: value for name, value in problem.sabotaged.items() if name != "error"}
        if rest != problem.original or len(rest) == len(problem.sabotaged):
            raise DataError("sabotaged: not the original's recipe with an error")
        check_recipe(problem.sabotaged)
        return problem
    for name in _MODELS:
        if name == "original" and not given[name]:
            continue  # it is not known
        try:
            _ = problem.original_model if name == "original" else problem.model
        except DataError as error:
            raise DataError(f"{name}: {error}") from None
    return problem
