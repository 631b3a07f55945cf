"""Another text for an instance: asked of a language model; accepted by proof or by check.

A model may reword the drafted text (`polish`) or invent its setting (`invent`). Any wording will
do, but never another problem: `accept` takes a text, best with the model that was rebuilt from it.
"""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError
from ordojo.core.files import parse_json, read_text
from ordojo.core.outputs import write_file
from ordojo.core.policy import Generate
from ordojo.milp.model import Model
from ordojo.structures.abstraction.folder import both
from ordojo.structures.artifact import INSTANCE, instance_bytes, read_artifact
from ordojo.structures.blueprint.blueprint import BRACED, QUOTED, Blueprint, digits
from ordojo.structures.blueprint.claims import claims
from ordojo.structures.blueprint.export import DRAFT, TABLES, concrete, names_of
from ordojo.structures.blueprint.retell import Facts, facts, missing
from ordojo.structures.blueprint.words import TextScenario
from ordojo.structures.flat import Flat
from ordojo.structures.formulation import formulate
from ordojo.structures.inspection import inspect

POLISH_PROMPT = """Rewrite the problem description below so that it reads like a published problem.
Either keep its lines, with the name in backticks at the beginning of each and all names in
their order, or tell it freely, in paragraphs and without names in backticks. In any case:
- Keep every number: each {{name}} in braces, each data file and each column that is named.
- Say of every decision whether it is yes or no, a whole number or any amount, and every bound.
- Say every rule once, with its direction, and whether the objective is minimized or maximized.
- Add no number, no rule and no example.
Answer with the rewritten description alone.

{text}"""


@dataclass(frozen=True)
class Polished:
    """What came of it: the text to use, whether it is the model's, and why not."""

    text: str
    accepted: bool
    reasons: tuple[str, ...] = ()


def polish(text: str, generate: Generate, wanted: Facts) -> Polished:
    """Ask a model to rewrite a blueprint's text; where `missing` names anything, the text stays."""
    prompt = POLISH_PROMPT.format(text=text)
    raw = generate(prompt, max_tokens=len(text) // 2 + 512, temperature=0.0, seed=0)
    lines = raw.strip().splitlines()
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1].startswith("```"):
        lines = lines[1:-1]  # a code fence around it
    answer = "\n".join(lines).strip() + "\n"
    wrong = missing(wanted, answer)
    return Polished(text, False, tuple(wrong)) if wrong else Polished(answer, True)


LONGEST = 600
"""Characters of a story."""
_NOUN = re.compile(r"[a-z][a-z -]{1,30}")
_STRUCTURE = re.compile(r"\{.*\}", re.DOTALL)

SETTING = """Choose a plausible setting for an optimization problem of the class "{application}".
Its decisions are called {groups}; its rules are called {families}; its index sets are {sets}.
Answer with JSON alone:
{{"story": "two or three sentences that set the scene, without any number, rule or objective",
  "nouns": {{"SET": ["singular", "plural"], ...}}}}
"nouns" is what the elements of each index set are called, by the set's name; leave out a set of
which you cannot tell. Use plain lower-case words for them."""


@dataclass(frozen=True)
class Invented:
    """The scenario, or None and the reasons why the answer is refused."""

    scenario: TextScenario | None
    reasons: tuple[str, ...] = ()


def invent(blueprint: Blueprint, generate: Generate) -> Invented:
    """Ask a model for a scenario of a drafted blueprint; `draft` takes it in place of a name."""
    raw = generate(
        SETTING.format(
            application=blueprint.application[1],
            groups=", ".join(item.label for item in blueprint.groups),
            families=", ".join(item.label for item in blueprint.families),
            sets=", ".join(item.label for item in blueprint.sets) or "none",
        ),
        max_tokens=800,
        temperature=0.7,
    )
    found = _STRUCTURE.search(raw)
    try:
        value = json.loads(found.group()) if found else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return Invented(None, ("the answer is no JSON object",))
    reasons = tuple(_faults(value))
    if reasons:
        return Invented(None, reasons)
    nouns = {str(name): (str(one), str(many)) for name, (one, many) in value["nouns"].items()}
    story = " ".join(value["story"].split())
    return Invented(TextScenario("invented", story, nouns))


def _faults(value: dict[str, Any]) -> list[str]:
    story, nouns = value.get("story"), value.get("nouns")
    wrong = []
    if not isinstance(story, str) or not 20 <= len(story) <= LONGEST:
        wrong.append(f"'story' is no text of 20 to {LONGEST} characters")
    else:
        wrong += [f"the story has the number {one}" for one in digits(story)]
        wrong += [f"the story says '{one.words}'" for one in claims(story)]
        wrong += [
            f"the story names {one}" for one in (*QUOTED.findall(story), *BRACED.findall(story))
        ]
    if not isinstance(nouns, dict):
        return [*wrong, "'nouns' gives no pairs by set"]
    for pair in nouns.values():
        words = pair if isinstance(pair, list) else []
        if len(words) != 2 or not all(isinstance(w, str) and _NOUN.fullmatch(w) for w in words):
            wrong.append(f"{json.dumps(pair)[:60]} is no pair of plain words")
    return wrong


SECONDS = 30.0
"""For the comparison with a rebuilt model, each step: a person waits for it."""
PROVED, CHECKED = "proved", "checked"


@dataclass(frozen=True)
class Retelling:
    """What came of a text: `how` it was accepted, "proved" or "checked", else "" and `reasons`."""

    how: str
    reasons: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether the text says the same problem."""
        return bool(self.how)


def accept(
    folder: Path, told: str, rebuilt: Flat | Model | None = None, time_limit: float = SECONDS
) -> Retelling:
    """Replace an instance's text by `told`, or leave all as it is and say why.

    `rebuilt` is the model that somebody built from this text and the data alone: it has to be
    proved equivalent, the same optimum is not enough. Without it, `missing` must name nothing.
    Raises DataError where the folder is no whole instance.
    """
    artifact = read_artifact(folder)
    record = replace(artifact.record, abstract_problem=told)
    unknown = record.faults()
    if unknown:
        return Retelling("", tuple(unknown))
    flat, found = both(folder / TABLES)
    blueprint = read_blueprint(folder / DRAFT)
    if rebuilt is not None:
        seen = inspect(flat, rebuilt, found, time_limit)
        if not seen.equal:
            said = [one.sentence for one in seen.differences] or list(seen.notes)
            return Retelling("", tuple(said))
    else:
        formulation = formulate(flat, found, names_of(artifact.generator_py))
        lacking = missing(facts(formulation, blueprint), told)
        if lacking:
            return Retelling("", tuple(lacking))
    how = CHECKED if rebuilt is None else PROVED
    record = replace(
        record,
        concrete_problem=concrete(told, record.parameters, artifact.data),
        metadata={**record.metadata, "retelling": how},
    )
    write_file(folder / INSTANCE, instance_bytes(record), advice="nothing was changed")
    return Retelling(how)


def read_blueprint(path: Path) -> Blueprint:
    """A blueprint.json; raises DataError."""
    try:
        value = parse_json(read_text(path))
        json.dumps(value, ensure_ascii=False).encode()  # half of a surrogate pair is no text
        return Blueprint.from_json(value, str(path))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; give a blueprint.json") from None
    except ValueError as error:
        raise DataError(f"{path} is not whole JSON ({error}); mend it") from None


REBUILD = """Below is an optimization problem with its data files, of which the first lines are
shown. Write one Python program with gurobipy that reads the files by these paths, builds exactly
this model with all types and bounds, and calls optimize(). Print nothing else. Answer with the
program alone.

{text}

{files}"""
HEAD = 5
"""Lines of a data file that a model is shown: the header, and enough to see the values' form."""


def rebuild_prompt(folder: Path, told: str) -> str:
    """What a language model is asked that builds the model again, from text and data alone."""
    artifact = read_artifact(folder)
    values = artifact.record.parameters
    text = BRACED.sub(lambda match: str(values.get(match.group()[1:-1], match.group())), told)
    heads = (
        "\n".join([f"{path}:", *content.splitlines()[:HEAD]])
        for path, content in sorted(artifact.data.items())
    )
    return REBUILD.format(text=text, files="\n\n".join(heads))
