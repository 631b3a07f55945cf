"""Looking for what a benchmark's data should not have: doubles, leaks, gaps, a skewed key."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.canonical import Json, canonical
from ordojo.core.errors import UsageError
from ordojo.core.options import parse_options
from ordojo.core.registry import benchmark_names, benchmark_of, get_benchmark
from ordojo.core.rows import PARSERS, Row, parse_file
from ordojo.core.seeds import generator
from ordojo.core.words import amount
from ordojo.datasets.duplicates import Duplicate, find_duplicates, normalised
from ordojo.datasets.registry import Disputed, get_dataset, reader_of
from ordojo.datasets.schemas import Schema
from ordojo.datasets.store import locate, sha256_of

PLACEHOLDER = re.compile(r"\{\w+\}|<\w+>|n/?a|nan|none|null|todo|tbd|\?*", re.IGNORECASE)

ASKED = Schema(
    name="asked",
    columns=("question", "answer"),
    check=lambda row: "",
    question=lambda row: str(row["question"]),
    answer=lambda row: str(row["answer"]),
    type_of=lambda row: str(row["type"]),
)
"""What any benchmark's instances have in common: what is asked first, and the truth."""

DRAWS = 10_000
"""How many keys are drawn to judge the balance of one."""


@dataclass(frozen=True)
class SplitAudit:
    """What was found in one split; `row` numbers count from 1.

    `balance_p` is the chance of a key at least as uneven, by chi-square, if all answers were
    equally likely. `alike_options` differ only in case, marks or spacing. `missing` counts blank
    and placeholder texts by column; `problems` are rows that no benchmark can use. `words` are
    those of the contexts, questions and options of all others.
    """

    rows: int
    words: int
    contexts: int
    answers: Mapping[str, int]
    balance_p: float
    types: Mapping[str, int]
    missing: Mapping[str, int]
    duplicate_options: tuple[int, ...]
    alike_options: tuple[int, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class AuditReport:
    """What was found in a dataset; `shared_contexts` counts contexts common to two splits.

    `stated` is what a paper says (`Benchmark.stated`); it stands in brackets beside ours.
    """

    id: str
    licence: str
    sha256: str
    splits: Mapping[str, SplitAudit]
    duplicates: tuple[Duplicate, ...]
    shared_contexts: Mapping[str, int]
    disputed: tuple[Disputed, ...]
    stated: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """The report as plain JSON; a p-value of nothing is null."""
        report = asdict(self)
        del report["stated"]
        for split in report["splits"].values():
            split["balance_p"] = None if math.isnan(split["balance_p"]) else split["balance_p"]
        return report

    def table(self) -> list[tuple[str, ...]]:
        """The splits side by side for readers; the first row is the heading."""
        splits = list(self.splits.values())
        balance = ("answers: p of balance", *(f"{s.balance_p:.3g}" for s in splits))

        def counts(name: str) -> list[tuple[str, ...]]:
            tables: list[Mapping[str, int]] = [getattr(split, name) for split in splits]
            keys = sorted({key for table in tables for key in table}, key=_natural)
            return [(f"{name}: {k}", *(str(table.get(k, 0)) for table in tables)) for k in keys]

        return [
            ("", *self.splits),
            ("items", *(self._items(name) for name in self.splits)),
            ("words", *(str(s.words) for s in splits)),
            ("contexts", *(str(s.contexts) for s in splits)),
            *counts("answers"),
            *([balance] if any(s.answers for s in splits) else []),
            *counts("types"),
            *counts("missing"),
            ("identical options", *(_numbers(s.duplicate_options) for s in splits)),
            ("alike options", *(_numbers(s.alike_options) for s in splits)),
            ("unusable rows", *(str(len(s.problems)) for s in splits)),
            ("all splits", self._whole(), *[""] * (len(splits) - 1)),
        ]

    def _items(self, split: str) -> str:
        stated = self.stated.get(split)
        return f"{self.splits[split].rows}" + (f" [{stated}]" if stated else "")

    def findings(self) -> list[str]:
        """What a person should look at, one line each."""
        return [
            *(problem for split in self.splits.values() for problem in split.problems),
            *(
                f"{d.first} and {d.second}: {d.kind} duplicates ({d.likeness:.2f})"
                for d in self.duplicates
            ),
            *(
                f"{pair}: {amount(n, 'context')} in both splits"
                for pair, n in self.shared_contexts.items()
            ),
            *(f"{d.split}:{d.row}: {d.status}, {d.note}" for d in self.disputed),
        ]

    def _whole(self) -> str:
        """Items and words of all splits together, a paper's in brackets."""
        rows = sum(split.rows for split in self.splits.values())
        usable = sum(split.rows - len(split.problems) for split in self.splits.values())
        words = sum(split.words for split in self.splits.values()) / max(usable, 1)
        if not self.stated:
            return f"{amount(rows, 'item')} of {words:.0f} words"
        items, told = sum(self.stated[split] for split in self.splits), self.stated["words"]
        return f"{rows} [{items}] items of {words:.0f} [{told}] words"


class Audited(Protocol):
    """What was found in a dataset: an `AuditReport`, or what a benchmark's own `audit` gives."""

    @property
    def id(self) -> str:
        """The dataset's, or the file's name."""

    @property
    def licence(self) -> str:
        """As its source has it."""

    def to_json(self) -> dict[str, Json]:
        """The report as plain JSON."""

    def table(self) -> list[tuple[str, ...]]:
        """The figures for readers; the first row is the heading."""

    def findings(self) -> list[str]:
        """What a person should look at, one line each."""


def audit(target: str | Path | AnyBenchmark) -> Audited:
    """Audit a dataset by its id, a file of rows or of built instances, or a benchmark's instances.

    Raises UsageError or DataError if it is absent, damaged, unparsable, or nobody reads it.
    """
    if (benchmark := benchmark_of(target)) is not None:
        return _audit_instances(benchmark, {})
    dataset = str(target)
    path = Path(dataset).expanduser()
    if path.suffix in PARSERS:
        return _audit_file(path)
    spec, reader = get_dataset(dataset), reader_of(dataset)
    own: Audited | None = reader.audit(dataset) if reader else None
    if own is not None:
        return own
    if spec.reader:
        raise UsageError(f"{dataset} holds models, not questions; ordojo data verify checks it")
    located = locate(dataset)
    rows = {file.split: parse_file(located.files[file.split], file.name) for file in spec.files}
    stated = reader.stated.get(dataset, {}) if reader else {}
    facts = spec.id, spec.licence, located.sha256, spec.schema
    return _report(*facts, rows, spec.disputed, stated)


def _audit_file(path: Path) -> AuditReport:
    rows = parse_file(path)
    first = rows[0][1]
    if "benchmark" in first:
        owner = get_benchmark(str(first["benchmark"]))
        if owner.schema is None:
            return _audit_instances(owner, {owner.reads_by: str(path)}, path.name)
        schema = owner.schema
    else:
        known = [one.schema for one in map(get_benchmark, benchmark_names()) if one.schema]
        schema = max(known, key=lambda one: sum(column in first for column in one.columns))
    return _report(path.name, "not stated", sha256_of(path), schema, {"test": rows})


def _audit_instances(
    benchmark: AnyBenchmark, settings: Mapping[str, Any], name: str = ""
) -> AuditReport:
    options = parse_options(benchmark.options, settings, benchmark.name)
    environment = benchmark.environment(options, 0)
    rows: list[tuple[str, Row]] = []
    choices: tuple[str, ...] = ()
    try:
        for instance in benchmark.load(options, 0):
            asked, gold = environment.reset(instance, 0), benchmark.gold(instance)
            choices = asked.choices
            answer = gold if isinstance(gold, str) else canonical(gold)
            kind = instance.labels.get(benchmark.strata[0], "")
            rows.append((instance.id, {"question": asked.text, "answer": answer, "type": kind}))
    finally:
        environment.close()
    about = benchmark.dataset(options)
    schema = replace(ASKED, answers=tuple(choices))
    return _report(name or about["id"], "not stated", about["sha256"], schema, {"test": rows})


def _report(
    name: str,
    licence: str,
    sha256: str,
    schema: Schema,
    rows: Mapping[str, Sequence[tuple[str, Row]]],
    disputed: tuple[Disputed, ...] = (),
    stated: Mapping[str, int] = {},
) -> AuditReport:
    splits: dict[str, SplitAudit] = {}
    usable: dict[str, Row] = {}
    for split, found in rows.items():
        splits[split], good = _audit_split(found, schema)
        usable |= {f"{split}:{number}": row for number, row in good.items()}
    twice, shared = find_duplicates(usable, schema), _shared_contexts(usable, schema)
    return AuditReport(name, licence, sha256, splits, twice, shared, disputed, stated)


def _audit_split(
    rows: Sequence[tuple[str, Row]], schema: Schema
) -> tuple[SplitAudit, dict[int, Row]]:
    """The audit of one split, and its usable rows by number."""
    faults = {number: schema.problem(row) for number, (_, row) in enumerate(rows, 1)}
    good = {number: rows[number - 1][1] for number, fault in faults.items() if not fault}
    answers = Counter(schema.answer(row) for row in good.values())
    types = Counter(schema.type_of(row) for row in good.values())
    missing = {
        column: sum(_is_missing(row.get(column)) for _, row in rows)
        for column in (*schema.columns, *schema.optional)
    }
    identical = [n for n, row in good.items() if _repeats(schema.options(row))]
    alike = [n for n, row in good.items() if _repeats([normalised(o) for o in schema.options(row)])]
    return SplitAudit(
        rows=len(rows),
        words=sum(len(text.split()) for row in good.values() for text in _texts(schema, row)),
        contexts=len({schema.context(row) for row in good.values()} - {""}),
        answers={answer: answers[answer] for answer in schema.answers},
        balance_p=balance_p([answers[answer] for answer in schema.answers]),
        types={name: types[name] for name in sorted(types, key=_natural)},
        missing={column: count for column, count in missing.items() if count},
        duplicate_options=tuple(identical),
        alike_options=tuple(n for n in alike if n not in identical),
        problems=tuple(f"{rows[n - 1][0]} {fault}" for n, fault in faults.items() if fault),
    ), good


def _texts(schema: Schema, row: Row) -> Iterator[str]:
    yield from (schema.context(row), schema.question(row), *schema.options(row))


def _is_missing(value: object) -> bool:
    if isinstance(value, list):
        return not all(str(text).strip() for text in value)  # "None" may be a true option
    return value is None or (isinstance(value, str) and bool(PLACEHOLDER.fullmatch(value.strip())))


def _repeats(texts: Sequence[str]) -> bool:
    return len(set(texts)) < len(texts)


def balance_p(counts: Sequence[int]) -> float:
    """P-value of even counts by the chi-square statistic, NaN for no counts at all.

    Simulated, not looked up: with 24 orders over few items the asymptotic one is wrong. The
    observed counts are one of the draws, so the value is never 0.
    """
    total = sum(counts)
    if not total:
        return math.nan
    expected = total / len(counts)
    even = [1 / len(counts)] * len(counts)
    simulated = generator(0, "balance", 0).multinomial(total, even, size=DRAWS)
    statistics = ((simulated - expected) ** 2).sum(axis=1)
    observed = float(((np.asarray(counts) - expected) ** 2).sum())
    return (int((statistics >= observed - 1e-9).sum()) + 1) / (DRAWS + 1)


def _shared_contexts(rows: Mapping[str, Row], schema: Schema) -> dict[str, int]:
    """How many contexts each pair of splits has in common, where it has any."""
    contexts: dict[str, set[str]] = {}
    for name, row in rows.items():
        if text := normalised(schema.context(row)):
            contexts.setdefault(name.split(":")[0], set()).add(text)
    splits = list(contexts)
    pairs = [(a, b) for i, a in enumerate(splits) for b in splits[i + 1 :]]
    return {f"{a}, {b}": len(shared) for a, b in pairs if (shared := contexts[a] & contexts[b])}


def _natural(text: str) -> tuple[str, int]:
    """Sorts Q2 before Q10."""
    digits = re.search(r"\d+$", text)
    return (text.rstrip("0123456789"), int(digits.group()) if digits else 0)


def _numbers(rows: Sequence[int]) -> str:
    return f"{len(rows)} (rows {', '.join(map(str, rows))})" if rows else "0"
