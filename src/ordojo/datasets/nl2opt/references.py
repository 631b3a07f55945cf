"""Bench4Opt and OptiBench: text, data, and a reference model instead of an optimum."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.datasets.archives import unpacked
from ordojo.datasets.nl2opt.formats import DATA_NAME
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.lp_text import is_quadratic
from ordojo.datasets.nl2opt.sources import folders_in, read_json, read_text

FOLDER = re.compile(
    r"(?P<class>.+?)_\[(?P<domain>.+?)\](_\[(?P<variant>var\d+)\]|_(?P<other>\w+))?"
)

CERTIFIABLE = {
    "wl_det_list": "Weisfeiler-Lehman determinable",
    "sym_decom_list": "symmetric decomposable",
}
"""Lists of models on which the source's own test of equivalence is sound."""


@dataclass(frozen=True)
class Layout:
    """Names in one source: of the text asked, of the model, and of the two families' folders."""

    text: str
    model: str
    families: Mapping[str, str]


_BENCH4OPT = {"LP": "LP", "MILP": "MILP"}
_OPTIBENCH = {"LP": "LP_selected", "MILP": "MILP_selected"}

Reader = Callable[[str, Path], list[Item]]


def bench4opt(text: str, *, valid_only: bool = False) -> Reader:
    """A reader of Bench4Opt's folders that asks `text`, perhaps only what its valid lists name."""
    layout = Layout(text, "model.lp", _BENCH4OPT)

    def read(dataset: str, path: Path) -> list[Item]:
        valid = _valid(path)
        items = _items(dataset, path, layout, valid)
        return [item for item in items if not valid_only or item.id in valid]

    return read


def optibench(text: str) -> Reader:
    """A reader of OptiBench's archive that asks `text`."""
    layout = Layout(text, "reference_answer.lp", _OPTIBENCH)

    def read(dataset: str, path: Path) -> list[Item]:
        return _items(dataset, unpacked(path), layout, {})

    return read


def _items(dataset: str, path: Path, layout: Layout, valid: Mapping[str, str]) -> list[Item]:
    """One item a folder that has the text; raises DataError for a folder of another kind."""
    return [
        _item(dataset, folder, family, layout, valid.get(folder.name))
        for family, name in layout.families.items()
        for problem_class in folders_in(path / name)
        for folder in folders_in(problem_class)
        if (folder / layout.text).is_file()
    ]


def _item(dataset: str, folder: Path, family: str, layout: Layout, certifiable: str | None) -> Item:
    match = FOLDER.fullmatch(folder.name)
    if match is None:
        raise DataError(f"{folder} is not named 'class_[domain]_[variant]'; get the dataset again")
    absent = [name for name in (layout.model, DATA_NAME) if not (folder / name).is_file()]
    labels = {key: value for key, value in match.groupdict().items() if key != "other" and value}
    if certifiable:
        labels["certifiable"] = certifiable
    if not absent and is_quadratic(read_text(folder / layout.model)):
        labels["degree"] = "quadratic"
    return Item(
        id=folder.name,
        dataset=dataset,
        question=read_text(folder / layout.text),
        golds=(),
        status="incomplete" if absent else "ok",
        reason=f"{', '.join(absent)} of {folder.name} is not there" if absent else "",
        labels={"type": family, **labels},
        files={} if absent else {DATA_NAME: folder / DATA_NAME},
        parameters={} if absent else read_json(folder / DATA_NAME),
        reference_model=None if absent else folder / layout.model,
    )


def _valid(path: Path) -> dict[str, str]:
    """The problems that the source's valid lists name, with how equivalence can be certified."""
    found: dict[str, str] = {}
    for family in _BENCH4OPT:
        for entry in read_json(path / "valid_problem_list" / f"{family}_valid_problem_list.json"):
            for lists in entry.values():
                found |= dict.fromkeys(lists["path_list"], "no")
                for name, meaning in CERTIFIABLE.items():
                    found |= dict.fromkeys(lists[name], meaning)
    return found
