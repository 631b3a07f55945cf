"""Many models at once: tables 6 and 9 and figures 13 and 14 of paper 003, over any folder."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ordojo.core.errors import OrdojoError, UsageError
from ordojo.core.panels import Bars, Cell, Panel, Plot, Series, Table
from ordojo.core.spread import HERE, Place, spread, stateless
from ordojo.formulation.vocabulary import name
from ordojo.structures.abstraction import abstract
from ordojo.structures.abstraction.folder import mps_bytes
from ordojo.structures.blueprint.blueprint import text
from ordojo.structures.blueprint.draft import draft
from ordojo.structures.flat import read_flat
from ordojo.structures.formulation import data_files, formulate
from ordojo.structures.labels import label

ENDINGS = tuple(
    f"{kind}{packed}" for kind in (".mps", ".lp") for packed in ("", ".gz", ".xz", ".bz2")
)
DOMINANT = 0.2
"""The share of a model's rows from which a type or scaffold is named, two at most: lower, and rows
that stand beside the model's own name it."""


@dataclass(frozen=True)
class SurveyedModel:
    """One model: what it most resembles, its dominant labels, its sizes in bytes and counts."""

    name: str
    major: str
    sub: str
    types: tuple[str, ...]
    scaffolds: tuple[str, ...]
    groups: int
    families: int
    mps_bytes: int
    told_bytes: int

    @property
    def compression(self) -> float:
        """MPS bytes per byte of text and data."""
        return self.mps_bytes / self.told_bytes


def model_files(folder: Path) -> list[Path]:
    """The model files directly in a folder, by name; raises UsageError where there is none."""
    found = sorted(path for path in folder.iterdir() if path.name.lower().endswith(ENDINGS))
    if not found:
        raise UsageError(f"{folder} holds no .mps or .lp file; name a folder of models")
    return found


def surveyed(path: Path) -> SurveyedModel:
    """Read one model and look at it; raises DataError where it cannot be read."""
    flat = read_flat(path)
    found = abstract(flat)
    labels, formulation = label(flat, found), formulate(flat, found)
    best = labels.applications[0]
    told = len(text(draft(formulation)).encode())
    told += sum(len(one.encode()) for one in data_files(formulation).values())
    sizes = [(one, one.size) for one in labels.families]
    return SurveyedModel(
        path.name.split(".")[0],
        best.major,
        best.sub,
        _dominant((name(one.semantic), size) for one, size in sizes),
        _dominant((name(one.scaffold), size) for one, size in sizes),
        len(found.groups),
        len(found.families),
        mps_bytes(flat),
        told,
    )


def _dominant(counted: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    rows: Counter[str] = Counter()
    for word, size in counted:
        rows[word] += size
    whole = sum(rows.values())
    return tuple(word for word, count in rows.most_common(2) if count >= DOMINANT * whole)


Surveyed = SurveyedModel | tuple[str, str]
"""A model, or its file's name with the reason why it is left out."""


def survey(paths: Sequence[Path], place: Place = HERE) -> Iterator[Surveyed]:
    """Every model in turn; the place changes nothing, and must see the files."""
    sizes = {path: path.stat().st_size for path in paths}
    return spread(
        stateless(_surveyed),
        paths,
        place,
        cost=sizes.__getitem__,
        lost=_left_out,
        what="reading models",
    )


def _surveyed(path: Path) -> Surveyed:
    try:
        return surveyed(path)
    except OrdojoError as error:
        return _left_out(path, error)


def _left_out(path: Path, error: OrdojoError) -> Surveyed:
    return path.name, str(error)


def panels(models: Sequence[SurveyedModel]) -> tuple[Table, list[Panel]]:
    """The table of the taxonomy, and the figures."""
    classes: dict[tuple[str, str], list[SurveyedModel]] = {}
    for one in models:
        classes.setdefault((one.major, one.sub), []).append(one)
    listed: list[list[Cell]] = [
        [
            major,
            sub,
            len(mine),
            ", ".join(one.name for one in mine),
            _commonest(one.types for one in mine),
            _commonest(one.scaffolds for one in mine),
        ]
        for (major, sub), mine in sorted(classes.items())
    ]
    sizes = [
        (math.log10(one.told_bytes / 1000), math.log10(one.mps_bytes / 1000)) for one in models
    ]
    taxonomy = Table(
        "Application taxonomy",
        ["main class", "problem class", "models", "instances", "types", "structures"],
        listed,
        note="As tables 6 and 9 of paper 003: the class that each model resembles most, which "
        "states none, and the types and loop structures of a fifth of the rows or more.",
    )
    return taxonomy, [
        Plot(
            "Size of the MPS file against text and data",
            "log10 of KB, text and data",
            "log10 of KB, MPS file",
            [("models", sizes)],
            diagonal=True,
            note="As figure 13. On the diagonal both are as large; a unit above it is ten times.",
        ),
        _histogram("Variable groups", [one.groups for one in models]),
        _histogram("Constraint families", [one.families for one in models]),
        _histogram(
            "Compression", [round(2 * math.log10(one.compression)) / 2 for one in models], "10^"
        ),
    ]


def _commonest(words: Iterable[tuple[str, ...]]) -> str:
    counted = Counter(word for one in words for word in one)
    return ", ".join(word for word, _ in counted.most_common(3))


def _histogram(title: str, values: Sequence[float], before: str = "") -> Bars:
    counts = Counter(values)
    places = sorted(counts)
    return Bars(
        title,
        [f"{before}{place:g}" for place in places],
        [Series("models", [counts[place] for place in places])],
        unit="models",
        note="As figure 14.",
    )


def rows(models: Sequence[SurveyedModel]) -> list[dict[str, object]]:
    """One record a model, for a CSV file."""
    return [
        {
            **asdict(one),
            "types": ", ".join(one.types),
            "scaffolds": ", ".join(one.scaffolds),
            "compression": round(one.compression, 3),
        }
        for one in models
    ]
