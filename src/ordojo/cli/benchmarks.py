"""`ordojo list`, `verify`, `build`, a command for each benchmark's builder, and `hardness`."""

from pathlib import Path
from typing import Any

import click

from ordojo.api import benchmarks
from ordojo.cli import Commands
from ordojo.cli.made import Made, made
from ordojo.cli.parameters import settings_of
from ordojo.core.building import BuildSettings
from ordojo.core.errors import UsageError
from ordojo.core.hardness import Hardness
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.statistics import Estimate
from ordojo.core.words import amount

list_command = made(
    benchmarks.catalogue, "list", doing="", example="list", show=benchmarks.Catalogue.text
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


class Builders(Commands):
    """A command for each benchmark that has a builder, made of its settings, and `season`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The benchmarks by name, then the season."""
        built = [one.name for one in map(get_benchmark, benchmark_names()) if one.building]
        return [*built, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a benchmark; None where there is none of the name."""
        if own := super().get_command(ctx, cmd_name):
            return own
        try:
            benchmark = get_benchmark(cmd_name)
        except UsageError:
            return None
        return _command(benchmark.name, benchmark.building) if benchmark.building else None

    def refusal(self, ctx: click.Context, name: str) -> UsageError:
        """What `build` says in Python."""
        try:
            return UsageError(f"{get_benchmark(name).name} has no builder")
        except UsageError as error:
            return error


def _command(name: str, kind: type[BuildSettings]) -> click.Command:
    def build(out: Path, **settings: Any) -> None:
        benchmarks.build(name, out, progress=click.echo, **settings)

    out = click.Option(
        ["-o", "--out"], required=True, type=click.Path(path_type=Path), help=kind.out_is
    )
    command = Made(
        name=name,
        callback=build,
        params=[out, *settings_of(kind)],
        help=kind.__doc__,
        epilog=kind.example and f"Example: {kind.example}",
        doing=kind.doing,
    )
    command.function, command.says = benchmarks.build, {}
    return command


@click.group(cls=Builders)
def build() -> None:
    """Build new instances of a benchmark, or a month's items of all that have a season."""


build.add_command(
    made(
        benchmarks.season,
        doing="building the season {date}",
        example="build season --date 2026-10 -o 2026-10",
        flags={"date": ["--date"], "out": ["-o", "--out"]},
        metavars={"date": "YYYY-MM"},
        without=["items"],
        given={"progress": click.echo},
        show=lambda found: None,
        prints_json=False,
    )
)


def _told(found: Hardness) -> str:
    battery = found.battery
    lines = [
        f"{found.benchmark} v{found.version} on {found.dataset}: "
        f"{amount(found.items, 'instance')}, {battery.metric}; "
        f"guessers are fitted to {found.fitted_on}"
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
