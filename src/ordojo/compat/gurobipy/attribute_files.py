"""Files of attributes: hints (.hnt), priorities (.ord), starts (.mst, .sol), and all (.attr).

Each holds lines of a name and its value; .attr has them in sections. Gurobi's own fingerprint is no
published hash: ours says the same of two models, whether they are alike, in a number of its own.
"""

import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from ordojo.compat.core.assemble import problem_of
from ordojo.compat.core.store import FormulaPart
from ordojo.compat.gurobipy.basis import basis_lines, names_of, read_basis
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, failure, unsupported
from ordojo.compat.gurobipy.handles import start_name
from ordojo.milp.files import numbers_of
from ordojo.milp.problem import Settings

_SECTIONS = {
    "PARTITION": ("Partition", "var", int),
    "VARHINTS": ("VarHintVal", "var", float),
    "BRANCHPRIORITY": ("BranchPriority", "var", int),
    "POOLIGNORE": ("PoolIgnore", "var", int),
    "IISLBFORCE": ("IISLBForce", "var", int),
    "IISUBFORCE": ("IISUBForce", "var", int),
    "IISCONSTRFORCE": ("IISConstrForce", "constr", int),
    "LAZYCONSTRS": ("Lazy", "constr", int),
    "PSTART": ("PStart", "var", float),
    "DSTART": ("DStart", "constr", float),
    "VTAG": ("VTag", "var", str),
    "CTAG": ("CTag", "constr", str),
}
"""Sections of .attr files: the attribute, what has it, and its type."""
_UNSET: dict[str, Any] = {
    **dict.fromkeys(("Partition", "IISLBForce", "IISUBForce", "IISConstrForce"), -1),
    **dict.fromkeys(("BranchPriority", "PoolIgnore", "Lazy"), 0),
    **dict.fromkeys(("VarHintVal", "PStart", "DStart"), GRB.UNDEFINED),
    **dict.fromkeys(("VTag", "CTag"), ""),
}
_WEIGH = "VarHintVal BranchPriority Partition PoolIgnore Lazy PStart DStart"
"""Attributes that are part of a fingerprint: those that may lead a solver another way."""
_STARTS = ("SOLUTION", "MIPSTART")
"""Sections that are read as starts."""


def fingerprint(state: Any) -> int:
    """A number of 32 bits with sign that is the same for models alike but for names and tags."""
    if any(isinstance(part, FormulaPart) for part in state.family("general")):
        raise unsupported("the fingerprint of nonlinear formulas")
    starts = [start_name(number) for number in range(state.start_count)]
    rest = [
        (name, _place(handle), value)
        for name in (*_WEIGH.split(), *starts)
        for handle, value in state.extra.get(name, {}).items()
        if value != _UNSET.get(name, GRB.UNDEFINED)
    ]
    text = numbers_of(problem_of(state, Settings())).tobytes() + repr(sorted(rest)).encode()
    return int(np.array(zlib.crc32(text), np.uint32).astype(np.int32))


def _place(handle: Any) -> int:
    return int(handle._col if hasattr(handle, "_col") else handle._row)


def number(value: float) -> str:
    """A number as Gurobi's files have it."""
    short = f"{value + 0.0:.15g}"
    return short if float(short) == value else f"{value:.16e}"


def value_lines(state: Any, values: Iterable[Any]) -> str:
    """A line for each variable that has a value."""
    pairs = zip(names_of(state)[0], values, strict=False)
    known = (pair for pair in pairs if pair[1] is not None and pair[1] != GRB.UNDEFINED)
    return "".join(f"{name} {number(value)}\n" for name, value in known)


def start_lines(state: Any, which: int = 0) -> str:
    """A start that was given."""
    given = state.extra.get(start_name(which), {})
    return "# MIP start\n" + value_lines(state, [given.get(var) for var in state.columns])


def hint_lines(state: Any) -> str:
    """The hints, with their priorities."""
    if not _given(state, "VarHintVal"):
        raise failure("DATA_NOT_AVAILABLE", "No MIP hints available")
    pri = state.extra.get("VarHintPri", {})
    lines = (
        f"{name} {number(value)} {pri.get(handle, 0)}\n"
        for handle, name, value in _given(state, "VarHintVal")
    )
    return "# MIP variable hints\n" + "".join(lines)


def priority_lines(state: Any) -> str:
    """The priorities of branching."""
    if not _given(state, "BranchPriority"):
        raise failure("DATA_NOT_AVAILABLE", "No priorities available")
    lines = (f"{name} {value}\n" for _, name, value in _given(state, "BranchPriority"))
    return "# MIP branch priorities\n" + "".join(lines)


def _given(state: Any, attribute: str) -> list[tuple[Any, str, Any]]:
    """What has an attribute other than nothing: itself, its name in files, the value."""
    held = state.extra.get(attribute, {})
    pairs = [
        pair
        for side in zip((state.columns, state.rows), names_of(state), strict=True)
        for pair in zip(*side, strict=False)
    ]
    found = ((handle, name, held.get(handle)) for handle, name in pairs)
    return [one for one in found if one[2] is not None and one[2] != _UNSET[attribute]]


def attribute_lines(state: Any, solution: str) -> Iterator[str]:
    """The parts of an .attr file; `solution` is the text of a .sol file, or nothing."""
    if state.name:
        yield f"# Attribute file for model {state.name}\n"
    yield "GRB_ATTR_FILE_VERSION 130003\n"
    yield f"SECTION FINGERPRINT\n0x{fingerprint(state) & 0xFFFFFFFF:08x}\n"
    if solution:
        yield f"SECTION SOLUTION\n{solution}"
    with suppress(AttributeError, GurobiError):
        duals = zip(names_of(state)[1], [row.Pi for row in state.rows], strict=False)
        if solution:
            yield "SECTION PI\n" + "".join(f"{name} {number(dual)}\n" for name, dual in duals)
    with suppress(AttributeError, GurobiError):
        yield "SECTION BASIS\n" + "\n".join(basis_lines(state))
    for which in range(state.start_count):
        yield f"SECTION MIPSTART\n{start_lines(state, which)}"
    for title, (attribute, _, kind) in _SECTIONS.items():
        found = _given(state, attribute)
        if found and title == "VARHINTS":
            yield f"SECTION {title}\n{hint_lines(state)}"
        elif found:
            write: Any = {int: str, float: number, str: _quoted}[kind]
            lines = (f"{name} {write(value)}\n" for _, name, value in found)
            yield f"SECTION {title}\n{''.join(lines)}"


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace('"', '\\"'))


def read_attributes(model: Any, text: str, ending: str) -> None:
    """Take what a file says into the model; raises GurobiError, and takes nothing, where it is bad.

    The numbers of a section stand in the place of those that were; each start of an .attr file is
    one more.
    """
    title = {".hnt": "VARHINTS", ".ord": "BRANCHPRIORITY", ".attr": ""}.get(ending, "MIPSTART")
    sections, basis = [(title, list[tuple[Any, str, Any]]())], list[str]()
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#") or words[0] == "GRB_ATTR_FILE_VERSION":
            continue
        if ending == ".attr" and words[0] == "SECTION":
            title = words[1] if words[1:] else ""
            if title not in (*_SECTIONS, *_STARTS, "FINGERPRINT", "PI", "BASIS"):
                raise failure("FILE_READ", f"Unrecognized SECTION type `{title}`")
            sections.append((title, []))
        elif not title:
            raise _unlike("SECTION [section_name]", line)
        elif title == "BASIS":
            basis.append(line)
        elif title in _SECTIONS or title in _STARTS:
            sections[-1][1].extend(_taken(model, title, line))
    state = model._state
    for title, values in sections:
        attribute, _, kind = _SECTIONS.get(title, ("Start", "", str))
        if kind is not str:
            for name in (attribute, "VarHintPri") if title == "VARHINTS" else (attribute,):
                state.extra.pop(name, None)
        if title in _STARTS and ending == ".attr":
            start = {handle: value for handle, _, value in values}
            state.extra[start_name(state.start_count)] = start
            state.start_count += 1
            continue
        for handle, name, value in values:
            handle.setAttr(name, value)
    if basis:
        read_basis(model, "\n".join([*basis, ""]))


def _unlike(form: str, line: str) -> GurobiError:
    return failure("FILE_READ", f"Expected format '{form}', found '{line.strip()}'")


def _taken(model: Any, title: str, line: str) -> Iterator[tuple[Any, str, Any]]:
    """Yield what a line sets; a name and a value that are none are passed over."""
    attribute, holder, kind = _SECTIONS.get(title, ("Start", "var", float))
    hint = title == "VARHINTS"
    name, _, rest = line.strip().partition(" ")
    words = rest.split()
    form = f'"[{attribute}]"' if kind is str else "[integer_value]"
    form = f"[{holder}_name] {'[float_value]' if kind is float else form}"
    quoted = len(rest) > 1 and rest[0] == rest[-1] == '"'
    if not (quoted if kind is str else len(words) == 1 + hint):
        raise _unlike(form + " [integer_value]" * hint, line)
    handle = model.getVarByName(name) if holder == "var" else model.getConstrByName(name)
    if handle is None:
        return
    if kind is str:
        yield handle, attribute, rest[1:-1].replace('\\"', '"')
        return
    with suppress(ValueError):
        yield handle, attribute, kind(words[0])
    if hint:
        with suppress(ValueError):
            yield handle, "VarHintPri", int(words[1])
