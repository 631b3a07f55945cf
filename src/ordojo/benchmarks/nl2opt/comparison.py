"""The panels that hold our runs against the paper's tables 1, 7 and 8."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ordojo.benchmarks.nl2opt import published
from ordojo.benchmarks.nl2opt.metrics import with_repair
from ordojo.benchmarks.nl2opt.published import AVERAGE, COLUMNS, PAPER, TABLES
from ordojo.benchmarks.nl2opt.schema import Nl2OptOptions
from ordojo.core.canonical import Json
from ordojo.core.panels import Cell, Table
from ordojo.core.selection import Part, Pool, Protocol, described, parted, pooling
from ordojo.core.statistics import NOTHING, Estimate
from ordojo.datasets.nl2opt.known import EVALUATED

Figures = Mapping[str, Estimate]
Runs = Sequence[Pool]
Names = Sequence[str]

_FREE = ("isolation", "leaks", "memory")
"""What does not depart from the paper: how programs are contained, and what is tried besides."""

PROTOCOLS: Mapping[str, Protocol] = {
    family: Protocol.of(dataset, Nl2OptOptions(), _FREE) for family, dataset in EVALUATED.items()
}
"""Under what each column of the paper's tables was made."""

_SHOWN = ("pass@1", "pass@8", "pass@1 where scored", "executable", "unsupported", "unscored")
"""The figures of an accuracy table."""


def shown(figures: Figures, name: str) -> Cell:
    """A figure for a table, None where there is none."""
    found = figures.get(name, NOTHING)
    return found if found.n else None


def column_of(run: Pool) -> str | None:
    """The column of the paper's tables that a run belongs to, None where it follows no protocol."""
    return next((family for family, how in PROTOCOLS.items() if how.fits(run)), None)


def _opposite(found: Cell) -> Cell:
    if not isinstance(found, Estimate):
        return None
    return Estimate(1 - found.value, 1 - found.high, 1 - found.low, found.n, found.clusters)


def scores(
    runs: Runs, found: Sequence[Figures], setting: Callable[[Mapping[str, Json]], str]
) -> Sequence[Table]:
    """Pass@1, pass@8 and executability; one table a dataset, and one of what departs from it."""
    words = [described(run, setting(run.header.options)) for run in runs]
    figures = dict(zip(map(id, runs), zip(words, found, strict=True), strict=True))
    tables = []
    for dataset in dict.fromkeys(run.header.dataset["id"] for run in runs):
        asked = [run for run in runs if run.header.dataset["id"] == dataset]
        chosen = [run for run in asked if not with_repair(run.records)]
        family = next((f for f, version in EVALUATED.items() if version == dataset), "")
        if chosen and not family:
            tables.append(_scores(dataset, Part("", chosen, False), figures))
        elif chosen:
            parts = parted(chosen, PROTOCOLS[family])
            tables += [_scores(dataset, part, figures, family) for part in parts]
    return tables


def _scores(
    dataset: str, part: Part, figures: Mapping[int, tuple[str, Figures]], family: str = ""
) -> Table:
    rows: list[list[Cell]] = []
    for run in part.pools:
        words, found = figures[id(run)]
        rows.append([run.header.model, words, *(shown(found, one) for one in _SHOWN)])
    quoted: list[list[Cell]] = []
    note = "" if family else "No scores are published for this version of these problems."
    if part.published:
        one, eight, errors = (published.table(name) for name in TABLES)
        quoted = [
            [
                "mean of 14 models" if model == AVERAGE else model,
                f"as published, on {dataset} or nearly so",
                one[model][family],
                eight[model][family],
                None,
                round(1 - errors[model][family], 6),
                None,
                None,
            ]
            for model in one
        ]
        note = f"Published rows: {PAPER}, tables 1, 7 and 8, on this version of the dataset."
    return Table(
        f"Accuracy on {COLUMNS.get(family, dataset)}{part.end}",
        ["model", "setting", *_SHOWN],
        [*rows, *quoted],
        note="Pass@k: the chance that one of k samples is right, unbiased, over items whose gold "
        "is an optimum; infeasible and open ones stand apart, below. Right is an objective that a "
        "solve supports; what was only printed counts under `stdout-1e-6` alone. Unsupported "
        "answers count as not solved, but for `where scored`. Executable: the program runs "
        f"to its end and has a feasible solution. {note}".strip(),
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
    """Tables 1, 7 and 8, of the columns that some run was made for under the paper's protocol."""
    met = {run.header.dataset["id"] for run in runs}
    columns = [family for family, dataset in EVALUATED.items() if dataset in met]
    return [_table(name, columns, runs, found) for name in TABLES] if columns else []


def _table(name: str, columns: Sequence[str], runs: Runs, found: Sequence[Figures]) -> Table:
    rows: list[list[Cell]] = []
    for run, figures in zip(runs, found, strict=True):
        column = column_of(run)
        if column is None or with_repair(run.records):
            continue
        cell = shown(figures, name)
        if name not in figures:
            cell = _opposite(shown(figures, "executable")) if name == "execution error" else None
        if cell is not None:
            rows.append([run.header.model, *(cell if f == column else None for f in columns)])
    quoted: list[list[Cell]] = [
        ["mean of the models" if model == AVERAGE else model, *(scores[f] for f in columns)]
        for model, scores in published.table(name).items()
    ]
    note = "Runs of a whole dataset under the paper's protocol, of the version nearest to it: "
    return Table(
        f"{PAPER}, {TABLES[name][1]}: {name}",
        ["model", *(COLUMNS[family] for family in columns)],
        [*rows, *quoted],
        note=f"{note}{', '.join(EVALUATED[family] for family in columns)}. {pooling(runs)}".strip(),
        published=frozenset(range(len(rows), len(rows) + len(quoted))),
    )
