"""`ordojo eval`: benchmarks against models."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import (
    LanguageModel,
    Number,
    RunsPath,
    on_option,
    parse_settings,
    settings_for,
)
from ordojo.core.ranges import COUNT, SEED, SHARE, SIZE, TEMPERATURE, NumberRange
from ordojo.core.spread import Place


@click.command(
    "eval",
    epilog="Example: ordojo eval orqa --model ordojo/smollm2 -T dataset=orqa@ordojo",
    cls=Spoken,
    doing="asking {models}: {benchmarks}",
)
@click.argument("benchmarks", nargs=-1, required=True, metavar="BENCHMARK...")
@click.option(
    "--model", "models", multiple=True, required=True, metavar="MODEL", type=LanguageModel()
)
@click.option(
    "-T",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="A benchmark's option; BENCHMARK.KEY=VALUE for one of several.",
)
@click.option("--limit", type=Number(COUNT), help="Only the first N instances.")
@click.option("--sample", type=Number(COUNT), help="N instances drawn with --seed, by type.")
@click.option("--epochs", type=Number(COUNT), default=1, show_default=True)
@click.option("--seed", type=Number(SEED), default=0, show_default=True)
@click.option("--runs", type=RunsPath(write=True), default=Path("runs"), show_default=True)
@click.option("--temperature", type=Number(TEMPERATURE), help="Instead of the protocol's.")
@click.option("--top-p", type=Number(SHARE))
@click.option("--max-tokens", type=Number(COUNT), help="Instead of the protocol's.")
@click.option(
    "--reasoning-tokens",
    type=Number(COUNT),
    help="Tokens to think in before a chat reply, on top of the reply's own.",
)
@click.option("-M", "model_args", multiple=True, metavar="KEY=VALUE", help="A model's argument.")
@click.option("--model-base-url", help="Another address of the provider.")
@click.option("--max-connections", type=Number(NumberRange(1, 100_000, whole=True)))
@click.option(
    "--timeout",
    type=Number(NumberRange(1, 1_000_000, whole=True)),
    help="Seconds for one attempt at a request.",
)
@click.option(
    "--max-retries", type=Number(NumberRange(0, 1000, whole=True)), default=5, show_default=True
)
@click.option(
    "--prices",
    type=click.Path(exists=True, dir_okay=False),
    help="Model prices, YAML "
    "or JSON, dollars per million tokens (Inspect's model cost configuration).",
)
@click.option(
    "--max-cost", type=Number(SIZE), help="Dollars that each run may cost, in all its starts."
)
@click.option("--cache/--no-cache", default=False, help="Reuse a model's earlier responses.")
@on_option("local")
@click.option("--dry-run", is_flag=True, help="Print the plan and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def evaluate(
    benchmarks: tuple[str, ...],
    models: tuple[str, ...],
    settings: tuple[str, ...],
    limit: int | None,
    sample: int | None,
    epochs: int,
    seed: int,
    runs: Path,
    temperature: float | None,
    top_p: float | None,
    max_tokens: int | None,
    reasoning_tokens: int | None,
    model_args: tuple[str, ...],
    model_base_url: str | None,
    max_connections: int | None,
    timeout: int | None,
    max_retries: int,
    prices: str | None,
    max_cost: float | None,
    cache: bool,
    place: Place,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Evaluate models on benchmarks; the same command goes on where it was stopped."""
    from ordojo.cli.results import complain, console, show_results, warn_of_missing
    from ordojo.core.registry import get_benchmark
    from ordojo.evaluate.evaluation import Evaluation, EvaluationRequest
    from ordojo.evaluate.together import run_together

    given = parse_settings(settings, "-T")
    names = [get_benchmark(name).name for name in benchmarks]
    generation = {
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": max_tokens,
        "reasoning_tokens": reasoning_tokens,
    }
    requests = [
        EvaluationRequest(
            benchmark=name,
            model=model,
            runs=runs,
            settings=settings_for(name, names, given),
            limit=limit,
            sample=sample,
            epochs=epochs,
            seed=seed,
            generation={key: value for key, value in generation.items() if value is not None},
            connection={
                "model_args": parse_settings(model_args, "-M"),
                "base_url": model_base_url,
                "max_connections": max_connections,
                "timeout": timeout,
                "max_retries": max_retries,
                "prices": prices,
            },
            cache=cache,
            place=place,
            max_cost=max_cost,
        )
        for name in names
        for model in models
    ]
    # Every request is checked before the first one asks anything.
    prepared = [Evaluation(request) for request in requests]
    # Models elsewhere wait for no other; those of this machine would share its processor.
    together = len(prepared) > 1 and all(e.remote for e in prepared) and not max_cost
    views = []
    for evaluation in prepared:
        header = evaluation.header
        setting = evaluation.session.benchmark.setting(header.options)
        console.print(
            f"[bold]{header.benchmark}[/] v{header.benchmark_version} on {header.dataset['id']} "
            f"with [bold]{header.model}[/] ({setting})",
            f"  {evaluation.plan()}",
            f"  run directory {evaluation.path}",
            sep="\n",
            highlight=False,
            soft_wrap=True,
        )
        warn_of_missing(header)
        if not (dry_run or together):
            views.append(evaluation.run())
    if together and not dry_run:
        views = run_together(prepared)
    if dry_run:
        if as_json:
            click.echo(json.dumps([_plan(evaluation) for evaluation in prepared], indent=2))
        return
    if as_json:
        click.echo(json.dumps([_figures(view) for view in views], indent=2))
    else:
        show_results(views)
    if complain(views, runs):
        sys.exit(1)


def _plan(evaluation: Any) -> Mapping[str, Any]:
    from dataclasses import asdict

    header, path = evaluation.header, evaluation.path
    return {"run": path.name, **asdict(header), "plan": asdict(evaluation.plan())}


def _figures(view: Any) -> Mapping[str, Any]:
    from dataclasses import asdict

    from ordojo.core.records import endings
    from ordojo.core.registry import get_benchmark

    header = view.header
    figures = get_benchmark(header.benchmark).metrics(view.records, header.rule)
    return {
        "run": view.name,
        **asdict(header),
        "finished": len(view.records),
        "errors": len(view.errors),
        "endings": asdict(endings(view.records)),
        "metrics": {
            name: {key: None if value != value else value for key, value in asdict(e).items()}
            for name, e in figures.items()
        },
    }
