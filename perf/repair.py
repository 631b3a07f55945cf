"""What a trained repairer learnt: `python -m perf.repair [--model MODEL] [--count N] [SET ...]`.

Sets of or-debug that its training never saw, each nearer or further from what it did see:

- `paper`: the paper's basic injectors (C.1), the tellings of training, other problems;
- `retold`: the shipped `eval-v1`, whose problems are told by another author's sentences;
- `families`: specifications of which no problem was trained on;
- `names`: `paper` with the names of each model's constraints handed round;
- `silenced`: `paper` without its descriptions, where what was read must be missed;
- `eval-v6`, `silent-v3`, `authors`: the shipped sets, and the authors' published hard-da.

Beside the models stand the scripted policies that get the same states.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

import ordojo
from ordojo.benchmarks.or_debug.actions import Action, parse_action
from ordojo.benchmarks.or_debug.adversaries import knowers
from ordojo.benchmarks.or_debug.injection.generate import Sizes, produce
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.benchmarks.or_debug.schema import TYPES, Debugging, make_instance
from ordojo.benchmarks.or_debug.seeds import SIZES
from ordojo.benchmarks.or_debug.shortcuts import shortcuts
from ordojo.core.instance import Instance
from ordojo.core.seeds import generator
from ordojo.core.trajectory import Trajectory
from ordojo.evaluation.compact import rendering
from ordojo.milp.model import Model
from ordojo.problems.registry import NAMES
from ordojo.training.models.loading import load_model
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.recipes.run import figures_of
from ordojo.training.rollouts.rollout import rollout
from ordojo.training.rollouts.work import Sampling, plan

SEED = 31
"""Of the problems made here; recipes train and look at 21 to 24."""

OTHERS: Sizes = {name: {} for name in NAMES if name not in SIZES}
"""The specifications that or-debug does not draw from, with the knobs of their small sizes."""

TOKENS, BATCH = 96, 150
"""The most of a reply, and episodes played together: a step in Python is paid once for all."""

Problems = list[Instance[Any]]


def made(count: int, sizes: Sizes = SIZES) -> Problems:
    """Problems of the basic injectors, type by type in turn."""
    kinds = "".join(TYPES)
    problems = (
        produce("eval", SEED, place, kinds[place % len(kinds)], robust=False, sizes=sizes).problem
        for place in range(count)
    )
    return [make_instance(problem, {}) for problem in problems]


def handed_round(instance: Instance[Debugging]) -> Instance[Debugging]:
    """The same problem with the names of its constraints permuted."""
    problem = instance.problem
    rows = list(problem.model.row_names)
    order = generator(SEED, "perf/names", instance.problem.index).permutation(len(rows))
    names = {name: rows[k] for name, k in zip(rows, order.tolist(), strict=True)}

    def renamed(fix: str) -> str:
        action = parse_action(fix, problem.model)
        assert isinstance(action, Action)
        return str(replace(action, target=names.get(action.target, action.target)))

    def model(one: Model) -> dict[str, Any]:
        return dict(one.renamed({k: v for k, v in names.items() if k in one.rows}).to_json())

    return make_instance(
        replace(
            problem,
            original=model(problem.original_model),
            sabotaged=model(problem.model),
            targets=tuple(names.get(name, name) for name in problem.targets),
            fix=tuple(renamed(fix) for fix in problem.fix),
            iis_rows=tuple(names[name] for name in problem.iis_rows),
        ),
        {},
    )


def silenced(instance: Instance[Debugging]) -> Instance[Debugging]:
    """The same problem with a description that says nothing."""
    return make_instance(replace(instance.problem, text="A model has to be repaired."), {})


def shipped(name: str) -> Callable[[int], Problems]:
    """The first problems of a set that comes with ordojo, or is a dataset, evenly taken."""

    def load(count: int) -> Problems:
        every = list(ordojo.load("or-debug", set=name))
        return every[:: max(1, len(every) // count)][:count]

    return load


SETS: Mapping[str, Callable[[int], Problems]] = {
    "paper": made,
    "retold": shipped("eval-v1"),
    "families": lambda count: made(count, OTHERS),
    "names": lambda count: [handed_round(one) for one in made(count)],
    "silenced": lambda count: [silenced(one) for one in made(count)],
    "eval-v6": shipped("eval-v6"),
    "silent-v3": shipped("silent-v3"),
    "authors": shipped("authors/hard-da"),
}


def model_policy(name: str) -> ModelPolicy:
    """A model, asked in half precision, greedily, in the short form that repairers read."""
    loaded = load_model(name, dtype="bfloat16", trainable=False)
    return ModelPolicy(loaded, rendering("focused"), name)


def played(policy: Any, instances: Problems) -> list[Trajectory]:
    """Each problem once, in the episode of five steps."""
    sampling = Sampling(temperature=0.0, max_tokens=TOKENS, batch=BATCH)
    asked = {"history": "state", "max_steps": "5"}
    work = plan("or-debug", policy, options=asked, instances=instances, sampling=sampling)
    return list(rollout(work))


def figures(name: str, found: Sequence[Trajectory]) -> Iterator[str]:
    """RR@5, DA and steps with intervals of 95%, and RR@5 by type."""
    row: Any = figures_of("or-debug", found)
    parts = [
        f"{what} {value:.3f} ({low:.3f} to {high:.3f})"
        for what, (value, low, high) in ((k, v) for k, v in row.items() if k != "n")
        if value is not None
    ]
    yield f"  {name}, n {row['n']}: {', '.join(parts)}"
    kinds = sorted({one.labels["type"] for one in found})
    for kind in kinds:
        scores = [one.headline.score or 0.0 for one in found if one.labels["type"] == kind]
        yield f"    {kind} {sum(scores) / len(scores):.2f} of {len(scores)}"


@click.command()
@click.argument("sets", nargs=-1, type=click.Choice(list(SETS)))
@click.option("--model", "models", multiple=True, help="A folder, or as ordojo/smollm2-repair.")
@click.option("--count", type=click.IntRange(1), default=450, help="Problems of a set at most.")
@click.option("--scripted/--no-scripted", default=True, help="Play the scripted policies too.")
def main(sets: tuple[str, ...], models: tuple[str, ...], count: int, scripted: bool) -> None:
    """Print the figures of each model and scripted policy on each set, all by default."""
    rules = dict(policies()) | dict(shortcuts()) | dict(knowers()) if scripted else {}
    known = {name: rule for name, rule in rules.items() if name != "heuristic"}
    players: dict[str, Any] = {**known, **{name: model_policy(name) for name in models}}
    for name in sets or SETS:
        instances = SETS[name](count)
        print(f"{name}: {len(instances)} problems", flush=True)
        for who, policy in players.items():
            print(*figures(who, played(policy, instances)), sep="\n", flush=True)


if __name__ == "__main__":
    main()
