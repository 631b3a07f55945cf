"""What the longer recipe trains and measures, part by part; each part stands alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json
from ordojo.evaluate.compact import compact
from ordojo.training.curriculum import CurriculumConfig
from ordojo.training.curriculum import run as curriculum
from ordojo.training.grpo import GrpoConfig
from ordojo.training.grpo import run as grpo
from ordojo.training.models.loading import Loaded, load_model
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.models.tiny import make_tiny
from ordojo.training.prm import PrmConfig, best_of, load_scorer
from ordojo.training.prm import run as process
from ordojo.training.recipes.figures import figures_of, held_out_figures
from ordojo.training.recipes.sources import Source
from ordojo.training.rollouts.rollout import rollout
from ordojo.training.rollouts.work import Sampling, plan
from ordojo.training.sft import Record, SftConfig
from ordojo.training.sft import run as sft
from ordojo.training.sft.data import rendered

DEBUG = {"max_steps": 5, "max_tokens": 16}
BIAS = {"mode": "chat"}
SHARED: dict[str, Any] = {
    "method": "full",
    "accumulation": 1,
    "scheduler": "constant",
    "max_length": 1024,
    "device": "cpu",
    "rendering": "compact",
    "save_every": 0,
}
ATTEMPTS = 4
"""Samples that the process reward model chooses from."""

LEARNT = "AD"
"""Types that a tiny model can learn: a wrong side, a row too many. Both are hard (table 7)."""

EASY = "C"
"""An easy type of which it can be paid for some: rows of the medium ones are named by hashes."""


def debugging(count: int, seed: int, split: str = "train", **more: Any) -> Source:
    """Problems of the types in `LEARNT`, in turn."""
    return Source(
        benchmark="or-debug",
        count=count,
        seed=seed,
        set=split,
        kinds=LEARNT,
        options=DEBUG,
        max_tokens=16,
        **more,
    )


def newsvendor(count: int | None, seed: int, which: str = "") -> Source:
    """Inventory scenarios."""
    return Source(
        benchmark="or-bias", count=count, seed=seed, set=which, options=BIAS, max_tokens=16
    )


def repair(out: Path, seed: int) -> dict[str, Any]:
    """or-debug before, after SFT on an imperfect teacher, after GRPO, and best of several."""
    held = debugging(200, 1000 + seed, "eval")
    records = debugging(1000, seed, doubt=0.6).records()
    words = [turn["content"] for talk in rendered(records, compact) for turn in talk]
    start = held_out_figures(Loaded(*make_tiny(words), "tiny"), "compact", [held])
    model = _imitated(out / "sft", seed, 220, records)
    found = {"before": start["or-debug"], "SFT": _measured(model, held)}
    found |= chosen(out, seed, model, held)
    settings = _debugger(model, seed, steps=60)
    learnt = grpo(settings, out / "grpo", {"or-debug": debugging(1000, seed).instances()})
    found["GRPO"] = _measured(learnt["model"], held)
    return found | staged(out, seed, model, held)


def chosen(out: Path, seed: int, model: str, held: Source) -> dict[str, Any]:
    """Several samples of the model: all of them, and those that a process reward model takes."""
    settings = PrmConfig(
        **SHARED, model=model, batch_size=24, learning_rate=1e-3, steps=100, seed=seed
    )
    policies = ["gold", "elastic", "random", "drop-everything", "greedy-iis"]
    mixture = debugging(150, 5000 + seed, policies=policies).trajectories()
    judge = process(settings, out / "prm", mixture)
    work = plan(
        "or-debug",
        ModelPolicy(load_model(model), compact),
        options=DEBUG,
        instances=held.instances(),
        samples=ATTEMPTS,
        seed=seed,
        sampling=Sampling(temperature=1.0, max_tokens=16, batch=64),
    )
    played = list(rollout(work))
    best = best_of(load_scorer(Path(str(judge["model"])), "cpu"), played)
    return {
        f"SFT, {ATTEMPTS} samples each": figures_of("or-debug", played),
        f"SFT, PRM's best of {ATTEMPTS}": figures_of("or-debug", best),
        "PRM on held-out steps": judge["held_out"],
    }


def staged(out: Path, seed: int, model: str, held: Source) -> dict[str, Any]:
    """GRPO on easy problems first, and as many steps on the same problems in any order."""
    settings = _debugger(model, seed, steps=30, log_kl=False)
    found = {}
    for name, mixed in (("GRPO, easy ones first", False), ("GRPO, the same, mixed", True)):
        config = CurriculumConfig(
            settings=settings,
            curriculum="debugging",
            stages=(1, 3),
            mixed=mixed,
            kinds=EASY + LEARNT,
            count=320,
        )
        learnt = curriculum(config, out / ("mixed" if mixed else "staged"))
        found[name] = _measured(learnt["model"], held)
    return found


def order(out: Path, seed: int) -> dict[str, Any]:
    """or-bias after SFT alone, after table 27's stages, and after as many steps on all mixed."""
    held = newsvendor(None, 2000 + seed, "eval")
    model = _imitated(out / "orders", seed, 150, newsvendor(400, seed).records())
    found = {"no curriculum": _measured(model, held)}
    settings = _reinforced(model, seed, "or-bias", BIAS, "closeness", learning_rate=2e-4, steps=20)
    for name, mixed in (("curriculum", False), ("the same, mixed", True)):
        config = CurriculumConfig(settings=settings, mixed=mixed, asked=BIAS)
        learnt = curriculum(config, out / name.replace(" ", "-"))
        found[name] = _measured(learnt["model"], held)
    return found


PARTS = {"repair": repair, "order": order}
"""The parts of a seed, by name."""


def _imitated(out: Path, seed: int, steps: int, records: Sequence[Record]) -> str:
    settings = SftConfig(
        **SHARED, model="tiny", batch_size=16, learning_rate=1e-3, steps=steps, seed=seed
    )
    return str(sft(settings, out, records)["model"])


def _debugger(model: str, seed: int, **more: Any) -> GrpoConfig:
    asked = {**DEBUG, "max_steps": 1}
    return _reinforced(
        model, seed, "or-debug", asked, "equation-5-full", learning_rate=3e-4, **more
    )


def _reinforced(
    model: str, seed: int, benchmark: str, asked: Any, rule: str, **more: Any
) -> GrpoConfig:
    return GrpoConfig(
        **SHARED,
        model=model,
        benchmarks=(benchmark,),
        options={benchmark: asked},
        rewards={benchmark: rule},
        batch_size=64,
        weight_decay=0.0,
        max_tokens=16,
        seed=seed,
        **more,
    )


def _measured(model: Json, held: Source) -> Json:
    return held_out_figures(load_model(str(model)), "compact", [held])[held.benchmark]
