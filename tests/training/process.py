"""Trains a tiny process reward model on scripted policies: the last part of `learning`."""

from ordojo.benchmarks.or_debug.policies import policies
from ordojo.evaluation.compact import compact
from ordojo.training.models.loading import TinyConfig, make_tiny, save_model
from ordojo.training.models.session import read_metrics
from ordojo.training.prm import PrmConfig, best_of, labelled, load_scorer, run
from ordojo.training.rollouts.rollout import Player
from ordojo.training.rollouts.work import plan

from .learning import DEBUG, debugging

GOOD, BAD = ("gold", "elastic"), ("random", "drop-everything", "greedy-iis")


def played(name, instances, samples=1):
    work = plan(
        "or-debug", policies()[name], options=DEBUG, instances=instances, samples=samples, seed=0
    )
    with Player(work) as player:
        return player.play(work.items(0, work.size))


def learn(folder):
    instances = debugging("train", 21, 80)
    mixture = [one for name in (*GOOD, *BAD) for one in played(name, instances)]
    texts = [step.text for step in labelled(mixture, compact)]
    base = save_model(*make_tiny(texts, TinyConfig()), folder / "base", "compact")
    config = PrmConfig(
        model=str(base),
        method="full",
        steps=54,
        batch_size=24,
        learning_rate=1e-3,
        scheduler="constant",
        device="cpu",
        rendering="compact",
    )
    found = dict(run(config, folder / "prm", mixture))
    # Attempts of policies of every kind at new instances: which would the model take?
    fresh = debugging("eval", 22, 30)
    attempts = [one for name in ("random", "greedy-iis", "elastic") for one in played(name, fresh)]
    chosen = best_of(load_scorer(folder / "prm" / "model", "cpu"), attempts)
    found["attempts"] = sum(one.scores["rr@5"] for one in attempts) / len(attempts)
    found["best"] = sum(one.scores["rr@5"] for one in chosen) / len(chosen)
    found["chosen"] = len(chosen)
    found["looks"] = [
        (row["step"], row["auc"]) for row in read_metrics(folder / "prm/validation.csv")
    ]
    return found
