import json
from pathlib import Path
from typing import Any

import pytest
from nl2opt_toys import INSTANCE, LP, instance, packed, write

from ordojo.core.errors import DataError
from ordojo.datasets.nl2opt import ProblemItem
from ordojo.datasets.nl2opt.formats import is_quadratic
from ordojo.datasets.nl2opt.load import READERS, read_instances, sizes


def read(reader: str, path: Path, dataset: str = "toy@1") -> dict[str, ProblemItem]:
    return {item.id: item for item in READERS[reader](dataset, path)}


def test_questions_in_all_their_spellings(home: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"en_question": "How much?", "en_answer": "5.0", "difficulty": "Hard"},
        {"Question": "And this?", "Answer": "7", "Type": "easy_lp", "id": 12},
        {"en_question": "Again?", "en_answer": 8.5, "orginal_answer": "9"},
        {"en_question": "At all?", "en_answer": "No Best Solution"},
        {"en_question": "Ever?", "en_answer": "-99999"},
    ]
    as_list = read("questions", write(home / "list.json", rows))
    lines = "\n".join(json.dumps(row) for row in rows) + "\n\n"
    assert as_list == read("questions", write(home / "lines.json", lines))
    assert list(as_list) == ["1", "12", "3", "4", "5"]
    assert as_list["1"].labels == {"difficulty": "Hard"}
    assert as_list["12"].labels == {"type": "easy_lp"}
    assert as_list["3"].labels == {"corrected": "yes"}
    assert [item.status for item in as_list.values()] == [
        *("ok", "ok", "ok"),
        *("infeasible", "sentinel"),
    ]
    assert [item.scored for item in as_list.values()] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"en_question": "How much?"}', "lines.json:1 has no 'en_answer'"),
        ('{"en_answer": "5"}', "lines.json:1 has no 'Answer'"),
        ('{"Question": 5, "Answer": "5"}', "lines.json:1 has a 'Question' that is not text"),
        ('{"Question": " ", "Answer": "5"}', "'Question' that is not text"),
        ('{"Question": "a", "Answer": "5"}\n{"Quest', "lines.json:2 is not a whole JSON object"),
        ("[1, 2]", "lines.json, item 1 is not a JSON object"),
        ("[" * 100_000, "is not whole JSON"),
        (b"\xff\xfe".decode("latin-1"), "lines.json:1 is not a whole"),
    ],
)
def test_rows_with_missing_fields(home: Path, content: str, says: str) -> None:
    with pytest.raises(DataError) as caught:
        read("questions", write(home / "lines.json", content))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_objective_among_the_results(home: Path) -> None:
    rows = [
        {
            "question": "a",
            "index": 33,
            "type": "linear-table",
            "results": {"x": "1.0", "Profit": "50.0"},
        },
        {"question": "b", "results": {"The minimum number of": "4.0", "Monday": "2.0"}},
        {"question": "c", "results": {"saws": "4.0", "hammers": "2.0"}},
        {"question": "d", "results": {}},
    ]
    items = read("results", write(home / "rows.json", rows))
    golds = [[(g.value, g.note) for g in item.golds] for item in items.values()]
    assert golds == [
        [(50.0, "Profit")],
        [(4.0, "The minimum number of")],
        [(2.0, "hammers")],
        [(None, "")],
    ]
    assert [item.labels["objective"] for item in items.values()] == [
        *("named", "named", "assumed", "assumed")
    ]
    assert items["4"].status == "unknown-gold"
    with pytest.raises(DataError, match="no 'results'"):
        read("results", write(home / "rows.json", [{"question": "a"}]))


def test_summaries_with_sizes_and_samples(home: Path) -> None:
    records = {
        "prob_000": {
            "description": "a",
            "ground_truth": 12,
            "problem_type": "LP",
            "details": {"variables_num": 2, "constraints_num": 3, "nonzeros_num": 5},
            "problem_size": "Toy",
        },
        "prob_001": {"description": "b", "ground_truth": None},
        "prob_002": {
            "description": "c",
            "sample": [{"input": {"d": {"value": [1, 2], "description": "days"}}, "output": [7]}],
        },
    }
    items = read("summary", write(home / "summary.json", records))
    assert items["prob_000"].size == (2, 3)
    assert items["prob_000"].labels == {"type": "LP", "scale": "Toy"}
    assert items["prob_001"].status == "unknown-gold"
    assert items["prob_002"].parameters == {"d": [1, 2]}
    assert items["prob_002"].notes == {"d": "days"}
    assert json.loads(items["prob_002"].documents["data.json"]) == {"d": [1, 2]}
    with pytest.raises(DataError, match="not one JSON object"):
        read("summary", write(home / "summary.json", [1]))


def test_samples_never_give_the_answer_away(home: Path) -> None:
    sample = [{"input": {"doors": 20, "windows": 15}, "output": [5050]}]
    for name in ("prob_2", "prob_10"):
        write(home / "in" / name / "description.txt", "How many doors?\n")
        write(home / "in" / name / "sample.json", sample)
    write(home / "in/prob_11/description.txt", "no sample")
    items = read("samples", home / "in", "nl4opt@toy")
    assert list(items) == ["prob_2", "prob_10", "prob_11"]
    assert (items["prob_2"].documents, items["prob_2"].parameters) == ({}, {})
    assert items["prob_11"].status == "incomplete"
    assert "sample.json of prob_11" in items["prob_11"].reason
    with_data = read("samples", home / "in", "complexor@toy")["prob_2"]
    assert with_data.parameters == {"doors": 20, "windows": 15}
    assert "5050" not in with_data.documents["data.json"]


@pytest.mark.parametrize("output", [[None], [], [1, 2], None, "30000.0"])
def test_samples_without_one_answer(home: Path, output: object) -> None:
    write(home / "in/p/description.txt", "text")
    write(home / "in/p/sample.json", {"input": {}, "output": output})
    assert read("samples", home / "in")["p"].status == "unknown-gold"


def test_structured_folders(home: Path) -> None:
    folder = home / "in/7"
    write(folder / "description.txt", "Make sandwiches.")
    write(folder / "parameters.json", {"Profit": [3, 4]})
    write(folder / "problem_info.json", {"parameters": {"Profit": {"description": "gain"}}})
    write(folder / "solution.json", {"variables": {"x": 1}, "objective": 60.0})
    write(home / "in/8/description.txt", "Nothing else.")
    items = read("structured", home / "in")
    assert items["7"].golds[0].value == 60.0
    assert items["7"].files == {"parameters.json": folder / "parameters.json"}
    assert items["7"].notes == {"Profit": "gain"}
    assert items["8"].status == "incomplete" and "solution.json" in items["8"].reason
    write(folder / "solution.json", {})
    assert read("structured", home / "in")["7"].status == "unknown-gold"


def test_seeds_have_no_gold(home: Path) -> None:
    data = {"set": [{"name": "T", "data": [1, 2]}], "param": [{"name": "d", "data": [5, 6]}]}
    write(home / "seeds_data/lot_data.json", data)
    model = {"description": "Lots.", "category": ["Production", "Lots"]}
    write(home / "seeds_model/lot_parsed.json", model)
    (item,) = read("seeds", home).values()
    assert item.parameters == {"T": [1, 2], "d": [5, 6]}
    assert (item.status, item.labels["domain"]) == ("unknown-gold", "Production, Lots")


def bench(home: Path, lp: str = LP) -> Path:
    root = home / "bench"
    for name in ("Diet Problem_[school lunch]", "Diet Problem_[school lunch]_[var1]"):
        folder = root / "LP/Diet Problem" / name
        write(folder / "wp.txt", "Structured.")
        write(folder / "model.lp", lp)
        write(folder / "data.json", {"costs": [1, 2]})
    write(root / "LP/Diet Problem/Diet Problem_[school lunch]/wp_concise.txt", "Short.")
    (root / "MILP").mkdir(exist_ok=True)
    lists = {"path_list": ["Diet Problem_[school lunch]"], "wl_det_list": [], "sym_decom_list": []}
    lists["wl_det_list"] = lists["path_list"]
    write(root / "valid_problem_list/LP_valid_problem_list.json", [{"Diet Problem": lists}])
    write(root / "valid_problem_list/MILP_valid_problem_list.json", [])
    return root


def test_reference_models(home: Path) -> None:
    items = read("bench4opt", bench(home))
    base, variant = items.values()
    assert base.labels == {
        "type": "LP",
        "class": "Diet Problem",
        "domain": "school lunch",
        "certifiable": "Weisfeiler-Lehman determinable",
    }
    assert variant.labels["variant"] == "var1" and "certifiable" not in variant.labels
    assert base.golds == () and base.status == "ok"
    assert base.reference_model is not None and base.reference_model.name == "model.lp"
    assert list(base.files) == ["data.json"]
    assert [i.question for i in read("bench4opt-concise", home / "bench").values()] == ["Short."]
    assert list(read("bench4opt-valid", home / "bench")) == [base.id]
    (home / "bench/LP/Diet Problem" / variant.id / "model.lp").unlink()
    assert read("bench4opt", home / "bench")[variant.id].status == "incomplete"
    (home / "bench/LP/Diet Problem/odd").mkdir()
    write(home / "bench/LP/Diet Problem/odd/wp.txt", "x")
    with pytest.raises(DataError, match="is not named"):
        read("bench4opt", home / "bench")


def test_quadratic_lp_files_are_told_from_linear_ones(home: Path) -> None:
    assert not is_quadratic(LP)
    quadratic = LP.replace("+ 3 x[1,2]", "+ [ 2 x[0] * x[1,2] ] / 2")
    assert is_quadratic(quadratic)
    item = next(iter(read("bench4opt", bench(home, quadratic)).values()))
    assert item.labels["degree"] == "quadratic"


def test_instances_with_their_tables(home: Path) -> None:
    root = home / "nl"
    instance(root, "plain")
    instance(root, "none", files={}, optimal_value="infeasible")
    instance(root, "no-key")
    record = {key: value for key, value in INSTANCE.items() if key != "files"}
    write(root / "no-key/instance.json", record)
    instance(root, "absent", files={"a": {"path": "data/a.csv"}})
    outside = {"a": {"path": "../plain/data/costs.csv"}, "b": {"path": "/etc/hostname"}}
    instance(root, "outside", files=outside)
    instance(root, "unbound", abstract_problem="Take {n} of {m}.")
    (root / "empty").mkdir()
    items = read("instances", root)
    plain = items["plain"]
    assert plain.files == {"data/costs.csv": root / "plain/data/costs.csv"}
    assert plain.notes == {"data/costs.csv": "A cost a parcel."}
    assert (plain.status, plain.golds[0].value, plain.parameters) == ("ok", 25.0, {"n": 3})
    told = json.loads(plain.documents["instance.json"])
    assert set(told) == {"abstract_problem", "parameters", "files"}
    assert items["none"].status == "infeasible" and items["no-key"].status == "ok"
    assert items["absent"].reason == "data/a.csv of absent is not there"
    assert [items[name].status for name in ("absent", "outside", "empty")] == ["incomplete"] * 3
    assert items["outside"].files == {}
    assert items["unbound"].labels["unbound"] == "m"
    assert not any(items[name].scored for name in ("absent", "outside", "empty", "none"))


def test_a_link_out_of_an_instance_is_no_file_of_it(home: Path) -> None:
    folder = instance(home / "nl", "sly")
    (folder / "data/costs.csv").unlink()
    (folder / "data/costs.csv").symlink_to(write(home / "secret.csv", "gold"))
    assert read("instances", home / "nl")["sly"].status == "incomplete"


def test_instances_from_the_archive(home: Path) -> None:
    instance(home / "nl", "plain")
    archive = packed(home / "nl.tar.xz", home / "nl", "dataset")
    (item,) = read_instances("toy@1", archive)
    assert item.files["data/costs.csv"].read_text().startswith("parcel")
    assert item.files["data/costs.csv"].is_relative_to(home / "cache")
    with pytest.raises(DataError, match="no folder 'dataset'"):
        read_instances("toy@1", packed(home / "odd.tar.xz", home / "nl", "other"))


def test_a_ratio_keeps_both_answers(home: Path) -> None:
    folder = instance(home / "nl", "markshare_5_0", optimal_value=30)
    write(folder / "data/markets.csv", "market,target_units\na,10\nb,30\n")
    item = read("instances", home / "nl")["markshare_5_0"]
    assert (item.status, [gold.value for gold in item.golds]) == ("ratio", [30.0, 0.75])
    write(folder / "data/markets.csv", "market\na\n")
    with pytest.raises(DataError, match="no numbers in 'target_units'"):
        read("instances", home / "nl")


def test_known_sizes() -> None:
    assert len(sizes()) == 78
    assert sizes()["30n20b8"] == (9831, 514)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"files": []}, ""),
        ({"files": [1]}, "no object"),
        ({"files": {"a": {}}}, "no path for its file 'a'"),
        ({"abstract_problem": None}, "not text"),
    ],
)
def test_damaged_instances(home: Path, changes: dict[str, Any], says: str) -> None:
    instance(home / "nl", "odd", **changes)
    if not says:
        assert read("instances", home / "nl")["odd"].files == {}
        return
    with pytest.raises(DataError, match=says):
        read("instances", home / "nl")
