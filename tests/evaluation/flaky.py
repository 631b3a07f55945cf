"""Model providers that misbehave, for tests: registered with Inspect under the name `flaky`.

Every request appends the asked prompt's digest to the file named by $FLAKY_LOG.
"""

import multiprocessing
import os
import resource
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)

from ordojo.core.canonical import digest

asked: Counter[str] = Counter()
configs: list[GenerateConfig] = []
under_way = [0]
"""How many requests are under way, after each that began or was answered."""


class Flaky(ModelAPI):
    """`steady` answers C after 30 ms; `empty`, `broken`, `slow` fail every third time they are
    asked something, `never` always. As often `refuses` is ended by a content filter, `thinks` by
    the token limit before it has said anything, and `mute` says nothing; `unsaid` never says why it
    stopped. What was asked for is kept in `configs`."""

    def __init__(self, model_name: str, config: GenerateConfig, **rest: Any) -> None:
        super().__init__(model_name, config=config)

    def max_connections(self) -> int:
        return 4

    async def generate(
        self, input: list[ChatMessage], tools: Any, tool_choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        key = digest(input[-1].text)
        if path := os.environ.get("FLAKY_LOG"):
            with Path(path).open("a") as log:
                log.write(key + "\n")
        under_way.append(under_way[-1] + 1)
        await anyio.sleep(0.03)
        under_way.append(under_way[-1] - 1)
        asked[self.model_name] += 1
        configs.append(config)
        output = ModelOutput.from_content("flaky", "C")
        output.usage = ModelUsage(input_tokens=10, output_tokens=1, total_tokens=11)
        if self.model_name == "never" or int(key[:4], 16) % 3 == 0:
            if self.model_name == "empty":
                output.choices = []
            elif self.model_name == "refuses":
                output.choices[0].stop_reason = "content_filter"
            elif self.model_name in {"thinks", "mute"}:
                output = ModelOutput.from_content("flaky", "")
                if self.model_name == "thinks":
                    output.choices[0].stop_reason = "max_tokens"
            elif self.model_name == "slow":
                await anyio.sleep(60)
            elif self.model_name in {"broken", "never"}:
                raise ConnectionError("the provider hung up")
        if self.model_name == "unsaid":
            output.choices[0].stop_reason = "unknown"
        return output


@modelapi(name="flaky")
def flaky() -> type[ModelAPI]:
    return Flaky


def started(
    words: Sequence[str], said: Path, environment: Mapping[str, str], largest: int = -1
) -> Any:
    """A process of `ordojo WORDS` with these providers, what it says in a file.

    It is forked from one that has imported Inspect, which takes a command five seconds. No file
    that it writes can have more than `largest` bytes.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        [__name__, "ordojo.cli.eval", "inspect_ai.model._providers.anthropic"]
    )
    process = context.Process(target=_run, args=(words, said, environment, largest))
    process.start()
    return process


def _run(words: Sequence[str], said: Path, environment: Mapping[str, str], largest: int) -> None:
    from ordojo.cli import main

    with said.open("w") as file:
        os.dup2(file.fileno(), 2)
        os.dup2(file.fileno(), 1)
    os.environ.update(environment)
    os.chdir(said.parent)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, -1))
    sys.argv = ["ordojo", *words]
    main()
