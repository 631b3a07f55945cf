"""The authors' own instances: what is certified of them, and what is left out and why."""

import json
import lzma
import tarfile
from pathlib import Path
from typing import Any

import pytest

from ordojo.benchmarks.or_debug import BENCHMARK
from ordojo.benchmarks.or_debug.authors import load, read
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions, read_instance
from ordojo.core.episode import play
from ordojo.core.errors import DataError, UsageError
from ordojo.core.instance import Instance, to_row
from ordojo.core.options import parse_options
from ordojo.milp.files import write_model
from ordojo.milp.model import Model, VarType
from tests.milp.builder import ModelBuilder


def bakery(need: float = 70.0, kind: VarType = VarType.CONTINUOUS) -> Model:
    """Two goods, one oven of 60: infeasible where `need` is above that."""
    b = ModelBuilder("bakery", maximize=True)
    b.col("bread", cost=3.0, upper=40.0, kind=kind)
    b.col("cake", cost=5.0, upper=40.0)
    b.row("oven", {"bread": 1.0, "cake": 1.0}, "<=", 60.0)
    b.row("orders", {"bread": 1.0, "cake": 1.0}, ">=", need)
    return b.build()


def record(name: str = "lp_typeD_001", **changed: Any) -> dict[str, Any]:
    return {
        "problem_id": name,
        "model_file": f"models/{name}.mps",
        "problem_nl": "A bakery.",
        "error_type": "D",
        "ground_truth_fix": "Remove contradicting constraint orders",
        "target_name": "orders",
        "original_objective": 260.0,
        "iis_constraints": ["oven", "orders"],
        "iis_bounds": [],
        **changed,
    }


def ask(
    folder: Path, rows: list[dict[str, Any]], models: dict[str, Model]
) -> list[Instance[Debugging] | str]:
    problems, packed = folder / "toy.dataset.json.xz", folder / "toy.models.tar.xz"
    problems.write_bytes(lzma.compress(json.dumps({"problems": rows}).encode()))
    with tarfile.open(packed, "w:xz") as archive:
        for name, model in models.items():
            write_model(model, folder / f"{name}.mps")
            archive.add(folder / f"{name}.mps", f"models/{name}.mps")
    return list(read("toy", problems, packed))


def test_a_problem_has_its_witness_and_is_verified_again(tmp_path: Path) -> None:
    (found,) = ask(tmp_path, [record()], {"lp_typeD_001": bakery()})
    assert isinstance(found, Instance)
    assert found.id == "authors/toy-D-00001"
    assert found.problem.fix == ("DROP(orders)",)
    assert found.certificate.data["found"] == {
        "iis": "irreducible",
        "spare": [],
        "by_type": [],
        "witness": True,
    }
    again = read_instance(json.loads(json.dumps(to_row(found))))
    assert again.content_hash == found.content_hash
    BENCHMARK.verify(again)
    lying = json.loads(json.dumps(to_row(found)))
    for part in (lying["problem"], lying["certificate"]["data"]):
        part["objective"] = 300.0
    with pytest.raises(DataError, match="witness is True, found was False"):
        BENCHMARK.verify(read_instance(lying))


def test_what_is_recorded_and_not_so_is_said(tmp_path: Path) -> None:
    """A spare member, an optimum that no repair reaches, bounds that are a binary column's type."""
    far = record(iis_bounds=["cake"], original_objective=999.0)
    (found,) = ask(tmp_path, [far], {"lp_typeD_001": bakery()})
    assert isinstance(found, Instance)
    assert found.problem.fix == ()
    said: Any = found.certificate.data["found"]
    assert (said["iis"], said["spare"], said["witness"]) == ("infeasible", ["cake"], False)
    assert found.problem.iis_bounds == ("cake.lb", "cake.ub")
    typed = record(iis_constraints=["orders"], iis_bounds=["cake"])
    (found,) = ask(tmp_path, [typed], {"lp_typeD_001": bakery(50.0, VarType.BINARY)})
    assert isinstance(found, Instance)
    assert found.certificate.data["found"] == {
        "iis": "irreducible",
        "spare": [],
        "by_type": ["bread.ub"],
        "witness": False,
    }
    BENCHMARK.verify(found)


def test_what_is_no_instance_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    models = {"good": bakery(), "fine": bakery(50.0), "other": bakery()}
    rows = [
        record("good"),
        record("fine"),
        record("other", iis_constraints=["orders"]),
        record("good", problem_id="mixed", iis_constraints=["_chain_1"]),
        record("absent"),
        record("good", problem_id="odd", error_type="Z"),
    ]
    good, *left_out = ask(tmp_path, rows, models)
    assert isinstance(good, Instance)
    assert left_out == [
        "fine: the model is OPTIMAL, not INFEASIBLE",
        "other: the recorded IIS is not infeasible",
        "mixed: the recorded IIS has '_chain_1', which good.mps has not; "
        "problems and models are of two versions",
        "absent: the model absent.mps: there is no such file in the set",
        "odd: its error_type is 'Z'",
    ]


def test_drift_is_not_known_and_whole_programs_are_refused(tmp_path: Path) -> None:
    (found,) = ask(tmp_path, [record()], {"lp_typeD_001": bakery()})
    assert isinstance(found, Instance)
    options = OrDebugOptions()
    environment = BENCHMARK.environment(options, 0)
    gold = BENCHMARK.policies([found])["gold"].begin(found, 0, 0)
    episode = play(environment, found, gold)
    environment.close()
    assert BENCHMARK.rules["rr@5"](found, episode).outcome == "correct"
    assert BENCHMARK.rules["no-drift"](found, episode).outcome != "correct"


@pytest.mark.data
def test_the_published_sets() -> None:
    """Every recorded IIS is irreducible, every recorded optimum has a witness that succeeds."""
    environment = BENCHMARK.environment(OrDebugOptions(), 0)
    gold = BENCHMARK.policies([])["gold"]
    for name, size in (("hard", 100), ("test", 74), ("mdp", 90)):
        found = load(name)
        assert len(found) == size == len({instance.id for instance in found})
        for instance in found:
            said: Any = instance.certificate.data["found"]
            assert (said["iis"], said["witness"]) == ("irreducible", True)
            episode = play(environment, instance, gold.begin(instance, 0, 0))
            assert BENCHMARK.rules["rr@5"](instance, episode).score == 1.0
    environment.close()
    BENCHMARK.verify(load("hard")[3])
    options = parse_options(BENCHMARK.options, {"set": "authors/hard", "answer": "program"}, "x")
    with pytest.raises(UsageError, match="originals of authors/hard, which are not known"):
        BENCHMARK.load(options, 0)


def episode(tmp_path: Path, *replies: str, **options: Any) -> tuple[list[Any], list[str]]:
    """What an episode under the authors' protocol records, and what it shows."""
    (found,) = ask(tmp_path, [record()], {"lp_typeD_001": bakery()})
    assert isinstance(found, Instance)
    parsed = parse_options(BENCHMARK.options, {"prompt": "authors", **options}, "or-debug")
    environment = BENCHMARK.environment(parsed, 0)
    shown = [environment.reset(found, 0).text]
    steps = []
    for reply in replies:
        steps.append(environment.step(reply))
        if steps[-1].observation is None:
            break
        shown.append(steps[-1].observation.text)
    environment.close()
    return steps, shown


def call(action: str, target: str = "", value: float | None = None, **more: Any) -> str:
    return json.dumps(
        {"reasoning": "r", "action": action, "target": target, "value": value, **more}
    )


def test_the_authors_state_shows_names_alone(tmp_path: Path) -> None:
    _, shown = episode(tmp_path, call("CHECK_SLACK", "oven"), call("DROP_CONSTRAINT", "none"))
    assert "60" not in shown[0].split("## Current State")[1]
    assert "- Conflicting Constraints: ['oven', 'orders']" in shown[0]
    assert "- Constraint Names: ['oven', 'orders']" in shown[0]
    assert "  Step 1: check_slack(oven) -> success" in shown[2]
    assert "  Step 2: drop_constraint(none) -> error: Constraint 'none' not found" in shown[2]


@pytest.mark.parametrize(
    ("reply", "reward"),
    [
        (call("RELAX_CONSTRAINT", "orders", 10.0), 124.0),  # unsigned: a >= goes down
        (call("relax_constraint", "oven", -10.0), 124.0),
        (call("UPDATE_RHS", "orders", 55.0), 124.0),
        (call("DROP_CONSTRAINT", "orders"), 119.0),
        ("Action: RELAX_CONSTRAINT(orders, 10.0)", 124.0),
        ("Action: DROP(orders)", 119.0),
    ],
)
def test_the_authors_actions_and_reward(tmp_path: Path, reply: str, reward: float) -> None:
    """-1 for the step, 10 for each of two members gone, 5 where no row is dropped, 100."""
    (step,), _ = episode(tmp_path, reply)
    assert step.terminated
    assert step.info["status"] == "OPTIMAL"
    assert step.reward == reward


def test_every_reply_is_a_step_and_bounds_reset_and_submit_work(tmp_path: Path) -> None:
    replies = [
        call("GET_IIS"),
        "what?",
        call("UPDATE_BOUNDS", "cake", 0.0, value2=50.0),
        call("UPDATE_BOUNDS", "pie", 0.0),
        call("RESET"),
        call("RELAX_CONSTRAINT", "orders"),
        call("SUBMIT"),
    ]
    steps, _ = episode(tmp_path, *replies)
    assert [step.info["step"] for step in steps] == [1, 2, 3, 4, 5, 6, 7]
    assert [step.info["valid"] for step in steps] == [True, False, True, False, True, False, True]
    # A repair that keeps the rows is paid 5, also where it names nothing.
    assert [step.reward for step in steps] == [-1.0, -1.0, 4.0, 4.0, -1.0, -1.0, -51.0]
    assert steps[-1].info["end"] == "submit"
    late, _ = episode(tmp_path, *["no"] * 30)
    assert (len(late), late[-1].truncated, late[-1].reward) == (20, True, -51.0)
    assert len(episode(tmp_path, *["no"] * 30, max_steps=3)[0]) == 3


def test_the_authors_rules_and_figures(tmp_path: Path) -> None:
    """OPTIMAL is enough for them, whatever the optimum; diagnosis is what was acted on."""
    (found,) = ask(tmp_path, [record()], {"lp_typeD_001": bakery()})
    assert isinstance(found, Instance)
    options = parse_options(BENCHMARK.options, {"prompt": "authors"}, "or-debug")
    assert BENCHMARK.default_rule(options) == "authors-rr@5"
    environment = BENCHMARK.environment(options, 0)
    replies = iter([call("GET_IIS"), call("UPDATE_RHS", "orders", 0.0)])
    played = play(environment, found, lambda observation: next(replies))
    environment.close()
    verdicts = {name: rule(found, played) for name, rule in BENCHMARK.rules.items()}
    assert verdicts["authors-rr@5"].score == 1.0
    assert verdicts["authors-rr@1"].score == 0.0
    measures = verdicts["authors-rr@5"].metrics
    assert (measures["iis_rows_acted"], measures["iis_rows"], measures["rows_kept"]) == (1, 2, 1)
