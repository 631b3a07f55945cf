"""What a template's questions need beyond its declaration: other words, paraphrases, false claims.

False claims come with their rule in the template's algebra, so that they can be proved false.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ordojo.benchmarks.orqa.build.stories import get_story
from ordojo.benchmarks.orqa.build.story import Story
from ordojo.benchmarks.orqa.build.variants import CASES, variant
from ordojo.benchmarks.orqa.build.wording import mapping, reworded
from ordojo.core.canonical import Json, canonical
from ordojo.core.errors import DataError, UsageError
from ordojo.core.seeds import generator
from ordojo.problems.base import Knobs, Rng, Template
from ordojo.problems.build import bind
from ordojo.problems.registry import get_template
from ordojo.problems.spec import Spec, Tables

FIRMS = (
    "Ostermoor", "Brindlewick", "Calderfen", "Nordvale", "Tamsin Quay", "Hollowmere", "Verrick",
    "Pellandra", "Greywater", "Sunderlin", "Kestrel Point", "Marrowby", "Fennimore", "Lindqvale",
    "Ashcombe Row", "Torvallen", "Oakhelm", "Quillonay", "Redmarsh", "Silverbeck", "Thornaby Cross",
    "Umberley", "Westerholt", "Yarrowdale", "Zellenbrook", "Eskermouth", "Dunmarrow", "Corvane",
)  # fmt: skip
"""Invented names of whoever plans."""

MORE = 3
"""By how much a counting knob may exceed its small value."""


@dataclass(frozen=True, eq=False)
class Case:
    """A template made concrete: words, model type, families, data."""

    recipe: Mapping[str, Any]
    template: Template
    spec: Spec
    story: Story
    tables: Tables
    values: Mapping[str, Any]

    @cached_property
    def key(self) -> str:
        """What tells it from other cases."""
        return canonical(self.recipe)

    @property
    def kind(self) -> str:
        """Its model type."""
        return str(self.recipe["kind"])

    def size(self, name: str) -> int:
        """How many elements a set has."""
        return len(self.values[name])


def recipe(seed: int, split: str, context: int) -> dict[str, Json]:
    """What makes context number `context` of a split; the same arguments, the same recipe."""
    kind, count = _kind(seed, split, context)
    names = CASES[kind]
    turn, place = divmod(count, len(names))
    order = generator(seed, f"orqa/{split}/{kind}", turn).permutation(len(names))
    template, story = get_template(names[order[place]]), get_story(names[order[place]])
    rng = generator(seed, f"orqa/{split}/context", context)
    return {
        "template": template.name,
        "kind": kind,
        "without": [name for name in story.optional if rng.random() < 0.5],
        "words": [int(rng.integers(len(slot.choices))) for slot in story.slots],
        "knobs": dict(_knobs(template, rng)),
        "firm": int(rng.integers(len(FIRMS))),
        "draw": int(rng.integers(2**31)),
        "layout": int(rng.integers(2**31)),
    }


def make_case(recipe: Mapping[str, Any]) -> Case:
    """The case of a recipe; raises DataError where it is none."""
    return _case(canonical(recipe))


@lru_cache(maxsize=64)
def _case(text: str) -> Case:
    import json

    data = json.loads(text)
    try:
        template, story = get_template(data["template"]), get_story(data["template"])
        if template.name not in CASES[data["kind"]]:
            raise ValueError(data["kind"])
        knobs = template.settings("small", data["knobs"])
        for knob in template.knobs:
            if not knob.values[0] <= knobs[knob.name] <= knob.values[0] + MORE:
                raise ValueError(f"{knob.name}={knobs[knob.name]}")
        if not set(data["without"]) <= set(story.optional):
            raise ValueError(data["without"])
        tables = template.tables(knobs, int(data["draw"]), 0)
        spec, story = variant(template.spec, story, data["kind"], tuple(data["without"]))
        spec = _named(spec, story.pairs)
        words = mapping(story.slots, data["words"])
        spec, story = reworded(spec, words), reworded(story, words)
        FIRMS[data["firm"]]
        return Case(data, template, spec, story, tables, bind(spec, tables))
    except (KeyError, TypeError, ValueError, IndexError, UsageError) as error:
        raise DataError(f"the certificate's recipe makes no case ({error!r})") from None


def _named(spec: Spec, pairs: Mapping[str, str]) -> Spec:
    sets = [replace(s, one=pairs[s.name]) if s.name in pairs else s for s in spec.sets]
    return replace(spec, sets=tuple(sets))


def _kind(seed: int, split: str, context: int) -> tuple[str, int]:
    """The model type of a context and how many of that type came before: four in turn, shuffled."""
    kinds = tuple(CASES)
    block, place = divmod(context, len(kinds))
    order = generator(seed, f"orqa/{split}/kinds", block).permutation(len(kinds))
    return kinds[order[place]], block


def _knobs(template: Template, rng: Rng) -> Knobs:
    """The small knobs, with a little more to count; without where that is refused."""
    more = {
        knob.name: int(knob.values[0]) + int(rng.integers(MORE + 1))
        for knob in template.knobs
        if knob.name.startswith("n_") and knob.whole
    }
    try:
        return template.settings("small", more)
    except UsageError:
        return template.settings("small")


def layout(case: Case) -> Rng:
    """The generator of everything in the wording of the context."""
    return np.random.default_rng(np.random.SeedSequence([int(case.recipe["layout"])]))
