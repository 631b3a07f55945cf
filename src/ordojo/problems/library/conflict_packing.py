"""Packing under conflict groups: at most one of each group; every style has to be heard.

A hidden choice, drawn first, takes at most one of every group and serves every region.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, Words, ids, plain, row

SPEC = Spec(
    scenario=(
        "A festival picks concerts from the bands that applied. Bands that share musicians, "
        "instruments or a dressing room form conflict groups, which overlap, and every style of "
        "music has to be heard."
    ),
    sets=(
        Set("J", "band", "bands", table="bands", key=("band",)),
        Set("G", "conflict group", "conflict groups", size="n_groups"),
        Set("S", "style", "styles", size="n_styles"),
        Set("U", "membership", "memberships", table="memberships", key=("group", "band"),
            parts=("G", "J")),
        Set("V", "playing", "playings", table="playings", key=("style", "band"), parts=("S", "J")),
    ),
    parameters=(
        Parameter("n_groups", "number of conflict groups"),
        Parameter("n_styles", "number of styles"),
        Parameter("most_bands", "most bands that can be picked", "bands"),
        Parameter("visitors", "number of visitors that a band draws", "visitors", ("J",), "bands"),
    ),
    groups=(
        Group("picked", "for j in J", "decision whether a band is picked", "binary"),
    ),
    objective=Objective(
        "maximize", "sum(visitors[j] * picked[j] for j in J)",
        "the total number of visitors that the picked bands draw", "visitors",
    ),
    families=(
        Family("no_conflict", "for g in G", "sum(picked[j] for (h, j) in U if h == g) <= 1",
               "at most one band of the group is picked", Semantic.AT_MOST_ONE, Scaffold.SUBSET),
        Family("style_heard", "for s in S", "sum(picked[j] for (r, j) in V if r == s) >= 1",
               "at least one band that plays the style is picked", Semantic.AT_LEAST_ONE,
               Scaffold.SUBSET),
        Family("places", "", "sum(picked[j] for j in J) <= most_bands",
               "at most {most_bands} bands are picked in all", Semantic.UPPER_SUM, Scaffold.GLOBAL),
    ),
    files={
        "memberships": "which band is in which conflict group",
        "playings": "which band plays which style",
    },
)  # fmt: skip

WORDS = Words(
    who="a festival",
    tellings=(
        "More bands applied to a festival than can play. Where bands have a musician, an "
        "instrument or a dressing room in common they form a conflict group, and a band may be "
        "in several; no style of music shall be missing.",
    ),
    nouns=("band ensemble combo quartet troupe", "style genre tradition"),
    goals=(
        Objective("maximize", "sum(picked[j] for j in J)", "the number of bands picked"),
        Objective("maximize", "sum(visitors[j] * (1 - picked[j]) for j in J)",
                  "the number of visitors that the bands left out would draw"),
        Objective("maximize", "sum(picked[j] for (h, j) in U)",
                  "the number of places in conflict groups that the picked bands fill"),
    ),
    rules={
        "no_conflict": ("conflict groups", "the number of bands of the group that are picked"),
        "style_heard": ("styles", "the number of picked bands that play the style"),
        "places": ("places", "the number of all bands picked", "{most_bands}"),
    },
    pairs={"U": "band in a conflict group", "V": "band that plays a style"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Groups with at most one member of a hidden choice."""
    n, groups, styles = (int(knobs[k]) for k in ("n_items", "n_groups", "n_styles"))
    hidden = rng.permutation(n)[: max(styles, n // 5)]
    others = np.setdiff1d(np.arange(n), hidden)
    members = []
    for g in range(groups):
        size = int(rng.integers(2, min(7, len(others)) + 1))
        chosen = rng.permutation(others)[:size]
        if g % 2 == 0:
            chosen[0] = hidden[int(rng.integers(len(hidden)))]
        members += [(g + 1, int(j) + 1) for j in np.sort(chosen)]
    plays = []
    for s in range(styles):
        chosen = rng.random(n) < 0.2
        chosen[hidden[s]] = True
        plays += [(s + 1, int(j) + 1) for j in np.flatnonzero(chosen)]
    return {
        "bands": {"band": ids(n), "visitors": plain(rng.integers(20, 201, n))},
        "memberships": {"group": [g for g, _ in members], "band": [j for _, j in members]},
        "playings": {"style": [s for s, _ in plays], "band": [j for _, j in plays]},
        "parameters": row(n_groups=groups, n_styles=styles, most_bands=len(hidden) + 2),
    }


TEMPLATE = Template(
    "conflict_packing",
    "Packing under conflict groups",
    ("Graph-Structured Optimization", "Clique / Conflict Packing"),
    (
        Knob("n_items", "number of items", (20, 45, 120), 6, 100_000),
        Knob("n_groups", "number of conflict groups", (15, 40, 140), 1, 100_000),
        Knob("n_styles", "number of styles to be heard", (3, 4, 6), 1, 100),
    ),
    SPEC,
    draw,
    lambda knobs: (
        ""
        if knobs["n_items"] >= 4 + 2 * knobs["n_styles"]
        else "let n_items be at least 4 more than twice n_styles"
    ),
    words=WORDS,
)
