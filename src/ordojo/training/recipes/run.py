"""Running a recipe: its data, its stage, its held-out figures before and after."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.files import parse_json, read_text
from ordojo.training.curriculum.plan import CurriculumConfig
from ordojo.training.curriculum.run import run as curriculum
from ordojo.training.grpo.config import GrpoConfig
from ordojo.training.models.checkpoints import begin
from ordojo.training.models.loading import Loaded, load_model
from ordojo.training.models.logs import write_whole
from ordojo.training.models.session import SUMMARY
from ordojo.training.names import HELD_OUT
from ordojo.training.prm.config import PrmConfig
from ordojo.training.recipes.figures import held_out_figures
from ordojo.training.recipes.recipe import Recipe
from ordojo.training.recipes.sources import by_benchmark
from ordojo.training.sft.config import SftConfig
from ordojo.training.sft.data import Record, read_records, rendered

Say = Callable[[str], None]
Records = Callable[[], Sequence[Record]]


def run(recipe: Recipe, say: Say = lambda line: None) -> Mapping[str, Json]:
    """Train as `recipe` says, or go on; gives the stage's summary, with "held_out" where asked.

    Held-out figures are kept in `out/held_out.json`, "before" and "after"; those that are there
    are not measured again. Raises OrdojoError.
    """
    recipe.check_start()
    records = cache(lambda: records_of(recipe))
    summary = _finished(recipe)
    if summary is None:
        summary = _trained(recipe, records, say)
    elif not recipe.validate or "after" in _known(recipe):
        say(f"{recipe.out} is finished; move it away to train anew")
    return {**summary, **_measured(recipe, str(summary["model"]), records)}


def _trained(recipe: Recipe, records: Records, say: Say) -> Mapping[str, Json]:
    config = recipe.config
    if isinstance(config, CurriculumConfig):
        return _curriculum(recipe, config, say)
    if isinstance(config, PrmConfig):
        from ordojo.training.prm.stage import run as prm

        made = [one for source in recipe.generate for one in source.trajectories()]
        return prm(config, recipe.out, made or None, say)
    if isinstance(config, SftConfig):
        from ordojo.training.sft.stage import run as sft

        return sft(config, recipe.out, records(), say)
    from ordojo.training.grpo.stage import run as grpo

    assert isinstance(config, GrpoConfig)
    return grpo(
        config,
        recipe.out,
        by_benchmark(recipe.generate),
        validation=by_benchmark(recipe.validate) if config.validate_every else None,
        say=say,
    )


def records_of(recipe: Recipe) -> list[Record]:
    """The records that an SFT recipe learns from; raises DataError where there is none."""
    config = recipe.config
    if not isinstance(config, SftConfig):
        return []
    if not recipe.generate:
        return read_records(Path(config.data).expanduser())
    found = [record for source in recipe.generate for record in source.records()]
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
        from ordojo.evaluate.compact import rendering
        from ordojo.training.sft.stage import start_model

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
        return held_out_figures(_load(recipe, model), config.settings.rendering, recipe.validate)

    return curriculum(config, recipe.out, say, judge=judge if recipe.validate else None)


def _finished(recipe: Recipe) -> Mapping[str, Json] | None:
    """The summary of training that has ended; raises UsageError where its settings were others."""
    try:
        found: dict[str, Any] = parse_json(read_text(recipe.out / SUMMARY))
    except (OSError, ValueError):
        return None
    begin(recipe.out, recipe.settings.to_json())
    return found if Path(str(found.get("model"))).is_dir() else None


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
            found[when] = held_out_figures(load(), shown, recipe.validate)
            write_whole(recipe.out / HELD_OUT, json.dumps(found, indent=2) + "\n")
    return {"held_out": found}


def _known(recipe: Recipe) -> dict[str, Json]:
    try:
        found: dict[str, Json] = parse_json(read_text(recipe.out / HELD_OUT))
    except (OSError, ValueError):
        return {}
    return found
