"""Recipes: the YAML file that says where data come from, the stage, and what is held out."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, OrdojoError, UsageError, meant
from ordojo.core.files import read_text
from ordojo.core.instance import Instance
from ordojo.core.options import Beside, parse_options
from ordojo.core.ranges import COUNT, SEED, SHARE
from ordojo.core.registry import get_benchmark
from ordojo.core.teaching import BRIEF, Made, Wanted
from ordojo.core.trajectory import Trajectory
from ordojo.evaluation.providers.loading import choose_device
from ordojo.training.curriculum import CurriculumConfig, teaching_of
from ordojo.training.grpo import GrpoConfig
from ordojo.training.made import DATA
from ordojo.training.made import instances as kept
from ordojo.training.models.session import SUMMARY, Positive, TrainingSettings
from ordojo.training.prm import PrmConfig, scorer_folder
from ordojo.training.rollouts.rollout import Player
from ordojo.training.rollouts.work import plan
from ordojo.training.sft import Record, SftConfig, demonstrate
from ordojo.training.teacher.collect import parts, played, shown


class RecipeSource(Beside):
    """One entry of a recipe's `generate` or `validate`.

    Where the benchmark makes problems to learn on: `count` of them, by its own settings
    (`Teaching.wanted`), which stand beside these; else, or where `options` name a set or a file:
    the first `count` instances that these load. `options` say how they are asked as well.

    `teacher` shows how (SFT): a scripted policy, a teacher of the benchmark's own or a model by its
    provider, or several by their shares of the instances; `doubt` is how often "brief" errs.
    `policies` play (PRM), `samples` episodes each. `max_tokens` bounds a reply of a model that is
    looked at (`validate`).
    """

    benchmark: str
    count: int | None = COUNT.field(None)
    seed: int = SEED.field(0)
    options: dict[str, Any] = Field(default_factory=dict)
    teacher: str | Annotated[dict[str, Positive], Field(min_length=1)] = "brief"
    doubt: float = SHARE.field(0.0)
    policies: list[str] = Field(default_factory=lambda: ["gold", "elastic", "random"])
    samples: int = COUNT.field(1)
    max_tokens: int | None = COUNT.field(None)

    @classmethod
    def names(cls, settings: Mapping[str, Any]) -> list[str]:
        """Those of the benchmark's problems too."""
        if "benchmark" not in settings:
            return super().names(settings)
        own = get_benchmark(str(settings["benchmark"])).teaching().wanted.model_fields
        return [*super().names(settings), *(own.keys() - Wanted.model_fields)]

    @property
    def wanted(self) -> Wanted:
        """What the benchmark's teaching is asked for; raises UsageError."""
        kind = get_benchmark(self.benchmark).teaching().wanted
        return self.of(kind, self.benchmark, count=self.count, seed=self.seed)

    def to_json(self) -> dict[str, Json]:
        """Plain JSON, the benchmark's settings beside the others."""
        return self.model_dump(mode="json", exclude={"own"}) | self.wanted.model_dump(mode="json")

    def made(self) -> Made | None:
        """The problems that the benchmark makes; None where it loads them. Raises UsageError."""
        if not {"set", "instances"} & self.options.keys():
            return get_benchmark(self.benchmark).teaching().problems(self.wanted)
        if self.own:
            raise UsageError(f"{self.benchmark} has no {', '.join(self.own)} here: use its options")
        return None

    def instances(self, keep: Path | None = None) -> list[Instance[Any]]:
        """Make or load the instances; the same source, the same ones. Raises UsageError.

        What takes long to make is kept in the folder `keep`.
        """
        made = self.made()
        if made is not None:
            return list(kept(get_benchmark(self.benchmark), made, keep))
        work = plan(self.benchmark, "gold", options=self.options, seed=self.seed, limit=self.count)
        return list(work.instances)

    def records(self, keep: Path | None = None, ask: bool = True) -> list[Record]:
        """Demonstrations of the teachers, those alone that are worth imitating; all are kept.

        Unless `ask` is set no model is asked: gold shows in its place.
        """
        made = self.instances(keep)
        teachers = self.teacher if isinstance(self.teacher, dict) else {self.teacher: 1.0}
        if self.doubt and "brief" not in teachers:
            raise UsageError("doubt is for the teacher 'brief' alone")
        shares = parts(made, [*teachers.values()], self.seed)
        found: list[Record] = []
        for name, part in zip(teachers, shares, strict=True):
            if made and not part:  # of few instances a small share is none
                teaching = get_benchmark(self.benchmark).teaching()
                if "/" not in name and teaching.teacher(name) is None:
                    # UsageError where there is none such.
                    Player(plan(self.benchmark, name, options=self.options, instances=made))
                continue
            how = self.benchmark, self.options, part
            if name in BRIEF:
                doubt = self.doubt if name == "brief" else 0.0
                found += demonstrate(*how, name, doubt, self.seed, keep)
            else:
                asked = name if ask or "/" not in name else "gold"
                found += shown(asked, *how, self.seed, keep)
        return found

    def trajectories(self, keep: Path | None = None) -> list[Trajectory]:
        """Every policy's episodes on all instances."""
        made = self.instances(keep)
        how = (self.benchmark, self.options, made, self.seed, self.samples, keep)
        return [one for name in self.policies for one in played(name, *how)]


def by_benchmark(
    sources: Iterable[RecipeSource], keep: Path | None = None
) -> dict[str, list[Instance[Any]]]:
    """The instances of several sources, by benchmark."""
    found: dict[str, list[Instance[Any]]] = {}
    for source in sources:
        found.setdefault(source.benchmark, []).extend(source.instances(keep))
    return found


def options_of(sources: Iterable[RecipeSource]) -> Mapping[str, Mapping[str, Any]]:
    """The options by benchmark; raises UsageError where two sources disagree."""
    found: dict[str, Mapping[str, Any]] = {}
    for source in sources:
        if found.setdefault(source.benchmark, source.options) != source.options:
            raise UsageError(f"two entries of {source.benchmark} have other options")
    return found


def shipped() -> list[str]:
    """The names of the recipes that come with ordojo."""
    folder = files("ordojo.training.recipes").joinpath("shipped")
    return sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name[-5:] == ".yaml")


def read_rows(name: str, above: tuple[str, ...] = ()) -> dict[str, Any]:
    """The keys and values of a YAML file, or of a shipped recipe; raises DataError.

    Those of the recipe that it is `like` stand for the keys that it has not itself; of `model` and
    `after`, which both say where to begin, its own goes before the other's.
    """
    rows = _parsed(name)
    other = rows.pop("like", None)
    if other is None:
        return rows
    if not isinstance(other, str) or other in (*above, name):
        raise UsageError(f"{name}: like={other!r} must name another recipe, in no circle")
    found = read_rows(other, (*above, name))
    for mine, theirs in (("model", "after"), ("after", "model")):
        if mine in rows:
            found.pop(theirs, None)
    return {**found, **rows}


def _parsed(name: str) -> dict[str, Any]:
    import yaml

    path = Path(name).expanduser()
    if not path.is_file() and name in shipped():
        text = files("ordojo.training.recipes").joinpath("shipped", f"{name}.yaml").read_text()
    else:
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError):
            raise DataError(
                f"there is no recipe {name} that can be read; name a YAML file, or one of "
                f"{', '.join(shipped())}"
            ) from None
    try:
        found = yaml.safe_load(text)
    except RecursionError:
        raise DataError(f"{name} is nested too deep for a recipe") from None
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = f":{where.line + 1}" if where else ""
        what = getattr(error, "problem", None) or "it cannot be parsed"
        raise DataError(f"{name}{line} is no YAML: {what}") from None
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise DataError(f"{name} must hold keys and values, as `stage: sft`")
    return found


def change(rows: dict[str, Any], key: str, text: str, name: str) -> None:
    """Set a key, or with dots one within it, as generate.0.count."""
    import yaml

    try:
        value = yaml.safe_load(text)
        place: Any = rows
        *way, last = key.split(".")
        for part in way:
            at = _key(place, part)
            # What YAML's aliases name in several places is changed in one.
            within = copy(place[at] if isinstance(place, list) else place.setdefault(at, {}))
            place[at] = within
            place = within
        place[_key(place, last)] = value
    except (yaml.YAMLError, RecursionError, ValueError, IndexError, TypeError, AttributeError):
        raise UsageError(f"{name}: `changes` {key}={text} fits nowhere in the recipe") from None


def _key(place: Any, part: str) -> Any:
    """A number in a list; in a mapping the key as it is spelt there, hyphens or not."""
    if isinstance(place, list):
        return int(part)
    alike = (key for key in place if str(key).replace("-", "_") == part.replace("-", "_"))
    return next(alike, part)


STAGES: Mapping[str, type[TrainingSettings]] = {
    "sft": SftConfig,
    "grpo": GrpoConfig,
    "prm": PrmConfig,
}
TRAINERS = {name: STAGES[name] for name in ("sft", "grpo")}
"""The trainers that a curriculum may go through."""

OWN = ("stage", "out", "like", "after", "generate", "validate")


@dataclass(frozen=True)
class Recipe:
    """A run as a file says it; `config` is checked, `after` the run whose model is taken."""

    file: str
    stage: str
    out: Path
    config: TrainingSettings | CurriculumConfig
    after: str = ""
    generate: tuple[RecipeSource, ...] = ()
    validate: tuple[RecipeSource, ...] = ()

    @property
    def settings(self) -> TrainingSettings:
        """The trainer's settings, a curriculum's being those of each of its stages."""
        found = self.config
        return found.settings if isinstance(found, CurriculumConfig) else found

    @property
    def data(self) -> Path:
        """Where what is made for the run is kept."""
        return self.out / DATA

    def lacks(self) -> list[OrdojoError]:
        """What keeps this run from starting here: a GPU, the run before it, what it is paid by."""
        found: list[OrdojoError] = []
        try:
            choose_device(self.settings.device)
        except UsageError as error:
            found.append(error)
        if self.after and not (Path(self.after).expanduser() / SUMMARY).is_file():
            found.append(
                DataError(
                    f"{self.file}: after={self.after} holds no finished run; train that one first, "
                    "or name a model in the place of `after`"
                )
            )
        if isinstance(self.settings, GrpoConfig) and self.settings.prm:
            try:
                scorer_folder(Path(self.settings.prm).expanduser())
            except DataError as error:
                found.append(error)
        return found

    @property
    def origin(self) -> str:
        """The model that the whole chain begins with, as far as its runs are shipped recipes'."""
        before = Path(self.after).name
        if self.after and before in shipped():
            return read_recipe(before).origin
        return self.settings.model


def read_recipe(
    name: str, stage: str = "", out: Path | None = None, changes: Mapping[str, str] | None = None
) -> Recipe:
    """The recipe in the file `name`, or the one shipped under that name.

    `stage` is the one asked for, `out` and `changes` (values as YAML) go before the file's. Raises
    DataError for a file that cannot be read, UsageError for what it says.
    """
    rows = read_rows(name)
    for key, text in (changes or {}).items():
        change(rows, key, text, name)
    try:
        return _recipe(name, rows, stage, out)
    except OrdojoError as error:
        raise type(error)(f"{name}: {error}") from None


def _recipe(name: str, rows: dict[str, Any], stage: str, out: Path | None) -> Recipe:
    said = rows.pop("stage", stage)
    kinds = [*STAGES, "curriculum"]
    if said not in kinds:
        raise UsageError(f"stage={said!r} must be one of {', '.join(kinds)}")
    if stage and said != stage:
        raise UsageError(f"this is a recipe of stage {said}: run `ordojo train {said}`")
    where, after = rows.pop("out", None), rows.pop("after", "")
    for key, value in (("out", where), ("after", after)):
        if not isinstance(value, str | None):
            raise UsageError(f"{key}={value!r} must be the path of a folder")
    if out is None and not where:
        raise UsageError("out is missing: name the run's folder, here or with `out`")
    generate = _sources(rows.pop("generate", None), "generate")
    validate = _sources(rows.pop("validate", None), "validate")
    if after:
        if "model" in rows:
            raise UsageError("model and after both say where to begin; keep one")
        rows["model"] = str(Path(after).expanduser() / "model")
    if said == "curriculum":
        config: TrainingSettings | CurriculumConfig = _curriculum(rows)
        if generate:
            raise UsageError("generate: a curriculum makes its own instances")
    else:
        config = _settings(said, STAGES[said], rows, generate, validate)
    found = Recipe(name, said, out or Path(str(where)), config, after or "", generate, validate)
    how = found.settings
    if isinstance(how, GrpoConfig) and how.validate_every and not validate:
        raise UsageError("validate_every is set, but `validate` names no instances")
    return found


def _settings(
    stage: str,
    kind: type[TrainingSettings],
    rows: dict[str, Any],
    generate: Sequence[RecipeSource],
    validate: Sequence[RecipeSource],
) -> TrainingSettings:
    _known(stage, rows, [*OWN, *kind.names(rows)])
    if kind is PrmConfig and validate:
        raise UsageError("validate: a process reward model holds steps out by itself (holdout)")
    if kind is GrpoConfig:
        if asked := options_of(generate):
            rows.setdefault("benchmarks", list(asked))
            if isinstance(given := rows.setdefault("options", {}), dict):
                rows["options"] = {**asked, **given}
        if rows.get("process") and not rows.get("prm"):
            raise UsageError("process is a weight, but of no model: set prm to one's folder")
    elif generate and rows.get("data"):
        raise UsageError("data and generate both say what to learn from; keep one")
    elif not generate and not rows.get("data"):
        raise UsageError("there is nothing to learn from: set data or generate")
    config = kind.from_json(rows)
    if isinstance(config, GrpoConfig):
        for name, options in config.options.items():
            parse_options(get_benchmark(name).options, options, name)
        strange = {source.benchmark for source in generate} - set(config.benchmarks)
        if strange:
            raise UsageError(f"generate makes {min(strange)}, which is not among benchmarks")
    return config


def _curriculum(rows: dict[str, Any]) -> CurriculumConfig:
    trainer = rows.get("trainer", "grpo")
    if trainer not in TRAINERS:
        raise UsageError(f"trainer={trainer!r} must be one of {', '.join(TRAINERS)}")
    kind = TRAINERS[trainer]
    keys = [key for key in CurriculumConfig.names(rows) if key != "settings"]
    _known("curriculum", rows, [*OWN, *keys, *kind.names(rows)])
    own = {key: rows.pop(key) for key in keys if key in rows}
    if kind is GrpoConfig:
        benchmark = teaching_of(str(own.get("curriculum", ""))).benchmark.name
        rows.setdefault("benchmarks", [benchmark])
        asked = own.get("asked") or {}
        if not isinstance(asked, dict):
            raise UsageError(f"asked={asked!r} must map options to values")
        rows.setdefault("options", {benchmark: dict(asked)})
    settings = kind.from_json(rows)
    config = parse_options(CurriculumConfig, {**own, "settings": settings}, "curriculum")
    parse_options(get_benchmark(config.benchmark).options, config.asked, config.benchmark)
    return config


def _known(stage: str, rows: Mapping[str, Any], names: Sequence[str]) -> None:
    for key in rows:
        if key not in names:
            hint = meant(key, names) or f"it has {', '.join(names)}"
            raise UsageError(f"a recipe of stage {stage} has no key '{key}'; {hint}")


def _sources(found: Any, key: str) -> tuple[RecipeSource, ...]:
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise UsageError(f"{key} must be a list of entries, each with a benchmark and a count")
    made = []
    for place, row in enumerate(found):
        source = parse_options(RecipeSource, row, f"{key}[{place}]")
        benchmark = get_benchmark(source.benchmark)
        parse_options(benchmark.options, source.options, f"{key}[{place}], {source.benchmark}")
        source.of(benchmark.teaching().wanted, f"{key}[{place}]")
        made.append(source)
    return tuple(made)
