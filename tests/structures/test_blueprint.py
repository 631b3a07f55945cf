"""Blueprints say every group and family and no number of the data; edits are checked."""

import dataclasses
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from ordojo.core.errors import DataError, UsageError
from ordojo.structures import abstract, read_flat
from ordojo.structures.blueprint import SCENARIOS, Blueprint, draft, find_scenario, invent, text
from ordojo.structures.blueprint.blueprint import BRACED, digits
from ordojo.structures.formulation import data_files, formulate
from tests.structures.toys import LOTS, flat_of, structured

LOCATION = """Minimize
 obj: 120 y_1 + 150 y_2 + 4 x_1_1 + 7 x_1_2 + 5 x_2_1 + 3 x_2_2 + 6 x_3_1 + 2 x_3_2
Subject To
 serve_1: x_1_1 + x_1_2 = 1
 serve_2: x_2_1 + x_2_2 = 1
 serve_3: x_3_1 + x_3_2 = 1
 open_1: 17 x_1_1 + 23 x_2_1 + 11 x_3_1 - 41 y_1 <= 0
 open_2: 17 x_1_2 + 23 x_2_2 + 11 x_3_2 - 41 y_2 <= 0
 least: y_1 + y_2 >= 1
Binary
 y_1 y_2 x_1_1 x_1_2 x_2_1 x_2_2 x_3_1 x_3_2
End
"""


def drafted(folder: Path, model: str = LOCATION, name: str = "toy.lp") -> Blueprint:
    path = folder / name
    path.write_text(model)
    flat = read_flat(path)
    found = abstract(flat)
    return draft(formulate(flat, found))


def lines_of(said: str, label: str) -> list[str]:
    return [line for line in said.splitlines() if line.startswith(f"- `{label}`:")]


def test_every_group_and_family_has_a_line(tmp_path: Path) -> None:
    found = drafted(tmp_path)
    said = text(found)
    for item in (*found.groups, *found.families):
        assert len(lines_of(said, item.label)) == 1
    assert {item.name for item in found.groups} == {"x", "y"}
    assert {item.name for item in found.families} == {"serve", "open", "least"}
    assert found.direction == "minimize"


def test_clauses_say_what_the_rows_say(tmp_path: Path) -> None:
    clauses = {item.name: item.text for item in drafted(tmp_path).families}
    assert clauses["serve"] == (
        "for each `j` in `J`, exactly one of `x[j, i]` over all `i` in `I` must be chosen"
    )
    assert clauses["open"] == (
        "for each `i` in `I`, the sum of `coef_open_x[j]` times `x[j, i]` over all `j` in `J` "
        "must be at most {coef_open_y} times `y[i]`"
    )
    assert clauses["least"] == "at least one of `y[i]` over all `i` in `I` must be chosen"


def test_no_number_of_the_data(tmp_path: Path) -> None:
    found = drafted(tmp_path)
    said = text(found)
    assert digits(said) == []
    assert not re.search(r"\b(17|23|41|120|150)\b", said)
    assert found.numbers["coef_open_y"] == 41
    assert {one[1:-1] for one in BRACED.findall(said)} <= set(found.numbers)


def test_every_file_is_named_and_described(tmp_path: Path) -> None:
    path = tmp_path / "lots.mps"
    path.write_text(LOTS)
    flat = read_flat(path)
    found = abstract(flat)
    formulation = formulate(flat, found)
    blueprint = draft(formulation)
    assert {one.path for one in blueprint.files} == set(data_files(formulation))
    for one, content in ((one, data_files(formulation)[one.path]) for one in blueprint.files):
        assert one.path in text(blueprint)
        assert list(one.columns) == content.splitlines()[0].split(",")
        assert one.description


@pytest.mark.parametrize("seed", range(8))
def test_random_models_are_said_the_same_each_time(tmp_path: Path, seed: int) -> None:
    first = drafted(tmp_path, structured(seed), "toy.mps")
    again = drafted(tmp_path, structured(seed), "toy.mps")
    assert text(first) == text(again) and first.faults() == []


def test_json_comes_back(tmp_path: Path) -> None:
    found = drafted(tmp_path)
    assert Blueprint.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_offsets_and_windows_are_words(tmp_path: Path) -> None:
    rows = "".join(
        f" w_{t}: {' + '.join(f'x_{s}' for s in range(t, t + 4))} <= 2\n"
        f" far_{t}: x_{t} + x_{t + 5} <= 1\n"
        for t in range(1, 9)
    )
    names = " ".join(f"x_{t}" for t in range(1, 14))
    model = (
        f"Maximize\n obj: {names.replace(' ', ' + ')}\nSubject To\n{rows}Binary\n {names}\nEnd\n"
    )
    found = drafted(tmp_path, model)
    assert found.direction == "maximize" and found.objective.startswith("maximize")
    said = {item.name: item.text for item in found.families}
    assert "from" in said["w"] and "up to" in said["w"]
    assert 5 in found.numbers.values() and digits(text(found)) == []


@pytest.mark.parametrize(
    "change, says",
    [
        ({"story": "There are 12 sites."}, "the story has the number 12"),
        ({"objective": " "}, "the objective says nothing"),
        ({"story": "Sites {many}."}, "{many}, which is no parameter"),
        ({"direction": "improve"}, "direction is 'improve'"),
        ({"story": "One line.\nAnother."}, "goes over several lines"),
    ],
)
def test_a_bad_edit_is_named(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    with pytest.raises(DataError, match=re.escape(says)):
        text(dataclasses.replace(drafted(tmp_path), **change))


def test_labels_can_be_changed_but_not_shared(tmp_path: Path) -> None:
    found = drafted(tmp_path)
    renamed = dataclasses.replace(found.families[0], label="each customer is served")
    better = dataclasses.replace(found, families=(renamed, *found.families[1:]))
    assert lines_of(text(better), "each customer is served")
    twice = dataclasses.replace(found.families[1], label=found.families[0].label)
    worse = dataclasses.replace(found, families=(found.families[0], twice, found.families[2]))
    with pytest.raises(DataError, match="used twice"):
        text(worse)


@pytest.mark.parametrize(
    "change, says",
    [
        ({"version": 9}, "no blueprint of version"),
        ({"families": None}, "does not fit"),
        ({"families": [{"name": "x"}]}, "does not fit"),
        ({"families": [{"name": "x", "label": 3, "text": ""}]}, "families.0.label: "),
        ({"story": 3}, "does not fit .story: "),
        ({"numbers": []}, "does not fit .numbers: "),
        ({"application": "x"}, "does not fit"),
    ],
)
def test_damaged_json_is_named(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    value = drafted(tmp_path).to_json() | change
    with pytest.raises(DataError, match=says):
        Blueprint.from_json(value)
    value.pop("files")
    with pytest.raises(DataError):
        Blueprint.from_json(value)


def test_scenarios_have_no_numbers_and_fit_by_name() -> None:
    for one in SCENARIOS:
        assert digits(one.story) == [] and bool(one.story and one.nouns) == (one.name != "plain")
        assert one.nouns.keys() <= {"node", "option", "period", "requirement"}
        assert find_scenario(one.name) is one
    with pytest.raises(UsageError, match="choose one of"):
        find_scenario("moon")


@pytest.mark.parametrize(
    "answer, says",
    [
        ("Sorry.", "no JSON object"),
        ("{", "no JSON object"),
        ('{"story": "short"}', "no text of 20"),
        ('{"story": 3, "nouns": [["day", "days"]]}', "'nouns' gives no pairs by set"),
        (
            '{"story": "A firm plans what goes where.", "nouns": {"I": ["Day 1", "d"]}}',
            '["Day 1", "d"] is no pair',
        ),
        (
            '{"story": "A firm must open at least one site.", "nouns": {"I": ["site", "sites"]}}',
            "the story says 'at least'",
        ),
    ],
)
def test_a_bad_setting_is_refused(tmp_path: Path, answer: str, says: str) -> None:
    def generate(
        prompt: str, *, max_tokens: int = 0, temperature: float = 0.0, seed: int = 0
    ) -> str:
        assert "serve, open, least" in prompt
        return answer

    found = invent(drafted(tmp_path), generate)
    assert found.scenario is None and any(says in reason for reason in found.reasons)


def test_what_is_given_is_told_as_given(tmp_path: Path) -> None:
    model = (
        "Minimize\n obj: x + 2 y_1 + 4 y_2 + 7\nSubject To\n c: x + y_1 >= 9\n e: 0 x <= 4\n"
        "Bounds\n y_1 = 2\n y_2 = 3\nEnd\n"
    )
    found = drafted(tmp_path, model)
    told = {item.name: item.text for item in (*found.groups, *found.families)}
    assert "`y[i]` is fixed: an amount that must equal `lower_y[i]`" in told["y"]
    assert told["e"] == "it holds whatever is decided, as {rhs_e} is at least zero"
    assert found.objective.endswith("plus the constant {offset}")


def test_a_setting_names_roles_and_nothing_else(tmp_path: Path) -> None:
    told = []
    for model in (LOCATION, LOCATION.replace(" = 1", " <= 1").replace("least:", "least: x_1_1 +")):
        flat = flat_of(tmp_path, model)
        told.append(text(draft(formulate(flat, abstract(flat)), "location")))
    assert "the sites," in told[0] and "the customers," in told[0]
    assert "the items," in told[1] and not re.search("the (sites|customers),", told[1])


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("mnl-mps/air05.mps.xz", "options"),
        ("mps/exp-1-500-5-5.mps.gz", "items"),
        ("mps/set1ch.mps.gz", "periods"),
    ],
)
def test_nothing_is_told_that_the_model_does_not_carry(name: str, shown: str) -> None:
    flat = read_flat(Path(os.environ["ORDOJO_DATA"]) / name)
    formulation = formulate(flat, abstract(flat))
    blueprint = draft(formulation)
    assert blueprint.application == ("not determined", "not determined")
    words = {many for one in SCENARIOS for _, many in one.nouns.values()} - {"options"}
    said = text(blueprint)
    assert f"the {shown}," in said and not re.search(rf": the ({'|'.join(words)})\b", said)
    assert text(draft(formulation, "transport")).startswith("A carrier plans its trips")


@pytest.mark.parametrize("name", ["flugpl", "p0201", "comp21-2idx"])
def test_real_models_are_said(name: str) -> None:
    root = os.environ.get("ORDOJO_DATA")
    if not root:
        pytest.skip("ORDOJO_DATA is not set")
    flat = read_flat(Path(root) / "mnl-mps" / f"{name}.mps.xz")
    found = abstract(flat)
    blueprint = draft(formulate(flat, found))
    said = text(blueprint)
    assert len(said) < 12_000 and digits(said) == []
    assert len(blueprint.families) == len(found.families)


PARTLY = """Minimize
 obj: D_a + D_b + Z_a_1 + Z_a_2 + Z_b_1 + Z_b_2
Subject To
 {rows}
Bounds
Binaries
 D_a D_b
End
"""


@pytest.mark.parametrize(("last", "said"), [("2", True), ("1", False)])
def test_no_opening_where_only_a_part_needs_it(tmp_path: Path, last: str, said: bool) -> None:
    """`Z_a_2` without its row is above zero whatever `D_a` is."""
    rows = [f"need_{i}_{t}: Z_{i}_{t} - 9 D_{i} <= 0" for i in "ab" for t in ("1", last)]
    rows += [f"most_{i}: Z_{i}_1 + Z_{i}_2 >= 4" for i in "ab"]
    model = PARTLY.format(rows="\n ".join(dict.fromkeys(rows)))
    assert ("There is no `Z` without its `D`" in drafted(tmp_path, model).story) is said


def test_a_number_and_its_negative_are_not_one(tmp_path: Path) -> None:
    """What is told with "minus" is kept as its size, and its column says so."""
    rows = "\n ".join(f"c{k}: x{k} + y{k} >= -{end}" for k, end in enumerate((3, 8, 4, 11)))
    ends = "\n ".join(f"-{end} <= x{k} <= 1" for k, end in enumerate((5, 2, 9, 6)))
    found = drafted(tmp_path, f"Minimize\n obj: x0\nSubject To\n {rows}\nBounds\n {ends}\nEnd\n")
    told = {item.label: item.text for item in found.parameters}
    assert "the negative of the right-hand side of `c`" in told["rhs_c"]
    assert "the negative of the lower bound of `x`" in told["lower_x"]


def test_data_of_some_terms_are_said_to_be_of_some(tmp_path: Path) -> None:
    """One column serves both terms of `both`, another one of two of `one`."""
    rows = [f"both{k}: {a} x{k} + {a} x{k + 1} <= 10" for k, a in enumerate((3, 8, 4, 11))]
    rows += [f"one{k}: {a} x{k} + x{k + 1} <= 20" for k, a in enumerate((5, 2, 9, 6))]
    model = "\n ".join(rows)
    found = drafted(tmp_path, f"Minimize\n obj: x0\nSubject To\n {model}\nEnd\n")
    told = " ".join(item.text for item in found.parameters)
    assert "of `x` in `both`, in column" in told and "in `one` in some of the terms" in told


def test_what_has_neighbours_stays_in_its_position(tmp_path: Path) -> None:
    """Only some steps have one of three chosen, which says nothing of all of them."""
    rows = [f"step_{t}: X_{t} - X_{t - 1} - Y_{t} <= 0" for t in range(2, 8)]
    rows += [f"one_{t}: Z_{t}_a + Z_{t}_b + Z_{t}_c = 1" for t in range(3, 6)]
    rows += [f"link_{t}: Z_{t}_c - X_{t} <= 0" for t in range(3, 6)]
    model, binary = "\n ".join(rows), " ".join(f"Z_{t}_{z}" for t in range(3, 6) for z in "abc")
    goal = "Minimize\n obj: X_1 + Y_2 + Y_3"
    said = text(drafted(tmp_path, f"{goal}\nSubject To\n {model}\nBinaries\n {binary}\nEnd\n"))
    assert "`T`: the positions, " in said


def test_what_limits_a_sum_ends_its_side(tmp_path: Path) -> None:
    rows = [f"c{k}: {' + '.join(f'x{k}{j}' for j in range(3))} - y{k} >= 0" for k in range(4)]
    rows += [f"d{k}: {' + '.join(f'x{k}{j}' for j in range(2))} + y{k} <= 9" for k in range(4)]
    model = "\n ".join(rows)
    found = drafted(tmp_path, f"Minimize\n obj: y0\nSubject To\n {model}\nEnd\n")
    (said,) = (item.text for item in found.families if item.name == "d")
    assert re.search(r"`y\[\w\]` plus the sum of .* must be", said), said


@pytest.mark.data
def test_an_empty_range_is_told_at_both_ends() -> None:
    (path,) = (Path(os.environ["ORDOJO_DATA"]) / "mps").glob("pp08aCUTS.*")
    flat = read_flat(path)
    told = {item.name: item.text for item in draft(formulate(flat, abstract(flat))).parameters}
    assert "one where there is none" in told["first_c_Y"]
    assert "zero where there is none" in told["last_c_Y"]
