import json

import pytest
from click.testing import CliRunner

from ordojo.api import reports
from ordojo.cli.report import report
from ordojo.core.errors import RunError, UsageError


def test_no_runs_is_one_sentence(tmp_path):
    found = CliRunner().invoke(report, [str(tmp_path), "-o", str(tmp_path / "out")])
    assert isinstance(found.exception, RunError)
    assert "holds no runs" in str(found.exception)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("arguments", [[], ["somewhere"], ["-o", "out"]])
def test_usage(arguments):
    assert CliRunner().invoke(report, arguments).exit_code == 2


def test_writes_and_names_the_report(tmp_path, monkeypatch):
    from ordojo.evaluation.runs import RunStore
    from ordojo.reports import site

    from .fakes import lookup, run

    view = run("m", items=30)
    with RunStore(tmp_path / "runs" / "m", view.header) as store:
        for record in view.records:
            store.add(record)
    monkeypatch.setitem(site.write_report.__kwdefaults__ or {}, "lookup", lookup)
    monkeypatch.setattr(site.write_report, "__defaults__", (site.TITLE, lookup))
    found = CliRunner().invoke(
        report, [str(tmp_path / "runs"), "-o", str(tmp_path / "o"), "--json"]
    )
    assert found.exit_code == 0, found.exception
    assert json.loads(found.stdout)["index"] == str(tmp_path / "o" / "index.html")
    again = CliRunner().invoke(
        report, [str(tmp_path / "runs/m"), "-o", str(tmp_path / "o"), "--title", "T"]
    )
    assert again.stdout.strip() == str(tmp_path / "o" / "index.html")
    assert "<h1>T</h1>" in (tmp_path / "o" / "index.html").read_text()


def test_rows_belong_to_the_latex_tables(tmp_path):
    arguments = [str(tmp_path), "-o", str(tmp_path / "out"), "--rows", "all"]
    found = CliRunner().invoke(report, arguments)
    assert isinstance(found.exception, UsageError) and "with --latex" in str(found.exception)
    with pytest.raises(UsageError, match="give one of mine, published, all"):
        reports.report(tmp_path, tmp_path / "out", latex=tmp_path / "t", rows="some")
