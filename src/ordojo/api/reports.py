"""Reports of runs, their comparison, and the tables of the papers."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from ordojo.api.kinds import AnyPath, AnyRuns, ModelName, Said, unheard
from ordojo.core.errors import RunError, UsageError
from ordojo.core.extras import need
from ordojo.core.records import RunView
from ordojo.core.registry import get_benchmark
from ordojo.core.signatures import checked
from ordojo.evaluation.remote import all_at_hand
from ordojo.evaluation.runs import read_runs
from ordojo.reports.compare import RunComparison, compare_runs, pairs
from ordojo.reports.hardness import kept, read_hardness
from ordojo.reports.overview import Rows
from ordojo.reports.paper import write_paper
from ordojo.reports.papers import ItemResult, PaperItem, paper_items
from ordojo.reports.papers import reproduce as run_commands
from ordojo.reports.site import TITLE, ReportPaths, write_report
from ordojo.reports.study import study
from ordojo.reports.training import logs, read_trainings

Paper = Literal["000", "002", "003", "004"]
"""ORQA, EconLogicQA, MIPLIB-NL, and OR-Debug-Bench with OR-Bias-Bench."""


@checked
def report(
    runs: AnyRuns | Sequence[AnyRuns],
    out: AnyPath,
    *,
    title: str = TITLE,
    latex: AnyPath | None = None,
    rows: Rows | None = None,
    figures: AnyPath | None = None,
    damaged: Callable[[RunError], None] | None = None,
    progress: Said = unheard,
) -> ReportPaths:
    """Write the static site of runs: index.html and its pages, tables.csv and summary.json.

    Training runs and hardness among them have pages of their own.

    Args:
        runs: Run folders, or folders of them, here or at any fsspec URL.
        out: Folder of the report; a former report there is replaced.
        title: Title of the site.
        latex: A folder for every table as booktabs LaTeX and CSV.
        rows: Rows of those tables: of the runs (mine, without a choice), quoted from papers
            (published), or both (all).
        figures: A folder for every chart as SVG and PDF; needs `ordojo[figures]`.
        damaged: Hears of a damaged run, which is left out.
        progress: Hears of runs that must not be compared.

    Returns:
        The paths of what was written.

    Raises:
        UsageError: For `rows` without `latex`, or an extra that is missing.
        RunError: For a damaged run that nobody hears of, and where no run is left.

    Examples:
        >>> from ordojo import evaluate
        >>> run = evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", limit=4)
        >>> report("runs", "report").index.name
        'index.html'
    """
    if figures is not None:
        need("figures", "`figures`")
    if rows is not None and latex is None:
        raise UsageError("`rows` are those of LaTeX tables; give their folder too, with `latex`")
    folder = Path(out)
    with all_at_hand(runs) as given:
        bad: list[RunError] = []
        trained = read_trainings(given, bad.append)
        # A folder of training runs or of hardness alone is no folder of runs.
        hard = read_hardness(given, bad.append)
        asked = [one for one in given if _evaluated(one) or not (logs([one]) or kept([one]))]
        found = read_runs(asked, bad.append) if asked else []
        if bad and (damaged is None or not (found or trained or hard)):
            raise bad[0]
        for error in bad:
            assert damaged is not None
            damaged(error)
        _say_versions(found, progress)
        paths = write_report(found, folder, title, trainings=trained, hardness=hard)
        if latex is not None or figures is not None:
            made = study(found, get_benchmark, title, trained, hard)
            asked_for = {"--latex": latex, "--rows": rows, "--figures": figures}
            words = ["ordojo", "report", *map(str, given), "-o", str(folder)]
            words += [
                str(w) for flag, at in asked_for.items() if at is not None for w in (flag, at)
            ]
            write_paper(
                made,
                {column.key: pairs(column) for column in made.columns},
                None if latex is None else Path(latex),
                None if figures is None else Path(figures),
                shlex.join(words),
                rows or "mine",
            )
        return paths


def _say_versions(runs: Sequence[RunView], progress: Callable[[str], None]) -> None:
    versions: dict[str, set[str]] = {}
    for run in runs:
        versions.setdefault(run.header.benchmark, set()).add(run.header.benchmark_version)
    for name, several in sorted(versions.items()):
        if len(several) > 1:
            progress(
                f"{name}: runs of versions {' and '.join(sorted(several))} stand apart; their "
                "scores are not comparable"
            )


@checked
def compare(*runs: AnyRuns | RunView, progress: Said = unheard) -> tuple[RunComparison, ...]:
    """Compare runs in pairs, item by item, those of one benchmark, version, dataset and rule.

    The epochs of an item are averaged. Of each pair: the difference of mean scores with its
    interval, a permutation test, the exact sign test (McNemar's), Holm's correction over all pairs
    of the group, the least difference found with 80% power, and how many items the seen one takes,
    all by whole clusters.

    Args:
        *runs: Two or more run folders, folders of runs, or what `evaluate` gave. A run alone in its
            group is compared with nothing.
        progress: Hears of several versions.

    Returns:
        A comparison of each group.

    Raises:
        UsageError: Where no two runs are comparable.
        RunError: For a folder that cannot be read.

    Examples:
        >>> from ordojo import evaluate
        >>> gold = evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", limit=8)
        >>> silent = evaluate("orqa", "ordojo/noop", dataset="orqa@ordojo", limit=8)
        >>> compare(gold, silent)[0].pairs[0].comparison.difference.value
        1.0
    """
    found = _views(runs)
    _say_versions(found, progress)
    return compare_runs(found)


def _views(runs: Sequence[AnyRuns | RunView]) -> list[RunView]:
    """The runs themselves, and those of every folder."""
    views: list[RunView] = []
    for one in runs:
        if isinstance(one, RunView):
            views.append(one)
        else:
            with all_at_hand(one) as given:
                views += read_runs(given)
    return views


def _evaluated(path: Path) -> bool:
    return (path / "run.json").exists() or any(path.glob("*/run.json"))


@checked
def paper(number: Paper, *runs: AnyRuns | RunView) -> tuple[PaperItem, ...]:
    """List a paper's tables, figures, algorithms and prompts, with the commands for each.

    Of each item: how many of the paper's numbers its commands cover, what is at hand or lacking,
    and published scores; those of runs on the dataset that stands for the paper's are said to be
    yours.

    Args:
        number: 000 is ORQA, 002 EconLogicQA, 003 MIPLIB-NL, 004 OR-Debug-Bench and OR-Bias-Bench.
        *runs: Runs whose scores stand beside the paper's.

    Returns:
        The items, in the paper's order.

    Raises:
        UsageError: For an argument out of its range.
        RunError: For a folder that cannot be read.

    Examples:
        >>> [item.name for item in paper("002")][:2]
        ['table 2', 'figure 1']
    """
    return tuple(paper_items(number, _views(runs)))


@checked
def reproduce(
    number: Paper,
    folder: AnyPath,
    *,
    model: ModelName | None = None,
    small: bool = False,
    train: bool = False,
) -> tuple[ItemResult, ...]:
    """Run a paper's commands in a folder, all that can be run here; called again, it goes on.

    What a person does, and what takes a file of yours, is left out; so is what asks a model without
    `model`, and what trains one without `train`.

    Args:
        number: The paper, as in `paper`.
        folder: Where the commands run.
        model: The model that is asked.
        small: The few items that the project's tests take.
        train: Train models, too; some recipes ask paid models.

    Returns:
        Of each item how many numbers of the paper now stand beside figures of yours, and why not
        more.

    Raises:
        UsageError: For an argument out of its range.
        DataError: Where what the folder keeps cannot be read.
    """
    return tuple(run_commands(number, Path(folder), model, small, train))
