"""Going through a curriculum: each stage a run of its own folder, begun with the last model."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, InstanceOf, model_validator

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.core.instance import Instance
from ordojo.core.options import Beside
from ordojo.core.outputs import write_file
from ordojo.core.ranges import COUNT
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.teaching import Course, Teaching
from ordojo.core.words import amount
from ordojo.training import HELD_OUT
from ordojo.training.grpo import GrpoConfig
from ordojo.training.grpo import run as grpo
from ordojo.training.made import DATA, instances
from ordojo.training.models.session import TrainingSettings, begin, finished, write_summary
from ordojo.training.sft import SftConfig, demonstrate
from ordojo.training.sft import run as sft
from ordojo.training.teacher.collect import shown


def teaching_of(curriculum: str) -> Teaching:
    """Who teaches a curriculum, the usual one if ""; raises UsageError for an unknown one."""
    every = (get_benchmark(name).teaching() for name in benchmark_names())
    known = {one.course: one for one in every if one.course}
    for name, teaching in known.items():
        if name == curriculum or (not curriculum and teaching.coursing.usual):
            return teaching
    raise UsageError(f"curriculum={curriculum!r} must be one of {', '.join(known)}")


class CurriculumConfig(Beside):
    """A curriculum, and the `settings` of what trains each stage.

    `stages` are those gone through, in this order, all if none is said (table 38 takes some away;
    an empty list is the model as it was); `mixed` is the control: the same instances in one run of
    as many steps, in an order drawn at random. `count` is the number of instances a stage. The
    curriculum's own settings (`Teaching.coursing`) stand beside these. `asked` are the benchmark's
    options; `teacher` demonstrates under the trainer "sft".
    """

    settings: InstanceOf[TrainingSettings]
    curriculum: str = ""
    trainer: Literal["grpo", "sft"] = "grpo"
    stages: tuple[int, ...] | None = None
    mixed: bool = False
    count: int | None = COUNT.field(None)
    asked: Mapping[str, Any] = Field(default_factory=dict)
    teacher: str = "brief"

    @classmethod
    def names(cls, settings: Mapping[str, Any]) -> list[str]:
        """Those of the curriculum too."""
        own = teaching_of(str(settings.get("curriculum", ""))).coursing.model_fields
        return [*super().names(settings), *(own.keys() - Course.model_fields)]

    @model_validator(mode="after")
    def _possible(self) -> Self:
        asked, there = self.course.stages, self.teaching.coursing().stages
        if not set(asked) <= set(there) or len(set(asked)) < len(asked):
            every = ", ".join(map(str, there))
            raise UsageError(f"stages={list(asked)} must be some of {every}, none twice")
        self.teaching.check_course(self.course)
        return self

    @property
    def teaching(self) -> Teaching:
        """Who teaches it."""
        return teaching_of(self.curriculum)

    @property
    def course(self) -> Course:
        """What the benchmark's teaching is asked for."""
        asked = {} if self.stages is None else {"stages": self.stages}
        kind, more = self.teaching.coursing, {"seed": self.settings.seed, "count": self.count}
        return self.of(kind, "curriculum", **more, **asked)

    @property
    def benchmark(self) -> str:
        """The benchmark that is trained on."""
        return str(self.teaching.benchmark.name)


@dataclass(frozen=True)
class Stage:
    """One stage: its folder's name, its instances, and how many of the stages it stands for."""

    name: str
    instances: tuple[Instance[Any], ...]
    weight: int = 1


def stages_of(config: CurriculumConfig, keep: Path | None = None) -> list[Stage]:
    """The stages with their instances; the same config, the same ones.

    What takes long to make is kept in the folder `keep`.
    """
    teaching, course = config.teaching, config.course
    found = [
        Stage(f"stage-{n}", instances(teaching.benchmark, teaching.stage(course, n), keep))
        for n in course.stages
    ]
    if not config.mixed or not found:
        return found
    # The trainers draw in an order of their own, so that one run mixes all.
    every = tuple(one for stage in found for one in stage.instances)
    return [Stage("mixed", every, len(found))]


Say = Callable[[str], None]
Summary = Mapping[str, Json]
Train = Callable[[TrainingSettings, Stage, Path, Say], Summary]
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
    stages = stages_of(config, out / DATA)
    begin(
        out,
        {
            **config.settings.to_json(),
            "curriculum": config.teaching.course,
            **{name: getattr(config, name) for name in ("trainer", "mixed")},
            "stages": list(config.course.stages),
            "instances": digest([[one.content_hash for one in s.instances] for s in stages]),
        },
    )
    play = train or partial(_trained, config)
    model = config.settings.model
    found: dict[str, Json] = {}
    taken = 0
    for stage in stages:
        folder = out / stage.name
        say(f"{stage.name}: {amount(len(stage.instances), 'instance')}, from {model}")
        steps = config.settings.steps and config.settings.steps * stage.weight
        settings = config.settings.model_copy(update={"model": model, "steps": steps})
        summary = finished(folder) or play(settings, stage, folder, say)
        model = str(summary["model"])
        taken += int(str(summary["steps"]))
        found[stage.name] = dict(summary)
        if judge is not None:
            if not (path := folder / HELD_OUT).is_file():
                write_file(path, json.dumps({"after": judge(model)}, indent=2) + "\n")
            found[stage.name] = {**summary, "held_out": parse_json(read_text(path))["after"]}
    return write_summary(
        out,
        {
            "stage": "curriculum",
            "curriculum": config.teaching.course,
            "model": model,
            "steps": taken,
            "stages": found,
        },
    )


def _trained(
    config: CurriculumConfig, settings: TrainingSettings, stage: Stage, out: Path, say: Say
) -> Summary:
    """Train a stage: GRPO on its instances, or SFT on demonstrations of them."""
    if config.trainer == "grpo":
        assert isinstance(settings, GrpoConfig)
        return grpo(settings, out, {config.benchmark: stage.instances}, say=say)
    assert isinstance(settings, SftConfig)
    return sft(settings, out, records_of(config, stage.instances, out / DATA), say)


def records_of(
    config: CurriculumConfig, instances: Sequence[Instance[Any]], keep: Path | None = None
) -> list[Any]:
    """The teacher's demonstrations of a stage, kept in the folder `keep`."""
    how = config.benchmark, config.asked, instances
    if config.teacher == "brief":
        return demonstrate(*how, seed=config.settings.seed, keep=keep)
    return shown(config.teacher, *how, seed=config.settings.seed, keep=keep)
