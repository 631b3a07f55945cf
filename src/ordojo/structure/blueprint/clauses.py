"""Sentences for variable groups, the objective and constraint families (paper 003, section 3.3)."""

import math

from ordojo.structure.blueprint.words import Words, called, negative
from ordojo.structure.formulation import Family, Formulation, Group, Term
from ordojo.structure.formulation import Value as Said

SENSES = {"<=": "must be at most", ">=": "must be at least", "=": "must equal"}
TURNED = {"<=": ">=", ">=": "<=", "=": "="}
CHOICE = {"=": "exactly one", "<=": "at most one", ">=": "at least one"}


def group_clause(words: Words, group: Group) -> str:
    """What is decided, for which indices, and within which bounds."""
    name = called(group.name, group.index)
    each = f"for {words.scope(group.domain)}, " if group.index else ""
    if group.type == "binary":
        return f"{each}decide {name}, yes or no (one or zero)"
    kind = {
        "integer": "a whole number",
        "continuous": "an amount",
        "semicontinuous": "an amount, zero or else within its bounds",
        "semiinteger": "a whole number, zero or else within its bounds",
    }.get(group.type, "")
    if group.types is not None:
        kind = f"a number of the kind that {words.value(group.types, 'kind')} gives"
    low, high = _infinite(group.lower), _infinite(group.upper)
    bounds = [] if low else [f"at least {words.signed(group.lower, 'lower')}"]
    bounds += [] if high else [f"at most {words.signed(group.upper, 'upper')}"]
    limits = " and ".join(bounds) if bounds else "of any sign and size"
    return f"{each}decide {name}, {kind}, {limits}"


def _infinite(one: Said) -> bool:
    return one.kind == "number" and math.isinf(one.number)


def objective_clause(words: Words, f: Formulation) -> str:
    """What is minimized or maximized."""
    parts: list[tuple[bool, str]] = []
    for group in f.groups:
        if group.cost.kind == "number" and group.cost.number == 0:
            continue
        body = words.product(group.cost, called(group.name, group.index))
        if group.index:
            body = f"the sum of {body} over {words.scope(group.domain).replace('each', 'all')}"
        parts.append((negative(group.cost), body))
    if f.offset:
        parts.append((f.offset < 0, words.numbers.put("offset", abs(f.offset))))
    direction = "maximize" if f.maximize else "minimize"
    if not parts:
        return f"{direction} zero: any decisions that keep all rules will do"
    return f"{direction} {_joined(parts)}"


def _joined(parts: list[tuple[bool, str]]) -> str:
    first = f"{'minus ' if parts[0][0] else ''}{parts[0][1]}"
    return " ".join(
        [first, *(f"{'minus' if minus else 'plus'} {text}" for minus, text in parts[1:])]
    )


def family_clause(words: Words, family: Family) -> str:
    """For each of which indices what must hold; terms stand on the side where they are positive."""
    lead = f"for {words.scope(family.domain)}, " if family.index else ""
    if family.given:
        lead += f"{' and '.join(f'if {_gate(words, *gate)}' for gate in family.given)}, "
    if family.sense == "free":
        return f"{lead}{_side([words.term(term) for term in family.terms])} is not limited"
    choice = _choice(words, family)
    if choice:
        return lead + choice
    left = [words.term(term) for term in family.terms if not negative(term.coefficient)]
    right = [words.term(term) for term in family.terms if negative(term.coefficient)]
    if not (family.rhs.kind == "number" and family.rhs.number == 0):
        side = left if negative(family.rhs) else right
        side.append(words.value(family.rhs, "limit"))
    sense = family.sense
    if not left and sense in TURNED:
        left, right, sense = right, left, TURNED[sense]
    phrase = SENSES.get(sense)
    if phrase is None and family.senses is not None:
        phrase = f"must be in the relation that {words.value(family.senses, 'sense')} gives with"
    clause = f"{lead}{_side(left)} {phrase} {_side(right)}"
    if family.range is not None:
        other = words.signed(family.range, "range")
        clause += f"; the other side is {other} away, by the rules of MPS ranges"
    return clause


def _side(parts: list[str]) -> str:
    return " plus ".join(parts) if parts else "zero"


def _choice(words: Words, family: Family) -> str:
    """Exactly, at most or at least one of a group of binaries; "" where it is not that."""
    plain = len(family.terms) == 1 and family.senses is None and family.range is None
    if (
        not plain
        or family.sense not in CHOICE
        or (family.rhs.kind, family.rhs.number)
        != (
            "number",
            1.0,
        )
    ):
        return ""
    term = family.terms[0]
    one = term.coefficient.kind == "number" and term.coefficient.number == 1
    if not one or not term.over or words.groups[term.group].type != "binary":
        return ""
    body = words.term(term).removeprefix("the sum of ")
    return f"{CHOICE[family.sense]} of {body} must be chosen"


def _gate(words: Words, gate: Term, when: Said) -> str:
    only = [words.condition(one) for one in gate.where]
    name = called(gate.group, [words.index(at) for at in gate.at])
    note = f" (only for {' and '.join(only)})" if only else ""
    return f"{name} is {words.signed(when, 'value')}{note}"
