"""`ordojo hardness`: how far one gets on a benchmark without reading."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import RunsPath, parse_settings

if TYPE_CHECKING:
    from ordojo.core.hardness import Hardness
    from ordojo.core.statistics import Estimate


@click.command(
    epilog="Example: ordojo hardness orqa -T dataset=orqa@ordojo",
    cls=Spoken,
    doing="measuring {target} without reading",
)
@click.argument("target")
@click.option("-T", "settings", multiple=True, metavar="KEY=VALUE", help="A benchmark's option.")
@click.option(
    "--train",
    metavar="FILE",
    help="Instances that guessers are fitted to; without it, they are cross-validated.",
)
@click.option("--runs", type=RunsPath(write=True), help="Keep the result there, for the report.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def hardness(
    target: str, settings: tuple[str, ...], train: str | None, runs: Path | None, as_json: bool
) -> None:
    """Say how far one gets on TARGET, a benchmark or a file of built instances, without reading.

    Shortcuts follow a fixed rule; guessers are fitted to other instances than those measured. Each
    has its score with a 95% interval, and what it lives on. Then follows what gives answers away:
    texts, names, claims that do not hold, duplicates.
    """
    from ordojo.api import benchmarks

    options: dict[str, Any] = {**parse_settings(settings, "-T")}
    found = benchmarks.hardness(target, train=train, runs=runs, **options)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2, ensure_ascii=False))
    else:
        _show(found)


def _show(found: "Hardness") -> None:
    battery = found.battery
    click.echo(
        f"{found.benchmark} v{found.version} on {found.dataset}: {found.items:,} instances, "
        f"{battery.metric}; guessers are fitted to {found.fitted_on}"
    )
    width = max((len(s.name) for s in battery.shortcuts), default=0)
    for s in battery.shortcuts:
        others = "".join(f"  {name} {_spelt(score)}" for name, score in s.also.items())
        mark = "guesser " if s.fitted else "shortcut"
        click.echo(f"  {s.name:<{width}}  {mark}  {_interval(s.score)}{others}  {s.exploits}")
    for finding in battery.findings:
        click.echo(f"  {finding.name}: {finding.count:,} of {finding.of:,} ({finding.says})")
    if found.line[0]:
        click.echo(str(found))


def _spelt(score: "Estimate") -> str:
    return "-" if score.value != score.value else f"{score.value:.3f}"


def _interval(score: "Estimate") -> str:
    return f"{_spelt(score)} [{score.low:.3f}, {score.high:.3f}]" if score.n else "-"
