"""Hardness in a report: what models score above the line that needs no reading."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ordojo.core.errors import RunError
from ordojo.core.files import parse_json, read_text
from ordojo.core.hardness import Hardness, HardnessFinding, Shortcut
from ordojo.core.outputs import write_file
from ordojo.core.panels import Cell, Heatmap, Panel, Table
from ordojo.core.statistics import NOTHING
from ordojo.evaluation.runs import sound
from ordojo.reports.charts.bars import Forest, Line

FOLDER = "hardness"
"""Within a folder of runs: one file a benchmark and dataset, the latest."""


def keep(found: Hardness, runs: Path) -> Path:
    """Write a result into a folder of runs, in place of a former one; raises RunError."""
    name = re.sub(r"[^\w.@-]+", "-", f"{found.benchmark}--{found.dataset}")
    path = runs / FOLDER / f"{name}.json"
    text = json.dumps(found.to_json(), indent=1) + "\n"
    write_file(path, text, error=RunError, advice="choose another folder of `runs`")
    return path


def kept(paths: Sequence[Path]) -> list[Path]:
    """The files of results in folders of runs."""
    return sorted({file for path in paths for file in path.glob(f"{FOLDER}/*.json")})


def read_hardness(
    paths: Sequence[Path], damaged: Callable[[RunError], None] | None = None
) -> list[Hardness]:
    """The results in folders of runs, by benchmark and dataset.

    Raises RunError where a file is damaged, or tells `damaged` and leaves it out.
    """
    found = sound(kept(paths), _read, damaged)
    return sorted(found, key=lambda one: (one.benchmark, one.dataset))


def _read(path: Path) -> Hardness:
    try:
        return Hardness.from_json(parse_json(read_text(path)))
    except (OSError, ValueError) as error:
        raise RunError(f"{path} is no result of ordojo hardness ({error}); move it away") from None


@dataclass(frozen=True)
class Section:
    """A benchmark's part of the page: a sentence a dataset, the tables, and the figures.

    These are scores over the line of shortcuts, where there is one.
    """

    title: str
    statements: Sequence[str]
    figures: Sequence[Forest]
    panels: Sequence[Panel]


def section(found: Sequence[Hardness], models: Mapping[str, Sequence[Line]]) -> Section:
    """The section of one benchmark's results; `models` are those of the report's runs, by dataset.

    Datasets with the same published scores share a figure.
    """
    alike: dict[str, list[Hardness]] = {}
    for one in found:
        key = repr([(p.model, p.setting, p.score) for p in one.battery.published])
        alike.setdefault(key, []).append(one)
    return Section(
        found[0].title,
        [str(one) for one in found],
        [_figure(group, models) for group in alike.values()],
        [_shortcuts(found), *_by_type(found), _findings(found)],
    )


def _figure(found: Sequence[Hardness], models: Mapping[str, Sequence[Line]]) -> Forest:
    battery = found[0].battery
    own = [one for one in found if one.published] or found
    lines = [*_quoted(own[0]), *(_best(one) for one in found)]
    if not battery.quoted:
        # Runs have the headline metric.
        lines += [line for one in found for line in models.get(one.dataset, ())]
    lines.sort(key=lambda line: -line.estimate.value if line.estimate.value >= 0 else 9)
    # Quoted scores are drawn over the line of the datasets that they belong to.
    line = max((one.line[1].value for one in own), default=math.nan)
    names = ", ".join(one.dataset for one in found)
    title = f"{battery.quoted or battery.metric} on {names}"
    return Forest(title, lines, None if math.isnan(line) else line)


def _best(found: Hardness) -> Line:
    name, score = found.line
    return Line(name, score, "baseline", f"best shortcut on {found.dataset}")


def _quoted(found: Hardness) -> list[Line]:
    """Each quoted model's best setting, once; said of which data where of others."""
    best: dict[str, Line] = {}
    for row in sorted(found.battery.published, key=lambda row: row.score):
        elsewhere = "" if found.published else f"on {row.dataset}"
        note = " · ".join(part for part in (row.setting, elsewhere, row.source) if part)
        if not math.isnan(row.score):
            best[row.model] = Line(row.model, replace(NOTHING, value=row.score), "published", note)
    return list(best.values())


def _shortcuts(found: Sequence[Hardness]) -> Table:
    rows: dict[str, Shortcut] = {}
    for shortcut in (s for one in found for s in one.battery.shortcuts):
        rows.setdefault(shortcut.name, shortcut)

    def cell(one: Hardness, name: str, metric: str) -> Cell:
        known = next((s for s in one.battery.shortcuts if s.name == name), None)
        if known is None:
            return None
        return known.also.get(metric) if metric else known.score

    others = sorted({m for one in found for s in one.battery.shortcuts for m in s.also})
    metric = found[0].battery.metric
    heads = [f"{one.dataset}, {m or metric}" for one in found for m in ("", *others)]
    body: list[list[Cell]] = [
        [
            f"{name} (fitted)" if shortcut.fitted else name,
            shortcut.exploits,
            *(cell(one, name, m) for one in found for m in ("", *others)),
        ]
        for name, shortcut in rows.items()
    ]
    fitted = "; ".join(dict.fromkeys(f"{one.dataset}: {one.fitted_on}" for one in found))
    note = f"Fitted guessers have learnt from instances other than those measured, here {fitted}."
    return Table("Shortcuts and guessers", ["answered by", "what it lives on", *heads], body, note)


def _by_type(found: Sequence[Hardness]) -> list[Heatmap]:
    """The best shortcut of each type and dataset, where there are types."""
    kinds = sorted(
        {kind for one in found for s in one.battery.shortcuts for kind in s.by},
        key=lambda kind: [int(x) if x.isdigit() else x for x in re.split(r"(\d+)", kind)],
    )
    if len(kinds) < 2:
        return []
    values = [
        [
            max((s.by[kind].value for s in one.battery.shortcuts if kind in s.by), default=None)
            for kind in kinds
        ]
        for one in found
    ]
    return [
        Heatmap(
            "The best shortcut of each type",
            [one.dataset for one in found],
            kinds,
            values,
            note="The best of several on the same instances: somewhat more than any one would "
            "have on new ones.",
        )
    ]


def _findings(found: Sequence[Hardness]) -> Table:
    names: dict[str, HardnessFinding] = {}
    for finding in (f for one in found for f in one.battery.findings):
        names.setdefault(finding.name, finding)

    def cell(one: Hardness, name: str) -> Cell:
        known = next((f for f in one.battery.findings if f.name == name), None)
        return None if known is None else f"{known.count:,} of {known.of:,}"

    rows: list[list[Cell]] = [
        [name, finding.says, *(cell(one, name) for one in found)] for name, finding in names.items()
    ]
    heads = ["found", "that is", *(one.dataset for one in found)]
    return Table("Leaks, claims and duplicates", heads, rows)
