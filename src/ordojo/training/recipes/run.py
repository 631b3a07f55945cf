"""Running a recipe: its data, its stage, its held-out figures before and after."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.outputs import write_file
from ordojo.core.progress import doing
from ordojo.core.registry import get_benchmark
from ordojo.core.trajectory import Trajectory
from ordojo.evaluation.compact import rendering
from ordojo.training import HELD_OUT
from ordojo.training.curriculum import CurriculumConfig
from ordojo.training.curriculum import run as curriculum
from ordojo.training.grpo import GrpoConfig
from ordojo.training.grpo import run as grpo
from ordojo.training.made import DATA
from ordojo.training.models.loading import Loaded, load_model
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.models.session import (
    CHECKPOINTS,
    CONFIG,
    SUMMARY,
    begin,
    finished,
    read_object,
    sealed,
)
from ordojo.training.prm import PrmConfig
from ordojo.training.prm import run as prm
from ordojo.training.recipes.recipe import Recipe, RecipeSource, by_benchmark
from ordojo.training.rollouts.rollout import play_greedily
from ordojo.training.sft import Record, SftConfig, read_records, rendered, start_model
from ordojo.training.sft import run as sft


def held_out_figures(
    loaded: Loaded, shown: str, sources: Iterable[RecipeSource], keep: Path | None = None
) -> dict[str, Json]:
    """By benchmark: each figure as [value, low, high], an interval of 95%, and "n".

    Instances that take long to make are kept in the folder `keep`.
    """
    policy = ModelPolicy(loaded, rendering(shown))
    played: dict[str, list[Trajectory]] = {}
    for source in sources:
        how = source.options, source.instances(keep), source.max_tokens
        played.setdefault(source.benchmark, []).extend(
            play_greedily(policy, source.benchmark, *how)
        )
    return {benchmark: figures_of(benchmark, found) for benchmark, found in played.items()}


def figures_of(benchmark: str, played: Sequence[Trajectory]) -> Json:
    """The chosen metrics of judged episodes."""
    kind = get_benchmark(benchmark)
    # Every instance is a cluster of its own.
    apart = [replace(one, cluster=one.id) for one in played]
    found = kind.metrics(apart, played[0].provenance.rule)
    names = kind.teaching().figures or {name: name for name in list(found)[:1]}
    row: dict[str, Any] = {"n": len(played)}
    for name, label in names.items():
        if name in found and found[name].value == found[name].value:
            one = found[name]
            ends = map(float, (one.value, one.low, one.high))
            row[label] = [round(x, 6) if x == x else None for x in ends]
    return row


SOURCES = "sources.json"

Say = Callable[[str], None]
Records = Callable[[], Sequence[Record]]


def run(recipe: Recipe, say: Say = lambda line: None) -> Mapping[str, Json]:
    """Train as `recipe` says, or go on; gives the stage's summary, with "held_out" where asked.

    Held-out figures are kept in `out/held_out.json`, "before" and "after"; those that are there
    are not measured again. Raises OrdojoError.
    """
    for error in recipe.lacks():
        raise error
    # Before data are made, which may take minutes.
    begin(recipe.out, recipe.settings.to_json(), draft=True)
    _begin_sources(recipe)
    records = cache(lambda: records_of(recipe, recipe.data))
    summary = finished(recipe.out)
    if summary is None:
        summary = _trained(recipe, records, say)
    elif not recipe.validate or "after" in _known(recipe):
        say(f"{recipe.out} is finished; move it away to train anew")
    return {**summary, **_measured(recipe, str(summary["model"]), records)}


def _begin_sources(recipe: Recipe) -> None:
    """Keep what the recipe generates and validates on, key by key, under the names of `--set`.

    Raises UsageError where the folder's run has learnt from other sources, or has been measured on
    others. Until there is a run they may change; of an older run they are not known.
    """
    told: dict[str, Json] = {}
    for part, entries in (("generate", recipe.generate), ("validate", recipe.validate)):
        told[f"entries of {part}"] = len(entries)
        for place, entry in enumerate(entries):
            told |= {f"{part}.{place}.{key}": value for key, value in entry.to_json().items()}
    out, there = recipe.out, any((recipe.out / name).is_file() for name in (CONFIG, SUMMARY))
    if there:
        measured = (out / HELD_OUT).is_file()
        bound = {key: told[key] for key in told if measured or "validate" not in key}
        begin(out, bound, draft=True, name=SOURCES)
    if not there or (out / SOURCES).is_file():
        write_file(out / SOURCES, json.dumps(told, indent=2) + "\n")


def _trained(recipe: Recipe, records: Records, say: Say) -> Mapping[str, Json]:
    config = recipe.config
    if isinstance(config, CurriculumConfig):
        return _curriculum(recipe, config, say)
    if isinstance(config, PrmConfig):
        made = [one for source in recipe.generate for one in source.trajectories(recipe.data)]
        return prm(config, recipe.out, made or None, say)
    if isinstance(config, SftConfig):
        return sft(config, recipe.out, records(), say)
    assert isinstance(config, GrpoConfig)
    return grpo(
        config,
        recipe.out,
        by_benchmark(recipe.generate, recipe.data),
        validation=by_benchmark(recipe.validate, recipe.data) if config.validate_every else None,
        say=say,
    )


def records_of(recipe: Recipe, keep: Path | None = None, ask: bool = True) -> list[Record]:
    """The records that an SFT recipe learns from; raises DataError where there is none.

    What is made for them is kept in the folder `keep`. Unless `ask` is set no model is asked.
    """
    config = recipe.config
    if not isinstance(config, SftConfig):
        return []
    if not recipe.generate:
        return read_records(Path(config.data).expanduser())
    found = [record for source in recipe.generate for record in source.records(keep, ask)]
    if not found:
        raise DataError(
            f"{recipe.file}: no demonstration of its teacher was accepted; take another teacher "
            "or more instances"
        )
    return found


def begun(recipe: Recipe, records: Sequence[Record] = ()) -> Loaded:
    """The model before the first step."""
    config = recipe.settings
    if isinstance(config, SftConfig):
        return start_model(config, rendered(records, rendering(config.rendering)))
    return _load(recipe, config.model)


def _load(recipe: Recipe, model: str) -> Loaded:
    how = recipe.settings
    return load_model(
        model,
        dtype=how.dtype,
        device=how.device,
        template=how.template,
        trainable=not isinstance(how, PrmConfig),
    )


def _curriculum(recipe: Recipe, config: CurriculumConfig, say: Say) -> Mapping[str, Json]:
    def judge(model: str) -> Json:
        shown = config.settings.rendering
        return held_out_figures(_load(recipe, model), shown, recipe.validate, recipe.data)

    return curriculum(config, recipe.out, say, judge=judge if recipe.validate else None)


def _measured(recipe: Recipe, model: str, records: Records) -> dict[str, Json]:
    """Held-out figures before and after; those that are known are not measured again."""
    if not recipe.validate:
        return {}
    shown, found = recipe.settings.rendering, _known(recipe)
    starts: Mapping[str, Callable[[], Loaded]] = {
        "before": lambda: begun(recipe, records()),
        "after": lambda: _load(recipe, model),
    }
    for when, load in starts.items():
        if when not in found:
            doing(f"measuring the model {when} training")
            found[when] = held_out_figures(load(), shown, recipe.validate, recipe.data)
            write_file(recipe.out / HELD_OUT, json.dumps(found, indent=2) + "\n")
    return {"held_out": found}


def standing(recipe: Recipe) -> str:
    """What is on disk of a run that has stopped, and what starting again does with it."""
    out = recipe.out
    data = sorted(path.relative_to(out) for path in out.rglob(f"{DATA}/*.jsonl"))
    made = f", the data made for it ({', '.join(map(str, data))})" if data else ""
    if (out / SUMMARY).is_file():
        return f"on disk: {out}, trained{made}; started again, it goes on with what is measured"
    staged = out.glob(f"*/{CONFIG}") if recipe.stage == "curriculum" else ()
    stages = sorted(path.parent for path in staged)
    ended = [stage.name for stage in stages if (stage / SUMMARY).is_file()]
    begun = next((stage for stage in stages if stage.name not in ended), out)
    done = f", {' and '.join(ended)} trained" if ended else ""
    if checkpoint := sealed(begun / CHECKPOINTS):
        last = f"and the last checkpoint, {checkpoint}; started again, it goes on from it"
        return f"on disk: {out}{made}{done} {last}"
    if not out.is_dir():
        return "nothing of it is on disk; started again, it begins anew"
    what = f"{begun.name} anew" if begun != out else "the next stage" if ended else "anew"
    kept = ", with these data" if data else ""
    return f"on disk: {out}{made}{done}, no checkpoint; started again, it begins {what}{kept}"


def _known(recipe: Recipe) -> dict[str, Json]:
    return read_object(recipe.out / HELD_OUT)
