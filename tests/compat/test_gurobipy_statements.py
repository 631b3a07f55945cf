"""Statement by statement, our gurobipy says what the real one says."""

import re
import warnings
from typing import Any

import numpy as np
import pytest

import ordojo.compat.gurobipy as ours
from ordojo.compat.gurobipy.constants import PARAMETERS
from tests.compat.gurobipy_statements import BLOCKS, SETUP

NAMES = [name for name in ours.__all__ if name != "nlfunc"]
_MODULES = re.compile(r"ordojo\.compat\.gurobipy\.\w+\.|gurobipy\.((_core|_model|_exception)\.)?")


def _plain(text: str) -> str:
    return _MODULES.sub("", text)


def _said(line: str, names: dict[str, Any]) -> str:
    """The value of the line's last part as text, or its error."""
    *before, last = line.split(";")
    try:
        for part in before:
            exec(part.strip(), names)
        try:
            code = compile(last.strip(), "line", "eval")
        except SyntaxError:
            exec(last.strip(), names)
            return "done"
        value = eval(code, names)
        return _plain(f"{type(value).__name__}: {value!r}")
    except Exception as error:
        number = getattr(error, "errno", None)
        return _plain(f"{type(error).__name__} {number}: {error}")


def _run(module: Any, block: str) -> list[tuple[str, str]]:
    environment = module.Env(empty=True)
    environment.setParam("OutputFlag", 0)
    environment.start()
    names: dict[str, Any] = {name: getattr(module, name) for name in NAMES}
    names |= {"gp": module, "np": np, "env": environment}
    exec(SETUP, names)
    return [(line, _said(line, names)) for line in BLOCKS[block].strip().splitlines()]


@pytest.mark.parametrize("block", BLOCKS)
def test_says_what_gurobipy_says(block: str) -> None:
    real = pytest.importorskip("gurobipy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        wanted, got = _run(real, block), _run(ours, block)
    # Where Gurobi says nothing (`x + y < 3`), ours says what to do.
    silent = "NotImplementedError None: "
    wrong = [
        (line, a, b)
        for (line, a), (_, b) in zip(wanted, got, strict=True)
        if a != b and not (a == silent and b.startswith(silent))
    ]
    assert not wrong, "\n".join(f"{line}\n  real: {a}\n  ours: {b}" for line, a, b in wrong)


def test_every_constant_is_there() -> None:
    real = pytest.importorskip("gurobipy")

    def values(group: Any) -> dict[str, Any]:
        return {name: getattr(group, name) for name in dir(group) if not name.startswith("_")}

    for group in ("Attr", "Param", "Callback", "Status", "Error"):
        assert values(getattr(ours.GRB, group)) == values(getattr(real.GRB, group))
    plain = {k: v for k, v in values(real.GRB).items() if isinstance(v, int | float | str)}
    mine = values(ours.GRB)
    assert {k: mine.get(k) for k in plain} == plain


def test_every_parameter_has_gurobis_default_and_range() -> None:
    real = pytest.importorskip("gurobipy")
    with real.Env(empty=True) as env:
        env.setParam("OutputFlag", 0)
        env.start()
        model, mine = real.Model(env=env), ours.Model()
        for name in PARAMETERS:
            if name != "OutputFlag":
                assert mine.getParamInfo(name) == model.getParamInfo(name)


def test_every_method_of_the_model_is_there() -> None:
    real = pytest.importorskip("gurobipy")
    missing = {
        name
        for name in dir(real.Model)
        if not name.startswith("_") and not hasattr(ours.Model, name)
    }
    assert not missing
