"""NL2Opt's page of the report: scores, outcomes, errors, scales, classes, rules, solver, tables."""

from collections.abc import Mapping, Sequence

from ordojo.benchmarks.nl2opt import panels as drawn
from ordojo.benchmarks.nl2opt.metrics import metrics
from ordojo.benchmarks.nl2opt.prompts import template_for
from ordojo.benchmarks.nl2opt.schema import Nl2OptOptions
from ordojo.core.canonical import Json
from ordojo.core.panels import Panel, filled
from ordojo.core.records import RunView
from ordojo.core.selection import labels, parted, pooled


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
    pools = pooled(runs)
    found = [metrics(run.records, run.header.rule) for run in pools]
    known = dict(zip(map(id, pools), found, strict=True))
    names = labels(pools, setting)
    beside = [
        (part, labels(part.pools, setting), [known[id(run)] for run in part.pools])
        for part in parted(pools, drawn.PROTOCOLS["miplib-nl"])
    ]
    return [
        *filled(drawn.warnings(pools, names)),
        *drawn.scores(pools, found, setting),
        *filled(drawn.repaired(pools, names, found), drawn.curve(names, found)),
        drawn.outcomes(names, found),
        *(drawn.errors(*one) for one in beside),
        *drawn.exceptions(pools, names),
        *filled(drawn.faults(pools, names)),
        *(panel for one in beside for panel in drawn.scales(*one)),
        *drawn.classes(pools, names),
        drawn.rules(pools, names, found),
        *filled(drawn.leaking(pools, names)),
        drawn.solver(pools, names, found),
        *filled(drawn.apart(pools, names, found)),
        *drawn.tables(pools, found),
    ]
