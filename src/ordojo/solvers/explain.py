"""Why a model is infeasible, and the smallest ways out: what `ordojo explain` says."""

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from ordojo.core.errors import SolverError
from ordojo.milp.algebra import row_text
from ordojo.milp.model import Model, VarType
from ordojo.solvers import deletion
from ordojo.solvers.answers import Iis, Repair, Shift, Side, Status
from ordojo.solvers.iis import is_irreducible, subsystem
from ordojo.solvers.protocol import Oracle
from ordojo.solvers.repair import minimal_repairs

SHOWN = 40
"""How many members of an IIS, and moves of a repair, the text lists."""

_SENTENCES = {
    Status.OPTIMAL: "feasible, so there is no conflict to explain; its optimum is {objective}",
    Status.UNBOUNDED: "unbounded: it is feasible, and its objective improves without end; "
    "bound the columns that the objective drives",
    Status.TIME_LIMIT: "not decided within the time limit; give it more time",
    Status.ERROR: "not solved: the solver failed on it; check its numbers",
}


@dataclass(frozen=True)
class Explanation:
    """A model's status, and where it is infeasible an IIS and repairs, smallest first.

    `beyond_repair`: a solve proved that no sides that may move, moved however far, give a solution.
    """

    model: Model
    solver: str
    status: Status
    objective: float | None = None
    iis: Iis | None = None
    repairs: tuple[Repair, ...] = ()
    beyond_repair: bool = False
    unfinished: str = ""
    seconds: float = 0.0

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
        if self.iis is not None:
            found["iis"] = {
                "rows": [
                    {
                        "name": self.model.row_names[i],
                        "side": str(side),
                        "text": _row(self.model, i),
                    }
                    for i, side in self.iis.rows
                ],
                "bounds": [
                    {"column": self.model.col_names[j], "side": str(side), "text": text}
                    for j, side in self.iis.bounds
                    for text in _bounds(self.model, j, side)
                ],
                "needs_integrality": self.iis.integral,
                "irreducible": self.iis.proven,
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

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The explanation for a reader."""
        model = self.model
        size = f"{model.m:,} rows, {model.n:,} columns, {model.nonzeros:,} nonzeros; {self.solver}"
        if self.status != Status.INFEASIBLE:
            objective = "unknown" if self.objective is None else f"{self.objective:g}"
            return f"{model.name} is {_SENTENCES[self.status].format(objective=objective)} ({size})"
        lines = [f"{model.name} is infeasible ({size})", ""]
        if self.iis is not None:
            lines += [*self._conflict(self.iis), ""]
        lines += self._ways_out()
        lines += ["", self.unfinished] if self.unfinished else []
        return "\n".join(lines)

    def _conflict(self, iis: Iis) -> list[str]:
        members = [(self.model.row_names[i], _row(self.model, i)) for i, _ in iis.rows]
        members += [
            ("(bound)", text) for j, side in iis.bounds for text in _bounds(self.model, j, side)
        ]
        kind = "remove any one and the rest can" if iis.proven else "some may be spare"
        whole = " for whole numbers" if iis.integral else ""
        width = max(len(name) for name, _ in members[:SHOWN])
        return [
            f"These {len(members)} cannot all hold{whole} ({kind}):",
            *(f"  {name:<{width}}  {text}" for name, text in members[:SHOWN]),
            *([f"  and {len(members) - SHOWN} more"] if len(members) > SHOWN else []),
        ]

    def _ways_out(self) -> list[str]:
        if self.beyond_repair:
            return [
                "No repair: with all sides free to move it still has no solution (those of "
                "infinite weight, and of binary and semicontinuous columns, stand firm)."
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
                lines.append(f"     {shift.target} {sign} {shift.old:g} becomes {shift.new:g}")
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
) -> Explanation:
    """Solve; if infeasible, find an IIS and up to `limit` repairs, all within `time_limit` seconds.

    `weights` say how much a unit of moving a row's or bound's side costs, by name. What was not
    settled is said in `unfinished`; whatever is said not to be so was proved by a solve.
    """
    started = time.monotonic()
    solver = f"{oracle.name} {oracle.version}"

    def left() -> float:
        return max(time_limit - (time.monotonic() - started), 0.1)

    progress(f"solving {model.m:,} rows and {model.n:,} columns")
    iis, unfinished = None, []
    with closing(oracle.session()) as session:
        session.load(model)
        solution = session.solve(left())
        if solution.status != Status.INFEASIBLE:
            seconds = time.monotonic() - started
            return Explanation(model, solver, solution.status, solution.objective, seconds=seconds)
        progress("infeasible; looking for an irreducible conflict")
        try:
            iis = _proved(model, session.iis(left() / 3), oracle, lambda: left() / 3)
        except SolverError as error:
            unfinished.append(f"No conflict to show: {error}.")
    progress("looking for the smallest repairs")
    repairs: tuple[Repair, ...] = ()
    beyond_repair = False
    try:
        found = minimal_repairs(
            model, oracle, weights=weights, limit=limit, time_limit=left(), progress=progress
        )
        repairs, beyond_repair = tuple(found), not found
    except SolverError as error:
        unfinished.append(f"No repair to show: {error}.")
    return Explanation(
        model,
        solver,
        Status.INFEASIBLE,
        None,
        iis,
        repairs,
        beyond_repair,
        " ".join(unfinished),
        time.monotonic() - started,
    )


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
    if len(index) <= SHOWN:
        return row_text(model, i)
    short = model.with_row(i, *_head(model, i), model.row_lower[i], model.row_upper[i])
    return f"{row_text(short, i)}   (the first {SHOWN} of {len(index)} terms)"


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
