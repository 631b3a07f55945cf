"""What is quoted of a description to a small model: what the conflict is about, and little else."""

import re

from ordojo.benchmarks.or_debug.injection.generate import produce
from ordojo.benchmarks.or_debug.renderings import NUMBER, ROW, focus, plain
from ordojo.benchmarks.or_debug.schema import TYPES, make_instance
from ordojo.benchmarks.or_debug.teaching import Brief
from ordojo.core.options import parse_options
from ordojo.core.registry import get_benchmark
from ordojo.evaluation.compact import rendering

STATE = """\
Problem: A dairy sends milk. The dairies are Oulu and Kiel. The shops are Riga, Ulm and Jena. \
Milk at hand, in litres: 70 for Oulu and 90 for Kiel. Given: milk wanted, in litres: 40 for Riga, \
55 for Ulm and 35 for Jena. What a van carries, in litres: for Oulu, 25 with Riga and 60 with Ulm; \
for Kiel, 20 with Riga and 15 with Jena. The pay of a driver, in dollars: 12 for Oulu and 14 for \
Kiel. For each shop, at least the milk wanted arrives. `send_oulu_ulm` may not exceed 50.
Code:
send_oulu_riga = m.addVar(lb=0, ub=25, vtype=GRB.CONTINUOUS, name="send_oulu_riga")
send_kiel_riga = m.addVar(lb=0, ub=20, vtype=GRB.CONTINUOUS, name="send_kiel_riga")
send_oulu_ulm = m.addVar(lb=0, ub=60, vtype=GRB.CONTINUOUS, name="send_oulu_ulm")
m.addConstr(send_oulu_riga + send_kiel_riga >= 52, name="wanted_riga")
m.addConstr(send_oulu_ulm <= 50, name="agreed")
Status: INFEASIBLE
IIS: ['wanted_riga']
Step: 0 of 5"""


def test_a_list_is_cut_down_to_what_the_conflict_names_and_does_not_show() -> None:
    shown = focus(STATE)
    assert shown is not None
    status, row, *bounds, quoted = shown.splitlines()
    assert (status, row) == (
        "INFEASIBLE",
        "wanted_riga: send_oulu_riga + send_kiel_riga >= 52 unsaid",
    )
    assert sorted(bounds) == [
        "send_kiel_riga >= 0, <= 20, continuous",
        "send_oulu_riga >= 0, <= 25, continuous",
    ]
    assert "milk wanted, in litres: 40 for Riga." in quoted
    assert "For each shop, at least the milk wanted arrives." in quoted
    for other in ("The shops are", "The dairies are", "Ulm", "Jena", "What a van carries"):
        assert other not in quoted
    assert focus("Which letter?") is None


def test_what_the_description_contradicts_is_shown_whole_and_whole_numbers_are_not_listed() -> None:
    names = [
        f"send_{a}_{b}" for a in ("oulu", "kiel") for b in ("riga", "ulm", "jena", "bern", "erfurt")
    ]
    code = [f'{n} = m.addVar(vtype=GRB.INTEGER, name="{n}")' for n in names]
    rows = {
        "long": (" + ".join(f"{k + 2}*{n}" for k, n in enumerate(names)), 40),
        "short": (names[0], 55),
        "wrong": (" + ".join(reversed(names)), 52),
    }
    code += [f'm.addConstr({terms} >= {side}, name="{n}")' for n, (terms, side) in rows.items()]
    head, _, tail = STATE.partition("Code:\n")
    ending = tail[tail.index("Status") :].replace("'wanted_riga'", ", ".join(map(repr, rows)))
    shown = focus("\n".join([f"{head}Code:", *code, ending]))
    assert shown is not None
    _, *lines, _ = shown.splitlines()
    told = [f"{name}: {terms} >= {side}" for name, (terms, side) in rows.items()]
    assert lines[:3] == ["long: ... >= 40", told[1], f"{told[2]} unsaid"]
    assert len(lines[3:]) == 2 and all(line.endswith(" integer") for line in lines[3:])


def test_the_figure_that_a_repair_writes_is_quoted() -> None:
    benchmark = get_benchmark("or-debug")
    options = parse_options(benchmark.options, {"history": "state"}, "test")
    kinds, there = "".join(TYPES), []
    for place in range(45):
        kind = kinds[place % len(kinds)]
        instance = make_instance(produce("train", 77, place, kind, robust=False).problem, {})
        asked = benchmark.environment(options, 0).reset(instance, 0)
        wanted = re.search(
            r"REWRITE\((\S+), (.*)\)", Brief(name="restated").begin(instance, 0, 1)(asked)
        )
        if not wanted:
            continue
        rows = {name: terms for terms, _, _, name in ROW.findall(asked.messages[-1].content)}
        known = [*NUMBER.findall(rows.get(wanted[1], "")), "0", "1"]
        figures = {plain(n) for n in NUMBER.findall(wanted[2])} - {plain(n) for n in known}
        shown = {plain(n) for n in NUMBER.findall(rendering("focused")(asked.messages)[0].content)}
        there.append(figures <= shown)
    assert len(there) > 20
    assert sum(there) / len(there) > 0.85
