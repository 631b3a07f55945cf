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
from ordojo.compat.core.handles import Attribute
from ordojo.compat.core.parameters import spelled
from ordojo.compat.gurobipy.basis import basis_lines, names_of, read_basis
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, failure, unsupported
from ordojo.compat.gurobipy.handles import CONSTRAINT, VARIABLE, start_name
from ordojo.milp.files import numbers_of
from ordojo.milp.problem import Settings

_SECTIONS = spelled("""
    PARTITION=Partition VARHINTS=VarHintVal BRANCHPRIORITY=BranchPriority POOLIGNORE=PoolIgnore
    IISLBFORCE=IISLBForce IISUBFORCE=IISUBForce IISCONSTRFORCE=IISConstrForce LAZYCONSTRS=Lazy
    PSTART=PStart DSTART=DStart VTAG=VTag CTAG=CTag
""")
"""Sections of .attr files, and the attribute of each."""
_TYPES: dict[str, Any] = {"integer": int, "double": float, "string": str}
_WEIGH = "VarHintVal BranchPriority Partition PoolIgnore Lazy PStart DStart"
"""Attributes that are part of a fingerprint: those that may lead a solver another way."""
_STARTS = ("SOLUTION", "MIPSTART")
"""Sections that are read as starts."""


def _kind(attribute: str) -> Any:
    """The type of an attribute's values."""
    return _TYPES[_attribute(attribute).takes]


def _attribute(name: str) -> Attribute:
    return VARIABLE.get(name.lower()) or CONSTRAINT[name.lower()]


def fingerprint(state: Any) -> int:
    """A number of 32 bits with sign that is the same for models alike but for names and tags."""
    if state.formulas:
        raise unsupported("the fingerprint of nonlinear formulas")
    unset = {name: _attribute(name).default for name in _WEIGH.split()}
    unset |= dict.fromkeys(map(start_name, range(state.start_count)), GRB.UNDEFINED)
    rest = [
        (name, handle._number(), value)
        for name, default in unset.items()
        for handle, value in state.extra.get(name, {}).items()
        if value != default
    ]
    text = numbers_of(problem_of(state, Settings())).tobytes() + repr(sorted(rest)).encode()
    return int(np.array(zlib.crc32(text), np.uint32).astype(np.int32))


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
    held, unset = state.extra.get(attribute, {}), _attribute(attribute).default
    pairs = [
        pair
        for side in zip((state.columns, state.rows), names_of(state), strict=True)
        for pair in zip(*side, strict=False)
    ]
    found = ((handle, name, held.get(handle)) for handle, name in pairs)
    return [one for one in found if one[2] is not None and one[2] != unset]


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
    for title, attribute in _SECTIONS.items():
        found = _given(state, attribute)
        if found and title == "VARHINTS":
            yield f"SECTION {title}\n{hint_lines(state)}"
        elif found:
            write: Any = {int: str, float: number, str: _quoted}[_kind(attribute)]
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
        attribute = _SECTIONS.get(title, "Start")
        if attribute not in ("Start", "VTag", "CTag"):
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
    attribute, hint = _SECTIONS.get(title, "Start"), title == "VARHINTS"
    kind, holder = _kind(attribute), "var" if attribute.lower() in VARIABLE else "constr"
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
