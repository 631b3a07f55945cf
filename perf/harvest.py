"""The models of a program, and who made what: `python -m perf.harvest CHECKOUT OUT PROGRAM`.

What a program, notebook or test of a checkout solves with gurobipy or PuLP, put in OUT for
`perf.grouping`: the same statement is the same innermost line of the checkout, the largest is kept.
"""

import contextlib
import hashlib
import json
import lzma
import os
import random
import re
import sys
import unittest
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structures import read_mps

SOLVING, LARGEST = 5, 50_000
"""Seconds of a solve, columns and nonzeros of a model, at most."""
ADDERS = ("addVar", "addVars", "addMVar", "addConstr", "addConstrs", "addLConstr", "addMConstr")
URL = r"https://raw\.githubusercontent\.com/[\w-]+/[\w-]+/(?:refs/heads/)?\w+/"


def watched(method: Any, root: Path, made: list[tuple[Any, str]], place: int | None = None) -> Any:
    """The method, which also notes who calls it and what it makes: its argument, or result."""

    def noting(*args: Any, **options: Any) -> Any:
        new, frame = method(*args, **options), sys._getframe(1)
        while frame.f_back and not frame.f_code.co_filename.startswith(f"{root}/"):
            frame = frame.f_back
        site = f"{os.path.relpath(frame.f_code.co_filename, root)}:{frame.f_lineno}"
        made.extend((one, site) for one in (single(new) if place is None else [args[place]]))
        return new

    return noting


def single(new: Any) -> list[Any]:
    """The single columns or rows in what an adder of gurobipy's gives back."""
    new = [*new.values()] if isinstance(new, dict) else getattr(new, "tolist", lambda: new)()
    return [each for part in new for each in single(part)] if isinstance(new, list) else [new]


def keep(out: Path, made: list[tuple[Any, str]], *sides: Any) -> None:
    """Keep the model just written unless it is trivial, large, or has what no line made."""
    known = {id(each): site for each, site in made}
    sites = [[known.get(id(each), "") for each in side] for side in sides]
    told = json.dumps([sorted(set(side)) for side in sites]).encode()
    stem = Path(min(sites[1], default="").rsplit(":", 1)[0]).stem
    truth = out / "truth" / f"{stem}-{hashlib.sha256(told).hexdigest()[:8]}.npz"
    with contextlib.suppress(DataError):
        flat = read_mps(out / "now.mps")
        whole = all(map(all, sites)) and [flat.n, flat.m] == [len(side) for side in sites]
        size = flat.nonzeros + flat.n if whole and not flat.sections and flat.m > 1 else 0
        if (np.load(truth)["size"] if truth.exists() else 0) < size <= LARGEST:
            packed = lzma.compress((out / "now.mps").read_bytes())
            (out / f"{truth.stem}.mps.xz").write_bytes(packed)
            group, family = (np.unique(side, return_inverse=True)[1] for side in sites)
            np.savez(truth, column_group=group, row_group=family, size=size)


def watch(root: Path, out: Path) -> None:
    """Have gurobipy and PuLP note who adds, and their models kept when they are solved."""
    made: list[tuple[Any, str]] = []
    gurobipy, pulp = map(import_module, ("gurobipy", "pulp"))
    base, problem, solve = gurobipy.Model, pulp.LpProblem, pulp.LpProblem.solve

    def optimize(self: Any, *args: Any) -> None:
        self.update()
        other = self.copy()
        for attr, side in ("VarName", other.getVars()), ("ConstrName", other.getConstrs()):
            other.setAttr(attr, side, [re.sub(r"\s", "_", one.getAttr(attr)) for one in side])
        other.write(str(out / "now.mps"))
        keep(out, made, self.getVars(), self.getConstrs())
        self.Params.TimeLimit = SOLVING
        base.optimize(self, *args)

    def solved(self: Any, *args: Any, **options: Any) -> Any:
        self.writeMPS(str(out / "now.mps"))
        keep(out, made, self.variables(), self.constraints.values())
        return solve(self, *args, **options)

    adders = {name: watched(getattr(base, name), root, made) for name in ADDERS}
    vars(gurobipy)["Model"] = type("Model", (base,), adders | {"optimize": optimize})
    pulp.LpVariable.__init__ = watched(pulp.LpVariable.__init__, root, made, 0)
    problem.addConstraint, problem.solve = watched(problem.addConstraint, root, made, 1), solved


def main(root: Path, out: Path, program: Path) -> None:
    """Run a program and its tests; the cells of a notebook one by one, as one may fail."""
    (out / "truth").mkdir(parents=True, exist_ok=True)
    os.chdir(program.parent)
    sys.path = [f"{program.parent}", f"{root}/src", *sys.path[1:], str(root)]
    watch(root, out)
    random.seed(0)
    np.random.seed(0)
    cells, line, module = [program.read_text()], 0, ModuleType("__main__")
    if program.suffix == ".ipynb":
        parts = json.loads(cells[0])["cells"]
        cells = ["".join(part["source"]) for part in parts if part["cell_type"] == "code"]
    package = ".".join(program.parent.relative_to(root).parts)
    module.__dict__.update(__package__=package, __file__=str(program), display=print)
    for cell in cells:
        text = re.sub(r"(?m)^(\s*)[%!].*$", r"\1pass", re.sub(URL, f"file://{root}/", cell))
        try:
            exec(compile("\n" * line + text, str(program), "exec"), module.__dict__)
        except (Exception, SystemExit) as error:
            print(f"{program.name}:{line + 1}: {type(error).__name__}: {error}", file=sys.stderr)
        line += text.count("\n") + 1
    unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromModule(module))


if __name__ == "__main__":
    main(*(Path(each).resolve() for each in sys.argv[1:4]))
