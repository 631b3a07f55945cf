"""The tiny model through every stage, seed by seed: the table in docs/recipes.md.

`python -m perf.longer OUT SEED...` plays each seed (about nine minutes of one
core) and prints the table over all seeds in OUT. Parts of a seed that are there are kept.
"""

import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.outputs import write_file
from ordojo.evaluation.compact import rendering
from ordojo.training.curriculum import CurriculumConfig
from ordojo.training.curriculum import run as curriculum
from ordojo.training.grpo import GrpoConfig
from ordojo.training.grpo import run as grpo
from ordojo.training.models.loading import Loaded, load_model, make_tiny
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.prm import PrmConfig, best_of, load_scorer
from ordojo.training.prm import run as process
from ordojo.training.recipes.recipe import RecipeSource
from ordojo.training.recipes.run import figures_of, held_out_figures
from ordojo.training.rollouts.rollout import rollout
from ordojo.training.rollouts.work import Sampling, plan
from ordojo.training.sft import Record, SftConfig, rendered
from ordojo.training.sft import run as sft

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


def debugging(count: int, seed: int, split: str = "train", **more: Any) -> RecipeSource:
    """Problems of the types in `LEARNT`, in turn."""
    return RecipeSource(
        benchmark="or-debug",
        count=count,
        seed=seed,
        own={"set": split, "kinds": LEARNT},
        options=DEBUG,
        max_tokens=16,
        **more,
    )


def newsvendor(count: int | None, seed: int, which: str = "") -> RecipeSource:
    """Inventory scenarios."""
    own = {"set": which} if which else {}
    return RecipeSource(
        benchmark="or-bias", count=count, seed=seed, own=own, options=BIAS, max_tokens=16
    )


def repair(out: Path, seed: int) -> dict[str, Any]:
    """or-debug before, after SFT on an imperfect teacher, after GRPO, and best of several."""
    held = debugging(200, 1000 + seed, "eval")
    records = debugging(1000, seed, doubt=0.6).records()
    words = [turn["content"] for talk in rendered(records, rendering("compact")) for turn in talk]
    start = held_out_figures(Loaded(*make_tiny(words), "tiny"), "compact", [held])
    model = _imitated(out / "sft", seed, 220, records)
    found = {"before": start["or-debug"], "SFT": _measured(model, held)}
    found |= chosen(out, seed, model, held)
    settings = _debugger(model, seed, steps=60)
    learnt = grpo(settings, out / "grpo", {"or-debug": debugging(1000, seed).instances()})
    found["GRPO"] = _measured(learnt["model"], held)
    return found | staged(out, seed, model, held)


def chosen(out: Path, seed: int, model: str, held: RecipeSource) -> dict[str, Any]:
    """Several samples of the model: all of them, and those that a process reward model takes."""
    settings = PrmConfig(
        **SHARED, model=model, batch_size=24, learning_rate=1e-3, steps=100, seed=seed
    )
    policies = ["gold", "elastic", "random", "drop-everything", "greedy-iis"]
    mixture = debugging(150, 5000 + seed, policies=policies).trajectories()
    judge = process(settings, out / "prm", mixture)
    work = plan(
        "or-debug",
        ModelPolicy(load_model(model), rendering("compact")),
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


def staged(out: Path, seed: int, model: str, held: RecipeSource) -> dict[str, Any]:
    """GRPO on easy problems first, and as many steps on the same problems in any order."""
    settings = _debugger(model, seed, steps=30, log_kl=False)
    found = {}
    for name, mixed in (("GRPO, easy ones first", False), ("GRPO, the same, mixed", True)):
        config = CurriculumConfig(
            settings=settings,
            curriculum="debugging",
            stages=(1, 3),
            mixed=mixed,
            own={"kinds": EASY + LEARNT},
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


def _measured(model: Json, held: RecipeSource) -> Json:
    return held_out_figures(load_model(str(model)), "compact", [held])[held.benchmark]


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The mean over the seeds with the least and the most, stage by stage."""
    lines = []
    for part in PARTS:
        for stage in rows[0].get(part, ()):
            figures = rows[0][part][stage]
            for name in figures:
                values = [_value(row[part][stage].get(name)) for row in rows if part in row]
                known = [value for value in values if value is not None]
                if known and name not in ("n", "steps_n"):
                    spread = f"{min(known):.3f} to {max(known):.3f}"
                    lines.append(f"{stage} | {name} | {statistics.fmean(known):.3f} | {spread}")
    return "\n".join(lines)


def _value(figure: Any) -> float | None:
    found = figure[0] if isinstance(figure, list) else figure
    return float(found) if isinstance(found, int | float) and found == found else None


def main() -> None:
    """Play the seeds named that OUT does not have yet, and print the table."""
    import torch

    torch.set_num_threads(1)
    out = Path(sys.argv[1])
    for seed in map(int, sys.argv[2:]):
        path = out / f"seed-{seed}.json"
        found = json.loads(path.read_text("utf-8")) if path.exists() else {}
        for name, play in PARTS.items():
            if name not in found:
                found[name] = play(out / f"seed-{seed}", seed)
                write_file(path, json.dumps(found, indent=1) + "\n")
    rows = [json.loads(path.read_text("utf-8")) for path in sorted(out.glob("seed-*.json"))]
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
