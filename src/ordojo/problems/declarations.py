"""The library as declarations that a model may be recognised as."""

from ordojo.problems.registry import templates
from ordojo.structures.recognition import Known


def declarations() -> tuple[Known, ...]:
    """Every template's declaration, with its other objectives and what it may do without."""
    found = []
    for one in templates():
        goals, optional = (one.words.goals, one.words.optional) if one.words else ((), ())
        found.append(Known(one.name, one.title, one.spec, one.application, goals, optional))
    return tuple(found)
