"""What Inspect finds through the entry point `inspect_ai`: tasks, a provider, a scorer.

After `pip install ordojo`, `inspect eval ordojo/orqa --model ordojo/smollm2` works.
"""

from inspect_ai import task
from inspect_ai.model import ModelAPI, modelapi

from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.evaluation.engine.ask import verdict
from ordojo.evaluation.engine.run import task_function

__all__ = ["ordojo", "verdict"]


@modelapi(name="ordojo")
def ordojo() -> type[ModelAPI]:
    """The provider of `ordojo/...` models."""
    from ordojo.evaluation.engine.model_api import OrdojoAPI

    return OrdojoAPI


for _name in benchmark_names():
    globals()[_name.replace("-", "_")] = task(task_function(get_benchmark(_name)))
