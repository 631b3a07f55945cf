"""A language model's repair of one's own model, which the solver has proved before it is shown."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ordojo.api.kinds import AnyModel, Count, ModelName
from ordojo.api.reading import read_problem
from ordojo.api.runs import evaluate
from ordojo.core.benchmark import AnyBenchmark, Benchmark, Suggestion
from ordojo.core.ranges import checked
from ordojo.core.records import RunView
from ordojo.core.registry import benchmark_with
from ordojo.solvers.kept import settled


def _suggests(benchmark: AnyBenchmark) -> bool:
    return type(benchmark).suggest is not Benchmark.suggest


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
        DataError: For a model that cannot be read, is not infeasible or too large.
        ProviderError: Where `by` cannot be asked.

    Examples:
        >>> print(suggest("bakery.lp", "ordojo/gold").text())  # doctest: +ELLIPSIS
        suggested by ordojo/gold, solved again: optimum ...
    """
    benchmark = benchmark_with(_suggests)

    def ask(file: Path, options: Mapping[str, Any]) -> RunView:
        with tempfile.TemporaryDirectory(prefix="ordojo-suggest-") as runs:
            return evaluate(
                benchmark, by, runs=runs, instances=str(file), max_steps=steps, **options
            )

    found = benchmark.suggest(settled(read_problem(model)).model, text, ask)
    assert found is not None
    return found
