"""A drawn sample: the same items for the same seed, each type with its share."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as inspect_eval

from ordojo.api.runs import prepare
from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.schema import OrqaOptions
from ordojo.cli import cli
from ordojo.core.errors import UsageError
from ordojo.core.instance import Certificate, Instance
from ordojo.evaluation.evaluation import Evaluation
from ordojo.evaluation.runs import read_runs, run_name
from ordojo.evaluation.session import draw
from ordojo.reports.site import command
from tests.core.helpers import published_folder
from tests.evaluation.conftest import Evaluate, request_for


def made(types: str) -> list[Instance[str]]:
    return [
        Instance(f"i{n}", "b", "1", kind, Certificate("none", {}), labels={"type": kind})
        for n, kind in enumerate(types)
    ]


@given(st.text("ABCDE", min_size=1, max_size=60), st.integers(1, 70), st.integers(0, 2**32))
def test_every_type_has_its_share_to_within_one(types: str, n: int, seed: int) -> None:
    instances = made(types)
    chosen = draw(instances, n, seed, ("type",))
    assert len(chosen) == min(n, len(types))
    assert [i for i in instances if i in chosen] == chosen, "file order, none twice"
    counts = Counter(i.problem for i in chosen)
    for kind, count in Counter(types).items():
        assert abs(counts[kind] - len(chosen) * count / len(types)) < 1
    assert chosen == draw(instances, n, seed, ("type",))


def test_labels_that_there_are_not_make_one_stratum() -> None:
    assert len(draw(made("AB" * 9), 7, 0, ("level",))) == 7


def test_seeds_draw_differently() -> None:
    draws = {tuple(i.id for i in draw(made("ABC" * 30), 9, seed, ("type",))) for seed in range(20)}
    assert len(draws) == 20


def test_models_are_asked_the_same_items(evaluate: Evaluate) -> None:
    views = [evaluate(model=f"ordojo/{name}", sample=11) for name in ("gold", "random")]
    ids = [[r.id for r in view.records] for view in views]
    assert ids[0] == ids[1]
    assert Counter(r.labels["type"] for r in views[0].records) == {f"Q{i}": 1 for i in range(1, 12)}
    assert views[0].header.sample == 11 and views[0].header.items == 11
    assert "--sample 11" in command(views[0].header)


def test_a_sample_is_another_run_and_no_sample_is_named_as_before(tmp_path: Path) -> None:
    whole, some = (Evaluation(request_for(tmp_path, sample=n)).header for n in (None, 11))
    assert run_name(whole) != run_name(some)
    fields = {key: value for key, value in vars(whole).items() if key != "sample"}
    assert run_name(type(whole)(**fields)) == run_name(whole)


def test_limit_and_sample_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give one of them"):
        Evaluation(request_for(tmp_path, sample=1, limit=1))
    with pytest.raises(UsageError, match="`sample` 0: give a whole number"):
        prepare(["orqa"], ["ordojo/gold"], sample=0)


def test_a_person_plays_the_sample_that_models_were_asked(tmp_path: Path) -> None:
    words = ["-T", "dataset=orqa@ordojo", "--sample", "4", "--seed", "3", "--runs", str(tmp_path)]
    done = CliRunner().invoke(cli, ["play", "orqa", *words], input="A\n" * 4)
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(cli, ["eval", "orqa", "--model", "ordojo/gold", "--json", *words])
    (figures,) = json.loads(done.stdout)
    assert (figures["sample"], figures["finished"]) == (4, 4)
    person, model = ([r.id for r in view.records] for view in read_runs([tmp_path]))
    assert sorted(person) == sorted(model)


def test_inspect_draws_the_same_items(evaluate: Evaluate, tmp_path: Path) -> None:
    (log,) = inspect_eval(
        "ordojo/orqa",
        model="ordojo/gold",
        task_args={"dataset": "orqa@ordojo", "sample": 11},
        log_dir=str(tmp_path),
        display="none",
        log_level="error",
    )
    ours = [r.id for r in evaluate(sample=11).records]
    assert log.samples is not None
    assert sorted(str(s.metadata["instance"]) for s in log.samples) == sorted(ours)


@pytest.mark.data
def test_a_hundred_orqa_questions_have_every_type(monkeypatch: pytest.MonkeyPatch) -> None:
    published_folder()
    questions = BENCHMARK.load(OrqaOptions(), 0)
    first = Counter(q.labels["type"] for q in questions[:100])
    drawn = Counter(q.labels["type"] for q in draw(questions, 100, 0, BENCHMARK.strata))
    assert len(first) == 1 and len(drawn) == 11
