"""Sets are called what their rows show, and nothing more."""

from pathlib import Path

import pytest

from ordojo.structures.blueprint import Blueprint
from tests.structures.test_blueprint import LOCATION, drafted


def stocks(periods: int, products: tuple[str, ...]) -> str:
    """Stock balances; a chain for each product, the last stock of each left out."""
    rows, last = [], periods * len(products)
    for product in range(len(products)):
        for period in range(1, periods + 1):
            t = product * periods + period
            before = f"s_{t - 1} + " if period > 1 else ""
            after = f" - s_{t}" if period < periods else ""
            rows.append(f" keep_{t}: {before}x_{t}{after} = {10 + t}")
    cost = " + ".join(f"{3 + t} x_{t}" for t in range(1, last + 1))
    return "\n".join(["Minimize", f" obj: {cost}", "Subject To", *rows, "End", ""])


def flows(nodes: str = "12345") -> str:
    """What comes to a node goes on from it, but for what it needs."""
    arcs = [(a, b) for a in nodes for b in nodes if a != b]
    rows = [
        " bal_{n}: {into} - {out} = {need}".format(
            n=node,
            into=" + ".join(f"f_{a}_{b}" for a, b in arcs if b == node),
            out=" - ".join(f"f_{a}_{b}" for a, b in arcs if a == node),
            need=(-10, 1, 2, 3, 4)[nodes.index(node)],
        )
        for node in nodes
    ]
    cost = " + ".join(f"{3 + k} f_{a}_{b}" for k, (a, b) in enumerate(arcs))
    return "\n".join(["Minimize", f" obj: {cost}", "Subject To", *rows, "End", ""])


def steps() -> str:
    """One of two options at each of five steps, which lasts for two of them."""
    one = [f" one_{t}: x_{t}_1 + x_{t}_2 = 1" for t in range(1, 6)]
    last = [f" last_{t}_{a}: x_{t}_{a} - x_{t + 1}_{a} <= 0" for t in range(1, 5) for a in (1, 2)]
    names = [f"x_{t}_{a}" for t in range(1, 6) for a in (1, 2)]
    cost = " + ".join(f"{3 + k} {name}" for k, name in enumerate(names))
    rows = [*one, *last, "Binary", " " + " ".join(names)]
    return "\n".join(["Minimize", f" obj: {cost}", "Subject To", *rows, "End", ""])


def answered() -> str:
    """Six things, of which all but the first have one of three options chosen."""
    rows, things = [], range(2, 7)
    names = [f"z_{i}_{j}" for i in things for j in (1, 2, 3)]
    for i in things:
        rows.append(f" one_{i}: z_{i}_1 + z_{i}_2 + z_{i}_3 = 1")
        rows.append(f" as_{i}: x_{i} - z_{i}_1 = 0")
    rows += [f" of_{i}: x_{i} + 2 y_{i} >= {i}" for i in (1, *things)]
    cost = " + ".join(f"{3 + i} x_{i} + {2 + i} y_{i}" for i in (1, *things))
    rows += ["Binary", " " + " ".join([*names, *(f"x_{i}" for i in (1, *things))])]
    return "\n".join(["Minimize", f" obj: {cost}", "Subject To", *rows, "End", ""])


def nouns(found: Blueprint) -> set[str]:
    sets = [item.text for item in found.sets if not item.text.startswith("the combinations")]
    return {words.split()[1].rstrip(",") for words in sets}


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (LOCATION, {"requirements", "options"}),
        (stocks(6, ("a",)), {"periods"}),
        (stocks(4, ("a", "b", "c")), {"positions"}),
        (flows(), {"nodes"}),
        (steps(), {"positions", "options"}),
        (answered(), {"items", "options"}),
    ],
    ids=[
        "options",
        "a stock",
        "three stocks in one index",
        "a network",
        "steps that are chosen for",
        "a part that is chosen for",
    ],
)
def test_a_set_is_called_what_its_rows_show(tmp_path: Path, model: str, expected: set[str]) -> None:
    assert nouns(drafted(tmp_path, model)) == expected


def test_a_set_in_two_roles_has_none(tmp_path: Path) -> None:
    rows = [f" to_{k}: " + " + ".join(f"x_{k}_{j}" for j in range(3)) + " = 1" for k in range(3)]
    rows += [f" of_{j}: " + " + ".join(f"x_{k}_{j}" for k in range(3)) + " = 1" for j in range(3)]
    names = " ".join(f"x_{k}_{j}" for k in range(3) for j in range(3))
    cost = " + ".join(f"{2 + 3 * k + j} x_{k}_{j}" for k in range(3) for j in range(3))
    lines = ["Minimize", f" obj: {cost}", "Subject To", *rows, "Binary", f" {names}", "End", ""]
    assert nouns(drafted(tmp_path, "\n".join(lines))) == {"items"}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (stocks(6, ("a",)), "`s` is carried between one period and the next (`keep`)."),
        (flows(), "`f` is a flow from node to node (`bal`)."),
        (LOCATION, "There is no `x` without its `y` (`open`)."),
        (
            "Minimize\n obj: z\nSubject To\n m_1: 3 x_1 + 4 x_2 - z <= 0\n"
            " m_2: 5 x_1 + 2 x_2 - z <= 0\n c: x_1 + x_2 >= 6\nEnd\n",
            "`z` stands for the greatest of several values (`m`).",
        ),
        (
            "Minimize\n obj: 2 u_1 + 2 u_2 + 3 o_1 + 3 o_2\nSubject To\n"
            " t_1: 3 x_1 + 4 x_2 + u_1 - o_1 = 9\n t_2: 5 x_1 + 2 x_2 + u_2 - o_2 = 8\nEnd\n",
            "are by how much a target is missed, one way and the other (`t`).",
        ),
    ],
    ids=["a stock", "a flow", "an opening", "a maximum", "a miss"],
)
def test_the_background_is_what_the_rows_prove(tmp_path: Path, model: str, said: str) -> None:
    assert said in drafted(tmp_path, model).story


def test_what_changes_a_level_is_no_miss(tmp_path: Path) -> None:
    """Who is hired and who is laid off: the workforce is carried on, and no target."""
    rows = [
        f" bal_{t}: w_{t} {f'- w_{t - 1}' if t > 1 else ''} - h_{t} + f_{t} = {5 if t == 1 else 0}"
        for t in range(1, 5)
    ]
    rows += [f" need_{t}: w_{t} >= {4 + 3 * (t % 3)}" for t in range(1, 5)]
    cost = " + ".join(f"40 w_{t} + 9 h_{t} + 8 f_{t}" for t in range(1, 5))
    lines = ["Minimize", f" obj: {cost}", "Subject To", *rows, "End", ""]
    story = drafted(tmp_path, "\n".join(lines)).story
    assert "`w` is carried between" in story and "missed" not in story


def test_who_serves_and_has_to_be_given_something_is_no_requirement(tmp_path: Path) -> None:
    """Two workers for each task, and at least one task for each worker."""
    people, tasks = "abc", "uv"
    x = {(i, j): f"x_{i}_{j}" for i in people for j in tasks}
    rows = [f" need_{j}: {' + '.join(x[i, j] for i in people)} >= 2" for j in tasks]
    rows += [f" few_{i}: {' + '.join(x[i, j] for j in tasks)} >= 1" for i in people]
    cost = " + ".join(f"{3 + k} {name}" for k, name in enumerate(x.values()))
    lines = ["Minimize", f" obj: {cost}", "Subject To", *rows]
    lines += ["Binary", " " + " ".join(x.values()), "End", ""]
    assert nouns(drafted(tmp_path, "\n".join(lines))) == {"items"}


def test_a_choice_among_some_makes_no_options_of_all(tmp_path: Path) -> None:
    names = [f"x_{k}" for k in range(1, 7)]
    weight = " + ".join(f"{3 + k % 4} {name}" for k, name in enumerate(names))
    lines = ["Maximize", f" obj: {weight}", "Subject To", f" w: {weight} <= 10"]
    lines += [" must: x_1 + x_3 + x_6 >= 1", "Binary", " " + " ".join(names), "End", ""]
    assert nouns(drafted(tmp_path, "\n".join(lines))) == {"items"}


def test_an_opening_is_not_told_of_what_may_be_negative(tmp_path: Path) -> None:
    model = LOCATION.replace("17 x_1_1", "- 17 x_1_1")
    assert "There is no `x`" not in drafted(tmp_path, model).story
