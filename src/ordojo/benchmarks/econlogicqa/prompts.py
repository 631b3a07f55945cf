"""The few-shot prompt, in the form of the evaluation-harness task for this dataset.

The paper gives no template; it says few-shot, greedy, and a stop when the model begins to pose a
new question. The form is that of the task proposed to lm-evaluation-harness (its pull request
4120): question, four lettered events, "Answer:".
"""

from collections.abc import Iterable

from ordojo.benchmarks.econlogicqa.schema import LETTERS, Ordering

STOP = ("Question:",)
MAX_TOKENS = 64
CHAT_ASK = (
    "Put the four events into their right order. End with one line of the form "
    '"Answer: " followed by the four letters, separated by commas.\n\n'
)


def block(ordering: Ordering) -> str:
    """A question and its events, ending where the answer begins."""
    events = "".join(
        f"{letter}. {event}\n" for letter, event in zip(LETTERS, ordering.events, strict=True)
    )
    return f"Question: {ordering.question}\n{events}Answer:"


def prompt(ordering: Ordering, examples: Iterable[Ordering]) -> str:
    """The examples with their answers, then the question."""
    shown = "".join(f"{block(example)} {example.answer}\n\n" for example in examples)
    return shown + block(ordering)
