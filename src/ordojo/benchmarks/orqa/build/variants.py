"""The cases: each template in the model types that it can have, with or without some families.

Which context gets which case is drawn so that the four model types are equally common.
"""

from collections.abc import Mapping
from dataclasses import replace

from ordojo.benchmarks.orqa.build.story import Goal, Story
from ordojo.problems.algebra import mentioned
from ordojo.problems.spec import Spec

BINARY = "Pure binary linear programming"
INTEGER = "Pure integer linear programming"
MIXED = "Mixed-integer linear programming"
LINEAR = "Linear programming"

PLANNING = "Multi-period production planning with stock"
FLOW = "Multicommodity minimum-cost flow"

CASES: Mapping[str, tuple[str, ...]] = {
    BINARY: (
        "bin_packing",
        "conflict_packing",
        "cyclic_roster",
        "facility_location",
        "generalized_assignment",
        "job_mode_time",
        "project_budget",
        "set_covering",
    ),
    INTEGER: (
        "cutting_stock",
        "disjunctive_scheduling",
        "lot_sizing",
        "network_design",
        "production_planning",
        "scenario_transport",
    ),
    MIXED: (
        "blending",
        "disjunctive_scheduling",
        "lot_sizing",
        "network_design",
        "production_planning",
        "scenario_transport",
    ),
    LINEAR: (
        "blending",
        "cutting_stock",
        "lot_sizing",
        "network_design",
        "production_planning",
        "scenario_transport",
    ),
}
"""By model type, the templates that come in it."""


def variant(spec: Spec, story: Story, kind: str, without: tuple[str, ...]) -> tuple[Spec, Story]:
    """Declaration and story of a case, `without` some optional families."""
    if kind == INTEGER:
        spec = spec.with_domain("continuous", "integer")
    elif kind == LINEAR:
        spec, story = _linear(spec, story)
    spec = reduced(replace(spec, families=tuple(f for f in spec.families if f.name not in without)))
    return spec, _fitting(story, spec)


def reduced(spec: Spec) -> Spec:
    """Without the parameters and sets that nothing mentions any more."""
    texts = [spec.objective.rule]
    texts += [text for family in spec.families for text in (family.scope, family.rule)]
    texts += [text for g in spec.groups for text in (g.scope, g.lower, g.upper)]
    used = {*mentioned(*texts)}
    sets = tuple(s for s in spec.sets if s.name in used or _is_part(spec, s.name, used))
    used |= {s.size for s in sets}
    parameters = tuple(p for p in spec.parameters if p.name in used)
    return replace(spec, sets=sets, parameters=parameters)


def _is_part(spec: Spec, name: str, used: set[str]) -> bool:
    return any(name in other.parts and other.name in used for other in spec.sets)


def _linear(spec: Spec, story: Story) -> tuple[Spec, Story]:
    if story.template == "network_design":
        return _flow(spec), replace(
            story,
            category=FLOW,
            goal=(
                "Move all commodities cheaply",
                "Spend as little as possible on movements of commodities",
                "Spend as little as possible on moving all commodities from where they start to "
                "where they end",
            ),
            goals=story.goals[1:],
            rules={
                **story.rules,
                "lane_capacity": story.rules["lane_capacity"]._replace(
                    text=(
                        "What all commodities move on a lane keeps to the most that it carries",
                        "Each lane carries up to its capacity",
                    )
                ),
            },
        )
    if story.template == "lot_sizing":
        more = Goal(
            "minimize",
            "sum(unit_time[i] * lot[i, t] + holding_cost[i] * stock[i, t] for i in I for t in T)",
            "Keep machine time and what is spent on storing, added up, as low as possible",
        )
        return _without_setups(spec), replace(
            story,
            category=PLANNING,
            goal=(
                "Store cheaply",
                "Keep what is spent on storing as low as possible",
                "Keep what is spent on storing the products, over all periods, as low as possible",
            ),
            goals=(more, *story.goals[1:]),
        )
    scenario = spec.scenario.replace("in whole batches", "in batches, whole ones or parts,")
    return replace(spec, scenario=scenario).with_domain("integer", "continuous"), story


def _flow(spec: Spec) -> Spec:
    capacity = replace(
        spec.family("lane_capacity"),
        rule="sum(flow[k, i, j] for k in K) <= capacity[i, j]",
        meaning="all commodities together stay within the lane's capacity",
    )
    return replace(
        spec,
        scenario=(
            "A regional freight operator plans its line-haul traffic. Terminals are joined by "
            "one-way trucking lanes. Each commodity is a standing order to move a certain volume "
            "from its origin terminal to its destination terminal; it may be split over several "
            "routes and pass through any terminals on the way."
        ),
        groups=(spec.group("flow"),),
        families=(spec.family("balance"), capacity),
        objective=replace(
            spec.objective,
            rule="sum(unit_cost[i, j] * flow[k, i, j] for k in K for (i, j) in A)",
            meaning="the cost of moving all volumes on the lanes",
        ),
    )


def _without_setups(spec: Spec) -> Spec:
    machine = replace(
        spec.family("machine_time"),
        rule="sum(unit_time[i] * lot[i, t] for (a, i) in R if a == m) <= capacity[m, t]",
        meaning="making the lots of the machine's products takes no more than the machine time "
        "there is",
    )
    return replace(
        spec,
        scenario=(
            "A plastics plant molds several products. Each product runs on a certain molding "
            "machine, which changes over from one product to another in no time. Goods may be "
            "made ahead of demand and stored."
        ),
        groups=(spec.group("lot"), spec.group("stock")),
        families=(spec.family("stock_balance"), machine, spec.family("stock_wanted")),
        objective=replace(
            spec.objective,
            rule="sum(holding_cost[i] * stock[i, t] for i in I for t in T)",
            meaning="the cost of storing what is left at the end of each period",
        ),
    )


def _fitting(story: Story, spec: Spec) -> Story:
    """The story without what speaks of things that the case does not have."""
    there = {family.name for family in spec.families}
    return replace(
        story,
        goals=tuple(goal for goal in story.goals if _known(spec, goal.rule)),
        rules={
            name: rule._replace(
                false=tuple(f for f in rule.false if _known(spec, f.rule, f.scope or ""))
            )
            for name, rule in story.rules.items()
            if name in there
        },
        lefts=tuple(
            left
            for left in story.lefts
            if _known(spec, left.expression, left.scope)
            and (not left.family or left.family in there)
        ),
    )


def _known(spec: Spec, *texts: str) -> bool:
    known = {item.name for item in spec.sets} | {item.name for item in spec.parameters}
    known |= {group.name for group in spec.groups} | {"sum", "range"}
    # Indices are single letters; sets are too, but capitals.
    return all(name in known or (len(name) == 1 and name.islower()) for name in mentioned(*texts))
