"""NL2Opt's pages of the report: our runs beside the paper's tables, and a sample's story.

First what the paper says of models: tables 1, 7 and 8, figure 6, and section 4.4.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from ordojo.benchmarks.nl2opt.judge import LEAKING, RULES
from ordojo.benchmarks.nl2opt.metrics import (
    APART,
    OURS,
    SCALES,
    accuracy,
    labelled,
    metrics,
    with_repair,
)
from ordojo.benchmarks.nl2opt.metrics import exceptions as exception_counts
from ordojo.benchmarks.nl2opt.metrics import published as counted
from ordojo.benchmarks.nl2opt.prompts import template_for
from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, ErrorClass, error_class_of
from ordojo.benchmarks.nl2opt.schema import SHOWN, Nl2OptOptions, WordProblem
from ordojo.core.canonical import Json
from ordojo.core.files import shipped_table
from ordojo.core.instance import Instance
from ordojo.core.panels import (
    Bars,
    Cell,
    Heatmap,
    Listing,
    Panel,
    Plot,
    Published,
    Series,
    Story,
    Table,
    filled,
)
from ordojo.core.records import Judged, RunView, SampleRecord, judged
from ordojo.core.selection import (
    Protocol,
    RunPart,
    RunPool,
    named,
    parted,
    pooling,
    run_table,
    shown,
)
from ordojo.core.statistics import Estimate, mean_interval, measured
from ordojo.datasets.nl2opt.statistics import EVALUATED
from ordojo.structures.inspection import DifferenceKind

PAPER = "MIPLIB-NL paper"

COLUMNS: Mapping[str, str] = {
    "nl4opt": "NL4Opt",
    "mamo-easy": "MAMO-E",
    "mamo-complex": "MAMO-C",
    "complexor": "ComplexOR",
    "industryor": "IndustryOR",
    "nlp4lp": "NLP4LP",
    "resocratic": "ReSocratic",
    "optmath-bench": "OptMath",
    "bench4opt": "Bench4Opt",
    "logior": "LogiOR",
    "miplib-nl": "MIPLIB-NL",
}
"""The tables' columns by dataset."""

TABLES: Mapping[str, tuple[str, str]] = {
    "pass@1": ("nl2opt_pass1.csv", "table 1"),
    "pass@8": ("nl2opt_pass8.csv", "table 7"),
    "execution error": ("nl2opt_execution_error.csv", "table 8"),
}

AVERAGE = "Avg"

FIGURE_6: Mapping[str, float] = {
    "<500": 0.323,
    "<1,000": 0.222,
    "<10,000": 0.249,
    ">=10,000": 0.204,
}
"""Mean pass@1 by scale on MIPLIB-NL."""

SECTION_4_4: Mapping[str, float] = {"execution": 0.450, "modelling": 0.483, "timeout": 0.067}
"""Shares of the error classes among failures on MIPLIB-NL."""


@cache
def table(name: str) -> Mapping[str, Mapping[str, float]]:
    """A table's rows: model to dataset to share. The averages are the row "Avg"."""
    return {
        row["method"]: {
            dataset: round(float(row[column]) / 100, 6) for dataset, column in COLUMNS.items()
        }
        for row in shipped_table(__package__, f"tables/{TABLES[name][0]}")
    }


def published_scores() -> Sequence[Published]:
    """For the leaderboard: pass@1 on MIPLIB-NL, with pass@8 and the share of execution errors."""
    one, eight, errors = (table(name) for name in TABLES)
    family, source = "miplib-nl", f"{PAPER}, table 1"
    return [
        Published(
            model,
            "MIPLIB-NL, as published",
            scores[family],
            source,
            {"pass@8": eight[model][family], "execution_error": errors[model][family]},
            EVALUATED[family],
        )
        for model, scores in one.items()
        if model != AVERAGE
    ]


Runs = Sequence[RunPool]

_FREE = ("isolation", "leaks", "memory", "reward")
"""What does not depart from the paper: how programs are contained, what is tried besides, and what
training is paid by."""

PROTOCOLS: Mapping[str, Protocol] = {
    family: Protocol.of(
        dataset,
        Nl2OptOptions(),
        _FREE,
        among={"preview": [None, 0 if family == "miplib-nl" else SHOWN]},
    )
    for family, dataset in EVALUATED.items()
}
"""Under what each column of the paper's tables was made; `preview` None is what the second is."""

_SHOWN = ("pass@1", "pass@8", "pass@1 where scored", "executable", "unsupported", "unscored")
"""The figures of an accuracy table."""


def column_of(run: RunPool) -> str | None:
    """The column of the paper's tables that a run belongs to, None where it follows no protocol."""
    return next((family for family, how in PROTOCOLS.items() if how.fits(run)), None)


def _opposite(found: Estimate | None) -> Cell:
    return found and Estimate(
        1 - found.value, 1 - found.high, 1 - found.low, found.n, found.clusters
    )


def scores(runs: Runs) -> Sequence[Table]:
    """Pass@1, pass@8 and executability; one table a dataset, and one of what departs from it."""
    tables = []
    for dataset in dict.fromkeys(run.header.dataset["id"] for run in runs):
        asked = [run for run in runs if run.header.dataset["id"] == dataset]
        chosen = [run for run in asked if not with_repair(run.records)]
        family = next((f for f, version in EVALUATED.items() if version == dataset), "")
        if chosen and not family:
            tables.append(_scores(dataset, RunPart("", chosen, False)))
        elif chosen:
            tables += [_scores(dataset, part, family) for part in parted(chosen, PROTOCOLS[family])]
    return tables


def _scores(dataset: str, part: RunPart, family: str = "") -> Table:
    quoted: list[list[Cell]] = []
    note = "" if family else "No scores are published for this version of these problems."
    if part.published:
        one, eight, errors = (table(name) for name in TABLES)
        quoted = [
            [
                "mean of 14 models" if model == AVERAGE else model,
                f"as published, on {dataset} or nearly so",
                one[model][family],
                eight[model][family],
                None,
                round(1 - errors[model][family], 6),
                None,
                None,
            ]
            for model in one
        ]
        note = f"Published rows: {PAPER}, tables 1, 7 and 8, on this version of the dataset."
    return run_table(
        setting,
        f"Accuracy on {COLUMNS.get(family, dataset)}{part.end}",
        {name: name for name in _SHOWN},
        part.pools,
        [run.figures for run in part.pools],
        "Pass@k: the chance that one of k samples is right, unbiased, over items whose gold "
        "is an optimum; infeasible and open ones stand apart, below. Right is an objective that a "
        "solve supports; what was only printed counts under `stdout-1e-6` alone. Unsupported "
        "answers count as not solved, but for `where scored`. Executable: the program runs "
        f"to its end and has a feasible solution. {note}".strip(),
        quoted,
    )


def repaired(runs: Runs) -> Table:
    """Runs with turns of repair: a setting of their own, beside no pass@1."""
    rows: list[list[Cell]] = []
    for run in runs:
        if with_repair(run.records):
            turns = Counter(len(record.episode.turns) for record in run.records)
            mean = sum(n * count for n, count in turns.items()) / sum(turns.values())
            cells = [measured(run.figures, key) for key in ("repair@1", "repair@8", "executable")]
            rows.append([run.label, *cells, mean])
    return Table(
        "With self-repair",
        ["run", "right in the end", "of 8 samples", "executable", "turns"],
        rows,
        note="The traceback or status was shown and a corrected program asked for. This is "
        "another setting than pass@1, and not comparable with it.",
    )


def tables(runs: Runs) -> Sequence[Table]:
    """Tables 1, 7 and 8, of the columns that some run was made for under the paper's protocol."""
    met = {run.header.dataset["id"] for run in runs}
    columns = [family for family, dataset in EVALUATED.items() if dataset in met]
    return [_table(name, columns, runs) for name in TABLES] if columns else []


def _table(name: str, columns: Sequence[str], runs: Runs) -> Table:
    rows: list[list[Cell]] = []
    for run in runs:
        column = column_of(run)
        if column is None or with_repair(run.records):
            continue
        cell: Cell = measured(run.figures, name)
        if name not in run.figures and name == "execution error":
            cell = _opposite(measured(run.figures, "executable"))
        if cell is not None:
            rows.append([run.header.model, *(cell if f == column else None for f in columns)])
    quoted: list[list[Cell]] = [
        ["mean of the models" if model == AVERAGE else model, *(scores[f] for f in columns)]
        for model, scores in table(name).items()
    ]
    note = "Runs of a whole dataset under the paper's protocol, of the version nearest to it: "
    return Table.quoting(
        f"{PAPER}, {TABLES[name][1]}: {name}",
        ["model", *(COLUMNS[family] for family in columns)],
        rows,
        quoted,
        f"{note}{', '.join(EVALUATED[family] for family in columns)}. {pooling(runs)}".strip(),
    )


_EXCEPTIONS, _CLASSES = 12, 24
"""Columns of exceptions and of classes, the most frequent: what a page is wide enough for."""


def _value(run: RunPool, name: str) -> float | None:
    return found.value if (found := measured(run.figures, name)) else None


def warnings(runs: Runs) -> Table:
    """How programs were contained, the libraries they had, and items that could not be asked."""
    rows: list[list[Cell]] = []
    for run in runs:
        kinds, name = sorted(_isolations(run)), run.label
        if run.header.options.get("isolation") == "unsafe" or "unsafe" in kinds:
            rows.append([name, "UNSAFE: its programs were run without containment"])
        elif kinds:
            rows.append([name, f"programs contained by {', '.join(kinds)}"])
        if versions := run.header.libraries:
            told = ", ".join(f"{name} {version}" for name, version in versions.items())
            rows.append([name, f"libraries: {told}"])
        if out := run.header.dataset.get("refused"):
            rows.append([name, f"not asked, as files of them are missing: {out}"])
    return Table(
        "How programs were run",
        ["run", "what to know"],
        rows,
        note="Programs that models write are run in a sandbox without network and without the "
        "gold; the solver is a service outside it. A run with isolation=unsafe had none. What "
        "needs a library that is missing counts as not solved.",
    )


def _isolations(run: RunView) -> set[str]:
    infos = [turn.info for record in run.records for turn in record.episode.turns]
    found = [done for info in infos if isinstance(done := info.get("execution"), Mapping)]
    return {str(done["isolation"]) for done in found if done.get("isolation")}


def curve(runs: Runs) -> Plot:
    """Pass@k over k, for runs of several samples."""
    series = []
    for run in runs:
        points = [
            (float(key.partition("@")[2]), e.value)
            for key, e in run.figures.items()
            if key.startswith(("pass@", "repair@")) and e.n and " " not in key
        ]
        if len(points) > 1:
            series.append((run.label, points))
    note = "The unbiased estimate over all choices of k among the samples of an item."
    return Plot("Pass@k", "k", "pass@k", series, kind="lines", note=note)


def outcomes(runs: Runs) -> Heatmap:
    """How the answers ended."""
    return Heatmap(
        "How answers ended",
        [run.label for run in runs],
        [outcome.value for outcome in AnswerOutcome],
        [[_value(run, f"outcome/{outcome}") for outcome in AnswerOutcome] for run in runs],
        note="Shares of all answers to the items that the published metric counts. Unsupported and "
        "licence limit say nothing of the model and count as not solved; library missing is our "
        "own fault and is not scored.",
    )


def errors(part: RunPart) -> Bars:
    """The paper's three classes of errors."""
    series = [
        Series(run.label, [measured(run.figures, f"error/{kind}") for kind in ErrorClass])
        for run in part.pools
    ]
    quoted = Series(
        "MIPLIB-NL, mean of 9 models (published)", [SECTION_4_4[kind] for kind in ErrorClass]
    )
    return Bars(
        f"Error classes{part.end}",
        [kind.value for kind in ErrorClass],
        [*series, *([quoted] if part.published else ())],
        high=1.0,
        note="Shares of a run's failed answers, the layout of the paper's figure 7."
        + (f" Published: {PAPER}, section 4.4." if part.published else ""),
    )


def exceptions(runs: Runs) -> Sequence[Table]:
    """What broke the programs that did not run."""
    counts = [Counter(exception_counts(_counted(run))) for run in runs]
    total = sum(counts, Counter[str]())
    common = [name for name, _ in total.most_common(_EXCEPTIONS)]
    if not common:
        return ()
    rows: list[list[Cell]] = [
        [run.label, *(one[kind] for kind in common)] for run, one in zip(runs, counts, strict=True)
    ]
    return (Table("What programs broke on", ["run", *common], rows),)


def _counted(run: RunPool) -> list[Judged]:
    """What the published metric counts, under the run's own rule."""
    return counted(judged(run.records, run.header.rule))


def faults(runs: Runs) -> Table:
    """What differs from the reference's model in the answers that model another problem."""
    rows: list[list[Cell]] = []
    for run in runs:
        wrong = [
            (record.episode.turns[-1].info["equivalence"], record.cluster)
            for record, verdict in _counted(run)
            if error_class_of(verdict) is ErrorClass.MODELLING
            and record.episode.turns
            and record.episode.turns[-1].info.get("equivalence")
        ]
        if not wrong:
            continue
        kinds = [{one["kind"] for one in found.get("faults", ())} for found, _ in wrong]  # type: ignore[union-attr]
        clusters = [cluster for _, cluster in wrong]
        cells = [
            mean_interval([float(kind in mine) for mine in kinds], clusters)
            for kind in DifferenceKind
        ]
        other = mean_interval([float(not mine) for mine in kinds], clusters)
        rows.append([run.label, len(wrong), *cells, other])
    return Table(
        "What is wrong in answers that model another problem",
        ["run", "compared", *(kind.value for kind in DifferenceKind), "built otherwise"],
        rows,
        note="Of the modelling errors whose model was compared with a reference: the share in "
        "which a family or group of rows or columns has that fault. One answer may have "
        "several. `missing` and `extra` are constraint families. Built otherwise: hardly a row "
        "has an equal in the reference, or no difference was found.",
    )


def scales(part: RunPart) -> Sequence[Bars]:
    """Accuracy by the size of the right model, where sizes are known."""
    series = [
        Series(run.label, [measured(run.figures, f"size/{scale}") for scale in SCALES])
        for run in part.pools
        if any(run.figures[f"size/{scale}"].n for scale in SCALES)
    ]
    if not series:
        return ()
    if part.published:
        quoted = [FIGURE_6[scale] for scale in SCALES]
        series.append(Series("MIPLIB-NL, mean of the paper's models (published)", quoted))
    return (
        Bars(
            f"Accuracy by scale{part.end}",
            list(SCALES),
            series,
            unit="variables + constraints",
            high=1.0,
            note="Scale of the reference model, over the items for which it is known."
            + (f" Published: {PAPER}, figure 6." if part.published else ""),
        ),
    )


def classes(runs: Runs) -> Sequence[Heatmap]:
    """Accuracy by problem class and by type, where the dataset has such labels."""
    found = []
    for label, title in (("class", "problem class"), ("type", "type"), ("difficulty", "level")):
        pairs = [_counted(run) for run in runs]
        counts = Counter(r.labels[label] for p in pairs for r, _ in p if r.labels.get(label))
        values = [value for value, _ in counts.most_common(_CLASSES)]
        if len(values) < 2:
            continue
        cells: list[list[float | None]] = [
            [(e.value if (e := accuracy(labelled(p, label, v))).n else None) for v in values]
            for p in pairs
        ]
        names = [run.label for run in runs]
        found.append(Heatmap(f"Accuracy by {title}", names, values, cells))
    return found


def rules(runs: Runs) -> Table:
    """One run under every rule that leaks nothing and was run."""
    ran = [rule for rule in RULES if any(run.figures[f"rule/{rule}"].n for run in runs)]
    rows: list[list[Cell]] = []
    for run in runs:
        f = run.figures
        rows.append([run.label, *(measured(f, f"rule/{rule}") for rule in ran), None])
        ours = [f.get(f"rule/{rule} {OURS}", f[f"rule/{rule}"]) for rule in ran]
        cells: list[Cell] = [e if e.n else None for e in ours]
        rows.append([f"{run.label}, {OURS}", *cells, _value(run, "rule_spread")])
    return Table(
        "The same answers under every rule",
        ["run", *ran, "spread"],
        rows,
        note="Accuracy by the rules of published evaluators, each over the items that its "
        "publisher counts: all with a gold, also that there is none; below it over ours. Spread: "
        "highest less lowest on our items, of the rules that compare solved objectives. "
        "`modelled-1e-6` is the headline without solves that follow from bounds alone or are told "
        "without a model. `stdout-1e-6` takes what was printed, solved or "
        "not. `equivalent` asks for the same model as the reference's, where there is one.",
    )


def leaking(runs: Runs) -> Table:
    """Rules that mend an answer with the gold's help, beside the rule without."""
    compared = (RULES[0], *LEAKING)
    return Table(
        "Rules that leak the gold (for comparison only)",
        ["run", *compared],
        [
            [run.label, *(accuracy(counted(judged(run.records, rule))) for rule in compared)]
            for run in runs
            if run.header.options.get("leaks")
        ],
        note="On a miss these evaluators edit the program and keep what matches the gold.",
    )


def solver(runs: Runs) -> Table:
    """Where objectives were read, how wrong models are wrong, and what solving took."""
    columns = {
        "from_service": "solved by the service",
        "told": "told by a library",
        "trivial": "from bounds alone",
        "contradicted": "said otherwise",
        "flipped": "sign as stated",
        "agrees": "output agrees",
        "under_constrained": "under-constrained",
        "over_constrained": "over-constrained",
        "late_match": "right, but broke off",
        "solves": "solves a program",
        "cached": "solved before",
        "solver_seconds": "solver seconds a program",
    }
    return Table(
        "Models and solver",
        ["run", *columns.values()],
        [[run.label, *(measured(run.figures, key) for key in columns)] for run in runs],
        note="An objective is that of a solve: by ordojo's service, or told by a library in the "
        "program's own process, without its model. From bounds alone: no row takes part, as where "
        "one variable is fixed at the answer. Neither counts under `modelled-1e-6`. Said "
        "otherwise: the last statement is not what any solve gave. Sign as stated: it was solved "
        "with the other sign. Under- and over-constrained: the optimum is better, or worse, than "
        "the gold allows (the paper's figure 16). Solved before: an equal model of the same item "
        "was in the cache.",
    )


def apart(runs: Runs) -> Table:
    """Items that the published metric leaves out."""
    figures = [(run.label, [run.figures[f"apart/{status}"] for status in APART]) for run in runs]
    return Table(
        "Items outside the published metric",
        ["run", *APART],
        [
            [label, *(one if one.n else None for one in found)]
            for label, found in figures
            if any(one.n for one in found)
        ],
        note="Accuracy on items whose gold is that there is no optimum, is open, a ratio or "
        "not known. For infeasible ones the answer is right if its model is infeasible.",
    )


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in a few words: the prompt, and what departs from the paper."""
    usual = Nl2OptOptions().model_dump()
    options = {**usual, **options}
    words = [template_for(str(options["dataset"]), str(options["prompt"]))]
    if options["library"] != "any":
        words.append(str(options["library"]))
    if options["preview"] is not None:
        words.append(f"data shown up to {options['preview']} tokens")
    if options["repair"]:
        words.append(f"up to {options['repair']} repairs")
    if options["temperature"] != usual["temperature"]:
        words.append(f"temperature {options['temperature']}")
    if options["items"]:
        words.append("chosen items")
    if options["solver"] != "open":
        words.append(str(options["solver"]))
    if options["time_limit"] != usual["time_limit"]:
        words.append(f"{options['time_limit']:g} s")
    if options["isolation"] == "unsafe":
        words.append("UNSAFE: programs not contained")
    return ", ".join(words)


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """Everything that the page shows, from runs alone; those that differ in the seed are pooled."""
    if not runs:
        return ()
    pools = shown(runs, setting, metrics)
    beside = [
        part._replace(pools=named(part.pools, setting))
        for part in parted(pools, PROTOCOLS["miplib-nl"])
    ]
    return [
        *filled(warnings(pools)),
        *scores(pools),
        *filled(repaired(pools), curve(pools)),
        outcomes(pools),
        *map(errors, beside),
        *exceptions(pools),
        *filled(faults(pools)),
        *(panel for part in beside for panel in scales(part)),
        *classes(pools),
        rules(pools),
        *filled(leaking(pools)),
        solver(pools),
        *filled(apart(pools)),
        *tables(pools),
    ]


LINES = 400
"""Lines of a program, or of a reference model, that are shown."""

DIFFERS = "first difference"

_PREAMBLE = re.compile(r"\s*(import\b|from\b|\w+\s*=\s*[\w.]*Model\()")


def story(record: SampleRecord, instance: Instance[WordProblem] | None) -> Story | None:
    """How the last program ended, with its output, beside the reference where there is one."""
    if not record.episode.turns:
        return None
    info: Mapping[str, Any] = record.episode.turns[-1].info
    program = info.get("program")
    if not program:
        return Story(f"No program was run: {info.get('program_problem') or 'there is none'}.")
    run, solves = info.get("execution") or {}, info.get("solves") or []
    said = [_ended(run, solves), f"The right answer is {record.gold}."]
    compared = info.get("equivalence")
    if compared and compared.get("detail"):
        words = {"equal": "Its model is the reference's", "different": "Its model is another one"}
        begin = words.get(compared["answer"], "Whether the models are equal is not known")
        said.append(f"{begin}: {compared['detail']}.")
    reference = instance.problem.program if instance is not None else ""
    panels = _output(run)
    if reference.strip():
        panels.insert(0, beside(program, reference))
    elif instance is not None and (file := instance.problem.reference) is not None:
        panels.insert(0, _reference(file.place.read_text("utf-8", errors="replace")))
    return Story(" ".join(said), panels)


def _ended(run: Mapping[str, Any], solves: Sequence[Mapping[str, Any]]) -> str:
    outcome = run.get("outcome", "")
    if outcome != "finished":
        why = " ".join(str(run.get(key) or "") for key in ("exception", "message")).strip()
        return f"The program did not come to its end ({outcome}){': ' if why else ''}{why}."
    if not solves:
        return "The program came to its end without solving a model."
    last = solves[-1]
    size = f"{last.get('rows')} rows and {last.get('columns')} columns"
    if last.get("ending") == "optimal" and last.get("objective") is not None:
        return f"The program solved a model of {size}; its optimum is {last['objective']:,.8g}."
    return f"The program solved a model of {size}, which ended {last.get('ending')}."


def beside(program: str, reference: str) -> Listing:
    """Two programs line by line, alike lines side by side, and the first that differs marked.

    Blank lines, comments and indentation are no difference; imports and the model's own name may be
    one, and are not marked.
    """
    ours, right = ([x for x in text.splitlines() if _said(x)] for text in (program, reference))
    one, other = (list(map(_said, lines)) for lines in (ours, right))
    rows: list[tuple[str, str]] = []
    first = -1
    for what, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        for k in range(max(b - a, d - c)):
            pair = (ours[a + k] if a + k < b else "", right[c + k] if c + k < d else "")
            if what != "equal" and first < 0 and any(x and not _PREAMBLE.match(x) for x in pair):
                first = len(rows)
            rows.append(pair)
    note = "" if first >= 0 else "The two programs say the same, line by line."
    if len(rows) > LINES:
        note = f"{note} The first {LINES} of {len(rows)} lines are shown.".strip()
    marks = {first: DIFFERS} if 0 <= first < LINES else {}
    names = ["the program", "a right program"]
    return Listing("The program beside the reference", names, rows[:LINES], marks, note, code=True)


def _said(line: str) -> str:
    text = line.strip()
    return "" if text.startswith("#") else text


def _reference(text: str) -> Listing:
    lines = text.splitlines()
    note = f"The first {LINES} of {len(lines)} lines are shown." if len(lines) > LINES else ""
    return Listing("The reference model", ["LP file"], [[x] for x in lines[:LINES]], note=note)


_OUTPUTS = (
    ("What the program printed", "stdout"),
    ("Its error output", "stderr"),
    ("The solver's log", "log"),
)


def _output(run: Mapping[str, Any]) -> list[Listing]:
    found = []
    for name, key in _OUTPUTS:
        lines = str(run.get(key) or "").strip().splitlines()
        if lines:
            note = (
                f"The last {LINES} of {len(lines)} lines are shown." if len(lines) > LINES else ""
            )
            found.append(Listing(name, [key], [[line] for line in lines[-LINES:]], note=note))
    return found
