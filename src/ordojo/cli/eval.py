"""`ordojo eval`, benchmarks against models; `grade`, stored responses; `play`, a person answers.

And what these commands print of their runs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ordojo.api import runs as running
from ordojo.cli.made import made, printed
from ordojo.cli.parameters import RunsPath, settings_of
from ordojo.core.environment import Observation
from ordojo.core.extras import to_type
from ordojo.core.records import BROKEN, OFTEN, RunHeader, RunView, endings
from ordojo.core.registry import get_benchmark
from ordojo.core.selection import described
from ordojo.core.spread import Place
from ordojo.core.statistics import Estimate
from ordojo.core.words import amount
from ordojo.datasets.registry import answered
from ordojo.evaluation.evaluation import Evaluation
from ordojo.evaluation.session import Connection, Generation

console = Console(stderr=True)


def _say(sentence: str) -> None:
    console.print(sentence, highlight=False, soft_wrap=True, markup=False)


def warn_of_missing(header: RunHeader) -> None:
    """Say which libraries that answers may use do not work, and why, before anything is asked."""
    if header.missing:
        whys = {name: header.libraries[name].partition(": ")[2] for name in header.missing}
        told = ", ".join(f"{name} ({why or 'not installed'})" for name, why in whys.items())
        broken = [name for name in whys if header.libraries[name].startswith(BROKEN)]
        advice = [f"{to_type('programs')} gets them"] * (len(broken) < len(whys))
        if broken:
            advice.append(f"try pip install --force-reinstall {' '.join(broken)}")
        _say(
            f"ordojo: {told} cannot solve a small program in the sandbox, and programs that need "
            f"them count as not solved; {', '.join(advice)}"
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
        estimate = next(iter(running.metrics(view).values()))
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
    _show(table)


def _show(table: Table) -> None:
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
        _say(
            f"ordojo: {amount(len(inside), 'sample')} failed inside ordojo, which is not the "
            f"model's or its provider's fault; the first was {first.id}, {first.error}; "
            f"the tracebacks are in {runs / view.name / 'errors.jsonl'}"
        )
    for view in views:
        unasked = [error for error in view.errors if not error.traceback]
        if unasked:
            several = len(unasked) > 1
            _say(
                f"ordojo: {view.header.model}: {amount(len(unasked), 'sample')} could not be "
                f"asked and {'are' if several else 'is'} not scored; the "
                f"{'first ' if several else ''}error was: {unasked[0].error}; start the "
                f"same command again to ask {'them' if several else 'it'}"
            )
    return any(view.errors for view in views)


def figures(view: RunView, rule: str) -> dict[str, dict[str, float | None]]:
    """A run's figures under a rule; what is not a number is null in JSON."""
    return {
        name: {key: None if value != value else value for key, value in asdict(estimate).items()}
        for name, estimate in running.metrics(view, rule).items()
    }


def shown_figures(view: RunView, rules: Sequence[str]) -> None:
    """Print a row a figure, a column a rule."""
    found = {rule: running.metrics(view, rule) for rule in rules}
    table = Table(box=SIMPLE_HEAD)
    table.add_column("figure")
    for rule in rules:
        table.add_column(rule, justify="right")
    for name in dict.fromkeys(name for figures in found.values() for name in figures):
        if name.startswith(("rule/", "apart/")) or not any(f[name].n for f in found.values()):
            continue
        cells = [_cell(figures[name]) for figures in found.values()]
        table.add_row(name, *cells)
    _show(table)


def _cell(estimate: Estimate) -> str:
    if not estimate.n:
        return ""
    if estimate.low != estimate.low:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _evaluate(
    benchmarks: Sequence[str],
    *,
    models: Sequence[str],
    runs: Path,
    dry_run: bool,
    as_json: bool,
    options: Mapping[str, Any],
    **more: Any,
) -> bool:
    """Ask, or say what would be asked; whether anything failed."""
    generation = {name: more.pop(name) for name in Generation.model_fields}
    connection = {name: more.pop(name) for name in Connection.model_fields}
    # Every evaluation is checked before the first one asks anything.
    prepared = running.prepare(
        benchmarks,
        models,
        runs=runs,
        generation=generation,
        connection=connection,
        **more,
        **options,
    )
    if dry_run:
        for one in prepared:
            _tell(one)
        if as_json:
            printed([_plan(one) for one in prepared], as_json)
        return False
    views = running.ask(prepared, begins=_tell)
    if as_json:
        printed([_figures(view) for view in views], as_json)
    else:
        show_results(views)
    return complain(views, runs)


def _tell(one: Evaluation) -> None:
    header = one.header
    console.print(
        f"[bold]{header.benchmark}[/] v{header.benchmark_version} on {header.dataset['id']} "
        f"with [bold]{header.model}[/] ({one.session.benchmark.setting(header.options)})",
        f"  {one.plan()}",
        f"  run directory {one.path}",
        sep="\n",
        highlight=False,
        soft_wrap=True,
    )
    warn_of_missing(header)


def _plan(one: Evaluation) -> dict[str, Any]:
    return {"run": one.path.name, **asdict(one.header), "plan": asdict(one.plan())}


def _figures(view: RunView) -> dict[str, Any]:
    return {
        "run": view.name,
        **asdict(view.header),
        "finished": len(view.records),
        "errors": len(view.errors),
        "endings": asdict(endings(view.records)),
        "metrics": figures(view, view.header.rule),
    }


evaluate = made(
    running.prepare,
    "eval",
    about="Evaluate models on benchmarks; the same command goes on where it was stopped.",
    doing="asking {models}: {benchmarks}",
    example="eval orqa --model ordojo/smollm2 -T dataset=orqa@ordojo",
    flags={"models": ["--model"], "cache": ["--cache/--no-cache"]},
    metavars={"benchmarks": "BENCHMARK...", "models": "MODEL", "options": "[BENCHMARK.]KEY=VALUE"},
    types={"runs": RunsPath(write=True)},
    without=["generation", "connection"],
    use=_evaluate,
    code=int,
    options=[
        *settings_of(Generation),
        *settings_of(Connection),
        click.Option(["--dry-run"], is_flag=True, help="Print the plan and ask nothing."),
    ],
)


def _grade(
    responses: Path,
    *,
    dataset: str,
    rules: Sequence[str],
    runs: Path,
    on: Place,
    as_json: bool,
    options: Mapping[str, str],
) -> bool:
    """Grade, and show figures under the rules asked for; whether anything failed."""
    for rule in rules:
        running.known_rule(get_benchmark(answered(dataset)[0]), rule)
    grading = running.grading(responses, dataset, runs, options)
    if grading.refused:
        names = ", ".join(sorted({name for name, _ in grading.refused}))
        click.echo(f"ordojo: not graded, as files of them are missing: {names}", err=True)
    if grading.header.options.get("isolation") == "unsafe":
        click.echo("ordojo: UNSAFE: the programs are run without containment", err=True)
    warn_of_missing(grading.header)
    if (answered_items := len(grading.items)) < (every := grading.header.items):
        click.echo(
            f"ordojo: {answered_items:,} of {every:,} answered; what is not answered is not scored",
            err=True,
        )
    click.echo(f"run directory {grading.path}", err=True)
    view = grading.run(on)
    wanted = tuple(rules) or (grading.header.rule,)
    if as_json:
        found = {"run": view.name, **asdict(view.header), "answered": answered_items}
        found["finished"] = len(view.records)
        printed({**found, "rules": {rule: figures(view, rule) for rule in wanted}}, as_json)
    else:
        shown_figures(view, wanted)
    return complain([view], grading.path.parent)


grade = made(
    running.grade,
    doing="grading {responses}",
    example="grade answers.jsonl --dataset nl2opt@ordojo",
    flags={"dataset": ["--dataset"], "on": ["--on", "--processes"]},
    metavars={"dataset": "ID"},
    types={"runs": RunsPath(write=True)},
    use=_grade,
    code=int,
    options=[
        click.Option(
            ["--rule", "rules"], multiple=True, metavar="NAME", help="A rule to show figures under."
        )
    ],
)


def _asked(asked: Observation) -> str:
    """Show what is asked, and take the reply."""
    click.echo(f"\n{asked.text}\n")
    shown = "your reply, of one or several lines; an empty line ends it, not within ```"
    if asked.choices:
        few = " / ".join(asked.choices) if len(asked.choices) < 10 else asked.choices[-1]
        shown = f"{few} in a line, or a longer reply that an empty line ends"
    click.echo(f"({shown}; q to stop)")
    return _reply(asked.choices)


def _reply(choices: Sequence[str]) -> str:
    """The lines up to an empty one or the end of the input; a choice alone is a whole reply.

    Empty lines before the first are passed over, and those of a fenced program are its own. Raises
    EndOfAnswersError for a first line of q, and where the input has ended before one.
    """
    lines: list[str] = []
    while True:
        try:
            line = input("... " if lines else "> ")
        except EOFError:
            if not lines:
                raise running.EndOfAnswersError from None
            return "\n".join(lines)
        said = line.strip()
        if not lines and said.lower() == "q":
            raise running.EndOfAnswersError
        if not lines and said in choices:
            return line
        fenced = sum(old.lstrip().startswith("```") for old in lines) % 2
        if lines and not (said or fenced):
            return "\n".join(lines)
        if lines or said:
            lines.append(line)


def _play(
    benchmark: str, *, as_json: bool, runs: Any, options: Mapping[str, Any], **more: Any
) -> bool:
    view = running.play(benchmark, _asked, runs=runs, **more, **options)
    if (done := len(view.records)) < view.header.items:
        click.echo(f"{done} of {view.header.items} answered; the same command goes on")
    if view.records:
        show_results([view])
    return complain([view], runs)


play = made(
    running.play,
    doing="playing {benchmark}",
    example="play orqa -T dataset=orqa@ordojo",
    helps={"benchmark": "A benchmark's name."},
    without=["answer"],
    use=_play,
    code=int,
    prints_json=False,
    also="q stops, and the same command goes on from there.",
)
