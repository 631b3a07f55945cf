"""Whether anything that a program can ask of the solver service reaches the run as an exception.

    python -m perf.service_fuzz --problems 10000 --programs 1000

Random problems of all kinds, with numbers that no solver likes, go to the service as messages; then
right programs with random edits are run as answers. An answer of the service, whatever it says,
is a pass; so is any record of a run. What is raised is printed with the seed that makes it again.
"""

import argparse
import dataclasses
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import partial

import numpy as np
from tests.compat.service_problems import KINDS, make

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt.policies import reply
from ordojo.compat.messages import pack, unpack
from ordojo.compat.service import Service, SolverLimits
from ordojo.core.environment import Observation
from ordojo.core.episode import play
from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Floats
from ordojo.solvers.problem import Problem, Settings

Rng = np.random.Generator

ODD = (1e20, -1e20, 1e308, -1e308, 5e-324, 1e-12, 1e15, 0.0, -0.0, INF, -INF, np.nan, 2.0**53)
"""Numbers at the edges of what solvers and messages take."""

QUESTIONS = ("solve", "solve", "solve", "iis", "analysis")


def problem_of(seed: int) -> Problem:
    """The random problem of a seed: of any kind, and in two of three with odd numbers or sizes."""
    rng = generator(seed, "fuzz problem", 0)
    problem = make(str(rng.choice(KINDS)), seed)
    for _ in range(int(rng.integers(0, 4))):
        problem = _spoiled(problem, rng)
    settings = Settings(
        time_limit=float(rng.choice([1.0, 1.0, 0.01, 0.0])),
        mip_gap=float(rng.choice([0.0, 1e-4, 1e9])),
        presolve=bool(rng.random() < 0.8),
        relaxed=bool(rng.random() < 0.1),
        pool_solutions=int(rng.choice([1, 1, 3])),
        pool_mode=int(rng.choice([0, 0, 2])),
        cutoff=_odd(rng) if rng.random() < 0.1 else None,
        best_obj_stop=_odd(rng) if rng.random() < 0.1 else None,
        node_limit=float(rng.choice([0, 3, 1e9])) if rng.random() < 0.1 else None,
        feasibility_tol=float(rng.choice([0, 1e-9, 1.0])) if rng.random() < 0.1 else None,
    )
    changed: Problem = dataclasses.replace(problem, settings=settings)
    return changed


def _odd(rng: Rng) -> float:
    return float(rng.choice(ODD))


def _spoiled(problem: Problem, rng: Rng) -> Problem:
    """The problem with one part of it made odd."""
    model = problem.model
    part = str(
        rng.choice(["objective", "value", "col", "row", "offset", "scale", "empty", "parts"])
    )
    if part in ("objective", "value"):
        numbers = np.array(getattr(model, part))
        if len(numbers):
            numbers[rng.integers(len(numbers))] = _odd(rng)
        model = dataclasses.replace(model, **{part: numbers})  # type: ignore[arg-type]
    elif part in ("col", "row"):
        side = f"{part}_{rng.choice(['lower', 'upper'])}"
        numbers = np.array(getattr(model, side))
        if len(numbers):
            numbers[rng.integers(len(numbers))] = _odd(rng)
        model = dataclasses.replace(model, **{side: numbers})  # type: ignore[arg-type]
    elif part == "offset":
        model = dataclasses.replace(model, offset=_odd(rng))
    elif part == "scale":
        factor = 10.0 ** rng.integers(-15, 16)
        with np.errstate(over="ignore"):
            model = dataclasses.replace(model, objective=model.objective * factor)
    elif part == "empty":
        model = dataclasses.replace(
            model,
            row_names=(),
            row_lower=np.zeros(0),
            row_upper=np.zeros(0),
            starts=np.zeros(1, np.int32),
            index=np.zeros(0, np.int32),
            value=np.zeros(0),
        )
    else:
        return _with_odd_parts(problem, rng)
    return dataclasses.replace(problem, model=model)


def _with_odd_parts(problem: Problem, rng: Rng) -> Problem:
    """The problem with odd numbers in what is beyond its linear model."""

    def odd(numbers: Floats) -> Floats:
        return np.where(rng.random(len(numbers)) < 0.3, rng.choice(ODD, len(numbers)), numbers)

    quadratic = problem.quadratic
    return dataclasses.replace(
        problem,
        quadratic=quadratic and quadratic._replace(value=odd(quadratic.value)),
        quadratic_rows=tuple(
            row._replace(value=odd(row.value), upper=_odd(rng)) for row in problem.quadratic_rows
        ),
        indicators=tuple(one._replace(value=odd(one.value)) for one in problem.indicators),
        sos=tuple(one._replace(weights=odd(one.weights)) for one in problem.sos),
        general=tuple(
            one._replace(numbers=tuple(odd(np.array(one.numbers)).tolist()))
            for one in problem.general
        ),
        objectives=tuple(
            one._replace(coefficients=odd(one.coefficients), weight=_odd(rng))
            for one in problem.objectives
        ),
    )


def ask(seed: int) -> str:
    """How the service answers the problem of a seed: its ending, or the kind of its answer."""
    kind = QUESTIONS[seed % len(QUESTIONS)]
    data = pack({"kind": kind, "problem": problem_of(seed), "interactive": False})
    with Service(SolverLimits(seconds=2.0, total_seconds=5.0)) as service:
        found = unpack(service.handle(data))
    if found["kind"] != "result":
        return f"{kind}: {found['kind']}"
    ending, detail = str(found["result"]["status"]), str(found["result"]["detail"])
    return f"{ending}: {detail} (problem {seed})" if ending in _OURS else ending


_OURS = ("crash", "memory")
"""Endings that are worth a look, each."""

_NUMBER = re.compile(r"(?<![\w.])\d+(\.\d+)?")
_SWAPS: tuple[tuple[str, str], ...] = (
    ("<=", ">="),
    (">=", "<="),
    ("MINIMIZE", "MAXIMIZE"),
    ("BINARY", "CONTINUOUS"),
    ("+", "-"),
)
_SWAPS += (("INTEGER", "CONTINUOUS"), ("quicksum", "sum"), ("lb=0", "lb=-1e30"), ("optimize()", ""))


def program_of(seed: int) -> tuple[str, str]:
    """An item of nl2opt@ordojo, and its right program with up to four random edits."""
    rng = generator(seed, "fuzz program", 0)
    items = BENCHMARK.load(BENCHMARK.options(), 0)
    item = items[int(rng.integers(len(items)))]
    text = item.problem.program
    for _ in range(int(rng.integers(1, 5))):
        lines = text.splitlines()
        if not _NUMBER.search(text):
            break
        place = int(rng.integers(len(lines)))
        match int(rng.integers(5)):
            case 0:
                odd = str(
                    rng.choice(["1e20", "1e308", "0", "-1", "1e-13", "float('nan')", "10**30"])
                )
                found = list(_NUMBER.finditer(text))
                one = found[int(rng.integers(len(found)))]
                text = text[: one.start()] + odd + text[one.end() :]
            case 1:
                old, new = _SWAPS[int(rng.integers(len(_SWAPS)))]
                text = text.replace(old, new, 1)
            case 2:
                text = "\n".join(lines[:place] + lines[place + 1 :])
            case 3:
                text = "\n".join([*lines[:place], lines[place], *lines[place:]])
            case _:
                other = int(rng.integers(len(lines)))
                lines[place], lines[other] = lines[other], lines[place]
                text = "\n".join(lines)
    return item.id, text


def _answer(text: str, asked: Observation) -> str:
    return text


def run(seeds: range) -> Iterator[str]:
    """How the mutated programs of these seeds are judged."""
    options = BENCHMARK.options(time_limit=5.0, program_limit=5.0)
    by_id = {item.id: item for item in BENCHMARK.load(options, 0)}
    environment = BENCHMARK.environment(options, 0)
    try:
        for seed in seeds:
            name, program = program_of(seed)
            episode = play(environment, by_id[name], partial(_answer, reply(program)))
            verdict = BENCHMARK.rules["strict-1e-6"](by_id[name], episode)
            yield (
                verdict.outcome if verdict.outcome != "wrong" else verdict.reason.partition(":")[0]
            )
    finally:
        environment.close()


def fuzz(problems: range, programs: range) -> tuple[Counter[str], list[str]]:
    """How all ended, and what was raised."""
    endings: Counter[str] = Counter()
    raised: list[str] = []
    for seed in problems:
        try:
            endings[ask(seed)] += 1
        except Exception:
            raised.append(f"problem {seed}: {traceback.format_exc(limit=-3)}")
    place = programs.start
    while place < programs.stop:
        try:
            for how in run(range(place, programs.stop)):
                endings[f"program {how}"] += 1
                place += 1
        except Exception:
            raised.append(f"program {place}: {traceback.format_exc(limit=-3)}")
            place += 1
    return endings, raised


def main() -> int:
    """Run as the module says; 1 where anything was raised."""
    parser = argparse.ArgumentParser(prog="python -m perf.service_fuzz", description=__doc__)
    parser.add_argument("--problems", type=int, default=10_000)
    parser.add_argument("--programs", type=int, default=1_000)
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    given = parser.parse_args()
    began = time.monotonic()
    first = given.start
    endings, raised = fuzz(
        range(first, first + given.problems), range(first, first + given.programs)
    )
    lines = [f"{count:7,} {how}" for how, count in endings.most_common()]
    lines.append(f"{len(raised):7,} raised, in {time.monotonic() - began:.0f} s")
    sys.stdout.write("\n".join([*lines, *raised[:20], ""]))
    return 1 if raised else 0


if __name__ == "__main__":
    sys.exit(main())
