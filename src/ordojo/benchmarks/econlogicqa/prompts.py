"""The few-shot prompt, in the form of the evaluation-harness task for this dataset.

The paper gives no template; it says few-shot, greedy, and a stop when the model begins to pose a
new question. The form is that of the task proposed to lm-evaluation-harness (its pull request
4120): question, four lettered events, "Answer:".
"""

from collections.abc import Iterable, Sequence

from ordojo.benchmarks.econlogicqa.schema import LETTERS, ORDERS, EconLogicQAOptions, Ordering
from ordojo.core.environment import Message, Observation
from ordojo.core.seeds import generator

STOP = ("Question:",)
MAX_TOKENS = 64
CHAT_TOKENS = 1024
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


def observe(
    options: EconLogicQAOptions, pool: Sequence[Ordering], seed: int, ordering: Ordering
) -> Observation:
    """Ask for the order of four events, after examples of `pool`; drawn ones depend on `seed`."""
    # Asked on the training split itself, a question is never its own example.
    pool = [example for example in pool if example.question != ordering.question]
    if options.examples == "random":
        rng = generator(seed, "econlogicqa/examples", ordering.index)
        pool = [pool[i] for i in rng.permutation(len(pool))]
    text = prompt(ordering, pool[: options.shots])
    chat = options.mode == "chat"
    return Observation(
        messages=(Message("user", CHAT_ASK + text if chat else text),),
        style="chat" if chat else "completion",
        max_tokens=CHAT_TOKENS if chat else MAX_TOKENS,
        stop=() if chat else STOP,
        choices=ORDERS,
    )
