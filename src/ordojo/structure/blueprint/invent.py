"""A scenario chosen by a language model: a story and words for sets, and nothing that is a rule."""

import json
import re
from dataclasses import dataclass
from typing import Any

from ordojo.core.policy import Generate
from ordojo.structure.blueprint.blueprint import Blueprint, digits
from ordojo.structure.blueprint.checks import STORY, meaning
from ordojo.structure.blueprint.scenarios import Scenario

LONGEST = 600
"""Characters of a story."""
_NOUN = re.compile(r"[a-z][a-z -]{1,30}")
_STRUCTURE = re.compile(r"\{.*\}", re.DOTALL)

PROMPT = """Choose a plausible setting for an optimization problem of the class "{application}".
Its decisions are called {groups}; its rules are called {families}; its index sets are {sets}.
Answer with JSON alone:
{{"story": "two or three sentences that set the scene, without any number, rule or objective",
  "ordered": ["singular", "plural"], "nouns": [["singular", "plural"], ...]}}
"ordered" is what an index in time or order counts; "nouns" are {count} pairs, what the elements of
the other index sets are called, in the order given. Use plain lower-case words for them."""


@dataclass(frozen=True)
class Invented:
    """The scenario, or None and the reasons why the answer is refused."""

    scenario: Scenario | None
    reasons: tuple[str, ...]
    raw: str


def invent(blueprint: Blueprint, generate: Generate, seed: int = 0) -> Invented:
    """Ask a model for a scenario of a drafted blueprint; `draft` takes it in place of a name."""
    count = max(3, len(blueprint.sets))
    raw = generate(
        PROMPT.format(
            application=blueprint.application[1],
            groups=", ".join(item.label for item in blueprint.groups),
            families=", ".join(item.label for item in blueprint.families),
            sets=", ".join(item.label for item in blueprint.sets) or "none",
            count=count,
        ),
        max_tokens=800,
        temperature=0.7,
        seed=seed,
    )
    found = _STRUCTURE.search(raw)
    try:
        value = json.loads(found.group()) if found else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return Invented(None, ("the answer is no JSON object",), raw)
    reasons = tuple(_faults(value))
    if reasons:
        return Invented(None, reasons, raw)
    nouns = tuple((str(one), str(many)) for one, many in value["nouns"])
    one, many = value["ordered"]
    story = " ".join(value["story"].split())
    return Invented(Scenario("invented", (), story, (one, many), nouns), (), raw)


def _faults(value: dict[str, Any]) -> list[str]:
    story, pairs = value.get("story"), [value.get("ordered")]
    wrong = []
    if not isinstance(story, str) or not 20 <= len(story) <= LONGEST:
        wrong.append(f"'story' is no text of 20 to {LONGEST} characters")
    else:
        wrong += [f"the story has the number {one}" for one in digits(story)]
        wrong += [f"the story says {one}" for one in meaning(story) if one not in STORY]
    if isinstance(value.get("nouns"), list) and value["nouns"]:
        pairs += value["nouns"]
    else:
        wrong.append("'nouns' is no list of pairs")
    for pair in pairs:
        words = pair if isinstance(pair, list) else []
        if len(words) != 2 or not all(isinstance(w, str) and _NOUN.fullmatch(w) for w in words):
            wrong.append(f"{json.dumps(pair)[:60]} is no pair of plain words")
    return wrong
