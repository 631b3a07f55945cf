"""The certificate checked from scratch: text, closed form, and numerical maximum."""

import dataclasses
import math
import re

from ordojo.benchmarks.or_bias.profit import expected_profit, maximise_numerically
from ordojo.benchmarks.or_bias.schema import Scenario, certificate_of, check
from ordojo.core.errors import DataError
from ordojo.core.instance import Certificate, Instance

CLOSE = 1e-9
"""Greatest relative difference between a stored figure and the recomputed one."""

FOUND = 1e-4
"""Greatest distance, in deviations of demand, from the optimum to the numerical one."""

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_PERCENTILE = re.compile(r"\bP(\d+(?:\.\d+)?) = (\d+(?:\.\d+)?)")


def verify(instance: Instance[Scenario]) -> None:
    """Check everything again from the numbers that the text shows; raises DataError.

    The numbers are in the text; the optimum follows from them by the closed form, from
    percentiles too; and expected profit, maximised numerically, is highest there.
    """
    scenario, stored = instance.problem, instance.certificate
    where = instance.id
    try:
        # A fresh copy: nothing that was computed before counts.
        scenario = dataclasses.replace(scenario)
        check(scenario)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    compare(where, stored, certificate_of(scenario))
    if missing := _not_shown(scenario):
        raise DataError(f"{where}: {missing} is not what the text shows")
    _check_maximum(scenario, where)


def compare(where: str, stored: Certificate, right: Certificate) -> None:
    """Check a stored certificate against the recomputed one; raises DataError naming the figure."""
    if stored.kind != right.kind or set(stored.data) != set(right.data):
        raise DataError(f"{where}: the certificate is no closed form with {', '.join(right.data)}")
    for name, value in right.data.items():
        said = stored.data[name]
        same = said == value
        if isinstance(value, float):
            number = isinstance(said, int | float) and not isinstance(said, bool)
            same = number and math.isclose(float(str(said)), value, rel_tol=CLOSE)
        if not same:
            raise DataError(f"{where}: {name} in the certificate is {said!r}, not {value!r}")


def _check_maximum(scenario: Scenario, where: str) -> None:
    terms = (scenario.price, scenario.cost, scenario.salvage, scenario.demand)
    found = maximise_numerically(*terms)
    gain = expected_profit(found, *terms) - expected_profit(scenario.optimum, *terms)
    scale = (scenario.price - scenario.salvage) * scenario.demand.std
    # Where two whole quantities are as good as each other, either may be found.
    apart = abs(found - scenario.optimum) > FOUND * scenario.demand.std and gain < -CLOSE * scale
    if apart or gain > CLOSE * scale:
        raise DataError(
            f"{where}: expected profit is highest at {found:.6g}, not at the optimum "
            f"{scenario.optimum:.6g}"
        )


def _not_shown(scenario: Scenario) -> str:
    """The first field whose number the text does not show, "" if all are shown."""
    shown = [float(number) for number in _NUMBER.findall(scenario.text)]
    for name in ("price", "cost", "salvage"):
        if f"${getattr(scenario, name):.2f}" not in scenario.text:
            return name
    if scenario.percentiles:
        said = [(float(p), float(q)) for p, q in _PERCENTILE.findall(scenario.text)]
        wanted = [(float(f"{100 * p:g}"), q) for p, q in scenario.percentiles]
        return "" if said == wanted else "percentiles"
    for name, value in scenario.parameters.items():
        values = list(value) if isinstance(value, tuple) else [value]
        listed = any(
            shown[i : i + len(values)] == values for i in range(len(shown) - len(values) + 1)
        )
        if not listed:
            return name
    return ""
