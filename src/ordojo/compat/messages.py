"""Messages between a program and the solver service: a JSON header, then raw arrays.

They carry problems, results, events and more, read with every size checked. A message is MAGIC, the
header's length as 8 bytes, the header (JSON, UTF-8), blanks up to a multiple of 8, and the arrays
that the header mentions as {"@": number}, each little-endian and padded to 8 bytes; `arrays` in the
header gives their types and lengths in order. Nothing here runs what the other side sent: what does
not fit raises BadMessage, one sentence.
"""

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Floats, Model
from ordojo.solvers import problem as problems
from ordojo.solvers.answers import Iis, Side, SolveResult, Status

HEAD = b"model of a library: "
"""Begins the message in which `told_models` sends a problem."""
MAGIC = b"ODJ1"
ARRAY = "@"
TYPES: Mapping[str, np.dtype[Any]] = MappingProxyType(
    {"f8": np.dtype("<f8"), "i4": np.dtype("<i4"), "u1": np.dtype("u1")}
)
_START = len(MAGIC) + 8
_DEEP = 12
"""Levels of a body: a problem has six; a reader that recurses must not be sent deeper."""

HEADER = 64 << 20
"""Bytes of a header: the names of three million columns and rows."""
COUNTED = {b",": 6_000_000, b"[": 3_000_000, b"{": 500_000}
"""How often each may stand in a header, names included. What they part is a value of up to 60
bytes to its reader, a list of 130, a set of fields of 470: a gigabyte for all together."""


class BadMessage(SolverError):  # noqa: N818 (it is a finding about the sender)
    """The other side sent something that is no message, or no problem."""


class Refused(SolverError):  # noqa: N818 (as above)
    """What was sent is a problem, but not one that is allowed or can be solved."""


def pack(header: Mapping[str, Any]) -> bytes:
    """A message as bytes; arrays (float64, int32 or uint8) may stand anywhere in the header.

    Dataclasses and named tuples count as their fields. Numbers that JSON lacks (infinite, NaN) are
    spelled as text in {"#": ...}.
    """
    arrays: list[NDArray[Any]] = []
    body = json.dumps({"body": _plain(header, arrays), "arrays": _listed(arrays)}).encode()
    parts: list[Any] = [
        MAGIC,
        len(body).to_bytes(8, "little"),
        body,
        b" " * (-(_START + len(body)) % 8),
    ]
    for array in arrays:
        parts += [array.data.cast("B") if array.size else b"", b"\0" * (-array.nbytes % 8)]
    return b"".join(parts)


def _listed(arrays: Sequence[NDArray[Any]]) -> list[list[Any]]:
    return [[array.dtype.str[1:], len(array)] for array in arrays]


def _plain(value: Any, arrays: list[NDArray[Any]]) -> Any:
    match value:
        case np.ndarray():
            kind = {"f": "f8", "i": "i4", "u": "u1", "b": "u1"}[value.dtype.kind]
            arrays.append(np.ascontiguousarray(value, TYPES[kind]))
            return {ARRAY: len(arrays) - 1}
        case None | bool() | str():
            return value if not isinstance(value, Enum) else value.value
        case int():
            return int(value)
        case float() | np.floating():
            number = float(value)
            return number if math.isfinite(number) else {"#": repr(number)}
        case np.integer():
            return int(value)
        case Mapping():
            return {str(key): _plain(part, arrays) for key, part in value.items()}
        case tuple() if hasattr(value, "_asdict"):
            return _plain(value._asdict(), arrays)
        case list() | tuple():
            if value and all(type(part) is str for part in value):
                return list(value)
            return [_plain(part, arrays) for part in value]
        case _ if dataclasses.is_dataclass(value):
            names = [field.name for field in dataclasses.fields(value)]
            return {name: _plain(getattr(value, name), arrays) for name in names}
    raise BadMessage(f"a {type(value).__name__} cannot be sent; send numbers, texts and arrays")


def unpack(data: bytes) -> dict[str, Any]:
    """The header of a message, its arrays (read-only) in their places; raises BadMessage."""
    if len(data) < _START or data[: len(MAGIC)] != MAGIC:
        raise BadMessage("the bytes are no message of this protocol")
    length = int.from_bytes(data[len(MAGIC) : _START], "little")
    if length > len(data) - _START:
        raise BadMessage("the message's header is cut off")
    header = data[_START : _START + length]
    _count(header)
    try:
        found = json.loads(header)
    except (ValueError, RecursionError):
        raise BadMessage("the message's header is not JSON") from None
    if not isinstance(found, dict) or not isinstance(found.get("body"), dict):
        raise BadMessage("the message has no body")
    arrays = _arrays(data, _START + length + -(_START + length) % 8, found.get("arrays"))
    body = _filled(found["body"], arrays, 0)
    assert isinstance(body, dict)
    return body


def _count(header: bytes) -> None:
    """Refuse what would cost its reader far more memory than its bytes, before it is read."""
    if len(header) > HEADER:
        raise BadMessage(f"the message's header is over {HEADER} bytes")
    for sign, most in COUNTED.items():
        if header.count(sign) > most:
            raise BadMessage(f"the message's header has over {most} of '{sign.decode()}'")


def _arrays(data: bytes, place: int, listed: Any) -> list[NDArray[Any]]:
    if not isinstance(listed, list):
        raise BadMessage("the message does not list its arrays")
    arrays = []
    for entry in listed:
        match entry:
            case [str(kind), int(count)] if kind in TYPES and count >= 0:
                size = count * TYPES[kind].itemsize
            case _:
                raise BadMessage("the message lists an array of no known type and length")
        if place + size > len(data):
            raise BadMessage("the message's arrays are cut off")
        arrays.append(np.frombuffer(data, TYPES[kind], count, place))
        place += size + -size % 8
    if place < len(data):
        raise BadMessage("the message is longer than its arrays")
    return arrays


def _filled(value: Any, arrays: list[NDArray[Any]], depth: int) -> Any:
    if depth > _DEEP:
        raise BadMessage("the message is nested too deep")
    if isinstance(value, dict):
        if value.keys() == {ARRAY}:
            number = value[ARRAY]
            if type(number) is not int or not 0 <= number < len(arrays):
                raise BadMessage("the message mentions an array that it does not have")
            return arrays[number]
        if value.keys() == {"#"}:
            if value["#"] not in ("inf", "-inf", "nan"):
                raise BadMessage("the message has a number that is none")
            return float(value["#"])
        return {key: _filled(part, arrays, depth + 1) for key, part in value.items()}
    if isinstance(value, list):
        if value and all(type(part) is str for part in value):
            return value
        return [_filled(part, arrays, depth + 1) for part in value]
    return value


class Fields:
    """A mapping from outside, read field by field with the types that are expected.

    Every method raises BadMessage, naming the field, where it does not fit.
    """

    def __init__(self, data: Any, what: str) -> None:
        if not isinstance(data, dict):
            raise BadMessage(f"{what} is not a set of fields")
        self._data, self._what = data, what

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._data.get(name) is not None

    def raw(self, name: str) -> Any:
        """The field as it is."""
        if name not in self._data:
            raise BadMessage(f"{self._what} has no '{name}'")
        return self._data[name]

    def _bad(self, name: str, wanted: str) -> BadMessage:
        return BadMessage(f"'{name}' of {self._what} is not {wanted}")

    def text(self, name: str) -> str:
        """A text."""
        found = self.raw(name)
        if not isinstance(found, str):
            raise self._bad(name, "a text")
        return found

    def flag(self, name: str) -> bool:
        """True or false."""
        found = self.raw(name)
        if not isinstance(found, bool):
            raise self._bad(name, "true or false")
        return found

    def whole(self, name: str, low: int = -(2**53), high: int = 2**53) -> int:
        """An integer in [low, high]."""
        found = self.raw(name)
        if type(found) is not int or not low <= found <= high:
            raise self._bad(name, f"a whole number from {low} to {high}")
        return found

    def number(self, name: str, finite: bool = True, nan: bool = False) -> float:
        """A number; infinite and NaN ones only where allowed."""
        found = self.raw(name)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise self._bad(name, "a number")
        try:
            value = float(found)
        except OverflowError:
            value = math.inf
        if (math.isnan(value) and not nan) or (finite and math.isinf(value)):
            raise self._bad(name, "a finite number")
        return value

    def maybe(self, name: str, read: Callable[..., Any], *limits: Any) -> Any:
        """What `read` makes of the field, None where it is absent."""
        return read(name, *limits) if self.has(name) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self.raw(name)
        if not isinstance(found, list) or not all(type(part) is str for part in found):
            raise self._bad(name, "a list of texts")
        return tuple(found)

    def items(self, name: str, limit: int) -> list[Any]:
        """A list of at most `limit` things."""
        found = self.raw(name)
        if not isinstance(found, list) or len(found) > limit:
            raise self._bad(name, f"a list of at most {limit}")
        return found

    def floats(
        self, name: str, length: int | None = None, finite: bool = True, nan: bool = False
    ) -> NDArray[np.float64]:
        """An array of float64 of that length; infinite and NaN ones only where allowed."""
        found = self._array(name, "f8", length)
        if not (np.isfinite(found).all() if finite else nan or not np.isnan(found).any()):
            raise self._bad(name, "an array of numbers that it may hold")
        return found

    def numbers(
        self, name: str, length: int | None, below: int, unique: bool = False
    ) -> NDArray[np.int32]:
        """An array of int32 in [0, below), without repetition where `unique`."""
        found = self._array(name, "i4", length)
        if len(found) and (found.min() < 0 or found.max() >= below):
            raise self._bad(name, f"an array of numbers below {below}")
        if unique and len(np.unique(found)) != len(found):
            raise self._bad(name, "free of repetitions")
        return found

    def codes(self, name: str, length: int, below: int) -> NDArray[np.uint8]:
        """An array of bytes in [0, below)."""
        found = self._array(name, "u1", length)
        if len(found) and found.max() >= below:
            raise self._bad(name, f"an array of codes below {below}")
        return found

    def _array(self, name: str, kind: str, length: int | None) -> NDArray[Any]:
        found = self.raw(name)
        if not isinstance(found, np.ndarray) or found.dtype != TYPES[kind]:
            raise self._bad(name, f"an array of {kind}")
        if length is not None and len(found) != length:
            raise self._bad(name, f"of length {length} but {len(found)}")
        return found


@dataclass(frozen=True)
class Analysis:
    """What simplex leaves beside a solution; parts that do not apply are None.

    Basis (n and m): 1 where basic, else 0 at the lower side, 2 at the upper one, 3 at none. Ranges
    (n and m, low and up): of each cost, and of the side that each nonbasic column or row stands at,
    within which the basis stays optimal. `dual_ray` (m) combines rows into a contradiction;
    `primal_ray` (n) is a direction without end.
    """

    x: Floats | None = None
    activity: Floats | None = None
    col_basis: Floats | None = None
    row_basis: Floats | None = None
    cost_low: Floats | None = None
    cost_up: Floats | None = None
    col_low: Floats | None = None
    col_up: Floats | None = None
    row_low: Floats | None = None
    row_up: Floats | None = None
    dual_ray: Floats | None = None
    primal_ray: Floats | None = None


def read_analysis(data: Any) -> Analysis:
    """The analysis in an unpacked message; raises BadMessage."""
    given = Fields(data, "the analysis")
    parts = [part.name for part in dataclasses.fields(Analysis)]
    return Analysis(**{name: given.maybe(name, given.floats, *ANY) for name in parts})


ANY = (None, False, True)
"""Of an array: no length of its own, and infinite numbers and those that are none, too."""
MANY = 10_000_000
"""No list may be longer: a bound on what a sender costs, far above the models of the benchmarks."""


def read_problem(data: Any) -> problems.Problem:
    """The problem in an unpacked message; raises BadMessage where it is none."""
    fields = Fields(data, "the problem")
    model = read_model(fields.raw("model"))
    n = model.n
    return problems.Problem(
        model=model,
        quadratic=_quadratic(fields.raw("quadratic"), n) if fields.has("quadratic") else None,
        quadratic_rows=tuple(
            _quadratic_row(part, n) for part in fields.items("quadratic_rows", MANY)
        ),
        indicators=tuple(_indicator(part, n) for part in fields.items("indicators", MANY)),
        sos=tuple(_sos(part, n) for part in fields.items("sos", MANY)),
        general=tuple(_general(part, n) for part in fields.items("general", MANY)),
        objectives=tuple(_objective(part, n) for part in fields.items("objectives", 1000)),
        start=fields.maybe("start", fields.floats, n, False, True),
        settings=_settings(fields.raw("settings")),
    )


def read_model(data: Any) -> Model:
    """The model in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the model")
    col_names, row_names = fields.texts("col_names"), fields.texts("row_names")
    n, m = len(col_names), len(row_names)
    starts = fields.numbers("starts", m + 1, 2**31 - 1)
    index = fields.numbers("index", None, n)
    if starts[0] != 0 or starts[-1] != len(index) or (np.diff(starts) < 0).any():
        raise BadMessage("the rows' starts of the model do not fit its entries")
    model = Model(
        name=fields.text("name"),
        maximize=fields.flag("maximize"),
        objective=fields.floats("objective", n),
        offset=fields.number("offset"),
        col_names=col_names,
        col_lower=fields.floats("col_lower", n, finite=False),
        col_upper=fields.floats("col_upper", n, finite=False),
        types=fields.codes("types", n, 5),
        row_names=row_names,
        row_lower=fields.floats("row_lower", m, finite=False),
        row_upper=fields.floats("row_upper", m, finite=False),
        starts=starts,
        index=index,
        value=fields.floats("value", len(index)),
    )
    for lower, upper in ((model.col_lower, model.col_upper), (model.row_lower, model.row_upper)):
        if (lower == INF).any() or (upper == -INF).any():
            raise BadMessage("a lower side of the model is +inf, or an upper one -inf")
    if _repeats(model):
        raise BadMessage("a row of the model has a column twice")
    return model


def _repeats(model: Model) -> bool:
    if model.nonzeros < 2:
        return False
    rows = model.entry_rows
    if not ((np.diff(model.index) <= 0) & (np.diff(rows) == 0)).any():
        return False
    keys = rows.astype(np.int64) * model.n + model.index
    keys.sort()
    return bool((np.diff(keys) == 0).any())


def _quadratic(data: Any, n: int) -> problems.Quadratic:
    fields = Fields(data, "a quadratic part")
    value = fields.floats("value")
    first, second = (fields.numbers(name, len(value), n) for name in ("first", "second"))
    return problems.Quadratic(first, second, value)


def _quadratic_row(data: Any, n: int) -> problems.QuadraticRow:
    fields = Fields(data, "a quadratic row")
    value = fields.floats("value")
    return problems.QuadraticRow(
        fields.text("name"),
        fields.numbers("index", len(value), n, unique=True),
        value,
        _quadratic(fields.raw("quadratic"), n),
        *read_sides(fields),
    )


def read_sides(fields: Fields) -> tuple[float, float]:
    """The two sides of a row; raises BadMessage."""
    lower, upper = fields.number("lower", finite=False), fields.number("upper", finite=False)
    if lower == INF or upper == -INF:
        raise BadMessage("a lower side of a row is +inf, or an upper one -inf")
    return lower, upper


def _indicator(data: Any, n: int) -> problems.Indicator:
    fields = Fields(data, "an indicator")
    value = fields.floats("value")
    return problems.Indicator(
        fields.text("name"),
        fields.whole("binary", 0, n - 1),
        fields.whole("active", 0, 1),
        fields.numbers("index", len(value), n, unique=True),
        value,
        *read_sides(fields),
    )


def _sos(data: Any, n: int) -> problems.Sos:
    fields = Fields(data, "a special ordered set")
    weights = fields.floats("weights")
    index = fields.numbers("index", len(weights), n, unique=True)
    return problems.Sos(
        fields.whole("kind", 1, 2), index, weights, fields.maybe("name", fields.text) or ""
    )


def _general(data: Any, n: int) -> problems.General:
    fields = Fields(data, "a general constraint")
    try:
        function = problems.GeneralFunction(fields.text("function"))
    except ValueError:
        raise BadMessage("a general constraint has no known function") from None
    numbers = fields.items("numbers", MANY)
    if any(type(x) not in (int, float) or x != x for x in numbers):
        raise BadMessage("a general constraint has a constant that is no number")
    found = problems.General(
        fields.text("name"),
        function,
        fields.whole("result", 0, n - 1),
        fields.numbers("operands", None, n),
        tuple(map(float, numbers)),
    )
    check_general(found)
    return found


_OF_ONE = frozenset(
    map(problems.GeneralFunction, ["abs", "exp", "log", "sin", "cos", "tan", "logistic"])
)
_WITH_CONSTANT = frozenset(map(problems.GeneralFunction, ["pow", "expa", "loga"]))
_FINITE = _WITH_CONSTANT | {problems.GeneralFunction.POLY, problems.GeneralFunction.PWL}


def check_general(general: problems.General) -> None:
    """Raise BadMessage where a general constraint lacks operands or constants."""
    operands, numbers, function = len(general.operands), general.numbers, general.function
    if function in _OF_ONE | _WITH_CONSTANT:
        fits = (operands, len(numbers)) == (1, int(function in _WITH_CONSTANT))
    elif function is problems.GeneralFunction.PWL:
        points = numbers[::2]
        fits = operands == 1 and len(numbers) % 2 == 0 and len(numbers) >= 2
        fits = fits and all(a <= b for a, b in pairwise(points))
    elif function is problems.GeneralFunction.POLY:
        fits = operands == 1 and len(numbers) >= 1
    elif function is problems.GeneralFunction.NORM:
        fits = operands >= 1 and len(numbers) == 1 and numbers[0] in (0, 1, 2, INF)
    elif function in (problems.GeneralFunction.MAX, problems.GeneralFunction.MIN):
        fits = operands + len(numbers) >= 1 and len(numbers) <= 1
    else:
        fits = not numbers
    if function in _FINITE:
        fits = fits and all(map(math.isfinite, numbers))
    if function in (problems.GeneralFunction.EXPA, problems.GeneralFunction.LOGA):
        fits = (
            fits
            and numbers[0] > 0
            and not (function is problems.GeneralFunction.LOGA and numbers[0] == 1)
        )
    if not fits:
        raise BadMessage(f"general constraint '{general.name}' does not fit '{function}'")


def _objective(data: Any, n: int) -> problems.LinearObjective:
    fields = Fields(data, "an objective")
    return problems.LinearObjective(
        fields.text("name"),
        fields.whole("priority"),
        fields.number("weight"),
        fields.number("abs_tol"),
        fields.number("rel_tol"),
        fields.floats("coefficients", n),
        fields.number("offset"),
    )


_LIMITS = """
    time_limit mip_gap mip_gap_abs feasibility_tol integrality_tol node_limit cutoff best_obj_stop
    pool_gap pool_gap_abs
"""


def _settings(data: Any) -> problems.Settings:
    fields = Fields(data, "the settings")
    found = {name: fields.maybe(name, fields.number, False) for name in _LIMITS.split()}
    finite = {name: v for name, v in found.items() if v is not None and abs(v) < 1e100}
    return problems.Settings(
        **finite,
        solution_limit=fields.maybe("solution_limit", fields.whole, 0, 2**31 - 1),
        pool_solutions=fields.whole("pool_solutions", 0, 2**31 - 1),
        presolve=fields.flag("presolve"),
        relaxed=fields.flag("relaxed"),
        lazy=fields.flag("lazy"),
        seed=fields.whole("seed", 0, 2**31 - 1),
        pool_mode=fields.whole("pool_mode", 0, 2),
        ignored=fields.texts("ignored"),
    )


def write_result(result: SolveResult) -> bytes:
    """A result as a message."""
    return pack({"kind": "result", "result": result})


def read_result(data: Any) -> SolveResult:
    """The result in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the result")

    pool = []
    for part in fields.items("pool", MANY):
        if not (isinstance(part, list) and len(part) == 2 and isinstance(part[1], np.ndarray)):
            raise BadMessage("the result's pool is damaged")
        pool.append((float(part[0]), np.asarray(part[1], np.float64)))
    return SolveResult(
        status=Status(fields.text("status")),
        objective=fields.maybe("objective", fields.number, False, True),
        bound=fields.maybe("bound", fields.number, False, True),
        x=fields.maybe("x", fields.floats, *ANY),
        row_dual=fields.maybe("row_dual", fields.floats, *ANY),
        col_dual=fields.maybe("col_dual", fields.floats, *ANY),
        nodes=fields.whole("nodes"),
        iterations=fields.whole("iterations"),
        seconds=fields.number("seconds"),
        pool=tuple(pool),
        solver=fields.text("solver"),
        detail=fields.text("detail"),
        cached=fields.flag("cached"),
    )


def read_event(data: Any) -> problems.Event:
    """The event in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the event")
    where = fields.text("where")
    if where not in problems.WHERES:
        raise BadMessage("the event has no known place")
    return problems.Event(
        where,
        fields.maybe("x", fields.floats, *ANY),
        fields.maybe("objective", fields.number),
        fields.maybe("best", fields.number),
        fields.maybe("bound", fields.number),
        fields.whole("nodes"),
        fields.number("seconds"),
        fields.text("message"),
    )


def read_reply(data: Any, n: int) -> problems.CallbackReply:
    """The callback's reply in an unpacked message, for n columns; raises BadMessage."""
    fields = Fields(data, "the callback's reply")
    rows = []
    for part in fields.items("lazy", MANY):
        row = Fields(part, "a lazy constraint")
        value = row.floats("value")
        rows.append(
            problems.LazyConstraint(
                row.numbers("index", len(value), n, unique=True), value, *read_sides(row)
            )
        )
    solution = fields.maybe("solution", fields.floats, n, False, True)
    return problems.CallbackReply(tuple(rows), fields.flag("terminate"), solution)


def read_iis(data: Any) -> Iis:
    """The IIS in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the infeasible subsystem")
    try:
        rows, bounds = (
            tuple((int(place), Side(side)) for place, side in fields.items(name, MANY))
            for name in ("rows", "bounds")
        )
        parts = tuple((str(field), int(k)) for field, k in fields.items("parts", MANY))
    except (TypeError, ValueError):
        raise BadMessage("the infeasible subsystem is damaged") from None
    flags = fields.flag("integral"), fields.flag("proven")
    return Iis(rows, bounds, *flags, fields.text("method"), parts)


READERS: Mapping[str, Callable[[Any], Any]] = {"iis": read_iis, "analysis": read_analysis}
"""What reads the answers to questions that are no solves, by their kinds."""
