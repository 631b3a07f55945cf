"""`ordojo hardness` on every benchmark: shortcuts, guessers, findings, bad input."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import ordojo
from ordojo.api.benchmarks import hardness
from ordojo.benchmarks.nl2opt.hardness import numbers
from ordojo.benchmarks.or_debug import hardness as or_debug
from ordojo.cli.benchmarks import hardness as command
from ordojo.core.errors import DataError, UsageError
from ordojo.core.hardness import Hardness
from ordojo.core.instance import to_row

DEMO = {
    "orqa": {"dataset": "orqa@ordojo"},
    "econlogicqa": {"dataset": "econlogicqa@ordojo"},
    "nl2opt": {"dataset": "nl2opt@ordojo"},
}


def of(found: Hardness, name: str) -> float:
    return next(s.score.value for s in found.battery.shortcuts if s.name == name)


def counts(found: Hardness) -> dict[str, tuple[int, int]]:
    return {f.name: (f.count, f.of) for f in found.battery.findings}


@pytest.mark.parametrize("name", ["orqa", "econlogicqa", "nl2opt"])
def test_every_score_is_a_share_and_the_result_is_read_again(name: str) -> None:
    found = hardness(name, **DEMO[name])
    assert found.items == len(ordojo.load(name, **DEMO[name]))
    assert all(0 <= s.score.value <= 1 and s.exploits for s in found.battery.shortcuts)
    assert any(s.fitted for s in found.battery.shortcuts)
    assert str(Hardness.from_json(found.to_json())) == str(found)


def test_as_given_is_counted_twice_alike() -> None:
    found = hardness("econlogicqa", **DEMO["econlogicqa"])
    count, of_all = counts(found)["in order already"]
    assert of(found, "as given") == count / of_all


def test_the_mean_is_within_five_per_cent_as_often_as_found() -> None:
    found = hardness("or-bias")
    count, of_all = counts(found)["mean is right"]
    assert of(found, "mean") == pytest.approx(count / of_all)
    assert found.battery.quoted == "rational" and found.line[1].value == 1.0


def test_a_benchmark_without_a_battery_is_played_by_the_baselines() -> None:
    found = hardness("or-bias", decision="eoq")
    assert [s.name for s in found.battery.shortcuts] == ["noop", "random"]
    assert of(found, "noop") == 0 < of(found, "random") < 0.2


def test_guessers_are_measured_on_another_seed(tmp_path: Path) -> None:
    one = ordojo.build("or-bias", tmp_path / "one.jsonl", n=40, seed=1)
    two = ordojo.build("or-bias", tmp_path / "two.jsonl", n=40, seed=2)
    found = hardness(one, train=two)
    assert found.fitted_on == "two.jsonl" and found.items == 40
    with pytest.raises(UsageError, match=r"40 instances of .*one\.jsonl are in"):
        hardness(one, train=one)
    with pytest.raises(UsageError, match="or-bias instances"):
        hardness("orqa", train=two, **DEMO["orqa"])
    with pytest.raises(UsageError, match="takes no options"):
        hardness(one, mode="chat")


def test_dropping_in_or_debug_and_the_claims(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    rows = []
    wanted = {"A": 2, "E": 3, "I": 2}
    for instance in ordojo.load("or-debug", set="eval-v1"):
        kind = instance.labels["type"]
        if wanted.get(kind, 0):
            wanted[kind] -= 1
            rows.append(instance)
    path.write_text("".join(json.dumps(to_row(i)) + "\n" for i in rows))
    found = hardness(path)
    assert {"drop last, own IIS", "relax-elastic", "tree"} <= {
        s.name for s in found.battery.shortcuts
    }
    assert counts(found)["one repair is enough, type E"][1] == 3
    assert counts(found)["no choice, type I"][1] == 2
    for shortcut in found.battery.shortcuts:
        assert shortcut.score.value <= shortcut.also["optimal"].value


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "first", "last", "claims"),
    [("hard", (1.0, 0.98), (1.0, 1.0), 50), ("mdp-v2", (0.667, 0.633), (0.667, 0.6), 30)],
)
def test_the_authors_sets_fall_to_one_line(
    name: str,
    first: tuple[float, float],
    last: tuple[float, float],
    claims: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The one line is enough: what others make of these sets takes ten times as long.
    monkeypatch.setattr(or_debug, "knowers", dict)
    monkeypatch.setattr(or_debug, "shortcuts", dict)
    monkeypatch.setattr(or_debug, "held_out", lambda *walks: {})
    found = hardness("or-debug", set=f"authors/{name}")
    known = {s.name: s for s in found.battery.shortcuts}
    for policy, (optimal, full) in (("drop first", first), ("drop last", last)):
        shortcut = known[f"{policy}, own IIS"]
        assert shortcut.also["optimal"].value == pytest.approx(optimal, abs=5e-4)
        assert shortcut.score.value == pytest.approx(full, abs=5e-4)
    kind = "E" if name == "hard" else "G"
    assert counts(found)[f"one repair is enough, type {kind}"] == (claims, claims)
    assert counts(found)["text names the type"][0] == found.items


def test_numbers_of_a_text() -> None:
    found = ordojo.load("nl2opt", **DEMO["nl2opt"])[0].problem
    asked = replace(found, question="At 0, 4 and 1,250.5 of B12, 3.5%.")
    assert numbers(asked) == [0.0, 4.0, 1250.5, 3.5]


def test_the_command_keeps_its_result_for_the_report(tmp_path: Path) -> None:
    args = ["econlogicqa", "-T", "dataset=econlogicqa@ordojo", "--runs", str(tmp_path)]
    shown = CliRunner().invoke(command, args, catch_exceptions=False)
    assert "as given" in shown.output and "without reading, 'shortest first' has" in shown.output
    (kept,) = (tmp_path / "hardness").glob("*.json")
    printed = CliRunner().invoke(command, [*args, "--json"], catch_exceptions=False)
    assert json.loads(printed.stdout) == json.loads(kept.read_text())


def test_bad_input_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no benchmark 'orq'; did you mean 'orqa'"):
        hardness("orq")
    with pytest.raises(UsageError, match=r"x\.jsonl: there is no such file"):
        hardness(tmp_path / "x.jsonl")
    (tmp_path / "x.jsonl").write_text('{"id": "a"}\n')
    with pytest.raises(DataError, match="lacks 'benchmark'"):
        hardness(tmp_path / "x.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(DataError, match=r"empty\.jsonl"):
        hardness(tmp_path / "empty.jsonl")
