"""What the commands that evaluate print of their runs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ordojo.core.extras import to_type
from ordojo.core.records import OFTEN, RunHeader, RunView, endings
from ordojo.core.registry import get_benchmark
from ordojo.core.selection import described
from ordojo.core.statistics import Estimate

console = Console(stderr=True)


def warn_of_missing(header: RunHeader) -> None:
    """Say which libraries that answers may use do not work, and why, before anything is asked."""
    if header.missing:
        whys = {name: header.libraries[name].partition(": ")[2] for name in header.missing}
        told = ", ".join(f"{name} ({why or 'not installed'})" for name, why in whys.items())
        broken = [name for name, why in whys.items() if why and "No module" not in why]
        advice = [f"{to_type('programs')} gets them"] * (len(broken) < len(whys))
        if broken:
            advice.append(f"try pip install --force-reinstall {' '.join(broken)}")
        console.print(
            f"ordojo: {told} cannot solve a small program in the sandbox, and programs that need "
            f"them count as not solved; {', '.join(advice)}",
            highlight=False,
            soft_wrap=True,
            markup=False,
        )


def show_results(views: Sequence[RunView]) -> None:
    """Print one row a run: its headline figure with interval, what was unsupported or unscored, and
    how its replies ended.
    """
    table = Table(box=SIMPLE_HEAD)
    for column in ("benchmark", "model", "setting", "score", "95% interval", "n", "replies"):
        table.add_column(column, justify="right" if column in {"score", "n"} else "left")
    for view in views:
        header = view.header
        benchmark = get_benchmark(header.benchmark)
        estimate = next(iter(benchmark.metrics(view.records, header.rule).values()))
        verdicts = [record.verdict(header.rule) for record in view.records]
        outcomes = Counter(verdict.outcome for verdict in verdicts if verdict)
        failed = f"{len(view.errors):,} failed" if view.errors else ""
        apart = [f"{outcomes[o]:,} {o}" for o in ("unsupported", "unscored") if outcomes[o]]
        table.add_row(
            f"{header.benchmark} v{header.benchmark_version}",
            header.model,
            described(view, benchmark.setting(header.options)),
            f"{estimate.value:.3f}" if estimate.n else "",
            f"{estimate.low:.3f} to {estimate.high:.3f}" if estimate.n else "",
            f"{estimate.n}",
            ", ".join(filter(None, [*apart, str(endings(view.records)), failed])),
        )
    out = Console()
    (out if out.is_terminal else Console(width=140)).print(table)


def complain(views: Sequence[RunView], runs: Path) -> bool:
    """Say on stderr which replies were often cut, and what failed; whether anything failed."""
    for view in views:
        found = endings(view.records)
        if found.often_cut:
            console.print(
                f"warning: {view.name}: {found.cut:,} of {found.samples:,} samples "
                f"({found.cut / found.samples:.0%}, {OFTEN:.0%} are often) have a reply that was "
                "cut at the token limit; the score is also one of the limit (--max-tokens, "
                "--reasoning-tokens)",
                style="yellow",
                highlight=False,
                soft_wrap=True,
            )
    inside = [(view, e) for view in views for e in view.errors if e.traceback]
    if inside:
        view, first = inside[0]
        console.print(
            f"ordojo: {counted(len(inside))} failed inside ordojo, which is not the model's or its "
            f"provider's fault; the first was {first.id}, {first.error}; the tracebacks are in "
            f"{runs / view.name / 'errors.jsonl'}",
            highlight=False,
            soft_wrap=True,
            markup=False,
        )
    for view in views:
        unasked = [error for error in view.errors if not error.traceback]
        if unasked:
            several = len(unasked) > 1
            console.print(
                f"ordojo: {view.header.model}: {counted(len(unasked))} could not be asked and "
                f"{'are' if several else 'is'} not scored; the {'first ' if several else ''}error "
                f"was: {unasked[0].error}; start the same command again to ask "
                f"{'them' if several else 'it'}",
                highlight=False,
                soft_wrap=True,
                markup=False,
            )
    return any(view.errors for view in views)


def counted(samples: int) -> str:
    """So many samples in words."""
    return "1 sample" if samples == 1 else f"{samples:,} samples"


def figures(view: RunView, rule: str) -> dict[str, dict[str, float | None]]:
    """A run's figures under a rule; what is not a number is null in JSON."""
    return {
        name: {key: None if value != value else value for key, value in asdict(estimate).items()}
        for name, estimate in get_benchmark(view.header.benchmark)
        .metrics(view.records, rule)
        .items()
    }


def shown_figures(view: RunView, rules: Sequence[str]) -> None:
    """Print a row a figure, a column a rule."""
    benchmark = get_benchmark(view.header.benchmark)
    found = {rule: benchmark.metrics(view.records, rule) for rule in rules}
    table = Table(box=SIMPLE_HEAD)
    table.add_column("figure")
    for rule in rules:
        table.add_column(rule, justify="right")
    for name in dict.fromkeys(name for figures in found.values() for name in figures):
        if name.startswith(("rule/", "apart/")) or not any(f[name].n for f in found.values()):
            continue
        cells = [_cell(figures[name]) for figures in found.values()]
        table.add_row(name, *cells)
    out = Console()
    (out if out.is_terminal else Console(width=140)).print(table)


def _cell(estimate: Estimate) -> str:
    if not estimate.n:
        return ""
    if estimate.low != estimate.low:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"
