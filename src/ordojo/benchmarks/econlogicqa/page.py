"""EconLogicQA's page of the report."""

from collections.abc import Mapping, Sequence

import numpy as np

from ordojo.benchmarks.econlogicqa.schema import LETTERS, POSITIONS, EconLogicQAOptions, metrics
from ordojo.core.canonical import Json
from ordojo.core.files import shipped_table
from ordojo.core.panels import Bars, Heatmap, Panel, Published, Series, Table
from ordojo.core.records import RunView
from ordojo.core.selection import Protocol, RunPart, RunPool, parted, run_table, shown

SOURCE = "EconLogicQA, table 2"
DATASET = "econlogicqa@hf"
TABLE_2 = Protocol.of(DATASET, EconLogicQAOptions(), among={"shots": [1, 5]})
"""Under what the published table was made; the number of shots is its column."""

SETTINGS = {"accuracy_1shot_pct": "1-shot", "accuracy_5shot_pct": "5-shot"}


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in the words of the paper's table 2, with what departs from it."""
    words = [f"{options['shots']}-shot"]
    if options["examples"] != "first":
        words.append(f"{options['examples']} examples")
    if options["mode"] != "completion":
        words.append(str(options["mode"]))
    if options["split"] != "test":
        words.append(f"{options['split']} split")
    return ", ".join(words)


def published_scores() -> Sequence[Published]:
    """The paper's table 2."""
    return [
        Published(
            row["model"],
            SETTINGS[column],
            round(float(row[column]) / 100, 6),
            SOURCE,
            dataset=DATASET,
        )
        for row in shipped_table(__package__, "tables/econlogicqa_table2.csv")
        for column in SETTINGS
    ]


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """Scores beside the published ones, errors by position, and the first letter's distribution."""
    pools = shown(runs, setting, metrics)
    scores = map(_scores, parted(pools, TABLE_2))
    return [*scores, _positions(pools), _first_letters(pools), _confusion(pools)]


def _scores(part: RunPart) -> Table:
    source = f"Published rows: {SOURCE}, on the 130 test questions. " if part.published else ""
    return run_table(
        setting,
        f"Scores{part.end}",
        {
            "exact_match": "exact match",
            "pairwise_accuracy": "pairwise accuracy",
            "kendall_tau": "Kendall's tau",
            "unparsed_rate": "unparsed",
        },
        part.pools,
        [run.figures for run in part.pools],
        f"{source}Chance: exact match 1/24, "
        "pairwise 1/2. A reply without an order scores 0 on pairs and is left out of tau.",
        [
            [score.model, score.setting, score.score, None, None, None]
            for score in (published_scores() if part.published else ())
        ],
    )


def _positions(pools: Sequence[RunPool]) -> Bars:
    series = [
        Series(run.label, [run.figures[f"position/{p}"] for p in POSITIONS])
        for run in pools
        if run.figures["position/first"].n
    ]
    return Bars(
        "Right event at each position",
        [f"{name} event" for name in POSITIONS],
        series,
        unit="share of replies with an order",
        high=1.0,
        reference=0.25,
        reference_label="chance",
    )


def _first_letters(pools: Sequence[RunPool]) -> Bars:
    shares: dict[str, list[float]] = {}
    for run in pools:
        verdicts = [record.verdict(run.header.rule) for record in run.records]
        said = [str(v.answer)[0] for v in verdicts if v is not None and v.answer is not None]
        gold = [str(record.gold)[0] for record in run.records]
        if gold:
            shares.setdefault("the answer key", _shares(gold, len(gold)))
            shares[run.label] = _shares(said, len(gold))
    return Bars(
        "Which letter comes first",
        [*LETTERS, "unparsed"],
        [Series(name, values) for name, values in shares.items()],
        unit="share of questions",
        high=1.0,
        note="A model that copies the order of the options shows here.",
    )


def _shares(letters: Sequence[str], total: int) -> list[float]:
    counts = [letters.count(letter) / total for letter in LETTERS]
    return [*counts, 1 - len(letters) / total]


def _confusion(pools: Sequence[RunPool]) -> Heatmap:
    """For each run, how often the event of right position i was put at position j."""
    rows: list[str] = []
    values: list[list[float | None]] = []
    for run in pools:
        table = np.zeros((4, 4))
        for record in run.records:
            verdict = record.verdict(run.header.rule)
            if verdict is not None and verdict.answer is not None:
                said = str(verdict.answer).split(", ")
                for place, letter in enumerate(str(record.gold).split(", ")):
                    table[place, said.index(letter)] += 1
        if table.sum():
            shares = table / table.sum(axis=1, keepdims=True)
            for place, name in enumerate(POSITIONS):
                rows.append(f"{run.label} · {name}")
                values.append([float(x) for x in shares[place]])
    return Heatmap(
        "Where the events went",
        rows,
        [f"put {name}" for name in POSITIONS],
        values,
        note="Rows: the right position of an event; columns: where it was put.",
    )
