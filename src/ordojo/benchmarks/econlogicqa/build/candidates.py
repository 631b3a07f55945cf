"""From articles to candidates: asked for, read, and checked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ordojo.benchmarks.econlogicqa.build.articles import Article
from ordojo.benchmarks.econlogicqa.build.checks import (
    Check,
    check_agreement,
    check_draft,
    check_duplicate,
    check_sensitive,
    draft_grams,
)
from ordojo.benchmarks.econlogicqa.build.parse import Draft, parse
from ordojo.benchmarks.econlogicqa.build.prompt import (
    generation_prompt,
    ordering_prompt,
    sensitive_prompt,
)
from ordojo.benchmarks.econlogicqa.build.replies import Replies
from ordojo.benchmarks.econlogicqa.build.settings import Settings
from ordojo.benchmarks.econlogicqa.judges import Order, read_last
from ordojo.benchmarks.econlogicqa.schema import LETTERS
from ordojo.core.seeds import generator
from ordojo.datasets.duplicates import Grams, grams, normalised

NOTHING = parse("")
SCREENS = ("sensitive",)
"""Checks that flag for the person who reviews, and reject nothing."""


@dataclass(frozen=True)
class Candidate:
    """An article and what came of it; `reply` is empty if no question was asked for."""

    article: str
    title: str
    sha256: str
    reply: str
    draft: Draft
    checks: tuple[Check, ...]

    @property
    def rejected(self) -> str:
        """The name of the check that rejects it, empty if it goes to review."""
        return next((c.name for c in self.checks if not c.passed and c.name not in SCREENS), "")

    @property
    def flags(self) -> tuple[Check, ...]:
        """What the screens found."""
        return tuple(c for c in self.checks if not c.passed and c.name in SCREENS)

    def to_json(self) -> dict[str, Any]:
        """The candidate as plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "Candidate":
        """Read what `to_json` wrote."""
        was = row["draft"]
        draft = Draft(
            was["question"], tuple(was["events"]), tuple(was["order"]), was["explanation"]
        )
        checks = tuple(Check(**check) for check in row["checks"])
        return cls(**{**row, "draft": draft, "checks": checks})


def make_candidates(
    articles: Sequence[Article], replies: Replies, settings: Settings
) -> Iterator[Candidate]:
    """One candidate an article, in order; the cheap checks come first and spare the model."""
    texts: dict[str, Grams] = {}
    questions: dict[str, Grams] = {}
    for article in articles:
        reply, draft, checks = _make(article, texts, questions, replies, settings)
        yield Candidate(article.id, article.title, article.sha256, reply, draft, tuple(checks))


def _make(
    article: Article,
    texts: dict[str, Grams],
    questions: dict[str, Grams],
    replies: Replies,
    settings: Settings,
) -> tuple[str, Draft, list[Check]]:
    own = grams(normalised(article.text))
    unlike = check_duplicate("article-duplicate", own, texts, settings.article_likeness)
    if not unlike.passed:
        return "", NOTHING, [unlike]
    texts[article.id] = own
    prompt = generation_prompt(article.text)
    reply = replies.ask("question", article.id, prompt, seed=settings.seed, max_tokens=1024)
    if not reply:
        return "", NOTHING, [unlike, Check("format", False, "the model returned nothing")]
    draft = parse(reply)
    checks = [unlike, *check_draft(draft)]
    if not checks[-1].passed:
        return reply, draft, checks
    asked = draft_grams(draft)
    checks.append(
        check_duplicate("question-duplicate", asked, questions, settings.question_likeness)
    )
    if checks[-1].passed and settings.orderings:
        checks.append(check_orders(article.id, draft, replies, settings))
    if checks[-1].passed:
        questions[article.id] = asked
        checks.append(_screen(article, replies, settings))
    return reply, draft, checks


def check_orders(article: str, draft: Draft, replies: Replies, settings: Settings) -> Check:
    """Ask for the order several times, the choices shuffled anew each time, and compare."""
    orders: list[Order | None] = []
    for index in range(settings.orderings):
        rng = generator(settings.seed, f"econlogicqa-orderings/{article}", index)
        places = [int(place) for place in rng.permutation(len(LETTERS))]
        reply = replies.ask(
            "order",
            article,
            ordering_prompt(draft.question, [draft.events[place] for place in places]),
            seed=int(rng.integers(2**31)),
            max_tokens=256,
            temperature=settings.temperature,
        )
        # A model that does not stop may go on to orders of its own.
        read = read_last(reply.strip().partition("\n")[0]) or read_last(reply)
        orders.append(
            None if read is None else tuple(LETTERS[places[LETTERS.index(x)]] for x in read)
        )
    return check_agreement(draft, orders, settings.agreement)


def _screen(article: Article, replies: Replies, settings: Settings) -> Check:
    judged = None
    if settings.judge_sensitive:
        prompt = sensitive_prompt(article.text)
        judged = replies.ask("sensitive", article.id, prompt, seed=settings.seed, max_tokens=128)
    return check_sensitive(f"{article.title}\n{article.text}", judged)
