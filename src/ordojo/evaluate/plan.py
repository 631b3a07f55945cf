"""What an evaluation is going to do and cost, known before anything is asked."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ordojo.evaluate.runs import Item
from ordojo.evaluate.session import InsideError, Session

CHARACTERS_A_TOKEN = 4
"""A rule of thumb for English text, good to about a quarter."""

SAMPLED = 64


@dataclass(frozen=True)
class Plan:
    """The plan of one run. Tokens are estimates: prompts by their length, replies at their limit.

    `cost` is an upper estimate in US dollars, None where the model's prices are not known.
    """

    items: int
    left: int
    prompt_tokens: int
    reply_tokens: int
    cost: float | None

    def __str__(self) -> str:
        if self.cost == 0:
            return f"{self.left:,} of {self.items:,} samples to ask, at no cost"
        price = "unknown (give --prices)" if self.cost is None else f"at most ${self.cost:.2f}"
        return (
            f"{self.left:,} of {self.items:,} samples to ask, about {self.prompt_tokens:,} prompt "
            f"tokens, at most {self.reply_tokens:,} new tokens; cost {price}"
        )


def make_plan(
    session: Session, items: int, left: Sequence[Item], prices: tuple[float, float] | None
) -> Plan:
    """Estimate from the first turns of up to 64 evenly spaced items.

    `prices` are dollars per million prompt and reply tokens.
    """
    step = max(1, len(left) // SAMPLED)
    prompts = replies = 0
    sample = left[::step]
    for name, _ in sample:
        # What fails inside ordojo is recorded when it is asked, and only missed in the estimate.
        with suppress(InsideError):
            attempt = session.begin(session.by_id[name])
            while (asked := attempt.steps.observation) is not None:
                prompts += len(asked.text) // CHARACTERS_A_TOKEN
                replies += asked.max_tokens
                attempt.reply("x" * (CHARACTERS_A_TOKEN * asked.max_tokens))
            attempt.abandon()
    scale = len(left) / max(1, len(sample))
    prompt_tokens, reply_tokens = round(prompts * scale), round(replies * scale)
    cost = None
    if prices is not None:
        cost = (prompt_tokens * prices[0] + reply_tokens * prices[1]) / 1e6
    return Plan(items, len(left), prompt_tokens, reply_tokens, cost)
