"""Asking models, judging what was answered, planning: all that makes runs, or is made of them."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

from ordojo.api.kinds import DATA, Amount, AnyModel, AnyPath, AnyRuns, Count, ModelName, Seed
from ordojo.core.benchmark import AnyBenchmark, Benchmark, Suggestion
from ordojo.core.capacity import Cluster, Forecast, Load, simulate
from ordojo.core.environment import Observation
from ordojo.core.errors import UsageError
from ordojo.core.journal import line
from ordojo.core.options import options_for
from ordojo.core.progress import hearing
from ordojo.core.records import RunView
from ordojo.core.registry import benchmark_with, get_benchmark
from ordojo.core.signatures import checked
from ordojo.core.spread import Place
from ordojo.core.statistics import Estimate
from ordojo.datasets.nl2opt.items import ReferenceValidation
from ordojo.datasets.registry import answered
from ordojo.evaluation.evaluation import Evaluation, EvaluationRequest, refuse_silent, run_together
from ordojo.evaluation.grade import Grading
from ordojo.evaluation.remote import all_at_hand, at_hand
from ordojo.evaluation.runs import read_run, read_runs


class EndOfAnswersError(Exception):
    """Whoever answers in `play` raises it to stop; what was answered is kept."""


@checked
def prepare(
    benchmarks: Sequence[str],
    models: Sequence[ModelName],
    *,
    limit: Count | None = None,
    sample: Count | None = None,
    epochs: Count = 1,
    seed: Seed = 0,
    runs: AnyRuns = "runs",
    generation: Mapping[str, Any] | None = None,
    connection: Mapping[str, Any] | None = None,
    max_cost: Amount | None = None,
    cache: bool = False,
    on: str | Place = "local",
    **options: Any,
) -> tuple[Evaluation, ...]:
    """Prepare evaluations of models on benchmarks: all is checked, and nothing asked yet.

    Args:
        benchmarks: Names of benchmarks.
        models: Names of language models, or ordojo/gold, noop, random and other scripted policies.
        limit: Only the first so many instances.
        sample: So many instances drawn with `seed`, by type.
        epochs: Answers asked for each instance.
        seed: Of what is drawn.
        runs: The folder of runs; what is there already is not asked again.
        generation: Instead of the protocol's own settings: temperature, top_p, max_tokens,
            reasoning_tokens (to think in, on top of the reply's own).
        connection: The provider's: model_args, base_url, max_connections, timeout (seconds of an
            attempt), max_retries, prices (a file of dollars per million tokens).
        max_cost: Dollars that each run may cost, in all its starts.
        cache: Reuse a model's earlier responses.
        on: Where scripted policies play: local, processes[:N], N, or ray[:ADDRESS]; the results are
            the same.
        **options: A benchmark's options; with its name and a dot before them, of one of several.

    Returns:
        An evaluation of each pair, benchmark by benchmark; `run()` asks.

    Raises:
        UsageError: For an unknown name or option.
        DataError: Where data are not at hand.
        ProviderError: Where a model cannot be asked.
    """
    names = [get_benchmark(name).name for name in benchmarks]
    requests = [
        EvaluationRequest(
            name,
            model,
            Path(runs),
            options_for(name, names, options),
            limit=limit,
            sample=sample,
            epochs=epochs,
            seed=seed,
            generation=generation or {},
            connection=connection or {},
            cache=cache,
            place=Place.parse(on),
            max_cost=max_cost,
        )
        for name in names
        for model in models
    ]
    return tuple(Evaluation(request) for request in requests)


@checked
def ask(
    evaluations: Sequence[Evaluation], *, begins: Callable[[Evaluation], None] | None = None
) -> tuple[RunView, ...]:
    """Run prepared evaluations; what their runs have already is not asked again.

    Models that are elsewhere are asked at once, unless their cost is bounded; those of this machine
    one after the other, as they would share its processor.

    Args:
        evaluations: What `prepare` gave.
        begins: Hears of each before it is asked.

    Returns:
        Their runs, in the same order; one whose model could not be asked has errors alone.

    Raises:
        ProviderError: Where not one model could be asked.
        RunError: Where a run cannot be gone on with, or has cost as much as it may.
    """
    begun = begins or (lambda one: None)
    bounded = any(one.request.max_cost for one in evaluations)
    if len(evaluations) > 1 and all(one.remote for one in evaluations) and not bounded:
        for one in evaluations:
            begun(one)
        found = run_together(evaluations)
    else:
        found = []
        for one in evaluations:
            begun(one)
            found.append(one.ask_all())
    refuse_silent(found)
    return tuple(found)


@checked
def evaluate(
    benchmark: str | AnyBenchmark,
    model: ModelName,
    *,
    runs: AnyRuns = "runs",
    limit: Count | None = None,
    sample: Count | None = None,
    epochs: Count = 1,
    seed: Seed = 0,
    generation: Mapping[str, Any] | None = None,
    connection: Mapping[str, Any] | None = None,
    max_cost: Amount | None = None,
    on: str | Place = "local",
    **options: Any,
) -> RunView:
    """Ask a model a benchmark; what is in `runs` already is not asked again.

    Args:
        benchmark: A benchmark's name, or an object, which need not be installed.
        model: Any name that `ordojo eval --model` takes.
        runs: The folder of runs, here or at any fsspec URL ("s3://bucket/runs").
        limit: Only the first so many instances.
        sample: So many instances drawn with `seed`, by type.
        epochs: Answers asked for each instance.
        seed: Of what is drawn.
        generation: Instead of the protocol's own settings: temperature, top_p, max_tokens,
            reasoning_tokens.
        connection: The provider's: model_args, base_url, max_connections, timeout, max_retries,
            prices.
        max_cost: Dollars after which no further sample is begun.
        on: Where a scripted policy plays: local, processes[:N] or ray[:ADDRESS]; the records are
            the same.
        **options: The benchmark's.

    Returns:
        The run: its header and records.

    Raises:
        UsageError: For an unknown name or option.
        DataError: Where data are not at hand.
        ProviderError: Where the model cannot be asked.
        RunError: Where the run cannot be gone on with, or has cost as much as it may.

    Examples:
        >>> run = evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", limit=4)
        >>> len(run.records)
        4
    """
    given = {"limit": limit, "sample": sample, "epochs": epochs, "seed": seed, "on": on}
    how: Any = {**given, "generation": generation, "connection": connection, "max_cost": max_cost}
    with at_hand(runs) as folder:
        (one,) = prepare([get_benchmark(benchmark).name], [model], runs=folder, **how, **options)
        return one.run()


@checked
def play(
    benchmark: str | AnyBenchmark,
    answer: Callable[[Observation], str | None],
    /,
    *,
    limit: Count | None = None,
    sample: Count | None = None,
    seed: Seed = 0,
    name: str = "human",
    runs: AnyRuns = "runs",
    **options: Any,
) -> RunView:
    """Answer a benchmark yourself; what was answered is kept and gone on from.

    Args:
        benchmark: A benchmark's name, or an object.
        answer: What is asked to the whole reply, None for silence; raises `EndOfAnswersError` to
            stop.
        limit: Only the first so many instances.
        sample: So many instances drawn with `seed`, by type.
        seed: Of what is drawn.
        name: Who answers.
        runs: The folder of runs.
        **options: The benchmark's; questions are asked as in a chat.

    Returns:
        The run, as far as it was answered.

    Raises:
        UsageError: For an unknown name or option.
        DataError: Where data are not at hand.

    Examples:
        >>> run = play("orqa", lambda asked: "A", dataset="orqa@ordojo", limit=2)
        >>> len(run.records)
        2
    """
    found = get_benchmark(benchmark).name
    settings = options_for(found, [found], options)
    with at_hand(runs) as folder:
        request = EvaluationRequest(
            found, f"person/{name}", folder, settings, limit=limit, sample=sample, seed=seed
        )
        evaluation = Evaluation(request, person=answer)
        try:
            with hearing(None):  # who answers knows how far they are
                return evaluation.run()
        except EndOfAnswersError:
            return read_run(evaluation.path)


def grading(
    responses: AnyPath,
    dataset: Annotated[AnyPath | AnyBenchmark, DATA],
    runs: AnyRuns,
    options: Mapping[str, Any],
) -> Grading:
    """A grading whose dataset is named once: read and checked, nothing run yet."""
    benchmark, named = answered(dataset)
    for name in sorted(named.keys() & options.keys()):
        raise UsageError(f"`{name}={options[name]}`: give the dataset by `dataset` alone")
    return Grading(benchmark, Path(responses), {**options, **named}, Path(runs))


@checked
def grade(
    responses: AnyPath,
    dataset: Annotated[AnyPath | AnyBenchmark, DATA],
    *,
    runs: AnyRuns = "runs",
    on: str | Place = "processes",
    **options: Any,
) -> RunView:
    """Run and judge stored answers; every rule's verdict is in the run.

    The same call goes on where it was stopped.

    Args:
        responses: A file with {"id", "epoch", "completion"} a line.
        dataset: What was answered: an id, a file of built instances, or a benchmark, whose ids are
            those that `load` gives.
        runs: The folder of runs.
        on: processes[:N], one a core, or ray[:ADDRESS]; the results are the same.
        **options: The benchmark's.

    Returns:
        The run.

    Raises:
        UsageError: For an unknown dataset or option.
        DataError: For a file that cannot be read, or answers another dataset.
        SandboxError: Where programs cannot be contained.
    """
    with at_hand(runs) as folder:
        return grading(responses, dataset, folder, options).run(Place.parse(on))


@checked
def metrics(run: RunView, rule: str | None = None) -> Mapping[str, Estimate]:
    """Say what a run comes to under a rule: its benchmark's figures, the headline first.

    Args:
        run: What `evaluate`, `grade` or `play` gave.
        rule: One of the benchmark's rules; the run's own, if not given.

    Returns:
        Each figure by name, with its 95% interval.

    Raises:
        UsageError: For a rule that the benchmark does not have.

    Examples:
        >>> run = evaluate("orqa", "ordojo/gold", dataset="orqa@ordojo", limit=4)
        >>> metrics(run)["accuracy"].value
        1.0
    """
    benchmark = get_benchmark(run.header.benchmark)
    chosen = run.header.rule if rule is None else known_rule(benchmark, rule)
    return benchmark.metrics(run.records, chosen)


def known_rule(benchmark: AnyBenchmark, rule: str) -> str:
    """The rule; raises UsageError where the benchmark has none of the name."""
    if rule not in benchmark.rules:
        known = ", ".join(benchmark.rules)
        raise UsageError(f"there is no rule '{rule}'; choose from {known}")
    return rule


@checked
def validate(*runs: AnyRuns) -> tuple[ReferenceValidation, ...]:
    """Say which instances runs validate: those that a model rebuilt independently.

    Paper 003, section 3.4: one right sample of any model validates; scripted policies do not count.

    Args:
        *runs: Run folders or folders of them, of one benchmark that has validation.

    Returns:
        Every instance with the models that rebuilt it and those that tried.

    Raises:
        UsageError: For runs of a benchmark without validation, or without answers of a model.
        RunError: For a folder that cannot be read.
    """
    with all_at_hand(runs) as folders:
        views = read_runs(folders)
    owners = {view.header.benchmark for view in views}
    found = [one for owner in owners for one in get_benchmark(owner).validate(views)]
    if not found:
        raise UsageError("the runs hold no answers of a model; run `ordojo eval` with one")
    return tuple(found)


@checked
def plan(
    runs: AnyRuns | Sequence[AnyRuns] = (),
    items: Count | None = None,
    *,
    seconds: Amount | None = None,
    memory: Amount = 0.0,
    nodes: Count = 1,
    cores: Count = 1,
    node_memory: Amount = 0.0,
    price: Amount = 0.0,
    tokens: Amount = 0.0,
    failure_hours: Amount = 0.0,
    setup: Amount = 0.0,
    seed: Seed = 0,
    **cluster: Any,
) -> Forecast:
    """Say what so many items take on a cluster, and where its bottleneck lies.

    Seconds, tokens, dollars and bytes of an item are those of the finished samples in `runs`. The
    work is simulated shard by shard, with the driver's own steps and nodes that are lost.

    Args:
        runs: Run folders, or folders of them, whose items were measured.
        items: How many there will be; as many as were measured, if not given.
        seconds: Seconds of a core for an item, without runs.
        memory: Gigabytes of an item at work.
        nodes: Nodes of the cluster.
        cores: Cores of a node.
        node_memory: Gigabytes of a node; 0: enough.
        price: Dollars of a node's hour.
        tokens: The endpoint's tokens a second; 0: no limit.
        failure_hours: Hours between losses of a node; 0: none.
        setup: Seconds until the first item is sent.
        seed: Of the losses that are drawn.
        **cluster: Other fields of `ordojo.core.capacity.Cluster`.

    Returns:
        Hours, money, disk, and which part is busiest.

    Raises:
        UsageError: Where neither runs nor seconds are given, or both.
        RunError: For a folder that cannot be read.

    Examples:
        >>> forecast = plan(items=100_000, seconds=60, nodes=100, cores=16)
        >>> round(forecast.hours, 1), forecast.bottleneck
        (1.1, 'cores')
    """
    known = [field.name for field in fields(Cluster)]
    if unknown := sorted(cluster.keys() - set(known)):
        raise UsageError(f"a cluster has no {', '.join(unknown)}; it has {', '.join(known)}")
    cluster |= {"node_memory": node_memory, "price": price, "tokens": tokens}
    cluster |= {"failure_hours": failure_hours, "setup": setup}
    paths = [runs] if isinstance(runs, str | Path) else list(runs)
    if bool(paths) == (seconds is not None):
        raise UsageError("give either runs whose items were measured, or the seconds of an item")
    if not paths and items is None:
        raise UsageError("say how many items there are")
    load = _measured(paths) if paths else Load(1, [seconds or 0.0])
    load = replace(load, items=load.items if items is None else items, memory=memory)
    return simulate(load, Cluster(nodes, cores, **cluster), seed=seed)


def _measured(paths: Sequence[str | Path]) -> Load:
    """What the samples of runs took, those that are unscored too."""
    with all_at_hand(paths) as folders:
        found = [record for run in read_runs(folders) for record in run.records]
    if not found:
        raise UsageError(f"{', '.join(map(str, paths))}: no sample is finished; nothing to plan by")
    used = [record.usage for record in found]
    return Load(
        items=len(found),
        seconds=[record.seconds for record in found],
        size=sum(len(line(record.to_json())) for record in found) / len(found) / 1e3,
        tokens=sum(one.input_tokens + one.output_tokens for one in used) / len(found),
        dollars=sum(one.cost for one in used) / len(found),
    )


@checked
def suggest(model: AnyModel, by: ModelName, *, text: str = "", steps: Count = 5) -> Suggestion:
    """Have a language model repair an infeasible model.

    It is asked as in or-debug; the solver answers each action.

    Args:
        model: What `read_model` takes.
        by: Any name that `evaluate` takes.
        text: A description of the model, which it reads.
        steps: Actions at most.

    Returns:
        What was done, and whether an optimum came of it.

    Raises:
        UsageError: For an argument out of its range.
        DataError: For a model that cannot be read, is not infeasible or too large.
        ProviderError: Where `by` cannot be asked.

    Examples:
        >>> print(suggest("bakery.lp", "ordojo/gold").text())  # doctest: +ELLIPSIS
        suggested by ordojo/gold, solved again: optimum ...
    """
    from ordojo.api.reading import read_problem
    from ordojo.solvers.kept import settled

    benchmark = benchmark_with(lambda one: type(one).suggest is not Benchmark.suggest)

    def ask(file: Path, options: Mapping[str, Any]) -> RunView:
        with tempfile.TemporaryDirectory(prefix="ordojo-suggest-") as runs:
            return evaluate(
                benchmark, by, runs=runs, instances=str(file), max_steps=steps, **options
            )

    found = benchmark.suggest(settled(read_problem(model)).model, text, ask)
    assert found is not None
    return found
