"""The panels that hold our runs against the paper's tables 1, 7 and 8."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ordojo.benchmarks.nl2opt import published
from ordojo.benchmarks.nl2opt.metrics import with_repair
from ordojo.benchmarks.nl2opt.published import AVERAGE, COLUMNS, PAPER, TABLES
from ordojo.core.panels import Cell, Table
from ordojo.core.records import RunView
from ordojo.core.statistics import NOTHING, Estimate
from ordojo.datasets.nl2opt.known import EVALUATED

Figures = Mapping[str, Estimate]
Runs = Sequence[RunView]
Names = Sequence[str]


def shown(figures: Figures, name: str) -> Cell:
    """A figure for a table, None where there is none."""
    found = figures.get(name, NOTHING)
    return found if found.n else None


def family_of(run: RunView) -> str:
    """The dataset of a run without its version."""
    return run.header.dataset["id"].partition("@")[0]


def _opposite(found: Cell) -> Cell:
    if not isinstance(found, Estimate):
        return None
    return Estimate(1 - found.value, 1 - found.high, 1 - found.low, found.n, found.clusters)


def scores(runs: Runs, names: Names, found: Sequence[Figures]) -> Sequence[Table]:
    """Pass@1, pass@8 and executability, one table for each family of datasets."""
    tables = []
    for family in dict.fromkeys(family_of(run) for run in runs):
        chosen = [
            (run, figures)
            for run, figures in zip(runs, found, strict=True)
            if family_of(run) == family and not with_repair(run.records)
        ]
        if chosen:
            tables.append(_scores(family, chosen, dict(zip(map(id, runs), names, strict=True))))
    return tables


def _scores(
    family: str, chosen: Sequence[tuple[RunView, Figures]], names: Mapping[int, str]
) -> Table:
    rows: list[list[Cell]] = [
        [
            run.header.model,
            names[id(run)].split(" · ", 1)[1],
            *(shown(figures, name) for name in ("pass@1", "pass@8", "executable", "unscored")),
        ]
        for run, figures in chosen
    ]
    quoted: list[list[Cell]] = []
    note = "No scores are published for these problems."
    if family in COLUMNS:
        one, eight, errors = (published.table(name) for name in TABLES)
        quoted = [
            [
                "mean of 14 models" if model == AVERAGE else model,
                f"as published, on {EVALUATED[family]} or nearly so",
                one[model][family],
                eight[model][family],
                round(1 - errors[model][family], 6),
                None,
            ]
            for model in one
        ]
        note = (
            f"Published rows: {PAPER}, tables 1, 7 and 8, on the version of the dataset that is "
            "named; other versions have other golds and other items."
        )
    return Table(
        f"Accuracy on {COLUMNS.get(family, family)}",
        ["model", "dataset and setting", "pass@1", "pass@8", "executable", "unscored"],
        [*rows, *quoted],
        note="Pass@k: the chance that one of k samples is right, unbiased, over items whose gold "
        "is an optimum; infeasible and open ones stand apart, below. Executable: the program runs "
        f"to its end and has a feasible solution. {note}",
        published=frozenset(range(len(rows), len(rows) + len(quoted))),
    )


def repaired(runs: Runs, names: Names, found: Sequence[Figures]) -> Sequence[Table]:
    """Runs with turns of repair: a setting of their own, beside no pass@1."""
    rows: list[list[Cell]] = []
    for run, name, figures in zip(runs, names, found, strict=True):
        if with_repair(run.records):
            turns = Counter(len(record.episode.turns) for record in run.records)
            mean = sum(n * count for n, count in turns.items()) / sum(turns.values())
            cells = [shown(figures, key) for key in ("repair@1", "repair@8", "executable")]
            rows.append([name, *cells, mean])
    if not rows:
        return ()
    return (
        Table(
            "With self-repair",
            ["run", "right in the end", "of 8 samples", "executable", "turns"],
            rows,
            note="The traceback or status was shown and a corrected program asked for. This is "
            "another setting than pass@1, and not comparable with it.",
        ),
    )


def tables(runs: Runs, found: Sequence[Figures]) -> Sequence[Table]:
    """Tables 1, 7 and 8, with the runs that were made on the version a column stands for."""
    return [_table(name, runs, found) for name in TABLES]


def _table(name: str, runs: Runs, found: Sequence[Figures]) -> Table:
    rows: list[list[Cell]] = []
    for run, figures in zip(runs, found, strict=True):
        column = next((f for f, v in EVALUATED.items() if v == run.header.dataset["id"]), None)
        if column is None or with_repair(run.records):
            continue
        cell = shown(figures, name)
        if name not in figures:
            cell = _opposite(shown(figures, "executable")) if name == "execution error" else None
        if cell is not None:
            rows.append([run.header.model, *(cell if f == column else None for f in COLUMNS)])
    quoted: list[list[Cell]] = [
        ["mean of the models" if model == AVERAGE else model, *scores.values()]
        for model, scores in published.table(name).items()
    ]
    return Table(
        f"{PAPER}, {TABLES[name][1]}: {name}",
        ["model", *COLUMNS.values()],
        [*rows, *quoted],
        note="A run stands in a column if it was made on the version of the dataset nearest to "
        "the paper's: " + ", ".join(EVALUATED.values()) + ".",
        published=frozenset(range(len(rows), len(rows) + len(quoted))),
    )
