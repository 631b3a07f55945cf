"""What an EconLogicQA question is, how it is asked in a few-shot prompt, and how it is judged.

The paper gives no template; it says few-shot, greedy, and a stop when the model begins to pose a
new question. The form is that of the task proposed to lm-evaluation-harness (its pull request
4120): question, four lettered events, "Answer:".
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Literal

from pydantic import Field

from ordojo.core.canonical import digest
from ordojo.core.environment import Message, Observation
from ordojo.core.episode import Episode
from ordojo.core.instance import Certificate, Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.options import Options
from ordojo.core.readers.orders import Order, read_first, read_last
from ordojo.core.readers.turn import without_thinking
from ordojo.core.records import SampleRecord, scored, share
from ordojo.core.seeds import generator
from ordojo.core.statistics import Estimate, mean_interval

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


Reader = Callable[[str], Order | None]

READERS: Mapping[str, Reader] = {"exact-match": read_first, "last-order": read_last}


def pairwise_accuracy(said: Order, right: Order) -> float:
    """Share of the six pairs of events that stand in the right relative order."""
    place = {letter: said.index(letter) for letter in LETTERS}
    return sum(place[a] < place[b] for a, b in combinations(right, 2)) / 6


def judge_with(rule: str) -> Judge:
    """The judge that reads the order by `rule` and asks for an exact match.

    Its metrics: "pairwise" accuracy and Kendall's "tau" (2 * pairwise - 1 for strict orders), both
    absent where no order was read.
    """
    read = READERS[rule]

    def judge(instance: Instance[Ordering], episode: Episode) -> Verdict:
        said = read(without_thinking(episode.last_reply))
        if said is None:
            return Verdict(rule, "unparsed", 0.0, reason="no order of the four letters was read")
        right = instance.problem.order
        pairwise = pairwise_accuracy(said, right)
        exact = said == right
        return Verdict(
            rule,
            "correct" if exact else "wrong",
            float(exact),
            ", ".join(said),
            metrics={"pairwise": pairwise, "tau": 2 * pairwise - 1},
        )

    return judge


POSITIONS = ("first", "second", "third", "fourth")


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """Exact match first. A reply without an order scores 0 on pairs and is left out of tau."""
    rows = scored(records, rule)
    parsed = [(record, v) for record, v in rows if v.answer is not None]
    # Kendall's tau lies in [-1, 1]: estimated as (tau + 1) / 2, which is the pairwise accuracy.
    agreement = share(parsed, lambda v: v.metrics["pairwise"])
    mean, low, high = (2 * x - 1 for x in (agreement.value, agreement.low, agreement.high))
    figures = {
        "exact_match": share(rows, lambda v: v.score),
        "pairwise_accuracy": share(rows, lambda v: v.metrics.get("pairwise", 0.0)),
        "kendall_tau": Estimate(mean, low, high, agreement.n, agreement.clusters),
        "unparsed_rate": share(rows, lambda v: float(v.answer is None)),
    }
    for place, name in enumerate(POSITIONS):
        hits = [
            float(str(v.answer).split(", ")[place] == str(record.gold).split(", ")[place])
            for record, v in parsed
        ]
        figures[f"position/{name}"] = mean_interval(hits, [record.cluster for record, _ in parsed])
    return figures
