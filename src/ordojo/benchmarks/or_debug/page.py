"""What the report shows of OR-Debug-Bench: tables, the published rows beside them, figures.

A sample's page tells its episode: the model with its conflict, and every step.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ordojo.benchmarks.or_debug import published
from ordojo.benchmarks.or_debug.actions import REPAIR, Action, ActionKind, parse_action
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.judges import (
    KINDS,
    LEVELS,
    RANGES,
    K,
    calibrate,
    level,
    metrics,
    patterns,
)
from ordojo.benchmarks.or_debug.outcome import differences
from ordojo.benchmarks.or_debug.published import PAPER
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import DIFFICULTY, TYPES, Debugging, OrDebugOptions
from ordojo.core.canonical import Json
from ordojo.core.instance import Instance
from ordojo.core.panels import Cell, Heatmap, Listing, Panel, Plot, Story, Table, filled
from ordojo.core.records import RunView, SampleRecord
from ordojo.core.selection import Protocol, RunPart, RunPool, labels, parted, pooled, run_table
from ordojo.core.statistics import Estimate, measured
from ordojo.milp.algebra import bound_text, objective_text, row_text
from ordojo.milp.model import Model

LINES = 100
"""Lines of a model that are shown beside those that the story is about: two screens."""

NAMES = 6
"""Names that a cell lists; the rest is counted."""


def story(record: SampleRecord, instance: Instance[Debugging] | None) -> Story | None:
    """The episode step by step; with the instance, the algebra and the distance from the truth."""
    infos: list[Mapping[str, Any]] = [turn.info for turn in record.episode.turns]
    if not infos or "final" not in infos[-1]:
        return None
    problem = None if instance is None else instance.problem
    start = None if problem is None else problem.model
    right = problem.original_model if problem is not None and problem.original else None
    rows: list[list[str]] = []
    marks: dict[int, str] = {}
    model = start
    for place, turn in enumerate(record.episode.turns):
        info, before = turn.info, model
        asked = parse_action(turn.reply, start)
        model = _after(model, start, asked, info)
        rows.append(
            [
                f"{place + 1}. {_asked(asked, info)}",
                _solver(info),
                _changed(before, model, info),
                *([_apart(model, right, info)] if right is not None else ()),
            ]
        )
        if not info["valid"]:
            marks[place] = "refused"
        elif info["status"] == "OPTIMAL":
            marks[place] = "solved"
    columns = ["action", "the solver said", "what changed"]
    columns += ["unlike the true model"] if right is not None else []
    steps = Listing("Step by step", columns, rows, marks)
    said = _ending(infos[-1], len(infos), record.gold, problem)
    if problem is None or start is None:
        return Story(said, [steps])
    conflict, rest = _model(problem, start, right)
    return Story(said, [conflict, steps, rest])


def _after(
    model: Model | None, start: Model | None, asked: object, info: Mapping[str, Any]
) -> Model | None:
    """The model after a turn; None from where it cannot be told from the record."""
    kind = info["action"]
    if model is None or not info["valid"] or kind not in {*REPAIR, ActionKind.RESTART, "PROGRAM"}:
        return model
    if kind == ActionKind.RESTART:
        return start
    if not isinstance(asked, Action) or asked.kind != kind:
        return None
    after = apply_action(model, asked)
    return after if isinstance(after, Model) else None


def _asked(asked: object, info: Mapping[str, Any]) -> str:
    if isinstance(asked, Action) and asked.kind == info["action"]:
        return str(asked)
    if info["action"] is None:
        return "no action was read"
    return f"{info['action']}({info['target']})" if info["target"] else str(info["action"])


def _solver(info: Mapping[str, Any]) -> str:
    if not info["valid"]:
        return f"not possible: {info['reason']}"
    if info["objective"] is not None:
        return f"{info['status']}, objective {info['objective']:.10g}"
    conflict = [*info["iis"], *info["iis_bounds"]]
    return (
        f"{info['status']}, a conflict of {len(conflict)}: {_some(conflict)}"
        if conflict
        else str(info["status"])
    )


def _changed(before: Model | None, after: Model | None, info: Mapping[str, Any]) -> str:
    if "changed" in info:
        return _some(info["changed"]) or "nothing"
    if not info["valid"] or info["action"] not in {*REPAIR, ActionKind.RESTART}:
        return "nothing"
    if info["action"] == ActionKind.RESTART:
        return "all as at the start"
    if before is None or after is None:
        return "not known"
    old, new = _element(before, info["target"]), _element(after, info["target"])
    return f"{old}\nbecomes\n{new}"


def _element(model: Model, name: str) -> str:
    """An element's algebra: a row's, or that of the column whose bound or type it is."""
    element = find_element(model, name)
    if element is None:
        return name
    if element.part is not ElementKind.ROW:
        return bound_text(model, element.number)
    return row_text(model, element.number) if model.is_live(element.number) else "(no row)"


def _apart(model: Model | None, right: Model, info: Mapping[str, Any]) -> str:
    if model is None and "final" not in info:
        return "not known"
    names = info["final"]["drift"]["changed"] if model is None else differences(model, right)
    return f"{len(names)}: {_some(names)}" if names else "nothing"


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMES
    return ", ".join(names[:NAMES]) + (f" and {more} more" if more > 0 else "")


def _model(problem: Debugging, model: Model, right: Model | None) -> tuple[Listing, Listing]:
    """What is in the conflict or wrong in the model as it was given, and the rest of it."""
    conflict = {*problem.iis_rows, *problem.iis_bounds}
    wrong = set(differences(model, right)) if right is not None else set()
    rows = {name: [name] for i, name in enumerate(model.row_names) if model.is_live(i)}
    columns = {
        name: [f"{name}.{part}" for part in ("lb", "ub", "type")] for name in model.col_names
    }
    # A row that was taken out of the true model is in neither.
    known = {name for names in (*rows.values(), *columns.values()) for name in names}
    lines = [*rows.items(), *columns.items(), *((name, [name]) for name in sorted(wrong - known))]
    told: list[list[str]] = []
    rest = [["objective", objective_text(model)]]
    marks: dict[int, str] = {}
    for name, names in lines:
        kinds = {"in the conflict": conflict, "wrong": wrong}
        why = [kind for kind, there in kinds.items() if not there.isdisjoint(names)]
        text = _element(model, names[0])
        if why:
            marks[len(told)] = ", ".join(why)
            true = _element(right, names[0]) if right is not None and "wrong" in why else ""
            told.append([name, text, *([true] if right is not None else ())])
        else:
            rest.append([name, text])
    shown = ["name", "algebra", *(["in the true model"] if right is not None else ())]
    more = len(rest) - LINES
    note = f"{more} more lines are left out." if more > 0 else ""
    return (
        Listing("What contradicts itself", shown, told, marks),
        Listing("The rest of the model", shown[:2], rest[:LINES], note=note),
    )


def _ending(info: Mapping[str, Any], turns: int, gold: object, problem: Debugging | None) -> str:
    final = info["final"]
    steps = f"{turns} {'turn' if turns == 1 else 'turns'}"
    said = [f"The episode ended {final['status']} after {steps}."]
    if final["objective"] is not None:
        said = [f"After {steps} the model was {final['status']} at {final['objective']:.10g}."]
    if problem is not None and problem.original:
        said.append(f"The true model's optimum is {problem.objective:.10g}.")
    changed = final.get("drift", {}).get("changed", ())
    if final["status"] == "OPTIMAL" and not final.get("drift", {}).get("unknown"):
        said.append(
            f"It is unlike the true model in {_some(changed)}."
            if changed
            else "It says what the true model says."
        )
    if isinstance(gold, list) and gold:
        said.append(f"What restores the true model: {'; '.join(map(str, gold))}.")
    return " ".join(said)


Figures = Mapping[str, Estimate]


def curve(part: RunPart, labels: Sequence[str], found: Sequence[Figures]) -> Plot:
    """RR@k for k = 1 to 20, a line a run, with the points that the paper gives."""
    ours = [
        (label, [(float(k), f[f"rr@{k}"].value) for k in range(1, K + 1)])
        for label, f in zip(labels, found, strict=True)
        if f["rr@1"].n
    ]
    rates = [s.rr_at_5 for s in published.table32()]
    span = ((5.0, min(rates)), (5.0, max(rates)))
    quoted = [*published.CURVES.items(), ("lowest to highest of 30 (published)", span)]
    source = f" Published points: {PAPER}, section 5.5 and tables 11 and 32."
    return Plot(
        f"RR@k{part.end}",
        "k, counted steps",
        "RR@k",
        [*ours, *(quoted if part.published else ())],
        kind="lines",
        note="Full successes within k counted steps, the layout of the paper's figure 5."
        + (source if part.published else ""),
    )


def attempts(labels: Sequence[str], found: Sequence[Figures]) -> Plot:
    """Success within k attempts, for runs of several epochs."""
    series = [
        (label, [(float(k), f[f"attempts@{k}"].value) for k in range(1, 1 + _tries(f))])
        for label, f in zip(labels, found, strict=True)
        if _tries(f)
    ]
    return Plot(
        "Several attempts",
        "attempts",
        "solved by one of them",
        series,
        kind="lines",
        note="The multi-attempt protocol (algorithm 2) over the epochs of a run: the chance "
        "that one of k attempts is a full success, over all choices of k among those made.",
    )


def _tries(figures: Figures) -> int:
    return sum(name.startswith("attempts@") for name in figures)


def by_type(part: RunPart, labels: Sequence[str], found: Sequence[Figures]) -> Heatmap:
    """RR@5 of every run on every error type."""
    known = [[measured(f, f"rr@5/{kind}") for kind in TYPES] for f in found]
    values: list[list[float | None]] = [
        [one.value if one else None for one in row] for row in known
    ]
    quoted = ["mean of 26 models"] if part.published else []
    return Heatmap(
        f"RR@5 by error type{part.end}",
        [*labels, *quoted],
        [f"{kind} {name}" for kind, name in TYPES.items()],
        [*values, *([published.BY_TYPE[kind] for kind in TYPES] for _ in quoted)],
        note=f"Published row: {PAPER}, table 39." if quoted else "",
        published=frozenset({len(labels)} if quoted else ()),
    )


def by_level(part: RunPart, labels: Sequence[str], found: Sequence[Figures]) -> Table:
    """RR@5 of every run on every level, and on LPs and MIPs apart."""
    parts = [*LEVELS, *KINDS]
    rows: list[list[Cell]] = [
        [label, *(measured(f, f"rr@5/{part}") for part in parts)]
        for label, f in zip(labels, found, strict=True)
    ]
    quoted: list[Cell] = ["mean of 26 models", *published.BY_LEVEL.values(), None, None]
    return Table.quoting(
        f"RR@5 by difficulty and kind of model{part.end}",
        ["run", *parts],
        rows,
        [quoted] if part.published else (),
        "Levels are the paper's (table 7)."
        + (f" Published row: {PAPER}, table 39." if part.published else ""),
    )


def curve_by_level(
    part: RunPart, labels: Sequence[str], found: Sequence[Figures]
) -> Sequence[Plot]:
    """RR@k of every run on every level that it was asked."""
    series = [
        (f"{label}, {level}", [(float(k), f[f"rr@{k}/{level}"].value) for k in range(1, K + 1)])
        for label, f in zip(labels, found, strict=True)
        for level in LEVELS
        if f[f"rr@1/{level}"].n
    ]
    if not series:
        return ()
    low, high = published.GAINS["easy"], published.GAINS["hard"]
    note = "Full successes within k counted steps, by the levels of table 7."
    if part.published:
        note += (
            f" From k = 1 to 5 the paper has {high:+.1%} on hard and {low:+.1%} on easy problems "
            f"({PAPER}, section 5.5)."
        )
    title = f"RR@k by difficulty{part.end}"
    return [Plot(title, "k, counted steps", "RR@k", series, kind="lines", note=note)]


def luck(part: RunPart, labels: Sequence[str], found: Sequence[Figures]) -> Plot:
    """RR@5 against DA, a point a run."""
    known = [(label, f) for label, f in zip(labels, found, strict=True) if f["da"].n]
    quoted = [
        (f"{name} (published)", [(s.da, s.rr_at_5) for s in published.table32() if s.kind == kind])
        for kind, name in (("Local", "8 models trained for it"), ("API", "22 models of an API"))
    ]
    ours = [(label, [(f["da"].value, f["rr@5"].value)]) for label, f in known]
    return Plot(
        f"RR@5 against DA{part.end}",
        "DA",
        "RR@5",
        [*ours, *(quoted if part.published else ())],
        note="High RR@5 at low DA is repair without a diagnosis."
        + (f" Published points: {PAPER}, tables 11 and 32." if part.published else ""),
    )


def optimality(labels: Sequence[str], found: Sequence[Figures]) -> Sequence[Plot]:
    """OP against DA, a point a run."""
    kept = [
        (label, [(f["da"].value, f["op"].value)])
        for label, f in zip(labels, found, strict=True)
        if f["da"].n and f["op"].n
    ]
    note = "OP is over episodes that end OPTIMAL; the paper gives none for its models."
    return [Plot("OP against DA", "DA", "OP", kept, note=note)] if kept else []


def failures(part: RunPart, labels: Sequence[str]) -> Table:
    """How many failures of every run show each pattern."""
    counted = [patterns(run.records, run.header.rule) for run in part.pools]
    names = [*published.FAILURES, *(n for n in patterns([], "") if n not in published.FAILURES)]
    rows: list[list[Cell]] = [
        [label, sum(counts.values()), *(counts[name] for name in names)]
        for label, counts in zip(labels, counted, strict=True)
    ]
    quoted: list[Cell] = ["Qwen3-8B-GRPO", 100, *(published.FAILURES.get(name) for name in names)]
    return Table.quoting(
        f"Why episodes failed{part.end}",
        ["run", "failures", *names],
        rows,
        [quoted] if part.published else (),
        "Episodes that fail under the run's headline rule, each counted once, by the first "
        "pattern that fits. The first five names are the paper's, the tests are ours."
        + (f" Published row: {PAPER}, table 35, a sample of 100." if part.published else ""),
    )


_SCRIPTED = frozenset(
    f"ordojo/{name}"
    for name in ("gold", "noop", "random", "drop-everything", "greedy-iis", "elastic", "heuristic")
)


def calibration(runs: Sequence[RunView], found: Sequence[Figures]) -> Sequence[Table]:
    """C.11 on the mean of the language models' runs; nothing where they lack a type."""
    models = [f for run, f in zip(runs, found, strict=True) if run.header.model not in _SCRIPTED]
    whole = [f for f in models if all(f[f"rr@5/{kind}"].n for kind in TYPES)]
    if not whole:
        return ()
    rates = {kind: sum(f[f"rr@5/{kind}"].value for f in whole) / len(whole) for kind in TYPES}
    result = calibrate(rates)
    types: list[list[Cell]] = []
    for kind, rate in rates.items():
        said: list[Cell] = [f"{kind} {TYPES[kind]}", DIFFICULTY[kind], published.BY_TYPE[kind]]
        types.append([*said, rate, level(rate), result.levels[kind]])
    levels: list[list[Cell]] = []
    for name, (low, high) in RANGES.items():
        ways = DIFFICULTY, result.levels
        paper, ours = (", ".join(kind for kind in TYPES if way[kind] == name) for way in ways)
        span, said_rate = f"{low:.0%} to {high:.0%}", published.BY_LEVEL.get(name)
        levels.append([name, span, paper, said_rate, ours, result.means.get(name)])
    return [
        Table(
            "Difficulty, measured",
            ["type", "paper's level", "paper's RR@5", "RR@5", "its level", "after calibration"],
            types,
            note=f"RR@5: mean over {len(whole)} runs of language models. After calibration: levels "
            "regrouped until each level's mean lies in its range (C.11), "
            f"{result.rounds} rounds. Paper's RR@5: {PAPER}, table 39.",
        ),
        Table(
            "Difficulty levels",
            ["level", "target RR@5", "paper's types", "paper's RR@5", "types", "RR@5"],
            levels,
            note=f"Targets and published figures: {PAPER}, table 24.",
        ),
    ]


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

_FREE = ("isolation", "reward", "labels", "time_limit")
"""What does not depart from the paper: containment, what training pays and reads, patience."""

PROTOCOL = Protocol.of(published.DATASET, OrDebugOptions(), _FREE)
"""Under what tables 11, 32, 33, 35 and 39 were made."""


def _compared(*free: str) -> Protocol:
    return replace(Protocol.of(published.DATASET, OrDebugOptions(), [*free, *_FREE]), sample=200)


COMPARED: Mapping[str, tuple[Protocol, int]] = {
    "Retrieval": (_compared("rag", "k"), 34),
    "Chain of thought without examples": (_compared("prompt"), 41),
    "Examples in the prompt": (_compared("shots", "examples"), 42),
    "Prompting against training": (_compared("prompt", "shots", "examples"), 43),
}
"""Panels of one table each: what is free is its rows, the protocol itself is the baseline.

The paper asked 200 instances: as large a sample, or all of them, stand beside it."""


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in a few words: prompt and shots, and what departs from the paper."""
    usual = OrDebugOptions().model_dump()
    options = {**usual, **options}
    actions = options["answer"] == "actions"
    words = (
        [str(options["prompt"]), f"{options['shots']}-shot"]
        if actions
        else [str(options["answer"])]
    )
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
            curve(part, own, found),
            by_type(part, own, found),
            by_level(part, own, found),
            *curve_by_level(part, own, found),
            luck(part, own, found),
            failures(part, own),
            *_tokens(part, found),
            *(calibration(part.pools, found) if part.published else ()),
        ]
    found, own = [*known.values()], labels(pools, setting)
    return [
        *shown,
        *filled(attempts(own, found)),
        *optimality(own, found),
        *(_table(title, columns, pools, found, note) for title, columns, note in _MORE),
        *_settings(pools, known),
    ]


_table = partial(run_table, setting)

_MAIN = {"rr": "RR", "rr@5": "RR@5", "da": "DA", "op": "OP", "steps": "steps"}


def _quoted(rows: Sequence[published.Scores]) -> list[list[Cell]]:
    return [[s.model, s.source, s.rr, s.rr_at_5, s.da, None, s.steps] for s in rows]


def _scores(part: RunPart, found: Sequence[Figures]) -> Table:
    source = f" Published rows: {PAPER}, tables 32 and 11, on the authors' own 450 items, which "
    return _table(
        f"Recovery, diagnosis and optimality{part.end}",
        _MAIN,
        part.pools,
        found,
        "RR: the model ends OPTIMAL with OP > 0.8. RR@5: with OP > 0.95, within 5 counted steps. "
        "DA: share of the recorded IIS, or of what is silently wrong, that was named. "
        "OP: 1 - |change of optimum| / |optimum|, over episodes that end OPTIMAL, as are steps."
        + (f"{source}are not public." if part.published else ""),
        _quoted(published.table32()) if part.published else (),
    )


_MORE = (
    (
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
        "DA: share of the recorded IIS among the elements named, the paper's; precision: share of "
        "the named ones that lie in it. A model can have several IISs: beside DA stands the best "
        "over those verified. What is named is the diagnosis, or, where none was given, what the "
        "repairs acted on.",
    ),
    (
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
        "A repair can make a model feasible and change what it means. Of the episodes that end "
        "OPTIMAL: how many drifted, as a point is allowed by the repaired model or by the original "
        "alone; in how many the original optimum no longer fits, the new one would not fit the "
        "original model, or an element was changed that was never sabotaged. Where neither a point "
        "nor a proof was found it is not known, and not counted in the other columns. "
        "The first two columns are over all episodes.",
    ),
)
"""Tables of all runs: title, figures, note."""


def _tokens(part: RunPart, found: Sequence[Figures]) -> Sequence[Table]:
    used = [pair for pair in zip(part.pools, found, strict=True) if "tokens" in pair[1]]
    if not used and not part.published:
        return ()
    quoted: list[list[Cell]] = [
        [model, "table 33", tokens, None, steps, per_success]
        for model, tokens, steps, per_success in (published.TOKENS if part.published else ())
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
    for title, (how, number) in COMPARED.items():
        chosen = [pool for pool in pools if how.fits(pool)]
        if any(not PROTOCOL.asked(pool.header) for pool in chosen):
            found.append(
                _table(
                    title,
                    _MAIN,
                    chosen,
                    [known[id(pool)] for pool in chosen],
                    f"Published rows: {PAPER}, table {number}, on 200 samples.",
                    _quoted([*published.read_table(number)]),
                )
            )
    return found
