"""`ordojo list`, `verify`, and `hardness`: how far one gets on a benchmark without reading."""

import click

from ordojo.api import benchmarks
from ordojo.cli.made import made
from ordojo.core.hardness import Hardness
from ordojo.core.statistics import Estimate


def _told(found: Hardness) -> str:
    battery = found.battery
    lines = [
        f"{found.benchmark} v{found.version} on {found.dataset}: {found.items:,} instances, "
        f"{battery.metric}; guessers are fitted to {found.fitted_on}"
    ]
    width = max((len(s.name) for s in battery.shortcuts), default=0)
    for s in battery.shortcuts:
        others = "".join(f"  {name} {_spelt(score)}" for name, score in s.also.items())
        mark = "guesser " if s.fitted else "shortcut"
        lines.append(f"  {s.name:<{width}}  {mark}  {_interval(s.score)}{others}  {s.exploits}")
    for finding in battery.findings:
        lines.append(f"  {finding.name}: {finding.count:,} of {finding.of:,} ({finding.says})")
    return "\n".join([*lines, *([str(found)] if found.line[0] else [])])


def _spelt(score: Estimate) -> str:
    return "-" if score.value != score.value else f"{score.value:.3f}"


def _interval(score: Estimate) -> str:
    return f"{_spelt(score)} [{score.low:.3f}, {score.high:.3f}]" if score.n else "-"


hardness = made(
    benchmarks.hardness,
    doing="measuring {target} without reading",
    example="hardness orqa -T dataset=orqa@ordojo",
    metavars={"train": "FILE"},
    types={"target": click.STRING},
    without=["seed"],
    show=_told,
)


verify = made(
    benchmarks.verify,
    doing="verifying {path}",
    example="verify items.jsonl",
    flags={"on": ["--on"]},
    metavars={"path": "FILE"},
    show=benchmarks.Verification.text,
    plain=lambda found: {
        "file": str(click.get_current_context().params["path"]),
        **found.to_json(),
    },
    code=lambda found: int(not found.holds),
    also="Exit code 1: one does not hold.",
)
list_command = made(
    benchmarks.catalogue,
    "list",
    doing="",
    example="list",
    show=benchmarks.Catalogue.text,
)
