"""What a sample's page tells: of real episodes of or-debug, nl2opt's programs, or-bias's orders."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.benchmarks.nl2opt.page import beside
from ordojo.benchmarks.or_bias.page import story as order_story
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.core.episode import Episode, Turn, play
from ordojo.core.instance import Instance
from ordojo.core.panels import Listing, Plot, Story
from ordojo.core.records import SampleRecord
from ordojo.core.registry import get_benchmark
from ordojo.reports.panels import draw
from ordojo.reports.samples import instances, write_samples
from ordojo.reports.study import study
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle

from .fakes import Fake, run, sample, unpacked


def asked(name: str, **options: Any) -> tuple[Any, Any, list[Instance[Any]]]:
    benchmark = get_benchmark(name)
    parsed = benchmark.options.model_validate({**benchmark.demo, **options})
    return benchmark, parsed, list(benchmark.load(parsed, 0))


def record_of(benchmark: Any, instance: Instance[Any], episode: Episode) -> SampleRecord:
    verdicts = {name: rule(instance, episode) for name, rule in benchmark.rules.items()}
    return sample(
        0,
        0.0,
        content_hash=instance.content_hash,
        gold=benchmark.gold(instance),
        episode=episode,
        verdicts=verdicts,
    )


@pytest.fixture(scope="module")
def debugging() -> tuple[Any, Instance[Any], SampleRecord]:
    """A wrong repair, an impossible action, the right repair."""
    benchmark, options, found = asked("or-debug")
    # Where a single drop does not end the episode.
    solver = HighsOracle()
    instance, wrong = next(
        (one, name)
        for one in found
        for name in one.problem.iis_rows
        if one.problem.type == "H"
        and solver.solve(apply_fix(one.problem.model, [f"DROP({name})"])).status
        == Status.INFEASIBLE
    )
    replies = iter([f"DROP({wrong})", "DROP(nothing)", "RESTART()", *instance.problem.fix])
    environment = benchmark.environment(options, 0)
    episode = play(environment, instance, lambda _: f"Action: {next(replies)}")
    environment.close()
    return benchmark, instance, record_of(benchmark, instance, episode)


def test_an_episode_is_told_step_by_step(debugging: Any) -> None:
    benchmark, instance, record = debugging
    told = benchmark.story(record, instance)
    conflict, steps, rest = told.panels
    marked = [
        row[0] for row in conflict.rows if "conflict" in conflict.marks[conflict.rows.index(row)]
    ]
    assert set(instance.problem.iis_rows) <= set(marked)
    assert not {row[0] for row in rest.rows} & set(marked)
    assert [row[0].split(". ")[0] for row in steps.rows] == ["1", "2", "3", "4"]
    assert steps.rows[0][1].startswith("INFEASIBLE") or steps.rows[0][1].startswith("OPTIMAL")
    assert steps.rows[0][2].endswith("becomes\n(no row)")
    assert steps.rows[1][1].startswith("not possible: ") and steps.marks[1] == "refused"
    # The distance: more after the wrong repair, as at first after RESTART, none at the end.
    apart = [int(row[3].partition(":")[0]) if row[3] != "nothing" else 0 for row in steps.rows]
    assert apart[0] == apart[1] > apart[2] > apart[3] == 0
    assert "It says what the true model says." in told.said


def test_the_distance_is_what_the_environment_found(debugging: Any) -> None:
    benchmark, options, found = asked("or-debug")
    for instance in found[:12]:
        rows = iter([*instance.problem.iis_rows, *["x"] * 50])
        environment = benchmark.environment(options, 0)
        episode = play(environment, instance, lambda _, rows=rows: f"Action: DROP({next(rows)})")
        record = record_of(benchmark, instance, episode)
        environment.close()
        last = benchmark.story(record, instance).panels[1].rows[-1]
        changed = episode.turns[-1].info["final"]["drift"]["changed"]  # type: ignore[index,call-overload]
        assert last[3].partition(":")[0] == (str(len(changed)) if changed else "nothing")


def test_without_the_instance_the_steps_are_told(debugging: Any) -> None:
    benchmark, _, record = debugging
    told = benchmark.story(record, None)
    assert [panel.title for panel in told.panels] == ["Step by step"]
    assert told.panels[0].columns == ["action", "the solver said", "what changed"]
    changed = [row[2] for row in told.panels[0].rows]
    assert changed == ["not known", "nothing", "all as at the start", "not known"]


LINES = st.lists(st.sampled_from(["x = 1", "  x = 1", "# note", "", "m.optimize()", "y = 2"]))


@given(LINES, LINES)
def test_two_programs_lose_no_line_and_the_first_difference_is_marked(
    ours: list[str], right: list[str]
) -> None:
    found = beside("\n".join(ours), "\n".join(right))

    def code(lines: list[str]) -> list[str]:
        return [x for x in lines if x.strip() and not x.strip().startswith("#")]

    for place, lines in enumerate((ours, right)):
        assert code([row[place] for row in found.rows]) == code(lines)
    said = [[x.strip() for x in code(lines)] for lines in (ours, right)]
    assert bool(found.marks) == (said[0] != said[1])
    if found.marks:
        (first,) = found.marks
        assert all(a.strip() == b.strip() for a, b in found.rows[:first])
        assert found.rows[first][0].strip() != found.rows[first][1].strip()


def test_a_program_is_told_with_its_end_and_the_reference() -> None:
    benchmark, _, found = asked("nl2opt")
    instance = found[0]
    right = instance.problem.program
    info = {
        "program": right.replace("MAXIMIZE", "MINIMIZE").replace(">=", "<="),
        "execution": {"outcome": "finished", "stdout": "optimal_value = 9\n"},
        "solves": [{"rows": 3, "columns": 2, "ending": "optimal", "objective": 9.0}],
        "equivalence": {"answer": "different", "detail": "row r has another sense"},
    }
    record = sample(0, 0.0, gold="254", episode=Episode((Turn((), "chat", "", 0.0, info),)))
    told = benchmark.story(record, instance)
    assert told.said == (
        "The program solved a model of 3 rows and 2 columns; its optimum is 9. The right answer is "
        "254. Its model is another one: row r has another sense."
    )
    assert [panel.title for panel in told.panels] == [
        "The program beside the reference",
        "What the program printed",
    ]
    assert len(told.panels[0].marks) == 1
    assert [p.title for p in benchmark.story(record, None).panels] == ["What the program printed"]
    nothing = dataclasses.replace(
        record,
        episode=Episode((Turn((), "chat", "", 0.0, {"program": None, "program_problem": "no"}),)),
    )
    assert benchmark.story(nothing, instance) == Story("No program was run: no.")


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.0, "The order is the mean"),
        (0.4, "The order lies 40% of the way"),
        (1.0, "The order is the optimum"),
        (1.5, "beyond the optimum"),
        (-0.5, "on the wrong side of the mean"),
    ],
)
def test_an_order_is_put_between_mean_and_optimum(share: float, said: str) -> None:
    benchmark, _, found = asked("or-bias")
    instance = next(one for one in found if abs(one.problem.critical_ratio - 0.5) > 0.2)
    problem = instance.problem
    order = problem.demand.mean + share * (problem.optimum - problem.demand.mean)
    episode = Episode((Turn((), "completion", f"Order quantity: {order!r}"),))
    told = order_story(record_of(benchmark, instance, episode), instance)
    assert told is not None and said in told.said
    (curve,) = told.panels
    assert isinstance(curve, Plot)
    points = dict(curve.series)
    assert points["the optimum"][0][1] == pytest.approx(problem.critical_ratio, abs=1e-6)
    assert points["the order"][0] == (
        pytest.approx(order),
        pytest.approx(problem.demand.cdf(order)),
    )


def test_a_story_is_text_and_comes_from_the_instance_that_was_asked(tmp_path: Any) -> None:
    class Told(Fake):
        def load(self, options: Any, seed: int) -> Any:
            return [Instance("a", self.name, "1", seed, certificate=None)]  # type: ignore[arg-type]

        def story(self, record: SampleRecord, instance: Any) -> Story:
            rows = [["<b>hostile</b>", "\u202e"]]
            at_hand = "at hand" if instance else "not at hand"
            return Story(at_hand, [Listing("</script>", ["a", "b"], rows, {0: "<i>"})])

    column = study([run("m", n=3, options={})], lambda name: Told(), "t").columns[0]
    write_samples(column, column.runs[0], tmp_path / "data", {f"{1:064x}": object()})  # type: ignore[dict-item]
    rows = unpacked((tmp_path / "data/0.js").read_text())
    assert [row["story"]["said"] for row in rows] == ["not at hand", "at hand", "not at hand"]
    assert "<b>" not in rows[0]["story"]["html"] and "&lt;b&gt;" in rows[0]["story"]["html"]
    assert "\u202e" not in rows[0]["story"]["html"]


def test_an_instance_that_is_not_at_hand_is_done_without() -> None:
    benchmark = get_benchmark("or-debug")
    header = run("m", options={"instances": "no-such-file.jsonl"}).header
    assert instances(benchmark, header) == {}
    assert instances(benchmark, dataclasses.replace(header, options={"gone": 1})) == {}
    assert instances(get_benchmark("orqa"), header) == {}
    some = instances(benchmark, dataclasses.replace(header, options={}))
    assert len(some) == 450 and all(one.content_hash == key for key, one in some.items())


@pytest.mark.parametrize("damage", ["action", "valid", "objective", "final"])
def test_a_turn_of_another_version_is_shown_as_it_is(
    debugging: Any, damage: str, tmp_path: Any
) -> None:
    _, instance, record = debugging
    turn = record.episode.turns[-1]
    info = {name: value for name, value in turn.info.items() if name != damage}
    other = dataclasses.replace(record, episode=Episode((dataclasses.replace(turn, info=info),)))
    view = run("m", records=[other], benchmark="or-debug", rule="rr@5", options={})
    column = study([view], get_benchmark, "t").columns[0]
    write_samples(column, column.runs[0], tmp_path / "data", {record.content_hash: instance})
    (row,) = unpacked((tmp_path / "data/0.js").read_text())
    assert row["turns"] and "story" not in row


def test_many_columns_are_blocks() -> None:
    found = draw(Listing("t", ["a", "b", "c", "d"], [["1", "2", "3", "4"]], {0: "here"}))
    assert "<table" not in found and '<div class="step marked"><h4>1' in found
