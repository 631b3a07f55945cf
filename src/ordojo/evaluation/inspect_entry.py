"""What Inspect finds through the entry point `inspect_ai`: tasks, a provider, a scorer.

After `pip install ordojo`, `inspect eval ordojo/orqa --model ordojo/smollm2` works.
"""

from inspect_ai import task
from inspect_ai.model import ModelAPI, modelapi

from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.evaluation.engine.agent import agent_function, handed_in, python, submit
from ordojo.evaluation.engine.ask import verdict
from ordojo.evaluation.engine.run import task_function

__all__ = ["handed_in", "ordojo", "python", "submit", "verdict"]


@modelapi(name="ordojo")
def ordojo() -> type[ModelAPI]:
    """The provider of `ordojo/...` models."""
    from ordojo.evaluation.engine.model_api import OrdojoAPI

    return OrdojoAPI


for _name in benchmark_names():
    _benchmark = get_benchmark(_name)
    _made = [task_function(_benchmark)]
    if _benchmark.errand is not None:
        _made.append(agent_function(_benchmark, _benchmark.errand))
    globals().update({one.__name__: task(one) for one in _made})
