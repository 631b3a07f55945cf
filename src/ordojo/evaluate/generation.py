"""A language model as the plain callable that builders take."""

import asyncio

from ordojo.core.errors import ProviderError
from ordojo.core.policy import Generate


def generator(model_name: str) -> Generate:
    """Make `Generate` of any model name that `ordojo eval` takes; raises ProviderError."""
    from inspect_ai.model import GenerateConfig

    from ordojo.evaluate.engine.run import Connection, connect

    model = connect(model_name, Connection())

    def generate(
        prompt: str, *, max_tokens: int = 1024, temperature: float = 0.0, seed: int = 0
    ) -> str:
        config = GenerateConfig(
            max_tokens=max_tokens, temperature=temperature, seed=seed, max_retries=5
        )
        output = asyncio.run(model.generate(prompt, config=config))
        if not output.choices or output.error:
            raise ProviderError(f"{model_name} gave no answer: {output.error or 'nothing came'}")
        return output.completion

    return generate
