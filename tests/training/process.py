"""Trains a tiny process reward model on scripted policies: the last part of `learning`."""

from ordojo.benchmarks.or_debug.policies import policies
from ordojo.evaluation.compact import rendering
from ordojo.training.models.loading import make_tiny, save_model
from ordojo.training.models.session import read_metrics
from ordojo.training.prm import PrmConfig, best_of, labelled, load_scorer, run
from ordojo.training.rollouts.rollout import Player
from ordojo.training.rollouts.work import plan

GOOD, BAD = ("gold", "elastic"), ("random", "drop-everything", "greedy-iis")


def played(name, instances, options):
    work = plan("or-debug", policies()[name], options=options, instances=instances, seed=0)
    with Player(work) as player:
        return player.play(work.items(0, work.size))


def learn(folder, tiny, options, instances, fresh):
    """The figures of a model of sizes `tiny` that has learnt from policies at `instances`.

    It chooses among attempts of policies at `fresh` ones.
    """
    mixture = [one for name in (*GOOD, *BAD) for one in played(name, instances, options)]
    texts = [step.text for step in labelled(mixture, rendering("compact"))]
    base = save_model(*make_tiny(texts, tiny), folder / "base", "compact")
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
    tried = ("random", "greedy-iis", "elastic")
    attempts = [one for name in tried for one in played(name, fresh, options)]
    chosen = best_of(load_scorer(folder / "prm" / "model", "cpu"), attempts)
    found["attempts"] = sum(one.scores["rr@5"] for one in attempts) / len(attempts)
    found["best"] = sum(one.scores["rr@5"] for one in chosen) / len(chosen)
    found["chosen"] = len(chosen)
    found["looks"] = [
        (row["step"], row["auc"]) for row in read_metrics(folder / "prm/validation.csv")
    ]
    return found
