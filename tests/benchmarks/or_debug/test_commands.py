"""OR-Debug-Bench from the command line: build, verify, ask, play, and what cannot be asked."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordojo.benchmarks.or_debug import build as building
from ordojo.benchmarks.or_debug.schema import PRINTED
from ordojo.cli import cli
from ordojo.core.errors import OrdojoError


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words: str, say: str = "") -> Result:
    return CliRunner().invoke(cli, list(words), input=say)


_made: dict[tuple[int, int], bytes] = {}


def built(n: int = 9, seed: int = 6) -> Path:
    """Instances in the working folder, which the command makes once.

    It tries each basic injector once for its report, not forty times.
    """
    pool = Path("pool.jsonl")
    if (n, seed) not in _made:
        with pytest.MonkeyPatch.context() as patch:
            once = building.basic_success
            patch.setattr(building, "basic_success", lambda kind, seed, _: once(kind, seed, 1))
            done = call("build", "or-debug", "--n", str(n), "--seed", str(seed), "-o", str(pool))
        assert done.exit_code == 0, done.output
        _made[n, seed] = pool.read_bytes()
    pool.write_bytes(_made[n, seed])
    return pool


def test_built_verified_asked_and_reported() -> None:
    pool = built()
    assert "9 of 9 certificates hold" in call("verify", str(pool)).stdout
    models = [word for name in ("gold", "noop") for word in ("--model", f"ordojo/{name}")]
    asked = call("eval", "or-debug", *models, "-T", f"instances={pool}", "--json")
    scores = [next(iter(run["metrics"].values()))["value"] for run in json.loads(asked.stdout)]
    assert scores == [1.0, 0.0]
    assert call("report", "runs", "-o", "report").exit_code == 0
    page = Path("report/or-debug.html").read_text()
    for title in ("RR@k", "RR@5 by error type", "Why episodes failed", "Qwen3-8B-GRPO"):
        assert title in page


def test_a_false_certificate_is_found_and_not_asked() -> None:
    pool = built()
    rows = [json.loads(line) for line in pool.read_text().splitlines()]
    rows[3]["problem"]["objective"] = rows[3]["certificate"]["data"]["objective"] = 1.5
    pool.write_text("".join(json.dumps(row) + "\n" for row in rows))
    checked = call("verify", str(pool))
    assert checked.exit_code == 1 and "8 of 9 certificates hold" in checked.stdout
    assert rows[3]["id"] in checked.stdout
    asked = call("eval", "or-debug", "--model", "ordojo/gold", "-T", f"instances={pool}")
    assert isinstance(asked.exception, OrdojoError) and rows[3]["id"] in str(asked.exception)
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "not a whole JSON object"),
        ('{"benchmark": "or-debug", "version": "0"}', "version is '0'"),
        ('{"benchmark": "or-debug", "version": "2"}', "lacks 'problem'"),
    ],
)
def test_a_file_that_holds_no_instance_is_one_sentence(line: str, says: str) -> None:
    Path("own.jsonl").write_text(line + "\n")
    for words in (
        ("verify", "own.jsonl"),
        ("eval", "or-debug", "--model", "ordojo/gold", "-T", "instances=own.jsonl"),
    ):
        done = call(*words)
        assert isinstance(done.exception, OrdojoError) and says in str(done.exception)
        assert "own.jsonl:1" in str(done.exception)


def test_a_person_repairs_a_model() -> None:
    pool = built()
    fix = json.loads(pool.read_text().splitlines()[0])["problem"]["fix"]
    words = ("play", "or-debug", "-T", f"instances={pool}", "--limit", "1")
    stopped = call(*words, say="GET_IIS()\n\nq\n")
    assert "0 of 1 answered" in stopped.stdout
    done = call(*words, say="please repair it\n\n" + "\n\n".join(fix) + "\n\n")
    assert done.exit_code == 0, done.output
    assert "no action was found" in done.stdout and "1.000" in done.stdout


def test_examples_and_cases_are_asked_for_by_settings() -> None:
    words = ("eval", "or-debug", "--model", "ordojo/gold", "--limit", "2")
    assert call(*words, "-T", "shots=3").exit_code == 0
    assert call(*words, "-T", "rag=by_type", "-T", "k=1").exit_code == 0
    assert "shots=2" in str(call(*words, "-T", "shots=2").exception)


def test_bad_words() -> None:
    assert "--n" in str(call("build", "or-debug", "-o", "all.jsonl").exception)
    assert ".jsonl" in str(call("build", "or-debug", "--n", "3", "-o", "folder").exception)
    both = call("eval", "or-debug", "--model", "ordojo/gold", "-T", "set=rl", "-T", "instances=x")
    assert "leave one of them out" in str(both.exception)


@pytest.mark.parametrize("option", ["--two-row-e", "--as-printed"])
def test_the_forms_of_types_are_built_when_they_are_asked(
    option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "basic_success", lambda kind, seed, _: 0.0)
    done = call("build", "or-debug", "--n", "9", "--seed", "6", "-o", "other.jsonl", option)
    assert done.exit_code == 0, done.output
    plain, other = (
        [json.loads(line)["problem"] for line in path.read_text().splitlines()]
        for path in (built(), Path("other.jsonl"))
    )
    for one, two in zip(plain, other, strict=True):
        if option == "--two-row-e":
            assert (one != two) == (one["type"] == "E"), one["type"]
            assert one["type"] != "E" or (len(one["targets"]), len(two["targets"])) == (1, 2)
        else:
            assert (two["method"] in PRINTED) == (two["type"] in "AC") and one["method"] != "basic"
