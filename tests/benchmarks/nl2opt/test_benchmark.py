"""The shipped problems, how instances are made of items, and what is refused."""

import dataclasses
import json
from collections import Counter
from pathlib import Path

import pytest

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt.items import refused, verify
from ordojo.core.errors import DataError, UsageError
from ordojo.core.options import parse_options
from ordojo.datasets.golds import GoldAnswer
from tests.benchmarks.nl2opt.made import answered, instance, options, ran, right, verdict
from tests.core.helpers import published_folder

INSTANCES = BENCHMARK.load(options(), 0)


def test_the_shipped_set() -> None:
    kinds = Counter(i.labels["type"] for i in INSTANCES)
    assert len(INSTANCES) >= 24
    assert kinds["LP"] >= 8 and kinds["MIP"] >= 12
    assert sum(bool(i.problem.files) for i in INSTANCES) >= 3
    assert [i.id for i in INSTANCES if i.problem.status == "infeasible"] == ["greenhouse-beds"]
    assert {i.labels["size"] for i in INSTANCES} == {"<500", "<1,000"}
    assert len({i.problem.question for i in INSTANCES}) == len(INSTANCES)


@pytest.mark.parametrize("name", [i.id for i in INSTANCES])
def test_every_program_builds_its_reference_model(name: str) -> None:
    episode = ran(right(name), name=name)
    info = episode.turns[-1].info
    assert info["equivalence"]["answer"] == "equal"  # type: ignore[index, call-overload]
    assert verdict(episode, name).score == 1
    assert verdict(episode, name, "equivalent").score == 1


@pytest.mark.parametrize("name", [i.id for i in INSTANCES])
def test_real_gurobi_finds_the_same_optimum(name: str, tmp_path: Path) -> None:
    gurobipy = pytest.importorskip("gurobipy")
    problem = instance(name).problem
    assert problem.reference is not None
    try:
        with gurobipy.Env(params={"OutputFlag": 0}) as env:
            model = gurobipy.read(str(problem.reference.place), env)
            model.optimize()
            status = model.Status
            value = model.ObjVal if status == 2 else None
    except gurobipy.GurobiError as error:
        pytest.skip(f"no licence for this: {error}")
    if problem.golds[0].value is None:
        assert status in {3, 4}
    else:
        assert value == pytest.approx(problem.golds[0].value, rel=1e-6)


def test_verify_finds_a_wrong_gold() -> None:
    found = instance()
    verify(found)
    wrong = (GoldAnswer("number", 255.0, "255"),)
    problem = dataclasses.replace(found.problem, golds=wrong)
    with pytest.raises(DataError, match="certificate"):
        verify(dataclasses.replace(found, problem=problem))
    data = {**found.certificate.data, "golds": [dataclasses.asdict(gold) for gold in wrong]}
    certificate = dataclasses.replace(found.certificate, data=data)
    with pytest.raises(DataError, match="optimum 254"):
        verify(dataclasses.replace(found, problem=problem, certificate=certificate))


def test_where_a_file_lies_is_no_content() -> None:
    found = instance("crate-return")
    files = found.problem.files
    moved = {n: type(f)(f.sha256, f.size, Path("/elsewhere")) for n, f in files.items()}
    again = dataclasses.replace(found, problem=dataclasses.replace(found.problem, files=moved))
    assert again.content_hash == found.content_hash
    assert again.problem.files["data/shops.csv"].place == Path("/elsewhere")


def own(folder: Path, *rows: dict[str, object]) -> str:
    path = folder / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def test_ones_own_problems(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a\n1\n")
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "one.txt").write_text("print('optimal_value = 3')\n")
    path = own(
        tmp_path,
        {"id": "one", "question": "How many?", "answer": 3, "files": ["table.csv"]},
        {"id": "two", "question": "How much?", "answer": "infeasible"},
        {"id": "three", "question": "How long?", "answer": 5, "files": ["absent.csv"]},
    )
    chosen = options(dataset=path)
    found = BENCHMARK.load(chosen, 0)
    assert [i.id for i in found] == ["one", "two"]
    assert found[0].problem.program.startswith("print")
    assert found[0].problem.dataset == "own.jsonl"
    assert BENCHMARK.dataset(chosen)["refused"] == "three"
    assert list(refused(path)) == ["three"]
    with pytest.raises(DataError, match=r"three: absent\.csv is not there; it cannot be asked"):
        BENCHMARK.load(options(dataset=path, items="one, three"), 0)
    with pytest.raises(UsageError, match="no item 'four'"):
        BENCHMARK.load(options(dataset=path, items="four"), 0)


def test_nothing_left_is_an_error(tmp_path: Path) -> None:
    path = own(tmp_path, {"id": "one", "question": "What?", "answer": 5, "files": ["absent.csv"]})
    with pytest.raises(DataError, match="no item that can be asked"):
        BENCHMARK.load(options(dataset=path), 0)


def test_items_are_chosen_in_the_order_given() -> None:
    found = BENCHMARK.load(options(items="tea-urns, bakery-mix,tea-urns"), 0)
    assert [i.id for i in found] == ["tea-urns", "bakery-mix"]


@pytest.mark.parametrize(
    "settings",
    [{"prompt": "gurobi"}, {"repair": -1}, {"isolation": "none"}, {"mode": "completion"}],
)
def test_bad_options(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        parse_options(BENCHMARK.options, settings, "nl2opt")


def test_policies() -> None:
    policies = BENCHMARK.policies(INSTANCES)
    assert list(policies) == ["gold", "noop", "random", "majority"]
    texts = {policies["random"].begin(INSTANCES[0], 0, k)(None) for k in range(1, 9)}  # type: ignore[arg-type]
    assert len(texts) > 4
    assert verdict(answered(policies["gold"].begin(instance(), 0, 1)(None))).score == 1  # type: ignore[arg-type]
    alone = BENCHMARK.policies([instance()])["majority"].begin(instance(), 0, 1)(None)  # type: ignore[arg-type]
    assert "254.0" in alone


@pytest.mark.data
def test_reference_models_give_golds() -> None:
    published_folder()
    found = BENCHMARK.load(options(dataset="bench4opt@valid-423"), 0)
    assert len(found) == 423
    kinds = Counter(i.problem.status for i in found)
    assert kinds == {"ok": 240, "infeasible": 183}
    assert all(i.problem.golds for i in found)
    verify(found[0])


@pytest.mark.data
def test_incomplete_instances_are_refused() -> None:
    published_folder()
    chosen = options(dataset="miplib-nl@unpacked-20")
    assert len(BENCHMARK.load(chosen, 0)) == 18
    assert BENCHMARK.dataset(chosen)["refused"] == "ex1010-pi, neos-3610173-itata"
    with pytest.raises(DataError, match="ex1010-pi"):
        BENCHMARK.load(options(dataset="miplib-nl@unpacked-20", items="ex1010-pi"), 0)
