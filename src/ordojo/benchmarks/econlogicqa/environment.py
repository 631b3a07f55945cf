"""EconLogicQA as an environment of one turn."""

from collections.abc import Sequence

from ordojo.benchmarks.econlogicqa.judges import READERS
from ordojo.benchmarks.econlogicqa.prompts import CHAT_ASK, MAX_TOKENS, STOP, prompt
from ordojo.benchmarks.econlogicqa.schema import ORDERS, EconLogicQAOptions, Ordering
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.seeds import generator

CHAT_TOKENS = 1024


class EconLogicQAEnvironment(Environment[Ordering]):
    """Asks for one order; the reward is 1 for the right one under `rule`."""

    def __init__(
        self, options: EconLogicQAOptions, pool: Sequence[Ordering], rule: str, seed: int
    ) -> None:
        self._options, self._pool, self._seed = options, pool, seed
        self._read = READERS[rule]
        self._ordering: Ordering | None = None

    def reset(self, instance: Instance[Ordering], seed: int) -> Observation:
        """Show the question after its examples; the prompt does not depend on `seed`."""
        self._ordering = ordering = instance.problem
        text = prompt(ordering, self._examples(ordering))
        chat = self._options.mode == "chat"
        return Observation(
            messages=(Message("user", CHAT_ASK + text if chat else text),),
            style="chat" if chat else "completion",
            max_tokens=CHAT_TOKENS if chat else MAX_TOKENS,
            stop=() if chat else STOP,
            choices=ORDERS,
        )

    def _examples(self, ordering: Ordering) -> Sequence[Ordering]:
        # Asked on the training split itself, a question is never its own example.
        pool = [example for example in self._pool if example.question != ordering.question]
        if self._options.examples == "random":
            rng = generator(self._seed, "econlogicqa/examples", ordering.index)
            pool = [pool[i] for i in rng.permutation(len(pool))]
        return pool[: self._options.shots]

    def step(self, text: str) -> Step:
        """Take the answer."""
        ordering, self._ordering = self._ordering, None
        if ordering is None:
            raise BenchmarkError("econlogicqa: step() before reset(), or after the episode's end")
        return Step(None, reward=float(self._read(text) == ordering.order), terminated=True)
