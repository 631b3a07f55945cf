"""Categories of problems, each with what every model of it has."""

from collections.abc import Callable, Mapping

from ordojo.benchmarks.orqa.build.variants import FLOW, PLANNING
from ordojo.structure.labels.vocabulary import Scaffold, Semantic
from ordojo.templates.algebra import uses
from ordojo.templates.spec import Spec

Need = Callable[[Spec], bool]


def _labels(spec: Spec) -> set[tuple[Semantic, Scaffold]]:
    return {(family.semantic, family.scaffold) for family in spec.families}


def _semantics(spec: Spec) -> set[Semantic]:
    return {family.semantic for family in spec.families}


def _binary(spec: Spec) -> int:
    return sum(group.domain == "binary" for group in spec.groups)


def _only_binary(spec: Spec) -> bool:
    return _binary(spec) == len(spec.groups)


def _has(semantic: Semantic, scaffold: Scaffold) -> Need:
    return lambda spec: (semantic, scaffold) in _labels(spec)


def _bin_packing(spec: Spec) -> bool:
    """Each item in exactly one bin, bins with a capacity if used, and bins alone are counted."""
    counted = not uses(spec, spec.objective.rule).parameters
    return counted and {Semantic.EXACTLY_ONE, Semantic.INDICATOR} <= _semantics(spec)


def _blending(spec: Spec) -> bool:
    """Shares of a whole with a floor and a ceiling."""
    return {Semantic.LOWER_PROPORTION, Semantic.UPPER_PROPORTION} <= _semantics(spec)


def _set_packing(spec: Spec) -> bool:
    """Conflict groups as subsets, cover by subsets, a maximal weight."""
    needed = {
        (Semantic.AT_MOST_ONE, Scaffold.SUBSET),
        (Semantic.AT_LEAST_ONE, Scaffold.SUBSET),
    }
    return spec.objective.sense == "maximize" and needed <= _labels(spec)


def _cutting(spec: Spec) -> bool:
    """Demands met by weighted sums over one group of pattern counts."""
    return (
        len(spec.groups) == 1
        and not _binary(spec)
        and (Semantic.LOWER_WEIGHTED_SUM in _semantics(spec))
    )


def _location(spec: Spec) -> bool:
    """Sites that serve only if opened, and every customer with one site."""
    return _only_binary(spec) and {Semantic.IMPLICATION, Semantic.EXACTLY_ONE} <= _semantics(spec)


def _assignment(spec: Spec) -> bool:
    """One group of pairs, one agent a job, a weighted capacity for each agent."""
    needed = {
        (Semantic.EXACTLY_ONE, Scaffold.SINGLE_LOOP),
        (Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
    }
    return _only_binary(spec) and needed <= _labels(spec)


def _lot_sizing(spec: Spec) -> bool:
    """A balance over periods and setups that allow production."""
    return _balance(spec) and Semantic.IMPLICATION in _semantics(spec)


def _balance(spec: Spec) -> bool:
    return (Semantic.EQUALITY, Scaffold.COUPLED) in _labels(spec)


def _flow(spec: Spec) -> bool:
    return (Semantic.EQUALITY, Scaffold.REPLICATED) in _labels(spec)


def _design(spec: Spec) -> bool:
    """Flow conservation and yes-or-no arcs."""
    return _flow(spec) and _binary(spec) > 0


def _budget(spec: Spec) -> bool:
    """Yes-or-no items of maximal value under overall weighted limits."""
    return (
        _only_binary(spec)
        and spec.objective.sense == "maximize"
        and (Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL) in _labels(spec)
    )


def _stochastic(spec: Spec) -> bool:
    """Costs weighted by the probabilities of scenarios."""
    return "probability" in uses(spec, spec.objective.rule).parameters


def _covering(spec: Spec) -> bool:
    """Elements covered by subsets at least cost."""
    return spec.objective.sense == "minimize" and (
        (Semantic.AT_LEAST_ONE, Scaffold.SUBSET) in _labels(spec)
    )


CATEGORIES: Mapping[str, Need] = {
    "Bin packing with incompatible items": _bin_packing,
    "Blending with shares of ingredients": _blending,
    "Weighted set packing with required coverage": _set_packing,
    "Cutting stock with given patterns": _cutting,
    "Cyclic staff rostering": lambda spec: any(
        family.scaffold == Scaffold.CYCLIC for family in spec.families
    ),
    "Disjunctive scheduling on shared machines": _has(Semantic.INDICATOR, Scaffold.PAIRWISE),
    "Capacitated facility location": _location,
    "Generalized assignment": _assignment,
    "Multi-mode project scheduling under scarce resources": _has(
        Semantic.UPPER_WEIGHTED_SUM, Scaffold.WINDOW
    ),
    "Capacitated lot sizing": _lot_sizing,
    "Multicommodity network design": _design,
    FLOW: _flow,
    PLANNING: _balance,
    "Capital budgeting (knapsack)": _budget,
    "Two-stage stochastic transport planning": _stochastic,
    "Set covering with backup": _covering,
}
"""Necessary conditions by category: a model that fails one is provably of another category."""
