"""OR-Debug-Bench's page of the report: recovery, types, diagnosis, failures, tokens, levels."""

from collections.abc import Callable, Mapping, Sequence

from ordojo.benchmarks.or_debug import charts, published
from ordojo.benchmarks.or_debug.metrics import metrics
from ordojo.benchmarks.or_debug.published import DATASET, PAPER, Scores
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.core.canonical import Json
from ordojo.core.panels import Cell, Panel, Table
from ordojo.core.records import RunView
from ordojo.core.selection import Protocol, RunPart, RunPool, described, labels, parted, pooled
from ordojo.core.statistics import NOTHING, Estimate

SETS = {"eval": "", "train": "training set", "rl": "RL set"}
"""What the sets are called; the others by their own names."""

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

_FREE = ("isolation", "reward", "time_limit")
"""What does not depart from the paper: containment, what training pays, a solver's patience."""

PROTOCOL = Protocol.of(DATASET, OrDebugOptions(), _FREE)
"""Under what tables 11, 32, 33, 35 and 39 were made."""

RETRIEVAL = Protocol.of(DATASET, OrDebugOptions(), ["rag", "k", *_FREE])
PROMPTING = Protocol.of(DATASET, OrDebugOptions(), ["prompt", "shots", "examples", *_FREE])
"""Tables 34 and 41 to 43: what is free is their rows, and the protocol itself is the baseline."""

Figures = Mapping[str, Estimate]


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in a few words: prompt and shots, and what departs from the paper."""
    usual = OrDebugOptions().model_dump()
    options = {**usual, **options}
    actions = options["answer"] == "actions"
    words = [str(options["prompt"]), f"{options['shots']}-shot"] if actions else ["program"]
    if options["rag"] != "none":
        words.append(f"{options['rag']}, k={options['k']}")
    asked = str(options["set"])
    words.append("own instances" if options["instances"] else SETS.get(asked, asked))
    words += [
        say(options[name]) for name, say in DEPARTURES.items() if options[name] != usual[name]
    ]
    return ", ".join(word for word in words if word)


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """Everything that the page shows, from runs alone.

    Runs that differ in the seed alone are pooled. Runs that depart from the paper's protocol stand
    in panels of their own, without the published figures.
    """
    pools = pooled(runs)
    known = {id(pool): metrics(pool.records, pool.header.rule) for pool in pools}
    shown: list[Panel] = []
    for part in parted(pools, PROTOCOL):
        own = labels(part.pools, setting)
        found = [known[id(pool)] for pool in part.pools]
        shown += [
            _scores(part, found),
            charts.curve(part, own, found),
            charts.by_type(part, own, found),
            charts.by_level(part, own, found),
            *charts.curve_by_level(part, own, found),
            charts.luck(part, own, found),
            charts.failures(part, own),
            *_tokens(part, found),
            *(charts.calibration(part.pools, found) if part.published else ()),
        ]
    found, own = [*known.values()], labels(pools, setting)
    return [
        *shown,
        *charts.attempts(own, found),
        *charts.optimality(own, found),
        _diagnosis(pools, found),
        _drift(pools, found),
        *_settings(pools, known),
    ]


def _table(
    title: str,
    columns: Mapping[str, str],
    runs: Sequence[RunPool],
    found: Sequence[Figures],
    note: str,
    quoted: Sequence[Sequence[Cell]] = (),
) -> Table:
    """A row a run with the named figures under their headings, and quoted rows below."""
    rows: list[Sequence[Cell]] = [
        [
            run.header.model,
            described(run, setting(run.header.options)),
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


def _scores(part: RunPart, found: Sequence[Figures]) -> Table:
    source = f" Published rows: {PAPER}, tables 32 and 11, on the authors' own 450 items, which "
    return _table(
        f"Recovery, diagnosis and optimality{part.end}",
        _MAIN,
        part.pools,
        found,
        "RR: the model ends OPTIMAL with OP > 0.8. RR@5: with OP > 0.95, within 5 counted steps. "
        "DA: share of the recorded IIS that was named. OP: 1 - |change of optimum| / |optimum|, "
        "over episodes that end OPTIMAL, as are steps."
        + (f"{source}are not public." if part.published else ""),
        _quoted(published.table32()) if part.published else (),
    )


def _diagnosis(runs: Sequence[RunPool], found: Sequence[Figures]) -> Table:
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


def _drift(runs: Sequence[RunPool], found: Sequence[Figures]) -> Table:
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


def _tokens(part: RunPart, found: Sequence[Figures]) -> Sequence[Table]:
    used = [pair for pair in zip(part.pools, found, strict=True) if "tokens" in pair[1]]
    if not used and not part.published:
        return ()
    quoted: list[list[Cell]] = [
        [t.model, "table 33", t.tokens, None, t.steps, t.per_success]
        for t in (published.TOKENS if part.published else ())
    ]
    return [
        _table(
            f"Tokens{part.end}",
            {
                "tokens": "tokens an episode",
                "output_tokens": "of them written",
                "steps": "steps",
                "tokens_per_success": "tokens a success",
            },
            [run for run, _ in used],
            [f for _, f in used],
            "Read and written, of runs that report them; a success is full and within 5 counted "
            "steps." + (f" Published rows: {PAPER}, table 33." if part.published else ""),
            quoted,
        )
    ]


def _settings(pools: Sequence[RunPool], known: Mapping[int, Figures]) -> Sequence[Table]:
    """Our retrieval and prompting runs beside the paper's, with what they are compared to."""
    found = []
    for title, how, quoted, source in (
        ("Retrieval", RETRIEVAL, published.RETRIEVAL, "table 34"),
        ("Prompting", PROMPTING, published.PROMPTING, "tables 41 to 43"),
    ):
        chosen = [pool for pool in pools if how.fits(pool)]
        if any(not PROTOCOL.fits(pool) for pool in chosen):
            found.append(
                _table(
                    title,
                    _MAIN,
                    chosen,
                    [known[id(pool)] for pool in chosen],
                    f"Published rows: {PAPER}, {source}, on 200 samples.",
                    _quoted(quoted),
                )
            )
    return found
