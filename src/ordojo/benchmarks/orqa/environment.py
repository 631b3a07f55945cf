"""How ORQA is asked: the prompts, their in-context examples, one or two turns."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ordojo.benchmarks.orqa.schema import LETTERS, OrqaOptions, Question
from ordojo.core.environment import Message, Observation, Step
from ordojo.core.errors import DataError
from ordojo.core.judge import Judge
from ordojo.core.seeds import generator
from ordojo.core.single_turn import SingleTurnEnvironment

FEW_SHOT = "Here are some examples: \n\n"


@dataclass(frozen=True)
class PromptFormat:
    """The fixed pieces of one kind of prompt.

    `prefix` stands between a question and its answer, `separator` after an example's answer;
    `before_examples` joins the instruction and the announcement of examples.
    """

    instruction: str
    before_examples: str
    prefix: str
    separator: str

    def fill(self, block: str, examples: Iterable[tuple[str, str]]) -> str:
        """Put a question's block after the examples, given as (block, answer) pairs."""
        shown = [f"{b}{self.prefix}{answer}{self.separator}" for b, answer in examples]
        head = self.instruction + (self.before_examples + FEW_SHOT if shown else "")
        return head + "".join(shown) + block + self.prefix


ANSWER_PREFIX = "\nAnswer: Among A through D, the answer is ("

STANDARD = PromptFormat(
    instruction="Given the context (following Context:), select the most appropriate answer to "
    "the question (following Question:). Answer only 'A', 'B', 'C', or 'D'\n",
    before_examples="",
    prefix=ANSWER_PREFIX,
    separator=")\n\n",
)
REASONING = PromptFormat(
    instruction="Given the context (following Context:), provide the chain of thoughts "
    "(following Reasoning:) to solve the question (following Question:). Remember, only one "
    "option is correct.\n",
    before_examples="\n",
    prefix="\nReasoning: {trigger} ",
    separator="\n\n",
)
ANSWER = PromptFormat(
    instruction="Given the context (following Context:), the reasoning (following Reasoning:), "
    "select the most appropriate answer to the question (following Question:). Answer only 'A', "
    "'B', 'C', or 'D'. There is only one correct answer.\n",
    before_examples="\n",
    prefix=ANSWER_PREFIX,
    separator=")\n\n",
)
CHAT_ASK = "\nAnswer with one letter only: A, B, C or D."


def block(question: Question) -> str:
    """Context, question and options as every prompt shows them."""
    options = "".join(
        f"\n{letter}. {option}" for letter, option in zip(LETTERS, question.options, strict=True)
    )
    return f"Context: {question.context}\nQuestion: {question.question}{options}"


def _with_reasoning(question: Question, trigger: str, reasoning: str) -> str:
    return f"{block(question)}\nReasoning: {trigger}. {reasoning}"


def standard_prompt(question: Question, examples: Iterable[Question] = ()) -> str:
    """The standard prompt, ending in the forced prefix "the answer is ("."""
    return STANDARD.fill(block(question), [(block(e), e.letter) for e in examples])


def reasoning_prompt(question: Question, examples: Iterable[Question] = ()) -> str:
    """The first call of chain of thought, ending in the trigger."""
    form = replace(REASONING, prefix=REASONING.prefix.format(trigger=question.trigger))
    return form.fill(block(question), [(block(e), e.reasoning) for e in examples])


def answer_prompt(question: Question, reasoning: str, examples: Iterable[Question] = ()) -> str:
    """The second call of chain of thought, with the model's own reasoning filled in."""
    trigger = question.trigger
    return ANSWER.fill(
        _with_reasoning(question, trigger, reasoning),
        [(_with_reasoning(e, trigger, e.reasoning), e.letter) for e in examples],
    )


def as_chat(prompt: str) -> str:
    """The chat form of a prompt: the forced prefix becomes a request for one letter."""
    return (
        prompt.removesuffix(ANSWER_PREFIX) + CHAT_ASK if prompt.endswith(ANSWER_PREFIX) else prompt
    )


PUBLISHED_SEED = 100

Shots = tuple[Question, ...]


class ExampleTable:
    """The examples of every row: `reasoning(i)` and `answer(i)` for the two calls of row i.

    The selections: "paper-same-type" draws without replacement among the examples of the
    question's type; "random" among all; "similar-length" takes those whose block is nearest in
    words (ties: file order), "similar-length-same-type" the same within the type.
    "published-code" repeats the released program: draws with replacement over the whole pool
    from one stream seeded with 100, one draw a row in file order, and for chain of thought all
    reasoning prompts first, so that the two calls see different examples; a validation question
    may there be its own example, in no other selection. Raises DataError where a question has
    fewer examples to select from than shots.
    """

    def __init__(
        self, options: OrqaOptions, pool: Sequence[Question], rows: Sequence[Question], seed: int
    ) -> None:
        self._options, self._pool, self._seed = options, pool, seed
        self._contents = [_content(example) for example in pool]
        self._lengths = [_words(example) for example in pool]
        self._drawn: tuple[list[Shots], list[Shots]] | None = None
        if options.icl == "published-code" and options.shots:
            self._drawn = self._published_draws(len(rows))
        else:
            self._check_supply(rows)

    def _check_supply(self, rows: Sequence[Question]) -> None:
        for row in rows:
            supply = len(self._eligible(row))
            if supply < self._options.shots:
                raise DataError(
                    f"{self._options.dataset} has {supply} examples for question {row.index} "
                    f"(type {row.type}) under icl={self._options.icl}, too few for "
                    f"{self._options.shots}-shot prompts; choose fewer shots, or icl=random"
                )

    def _published_draws(self, rows: int) -> tuple[list[Shots], list[Shots]]:
        stream = random.Random(PUBLISHED_SEED)

        def draw() -> list[Shots]:
            return [tuple(stream.choices(self._pool, k=self._options.shots)) for _ in range(rows)]

        first = draw()
        return first, draw() if self._options.prompt == "cot" else first

    def reasoning(self, question: Question) -> Shots:
        """The examples shown in the first call."""
        if self._drawn:
            return self._drawn[0][question.index]
        return self._select(question)

    def answer(self, question: Question) -> Shots:
        """The examples shown in the call that asks for the letter."""
        if self._drawn:
            return self._drawn[1][question.index]
        return self._select(question)

    def _eligible(self, question: Question) -> list[int]:
        own_type = self._options.icl.endswith("same-type")
        content = _content(question)
        return [
            place
            for place, example in enumerate(self._pool)
            if (example.type == question.type or not own_type) and self._contents[place] != content
        ]

    def _select(self, question: Question) -> Shots:
        count, how = self._options.shots, self._options.icl
        if count == 0:
            return ()
        places = self._eligible(question)
        if how.startswith("similar-length"):
            wanted = _words(question)
            places.sort(key=lambda place: abs(self._lengths[place] - wanted))
        else:
            rng = generator(self._seed, "orqa/examples", question.index)
            places = [places[i] for i in rng.permutation(len(places))]
        return tuple(self._pool[place] for place in places[:count])


def _content(question: Question) -> tuple[str, ...]:
    return (question.context, question.question, *sorted(question.options))


def _words(question: Question) -> int:
    return len(block(question).split())


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
