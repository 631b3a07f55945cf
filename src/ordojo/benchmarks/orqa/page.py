"""ORQA's page of the report."""

from collections.abc import Mapping, Sequence
from statistics import mean, pstdev

import numpy as np

from ordojo.benchmarks.orqa.metrics import (
    F1_CONVENTIONS,
    UNPARSED,
    Codes,
    accuracy,
    letter_codes,
    macro_f1,
    scored,
)
from ordojo.benchmarks.orqa.published import SETTINGS, published_scores, read_table
from ordojo.benchmarks.orqa.schema import LETTERS, QUESTION_TYPES, SKILLS
from ordojo.benchmarks.orqa.triggers import collect, ensemble_accuracies, run_accuracies
from ordojo.core.canonical import Json
from ordojo.core.panels import Bars, Cell, Heatmap, Panel, Series, Table
from ordojo.core.records import RunView, SampleRecord
from ordojo.core.statistics import Estimate


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in the words of the paper's table 2, with what departs from it."""
    words = [str(options["prompt"]), f"{options['shots']}-shot"]
    if options["shots"] and options["icl"] != "paper-same-type":
        words.append(str(options["icl"]))
    if options["mode"] != "completion":
        words.append(str(options["mode"]))
    if options["prompt"] == "cot" and options["trigger"] != "step-by-step":
        words.append(f"trigger {options['trigger']}")
    if options["permute"] != "none":
        words.append(f"{options['permute']} options")
    return ", ".join(words)


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """Every panel that the runs at hand can fill."""
    found = [
        _settings_table(runs),
        _type_heatmap(runs),
        _letters(runs),
        _conventions(runs),
        *_skills(runs),
        *_triggers(runs),
        *_selection(runs),
        *_positions(runs),
    ]
    return found


def _label(run: RunView) -> str:
    return f"{run.header.model} · {setting(run.header.options)}"


def _settings_table(runs: Sequence[RunView]) -> Table:
    ours: dict[str, dict[str, Cell]] = {}
    for run in runs:
        cells = ours.setdefault(run.header.model, {})
        cells[setting(run.header.options)] = accuracy(run.records, run.header.rule)
    quoted: dict[str, dict[str, Cell]] = {}
    for score in published_scores():
        quoted.setdefault(score.model, {})[score.setting] = score.score
    rows = [
        [model, *(cells.get(name) for name in SETTINGS.values())]
        for model, cells in [*ours.items(), *quoted.items()]
        if any(name in cells for name in SETTINGS.values())
    ]
    return Table(
        "Accuracy by prompting strategy",
        ["model", *SETTINGS.values()],
        rows,
        note="Published rows: ORQA, table 2, on the 1,468 test questions. "
        "Intervals are clustered on the context.",
        published=frozenset(range(len(rows) - len(quoted), len(rows))),
    )


def _type_heatmap(runs: Sequence[RunView]) -> Heatmap:
    values = []
    for run in runs:
        by_type = {
            kind: accuracy([r for r in run.records if r.labels["type"] == kind], run.header.rule)
            for kind in QUESTION_TYPES
        }
        values.append([by_type[kind].value if by_type[kind].n else None for kind in QUESTION_TYPES])
    return Heatmap(
        "Accuracy by question type",
        [_label(run) for run in runs],
        [f"{kind} {meaning}" for kind, meaning in QUESTION_TYPES.items()],
        values,
        note="The layout of the paper's figure 5, one row a run.",
    )


def _letters(runs: Sequence[RunView]) -> Bars:
    shares: dict[str, Sequence[float]] = {}
    for run in runs:
        gold, predicted = letter_codes(run.records, run.header.rule)
        if len(gold):
            shares.setdefault("the answer key", _shares(gold))
            shares[_label(run)] = _shares(predicted)
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


def _conventions(runs: Sequence[RunView]) -> Table:
    rows: list[list[Cell]] = []
    for run in runs:
        gold, predicted = letter_codes(run.records, run.header.rule)
        f1 = [macro_f1(*convention(gold, predicted)) for convention in F1_CONVENTIONS.values()]
        unparsed = float((predicted == UNPARSED).mean()) if len(gold) else None
        rows.append([_label(run), *(f1 if len(gold) else [None] * len(f1)), unparsed])
    return Table(
        "Macro-F1 under three conventions",
        ["run", *F1_CONVENTIONS, "unparsed"],
        rows,
        note="The conventions differ only in what an unparsed answer counts as: a miss of its "
        "letter (ours), the next letter (the released task), or predicted A with gold D (the "
        "released script).",
    )


def _skills(runs: Sequence[RunView]) -> list[Panel]:
    # Runs that differ in more than prompt and shots are not pooled.
    groups: dict[tuple[str, str, str], dict[str, list[SampleRecord]]] = {}
    for run in runs:
        options = run.header.options
        if options["permute"] == "none":
            key = (run.header.model, str(options["mode"]), run.header.rule)
            prompts = groups.setdefault(key, {})
            prompts.setdefault(str(options["prompt"]), []).extend(run.records)
    series = [
        Series(
            f"{model} · {prompt}" + ("" if mode == "completion" else f", {mode}"),
            [_skill(records, rule, skill) for skill in SKILLS],
        )
        for (model, mode, rule), prompts in groups.items()
        if len(prompts) == 2
        for prompt, records in sorted(prompts.items(), reverse=True)
    ]
    if not series:
        return []
    return [
        Bars(
            "Standard against chain of thought, by skill",
            list(SKILLS),
            series,
            unit="accuracy",
            high=1.0,
            reference=0.25,
            reference_label="chance",
            note="The comparison of the paper's figure 6, for models run both ways.",
        )
    ]


def _skill(records: Sequence[SampleRecord], rule: str, skill: str) -> Estimate:
    return accuracy([record for record in records if record.labels["type"] in SKILLS[skill]], rule)


def _triggers(runs: Sequence[RunView]) -> list[Panel]:
    groups: dict[str, list[RunView]] = {}
    for run in runs:
        if run.header.options["prompt"] == "cot":
            alike = setting({**run.header.options, "trigger": "step-by-step"})
            groups.setdefault(f"{run.header.model}, {alike}", []).append(run)
    rows: list[list[Cell]] = []
    for name, group in groups.items():
        votes = collect(group)
        if len(votes) < 2:
            continue
        for trigger in votes:
            rows.append([name, trigger, *_spread(run_accuracies(votes, trigger))])
        rows.append([name, "(majority vote over all)", *_spread(ensemble_accuracies(votes))])
    if not rows:
        return []
    quoted = [
        ["Llama3.1-70B-I, cot, 0-shot", row["trigger"], *(float(row[c]) for c in _SPREAD), None]
        for row in read_table("orqa_table3_triggers.csv")
    ]
    return [
        Table(
            "Trigger prompts",
            ["model", "trigger", "mean", "standard deviation", "best", "runs"],
            [*rows, *quoted],
            note="Published rows: ORQA, table 3, temperature 0.7, five runs each. The standard "
            "deviation is over repeated runs (seeds and epochs).",
            published=frozenset(range(len(rows), len(rows) + len(quoted))),
        )
    ]


_TABLE_5 = "accuracy_llama2_13b_cot_1shot"
_SPREAD = ("average", "std", "best")


def _spread(accuracies: Sequence[float]) -> list[Cell]:
    if not accuracies:
        return [None, None, None, 0]
    return [mean(accuracies), pstdev(accuracies), max(accuracies), len(accuracies)]


def _selection(runs: Sequence[RunView]) -> list[Panel]:
    rows: list[list[Cell]] = [
        [
            run.header.model,
            f"{run.header.options['prompt']}, {run.header.options['shots']}-shot",
            str(run.header.options["icl"]),
            accuracy(run.records, run.header.rule),
        ]
        for run in runs
        if run.header.options["shots"] and run.header.model not in {"ordojo/gold", "ordojo/noop"}
    ]
    if not rows:
        return []
    quoted: list[list[Cell]] = [
        [
            "Llama2-13B-Chat",
            "cot, 1-shot",
            row["selection"],
            float(row[_TABLE_5]),
        ]
        for row in read_table("orqa_table5_icl.csv")
    ]
    return [
        Table(
            "Selection of in-context examples",
            ["model", "prompt", "selection", "accuracy"],
            [*rows, *quoted],
            note="Published rows: ORQA, table 5.",
            published=frozenset(range(len(rows), len(rows) + len(quoted))),
        )
    ]


def _positions(runs: Sequence[RunView]) -> list[Panel]:
    rows: list[list[Cell]] = []
    for run in runs:
        if run.header.options["permute"] != "cyclic":
            continue
        rule = run.header.rule
        pairs = scored(run.records, rule)
        by_question: dict[tuple[str, str, int], list[float]] = {}
        for record, score in pairs:
            question, _, marks = record.id.partition("~")
            trigger = marks.partition("~")[2]
            by_question.setdefault((question, trigger, record.epoch), []).append(score)
        always = [
            float(min(scores)) for scores in by_question.values() if len(scores) == len(LETTERS)
        ]
        by_letter = [
            accuracy([r for r in run.records if r.gold == letter], rule) for letter in LETTERS
        ]
        gold, predicted = letter_codes(run.records, rule)
        rows.append(
            [
                _label(run),
                accuracy(run.records, rule),
                *by_letter,
                mean(always) if always else None,
                macro_f1(gold, predicted),
            ]
        )
    if not rows:
        return []
    return [
        Table(
            "Sensitivity to the order of options",
            [
                "run",
                "accuracy",
                *(f"gold at {letter}" for letter in LETTERS),
                "right in all four",
                "macro-F1",
            ],
            rows,
            note="Every question asked in all four rotations of its options.",
        )
    ]
