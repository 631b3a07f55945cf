"""A benchmark as a taskset and environment of `verifiers` (v1), and the package that it wants."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from openai import AsyncOpenAI
from verifiers.v1.runtimes import SubprocessConfig

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.environment import Observation, chat
from ordojo.core.episode import UNKNOWN
from ordojo.core.errors import UsageError
from ordojo.core.outputs import whole_folder
from ordojo.evaluation.scripted import STOPS
from ordojo.training.adapters.episodes import EpisodePlayer, session_of

STOP = "ordojo_stop"
"""Key of a trace's info: why its last reply ended, in Inspect's words."""


class BenchmarkConfig(vf.TasksetConfig):
    """Which instances: `--env.taskset.benchmark`, `.settings`, `.seed` and `.limit`."""

    benchmark: str = ""
    settings: Mapping[str, str] = {}
    seed: int = 0
    limit: int | None = None


class BenchmarkTask(vf.Task[vf.TaskData, vf.State]):
    """One instance, by number; what is asked comes from `BenchmarkEnvironment`."""


class BenchmarkTaskset(vf.Taskset[BenchmarkTask, BenchmarkConfig]):
    """The instances of a benchmark, in their order."""

    def __init__(self, config: BenchmarkConfig) -> None:
        super().__init__(config)
        self.session = session_of(config.benchmark, config.settings, config.seed, config.limit)

    def load(self) -> Iterable[BenchmarkTask]:
        """A task an instance; it has no prompt, as the environment opens the conversation."""
        for number, instance in enumerate(self.session.instances):
            yield BenchmarkTask(vf.TaskData(idx=number, name=instance.id), self.config.task)


class ChatHarness(vf.Harness[vf.HarnessConfig]):
    """Asks the model for the next message of the conversation, in this process, and no more."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """One completion, by way of the endpoint that records it."""
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        messages += [{"role": said.role, "content": said.content} for said in prompt]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            said = await client.chat.completions.create(model=ctx.model, messages=messages)
        # The library keeps no word for a refusal.
        trace.info[STOP] = STOPS.get(str(said.choices[0].finish_reason), UNKNOWN)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


class BenchmarkEnvironmentConfig(vf.EnvConfig):
    """The one seat, `--env.agent.*`, which is the model; it plays by `ChatHarness`."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=SubprocessConfig())


class BenchmarkEnvironment(vf.Env[BenchmarkEnvironmentConfig]):
    """Plays episodes: the environment's messages are the user's, the model's are the actions.

    Where a benchmark begins a new conversation within an episode, so does this, with a trace of
    its own. The last trace has the episode's whole reward and its scores, the others have none. An
    episode that a limit of the library ends is worth what silence to its end makes of it; one that
    an error ends has no reward, and is the library's to count.
    """

    async def run(self, task: vf.Task, agents: Any) -> None:
        """One episode; what was said is on the traces, and what came of it on the last."""
        assert isinstance(self.taskset, BenchmarkTaskset)
        played = EpisodePlayer(self.taskset.session)
        try:
            asked: Observation | None = played.begin(task.data.idx)
            while asked is not None:
                system = [turn.content for turn in asked.messages if turn.role == "system"]
                told = {"system_prompt": "\n\n".join(system) or None}
                opened = type(task)(task.data.model_copy(update=told), task.config)
                async with agents.agent.interaction(opened) as talk:
                    fresh = True
                    while asked is not None and (fresh or not asked.fresh):
                        users = chat(turn for turn in asked.messages if turn.role != "system")
                        said = await talk.turn(users)
                        if said.terminated:
                            if not talk.trace.errors:
                                _record(talk.trace, played)
                            return
                        stop = str(talk.trace.info.get(STOP, UNKNOWN))
                        asked, fresh = played.reply(said.last_reply, stop).asked, False
                    if asked is None:
                        _record(talk.trace, played)
        finally:
            played.close()


def _record(trace: vf.Trace, played: EpisodePlayer) -> None:
    outcome = played.outcome()
    assert outcome is not None
    trace.record_reward("reward", outcome.reward)
    for name, score in outcome.scores.items():
        if score is not None:
            trace.record_metric(name, score)


PYPROJECT = """\
[project]
name = "{name}"
version = "{version}"
description = "{summary}"
requires-python = ">=3.11"
dependencies = ["ordojo", "verifiers>=0.3"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
"""
MODULE = '''\
"""{summary}: the benchmark {benchmark} of ordojo, for verifiers."""

from collections.abc import Mapping

import verifiers.v1 as vf
from ordojo.training.adapters.verifiers_taskset import (
    BenchmarkConfig,
    BenchmarkEnvironment,
    BenchmarkTask,
    BenchmarkTaskset,
    ChatHarness,
)


class Config(BenchmarkConfig):
    benchmark: str = "{benchmark}"
    settings: Mapping[str, str] = {settings}


class Taskset(BenchmarkTaskset, vf.Taskset[BenchmarkTask, Config]):
    pass


class Environment(BenchmarkEnvironment):
    pass


class Harness(ChatHarness):
    pass


__all__ = ["Environment", "Harness", "Taskset"]
'''
README = """\
# {name}

{summary}. Install this folder with `pip install .`; then, with your model and endpoint:

    eval {name} --no-push -n 10 -m MODEL --client.base-url URL --client.api-key-var KEY
"""


def write_package(
    benchmark: str | AnyBenchmark, settings: Mapping[str, str], out: Path, force: bool = False
) -> str:
    """Write an installable environment package to the folder; a sentence that says so.

    Raises UsageError for a benchmark or an option that does not exist, and for a folder that has
    such files, unless `force`.
    """
    found = session_of(benchmark, settings, limit=1).benchmark
    name = f"ordojo-{found.name}"
    said: dict[str, Any] = {
        "name": name,
        "version": f"{found.version}.0",
        "summary": found.summary.rstrip("."),
        "benchmark": found.name,
        "settings": dict(settings),
    }
    files = {
        "pyproject.toml": PYPROJECT,
        "README.md": README,
        f"{name.replace('-', '_')}.py": MODULE,
    }
    taken = [out / file for file in files if (out / file).exists()]
    if taken and not force:
        raise UsageError(f"{taken[0]} exists; choose another folder, or `force`")
    with whole_folder(out, keep=True) as folder:
        for file, text in files.items():
            (folder / file).write_text(text.format(**said), "utf-8")
    return f"{out}: pip install {out}, then: eval {name} --no-push -n 10 -m MODEL"
