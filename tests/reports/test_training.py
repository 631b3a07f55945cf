"""The page of training runs: what is read of their folders, and what is shown."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.cli.report import report
from ordojo.core.errors import RunError
from ordojo.core.panels import Plot, Table
from ordojo.reports import write_report
from ordojo.reports.training import POINTS, by_epoch, panels, read_trainings, thin

from .fakes import lookup, some_runs
from .test_site import Outline


def trained(folder: Path, steps: int = 8, epochs: float = 2.0) -> Path:
    """A run of GRPO as the trainer leaves it."""
    folder.mkdir(parents=True)
    lines = ["step,epoch,loss,reward,reward_std,groups,zero_groups,kl,entropy"]
    for step in range(1, steps + 1):
        epoch = epochs * step / steps
        lines.append(f"{step},{epoch},0.5,{10 * step},{40 - step},4,{step % 2},0.01,")
    (folder / "metrics.csv").write_text("\n".join(lines) + "\n")
    checks = ["step,mean da,rr@5", "0,0.1,0.2", f"{steps // 2},0.3,0.4", f"{steps},0.5,0.6"]
    (folder / "validation-or-debug.csv").write_text("\n".join(checks) + "\n")
    figures = {"RR@5": [0.25, 0.1, 0.4], "n": 20}
    held = {
        "before": {"or-debug": figures},
        "after": {"or-debug": {**figures, "DA": [0.5, None, None]}},
    }
    (folder / "held_out.json").write_text(json.dumps(held))
    summary = {"stage": "grpo", "steps": steps, "model": "<b>m</b>", "zero_groups": 0.125}
    (folder / "summary.json").write_text(json.dumps(summary))
    return folder


def test_the_table_by_epoch_is_table_26(tmp_path: Path) -> None:
    (run,) = read_trainings([trained(tmp_path / "g")])
    table = by_epoch(run)
    assert table.columns == [
        "part",
        "up to step",
        "mean reward",
        "std reward",
        "zero-spread",
        "KL",
        "loss",
        "RR@5 (val, or-debug)",
        "DA (val, or-debug)",
    ]
    assert table.rows[0] == ["epoch 1", 4, 25.0, 37.5, 0.125, 0.01, 0.5, 0.4, 0.3]
    assert table.rows[1] == ["epoch 2", 8, 65.0, 33.5, 0.125, 0.01, 0.5, 0.6, 0.5]


@pytest.mark.parametrize(
    ("benchmark", "columns", "shown"),
    [
        ("or-debug", "mean da,mean op,rr@5", ["RR@5", "DA"]),
        ("or-bias", "mean tau,rational,within-5pct", ["rational", "within-5pct"]),
        ("orqa", "letter,mean x,published", ["letter", "published"]),
        ("not-installed", "answer,mean x,strict", ["answer", "strict"]),
    ],
)
def test_each_benchmark_has_its_own_curves(
    tmp_path: Path, benchmark: str, columns: str, shown: list[str]
) -> None:
    folder = trained(tmp_path / "g")
    (folder / "validation-or-debug.csv").unlink()
    (folder / f"validation-{benchmark}.csv").write_text(f"step,{columns}\n0,1,2,3\n4,4,5,6\n")
    (run,) = read_trainings([folder])
    assert by_epoch(run).columns[-2:] == [f"{name} (val, {benchmark})" for name in shown]
    (plot,) = (p for p in panels(run) if isinstance(p, Plot) and p.title == "Held out, by step")
    assert [name for name, _ in plot.series] == [f"{benchmark} {name}" for name in shown]


def test_a_short_run_is_cut_into_quarters(tmp_path: Path) -> None:
    (run,) = read_trainings([trained(tmp_path / "g", epochs=0.5)])
    assert [row[:2] for row in by_epoch(run).rows] == [
        ["quarter 1", 2],
        ["quarter 2", 4],
        ["quarter 3", 6],
        ["quarter 4", 8],
    ]


def test_curves_are_those_that_the_log_has(tmp_path: Path) -> None:
    (run,) = read_trainings([trained(tmp_path / "g")])
    found = {panel.title: panel for panel in panels(run)}
    titles = ["By epoch", "Held out", "Held out, by step", "Loss", "Mean reward", "KL"]
    assert list(found) == [*titles, "Zero-spread groups"]
    zero, held = found["Zero-spread groups"], found["Held out"]
    assert isinstance(zero, Plot) and isinstance(held, Table)
    assert zero.series[0][1][0] == (1.0, 0.25)
    assert [row[:2] for row in held.rows] == [["or-debug", "RR@5"], ["or-debug", "DA"]]
    assert held.rows[1][2] is None


def test_long_curves_are_thinned() -> None:
    found = thin([(float(x), float(x % 2)) for x in range(1000)])
    assert len(found) == -(-1000 // 13) <= POINTS
    assert found[0] == (6.0, pytest.approx(6 / 13))


def test_stages_of_a_curriculum_are_found_by_name(tmp_path: Path) -> None:
    trained(tmp_path / "course" / "stage-1")
    trained(tmp_path / "course" / "stage-2")
    assert [run.name for run in read_trainings([tmp_path])] == ["course/stage-1", "course/stage-2"]
    assert [run.name for run in read_trainings([tmp_path / "course"])] == ["stage-1", "stage-2"]


@pytest.mark.parametrize(
    ("file", "text"), [("metrics.csv", "step,loss\n1,many\n"), ("summary.json", "[1]")]
)
def test_a_damaged_run_is_one_sentence(tmp_path: Path, file: str, text: str) -> None:
    (trained(tmp_path / "g") / file).write_text(text)
    with pytest.raises(RunError, match="no log of a training run"):
        read_trainings([tmp_path])


def test_training_runs_alone_are_a_report(tmp_path: Path) -> None:
    trained(tmp_path / "runs" / "g")
    arguments = [str(tmp_path / "runs"), "-o", str(tmp_path / "out")]
    found = CliRunner().invoke(report, arguments)
    assert found.exit_code == 0, found.exception
    page = (tmp_path / "out" / "index.html").read_text()
    outline = Outline()
    outline.feed(page)
    assert not outline.open
    assert "&lt;b&gt;m&lt;/b&gt;" in page and "<b>m</b>" not in page
    assert all(words in page for words in ("By epoch", "Held out, by step", "mean reward"))
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["training"][0]["summary"]["stage"] == "grpo"
    assert "training.html" not in page


def test_beside_evaluations_it_is_a_page_of_its_own(tmp_path: Path) -> None:
    runs = read_trainings([trained(tmp_path / "g")])
    paths = write_report(some_runs(), tmp_path / "out", lookup=lookup, trainings=runs)
    assert 'href="training.html"' in paths.index.read_text()
    page = (tmp_path / "out" / "training.html").read_text()
    assert 'aria-current="page">Training' in page
    plain = write_report(some_runs(), tmp_path / "plain", lookup=lookup)
    assert "training.html" not in plain.index.read_text()
    assert not (tmp_path / "plain" / "training.html").exists()
