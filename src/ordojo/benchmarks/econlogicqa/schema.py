"""What an EconLogicQA question is, the settings under which it is asked, and its few-shot prompt.

The paper gives no template; it says few-shot, greedy, and a stop when the model begins to pose a
new question. The form is that of the task proposed to lm-evaluation-harness (its pull request
4120): question, four lettered events, "Answer:".
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

from pydantic import Field

from ordojo.core.canonical import digest
from ordojo.core.environment import Message, Observation
from ordojo.core.instance import Certificate, Instance
from ordojo.core.options import Options
from ordojo.core.seeds import generator

LETTERS = ("A", "B", "C", "D")

ORDERS = tuple(", ".join(order) for order in permutations(LETTERS))
"""The closed set of 24 answers, in alphabetical order."""


class EconLogicQAOptions(Options):
    """How EconLogicQA is asked; the defaults are the paper's 1-shot setting.

    `examples` are the first rows of the training split, or a seeded draw for each question.
    """

    dataset: str = "econlogicqa@hf"
    split: Literal["train", "val", "test"] = "test"
    shots: int = Field(default=1, ge=0, le=20)
    examples: Literal["first", "random"] = "first"
    mode: Literal["completion", "chat"] = "completion"


@dataclass(frozen=True)
class Ordering:
    """One question: `events` under the letters A to D, and the letters in their right order."""

    index: int
    question: str
    events: tuple[str, ...]
    order: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The right order as the data spell it, "D, C, A, B"."""
        return ", ".join(self.order)


def ordering_from_row(row: Mapping[str, Any], index: int) -> Ordering:
    """Make a question of a published row."""
    return Ordering(
        index=index,
        question=row["Question"],
        events=tuple(row[letter] for letter in LETTERS),
        order=tuple(re.findall(r"[A-D]", row["Answer"])),
    )


def answer_key(ordering: Ordering) -> Certificate:
    """The certificate: the right order, and a digest of what was asked."""
    return Certificate(
        "answer-key",
        {"order": ordering.answer, "asked": digest([ordering.question, ordering.events])},
    )


def make_instance(ordering: Ordering, split: str, version: str) -> Instance[Ordering]:
    """Wrap a question as an instance."""
    name = f"{split}-{ordering.index:04d}"
    return Instance(
        id=name,
        benchmark="econlogicqa",
        version=version,
        problem=ordering,
        certificate=answer_key(ordering),
        cluster=name,
        labels={"first event": ordering.order[0]},
    )


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
