"""Coloring: transmitters that disturb each other get different channels.

A hidden assignment of channels keeps every listed pair apart.
"""

import numpy as np

from ordojo.formulation.spec import Family, Group, Objective, Parameter, Set, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.problems.base import Knob, Knobs, Rng, Template, ids, plain, row

SPEC = Spec(
    scenario=(
        "A radio authority gives every transmitter a channel. Transmitters that disturb each other "
        "must not have the same one, and each channel that is used at all costs a fee."
    ),
    sets=(
        Set("I", "transmitter", "transmitters", table="transmitters", key=("transmitter",)),
        Set("C", "channel", "channels", table="channels", key=("channel",)),
        Set("E", "disturbance", "disturbances", table="disturbances", key=("one", "other"),
            parts=("I", "I")),
    ),
    parameters=(
        Parameter("most_on_channel", "most transmitters on a channel", "transmitters"),
        Parameter("fee", "fee of a channel", "dollars", ("C",), "channels"),
    ),
    groups=(
        Group("given", "for i in I for c in C", "decision whether a transmitter gets a channel",
              "binary"),
        Group("used", "for c in C", "decision whether a channel is used", "binary"),
    ),
    objective=Objective("minimize", "sum(fee[c] * used[c] for c in C)",
                        "the fees of all channels that are used", "dollars"),
    families=(
        Family("one_channel", "for i in I", "sum(given[i, c] for c in C) == 1",
               "the transmitter gets exactly one channel", Semantic.EXACTLY_ONE,
               Scaffold.SINGLE_LOOP),
        Family("kept_apart", "for (i, j) in E for c in C", "given[i, c] + given[j, c] <= 1",
               "at most one of two transmitters that disturb each other gets the channel",
               Semantic.AT_MOST_ONE, Scaffold.PAIRWISE),
        Family("channel_used", "for c in C",
               "sum(given[i, c] for i in I) <= most_on_channel * used[c]",
               "at most {most_on_channel} get the channel if it is used, and none if it is not",
               Semantic.INDICATOR, Scaffold.SINGLE_LOOP),
    ),
    files={"disturbances": "the pairs of transmitters that disturb each other"},
)  # fmt: skip


def draw(rng: Rng, knobs: Knobs) -> Tables:
    """Pairs among those that a hidden assignment keeps apart."""
    n, channels = int(knobs["n_transmitters"]), int(knobs["n_channels"])
    hidden = rng.permutation(np.arange(n) % channels)
    apart = np.triu(hidden[:, None] != hidden[None], 1)
    chosen = apart & (rng.random((n, n)) < min(0.6, 6 / n))
    one, other = np.nonzero(chosen if chosen.any() else apart)
    return {
        "transmitters": {"transmitter": ids(n)},
        "channels": {"channel": ids(channels), "fee": plain(10 * rng.integers(5, 20, channels))},
        "disturbances": {"one": plain(one + 1), "other": plain(other + 1)},
        "parameters": row(most_on_channel=-(-n // channels) + 1),
    }


TEMPLATE = Template(
    "channel_coloring",
    "Coloring with fees of colors",
    ("Assignment and Matching Optimization", "Graph Coloring Problem"),
    (
        Knob("n_transmitters", "number of transmitters", (6, 12, 80), 2, 2000),
        Knob("n_channels", "number of channels", (3, 4, 8), 2, 100),
    ),
    SPEC,
    draw,
    lambda knobs: (
        "" if knobs["n_transmitters"] > knobs["n_channels"] else "let there be fewer channels"
    ),
)
