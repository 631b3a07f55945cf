"""`ordojo eval`: benchmarks against models."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ordojo.api import runs as running
from ordojo.cli.made import made, printed
from ordojo.cli.results import complain, console, figures, show_results, warn_of_missing
from ordojo.cli.settings import LanguageModel, Number, RunsPath, parse_settings
from ordojo.core.ranges import COUNT, SHARE, TEMPERATURE, NumberRange
from ordojo.core.records import RunView, endings
from ordojo.evaluation.evaluation import Evaluation

GENERATION = {
    "temperature": (Number(TEMPERATURE), "Instead of the protocol's."),
    "top_p": (Number(SHARE), "Instead of the protocol's."),
    "max_tokens": (Number(COUNT), "Instead of the protocol's."),
    "reasoning_tokens": (
        Number(COUNT),
        "Tokens to think in before a chat reply, on top of the reply's own.",
    ),
}
"""What replaces the protocol's own settings, how it is read, and what its help says."""
CONNECTION = {
    "model_args": (click.STRING, "A model's argument."),
    "base_url": (click.STRING, "Another address of the provider."),
    "max_connections": (
        Number(NumberRange(1, 100_000, whole=True)),
        "Requests under way at once.",
    ),
    "timeout": (
        Number(NumberRange(1, 1_000_000, whole=True)),
        "Seconds for one attempt at a request.",
    ),
    "max_retries": (
        Number(NumberRange(0, 1000, whole=True)),
        "How often a failed request is tried again.",
    ),
    "prices": (
        click.Path(exists=True, dir_okay=False),
        "Model prices, YAML or JSON, dollars per million tokens (Inspect's model cost "
        "configuration).",
    ),
}
"""What the provider is told, likewise."""
NAMED = {"model_args": "-M", "base_url": "--model-base-url"}


def _option(name: str, reader: Any, says: str) -> click.Option:
    flag = NAMED.get(name, f"--{name.replace('_', '-')}")
    told: dict[str, Any] = {"type": reader, "help": says}
    if name == "model_args":
        told |= {"multiple": True, "metavar": "KEY=VALUE"}
    if name == "max_retries":
        told |= {"default": 5, "show_default": True}
    return click.Option([flag, name], **told)


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
    generation = {name: more.pop(name) for name in GENERATION}
    connection = {name: more.pop(name) for name in CONNECTION}
    connection["model_args"] = parse_settings(connection["model_args"], "-M")
    # Every evaluation is checked before the first one asks anything.
    prepared = running.prepare(
        benchmarks,
        models,
        runs=runs,
        generation={name: value for name, value in generation.items() if value is not None},
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
    metavars={
        "benchmarks": "BENCHMARK...",
        "models": "MODEL",
        "options": "[BENCHMARK.]KEY=VALUE",
    },
    types={"runs": RunsPath(write=True), "models": LanguageModel()},
    without=["generation", "connection"],
    use=_evaluate,
    code=int,
    options=[
        *(_option(name, reader, says) for name, (reader, says) in GENERATION.items()),
        *(_option(name, reader, says) for name, (reader, says) in CONNECTION.items()),
        click.Option(["--dry-run"], is_flag=True, help="Print the plan and ask nothing."),
    ],
)
