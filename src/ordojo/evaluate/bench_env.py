"""The debugging environment's speed, each figure against a named baseline in the same run."""

import time
from dataclasses import replace
from itertools import count

from ordojo.benchmarks.or_debug.saboteur.generate import generate
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.episode import play
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.evaluate.bench import Figure, session_of
from ordojo.evaluate.bench_steps import EXEC, TARGETS, steps
from ordojo.evaluate.session import Session


def bench_env(models: int = 40, repeats: int = 15) -> list[Figure]:
    """Measure steps, whole episodes, and instances built; ratios are medians of pairwise ratios.

    Episodes are played and judged twice over: on instances that are new to the process, and on the
    same ones again, whose programs and original optima are known by then, as in training. Solves
    are never remembered.
    """
    ours, against = steps(models, repeats)
    figures = [Figure("one step, warm HiGHS with IIS", ours * 1e6, "us", "")]
    for name, ratio in against.items():
        figures.append(Figure(f"{name} / one step", ratio, "times the time", TARGETS[name]))
    session = session_of("or-debug", {})
    for policy, target in (("gold", "1,000 or more"), ("greedy-iis", "")):
        new, again = _episodes(session, policy)
        figures += [
            Figure(f"whole episodes, {policy}, new instances", new, "episodes/s a core", target),
            Figure(f"whole episodes, {policy}, played again", again, "episodes/s a core", ""),
        ]
        if policy == "gold" and EXEC in against:
            # 1,000 a second is the target where such a step takes 0.62 ms: so it travels.
            ratio = 1 / new / (ours * against[EXEC])
            name = f"whole episode, gold, new instance / {EXEC}"
            figures.append(Figure(name, ratio, "times the time", "1.6 or less"))
    return [*figures, Figure("built and validated", _built(), "instances/s", "60 or more")]


def _episodes(session: Session, name: str, seconds: float = 2.0) -> tuple[float, float]:
    """Episodes a second of processor time on instances played first, and once more."""
    benchmark, policy = session.benchmark, session.policy(name)
    environment = benchmark.environment(session.options, session.seed)
    spent, played = [0.0, 0.0], 0
    while sum(spent) < 2 * seconds:
        instances = [_new(instance) for instance in session.instances]
        played += len(instances)
        for turn in (0, 1):
            started = time.process_time()
            for instance in instances:
                act = policy.begin(instance, session.seed, 1)
                episode = play(environment, instance, act, session.seed)
                for judge in benchmark.rules.values():
                    judge(instance, episode)
            spent[turn] += time.process_time() - started
    environment.close()
    return played / spent[0], played / spent[1]


def _new(instance: Instance[Debugging]) -> Instance[Debugging]:
    """The instance as it is after loading: its models read, and nothing else known of it."""
    problem = replace(instance.problem)
    assert problem.model.m and problem.original_model.m
    return replace(instance, problem=problem)


def _built(seconds: float = 4.0) -> float:
    """Instances a second on one core, the nine types in turn."""
    started = time.perf_counter()
    for index in count():
        generate("bench", 0, index, "ABCDEFGHI"[index % 9])
        if (passed := time.perf_counter() - started) > seconds:
            return (index + 1) / passed
    raise BenchmarkError("the clock stands still")
