"""`ordojo build nl2opt` and `ordojo verify` on what it writes."""

import json

import pytest
from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.errors import UsageError


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), catch_exceptions=False)


def test_build_and_verify(tmp_path):
    out = tmp_path / "out"
    done = run(
        "build",
        "nl2opt",
        "-o",
        out,
        "--template",
        "cutting-stock",
        "--n",
        2,
        "-T",
        "n_widths=5",
        "--seed",
        3,
        "--on",
        "processes:2",
    )
    assert done.exit_code == 0
    assert "2 instances in" in done.output and "0 draws not solved in time" in done.output
    lines = [json.loads(text) for text in (out / "index.jsonl").read_text().splitlines()]
    assert [line["knobs"]["n_widths"] for line in lines] == [5, 5]
    checked = run("verify", out, "--json")
    assert checked.exit_code == 0
    assert json.loads(checked.stdout)["verified"] == 2
    record = out / lines[0]["id"] / "instance.json"
    value = repr(lines[0]["optimal_value"])
    record.write_text(record.read_text().replace(f'"optimal_value": {value}', '"optimal_value": 7'))
    failed = run("verify", out)
    assert failed.exit_code == 1
    assert "1 of 2 certificates hold" in failed.output and "has the optimum" in failed.output


def test_a_knob_needs_a_template(tmp_path):
    with pytest.raises(UsageError, match="name it with --template"):
        run("build", "nl2opt", "-o", tmp_path, "-T", "n_nodes=5")
