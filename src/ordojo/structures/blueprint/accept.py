"""Another text for an exported instance: accepted by proof or by check, and put in its place."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.core.files import parse_json, read_text
from ordojo.core.outputs import write_file
from ordojo.milp.model import Model
from ordojo.structures.abstraction.folder import read, regenerate
from ordojo.structures.artifact import INSTANCE, instance_bytes, read_artifact
from ordojo.structures.blueprint.blueprint import BRACED, Blueprint
from ordojo.structures.blueprint.export import DRAFT, TABLES, concrete, names_of
from ordojo.structures.blueprint.retell import facts, missing
from ordojo.structures.flat import Flat
from ordojo.structures.formulation import formulate
from ordojo.structures.inspection import inspect

SECONDS = 30.0
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
    flat, found = regenerate(folder / TABLES), read(folder / TABLES)
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
