"""An instance told in prose: the declaration with all its data, its elements called by names."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from ordojo.core.words import joined
from ordojo.formulation.build import Built, Names, elements
from ordojo.formulation.spec import Number, Parameter, Set, Spec, Tables
from ordojo.formulation.words import each, group_words, measured, sentence
from ordojo.problems.base import TOWNS, Rng

FIRMS = (
    "Alder and Sons", "Brightwater", "Corvo", "Dunmore", "Elmfield", "Fairlight", "Glenmoor",
    "Hartwell", "Ivory Lane", "Juniper Hill", "Kestrel", "Larkspur", "Marlow", "Northgate",
)  # fmt: skip


def name_elements(spec: Spec, tables: Tables, rng: Rng) -> Names:
    """Names out of each set's pool, or "shop 1", "shop 2" where it is too small; none twice."""
    there = elements(spec, tables)
    taken: set[str] = set()
    found: dict[str, dict[Number, str]] = {}
    for item in spec.sets:
        if len(spec.columns(item.name)) > 1:
            continue
        known = found.setdefault(spec.owners(item.name)[0], {})
        new = [element for element in there[item.name] if element not in known]
        free = [name for name in item.names if name not in taken]
        chosen = rng.permutation(len(free))[: len(new)] if len(free) >= len(new) else ()
        called = [free[k] for k in chosen] or [f"{item.one} {element}" for element in new]
        known.update(zip(new, called, strict=True))
        taken.update(called)
    return found


class FigureTelling(Protocol):
    """Another way to tell numbers than the plain one."""

    def alone(self, value: Number) -> str:
        """A number that stands for itself."""

    def table(self, head: str, rows: Sequence[tuple[Sequence[str], Number]]) -> str:
        """Sentences for a parameter's numbers; `rows` are names of elements, with a number."""


Part = Mapping[str, Collection[Number]]
"""By set, those of its elements that are told of; of sets that are not there, all are."""


def describe(
    built: Built,
    names: Names,
    rng: Rng,
    figures: FigureTelling | None = None,
    part: Part | None = None,
) -> str:
    """The problem in one paragraph with every number of its data, told by `figures` if given.

    Which of several wordings a sentence has, and whether the goal comes first, is drawn. Of data
    that are too many only a `part` is told, and how many there are.
    """
    return _Telling(built, names, rng, figures, part or {}).text()


class _Telling:
    def __init__(
        self, built: Built, names: Names, rng: Rng, figures: FigureTelling | None, part: Part
    ) -> None:
        self.part = part
        self.spec, self.values, self.names, self.rng = built.spec, built.values, names, rng
        self.figures, self.number = figures, figures.alone if figures else number
        there = set(built.families.tolist())
        self.families = [part for k, part in enumerate(self.spec.families) if k in there]

    def text(self) -> str:
        """Opening, elements, data, decisions, rules; the goal before or after them."""
        spec = self.spec
        firm, town = self.one(*FIRMS), self.one(*TOWNS)
        opening = self.one(
            f"{spec.scenario} This is the case of {firm} in {town}.",
            f"This is about {firm} near {town}. {spec.scenario}",
            f"{firm}, {town}. {spec.scenario}",
        )
        goal = spec.objective
        told = measured(goal)
        size = {"minimize": "smallest", "maximize": "largest"}[goal.sense]
        aim = self.one(
            f"The aim is to {goal.sense} {told}.",
            f"{goal.sense.capitalize()} {told}.",
            f"Of all plans, the best has the {size} total: {told}.",
        )
        groups = [group_words(spec, group) for group in spec.groups]
        decide = self.one("To be decided: {}.", "What is to be decided: {}.", "Decide: {}.")
        body = [
            *(self.elements(item) for item in spec.sets),
            *(self.data(item) for item in spec.parameters),
            decide.format("; ".join(groups)),
            *(
                self.rule(part.each or each(spec, part.scope), part.meaning)
                for part in self.families
            ),
        ]
        parts = [opening, aim, *body] if self.rng.random() < 0.5 else [opening, *body, aim]
        return " ".join(part for part in parts if part)

    def one(self, *forms: str) -> str:
        """One of several wordings."""
        return forms[int(self.rng.integers(len(forms)))]

    def called(self, owners: Sequence[str], element: Any) -> list[str]:
        """The names of an element's parts; a number that is of no set stays one."""
        key = element if isinstance(element, tuple) else (element,)
        return [self.names[own][k] if own else str(k) for own, k in zip(owners, key, strict=True)]

    def is_told(self, owners: Sequence[str], element: Any) -> bool:
        """Whether all parts of an element are among those that are told of."""
        key = element if isinstance(element, tuple) else (element,)
        return all(k in self.part.get(own, (k,)) for own, k in zip(owners, key, strict=True))

    def elements(self, item: Set) -> str:
        """Which elements a set has, where its data do not say so."""
        owners = self.spec.owners(item.name)
        there = self.values[item.name]
        found = [self.called(owners, each) for each in there if self.is_told(owners, each)]
        if len(found) < len(there):
            listed = joined([" to ".join(parts) for parts in found])
            told = f", of which these are told of: {listed}" if found and not item.key[1:] else ""
            return f"There are {len(there)} {item.many}{told}."
        if not found or any(
            item.name in one.over for one in self.spec.parameters if len(item.key) > 1
        ):
            return ""
        if len(item.key) > 1:
            return sentence(f"{self.spec.files[item.table]}: {_nested(found)}")
        listed = joined([name for (name,) in found])
        if len(found) == 1:
            return self.one(
                f"There is one {item.one}, {listed}.", f"The only {item.one} is {listed}."
            )
        return self.one(
            f"The {item.many} are {listed}.",
            f"The {len(found)} {item.many} are {listed}.",
            f"There are {len(found)} {item.many}: {listed}.",
        )

    def data(self, item: Parameter) -> str:
        """A parameter's numbers; nothing for one that a rule tells, or that only counts."""
        value = self.values[item.name]
        if not item.over:
            if any(item.name == one.size for one in self.spec.sets):
                return ""
            if any(f"{{{item.name}}}" in part.meaning for part in self.families):
                return ""
            return sentence(self.one("the ", "") + f"{measured(item)}: {self.number(value)}")
        owners = [own for over in item.over for own in self.spec.owners(over)]
        value = {key: given for key, given in value.items() if self.is_told(owners, key)}
        head = self.one("the ", "given: the ", "") + measured(item) if value else ""
        if value and self.figures:
            rows = [(self.called(owners, key), given) for key, given in value.items()]
            return self.figures.table(head, rows)
        found = [(self.called(owners, key), number(given)) for key, given in value.items()]
        if not found:
            return ""
        if len({given for _, given in found}) == 1 and len(found) > 1:
            whose = joined([f"each {self.spec.set(over).one}" for over in item.over])
            return sentence(f"{head}: {found[0][1]} for {whose}")
        last = "with" if len(found[0][0]) > 1 else "for"
        listed = _nested([(*parts[:-1], f"{given} {last} {parts[-1]}") for parts, given in found])
        return sentence(f"{head}: {listed}")

    def rule(self, scope: str, meaning: str) -> str:
        """A family's rule with the numbers of its scalars."""
        for item in self.spec.parameters:
            if f"{{{item.name}}}" in meaning:
                told = self.number(self.values[item.name])
                # Where the unit, or what is counted, follows anyway it is not said twice.
                meaning = re.sub(rf"\{{{item.name}\}}(?= {item.unit}\b)", told, meaning)
                unit = f" {item.unit}" if item.unit else ""
                meaning = meaning.replace(f"{{{item.name}}}", told + unit)
        if not scope:
            return self.one(sentence(meaning), sentence(f"it must hold that {meaning}"))
        return self.one(
            sentence(f"{scope}, {meaning}"),
            sentence(f"{scope}: {meaning}"),
            sentence(f"{scope}, it must hold that {meaning}"),
        )


def _nested(found: Sequence[Sequence[str]]) -> str:
    """Lists by all names but the last: "for Bergen, 3 with Kiel; for Cadiz, ..."."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for *heads, last in found:
        rows.setdefault(tuple(heads), []).append(last)
    return "; ".join(
        (f"for {' and '.join(heads)}, " if heads else "") + joined(lasts)
        for heads, lasts in rows.items()
    )


def number(value: float) -> str:
    """A number as people write it: the shortest exact form, no trailing ".0"."""
    return repr(float(value)).removesuffix(".0")
