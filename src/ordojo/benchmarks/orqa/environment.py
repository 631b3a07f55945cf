"""ORQA as an environment: one turn, or two with chain of thought."""

from ordojo.benchmarks.orqa.examples import ExampleTable
from ordojo.benchmarks.orqa.judges import READERS
from ordojo.benchmarks.orqa.prompts import (
    answer_prompt,
    as_chat,
    reasoning_prompt,
    standard_prompt,
)
from ordojo.benchmarks.orqa.schema import LETTERS, OrqaOptions, Question
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance

CHARACTERS_A_TOKEN = 32
"""No tokenizer yields more on average: a longer reasoning than this allows is cut."""

CHAT_TOKENS = 1024
"""Room for a chat model that reasons before it names its letter."""


class OrqaEnvironment(Environment[Question]):
    """Asks one question; the reward is 1 for the right letter under `rule`."""

    def __init__(self, options: OrqaOptions, examples: ExampleTable, rule: str) -> None:
        self._options, self._examples = options, examples
        self._read = READERS[rule]
        self._question: Question | None = None
        self._reasoning_due = False

    def reset(self, instance: Instance[Question], seed: int) -> Observation:
        """Show the question; the prompt does not depend on `seed`."""
        self._question = question = instance.problem
        self._reasoning_due = self._options.prompt == "cot"
        if not self._reasoning_due:
            return self._ask(standard_prompt(question, self._examples.answer(question)))
        prompt = reasoning_prompt(question, self._examples.reasoning(question))
        return Observation(
            messages=(Message("user", prompt),),
            style="chat" if self._options.mode == "chat" else "completion",
            max_tokens=self._options.reasoning_tokens,
        )

    def _ask(self, prompt: str) -> Observation:
        chat = self._options.mode == "chat"
        return Observation(
            messages=(Message("user", as_chat(prompt) if chat else prompt),),
            style="chat" if chat else "completion",
            max_tokens=CHAT_TOKENS if chat else 1,
            choices=LETTERS,
            choose=self._options.mode == "logprob",
        )

    def step(self, text: str) -> Step:
        """Take the reasoning, or the answer."""
        question = self._question
        if question is None:
            raise BenchmarkError("orqa: step() before reset(), or after the episode's end")
        if self._reasoning_due:
            self._reasoning_due = False
            reasoning = text[: self._options.reasoning_tokens * CHARACTERS_A_TOKEN]
            shots = self._examples.answer(question)
            return Step(self._ask(answer_prompt(question, reasoning, shots)))
        self._question = None
        right = self._read(text, question.options) == question.letter
        return Step(None, reward=float(right), terminated=True)
