"""A language model as the plain callable that builders take."""

import asyncio
import threading
from functools import cache

from ordojo.core.errors import ProviderError
from ordojo.core.policy import Generate
from ordojo.evaluation.scripted import is_scripted


@cache
def _event_loop() -> asyncio.AbstractEventLoop:
    """One loop for all calls: a provider's client must not outlive the loop it was made in."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="ordojo-generate", daemon=True).start()
    return loop


def generator(model_name: str) -> Generate:
    """Make `Generate` of any language model that `ordojo eval` takes; raises ProviderError."""
    if is_scripted(model_name):
        raise ProviderError(f"{model_name} is a scripted policy; give the name of a language model")
    from inspect_ai.model import GenerateConfig

    from ordojo.evaluation.engine.ask import failure_of, reason_of
    from ordojo.evaluation.engine.run import connect
    from ordojo.evaluation.session import Connection

    model = connect(model_name, Connection())

    def generate(
        prompt: str, *, max_tokens: int = 1024, temperature: float = 0.0, seed: int = 0
    ) -> str:
        config = GenerateConfig(
            max_tokens=max_tokens, temperature=temperature, seed=seed, max_retries=5
        )
        asked = asyncio.run_coroutine_threadsafe(
            model.generate(prompt, config=config), _event_loop()
        )
        try:
            output = asked.result()
            failure = failure_of(output, {})
        except Exception as error:
            failure = reason_of(error)
        if failure:
            raise ProviderError(f"{model_name} gave no answer: {failure}")
        return output.completion

    return generate
