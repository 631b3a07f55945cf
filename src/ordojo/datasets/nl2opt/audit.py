"""What is doubtful in a dataset of problems: golds that are none, and versions that disagree."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError
from ordojo.datasets.duplicates import normalised
from ordojo.datasets.golds import GoldAnswer, agree, agree_as_printed
from ordojo.datasets.nl2opt.items import STATUSES, ProblemItem
from ordojo.datasets.nl2opt.load import load_items
from ordojo.datasets.nl2opt.statistics import ERROR_RATES
from ordojo.datasets.registry import DatasetSpec, get_dataset, versions
from ordojo.datasets.store import locate, sha256_of

Agreement = Callable[[GoldAnswer, GoldAnswer], bool]


@dataclass(frozen=True)
class GoldDifference:
    """One question to which two versions give different golds; `rounding`: one rounds the other."""

    item: str
    other: str
    golds: tuple[str, ...]
    other_golds: tuple[str, ...]
    rounding: bool


@dataclass(frozen=True)
class GoldComparison:
    """A dataset beside another version, over the `shared` questions of the same words and data."""

    version: str
    items: int
    shared: int
    differences: tuple[GoldDifference, ...]

    @property
    def beyond_rounding(self) -> int:
        """How many differences are no matter of rounding."""
        return sum(not difference.rounding for difference in self.differences)


@dataclass(frozen=True)
class ItemAudit:
    """What was found in one dataset; items are named by their ids.

    `doubtful` are the items of every status but "ok" with the reasons. `decimals` counts numeric
    golds by printed precision, `zeros` those that a relative error cannot be taken of. `repeated`
    are groups of items with the same question and data; `absent` versions are not on this machine.
    """

    id: str
    licence: str
    sha256: str
    items: int
    statuses: Mapping[str, int]
    doubtful: Mapping[str, Mapping[str, str]]
    decimals: Mapping[int, int]
    zeros: tuple[str, ...]
    repeated: tuple[tuple[str, ...], ...]
    unbound: Mapping[str, str]
    assumed: tuple[str, ...]
    comparisons: tuple[GoldComparison, ...]
    absent: tuple[str, ...]
    error_rate: float | None

    def to_json(self) -> dict[str, Json]:
        """The report as plain JSON."""
        report = asdict(self)
        report["decimals"] = {str(digits): count for digits, count in self.decimals.items()}
        return report

    def table(self) -> list[tuple[str, ...]]:
        """The counts for readers; the first row is the heading."""
        rate = "unknown" if self.error_rate is None else f"at least {self.error_rate:.0%}"
        return [
            ("", "test"),
            ("items", str(self.items)),
            *((f"status: {name}", str(n)) for name, n in self.statuses.items()),
            *((f"golds with {d} decimals", str(n)) for d, n in self.decimals.items()),
            ("golds that are 0", str(len(self.zeros))),
            ("questions that repeat", str(len(self.repeated))),
            ("objective assumed, not named", str(len(self.assumed))),
            ("wrong items by the survey, original version", rate),
            *(
                (
                    f"{c.version}: shared / other gold / beyond rounding",
                    f"{c.shared} / {len(c.differences)} / {c.beyond_rounding}",
                )
                for c in self.comparisons
            ),
            *((f"{version}: not here", "-") for version in self.absent),
        ]

    def findings(self) -> list[str]:
        """What a person should look at, one line each."""
        return [
            *(
                f"{item}: {status}, {reason}"
                for status, items in self.doubtful.items()
                for item, reason in items.items()
            ),
            *(f"{', '.join(group)}: the same question" for group in self.repeated),
            *(
                f"{item}: {{{names}}} in the text is no parameter"
                for item, names in self.unbound.items()
            ),
            *(
                f"{d.item}: {' or '.join(d.golds)}, but {' or '.join(d.other_golds)} "
                f"in {c.version} ({d.other})" + (", rounded" if d.rounding else "")
                for c in self.comparisons
                for d in c.differences
            ),
        ]


def audit_items(dataset_id: str) -> ItemAudit:
    """Audit one dataset beside its other versions; raises UsageError or DataError."""
    spec = get_dataset(dataset_id)
    items = load_items(dataset_id)
    keyed = _keyed(items)
    comparisons, absent = [], []
    for other in versions(dataset_id):
        if other.id == dataset_id or _same_file(other, spec):
            continue
        try:
            comparisons.append(_compare(keyed, other.id, _keyed(load_items(other.id))))
        except DataError:
            absent.append(other.id)
    numbers = [(item.id, gold) for item in items for gold in item.golds if gold.value is not None]
    counts = Counter(item.status for item in items)
    return ItemAudit(
        id=spec.id,
        licence=spec.licence,
        sha256=locate(dataset_id).sha256,
        items=len(items),
        statuses={status: counts[status] for status in STATUSES if counts[status]},
        doubtful={
            status: {item.id: item.reason for item in items if item.status == status}
            for status in STATUSES
            if status != "ok" and counts[status]
        },
        decimals=dict(sorted(Counter(gold.decimals for _, gold in numbers).items())),
        zeros=tuple(item for item, gold in numbers if gold.value == 0),
        repeated=tuple(group for group in _groups(keyed).values() if len(group) > 1),
        unbound={item.id: item.labels["unbound"] for item in items if "unbound" in item.labels},
        assumed=tuple(item.id for item in items if item.labels.get("objective") == "assumed"),
        comparisons=tuple(comparisons),
        absent=tuple(absent),
        error_rate=ERROR_RATES.get(spec.name),
    )


_Keyed = Sequence[tuple[str, ProblemItem]]
"""Items with their question keys, which cost more than all comparing."""


def _keyed(items: Sequence[ProblemItem]) -> _Keyed:
    return [(question_key(item), item) for item in items]


def _compare(items: _Keyed, version: str, others: _Keyed) -> GoldComparison:
    """The items beside those of another version that ask the same question of the same data.

    Two reference models are not compared, nor is an absent gold a difference.
    """
    by_key: dict[str, list[ProblemItem]] = {}
    for key, other in others:
        by_key.setdefault(key, []).append(other)
    shared, differences = 0, []
    for key, item in items:
        matches = by_key.get(key, [])
        shared += bool(matches)
        different = [other for other in matches if _differ(item, other, agree)]
        if matches and len(different) == len(matches):
            other = different[0]
            rounding = not _differ(item, other, agree_as_printed)
            differences.append(
                GoldDifference(item.id, other.id, _told(item), _told(other), rounding=rounding)
            )
    return GoldComparison(version, len(others), shared, tuple(differences))


def question_key(item: ProblemItem) -> str:
    """What two versions of one question have in common: its words, and its data.

    Parameters count where the question lies apart from them; 5 and 5.0 are the same.
    """
    data = re.sub(r"(\d)\.0\b", r"\1", str(item.parameters)) if item.documents else ""
    tables = {name: sha256_of(path) for name, path in item.files.items() if item.documents}
    return digest([normalised(item.question), data, tables])


def _same_file(first: DatasetSpec, second: DatasetSpec) -> bool:
    """Whether two versions are two choices of one file."""
    one, other = first.files[0].sha256, second.files[0].sha256
    return bool(one) and one == other


def _groups(items: _Keyed) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for key, item in items:
        groups[key] = (*groups.get(key, ()), item.id)
    return groups


def _differ(first: ProblemItem, second: ProblemItem, same: Agreement) -> bool:
    known = [[gold for gold in item.golds if gold.kind != "unknown"] for item in (first, second)]
    if not all(known):
        return False
    return not any(same(one, other) for one in known[0] for other in known[1])


def _told(item: ProblemItem) -> tuple[str, ...]:
    return tuple(gold.text or gold.kind for gold in item.golds)
