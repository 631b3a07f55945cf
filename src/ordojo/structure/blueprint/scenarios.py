"""A small library of neutral scenarios: a story, and words for the elements of sets."""

from dataclasses import dataclass

from ordojo.core.errors import UsageError


@dataclass(frozen=True)
class Scenario:
    """A setting. `ordered` is the word for an index with neighbours, `nouns` for the others.

    Words are pairs (one, many); the story has no number and no rule in it.
    """

    name: str
    majors: tuple[str, ...]
    story: str
    ordered: tuple[str, str]
    nouns: tuple[tuple[str, str], ...]


PERIOD = ("period", "periods")
ITEM = ("item", "items")
SCENARIOS = (
    Scenario(
        "assignment",
        ("Assignment and Resource Allocation Optimization",),
        "A service centre distributes its work. Each task can be given to several teams, and teams "
        "differ in what they can do and in what they can take on.",
        PERIOD,
        (("task", "tasks"), ("team", "teams"), ("skill", "skills"), ITEM),
    ),
    Scenario(
        "selection",
        ("Combinatorial Optimization", "Random-Graph Benchmark MILPs"),
        "A planning office chooses among options that exclude, need or complete each other, and "
        "wants the best selection that keeps all rules.",
        ("position", "positions"),
        (("option", "options"), ("group", "groups"), ("aspect", "aspects"), ITEM),
    ),
    Scenario(
        "cutting",
        ("Cutting and Packing Optimization",),
        "A workshop fits orders into stock. What is started has to be used well, and every order "
        "has to be met.",
        ("position", "positions"),
        (("order", "orders"), ("container", "containers"), ("pattern", "patterns"), ITEM),
    ),
    Scenario(
        "energy",
        ("Domain-Specific Optimization",),
        "An operator plans its units ahead, so that demand is met at all times and no unit is run "
        "against its limits.",
        PERIOD,
        (("unit", "units"), ("resource", "resources"), ("region", "regions"), ITEM),
    ),
    Scenario(
        "location",
        ("Facility Location Optimization",),
        "A company decides which sites to run and which site serves which customer.",
        PERIOD,
        (("customer", "customers"), ("site", "sites"), ("product", "products"), ITEM),
    ),
    Scenario(
        "network",
        ("Network Flow Optimization",),
        "A carrier plans what moves over the links of its network, from where it is made to where "
        "it is needed.",
        PERIOD,
        (("node", "nodes"), ("link", "links"), ("good", "goods"), ITEM),
    ),
    Scenario(
        "production",
        ("Production Planning and Scheduling Optimization",),
        "A plant plans its production ahead: what is made when, on which resource, and what is "
        "kept in between.",
        PERIOD,
        (("product", "products"), ("resource", "resources"), ("job", "jobs"), ITEM),
    ),
    Scenario(
        "transport",
        ("Transportation and Routing Optimization",),
        "A carrier plans its trips: which trip covers which stop, and in which order.",
        PERIOD,
        (("stop", "stops"), ("trip", "trips"), ("vehicle", "vehicles"), ITEM),
    ),
    Scenario(
        "graph",
        ("Graph-Structured Optimization",),
        "A coordinator handles places and the conflicts and neighbourhoods between them.",
        ("step", "steps"),
        (("place", "places"), ("label", "labels"), ("connection", "connections"), ITEM),
    ),
    Scenario(
        "sequencing",
        ("Disjunctive and Pairwise Scheduling",),
        "A dispatcher orders jobs that get in each other's way, and sets a time for each.",
        PERIOD,
        (("job", "jobs"), ("machine", "machines"), ("stage", "stages"), ITEM),
    ),
    Scenario(
        "plain",
        (),
        "A planner has decisions to take, described by the tables below, and wants the best ones "
        "that keep all rules.",
        PERIOD,
        (ITEM, ("class", "classes"), ("part", "parts"), ("entry", "entries")),
    ),
)


def scenario_for(major: str) -> Scenario:
    """The scenario of a main class, else the plain one."""
    fitting = [one for one in SCENARIOS if major in one.majors]
    return fitting[0] if fitting else SCENARIOS[-1]


def find_scenario(name: str) -> Scenario:
    """The scenario of that name; raises UsageError."""
    for one in SCENARIOS:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in SCENARIOS)
    raise UsageError(f"there is no scenario '{name}'; choose one of {names}")
