"""The eleven published datasets, with the counts and quirks that their READMEs tell."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ordojo.core.errors import DataError
from ordojo.datasets import get_dataset
from ordojo.datasets.nl2opt import ProblemItem, audit, load_items, nl2opt_ids
from ordojo.datasets.nl2opt.audit import audit_items
from ordojo.datasets.nl2opt.load import disputed
from ordojo.datasets.nl2opt.statistics import statistics
from ordojo.datasets.pull import verify
from ordojo.milp.files import read_model

pytestmark = pytest.mark.data

OK_ALL = {
    "bench4opt@original-425": 425,
    "bench4opt@valid-423": 423,
    "bench4opt@concise-423": 423,
    "bench4opt@selected-410": 410,
    "bench4opt@selected-unstructured-408": 408,
    "complexor@original-18": 18,
    "complexor@llm4or-44": 44,
    "complexor@cleaned-18": 18,
    "industryor@cleaned-42": 42,
    "industryor@sirl-fixedV2-100": 100,
    "logior@orthought-92": 92,
    "mamo-easy@original-652": 652,
    "mamo-easy@cleaned-545": 545,
    "mamo-complex@original-211": 211,
    "mamo-complex@cleaned-111": 111,
    "nl4opt@original-289": 289,
    "nlp4lp@cleaned-178": 178,
    "optmath-bench@original-166": 166,
    "optmath-bench@sirl-166": 166,
    "optmath-bench@sirl-193": 193,
    "resocratic@original-605": 605,
    "resocratic@cleaned-403": 403,
    "resocratic@sirl-605": 605,
}
"""Versions in which every item is scored."""

QUIRKS: dict[str, tuple[int, dict[str, int]]] = {
    "complexor@orthought-18": (18, {"unknown-gold": 1}),
    "complexor@raw-seeds-47": (47, {"unknown-gold": 47}),
    "industryor@original-100": (100, {"sentinel": 3}),
    "industryor@orthought-83": (83, {"unknown-gold": 1}),
    "mamo-easy@sirl-fixed-642": (642, {"sentinel": 1}),
    "mamo-complex@sirl-fixed-203": (203, {"sentinel": 1}),
    "miplib-nl@original-223": (
        223,
        {"infeasible": 10, "incomplete": 24, "ratio": 1, "open": 1},
    ),
    "miplib-nl@unpacked-20": (20, {"infeasible": 3, "incomplete": 2, "ratio": 1}),
    "nl4opt@original-288": (288, {"unknown-gold": 7}),
    "nl4opt@cleaned-214": (214, {"unknown-gold": 1}),
    "nl4opt@sirl-245": (245, {"infeasible": 17}),
    "nlp4lp@original-269": (269, {"unknown-gold": 27}),
    "nlp4lp@orthought-264": (264, {"unknown-gold": 22}),
}
"""The others: all items, and those that are shown apart."""

HERE = [
    key
    for key in nl2opt_ids()
    if key != "miplib-nl@clone-223" and get_dataset(key).source.kind != "shipped"
]
"""All but the copy that each user clones, and ordojo's own."""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests, so that the archive is unpacked once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def data(published: Path, home: Path, unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (published / "miplib-nl.tar.xz").is_file():
        pytest.skip("$ORDOJO_DATA has no miplib-nl.tar.xz")
    monkeypatch.setenv("ORDOJO_CACHE", str(unpacked))
    monkeypatch.setattr(audit, "load_items", loaded)


@cache
def loaded(dataset: str) -> list[ProblemItem]:
    """The items of a published version, read and checked once for all tests."""
    return load_items(dataset)


def load(dataset: str) -> dict[str, ProblemItem]:
    return {item.id: item for item in loaded(dataset)}


def test_every_version_is_tested() -> None:
    assert set(HERE) == set(OK_ALL) | set(QUIRKS)


@pytest.mark.parametrize("dataset", [*OK_ALL, *QUIRKS])
def test_counts_and_statuses(dataset: str) -> None:
    count, apart = QUIRKS.get(dataset, (OK_ALL.get(dataset, 0), {}))
    items = loaded(dataset)
    assert len(items) == count
    assert Counter(item.status for item in items if not item.scored) == apart
    for item in items:
        assert item.question and item.dataset == dataset
        assert item.status in ("ok", "incomplete") or item.reason
        assert bool(item.golds) != bool(item.reference_model)
        assert all(path.is_file() for path in item.files.values())
        if item.status in ("ok", "disputed"):
            assert all(gold.value is not None for gold in item.golds)


@pytest.mark.parametrize("dataset", ["nl4opt@original-288", "miplib-nl@original-223"])
def test_verify(dataset: str) -> None:
    assert verify(dataset).ok


def test_golds_keep_their_print() -> None:
    assert load("mamo-complex@original-211")["1"].golds[0].text == "57.0"
    assert {i.golds[0].decimals for i in load("mamo-easy@original-652").values()} >= {0, 1}


def test_types_and_sizes() -> None:
    logior = loaded("logior@orthought-92")
    assert Counter(item.labels["type"] for item in logior) == {
        "ILP": 43,
        "LP": 22,
        "NLP": 16,
        "MILP": 11,
    }
    assert Counter(item.labels["scale"] for item in logior) == {
        "Toy": 14,
        "Small": 39,
        "Medium": 39,
    }
    assert all(item.size for item in logior)
    resocratic = Counter(i.labels["type"] for i in loaded("resocratic@original-605"))
    assert resocratic["linear-notable"] == 342 and resocratic["nonlinear-table"] == 50


def test_logior_says_the_same_twice(published: Path) -> None:
    for item in loaded("logior@orthought-92"):
        folder = published / "logior/processed" / item.id
        answer = json.loads((folder / "answer.json").read_text())
        assert answer["obj"] == pytest.approx(item.golds[0].value, rel=1e-9)


def test_the_corrected_mamo() -> None:
    easy = loaded("mamo-easy@sirl-fixed-642")
    assert sum(item.labels.get("corrected") == "yes" for item in easy) == 66
    complex_ = loaded("mamo-complex@sirl-fixed-203")
    assert sum(item.labels.get("corrected") == "yes" for item in complex_) == 45


def test_bench4opt_is_certifiable_as_its_lists_say() -> None:
    items = loaded("bench4opt@valid-423")
    counts = Counter((item.labels["type"], item.labels["certifiable"]) for item in items)
    assert counts == {
        ("LP", "Weisfeiler-Lehman determinable"): 204,
        ("LP", "symmetric decomposable"): 7,
        ("MILP", "Weisfeiler-Lehman determinable"): 123,
        ("MILP", "symmetric decomposable"): 89,
    }


@pytest.mark.parametrize(
    ("dataset", "linear"), [("bench4opt@original-425", 418), ("bench4opt@selected-410", 402)]
)
def test_reference_models_can_be_read(dataset: str, linear: int) -> None:
    read = 0
    for item in loaded(dataset):
        if "degree" in item.labels:
            continue
        assert item.reference_model is not None
        model = read_model(item.reference_model)
        assert model.n and model.m
        read += 1
    assert read == linear


def test_what_is_incomplete_in_miplib_nl() -> None:
    items = load("miplib-nl@original-223")
    absent = {key for key, item in items.items() if item.status == "incomplete"}
    assert absent == {
        *("bab1", "bab2", "bab6", "gsvm2rl11", "gsvm2rl12", "iis-hc-cov", "nw04"),
        *("proteindesign121hz512p9", "proteindesign121pgb11p9", "proteindesign122trx11p8"),
        *("ramos3", "seymour1", "sing326", "sing44", "tanglegram4"),
        *("uccase7", "uccase8", "uccase9", "uccase10", "uccase12", "vpphard", "vpphard2"),
        *("ex1010-pi", "neos-3610173-itata"),
    }
    assert "data/S1.csv of ex1010-pi" in items["ex1010-pi"].reason
    assert items["b-ball"].status == "ok"
    assert [gold.value for gold in items["markshare_5_0"].golds] == [5334, 5334 / 5335]
    assert items["flugplinf"].golds[0].kind == "infeasible"
    assert sum(item.labels["formulation"] == "yes" for item in items.values()) == 180


def test_no_gold_reaches_a_program() -> None:
    for dataset in ("miplib-nl@original-223", "complexor@llm4or-44", "complexor@orthought-18"):
        for item in loaded(dataset):
            for text in item.documents.values():
                assert "optimal_value" not in text and '"output"' not in text
            assert not any(
                re.search(r"(instance|solution|sample)\.json", name) for name in item.files
            )


def test_the_unpacked_twenty_are_those_of_the_archive() -> None:
    archive = load("miplib-nl@original-223")
    for key, item in load("miplib-nl@unpacked-20").items():
        other = archive[key]
        assert (item.question, item.golds, item.documents) == (
            other.question,
            other.golds,
            other.documents,
        )
        assert {n: p.read_bytes() for n, p in item.files.items()} == {
            n: p.read_bytes() for n, p in other.files.items()
        }


def test_a_changed_archive_is_refused(
    published: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = (published / "miplib-nl.tar.xz").read_bytes()
    (home / "data").mkdir()
    (home / "data/miplib-nl.tar.xz").write_bytes(content[:-1] + b"x")
    monkeypatch.setenv("ORDOJO_DATA", str(home / "data"))
    with pytest.raises(DataError, match=r"is not the file of miplib-nl@original-223"):
        load_items("miplib-nl@original-223")


@pytest.mark.parametrize(
    ("dataset", "version", "found"),
    [
        # SIRL's own list of corrections names the TSPs among these.
        ("mamo-complex@original-211", "mamo-complex@sirl-fixed-203", (201, 43, 42)),
        ("mamo-easy@original-652", "mamo-easy@sirl-fixed-642", (626, 59, 59)),
        ("mamo-easy@original-652", "mamo-easy@cleaned-545", (545, 0, 0)),
        ("optmath-bench@original-166", "optmath-bench@sirl-166", (164, 0, 0)),
        ("resocratic@original-605", "resocratic@sirl-605", (605, 97, 9)),
        ("industryor@original-100", "industryor@cleaned-42", (42, 0, 0)),
        ("industryor@original-100", "industryor@sirl-fixedV2-100", (0, 0, 0)),
    ],
)
def test_disagreements(dataset: str, version: str, found: tuple[int, int, int]) -> None:
    (comparison,) = [c for c in audit_items(dataset).comparisons if c.version == version]
    differ = len(comparison.differences)
    assert (comparison.shared, differ, comparison.beyond_rounding) == found


def test_the_shipped_disputes_are_those_of_the_data() -> None:
    found: dict[str, dict[str, list[str]]] = {}
    for dataset in HERE:
        for comparison in audit_items(dataset).comparisons:
            for difference in comparison.differences:
                if not difference.rounding:
                    others = found.setdefault(dataset, {}).setdefault(difference.item, [])
                    others.append(comparison.version)
    assert found == disputed()


def test_audit_of_miplib_nl() -> None:
    report = audit_items("miplib-nl@original-223")
    assert report.unbound == {
        "neos-3118745-obra": "r0124_constant",
        "neos-3610173-itata": "base, boost",
        "p0201": "t",
    }
    assert report.repeated == ()
    assert sum(report.statuses.values()) == 223


def test_figures_of_every_version() -> None:
    figures = {key: statistics(key, loaded(key)) for key in HERE}
    assert all(row.items == get_dataset(key).files[0].rows for key, row in figures.items())
    # The order of figure 9: NL4Opt is short, OptMATH long, MIPLIB-NL between.
    words = {key: row.words.median for key, row in figures.items()}
    assert words["nl4opt@cleaned-214"] < words["mamo-easy@cleaned-545"]
    assert words["mamo-easy@cleaned-545"] < words["miplib-nl@original-223"]
    assert words["miplib-nl@original-223"] < words["mamo-complex@cleaned-111"]
    assert words["mamo-complex@cleaned-111"] < words["optmath-bench@original-166"]
    assert figures["miplib-nl@original-223"].sizes.count == 78
    assert sum(figures["miplib-nl@original-223"].published_buckets.values()) == 223


def test_a_clone_of_the_source(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "MIPLIB-NL").mkdir()
    folder = next(iter(load("miplib-nl@original-223").values())).files
    archive = next(iter(folder.values())).parent.parent.parent
    (home / "MIPLIB-NL/dataset").symlink_to(archive)
    monkeypatch.setenv("ORDOJO_DATA", str(home))
    assert len(load_items("miplib-nl@clone-223")) == 223
    assert verify("miplib-nl@clone-223").ok
