"""A plan from runs: what their samples took, and bad input in a sentence."""

import json

import pytest

import ordojo
from ordojo.core.errors import RunError, UsageError
from tests.command import ordojo as command


@pytest.fixture
def runs(tmp_path):
    options = {"dataset": "econlogicqa@ordojo", "limit": 6}
    ordojo.evaluate("econlogicqa", "ordojo/gold", runs=tmp_path, **options)
    return tmp_path


def test_items_cost_what_those_of_the_runs_did(runs):
    rows = [
        json.loads(line) for line in next(runs.glob("*/samples.jsonl")).read_text().splitlines()
    ]
    found = ordojo.plan(runs, nodes=2, cores=3)
    assert found.cores == 6
    assert found.core_hours * 3600 == pytest.approx(sum(row["seconds"] for row in rows) + 6 * 2)
    more = ordojo.plan([runs], 6_000)
    size = next(runs.glob("*/samples.jsonl")).stat().st_size
    assert more.disk_gb == pytest.approx(size * 1_000 / 1e9, rel=0.01)


def test_the_command_says_where_the_bottleneck_lies(runs):
    found = command(["plan", str(runs), "--items", "500", "--nodes", "3"])
    assert "bottleneck" in found.stdout and "on 3 cores" in found.stdout
    as_json = json.loads(command(["plan", str(runs), "--items", "500", "--json"]).stdout)
    assert as_json["nodes_lost"] == 0


def test_bad_input_is_one_sentence(tmp_path, runs):
    with pytest.raises(UsageError, match=r"give either runs .* or the seconds of an item"):
        ordojo.plan(items=3)
    with pytest.raises(UsageError, match="say how many items"):
        ordojo.plan(seconds=3)
    with pytest.raises(UsageError, match="a cluster has no gpus; it has nodes, cores"):
        ordojo.plan(runs, gpus=3)
    with pytest.raises(RunError, match="holds no runs"):
        (tmp_path / "empty").mkdir()
        ordojo.plan(tmp_path / "empty")
    samples = next(runs.glob("*/samples.jsonl"))
    samples.write_bytes(b"")
    with pytest.raises(UsageError, match="no sample is finished"):
        ordojo.plan(runs)


def planned(*words: str) -> dict[str, float]:
    base = ("plan", "--items", "400", "--seconds", "36", "--nodes", "4", "--cores", "10")
    found: dict[str, float] = json.loads(command([*base, *words, "--json"]).stdout)
    return found


def test_each_option_of_a_plan_has_its_effect(runs):
    plain = planned()
    assert plain["hours"] == pytest.approx(0.1, rel=0.05) and plain["dollars"] == 0
    assert planned("--price", "3")["dollars"] == pytest.approx(3 * plain["node_hours"])
    assert planned("--memory", "8", "--node-memory", "16")["cores"] == 4 * 2
    assert planned("--memory", "8")["cores"] == planned("--node-memory", "16")["cores"] == 40
    late = planned("--setup", "3600")["hours"] - plain["hours"]
    assert late == pytest.approx(1, rel=0.01)
    assert plain["nodes_lost"] == 0 < planned("--failure-hours", "0.05")["nodes_lost"]
    samples = next(runs.glob("*/samples.jsonl"))
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    for row in rows:
        row["usage"] |= {"input_tokens": 900, "output_tokens": 100}
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
    slow = json.loads(command(["plan", str(runs), "--tokens", "2", "--json"]).stdout)
    assert slow["hours"] * 3600 == pytest.approx(6 * 1000 / 2)
