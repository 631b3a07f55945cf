"""The tiny model through every stage, seed by seed: the table in docs/recipes.md.

`python -m ordojo.training.recipes.longer OUT SEED...` plays each seed (minutes of one core) and
prints the table over all seeds in OUT.
"""

import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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
from ordojo.training.sft import SftConfig
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


def debugging(count: int, seed: int, split: str = "train", **more: Any) -> Source:
    """Problems of two types that a tiny model can learn: a wrong side, a row too many."""
    return Source(
        benchmark="or-debug",
        count=count,
        seed=seed,
        set=split,
        kinds="AD",
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
    start = make_tiny([turn["content"] for talk in rendered(records, compact) for turn in talk])
    found = {"before": held_out_figures(Loaded(*start, "tiny"), "compact", [held])["or-debug"]}
    taught = sft(
        SftConfig(**SHARED, model="tiny", batch_size=16, learning_rate=1e-3, steps=220, seed=seed),
        out / "sft",
        records,
    )
    loaded = load_model(str(taught["model"]))
    found["SFT"] = held_out_figures(loaded, "compact", [held])["or-debug"]
    found |= chosen(out, seed, str(taught["model"]), held)
    settings = GrpoConfig(
        **SHARED,
        model=str(taught["model"]),
        options={"or-debug": {**DEBUG, "max_steps": 1}},
        rewards={"or-debug": "equation-5-full"},
        batch_size=64,
        learning_rate=3e-4,
        weight_decay=0.0,
        max_tokens=16,
        steps=60,
        seed=seed,
    )
    learnt = grpo(settings, out / "grpo", {"or-debug": debugging(1000, seed).instances()})
    loaded = load_model(str(learnt["model"]))
    found["GRPO"] = held_out_figures(loaded, "compact", [held])["or-debug"]
    return found


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


def order(out: Path, seed: int) -> dict[str, Any]:
    """or-bias after SFT alone, after table 27's stages, and after as many steps on all mixed."""
    held = [newsvendor(None, 2000 + seed, "eval")]
    taught = sft(
        SftConfig(**SHARED, model="tiny", batch_size=16, learning_rate=1e-3, steps=150, seed=seed),
        out / "orders",
        newsvendor(400, seed).records(),
    )
    model = str(taught["model"])
    found = {"no curriculum": held_out_figures(load_model(model), "compact", held)["or-bias"]}
    settings = GrpoConfig(
        **SHARED,
        model=model,
        benchmarks=("or-bias",),
        options={"or-bias": BIAS},
        rewards={"or-bias": "closeness"},
        batch_size=64,
        learning_rate=2e-4,
        weight_decay=0.0,
        max_tokens=16,
        steps=20,
        seed=seed,
    )
    for name, mixed in (("curriculum", False), ("the same, mixed", True)):
        config = CurriculumConfig(settings=settings, mixed=mixed, asked=BIAS)
        learnt = curriculum(config, out / name.replace(" ", "-"))
        loaded = load_model(str(learnt["model"]))
        found[name] = held_out_figures(loaded, "compact", held)["or-bias"]
    return found


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The mean over the seeds with the least and the most, stage by stage."""
    lines = []
    for part in ("repair", "order"):
        for stage in rows[0][part]:
            figures = rows[0][part][stage]
            for name in figures:
                values = [_value(row[part][stage].get(name)) for row in rows]
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
        if not path.exists():
            folder = out / f"seed-{seed}"
            found = {"repair": repair(folder, seed), "order": order(folder, seed)}
            path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    rows = [json.loads(path.read_text("utf-8")) for path in sorted(out.glob("seed-*.json"))]
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
