"""What a comparison of two models answers: a verdict, and the evidence for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Step = tuple[str, int, int]
"""One reduction: its kind (see `state`), the row or column, the other one it needs or -1."""

Implication = tuple[int, int, int, tuple[tuple[int, float], ...]]
"""Why a demand of one model holds in the other: 0 where it is of `other`, 1 of `one`; its number;
1 for its upper side, -1 for its lower; the other's demands that imply it, with multipliers."""


class EquivalenceVerdict(StrEnum):
    """Whether two models are the same problem."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


class Ground(StrEnum):
    """What shows that two models differ, from the strongest to the weakest.

    OPTIMUM: another best objective, or a solution in one of them alone. POINT: columns matched by
    name, a point that only one of them allows or that they value differently. WORST: another worst
    objective, so that no one-to-one match of their feasible points keeps the objective.
    """

    OPTIMUM = "optimum"
    POINT = "point"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class ModelMapping:
    """The certificate of equality, checked by `check_mapping` from the two models alone.

    `steps_one` and `steps_other` are exact reductions of either model; what they leave is matched.
    `columns` are (j, k, scale, shift): column j of one is scale times column k of other, plus
    shift. `rows` are (i, k, factor): row i of one, so rewritten, is factor times row k of other.
    """

    steps_one: tuple[Step, ...]
    steps_other: tuple[Step, ...]
    columns: tuple[tuple[int, int, float, float], ...]
    rows: tuple[tuple[int, int, float], ...]


@dataclass(frozen=True, slots=True)
class Witness:
    """The evidence of difference, which can be tried from the two models alone.

    `one` and `other` are the two figures that disagree, as min or max of the model itself says
    (None: there is none, or no such figure). `point` holds column values by name: for POINT one of
    `feasible_in` ("one" or "other"), for OPTIMUM and WORST the point where it is attained there.
    """

    ground: Ground
    text: str
    one: float | None = None
    other: float | None = None
    feasible_in: str = ""
    point: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict with its evidence.

    EQUAL has a mapping or implications, DIFFERENT a witness, UNKNOWN none of them.

    `same_form` is False where no matching of rows and columns exists, which alone does not show
    that the problems differ (one may have a redundant row); None where the search did not end.
    """

    verdict: EquivalenceVerdict
    reason: str
    mapping: ModelMapping | None = None
    witness: Witness | None = None
    same_form: bool | None = None
    seconds: float = 0.0
    implications: tuple[Implication, ...] | None = None
