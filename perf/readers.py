"""Files that readers read differently, by readers: what each says that the optimum is.

`python -m perf.readers [FOLDER]`: the cases of our tests (or FOLDER's files) in ordojo, HiGHS, SCIP
and Gurobi, each with a reader of its own; then `perf.files`, the times against HiGHS, in one run.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import gurobipy
import highspy
import pyscipopt

import ordojo
from ordojo.core.errors import OrdojoError
from ordojo.solvers.answers import Status
from perf.figure import show
from perf.files import bench_files

CASES = Path("tests/milp/cases")
REFUSED = "refused"


def by_ordojo(path: Path) -> str:
    """Our reader, with HiGHS or SCIP."""
    try:
        found = ordojo.explain(path, limit=1, conflicts=1)
    except OrdojoError:
        return REFUSED
    return said(str(found.status), found.objective)


def by_highs(path: Path) -> str:
    """HiGHS's own."""
    h = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    h.setOptionValue("time_limit", 20.0)
    if h.readModel(str(path)) == highspy.HighsStatus.kError:
        return REFUSED
    h.run()
    return said(h.modelStatusToString(h.getModelStatus()), h.getInfo().objective_function_value)


def by_scip(path: Path) -> str:
    """SCIP's own."""
    model = pyscipopt.Model()
    model.hideOutput()
    model.setParam("limits/time", 20)
    try:
        model.readProblem(str(path))
    except Exception:  # what SCIP raises has no class of its own
        return REFUSED
    model.optimize()
    status = model.getStatus()
    return said(status, model.getObjVal() if status == "optimal" else None)


def by_gurobi(path: Path) -> str:
    """Gurobi's own, within its licence for small models."""
    try:
        with gurobipy.Env(params={"OutputFlag": 0, "TimeLimit": 20}) as env:
            model = gurobipy.read(str(path), env)
            model.optimize()
    except gurobipy.GurobiError:
        return REFUSED
    names = {gurobipy.GRB.OPTIMAL: "optimal", gurobipy.GRB.INFEASIBLE: "infeasible"}
    status = names.get(model.Status, "infeasible or unbounded")
    return said(status, model.ObjVal if model.SolCount else None)


def said(status: str, objective: float | None) -> str:
    """An optimum as a number, another ending as a word."""
    if status.lower() == Status.OPTIMAL.lower() and objective is not None:
        return f"{round(objective, 6):.10g}"
    return status.lower().replace("_", " ")


READERS: dict[str, Callable[[Path], str]] = {
    "ordojo": by_ordojo,
    "HiGHS": by_highs,
    "SCIP": by_scip,
    "Gurobi": by_gurobi,
}


def main(folder: Path) -> None:
    """Print the table, how often each reader stands with ours, and the times."""
    print("| file |", " | ".join(READERS), "|")
    print("|---" * (1 + len(READERS)) + "|")
    same = Counter[str]()
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    for path in paths:
        row = {name: read(path) for name, read in READERS.items()}
        same.update(name for name, text in row.items() if text == row["ordojo"])
        print(f"| `{path.name}` |", " | ".join(row.values()), "|", flush=True)
    print(f"As ordojo, of {len(paths)} files:", ", ".join(f"{k} {v}" for k, v in same.items()))
    show(bench_files())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CASES)
