"""Why a model is infeasible or unbounded, and the smallest ways out: what `ordojo explain` says."""

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordojo.core.errors import SolverError, UsageError
from ordojo.milp.algebra import row_text
from ordojo.milp.model import INF, Floats, Model, VarType
from ordojo.solvers import deletion
from ordojo.solvers.answers import Iis, Repair, Shift, Side, SolveResult, Status
from ordojo.solvers.iis import is_irreducible, subsystem
from ordojo.solvers.kept import KeptOracle
from ordojo.solvers.protocol import Oracle
from ordojo.solvers.ray import Ray, find_ray
from ordojo.solvers.repair import apply_shifts, minimal_repairs

SHOWN = 40
"""How many members of an IIS, and moves of a repair, the text lists."""

SPREAD = 1e9
"""Largest over smallest coefficient beyond which numbers are doubted: a double has 16 digits, and
tolerances of 1e-7 take 7 of them."""
TOLERANCE = 1e-6
"""What solvers let a row be off by default: to some a contradiction below it is none."""

_SENTENCES = {
    Status.OPTIMAL: "feasible, so there is no conflict to explain; its optimum is {objective}",
    Status.UNBOUNDED: "unbounded: it is feasible, and its objective improves without end; "
    "bound the columns that the objective drives",
    Status.TIME_LIMIT: "not decided within the time limit; give it more time",
    Status.ERROR: "not solved: the solver failed on it; check its numbers",
}


@dataclass(frozen=True)
class Explanation:
    """A model's status, and where it is infeasible conflicts and repairs, best first.

    `conflicts` share no row. `words` say each over the model's families, where those were looked
    for. `beyond_repair`: a solve proved that no sides that may move, moved however far, give a
    solution. `ray` is an unbounded model's, `doubts` sentences on its numbers.
    """

    model: Model
    solver: str
    status: Status
    objective: float | None = None
    conflicts: tuple[Iis, ...] = ()
    repairs: tuple[Repair, ...] = ()
    beyond_repair: bool = False
    unfinished: str = ""
    seconds: float = 0.0
    ray: Ray | None = None
    doubts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    linear: bool = True
    """Whether `model` is all there is: else parts are kept beside its rows, which `doubts` say."""

    @property
    def iis(self) -> Iis | None:
        """The first conflict."""
        return self.conflicts[0] if self.conflicts else None

    def repaired(self, number: int = 1) -> Model:
        """The model with this repair applied.

        UsageError where there is none of that number, or the model is more than linear rows.
        """
        if not self.linear:
            raise UsageError(
                f"{self.model.name} has parts that are no linear rows, so that no repaired file is "
                "written; make the moves shown in its own source"
            )
        if not 0 < number <= len(self.repairs):
            raise UsageError(
                f"there is no repair {number} of {self.model.name}: it is {self.status.value}, "
                f"with {len(self.repairs)} repairs"
            )
        return apply_shifts(self.model, list(self.repairs[number - 1].shifts))

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON, with the IIS's rows in algebra."""
        found: dict[str, Any] = {
            "model": self.model.name,
            "solver": self.solver,
            "status": str(self.status),
            "objective": self.objective,
            "rows": self.model.m,
            "columns": self.model.n,
            "nonzeros": self.model.nonzeros,
            "seconds": round(self.seconds, 3),
            "unfinished": self.unfinished,
        }
        found["doubts"] = list(self.doubts)
        if self.conflicts:
            found["iis"], *found["further_conflicts"] = (
                self._as_json(k) for k in range(len(self.conflicts))
            )
        if self.ray is not None:
            found["ray"] = {
                "moves": {self.model.col_names[j]: step for j, step in self.ray.moves},
                "gain": self.ray.gain,
                "proven": self.ray.proven,
            }
        if self.status == Status.INFEASIBLE:
            found["beyond_repair"] = self.beyond_repair
            found["repairs"] = [
                {
                    "kind": repair.kind,
                    "cost": repair.cost,
                    "least": repair.least,
                    "objective": repair.objective,
                    "verified": repair.verified,
                    "moves": [_move(shift) for shift in repair.shifts],
                }
                for repair in self.repairs
            ]
        return found

    def _as_json(self, number: int) -> dict[str, Any]:
        model, iis = self.model, self.conflicts[number]
        return {
            "rows": [
                {"name": model.row_names[i], "side": str(side), "text": _row(model, i)}
                for i, side in iis.rows
            ],
            "bounds": [
                {"column": model.col_names[j], "side": str(side), "text": text}
                for j, side in iis.bounds
                for text in _bounds(model, j, side)
            ],
            "needs_integrality": iis.integral,
            "irreducible": iis.proven,
            "words": self.words[number] if self.words else "",
        }

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The explanation for a reader."""
        model = self.model
        size = f"{model.m:,} rows, {model.n:,} columns, {model.nonzeros:,} nonzeros; {self.solver}"
        if self.status == Status.INFEASIBLE:
            lines = [f"{model.name} is infeasible ({size})"]
            for number in range(len(self.conflicts)):
                lines += ["", *self._conflict(number)]
            lines += ["", *self._ways_out()]
        else:
            objective = "unknown" if self.objective is None else f"{self.objective:g}"
            said = _SENTENCES[self.status].format(objective=objective)
            lines = [f"{model.name} is {said} ({size})"]
        lines += self._direction()
        lines += [line for said in (self.unfinished, *self.doubts) if said for line in ("", said)]
        return "\n".join(lines)

    def _conflict(self, number: int) -> list[str]:
        iis = self.conflicts[number]
        members = [(self.model.row_names[i], _row(self.model, i)) for i, _ in iis.rows]
        members += [
            ("(bound)", text) for j, side in iis.bounds for text in _bounds(self.model, j, side)
        ]
        kind = "remove any one and the rest can" if iis.proven else "some may be spare"
        whole = " for whole numbers" if iis.integral else ""
        width = max(len(name) for name, _ in members[:SHOWN])
        start = "Nor can these" if number else "These"
        cannot = "all hold" if number else "cannot all hold"
        return [
            f"{start} {len(members)} {cannot}{whole} ({kind}):",
            *(f"  {name:<{width}}  {text}" for name, text in members[:SHOWN]),
            *([f"  and {len(members) - SHOWN} more"] if len(members) > SHOWN else []),
            *([f"In words: {self.words[number]}."] if self.words and self.words[number] else []),
        ]

    def _direction(self) -> list[str]:
        if self.ray is None:
            return []
        moves = [
            f"  {self.model.col_names[j]} {'up' if step > 0 else 'down'} by {abs(step):g}"
            for j, step in self.ray.moves
        ]
        sure = "proved in fractions" if self.ray.proven else "to rounding"
        more = [f"  and {len(moves) - SHOWN} more"] if len(moves) > SHOWN else []
        return [
            "",
            f"No row or bound stops these, moved together again and again ({sure}):",
            *moves[:SHOWN],
            *more,
            f"Each time the objective improves by {self.ray.gain:g}. Bound one of them, or give "
            "them a row.",
        ]

    def _ways_out(self) -> list[str]:
        if self.beyond_repair:
            return [
                "No repair: with all sides free to move it still has no solution (those of "
                "infinite weight, hard ones, and of binary and semicontinuous columns, stand firm)."
            ]
        if not self.repairs:
            return []
        least = self.repairs[0].least
        lines = ["The smallest repairs:" if least else "Repairs, perhaps not the smallest:"]
        for number, repair in enumerate(self.repairs, 1):
            optimum = "" if repair.objective is None else f", optimum then {repair.objective:g}"
            solved = "solved again" if repair.verified else "not verified: no solve confirmed it"
            lines.append(f"  {number}. moves {repair.cost:g} in all ({solved}{optimum})")
            for shift in repair.shifts[:SHOWN]:
                sign = {"lower": ">=", "upper": "<=", "both": "=="}[shift.side]
                lines.append(f"     {shift.target} {sign} {shift.old:.9g} becomes {shift.new:.9g}")
            if len(repair.shifts) > SHOWN:
                lines.append(f"     and {len(repair.shifts) - SHOWN} more")
        return lines


def explain(
    model: Model,
    oracle: Oracle,
    time_limit: float = 60.0,
    limit: int = 5,
    weights: Mapping[str, float] | None = None,
    progress: Callable[[str], None] = lambda line: None,
    conflicts: int = 1,
    rank: str = "size",
) -> Explanation:
    """Solve; if infeasible, find conflicts and up to `limit` repairs, all within `time_limit` s.

    `weights` say how much a unit of moving a row's or bound's side costs, by name. At most
    `conflicts` are sought, no two with a row in common. `rank` puts repairs in the order of their
    "size" or of their "count" of moves. What was not settled is said in `unfinished`; whatever is
    said not to be so was proved by a solve.
    """
    started = time.monotonic()
    solver = f"{oracle.name} {oracle.version}"

    def left() -> float:
        return max(time_limit - (time.monotonic() - started), 0.1)

    progress(f"solving {model.m:,} rows and {model.n:,} columns")
    found: list[Iis] = []
    unfinished = []
    with closing(oracle.session()) as session:
        session.load(model)
        odd = deletion.indivisible(model)
        solution = session.solve(left()) if odd is None else SolveResult(Status.INFEASIBLE)
        if solution.status != Status.INFEASIBLE:
            linear = not isinstance(oracle, KeptOracle)
            unbounded = linear and solution.status == Status.UNBOUNDED
            ray = find_ray(model, left()) if unbounded else None
            return Explanation(
                model,
                solver,
                solution.status,
                solution.objective,
                seconds=time.monotonic() - started,
                ray=ray,
                doubts=(*_spread(model), *_violated(model, solution.x)),
            )
        progress("infeasible; looking for an irreducible conflict")
        try:
            found.append(odd or _proved(model, session.iis(left() / 3), oracle, lambda: left() / 3))
        except SolverError as error:
            unfinished.append(f"No conflict to show: {error}.")
    progress("looking for the smallest repairs")
    repairs: tuple[Repair, ...] = ()
    beyond_repair = False
    share = 1.0 if conflicts == 1 or not found else 0.7  # what is left over seeks other conflicts
    try:
        menu = minimal_repairs(
            model,
            oracle,
            weights=weights,
            limit=limit,
            time_limit=share * left(),
            progress=progress,
            rank=rank,
            solver=oracle.solve if isinstance(oracle, KeptOracle) else None,
        )
        repairs, beyond_repair = tuple(menu), not menu
    except SolverError as error:
        unfinished.append(f"No repair to show: {error}.")
    if found and conflicts > 1:
        progress("looking for conflicts with no row in common")
        found += _further(model, found[0], oracle, conflicts - 1, left)
    return Explanation(
        model,
        solver,
        Status.INFEASIBLE,
        None,
        tuple(found),
        repairs,
        beyond_repair,
        " ".join(unfinished),
        time.monotonic() - started,
        doubts=(*_spread(model), *_narrow(repairs)),
    )


def _further(
    model: Model, iis: Iis, oracle: Oracle, most: int, left: Callable[[], float]
) -> list[Iis]:
    """Conflicts of what remains without the rows of the first, one after another."""
    found: list[Iis] = []
    rest = model
    while len(found) < most and left() > 0.1:
        if not iis.rows:
            break  # bounds alone: without them too much would be let go
        at = np.array([i for i, _ in iis.rows])
        lower, upper = rest.row_lower.copy(), rest.row_upper.copy()
        lower[at], upper[at] = -INF, INF
        rest = replace(rest, row_lower=lower, row_upper=upper)
        try:
            if odd := deletion.indivisible(rest):
                iis = odd
                found.append(iis)
                continue
            if oracle.solve(rest, left() / 2).status != Status.INFEASIBLE:
                break
            iis = _proved(rest, oracle.iis(rest, left() / 2), oracle, lambda: left() / 2)
        except SolverError:
            break
        found.append(iis)
    return found


def _spread(model: Model) -> list[str]:
    """Whether the rows' numbers are too far apart for a solver's tolerances."""
    size = np.abs(model.value[model.value != 0])
    if not len(size) or size.max() < SPREAD * size.min():
        return []
    k = int(np.argmax(np.abs(model.value)))
    row, column = model.row_names[int(model.entry_rows[k])], model.col_names[int(model.index[k])]
    return [
        f"Its numbers are doubtful: coefficients go from {size.min():.0e} to {size.max():.0e} "
        f"({column} in {row}), more than a solver's tolerance bridges. Scale them, or give a large "
        "constant its true bound."
    ]


def _narrow(repairs: tuple[Repair, ...]) -> list[str]:
    """Whether the contradiction is smaller than solvers' tolerances."""
    if not repairs:
        return []
    off = max(abs(s.new - s.old) / max(1.0, abs(s.old)) for s in repairs[0].shifts)
    if off > TOLERANCE:
        return []
    return [
        f"It is infeasible by {off:.1g} only, less than the {TOLERANCE:g} that solvers allow by "
        "default: another may call it feasible. Look for a rounded number."
    ]


def _violated(model: Model, x: Floats | None) -> list[str]:
    """Whether a solution holds only by the solver's tolerance."""
    if x is None or not model.m:
        return []
    activity = model.activities(x)
    scale = np.maximum(
        1.0, np.bincount(model.entry_rows, np.abs(model.value * x[model.index]), model.m)
    )
    off = np.maximum(model.row_lower - activity, activity - model.row_upper) / scale
    worst = int(np.argmax(off))
    if off[worst] <= 1e-9:
        return []
    return [
        f"It is feasible to the solver's tolerance only: row '{model.row_names[worst]}' is off by "
        f"{off[worst]:.1g} at the point found. Look for a rounded number or a huge one."
    ]


def _proved(model: Model, iis: Iis, oracle: Oracle, left: Callable[[], float]) -> Iis:
    """The IIS, its members solved alone; `proven` if the rest without each was solved, too.

    Where the solver's own is not irreducible, the deletion filter goes on from it. Raises
    SolverError where the members alone are not infeasible.
    """
    part = subsystem(model, iis)
    status = oracle.solve(part, left()).status
    if status == Status.TIME_LIMIT:
        raise SolverError("the one found was not proved by itself in the time")
    if status != Status.INFEASIBLE:
        raise SolverError(f"the one that {oracle.name} names is {status.value} by itself")
    if iis.proven and is_irreducible(model, iis, oracle, left()) is None:
        return iis
    less = deletion.find(part, iis.integral, left())._replace(integral=iis.integral)
    if less.proven and is_irreducible(model, less, oracle, left()) is None:
        return less
    return iis._replace(proven=False)


def _row(model: Model, i: int) -> str:
    index, _ = model.row(i)
    more = len(index) > SHOWN
    if more:
        model = model.with_row(i, *_head(model, i), model.row_lower[i], model.row_upper[i])
    text = row_text(model, i).replace("`", "")  # a reader needs no quotes around x[1,2]
    return f"{text}   (the first {SHOWN} of {len(index)} terms)" if more else text


def _head(model: Model, i: int) -> tuple[list[int], list[float]]:
    index, value = model.row(i)
    return index[:SHOWN].tolist(), value[:SHOWN].tolist()


def _bounds(model: Model, j: int, side: Side) -> list[str]:
    name, (lower, upper) = model.col_names[j], model.effective_bounds
    why = " (binary)" if model.types[j] == VarType.BINARY else ""
    texts = []
    if side != Side.UPPER:
        texts.append(f"{name} >= {lower[j]:g}{why}")
    if side != Side.LOWER:
        texts.append(f"{name} <= {upper[j]:g}{why}")
    return texts


def _move(shift: Shift) -> dict[str, Any]:
    return {
        "target": shift.target,
        "side": str(shift.side),
        "from": float(shift.old),
        "to": float(shift.new),
    }
