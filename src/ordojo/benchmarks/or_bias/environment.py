"""OR-Bias-Bench as an environment of one turn."""

from ordojo.benchmarks.or_bias.judges import judge_with
from ordojo.benchmarks.or_bias.schema import OrBiasOptions, Scenario
from ordojo.benchmarks.or_bias.stories import CHAT_TOKENS, COMPLETION_TOKENS, STOP, prompt
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.episode import Episode, Turn
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance


class OrBiasEnvironment(Environment[Scenario]):
    """Asks for one order quantity; the reward is the score under `rule`."""

    def __init__(self, options: OrBiasOptions, rule: str) -> None:
        self._chat = options.mode == "chat"
        self._judge = judge_with(rule)
        self._instance: Instance[Scenario] | None = None

    def reset(self, instance: Instance[Scenario], seed: int) -> Observation:
        """Tell the story; the prompt does not depend on `seed`."""
        self._instance = instance
        chat = self._chat
        return Observation(
            messages=(Message("user", prompt(instance.problem.text, chat)),),
            style="chat" if chat else "completion",
            max_tokens=CHAT_TOKENS if chat else COMPLETION_TOKENS,
            stop=() if chat else STOP,
        )

    def step(self, text: str) -> Step:
        """Take the order."""
        instance, self._instance = self._instance, None
        if instance is None:
            raise BenchmarkError("or-bias: step() before reset(), or after the episode's end")
        verdict = self._judge(instance, Episode((Turn((), "completion", text),)))
        return Step(None, reward=verdict.score or 0.0, terminated=True)
