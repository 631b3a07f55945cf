"""The library as declarations that a model may be recognised as."""

from dataclasses import replace

from ordojo.problems.registry import templates
from ordojo.structures.recognition import Known


def declarations() -> tuple[Known, ...]:
    """Every template's declaration, with its other objectives and what it may do without."""
    found = []
    for one in templates():
        known = Known(one.name, one.title, one.spec, one.application)
        if words := one.words:
            known = replace(known, goals=words.goals, optional=words.optional, scenes=words.scenes)
        found.append(known)
    return tuple(found)
