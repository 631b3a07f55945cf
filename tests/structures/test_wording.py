"""What small models of every day say of themselves, as they read."""

from collections.abc import Iterable
from pathlib import Path

from ordojo.structures import abstract
from ordojo.structures.blueprint import draft, text
from ordojo.structures.formulation import formulate
from tests.structures.test_blueprint_understood import understood
from tests.structures.test_formulation import same
from tests.structures.toys import flat_of


def told(folder: Path, goal: str, rows: Iterable[str], end: str = "") -> str:
    """The text of a model in the LP format; formulation, program and reader make it again."""
    lines = [goal.split()[0], f" obj: {goal.partition(' ')[2]}", "Subject To"]
    flat = flat_of(folder, "\n".join([*lines, *(f" {row}" for row in rows), end, "End", ""]))
    found = formulate(flat, abstract(flat))
    same(flat, folder / "again")
    understood(flat)
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


def test_the_last_of_a_set_is_called_that(tmp_path: Path) -> None:
    rows = [
        f"bal[{t}]: p[{t}] - s[{t}] {f'+ s[{t - 1}]' if t > 1 else ''} = {3 + t % 3}"
        for t in range(1, 7)
    ]
    goal = f"Minimize {added(f's[{t}] + 2 p[{t}]' for t in range(1, 7))}"
    said = told(tmp_path, goal, [*rows, "end: s[6] >= 4"])
    assert "`end`: `s[{last_T}]` must be at least {rhs_end}." in said


def test_what_always_holds_is_no_condition(tmp_path: Path) -> None:
    """All rows but the last have a next one, which needs no saying."""
    rows = [
        f"order[{t}]: o[{t},1] + o[{t},2] - o[{t + 1},1] - o[{t + 1},2] >= 0" for t in (1, 2, 3)
    ]
    names = [f"o[{t},{s}]" for t in range(1, 5) for s in (1, 2)]
    rows.append(f"tot: {added(f'{1 + k % 2} {name}' for k, name in enumerate(names))} >= 5")
    said = told(tmp_path, f"Minimize {added(names)}", rows, binary(names))
    assert "the sum of `o[t + 1, i]` over all `i` in `I`." in said and "only for" not in said


def test_a_part_of_a_set_is_said_once(tmp_path: Path) -> None:
    names = [f"x[{k}]" for k in range(1, 7)]
    weight = added(f"{3 + k % 4} {name}" for k, name in enumerate(names))
    rows = [f"w: {weight} <= 10", "must: x[1] + x[3] + x[6] >= 1"]
    said = told(tmp_path, f"Maximize {weight}", rows, binary(names))
    assert "at least one of `x[i]` over all `i` in `I1` must be chosen" in said


def test_conditions_of_a_sum_begin_with_with(tmp_path: Path) -> None:
    """Lessons in rooms: none of a teacher's at one time, one a day."""
    rooms, slots = ["Math,A", "Phys,A", "Phys,B", "Hist,A", "Hist,B"], ["Mo1", "Mo2", "Tu1", "Tu2"]
    ada = {"Math", "Phys"}
    x = [(one, t, f"x[{one.replace(',', f',{t},')}]") for one in rooms for t in slots]

    def those(teacher: bool, slot: str) -> str:
        return added(n for one, t, n in x if (one[:4] in ada) is teacher and t == slot)

    rows = [f"teacher[{'Ada' if who else 'Cy'},{t}]: {those(who, t)} <= 1"
            for who in (True, False) for t in slots]  # fmt: skip
    rows += [
        f"daily[{c},{d}]: {added(n for one, t, n in x if one[:4] == c and t[:2] == d)} <= 1"
        for c in ("Math", "Phys", "Hist") for d in ("Mo", "Tu")
    ]  # fmt: skip
    goal = f"Minimize {added(f'{2 + k % 5} {name}' for k, (*_, name) in enumerate(x))}"
    said = told(tmp_path, goal, rows, binary(name for *_, name in x))
    assert "over all `(i, j)` in `IJ` with `l` equal to `l_x[i]` must be chosen" in said
    assert "over all `j` with `(i, j)` in `IJ` and all `k` in `K` with `p` equal to" in said


def test_both_sides_of_a_row_and_one_without_variables_read_as_they_hold(tmp_path: Path) -> None:
    rows = ["rng: -3 <= a[1] - a[3] <= 7", "cap: a[1] + 2 a[2] + a[3] <= 9", "zero: 0 a[1] <= 5"]
    said = told(tmp_path, "Maximize a[1] + 2 a[2] + 3 a[3]", rows)
    assert "must be at most `a[{last_I}]` plus {rhs_rng}, and at least that minus {range_" in said
    assert "`zero`: it holds whatever is decided, as {rhs_zero} is at least zero." in said


def test_an_objective_of_one_variable_of_many_is_that_variable(tmp_path: Path) -> None:
    arcs = ((1, 2), (2, 3), (1, 3), (3, 4), (4, 5), (2, 5))
    rows = [f"arc[{i},{j}]: pi[{j}] - pi[{i}] <= {i + j}" for i, j in arcs]
    said = told(tmp_path, "Maximize pi[5]", [*rows, "src: pi[1] = 0"])
    assert "- maximize `pi[{last_I}]`." in said
    names = [f"y[{k}]" for k in range(1, 5)]
    rows = [f"c: {added(names)} >= 2"]
    said = told(tmp_path, "Minimize 3 y[2]", rows, binary(names))
    assert "- minimize {cost_y} times `y[{element}]`." in said


def test_what_a_row_asks_for_is_not_called_a_bound(tmp_path: Path) -> None:
    """A demand that is also the most of one cut."""
    most = {1: 3, 2: 5, 3: 2, 4: 4}
    cut = {(j, k): f"cut[{j},{k}]" for j in most for k in (1, 2, 3)}
    rows = [f"demand[{j}]: {added(cut[j, k] for k in (1, 2, 3))} >= {most[j]}" for j in most]
    ends = [f" {name} <= {most[j]}" for (j, _), name in cut.items()]
    end = "\n".join(["Bounds", *ends, "General", " " + " ".join(cut.values())])
    said = told(tmp_path, f"Minimize {added(cut.values())}", rows, end)
    assert "must be at least `rhs_demand[i]`" in said and "at most `upper_cut[i]`" in said


def test_what_pyomo_writes_before_rows_is_no_part_of_their_names(tmp_path: Path) -> None:
    people, tasks = ("Ann", "Ben", "Cid"), {"t1": 5, "t2": 7}
    rows = [f"c_l_need({t})_: {added(f'x({p}_{t})' for p in people)} >= 2" for t in tasks]
    rows += [
        f"c_u_hours({p})_: {added(f'{h} x({p}_{t})' for t, h in tasks.items())} <= 9"
        for p in people
    ]
    names = [f"x({p}_{t})" for p in people for t in tasks]
    said = told(tmp_path, f"Minimize {added(names)}", rows, binary(names))
    assert "- `need`: for each" in said and "- `hours`: for each" in said
    both = [row.replace("c_u_hours", "c_u_need") for row in rows]
    said = told(tmp_path, f"Minimize {added(names)}", both, binary(names))
    assert "- `c_l_need`: for each" in said and "- `c_u_need`: for each" in said


def test_no_set_has_to_be_called_otherwise_than_its_letter(tmp_path: Path) -> None:
    """A group that is called Y leaves its elements another letter."""
    rows = [f"ASG{i:02}: {added(f'X{i:02}{j:02}' for j in (1, 2, 3))} = 1" for i in range(1, 6)]
    x = [f"X{i:02}{j:02}" for i in range(1, 6) for j in (1, 2, 3)]
    rows += [f"LNK{one[1:]}: {one} - Y{one[3:]} <= 0" for one in x]
    goal = f"Minimize {added(f'{2 + k * k % 7} {one}' for k, one in enumerate(x))}"
    said = told(tmp_path, goal, rows, binary([*x, "Y01", "Y02", "Y03"]))
    assert "`x[i, j]` must be at most `Y[j]`" in said and "_2" not in said
