"""ORQA as an environment: one turn, or two with chain of thought."""

from ordojo.benchmarks.orqa.examples import ExampleTable
from ordojo.benchmarks.orqa.prompts import (
    answer_prompt,
    as_chat,
    reasoning_prompt,
    standard_prompt,
)
from ordojo.benchmarks.orqa.schema import LETTERS, OrqaOptions, Question
from ordojo.core.environment import Message, Observation, Step
from ordojo.core.judge import Judge
from ordojo.core.single_turn import SingleTurnEnvironment

CHARACTERS_A_TOKEN = 32
"""No tokenizer yields more on average: a longer reasoning than this allows is cut."""

CHAT_TOKENS = 1024
"""Room for a chat model that reasons before it names its letter."""


class OrqaEnvironment(SingleTurnEnvironment[Question]):
    """Asks one question, with chain of thought for the reasoning first."""

    def __init__(self, options: OrqaOptions, examples: ExampleTable, judge: Judge) -> None:
        super().__init__("orqa", self._observe, judge)
        self._options, self._examples = options, examples
        self._reasoning_due: Question | None = None

    def _observe(self, question: Question) -> Observation:
        if self._options.prompt != "cot":
            return self._letter(standard_prompt(question, self._examples.answer(question)))
        self._reasoning_due = question
        prompt = reasoning_prompt(question, self._examples.reasoning(question))
        return Observation(
            messages=(Message("user", prompt),),
            style="chat" if self._options.mode == "chat" else "completion",
            max_tokens=self._options.reasoning_tokens,
        )

    def _letter(self, prompt: str) -> Observation:
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
        question, self._reasoning_due = self._reasoning_due, None
        if question is None:
            return super().step(text)
        reasoning = text[: self._options.reasoning_tokens * CHARACTERS_A_TOKEN]
        shots = self._examples.answer(question)
        return Step(self._letter(answer_prompt(question, reasoning, shots)))
