"""A free retelling is accepted by proof or by check, and a spoiled one refused for its reason."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.cli.structure import retell
from ordojo.core.errors import OrdojoError
from ordojo.evaluation import generation
from ordojo.formulation.build import build
from ordojo.problems.registry import get_template
from ordojo.structures import abstract, flat_model, read_flat
from ordojo.structures.artifact import read_artifact
from ordojo.structures.blueprint import Facts, draft, export, facts, missing, text
from ordojo.structures.blueprint.claims import claims, numbers
from ordojo.structures.blueprint.retell import Thing
from ordojo.structures.formulation import formulate
from tests.structures import retellings
from tests.structures.paraphrases import HELD, TUNED
from tests.structures.test_blueprint import LOCATION
from tests.structures.toys import LOTS, flat_of, structured


def facts_of(folder: Path, model: str) -> tuple[Facts, str]:
    path = folder / ("toy.lp" if model.startswith("Min") else "toy.mps")
    path.write_text(model)
    flat = read_flat(path)
    found = abstract(flat)
    formulation = formulate(flat, found)
    drafted = draft(formulation, "cutting" if model is LOCATION else None)
    return facts(formulation, drafted), text(drafted)


def right(held: dict[str, tuple[str, ...]]) -> tuple[int, int]:
    """How many paraphrases claim what they mean and nothing else, of how many."""
    found = [
        {claim.kind for claim in claims(said)} == {kind}
        for kind, sentences in held.items()
        for said in sentences
    ]
    return sum(found), len(found)


def test_paraphrases_are_understood() -> None:
    assert right(TUNED) == (75, 75)
    assert right(HELD) == (73, 75)


def wanted_of(name: str) -> Facts:
    """What a text of a public model, or of one of the library, has to say."""
    if name in ("stein27", "gap4_2"):
        (path,) = Path(os.environ["ORDOJO_DATA"], "mps").glob(f"{name}.*")
        flat = read_flat(path)
    else:
        template = get_template(name)
        tables = template.tables(template.settings("small"), 0, 0)
        flat = flat_model(build(template.spec, tables, name).model)
    found = abstract(flat)
    formulation = formulate(flat, found)
    return facts(formulation, draft(formulation))


RETELLINGS = retellings.TUNED | retellings.HELD
PUBLIC = ("stein27", "gap4_2")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.data] * (name in PUBLIC)) for name in RETELLINGS],
)
def test_ordinary_words_pass_and_one_wrong_fact_does_not(name: str) -> None:
    wanted, (right, wrong) = wanted_of(name), RETELLINGS[name]
    assert [missing(wanted, told) for told in right] == [[]] * 5
    for one in wrong:
        reasons = missing(wanted, one.text(right))
        assert any(one.names in why for why in reasons), (one, reasons)


@pytest.mark.parametrize(
    ("said", "numbers_said"),
    [
        ("twenty-seven", [27]),
        ("two hundred and ten", [210]),
        ("three thousand five hundred", [3500]),
        ("at least a dozen", [12]),
        ("two dozen", [24]),
        ("half a dozen", [6]),
        ("between zero and one", [0, 1]),
        ("one or two", [1, 2]),
        ("9,100 and {cap}", [9100, "cap"]),
    ],
)
def test_numbers_in_words(said: str, numbers_said: list[float | str]) -> None:
    assert numbers(said) == numbers_said


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("The shares of a machine sum to no more than 1.", ["<="]),
        ("What lies in a box may not add up to more than 9.", ["<="]),
        ("An amount, not negative and no greater than 4.", ["nonnegative", "<="]),
        ("No oven bakes more than two kinds.", ["<="]),
        ("It need not be a whole number.", ["soft", "integer"]),
        ("The sum over all `i` up to {bound} must be at most {rhs}.", ["<=", "<="]),
        ("The sum over all `i` up to {bound} may not exceed `cap[j]`.", ["<=", "<="]),
        ("Only 42 can come at most.", ["<="]),
    ],
)
def test_a_direction_is_the_one_that_is_meant(said: str, kinds: list[str]) -> None:
    assert [claim.kind for claim in claims(said)] == kinds


BUSES = """How many night buses should set out in each of {last_T} hours? For hour t that is an
integer between 0 and upper_start (data/T.csv), and every bus costs cost_start (data/T.csv). A bus
runs in the hour in which it sets out and in the hour after it; hour 1 comes after hour {element}.
Hour t needs rhs_cover (data/T.csv) running buses or more. There are only {rhs_crew_size} buses to
set out, and the contract asks for {rhs_agreed_jobs} or more. A bus that sets out in hour t uses
coef_paid_hours_start litres (data/T.csv), and no more than {rhs_paid_hours} litres may be used in
all. At least {rhs_first_aid} buses set out in hour {element_2}. Keep the total cost as low as
possible.
"""


def test_a_number_of_two_names_is_said_once() -> None:
    wanted = wanted_of("shift_staffing")
    named = replace(wanted, values=wanted.values | {"crew": wanted.values["rhs_crew_size"]})
    named = replace(named, things=(*wanted.things, Thing("the number {crew}", "", ("{crew}",))))
    assert missing(named, BUSES) == []
    assert missing(named, BUSES.replace("{rhs_crew_size}", "many"))


LAMPS = """Minimize
 all: x_0 + x_1 + x_2 + x_3
Subject To
 lit: x_0 + x_1 + x_2 + x_3 >= 2
Binary
 x_0 x_1 x_2 x_3
End
"""


def test_a_set_from_zero_may_be_counted(tmp_path: Path) -> None:
    wanted, _ = facts_of(tmp_path, LAMPS)
    told = "Each of 4 lamps, 0 to 3, is on or off. Light as few as possible, at least 2."
    assert missing(wanted, told) == []
    assert missing(wanted, told.replace("4", "5")) == ["the number 5 is new"]


RETOLD = """A maker of planters runs a workshop from which orders are cut out of stock bars.

Three files come with this problem. There are {last_I} bars and {last_J} containers ordered. Opening
a bar has a price (column cost_y of data/I.csv), and cutting a container from a bar has another
(column cost_x of data/JI.csv); how long a container is stands in column coef_open_x of data/J.csv.

For every bar it has to be settled whether it is opened, and for every container and bar, whether
that container is cut from it. Whatever is chosen, the total price should be as low as possible.

Each container comes from one and only one bar. The lengths cut from an opened bar must not
exceed 41, and from a bar that stays closed nothing is cut. A minimum of one bar has to be opened.
"""
SPOILED = {
    "a direction turned": (
        ("must not\nexceed 41", "must not\nfall below 41"),
        "the rule `open` (at most) is missing",
    ),
    "a number changed": (("exceed 41", "exceed 40"), "the number 40 is new"),
    "integrality lost": (
        ("settled whether it is opened", "settled how wide it is opened"),
        "is yes or no is missing",
    ),
    "a rule left out": (
        ("Each container comes from one and only one bar. ", ""),
        "the rule `serve` (equal) is missing",
    ),
    "a rule added": (
        ("has to be opened.", "has to be opened. Not more than one may be wasted."),
        "the model says nothing like",
    ),
    "the objective turned": (
        ("as low as possible", "as high as possible"),
        "that the objective is to minimize is missing",
    ),
    "data left out": (
        ("stands in column coef_open_x of data/J.csv", "is known"),
        "the table column `coef_open_x` of data/J.csv is missing",
    ),
}


def test_a_free_retelling_passes_the_check(tmp_path: Path) -> None:
    assert missing(facts_of(tmp_path, LOCATION)[0], RETOLD) == []


@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_retelling_is_refused(tmp_path: Path, what: str) -> None:
    (old, new), why = SPOILED[what]
    assert old in RETOLD
    wrong = missing(facts_of(tmp_path, LOCATION)[0], RETOLD.replace(old, new))
    assert any(why in one for one in wrong), wrong


LOTS_RETOLD = """A plant plans {last_T} periods, `T`, ahead. Per period, data/T.csv gives the cost
of a piece in column cost_x and the demand in column rhs_bal.

How much is made in a period is never negative and goes up to {upper_x}. Stock is carried over, in
amounts of zero or more. Whether the line is set up in a period is to be decided as well; each
set-up costs {cost_y}, and a fee of {offset} is due anyway. The plant wants to spend as little as
possible.

What is made plus the stock from the period before equals the demand plus the new stock. Without a
set-up nothing is made, and with one production cannot be above {coef_cap_y}.
"""


def test_amounts_with_bounds_pass_and_a_lost_bound_does_not(tmp_path: Path) -> None:
    wanted, _ = facts_of(tmp_path, LOTS)
    assert missing(wanted, LOTS_RETOLD) == []
    for old, new, why in (
        (" and goes up to {upper_x}", "", "the upper bound of `x` is missing"),
        ("is never negative and", "is decided and", "is at least zero is missing"),
        ("{upper_x}", "{coef_cap_y}", "the upper bound of `x` is missing"),
        ("a fee of {offset}", "a fee of {fee}", "{fee} is new"),
    ):
        assert old in LOTS_RETOLD
        wrong = missing(wanted, LOTS_RETOLD.replace(old, new))
        assert any(why in one for one in wrong), wrong


def test_a_rule_against_zero_and_a_bound_that_is_none(tmp_path: Path) -> None:
    model = (
        "Minimize\n obj: a + 2 b\nSubject To\n net: 3 a + 2 b >= 0\n more: a + b >= 7\n"
        "Bounds\n b >= 4\nEnd\n"
    )
    wanted, said = facts_of(tmp_path, model)
    kinds = {fact.what for fact in wanted.facts if fact.needed}
    assert {"the rule `net` (at least)", "the lower bound of `b`"} <= kinds
    # Said again in other words: the draft's own claims are found, line by line.
    assert missing(wanted, said.replace("decide", "let us decide")) == []
    worse = re.sub(r"at least {lower\w*}", "at least zero", said)
    assert worse != said and missing(wanted, worse)


@pytest.mark.parametrize("seed", range(4))
def test_every_draft_passes(tmp_path: Path, seed: int) -> None:
    wanted, said = facts_of(tmp_path, structured(seed))
    assert missing(wanted, said) == []


REBUILT = """import csv
import gurobipy as gp
from gurobipy import GRB

def column(path, name):
    with open(path) as file:
        return [row[name] for row in csv.DictReader(file)]

price = [float(v) for v in column("data/I.csv", "cost_y")]
size = [float(v) for v in column("data/J.csv", "coef_open_x")]
cut = {}
for j, i, v in zip(*(column("data/JI.csv", name) for name in ("j", "i", "cost_x"))):
    cut[int(j) - 1, int(i) - 1] = float(v)
bars, orders = range(len(price)), range(len(size))
m = gp.Model()
taken = m.addVars(orders, bars, vtype=GRB.BINARY)
opened = m.addVars(bars, vtype=GRB.BINARY)
m.setObjective(
    gp.quicksum(price[i] * opened[i] for i in bars)
    + gp.quicksum(cut[j, i] * taken[j, i] for j in orders for i in bars), GRB.MINIMIZE)
for j in orders:
    m.addConstr(gp.quicksum(taken[j, i] for i in bars) == 1)
for i in bars:
    m.addConstr(gp.quicksum(size[j] * taken[j, i] for j in orders) <= 41 * opened[i])
m.addConstr(gp.quicksum(opened[i] for i in bars) >= 1)
m.optimize()
"""
DIFFERENT = {
    "a direction turned": (("<= 41 *", ">= 41 *"), "'open_*' has another direction"),
    "a number changed": (("<= 41 *", "<= 40 *"), "40"),
    "integrality lost": (
        ("opened = m.addVars(bars, vtype=GRB.BINARY)", "opened = m.addVars(bars, ub=1)"),
        "'y_*'",
    ),
    "a rule left out": (
        ("    m.addConstr(gp.quicksum(taken[j, i] for i in bars) == 1)", "    pass"),
        "'serve_*' is missing",
    ),
    "the objective turned": (
        ("GRB.MINIMIZE", "GRB.MAXIMIZE"),
        "one model minimizes and the other maximizes",
    ),
}


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("instance")
    flat = flat_of(folder, LOCATION)
    found = abstract(flat)
    setting = draft(formulate(flat, found), "cutting")
    made = export(flat, found, folder / "out", name="workshop", blueprint=setting)
    return made.folder


def asked(instance: Path, told: str, rebuilt: str | None = None) -> tuple[int, str]:
    """What `ordojo retell` says of a text, with the exit code."""
    (instance / "told.txt").write_text(told)
    words = [str(instance), str(instance / "told.txt")]
    if rebuilt is not None:
        (instance / "rebuilt.py").write_text(rebuilt)
        words += ["--rebuilt", str(instance / "rebuilt.py"), "--isolation", "unsafe"]
    done = CliRunner().invoke(retell, words)
    return done.exit_code, done.output


def test_a_free_retelling_is_accepted_by_proof_and_kept(instance: Path) -> None:
    code, said = asked(instance, RETOLD, REBUILT)
    assert (code, "accepted: proved" in said) == (0, True), said
    record = read_artifact(instance).record
    assert record.abstract_problem == RETOLD and record.metadata["retelling"] == "proved"
    assert record.concrete_problem and "data/J.csv:\n" in record.concrete_problem


@pytest.mark.parametrize("what", DIFFERENT)
def test_a_reconstruction_that_differs_is_refused(instance: Path, what: str) -> None:
    (old, new), why = DIFFERENT[what]
    assert old in REBUILT
    before = (instance / "instance.json").read_bytes()
    code, said = asked(instance, RETOLD, REBUILT.replace(old, new))
    assert code == 1 and why in said, said
    assert (instance / "instance.json").read_bytes() == before


def test_without_a_reconstruction_the_check_decides(instance: Path) -> None:
    assert asked(instance, RETOLD)[0] == 0
    assert read_artifact(instance).record.metadata["retelling"] == "checked"
    code, said = asked(instance, RETOLD.replace("exceed 41", "exceed 40"))
    assert code == 1 and "the number 40 is new" in said
    code, said = asked(instance, RETOLD.replace("{last_I}", "{many}"))
    assert code == 1 and "{many} of abstract_problem is in no parameter" in said


def test_a_language_model_may_reconstruct(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts = []

    def answer(prompt: str, **_: object) -> str:
        prompts.append(prompt)
        return f"Here it is:\n```python\n{REBUILT}```\n"

    monkeypatch.setattr(generation, "generator", lambda name: answer)
    (instance / "told.txt").write_text(RETOLD)
    words = [str(instance), str(instance / "told.txt"), "--model", "a/model", "--json"]
    done = CliRunner().invoke(retell, [*words, "--isolation", "unsafe"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"accepted": True, "how": "proved", "reasons": []}
    # It saw text and data, and not the rows: the names of the families are in neither.
    assert "data/JI.csv" in prompts[0] and "serve" not in prompts[0]


@pytest.mark.parametrize(
    "words, says",
    [
        (["none", "told.txt"], "cannot read"),
        (["out", "none.txt"], "cannot be read"),
        (["out", "told.txt", "--rebuilt", "a.py", "--model", "b"], "not both"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, words: list[str], says: str) -> None:
    (tmp_path / "told.txt").write_text(RETOLD)
    given = [
        str(tmp_path / word) if "." in word or word in ("none", "out") else word for word in words
    ]
    done = CliRunner().invoke(retell, given)
    assert isinstance(done.exception, OrdojoError) and says in str(done.exception)


FLOORS = "Minimize\n obj: 3 x_1 + 4 x_2 + 5 x_3 + 7 x_4\nSubject To\n" + "".join(
    f" floor_{k}: x_{k} + y_{k} >= {need}\n" for k, need in enumerate((10, 25, 15, 35), 1)
)
FLOORS += "Bounds\n" + "".join(
    f" {low} <= x_{k} <= {high}\n y_{k} <= 50\n"
    for k, (low, high) in enumerate(((5, 19), (3, 30), (9, 22), (2, 41)), 1)
)
FLOORS += "End\n"
BOUGHT = """\
There are several items, listed in data/I.csv, numbered from one to {last_I}.
For each you know the cost `cost_x`, the least amount `lower_x`, the largest amount `upper_x`
and the need `rhs_floor`.
Decide for each item an amount bought, at least `lower_x` and at most `upper_x`,
and an amount made, not negative and at most 50.
Bought and made together are at least `rhs_floor`.
Minimize the cost, the sum of `cost_x` times what is bought.
"""


def test_a_limit_is_the_column_that_the_model_has_there(tmp_path: Path) -> None:
    wanted, _ = facts_of(tmp_path, FLOORS)
    assert missing(wanted, BOUGHT) == []
    for right, wrong, lost in (
        (
            "at least `lower_x` and at most `upper_x`",
            "at least `upper_x` and at most `lower_x`",
            "x",
        ),
        ("together are at least `rhs_floor`", "together are at least `lower_x`", "floor"),
    ):
        found = missing(wanted, BOUGHT.replace(right, wrong))
        assert found and f"`{lost}`" in found[0], found
