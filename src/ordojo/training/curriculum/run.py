"""Going through a curriculum: each stage a run of its own folder, begun with the last model."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json, digest
from ordojo.core.files import parse_json, read_text
from ordojo.core.instance import Instance
from ordojo.training.curriculum.plan import CurriculumConfig, Stage, settings_of, stages_of
from ordojo.training.grpo.config import GrpoConfig
from ordojo.training.models.checkpoints import begin
from ordojo.training.models.logs import write_whole
from ordojo.training.models.session import SUMMARY, write_summary
from ordojo.training.models.settings import Settings
from ordojo.training.names import HELD_OUT
from ordojo.training.sft.config import SftConfig

Say = Callable[[str], None]
Summary = Mapping[str, Json]
Train = Callable[[Settings, Stage, Path, Say], Summary]
"""Trains one stage under settings in a folder; the summary names the "model"."""

Judge = Callable[[str], Json]
"""Held-out figures of the model in a folder."""


def run(
    config: CurriculumConfig,
    out: Path,
    say: Say = lambda line: None,
    train: Train | None = None,
    judge: Judge | None = None,
) -> Summary:
    """Train stage after stage in `out/stage-N`; the summary has each one's and the last "model".

    `judge` is asked after every stage. Started again, finished stages are taken as they are and
    the one that was cut off goes on. Raises what the trainer raises.
    """
    stages = stages_of(config)
    begin(
        out,
        {
            **config.settings.to_json(),
            **{name: getattr(config, name) for name in ("curriculum", "trainer", "mixed")},
            "stages": list(config.stages),
            "instances": digest([[one.content_hash for one in s.instances] for s in stages]),
        },
    )
    play = train or trainer_of(config)
    model = config.settings.model
    found: dict[str, Json] = {}
    taken = 0
    for stage in stages:
        folder = out / stage.name
        say(f"{stage.name}: {len(stage.instances)} instances, from {model}")
        summary = _finished(folder) or play(settings_of(config, stage, model), stage, folder, say)
        model = str(summary["model"])
        taken += int(str(summary["steps"]))
        found[stage.name] = {**summary, **_judged(judge, model, folder)}
    return write_summary(
        out,
        {
            "stage": "curriculum",
            "curriculum": config.curriculum,
            "model": model,
            "steps": taken,
            "stages": found,
        },
    )


def trainer_of(config: CurriculumConfig) -> Train:
    """What trains a stage of `config`: GRPO on its instances, or SFT on demonstrations of them."""

    def reinforce(settings: Settings, stage: Stage, out: Path, say: Say) -> Summary:
        from ordojo.training.grpo.stage import run as grpo

        assert isinstance(settings, GrpoConfig)
        return grpo(settings, out, {config.benchmark: stage.instances}, say=say)

    def imitate(settings: Settings, stage: Stage, out: Path, say: Say) -> Summary:
        from ordojo.training.sft.stage import run as sft

        assert isinstance(settings, SftConfig)
        return sft(settings, out, records_of(config, stage.instances), say)

    return reinforce if config.trainer == "grpo" else imitate


def records_of(config: CurriculumConfig, instances: Sequence[Instance[Any]]) -> list[Any]:
    """The teacher's demonstrations of a stage."""
    from ordojo.training.sft.demonstrations import demonstrate
    from ordojo.training.teacher.show import shown

    if config.teacher == "brief":
        return demonstrate(config.benchmark, config.asked, instances, seed=config.settings.seed)
    return shown(config.teacher, config.benchmark, config.asked, instances, config.settings.seed)


def _finished(folder: Path) -> Summary | None:
    """The summary of a stage that has ended, None of one that has not."""
    try:
        found: dict[str, Json] = parse_json(read_text(folder / SUMMARY))
    except (OSError, ValueError):
        return None
    return found if Path(str(found.get("model", ""))).is_dir() else None


def _judged(judge: Judge | None, model: str, folder: Path) -> dict[str, Json]:
    if judge is None:
        return {}
    path = folder / HELD_OUT
    if not path.is_file():
        write_whole(path, json.dumps({"after": judge(model)}, indent=2) + "\n")
    return {"held_out": parse_json(read_text(path))["after"]}
