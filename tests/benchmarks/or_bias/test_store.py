"""Instance files and the commands that write and check them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ordojo.benchmarks.or_bias import BENCHMARK, build
from ordojo.benchmarks.or_bias.distributions import FAMILIES
from ordojo.benchmarks.or_bias.schema import INSTANCES, make_instance
from ordojo.benchmarks.or_bias.sets import curriculum, pool
from ordojo.cli import cli
from ordojo.core.errors import DataError, OrdojoError, UsageError


def call(*words: str | Path, code: int = 0) -> Result:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    file = tmp_path / "some.jsonl"
    build.write(file, pool(3, 12), INSTANCES)
    return file


def changed(path: Path, number: int, change: Any) -> Path:
    found = rows(path)
    change(found[number])
    path.write_text("\n".join(json.dumps(row) for row in found), "utf-8")
    return path


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_written_is_read_and_verified(tmp_path: Path, family: str) -> None:
    file = tmp_path / "deep" / "some.jsonl"
    scenarios = [*pool(1, 40, family), *curriculum(1, family)[::60]]
    assert build.write(file, scenarios, INSTANCES) == 55
    found = build.read_file(file, INSTANCES)
    assert [i.problem for i in found] == scenarios
    right = [make_instance(s, INSTANCES) for s in scenarios]
    assert [i.content_hash for i in found] == [i.content_hash for i in right]
    assert [i.labels for i in found] == [i.labels for i in right]
    for instance in found:
        BENCHMARK.verify(instance)
    assert not list(file.parent.glob("*.tmp"))


def test_the_sets_have_the_papers_sizes_and_the_same_seed_gives_the_same_bytes(
    tmp_path: Path,
) -> None:
    done = call("build", "or-bias", "--seed", "4", "-o", tmp_path / "a")
    call("build", "or-bias", "--seed", "4", "-o", tmp_path / "b")
    call("build", "or-bias", "--seed", "5", "-o", tmp_path / "c")
    sizes = {"id": 1000, "ood": 1000, "eval-id": 400, "eval-ood": 200, "train": 900}
    for name, size in sizes.items():
        file = f"{name}.jsonl"
        assert len(rows(tmp_path / "a" / file)) == size
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
        assert (tmp_path / "a" / file).read_bytes() != (tmp_path / "c" / file).read_bytes()
    assert done.stdout.count("Kolmogorov-Smirnov") == 4 + 2 + 4 + 2 + 2
    assert "NOT uniform" not in done.stdout


def test_n_scenarios_in_one_file(tmp_path: Path) -> None:
    call("build", "or-bias", "--n", "30", "--family", "gamma", "-o", tmp_path / "x.jsonl")
    assert len(rows(tmp_path / "x.jsonl")) == 30
    call("build", "or-bias", "-o", tmp_path / "y.jsonl", "--iqr", "1.35")
    assert len(rows(tmp_path / "y.jsonl")) == 2000
    with pytest.raises(UsageError, match=r"ending in \.jsonl"):
        call("build", "or-bias", "--n", "30", "-o", tmp_path / "folder")


def test_verify_says_how_many_hold(built: Path) -> None:
    assert "12 of 12 certificates hold" in call("verify", built).stdout
    report = json.loads(call("verify", built, "--json").stdout)
    assert report["instances"] == report["verified"] == 12
    assert report["benchmarks"] == {"or-bias": 12} and report["failures"] == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda row: row["certificate"]["data"].update(optimum=77.7), "optimum"),
        (lambda row: row["certificate"]["data"].update(critical_ratio="0.5"), "critical_ratio"),
        (lambda row: row["certificate"]["data"].pop("asked"), "certificate"),
        (lambda row: row["certificate"].update(kind="solver"), "certificate"),
        (lambda row: row["problem"].update(text="Order 5 cakes."), "asked"),
        (lambda row: row["problem"].update(price=row["problem"]["price"] + 1), "optimum"),
        (lambda row: row.update(content_hash="0" * 64), "content_hash"),
    ],
)
def test_verify_finds_a_certificate_that_does_not_hold(built: Path, change: Any, says: str) -> None:
    changed(built, 4, change)
    done = call("verify", built, code=1)
    assert says in done.stdout and f"{built.name}:5" in done.stdout
    assert "11 of 12" in done.stdout
    failure = json.loads(call("verify", built, "--json", code=1).stdout)["failures"][0]
    assert failure["where"].endswith(":5") and says in failure["problem"]


def test_a_consistent_lie_about_the_text_is_found(built: Path) -> None:
    """Numbers, optimum and digests fit one another, but the text shows another price."""

    def lie(row: dict[str, Any]) -> None:
        row["problem"]["price"] += 1
        instance = build.read_instance(row, INSTANCES)
        honest = make_instance(instance.problem, INSTANCES)
        row["certificate"]["data"] = dict(honest.certificate.data)
        row["content_hash"] = honest.content_hash

    changed(built, 0, lie)
    assert "price is not what the text shows" in call("verify", built, code=1).stdout


def test_verify_finds_an_item_twice(built: Path) -> None:
    built.write_text(built.read_text("utf-8") + built.read_text("utf-8").splitlines()[0], "utf-8")
    assert "stands at" in call("verify", built, code=1).stdout
    with pytest.raises(DataError, match="twice"):
        build.read_file(built, INSTANCES)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda row: row["problem"].pop("cost"), "problem lacks 'cost'"),
        (lambda row: row["problem"].update(colour="red"), "problem has 'colour'"),
        (lambda row: row["problem"].update(price="cheap"), "price is 'cheap'"),
        (lambda row: row["problem"].update(price=float("nan")), "price is nan"),
        (lambda row: row["problem"].update(price=10**400), "price is too large"),
        (lambda row: row["problem"].update(cost=1e5), "price .* lies below cost"),
        (lambda row: row["problem"].update(index=1.5), "index is 1.5"),
        (lambda row: row["problem"].update(text=None), "text is None"),
        (lambda row: row["problem"].update(parameters=[1]), "parameters is"),
        (lambda row: row["problem"].update(parameters={"mean": 5.0}), "parameters lack 'std'"),
        (lambda row: row["problem"].update(parameters={"mean": 5.0, "std": None}), "std is None"),
        (lambda row: row["problem"].update(percentiles=[[1, 2, 3]]), "percentiles must be a list"),
        (lambda row: row["problem"].update(percentiles=None), "percentiles must be a list"),
        (lambda row: row.pop("problem"), "lacks 'problem'"),
        (lambda row: row.pop("certificate"), "lacks 'certificate'"),
        (lambda row: row["certificate"].update(data=7), "data is 7"),
        (lambda row: row.update(version="0"), "version is '0'"),
        (lambda row: row.update(id="ID-L1-99999"), "id is 'ID-L1-99999'"),
    ],
)
def test_a_row_that_is_no_instance_is_named_with_its_line(
    built: Path, change: Any, says: str
) -> None:
    changed(built, 2, change)
    with pytest.raises(DataError, match=rf"{built.name}:3: .*{says}"):
        call("verify", built)
    with pytest.raises(DataError, match=rf"{built.name}:3: .*{says}"):
        build.read_file(built, INSTANCES)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "no rows"),
        ("{", ":1"),
        ("[]", ":1"),
        ('{"benchmark": 3}', "lacks 'benchmark'"),
        ('{"benchmark": "or-bios"}', "did you mean 'or-bias'"),
        ('{"benchmark": "nl2opt"}', "nl2opt keeps no instances in files"),
        ('{"benchmark": "econlogicqa"}', "lacks 'certificate'"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(content, "utf-8")
    with pytest.raises(OrdojoError, match=says):
        call("verify", file)


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot write"):
        build.write(tmp_path / "file" / "x.jsonl", pool(0, 1), INSTANCES)
