"""ORQA's page of the report: published scores, table 3's study of triggers, panels."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean, pstdev

import numpy as np

from ordojo.benchmarks.orqa.judges import (
    F1_CONVENTIONS,
    UNPARSED,
    Codes,
    accuracy,
    letter_codes,
    macro_f1,
    with_type,
)
from ordojo.benchmarks.orqa.schema import LETTERS, QUESTION_TYPES, SKILLS, TRIGGERS, OrqaOptions
from ordojo.core.canonical import Json
from ordojo.core.files import shipped_table
from ordojo.core.panels import Bars, Cell, Heatmap, Panel, Published, Series, Table, filled
from ordojo.core.records import RunView, scored
from ordojo.core.selection import (
    Protocol,
    RunPart,
    RunPool,
    departures,
    described,
    key,
    named,
    parted,
    pooled,
    pooling,
)

DATASET = "orqa@793beee"

SETTINGS = {
    "standard_0shot": "standard, 0-shot",
    "standard_1shot": "standard, 1-shot",
    "standard_3shot": "standard, 3-shot",
    "cot_0shot": "cot, 0-shot",
    "cot_1shot": "cot, 1-shot",
}
"""Columns of table 2, and how our own runs with these settings are called."""


def published_scores() -> Sequence[Published]:
    """Table 2, one entry for each model and setting, and the human expert's score."""
    source = "ORQA, table 2"
    scores = [
        Published(row["model"], SETTINGS[column], float(row[column]), source, dataset=DATASET)
        for row in shipped_table(__package__, "tables/orqa_table2.csv")
        for column in SETTINGS
        if row[column]
    ]
    who = "human expert (100 questions)"
    human = Published(who, "standard, 0-shot", 0.93, "ORQA, section 5", dataset=DATASET)
    return [*scores, human]


Repetition = tuple[int, int]
"""A run's seed, and an epoch."""

Votes = Mapping[str, Mapping[Repetition, Mapping[str, tuple[str | None, str]]]]
"""trigger -> repetition -> question -> (predicted letter, gold letter)."""


def collect(runs: Sequence[RunView]) -> Votes:
    """Arrange the records of chain-of-thought runs by trigger, repetition and question."""
    votes: dict[str, dict[Repetition, dict[str, tuple[str | None, str]]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for run in runs:
        for record in run.records:
            verdict = record.verdict(run.header.rule)
            if verdict is not None and "trigger" in record.labels:
                letter = None if verdict.answer is None else str(verdict.answer)
                answers = votes[record.labels["trigger"]][run.header.seed, record.epoch]
                answers[_without_trigger(record.id)] = (letter, str(record.gold))
    return votes


def _without_trigger(name: str) -> str:
    """A record's id without the mark of its trigger; a rotation of the options is kept apart."""
    head, _, mark = name.rpartition("~")
    return head if mark in TRIGGERS else name


def run_accuracies(votes: Votes, trigger: str) -> list[float]:
    """The accuracy of each repeated run of a trigger."""
    return [
        sum(said == gold for said, gold in answers.values()) / len(answers)
        for _, answers in sorted(votes[trigger].items())
    ]


def ensemble_accuracies(votes: Votes) -> list[float]:
    """The accuracy of the majority vote over triggers, one figure for each repetition.

    Unparsed answers abstain; ties go to the alphabetically first letter, so that the vote needs
    no random choice. Questions that some trigger has not answered in that repetition are left out.
    """
    shared_by_all = set.intersection(*(set(runs) for runs in votes.values())) if votes else set()
    accuracies = []
    for repetition in sorted(shared_by_all):
        runs = [repetitions[repetition] for repetitions in votes.values()]
        shared = set.intersection(*(set(run) for run in runs))
        right = sum(vote([run[q][0] for run in runs]) == runs[0][q][1] for q in shared)
        if shared:
            accuracies.append(right / len(shared))
    return accuracies


def vote(letters: Sequence[str | None]) -> str | None:
    """The most frequent letter, None if all abstain."""
    counts = Counter(letter for letter in letters if letter in LETTERS)
    return min(counts, key=lambda letter: (-counts[letter], letter), default=None)


TABLE_2 = Protocol.of(DATASET, OrqaOptions(), ["prompt"], {"shots": [0, 1, 3]})
TABLE_3 = Protocol.of(DATASET, OrqaOptions(prompt="cot"), ["trigger"], temperature=0.7)
TABLE_5 = Protocol.of(DATASET, OrqaOptions(prompt="cot", shots=1), ["icl"])
"""Under what the published tables were made; what is free are their columns and rows."""

_USUAL = OrqaOptions()
_ORDER = tuple(TRIGGERS.values())


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in the words of the paper's table 2, with what departs from it."""
    return ", ".join([_strategy(options), *_departures(options)])


def _strategy(options: Mapping[str, Json]) -> str:
    return f"{options['prompt']}, {options['shots']}-shot"


def _departures(options: Mapping[str, Json]) -> list[str]:
    words = []
    if options["shots"] and options["icl"] != "paper-same-type":
        words.append(str(options["icl"]))
    if options["mode"] != "completion":
        words.append(str(options["mode"]))
    if options["prompt"] == "cot" and options["trigger"] != "step-by-step":
        words.append(f"trigger {options['trigger']}")
    if options["permute"] != "none":
        words.append(f"{options['permute']} options")
    if options["split"] != _USUAL.split:
        words.append(f"{options['split']} split")
    return words


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """Every panel that the runs at hand can fill; runs that differ in the seed alone are pooled."""
    pools = named(pooled(runs), setting)
    return [
        *(_settings_table(part) for part in parted(pools, TABLE_2)),
        _type_heatmap(pools),
        _letters(pools),
        _conventions(pools),
        *filled(_skills(pools)),
        *_triggers(pools),
        *_selection(pools),
        *filled(_positions(pools)),
    ]


def _settings_table(part: RunPart) -> Table:
    """A row a model under what else was set; a cell is all that was asked with one strategy."""
    columns = list(SETTINGS.values())
    columns += sorted({_strategy(p.header.options) for p in part.pools} - {*columns})
    ours: dict[str, tuple[RunPool, dict[str, Cell]]] = {}
    for pool in part.pools:
        # A seed belongs to the row of a sample, the limits of generation to every row.
        _, cells = ours.setdefault(key(pool.header, ("prompt", "shots")), (pool, {}))
        if not pool.complete:
            # What is not finished stands in no row with what is.
            _, cells = ours.setdefault(f"{key(pool.header)} {pool.name}", (pool, {}))
        cells[_strategy(pool.header.options)] = accuracy(pool.records, pool.header.rule)
    rows: list[list[Cell]] = [
        [_row_label(pool), *(cells.get(name) for name in columns)]
        for pool, cells in ours.values()
        if cells
    ]
    quoted: dict[str, dict[str, Cell]] = {}
    for score in published_scores() if part.published else ():
        quoted.setdefault(score.model, {})[score.setting] = score.score
    note = "Intervals are clustered on the context. " + pooling(part.pools)
    if part.published:
        note = (
            "ORQA, table 2: all 1,468 test questions, raw prompts continued greedily; what was "
            "asked otherwise stands apart. " + note
        )
    return Table.quoting(
        f"Accuracy by prompting strategy{part.end}",
        ["model", *columns],
        rows,
        [[model, *(cells.get(name) for name in columns)] for model, cells in quoted.items()],
        note.strip(),
    )


def _row_label(pool: RunPool) -> str:
    """The model, and what departs from the paper beside the strategy, which is the column."""
    words = described(pool, ", ".join(_departures(pool.header.options)), sized=False)
    return f"{pool.header.model} · {words}" if words else pool.header.model


def _type_heatmap(pools: Sequence[RunPool]) -> Heatmap:
    values = []
    for run in pools:
        cells = [accuracy(with_type(run.records, [k]), run.header.rule) for k in QUESTION_TYPES]
        values.append([cell.value if cell.n else None for cell in cells])
    return Heatmap(
        "Accuracy by question type",
        [run.label for run in pools],
        [f"{kind} {meaning}" for kind, meaning in QUESTION_TYPES.items()],
        values,
        note="The layout of the paper's figure 5, one row a run.",
    )


def _letters(pools: Sequence[RunPool]) -> Bars:
    shares: dict[str, Sequence[float]] = {}
    for run in pools:
        gold, predicted = letter_codes(run.records, run.header.rule)
        if len(gold):
            shares.setdefault("the answer key", _shares(gold))
            shares[run.label] = _shares(predicted)
    return Bars(
        "What was answered: distribution of letters",
        [*LETTERS, "unparsed"],
        [Series(name, row) for name, row in shares.items()],
        unit="share of questions",
        high=1.0,
        note="A model that prefers one letter shows here before it shows in its accuracy.",
    )


def _shares(codes: Codes) -> list[float]:
    return [float(share) for share in np.bincount(codes, minlength=5) / len(codes)]


def _conventions(pools: Sequence[RunPool]) -> Table:
    rows: list[list[Cell]] = []
    for run in pools:
        gold, predicted = letter_codes(run.records, run.header.rule)
        f1 = [macro_f1(*convention(gold, predicted)) for convention in F1_CONVENTIONS.values()]
        unparsed = float((predicted == UNPARSED).mean()) if len(gold) else None
        rows.append([run.label, *(f1 if len(gold) else [None] * len(f1)), unparsed])
    return Table(
        "Macro-F1 under three conventions",
        ["run", *F1_CONVENTIONS, "unparsed"],
        rows,
        note="The conventions differ only in what an unparsed answer counts as: a miss of its "
        "letter (ours), the next letter (the released task), or predicted A with gold D (the "
        "released script).",
    )


def _skills(pools: Sequence[RunPool]) -> Bars:
    # Only runs that differ in the prompt and in nothing else are compared.
    pairs: dict[str, dict[str, RunPool]] = {}
    for run in pools:
        if run.header.options["permute"] == "none" and run.complete:
            ways = pairs.setdefault(key(run.header, ("prompt",)), {})
            ways[str(run.header.options["prompt"])] = run
    series = [
        Series(
            run.label,
            [accuracy(with_type(run.records, kinds), run.header.rule) for kinds in SKILLS.values()],
        )
        for ways in pairs.values()
        if len(ways) == 2
        for run in (ways["standard"], ways["cot"])
    ]
    return Bars(
        "Standard against chain of thought, by skill",
        list(SKILLS),
        series,
        unit="accuracy",
        high=1.0,
        reference=0.25,
        reference_label="chance",
        note="The comparison of the paper's figure 6, for models run both ways with all else "
        "the same.",
    )


def _triggers(pools: Sequence[RunPool]) -> list[Panel]:
    asked = [pool for pool in pools if pool.header.options["prompt"] == "cot" and pool.complete]
    found = [_trigger_table(part) for part in parted(asked, TABLE_3)] if asked else []
    return [table for table in found if len(table.rows) > len(table.published)]


def _trigger_table(part: RunPart) -> Table:
    # A study is runs that differ in the trigger alone; one of all triggers is a study by itself.
    studies: dict[str, list[RunPool]] = {}
    for pool in part.pools:
        every = pool.header.options["trigger"] == "all"
        studies.setdefault(key(pool.header, () if every else ("trigger",)), []).append(pool)
    rows: list[list[Cell]] = []
    for group in studies.values():
        votes = collect([run for pool in group for run in pool.runs])
        if len(votes) < 2:
            continue
        first = group[0]
        alike = setting({**first.header.options, "trigger": "step-by-step"})
        words = ", ".join(filter(None, (alike, departures(first.header))))
        name = f"{first.header.model}, {words}"
        # In the paper's order, one's own triggers last.
        for trigger in sorted(votes, key=lambda text: ([*_ORDER, text].index(text), text)):
            rows.append([name, trigger, *_spread(run_accuracies(votes, trigger))])
        rows.append([name, "(majority vote over all)", *_spread(ensemble_accuracies(votes))])
    quoted = [
        ["Llama3.1-70B-I, cot, 0-shot", row["trigger"], *(float(row[c]) for c in _SPREAD), None]
        for row in (
            shipped_table(__package__, "tables/orqa_table3_triggers.csv") if part.published else ()
        )
    ]
    source = "Published rows: ORQA, table 3, temperature 0.7, five runs each. "
    return Table.quoting(
        f"Trigger prompts{part.end}",
        ["model", "trigger", "mean", "standard deviation", "best", "runs"],
        rows,
        quoted,
        (source if part.published else "")
        + "The standard deviation is over repeated runs (seeds and epochs).",
    )


_TABLE_5 = "accuracy_llama2_13b_cot_1shot"
_SPREAD = ("average", "std", "best")


def _spread(accuracies: Sequence[float]) -> list[Cell]:
    if not accuracies:
        return [None, None, None, 0]
    return [mean(accuracies), pstdev(accuracies), max(accuracies), len(accuracies)]


def _selection(pools: Sequence[RunPool]) -> list[Panel]:
    asked = [
        pool
        for pool in pools
        if pool.header.options["shots"] and pool.header.model not in {"ordojo/gold", "ordojo/noop"}
    ]
    return [_selection_table(part) for part in parted(asked, TABLE_5)] if asked else []


def _selection_table(part: RunPart) -> Table:
    rows: list[list[Cell]] = [
        [
            run.header.model,
            described(run, setting(run.header.options)),
            str(run.header.options["icl"]),
            accuracy(run.records, run.header.rule),
        ]
        for run in part.pools
    ]
    quoted: list[list[Cell]] = [
        ["Llama2-13B-Chat", "cot, 1-shot", row["selection"], float(row[_TABLE_5])]
        for row in (
            shipped_table(__package__, "tables/orqa_table5_icl.csv") if part.published else ()
        )
    ]
    return Table.quoting(
        f"Selection of in-context examples{part.end}",
        ["model", "setting", "selection", "accuracy"],
        rows,
        quoted,
        "Published rows: ORQA, table 5." if part.published else "",
    )


def _positions(pools: Sequence[RunPool]) -> Table:
    rows: list[list[Cell]] = []
    for run in pools:
        if run.header.options["permute"] != "cyclic":
            continue
        rule = run.header.rule
        by_question: dict[tuple[str, str, int], list[float]] = {}
        for record, verdict in scored(run.records, rule):
            question, _, marks = record.id.partition("~")
            trigger = marks.partition("~")[2]
            asked = question, trigger, record.epoch
            by_question.setdefault(asked, []).append(verdict.score or 0.0)
        always = [
            float(min(scores)) for scores in by_question.values() if len(scores) == len(LETTERS)
        ]
        by_letter = [
            accuracy([r for r in run.records if r.gold == letter], rule) for letter in LETTERS
        ]
        gold, predicted = letter_codes(run.records, rule)
        whole = mean(always) if always else None
        cells = [accuracy(run.records, rule), *by_letter, whole, macro_f1(gold, predicted)]
        rows.append([run.label, *cells])
    letters = (f"gold at {letter}" for letter in LETTERS)
    return Table(
        "Sensitivity to the order of options",
        ["run", "accuracy", *letters, "right in all four", "macro-F1"],
        rows,
        note="Every question asked in all four rotations of its options.",
    )
