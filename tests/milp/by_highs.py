"""What HiGHS reads in a file, to be compared with what we read."""

from pathlib import Path

import highspy
import numpy as np
from scipy.sparse import csc_matrix

from ordojo.milp.model import Floats, Model, VarType

KINDS = (VarType.CONTINUOUS, VarType.INTEGER, VarType.SEMICONTINUOUS, VarType.SEMIINTEGER)


def read_by_highs(path: Path) -> Model | None:
    """The linear rows and the linear objective as HiGHS reads them; None where it refuses."""
    h = highspy.Highs()
    h.setOptionValue("output_flag", False)
    if h.readModel(str(path)) == highspy.HighsStatus.kError:
        return None
    lp = h.getLp()
    n, m = lp.num_col_, lp.num_row_
    a = lp.a_matrix_
    rows = csc_matrix((a.value_, a.index_, a.start_), (m, n)).tocsr()
    rows.sort_indices()
    types = np.array([KINDS[int(kind)] for kind in lp.integrality_] or [0] * n, np.uint8)
    return Model(
        name=path.name,
        maximize=lp.sense_ == highspy.ObjSense.kMaximize,
        objective=np.array(lp.col_cost_, np.float64),
        offset=float(lp.offset_),
        col_names=tuple(lp.col_names_) or tuple(f"C{k + 1}" for k in range(n)),
        col_lower=np.array(lp.col_lower_, np.float64),
        col_upper=np.array(lp.col_upper_, np.float64),
        types=types,
        row_names=tuple(lp.row_names_) or tuple(f"R{k + 1}" for k in range(m)),
        row_lower=np.array(lp.row_lower_, np.float64),
        row_upper=np.array(lp.row_upper_, np.float64),
        starts=rows.indptr,
        index=rows.indices,
        value=rows.data,
    )


def differences(mine: Model, theirs: Model) -> list[str]:
    """The parts that differ in any number; coefficients that HiGHS drops (1e-9) are left out."""
    kept = np.abs(mine.value) > 1e-9
    whole = [np.where(m.types == VarType.BINARY, VarType.INTEGER, m.types) for m in (mine, theirs)]
    pairs: dict[str, tuple[object, object]] = {
        "columns": (mine.col_names, theirs.col_names),
        "rows": (_bare(mine.row_names), _bare(theirs.row_names)),
        "sense": (mine.maximize, theirs.maximize),
        "offset": (mine.offset, theirs.offset),
        "objective": (mine.objective, theirs.objective),
        "types": (whole[0], whole[1]),
        "lower": (mine.col_lower, theirs.col_lower),
        "upper": (mine.col_upper, theirs.col_upper),
        "row lower": (mine.row_lower, theirs.row_lower),
        "row upper": (mine.row_upper, theirs.row_upper),
        "entries' rows": (mine.entry_rows[kept], theirs.entry_rows),
        "entries' columns": (mine.index[kept], theirs.index),
        "entries": (mine.value[kept], theirs.value),
    }
    return [name for name, (one, other) in pairs.items() if not np.array_equal(_(one), _(other))]


def _(part: object) -> Floats | object:
    return np.array(part, object) if isinstance(part, tuple) else part


def _bare(names: tuple[str, ...]) -> tuple[str, ...]:
    """HiGHS calls a row without a name HiGHS_R and its number from 0."""
    return tuple(f"R{k + 1}" if name == f"HiGHS_R{k}" else name for k, name in enumerate(names))
