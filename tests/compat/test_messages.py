import dataclasses
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.compat import messages
from ordojo.compat.messages import BadMessage, pack, unpack
from ordojo.compat.service import problem_hash
from ordojo.milp.model import INF, Model
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import Problem, Settings
from tests.compat.service_problems import KINDS, make


def again(problem: Problem) -> Problem:
    return messages.read_problem(unpack(pack({"problem": problem}))["problem"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_problem_comes_back_as_it_was(kind: str) -> None:
    problem = make(kind, 0)
    assert pack({"p": again(problem)}) == pack({"p": problem})
    assert problem_hash(again(problem)) == problem_hash(problem)


def test_names_and_settings_come_back() -> None:
    problem = make("mip", 1)
    n = problem.model.n
    names = tuple(f"x[{j}, '\u00e9\ud800\n']" for j in range(n))
    problem = dataclasses.replace(
        problem,
        model=dataclasses.replace(problem.model, col_names=names),
        start=np.array([np.nan, *range(n - 1)], float),
        settings=Settings(time_limit=2.5, cutoff=-3.0, node_limit=1e120, lazy=True, seed=4),
    )
    found = again(problem)
    assert found.model.col_names == names
    assert found.settings == problem.settings._replace(node_limit=None)
    assert found.start is not None and np.isnan(found.start[0]) and found.start[1] == 0


def test_a_result_comes_back() -> None:
    x = np.array([1.0, np.inf, np.nan])
    result = SolveResult(
        Status.OPTIMAL, 1.5, -INF, x, x, None, 3, 4, 0.5, ((2.0, x),), "highs", "why"
    )
    found = messages.read_result(unpack(messages.write_result(result))["result"])
    assert pack({"r": found._asdict()}) == pack({"r": result._asdict()})


def test_the_hash_is_of_the_meaning_and_not_of_names_or_time() -> None:
    problem = make("mip", 2)
    model = problem.model
    same = dataclasses.replace(
        problem,
        model=model.renamed({"r0": "other"}, {"x0": "y"}),
        settings=Settings(time_limit=3.0),
    )
    assert problem_hash(same) == problem_hash(problem)
    others = [
        dataclasses.replace(problem, settings=Settings(mip_gap=1e-3)),
        dataclasses.replace(problem, model=dataclasses.replace(model, maximize=not model.maximize)),
        dataclasses.replace(problem, model=model.with_col_bounds(0, 0.0, 9.0)),
        dataclasses.replace(problem, start=np.zeros(model.n)),
    ]
    assert len({problem_hash(part) for part in (problem, *others)}) == 5


def changed(**fields: object) -> bytes:
    model = {
        field.name: getattr(make("mip", 0).model, field.name) for field in dataclasses.fields(Model)
    }
    problem = {
        field.name: getattr(make("mip", 0), field.name) for field in dataclasses.fields(Problem)
    }
    for name, value in fields.items():
        (model if name in model else problem)[name] = value
    return pack({"problem": {**problem, "model": model}})


n = make("mip", 0).model.n


@pytest.mark.parametrize(
    "data",
    [
        changed(col_lower=np.zeros(n - 1)),
        changed(col_lower=np.full(n, np.nan)),
        changed(col_lower=np.full(n, INF)),
        changed(objective=np.full(n, INF)),
        changed(types=np.full(n, 5, np.uint8)),
        changed(types=np.zeros(n)),
        changed(index=np.full(len(make("mip", 0).model.index), n, np.int32)),
        changed(index=np.full(len(make("mip", 0).model.index), -1, np.int32)),
        changed(starts=np.zeros(make("mip", 0).model.m + 1, np.int32)),
        changed(offset=np.nan),
        changed(maximize=1),
        changed(col_names=[1] * n),
        changed(indicators=[{"name": "i"}]),
        changed(sos=[{"kind": 3, "index": np.zeros(1, np.int32), "weights": np.ones(1)}]),
        changed(general=[{"name": "g", "function": "magic"}]),
        changed(
            general=[
                {
                    "name": "g",
                    "function": "pow",
                    "result": 0,
                    "operands": np.array([1], np.int32),
                    "numbers": [],
                }
            ]
        ),
        changed(settings={}),
        changed(start=np.zeros(n + 1)),
        b"",
        b"ODJ1" + b"\xff" * 8,
        pack({"problem": None}),
    ],
)
def test_what_is_no_problem_is_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(BadMessage) as found:
        messages.read_problem(unpack(data).get("problem"))
    assert len(str(found.value)) > 10


GOOD = pack({"problem": make("indicator", 3), "more": make("pwl", 1)})


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=6),
       st.integers(0, len(GOOD)))  # fmt: skip
def test_damaged_bytes_never_do_more_than_be_refused(
    changes: list[tuple[int, int]], length: int
) -> None:
    data = bytearray(GOOD)
    for place, value in changes:
        data[place] = value
    for damaged in (bytes(data), bytes(data[:length])):
        try:
            body = unpack(damaged)
            messages.read_problem(body.get("problem"))
            messages.read_problem(body.get("more"))
        except BadMessage:
            continue


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for given_bytes in (data, b"ODJ1" + len(data).to_bytes(8, "little") + data):
        with pytest.raises(BadMessage):
            unpack(given_bytes)


def test_a_million_entries_pass_within_a_second() -> None:
    m, k = 200_000, 5
    model = dataclasses.replace(
        make("lp", 0).model,
        row_names=tuple(f"row{i}" for i in range(m)),
        row_lower=np.zeros(m),
        row_upper=np.ones(m),
        starts=np.arange(0, m * k + 1, k).astype(np.int32),
        index=np.tile(np.arange(k, dtype=np.int32), m),
        value=np.ones(m * k),
    )
    began = time.process_time()
    found = again(Problem(model))
    problem_hash(found)
    assert found.model.nonzeros == 1_000_000
    assert time.process_time() - began < 1.5
