"""Hypotheses from what stands beside a model: its name, comments in the file, a published text.

Experts read these, too (paper 003, section 3.2). A word in them names an application class; whether
the structure carries it is said beside, and no label changes by a word alone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ordojo.core.files import open_file
from ordojo.structures.labels.applications import (
    ASSIGNMENT,
    COMBINATORIAL,
    CUTTING,
    DISJUNCTIVE,
    DOMAIN,
    FACILITY,
    GRAPH,
    NETWORK,
    PRODUCTION,
    ROUTING,
)
from ordojo.structures.labels.vocabulary import Application

WORDS: tuple[tuple[str, str, str], ...] = (
    (ASSIGNMENT, "Assignment Problem", r"assign\w*|gap\b|allocat\w+"),
    (ASSIGNMENT, "Team Formation Problem", r"team formation|crew team"),
    (COMBINATORIAL, "Knapsack Problem", r"knapsacks?"),
    (COMBINATORIAL, "Market Share Optimization Problem", r"market ?share|markshare"),
    (
        COMBINATORIAL,
        "Set Cover Problem",
        r"set[- ]cover\w*|covering problem|steiner triple|stein\d",
    ),
    (CUTTING, "Bin Packing Problem", r"bin[- ]?pack\w*|bpp"),
    (CUTTING, "Cutting Stock Problem", r"cutting[- ]stock|trim loss|cut patterns?"),
    (CUTTING, "Blending Problem", r"blend\w*|refiner\w+|pooling"),
    (DOMAIN, "Diet Problem", r"diets?|nutri\w+"),
    (DOMAIN, "Unit Commitment Problem", r"unit commitment|power plants?|generators?"),
    (DOMAIN, "Farm Planning Problem", r"farms?|farming|crops?|forest\w*|timber"),
    (
        FACILITY,
        "Facility Location Problem",
        r"facilit\w+|warehouses?|plant location|p-median|hubs?",
    ),
    (NETWORK, "Network Flow Problem", r"network flows?|min(?:imum)?[- ]cost flow"),
    (
        NETWORK,
        "Multi-Commodity Capacitated Network Design Problem",
        r"network design|multi-?commodity|telecom\w*|sdh",
    ),
    (NETWORK, "Supply Chain Optimization", r"supply chains?|logistics"),
    (PRODUCTION, "Lot-Sizing Problem", r"lot[- ]?siz\w+|set-?ups? costs?|setups?"),
    (PRODUCTION, "Job Shop Scheduling Problem", r"job[- ]?shop|project scheduling|rcpsp"),
    (PRODUCTION, "Production Planning Problem", r"production plan\w*|factory|manufactur\w+"),
    (ROUTING, "Traveling Salesman Problem", r"trave?ll?ing salesman|tsp|tours?"),
    (ROUTING, "Aircraft Assignment Problem", r"airlines?|aircraft|flights?|flug\w*|crews?"),
    (ROUTING, "Transportation Problem", r"rail\w*|trains?|transport\w*"),
    (ROUTING, "Operations Optimization", r"timetabl\w*|timtab|duty|dienst\w*|wachplan|roster\w*"),
    (ROUTING, "Capacitated Vehicle Routing Problem with Time Windows", r"vehicles?|routing|cvrp"),
    (GRAPH, "Graph Coloring / Chromatic Index", r"colou?ring|chromatic\w*"),
    (GRAPH, "Clique / Conflict Packing", r"cliques?|independent sets?|conflict graph|sorrell"),
    (GRAPH, "Graph Covering / Dominating Set", r"dominat\w+ sets?|vertex cover|hopc?ds"),
    (DISJUNCTIVE, "Pairwise Disjunctive Scheduling", r"disjunctive|single machine|precedence\w*"),
)
"""Main class, problem class, and words that name it, of table 9's classes that words can tell."""
COMMENTS = 200
"""Lines at the beginning of a file that are searched for comments."""


@dataclass(frozen=True)
class Hypothesis:
    """An application class that words name: (source, word) each, and what the structure says."""

    major: str
    sub: str
    words: tuple[tuple[str, str], ...]
    carried: float

    def text(self) -> str:
        """For a person."""
        said = ", ".join(f"'{word}' in the {source}" for source, word in self.words)
        held = f"the structure carries it ({self.carried:.0%})" if self.carried else ""
        return f"{self.sub} ({self.major}): {said}; {held or 'the structure does not show it'}"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def hypotheses(
    guesses: Sequence[Application], sources: Mapping[str, str]
) -> tuple[Hypothesis, ...]:
    """What the sources (by name, such as "name", "comments", "text") suggest, the best first.

    First what the structure carries: `carried` is the confidence of its guesses at the main class.
    """
    found = []
    for major, sub, words in WORDS:
        pattern = re.compile(rf"(?<![a-z])(?:{words})", re.IGNORECASE)
        named = [
            (source, match.group().lower())
            for source, text in sources.items()
            if (match := pattern.search(text.replace("_", " ")))
        ]
        if named:
            carried = sum(one.confidence for one in guesses if one.major == major)
            found.append(Hypothesis(major, sub, tuple(named), round(carried, 3)))
    return tuple(sorted(found, key=lambda one: (-one.carried, -len(one.words))))


def comments(path: Path) -> str:
    r"""The comments at the beginning of a model file: lines after `*` (MPS) or `\` (LP)."""
    mark = "\\" if ".lp" in path.name else "*"
    with open_file(path, unpack=True) as file:
        lines = [file.readline(2000).decode("utf-8", "replace").strip() for _ in range(COMMENTS)]
    return "\n".join(line.lstrip(mark + " ") for line in lines if line.startswith(mark))
