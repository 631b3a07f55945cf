"""OR-Debug-Bench's page of the report: recovery, types, diagnosis, failures, tokens, levels."""

from collections.abc import Callable, Mapping, Sequence

from ordojo.benchmarks.or_debug import charts, published
from ordojo.benchmarks.or_debug.metrics import metrics
from ordojo.benchmarks.or_debug.published import PAPER, Scores
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.core.canonical import Json
from ordojo.core.panels import Cell, Panel, Table
from ordojo.core.records import RunView
from ordojo.core.statistics import NOTHING, Estimate

SETS = {"eval": "", "train": "training set", "rl": "RL set"}

DEPARTURES: Mapping[str, Callable[[Json], str]] = {
    "examples": lambda value: f"{value} examples",
    "history": lambda value: "state each turn",
    "end": lambda value: "ends at SUBMIT",
    "count": lambda value: "every action counts",
    "iis": lambda value: "IIS with bounds",
    "oracle": lambda value: str(value),
    "isolation": lambda value: f"isolation {value}",
    "simulate": lambda value: "simulated",
    "max_steps": lambda value: f"{value} steps",
}
"""How settings that are not the paper's are called."""

Figures = Mapping[str, Estimate]


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in a few words: prompt and shots, and what departs from the paper."""
    usual = OrDebugOptions().model_dump()
    options = {**usual, **options}
    actions = options["answer"] == "actions"
    words = [str(options["prompt"]), f"{options['shots']}-shot"] if actions else ["program"]
    if options["rag"] != "none":
        words.append(f"{options['rag']}, k={options['k']}")
    words.append("own instances" if options["instances"] else SETS[str(options["set"])])
    words += [
        say(options[name]) for name, say in DEPARTURES.items() if options[name] != usual[name]
    ]
    return ", ".join(word for word in words if word)


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """Everything that the page shows, from runs alone."""
    found = [metrics(run.records, run.header.rule) for run in runs]
    labels = _labels(runs)
    return [
        _scores(runs, found),
        charts.curve(labels, found),
        *charts.attempts(labels, found),
        charts.by_type(labels, found),
        charts.by_level(labels, found),
        *charts.curve_by_level(labels, found),
        _diagnosis(runs, found),
        *charts.plots(labels, found),
        charts.failures(labels, runs),
        _drift(runs, found),
        _tokens(runs, found),
        *_settings(runs, found),
        *charts.calibration(runs, found),
    ]


def _labels(runs: Sequence[RunView]) -> list[str]:
    """Model and setting, with the run's name where two runs share them."""
    labels = [f"{run.header.model} · {setting(run.header.options)}" for run in runs]
    return [
        label if labels.count(label) == 1 else f"{label} ({run.name})"
        for run, label in zip(runs, labels, strict=True)
    ]


def _table(
    title: str,
    columns: Mapping[str, str],
    runs: Sequence[RunView],
    found: Sequence[Figures],
    note: str,
    quoted: Sequence[Sequence[Cell]] = (),
) -> Table:
    """A row a run with the named figures under their headings, and quoted rows below."""
    rows: list[Sequence[Cell]] = [
        [
            run.header.model,
            setting(run.header.options),
            *(None if not (e := figures.get(name, NOTHING)).n else e for name in columns),
        ]
        for run, figures in zip(runs, found, strict=True)
    ]
    return Table(
        title,
        ["model", "setting", *columns.values()],
        [*rows, *quoted],
        note=note,
        published=frozenset(range(len(rows), len(rows) + len(quoted))),
    )


_MAIN = {"rr": "RR", "rr@5": "RR@5", "da": "DA", "op": "OP", "steps": "steps"}


def _quoted(rows: Sequence[Scores]) -> list[list[Cell]]:
    return [[s.model, s.source, s.rr, s.rr_at_5, s.da, None, s.steps] for s in rows]


def _scores(runs: Sequence[RunView], found: Sequence[Figures]) -> Table:
    return _table(
        "Recovery, diagnosis and optimality",
        _MAIN,
        runs,
        found,
        "RR: the model ends OPTIMAL with OP > 0.8. RR@5: with OP > 0.95, within 5 counted steps. "
        "DA: share of the recorded IIS that was named. OP: 1 - |change of optimum| / |optimum|, "
        f"over episodes that end OPTIMAL, as are steps. Published rows: {PAPER}, tables 32 and "
        "11, on the authors' own 450 items, which are not public.",
        _quoted(published.table32()),
    )


def _diagnosis(runs: Sequence[RunView], found: Sequence[Figures]) -> Table:
    return _table(
        "Diagnosis",
        {
            "da": "DA",
            "da_precision": "precision",
            "da_verified": "DA, any IIS",
            "named": "sabotaged element named",
            "touched": "sabotaged elements repaired",
            "diagnostics": "diagnostic actions",
            "invalid_rate": "invalid actions",
        },
        runs,
        found,
        "DA: share of the recorded IIS among the elements named, the paper's; precision: share of "
        "the named ones that lie in it. A model can have several IISs: beside DA stands the best "
        "over those verified. What is named is the diagnosis, or, where none was given, what the "
        "repairs acted on.",
    )


def _drift(runs: Sequence[RunView], found: Sequence[Figures]) -> Table:
    return _table(
        "Semantic drift",
        {
            "full": "full success",
            "no_drift": "full, no drift",
            "drift": "drifted",
            "cut_off": "original optimum cut off",
            "relaxed": "original limits broken",
            "collateral": "sound elements changed",
            "drift_unknown": "not known",
        },
        runs,
        found,
        "A repair can make a model feasible and change what it means. Of the episodes that end "
        "OPTIMAL: how many drifted; in how many the original optimum no longer fits, the new one "
        "would not fit the original model, or an element was changed that was never sabotaged. "
        "A whole program has drifted, too, where the comparison of models shows another problem; "
        "where nothing could be shown, it is not known, and not counted in the other columns. "
        "The first two columns are over all episodes.",
    )


def _tokens(runs: Sequence[RunView], found: Sequence[Figures]) -> Table:
    used = [pair for pair in zip(runs, found, strict=True) if "tokens" in pair[1]]
    quoted: list[list[Cell]] = [
        [t.model, "table 33", t.tokens, None, t.steps, t.per_success] for t in published.TOKENS
    ]
    return _table(
        "Tokens",
        {
            "tokens": "tokens an episode",
            "output_tokens": "of them written",
            "steps": "steps",
            "tokens_per_success": "tokens a success",
        },
        [run for run, _ in used],
        [f for _, f in used],
        "Read and written, of runs that report them; a success is full and within 5 counted "
        f"steps. Published rows: {PAPER}, table 33.",
        quoted,
    )


def _settings(runs: Sequence[RunView], found: Sequence[Figures]) -> Sequence[Table]:
    """Our retrieval and prompting runs beside the paper's, for the settings that were run."""
    retrieval, prompting = [], []
    for run, figures in zip(runs, found, strict=True):
        options = OrDebugOptions.model_validate(dict(run.header.options))
        if options.rag != "none":
            retrieval.append((run, figures))
        elif options.prompt == "cot" or options.shots:
            prompting.append((run, figures))
    return [
        _table(
            title,
            _MAIN,
            [run for run, _ in chosen],
            [figures for _, figures in chosen],
            f"Published rows: {PAPER}, {source}, on 200 samples.",
            _quoted(quoted),
        )
        for title, chosen, quoted, source in (
            ("Retrieval", retrieval, published.RETRIEVAL, "table 34"),
            ("Prompting", prompting, published.PROMPTING, "tables 41 to 43"),
        )
        if chosen
    ]
