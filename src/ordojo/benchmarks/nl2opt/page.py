"""NL2Opt's page of the report: scores, outcomes, errors, scales, classes, rules, solver, tables."""

from collections.abc import Mapping, Sequence

from ordojo.benchmarks.nl2opt import comparison
from ordojo.benchmarks.nl2opt import panels as drawn
from ordojo.benchmarks.nl2opt.metrics import metrics
from ordojo.benchmarks.nl2opt.prompts import template_for
from ordojo.benchmarks.nl2opt.schema import Nl2OptOptions
from ordojo.core.canonical import Json
from ordojo.core.panels import Panel
from ordojo.core.records import RunView


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in a few words: the prompt, and what departs from the paper."""
    usual = Nl2OptOptions().model_dump()
    options = {**usual, **options}
    words = [template_for(str(options["dataset"]), str(options["prompt"]))]
    if options["library"] != "any":
        words.append(str(options["library"]))
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
    """Everything that the page shows, from runs alone."""
    if not runs:
        return ()
    found = [metrics(run.records, run.header.rule) for run in runs]
    names = _names(runs)
    return [
        *drawn.warnings(runs, names),
        *comparison.scores(runs, names, found),
        *comparison.repaired(runs, names, found),
        *drawn.curve(names, found),
        drawn.outcomes(names, found),
        drawn.errors(names, found),
        *drawn.exceptions(runs, names),
        *drawn.scales(runs, names, found),
        *drawn.classes(runs, names),
        drawn.rules(runs, names, found),
        *drawn.leaking(runs, names),
        drawn.solver(runs, names, found),
        *drawn.apart(runs, names, found),
        *comparison.tables(runs, found),
    ]


def _names(runs: Sequence[RunView]) -> list[str]:
    """Model, dataset and setting, with the run's name where two runs share them."""
    names = [
        f"{run.header.model} · {run.header.dataset['id']} · {setting(run.header.options)}"
        for run in runs
    ]
    return [
        name if names.count(name) == 1 else f"{name} ({run.name})"
        for run, name in zip(runs, names, strict=True)
    ]
