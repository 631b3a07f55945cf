"""How often drift of a whole program is decided: `python -m perf.drift [--seed S] [--count N]`.

The original of each `or-debug` problem is written anew in ways that keep the problem and in ways
that change it, run as a reply of `answer=program` is, and compared. A change counts as drift only
where a point of one model clearly breaks the other, found by random objectives and not by the
comparison. Seed 1 is what the comparison was made on, 2 is held out. A wrong proof is an error.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from ordojo.benchmarks.or_debug.injection.generate import generate
from ordojo.benchmarks.or_debug.outcome import moved
from ordojo.benchmarks.or_debug.perform import Workbench
from ordojo.benchmarks.or_debug.rewritten import run_reply
from ordojo.benchmarks.or_debug.schema import TYPES
from ordojo.compat.capture import lent_sandbox
from ordojo.compat.service import Cache
from ordojo.core.errors import SolverError
from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.source import gurobipy_source
from ordojo.solvers.highs import HighsOracle
from perf.figure import command

_TIME = 10.0
_WALL = 60.0
_CLEAR = 1e-3
"""By how much a point must break a model, relative to its terms, to show that it is another."""


class Column(NamedTuple):
    """A column as it is drafted."""

    low: float
    up: float
    kind: VarType
    cost: float


class Row(NamedTuple):
    """A row as it is drafted."""

    terms: dict[str, float]
    low: float
    up: float


@dataclass
class Draft:
    """A model by names, to be written anew."""

    maximize: bool
    offset: float
    cols: dict[str, Column]
    rows: dict[str, Row]

    @classmethod
    def of(cls, model: Model) -> "Draft":
        """A model as a draft; dropped rows are left out."""
        low, up = (side.tolist() for side in model.effective_bounds)
        cols = {
            name: Column(low[j], up[j], VarType(model.types.item(j)), model.objective.item(j))
            for j, name in enumerate(model.col_names)
        }
        rows = {}
        for i, name in enumerate(model.row_names):
            if model.is_live(i):
                index, value = model.row(i)
                terms = {
                    model.col_names[j]: a
                    for j, a in zip(index.tolist(), value.tolist(), strict=True)
                }
                rows[name] = Row(terms, model.row_lower.item(i), model.row_upper.item(i))
        return cls(model.maximize, model.offset, cols, rows)

    def model(self) -> Model:
        """The draft as a model."""
        found = Model.of("anew", self.maximize, self.offset, (), ())
        for name, col in self.cols.items():
            found = found.with_new_col(name, col.low, col.up, col.kind, col.cost)
        for name, row in self.rows.items():
            index = [found.cols[col] for col in row.terms]
            found = found.with_new_row(name, index, list(row.terms.values()), row.low, row.up)
        return found

    def replace(self, name: str, by: dict[str, float], shift: float = 0.0) -> None:
        """Put a sum of columns plus a constant in a column's place everywhere."""
        old = self.cols.pop(name)
        self.offset += old.cost * shift
        for k, b in by.items():
            self.cols[k] = self.cols[k]._replace(cost=self.cols[k].cost + old.cost * b)
        for at, row in self.rows.items():
            if a := row.terms.get(name):
                terms = {k: v for k, v in row.terms.items() if k != name}
                for k, b in by.items():
                    terms[k] = terms.get(k, 0.0) + a * b
                terms = {k: v for k, v in terms.items() if abs(v) > 1e-12}
                self.rows[at] = Row(terms, row.low - a * shift, row.up - a * shift)


def _renamed(d: Draft, rng: Generator) -> bool:
    called = {name: f"q{k}" for k, name in enumerate(d.cols)}
    d.cols = {called[name]: col for name, col in d.cols.items()}
    d.rows = {
        f"k{i}": row._replace(terms={called[name]: a for name, a in row.terms.items()})
        for i, row in enumerate(d.rows.values())
    }
    return True


def _reordered(d: Draft, rng: Generator) -> bool:
    d.cols = dict(rng.permutation(np.array(list(d.cols.items()), object)).tolist())
    d.cols = {name: Column(*col) for name, col in d.cols.items()}
    names = list(d.rows)
    d.rows = {names[i]: d.rows[names[i]] for i in rng.permutation(len(names)).tolist()}
    return True


def _scaled(d: Draft, rng: Generator) -> bool:
    for name, row in d.rows.items():
        by = float(rng.choice([-1.0, 0.1, 3.0]))
        low, up = sorted((by * row.low, by * row.up))
        d.rows[name] = Row({k: by * a for k, a in row.terms.items()}, low, up)
    return True


def _slacks(d: Draft, rng: Generator) -> bool:
    for name, row in list(d.rows.items()):
        side = row.up if row.up < INF else row.low
        if row.low == row.up or (row.low > -INF and row.up < INF):
            continue
        d.cols[f"slack_{name}"] = Column(0.0, INF, VarType.CONTINUOUS, 0.0)
        sign = 1.0 if row.up < INF else -1.0
        d.rows[name] = Row(row.terms | {f"slack_{name}": sign}, side, side)
    return True


def _substituted(d: Draft, rng: Generator) -> bool:
    for at, row in list(d.rows.items()):
        for name, a in row.terms.items():
            col = d.cols[name]
            if row.low == row.up and len(row.terms) > 1 and col.kind == VarType.CONTINUOUS:
                del d.rows[at]
                rest = {k: -b / a for k, b in row.terms.items() if k != name}
                d.replace(name, rest, row.low / a)
                low, up = col.low - row.low / a, col.up - row.low / a
                if low > -INF or up < INF:
                    d.rows[f"{name}_range"] = Row(rest, low, up)
                return True
    return False


def _as_rows(d: Draft, rng: Generator) -> bool:
    for name, col in list(d.cols.items()):
        if col.kind == VarType.BINARY:
            continue
        if col.up < INF:
            d.rows[f"{name}_most"] = Row({name: 1.0}, -INF, col.up)
        if col.low > -INF:
            d.rows[f"{name}_least"] = Row({name: 2.0}, 2 * col.low, INF)
        d.cols[name] = col._replace(low=-INF, up=INF)
    return True


def _as_bounds(d: Draft, rng: Generator) -> bool:
    single = [at for at, row in d.rows.items() if len(row.terms) == 1]
    for at in single:
        ((name, a),) = d.rows[at].terms.items()
        low, up = sorted((d.rows[at].low / a, d.rows[at].up / a))
        col = d.cols[name]
        d.cols[name] = col._replace(low=max(low, col.low), up=min(up, col.up))
        del d.rows[at]
    return bool(single)


def _aggregated(d: Draft, rng: Generator) -> bool:
    upper = [row for row in d.rows.values() if row.up < INF]
    if len(upper) < 2:
        return False
    first, second = (upper[k] for k in rng.choice(len(upper), 2, replace=False).tolist())
    terms = dict(first.terms)
    for name, a in second.terms.items():
        terms[name] = terms.get(name, 0.0) + a
    d.rows["total"] = Row({k: a for k, a in terms.items() if a}, -INF, first.up + second.up)
    return True


def _redundant(d: Draft, rng: Generator) -> bool:
    row = next((row for row in d.rows.values() if row.up < INF and len(row.terms) > 1), None)
    if row is None:
        return False
    d.rows["looser"] = Row(dict(row.terms), -INF, row.up + 1 + abs(row.up))
    return True


def _split(d: Draft, rng: Generator) -> bool:
    name = str(rng.choice(list(d.cols)))
    old = d.cols[name]
    if not (old.low == 0 and old.up == INF):
        return False
    for part in ("_a", "_b"):
        d.cols[name + part] = Column(0.0, INF, old.kind, 0.0)
    d.replace(name, {name + "_a": 1.0, name + "_b": 1.0})
    return True


def _shifted(d: Draft, rng: Generator) -> bool:
    name = str(rng.choice(list(d.cols)))
    old = d.cols[name]
    if old.kind == VarType.BINARY:
        return False
    d.cols[f"{name}_moved"] = Column(old.low - 3, old.up - 3, old.kind, 0.0)
    d.replace(name, {f"{name}_moved": 1.0}, 3.0)
    return True


def _row(d: Draft, rng: Generator) -> str:
    return str(rng.choice(list(d.rows)))


def _sides(d: Draft, rng: Generator) -> bool:
    at = _row(d, rng)
    row, by = d.rows[at], float(rng.choice([0.9, 1.1]))
    d.rows[at] = row._replace(low=row.low * by, up=row.up * by)
    return True


def _coefficient(d: Draft, rng: Generator) -> bool:
    at = _row(d, rng)
    name = str(rng.choice(list(d.rows[at].terms)))
    d.rows[at].terms[name] *= float(rng.choice([0.8, 1.25]))
    return True


def _sense(d: Draft, rng: Generator) -> bool:
    at = _row(d, rng)
    row = d.rows[at]
    d.rows[at] = Row(
        row.terms, row.up if row.up < INF else -INF, row.low if row.low > -INF else INF
    )
    return row.low != row.up


def _bound(d: Draft, rng: Generator) -> bool:
    name = str(rng.choice(list(d.cols)))
    d.cols[name] = d.cols[name]._replace(low=d.cols[name].low + 1)
    return d.cols[name].low <= d.cols[name].up and d.cols[name].low > -INF


def _type(d: Draft, rng: Generator) -> bool:
    name = str(rng.choice(list(d.cols)))
    old = d.cols[name].kind
    kind = VarType.INTEGER if old == VarType.CONTINUOUS else VarType.CONTINUOUS
    d.cols[name] = d.cols[name]._replace(kind=kind)
    return True


def _missing(d: Draft, rng: Generator) -> bool:
    del d.rows[_row(d, rng)]
    return True


def _extra(d: Draft, rng: Generator) -> bool:
    names = [str(name) for name in rng.choice(list(d.cols), 2, replace=False)]
    d.rows["extra"] = Row(dict.fromkeys(names, 1.0), -INF, float(rng.integers(1, 40)))
    return True


def _objective(d: Draft, rng: Generator) -> bool:
    name = str(rng.choice(list(d.cols)))
    d.cols[name] = d.cols[name]._replace(cost=d.cols[name].cost + 1.0)
    return True


Change = Callable[[Draft, Generator], bool]
SAME: dict[str, Change] = {
    "renamed": _renamed, "reordered": _reordered, "scaled": _scaled, "slacks": _slacks,
    "substituted": _substituted, "bounds as rows": _as_rows, "rows as bounds": _as_bounds,
    "aggregated row": _aggregated, "redundant row": _redundant, "split": _split,
    "shifted": _shifted,
}  # fmt: skip
OTHER: dict[str, Change] = {
    "side": _sides, "coefficient": _coefficient, "sense": _sense, "bound": _bound, "type": _type,
    "missing row": _missing, "extra row": _extra, "objective": _objective,
}  # fmt: skip


def real(model: Model, original: Model, rng: Generator) -> bool:
    """Whether a point of one model clearly breaks the other, or is valued otherwise there."""
    for _ in range(12):
        cost = rng.normal(size=original.n)
        for source, target in ((original, model), (model, original)):
            d = Draft.of(source)
            d.cols = {
                name: col._replace(cost=cost.item(k))
                for k, (name, col) in enumerate(d.cols.items())
            }
            try:
                x = HighsOracle().solve(d.model(), _TIME).x
            except SolverError:
                continue
            if x is not None and _breaks(target, moved(x, source, target), source.value_at(x)):
                return True
    return False


def _breaks(model: Model, x: np.ndarray[tuple[int], np.dtype[np.float64]], value: float) -> bool:
    low, up = model.effective_bounds
    acts = model.activities(x)
    size = 1.0 + np.bincount(
        model.entry_rows, np.abs(model.value * x[model.index]), minlength=model.m
    )
    rows = np.maximum(model.row_lower - acts, acts - model.row_upper) / size
    cols = np.maximum(low - x, x - up) / (1.0 + np.abs(x))
    whole = np.where(model.types > 0, np.abs(x - np.round(x)), 0.0)
    gap = abs(model.value_at(x) - value) / (1.0 + float(np.abs(model.objective * x).sum()))
    worst = max(part.max(initial=0.0) for part in (rows, cols, whole))
    return bool(max(worst, gap) > _CLEAR)


def decided(seed: int, count: int) -> dict[str, Counter[str]]:
    """By kind of rewriting and of model, how many are "same", "different", "undecided", "WRONG"."""
    found: dict[str, Counter[str]] = {}
    kinds = [(name, make, True) for name, make in SAME.items()]
    kinds += [(name, make, False) for name, make in OTHER.items()]
    bench, cache = Workbench(HighsOracle(), _TIME), Cache()
    with lent_sandbox("auto", _WALL) as sandbox:
        for k in range(count):
            problem = generate("train", seed, k, list(TYPES)[k % len(TYPES)])
            original = problem.original_model
            for name, make, same in kinds:
                rng = generator(seed, f"drift {name}", k)
                for _ in range(10):
                    draft = Draft.of(original)
                    made = make(draft, rng)
                    if made and (same or real(draft.model(), original, rng)):
                        break
                else:
                    continue
                bench.begin(problem)
                text = f"```python\n{gurobipy_source(draft.model())}\n```"
                verdict = run_reply(text, bench, sandbox, _TIME, cache).same.verdict.value
                word = {"equal": "same", "unknown": "undecided"}.get(verdict, verdict)
                word = "WRONG" if word == ("different" if same else "same") else word
                told = f"{'keeps' if same else 'drift'}: {name}"
                found.setdefault(told, Counter())[word] += 1
                kind = "MILP" if original.is_mip else "LP"
                found.setdefault(f"all {kind}", Counter())[word] += 1
    bench.close()
    return found


def drift(seed: int = 1, count: int = 30) -> Iterable[tuple[str, float, str, str]]:
    """The share of rewritten programs of which drift is proved or refuted, by kind."""
    every = Counter[str]()
    found = decided(seed, count)
    for name, counts in sorted(found.items()):
        if name.startswith("all"):
            every += counts
        share = 100 * (counts["same"] + counts["different"]) / counts.total()
        yield name, share, f"% of {counts.total()}, {dict(counts)}", "-"
    share = 100 * (every["same"] + every["different"]) / max(1, every.total())
    yield "decided", share, f"% of {every.total()}", "90"
    yield "wrong proofs", every["WRONG"], "", "0"


if __name__ == "__main__":
    command(drift)()
