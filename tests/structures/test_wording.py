"""What small models of every day say of themselves, as they read."""

from collections.abc import Iterable
from pathlib import Path

from ordojo.structures import abstract
from ordojo.structures.blueprint import draft, text
from ordojo.structures.formulation import formulate
from tests.structures.test_formulation import same
from tests.structures.toys import flat_of


def told(folder: Path, goal: str, rows: Iterable[str], end: str = "") -> str:
    """The text of a model in the LP format, whose formulation and program make it again."""
    lines = [goal.split()[0], f" obj: {goal.partition(' ')[2]}", "Subject To"]
    flat = flat_of(folder, "\n".join([*lines, *(f" {row}" for row in rows), end, "End", ""]))
    found = formulate(flat, abstract(flat))
    same(flat, folder / "again")
    return text(draft(found))


def added(names: Iterable[str]) -> str:
    return " + ".join(names)


def binary(names: Iterable[str]) -> str:
    return "Binary\n " + " ".join(names)


def test_a_window_that_ends_now_begins_so_many_steps_before(tmp_path: Path) -> None:
    """A unit that was started stays on for its least time."""
    least, times = {"a": 3, "b": 2}, range(1, 6)
    on = {(g, t): f"on[{g},{t}]" for g in least for t in times}
    start = {at: f"start[{at[0]},{at[1]}]" for at in on}
    since = {(g, t): range(max(1, t - least[g] + 1), t + 1) for g, t in on}
    rows = [
        f"up[{g},{t}]: {added(start[g, k] for k in since[g, t])} - {on[g, t]} <= 0" for g, t in on
    ]
    rows += [f"dem[{t}]: {on['a', t]} + {on['b', t]} >= 1" for t in times]
    goal = f"Minimize {added([*on.values(), *(f'3 {one}' for one in start.values())])}"
    said = told(tmp_path, goal, rows, binary([*on.values(), *start.values()]))
    assert "with `t2` from (`t` minus `first_up_start[i]`) up to `t`" in said
    assert "the first `t2` with which `start` meets `up`, in steps before `t`" in said
