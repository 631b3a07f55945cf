"""Instances in prose: every number and name is told, in several wordings, the same for a seed."""

import re

import numpy as np
import pytest

from ordojo.formulation.build import build
from ordojo.problems.prose import describe, name_elements, number
from ordojo.problems.registry import NAMES, get_template

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?!\w)")


def told(name: str, seed: int):
    template, rng = get_template(name), np.random.default_rng(seed)
    tables = template.draw(rng, template.settings())
    names = name_elements(template.spec, tables, rng)
    built = build(template.spec, tables, name, names)
    return template.spec, tables, names, built, describe(built, names, rng)


@pytest.mark.parametrize("name", NAMES)
def test_the_text_has_every_number_and_every_name(name):
    spec, tables, names, built, text = told(name, 3)
    found = set(NUMBER.findall(text))
    sizes = {item.size for item in spec.sets}
    there = set(built.families.tolist())
    rules = " ".join(part.rule + part.scope for k, part in enumerate(spec.families) if k in there)
    bounds = " ".join(group.lower + group.upper for group in spec.groups)
    for item in spec.parameters:
        if item.name in sizes or item.name not in rules + bounds + spec.objective.rule:
            continue
        for value in tables[item.table][item.name]:
            assert number(value) in found, (item.name, value, text)
    assert all(one in text for called in names.values() for one in called.values())
    assert "{" not in text and "  " not in text and text.endswith(".")
    assert not any("_" in row and row in text for row in built.model.row_names)


@pytest.mark.parametrize("name", NAMES)
def test_names_are_distinct_identifiers_and_the_model_is_the_numbered_one(name):
    spec, tables, _, built, _ = told(name, 4)
    model = built.model
    assert len({*model.row_names, *model.col_names}) == model.m + model.n
    assert all(re.fullmatch(r"[a-z]\w*", one) for one in (*model.row_names, *model.col_names))
    plain = build(spec, tables, name).model
    renamed = dict(zip(plain.row_names, model.row_names, strict=True))
    assert plain.renamed(renamed).row_names == model.row_names
    assert np.array_equal(plain.value, model.value)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_generator_tells_the_same_and_others_otherwise(name):
    assert told(name, 5)[-1] == told(name, 5)[-1]
    heads = {told(name, seed)[-1].rpartition(". ")[2][:30] for seed in range(8)}
    assert len(heads) >= 2
