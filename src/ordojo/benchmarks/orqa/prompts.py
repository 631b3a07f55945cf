"""The published prompts, byte for byte (nl4opt/ORQA, commit 793beee), and their chat form."""

from collections.abc import Iterable
from dataclasses import dataclass

from ordojo.benchmarks.orqa.schema import LETTERS, Question

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
    form = PromptFormat(
        REASONING.instruction,
        REASONING.before_examples,
        REASONING.prefix.format(trigger=question.trigger),
        REASONING.separator,
    )
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
