"""What a build is asked to do, and from articles to candidates: asked for, read, and checked."""

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

from ordojo.benchmarks.econlogicqa.schema import LETTERS
from ordojo.core.building import BuildSettings, setting
from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError
from ordojo.core.journal import Journal
from ordojo.core.policy import Generate
from ordojo.core.ranges import COUNT, COUNT_OR_NONE, NumberRange
from ordojo.core.readers.orders import Order, read_last
from ordojo.core.rows import parse_file
from ordojo.core.seeds import generator
from ordojo.datasets.duplicates import Grams, grams, jaccard, normalised


class ArticleSettings(BuildSettings):
    """Build EconLogicQA questions: article, model, checks, a person's review, split.

    The same command goes on where it stands; stopped at the review, it names the queue.
    """

    example: ClassVar[str] = "ordojo build econlogicqa --model openai/gpt-4o -o questions"
    doing: ClassVar[str] = "building questions of econlogicqa with {model}"
    out_is: ClassVar[str] = "A folder."
    folder: ClassVar[bool] = True

    articles: Path | None = setting(
        None, "JSON Lines with id, title and text; without it, twelve that ship with ordojo."
    )
    model: str = setting(..., "The model that writes and checks.", metavar="MODEL")
    n: int | None = COUNT.field(None, "Only the first N articles.")
    orderings: int = COUNT_OR_NONE.field(5, "Independent orderings asked for each question.")
    agreement: float = NumberRange(0.01, 1).field(
        0.6, "Least share of them that must give the stated order."
    )
    judge_sensitive: bool = setting(False, "Also ask the model what is sensitive.")
    accept_all: bool = setting(False, "Take questions that no person has reviewed, and say so.")
    concurrency: int = NumberRange(1, 1000, whole=True).field(1, "Articles asked at a time.")
    dry_run: bool = setting(False, "Say what would be asked and what it costs.")
    temperature: float = setting(0.7, option=False, ge=0, le=2)
    article_likeness: float = setting(0.25, option=False, gt=0, le=10)
    question_likeness: float = setting(0.25, option=False, gt=0, le=10)
    related: float = setting(0.1, option=False, gt=0, le=10)
    """Likeness is the Jaccard index of word 5-grams: an article or question from its likeness on is
    rejected as a duplicate of an earlier one (above 1: never), and from `related` on two questions
    get into the same split."""

    def deciding(self) -> dict[str, Json]:
        """What decides which questions come out, by the names that begun builds have."""
        names = (
            *("seed", "model", "orderings", "agreement", "temperature", "judge_sensitive"),
            *("article_likeness", "question_likeness", "related"),
        )
        return {"limit": self.n, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True)
class Article:
    """One article; `text` is what the model reads."""

    id: str
    title: str
    text: str

    @property
    def sha256(self) -> str:
        """Digest of title and text."""
        return digest([self.title, self.text])


def read_articles(path: Path, limit: int | None = None) -> Sequence[Article]:
    """All articles of a JSONL (or CSV) file with id, text and perhaps title, or the first `limit`.

    Raises DataError for a file that is missing, cut off or empty, for an article without id or
    text, and for an id that is there twice.
    """
    articles: dict[str, Article] = {}
    for where, row in parse_file(path):
        for column in ("id", "text"):
            if not isinstance(row.get(column), str) or not row[column].strip():
                raise DataError(f"{where} has no '{column}' with text in it; give each article one")
        title = row.get("title") or row["id"]
        if not isinstance(title, str):
            raise DataError(f"{where} has a 'title' that is not text")
        if row["id"] in articles:
            raise DataError(f"{where} has the id '{row['id']}' of an earlier article; rename one")
        articles[row["id"]] = Article(row["id"], title, row["text"])
    return list(articles.values())[:limit]


GENERATION, ORDERING, SENSITIVE = (
    files(__package__).joinpath(f"prompts/{name}.txt").read_text("utf-8")
    for name in ("generation", "ordering", "sensitive")
)
"""The first is of the EconLogicQA paper (arXiv 2405.07938v1), appendix A, figure 1: every character
that is not white space as printed there. Blanks between words, lost in the text of the PDF, are
restored; blank lines between the blocks are ours."""

PROMPT_SHA256 = digest([GENERATION, ORDERING, SENSITIVE])

QUESTION_TOKENS, ORDER_TOKENS, SENSITIVE_TOKENS = 1024, 256, 128
"""Most new tokens of each reply: a question with its explanation, an order, a yes or no."""


def generation_prompt(article: str) -> str:
    """The paper's prompt for one article."""
    return GENERATION.replace("{news_article}", article)


def ordering_prompt(question: str, events: Sequence[str]) -> str:
    """The question put to a model, with the events in the order given."""
    choices = "\n".join(f"{x}. {event}" for x, event in zip(LETTERS, events, strict=True))
    return ORDERING.format(question=question, choices=choices)


def sensitive_prompt(article: str) -> str:
    """The question whether an article is sensitive."""
    return SENSITIVE.format(article=article)


_FENCE = re.compile(r"^\s*(```|~~~)")
_HEAD = re.compile(
    r"^[\s*_#>]*(question|choices|correct\s*(?:order|sequence)|explanation)[*_\s]*:[*_\s]*(.*)$",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"^[\s*_>-]*\(?([A-D])[*_]*[.):][*_]*\s*(.*)$")
_COMPACT = re.compile(r"[A-D]{4}")


@dataclass(frozen=True)
class QuestionDraft:
    """A question as a model or a reviewer left it; whatever is missing is empty.

    `order` holds the letters as stated, which need not be an order at all.
    """

    question: str
    events: tuple[str, ...]
    order: tuple[str, ...]
    explanation: str

    @property
    def answer(self) -> str:
        """The stated order as the dataset spells it."""
        return ", ".join(self.order)

    def fields(self) -> dict[str, str]:
        """The dataset's columns, and the explanation."""
        return {
            "Question": self.question,
            **dict(zip(LETTERS, self.events, strict=True)),
            "Answer": self.answer,
            "Explanation": self.explanation,
        }

    @classmethod
    def from_fields(cls, fields: Mapping[str, str]) -> "QuestionDraft":
        """The inverse of `fields`; runs of white space become one blank."""
        clean = {name: " ".join(text.split()) for name, text in fields.items()}
        return cls(
            clean["Question"],
            tuple(clean[letter] for letter in LETTERS),
            read_order(clean["Answer"]),
            clean["Explanation"],
        )


def parse(reply: str) -> QuestionDraft:
    """The first question in a reply; never raises."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in reply.split("\n"):
        if _FENCE.match(line):
            continue
        if head := _HEAD.match(line):
            name = re.sub(r"\s", "", head[1]).lower().replace("sequence", "order")
            if name == "question" and name in found:
                break  # the model went on to pose another question
            section, text = name, head[2]
        elif section in ("question", "choices", *LETTERS) and (choice := _CHOICE.match(line)):
            section, text = choice[1], choice[2]
        else:
            text = line
        found.setdefault(section, []).append(text.strip().removesuffix("**"))
    texts = {name: " ".join(" ".join(lines).split()) for name, lines in found.items()}
    return QuestionDraft(
        question=texts.get("question", ""),
        events=tuple(texts.get(letter, "") for letter in LETTERS),
        order=read_order(texts.get("correctorder", "")),
        explanation=texts.get("explanation", ""),
    )


def read_order(text: str) -> tuple[str, ...]:
    """The letters of a stated order: "D, C, A, B", "D -> C -> A -> B", "(D) (C) (A) (B)"."""
    compact = _COMPACT.fullmatch(text.strip(" ._*"))
    return tuple(compact[0] if compact else re.findall(r"(?<![A-Za-z])[A-D](?![A-Za-z'])", text))


CHECKS: Mapping[str, str] = {
    "article-duplicate": "the article is not nearly the same as an earlier one",
    "format": "question, four choices and a correct order are all there",
    "distinct-events": "the four choices say four different things",
    "permutation": "the correct order has each letter once",
    "question-duplicate": "the question is not nearly the same as an earlier one",
    "agreement": "independent orderings by a model agree with the stated order",
    "sensitive": "a screen for the person who reviews: it flags an article and rejects nothing",
}

SENSITIVE_WORDS = (
    "abus(?:e|ed|ive)", "assassinat\\w+", "assault\\w*", "atrocit\\w+", "bomb(?:s|ed|ing|ings)?",
    "casualt\\w+", "corpse\\w*", "dead", "deaths?", "deadly", "died", "dies", "execut(?:ed|ions?)",
    "explosions?", "fatal\\w*", "funeral\\w*", "genocid\\w+", "gunm[ae]n", "hostages?", "injured",
    "kidnap\\w*", "kill(?:s|ed|ing|ings)?", "massacre\\w*", "molest\\w*", "murder\\w*",
    "overdos\\w+",
    "pornograph\\w+", "racis[mt]\\w*", "rap(?:e|ed|ist)", "refugees?", "sexual\\w*", "shooting",
    "slaughter\\w*", "slavery", "stabb\\w+", "suicid\\w+", "terroris[mt]\\w*", "tortur\\w+",
    "traffick\\w+", "victims?", "war(?:s|time)?", "wounded",
)  # fmt: skip
"""Regular expressions of whole words; they mean to flag too much rather than too little."""

_SENSITIVE = re.compile(rf"\b(?:{'|'.join(SENSITIVE_WORDS)})\b", re.IGNORECASE)


@dataclass(frozen=True)
class CandidateCheck:
    """One finding; `reason` is for people, `data` for programs."""

    name: str
    passed: bool
    reason: str
    data: Mapping[str, Json] = field(default_factory=dict)


def check_draft(draft: QuestionDraft) -> list[CandidateCheck]:
    """Format, events and order: what any question must pass; ends at the first that fails."""
    fields, seen = draft.fields(), dict[str, str]()
    missing = ", ".join(x for x in ("Question", *LETTERS, "Answer") if not fields[x])
    reason = f"missing: {missing}" if missing else "complete"
    checks = [CandidateCheck("format", not missing, reason)]
    if missing:
        return checks
    same = ", ".join(
        f"{seen[text]} and {letter}"
        for letter, event in zip(LETTERS, draft.events, strict=True)
        if seen.setdefault(text := normalised(event), letter) != letter
    )
    reason = f"the same choice twice: {same}" if same else "four different choices"
    checks.append(CandidateCheck("distinct-events", not same, reason))
    if same:
        return checks
    proper = sorted(draft.order) == list(LETTERS)
    reason = "each letter once" if proper else f"'{draft.answer}' does not have each letter once"
    return [*checks, CandidateCheck("permutation", proper, reason)]


def check_duplicate(
    name: str, own: Grams, earlier: Mapping[str, Grams], threshold: float
) -> CandidateCheck:
    """Whether something is too like an earlier one; `earlier` maps ids to word 5-grams."""
    likeness, twin = max(
        ((jaccard(own, other), i) for i, other in earlier.items()), default=(0.0, "")
    )
    found = likeness >= threshold
    reason = f"{likeness:.2f} like '{twin}'" if twin else "nothing to compare with"
    return CandidateCheck(name, not found, reason, {"likeness": likeness, "nearest": twin})


def check_agreement(
    draft: QuestionDraft, orders: Sequence[Order | None], threshold: float
) -> CandidateCheck:
    """How many of a model's orders are the stated one; None stands for an unreadable reply."""
    read = [", ".join(order) for order in orders if order]
    share = read.count(draft.answer) / len(orders)
    data: Mapping[str, Json] = {
        "agreeing": read.count(draft.answer),
        "asked": len(orders),
        "unreadable": len(orders) - len(read),
        "orders": {order: read.count(order) for order in sorted(set(read))},
    }
    reason = (
        f"{data['agreeing']} of {len(orders)} orderings agree; "
        f"orders given: {len(set(read))}; unreadable: {data['unreadable']}"
    )
    return CandidateCheck("agreement", share >= threshold, reason, data)


def check_sensitive(text: str, judged: str | None) -> CandidateCheck:
    """Flag an article by its words, and by a model's answer where one was asked for."""
    words = sorted({match.lower() for match in _SENSITIVE.findall(text)})
    reasons = [f"the article has the words {', '.join(words)}"] if words else []
    if judged is not None and not re.match(r"\W*no\b", judged, re.IGNORECASE):
        # A reply that is neither yes nor no is for the person to read, too.
        reasons.append(f"a model says: {' '.join(judged.split()) or 'nothing'}")
    return CandidateCheck(
        "sensitive",
        not reasons,
        "; ".join(reasons) or "nothing found",
        {"words": words, "judged": judged},
    )


def draft_grams(draft: QuestionDraft) -> Grams:
    """What two questions are compared by: question and choices, the choices in any order."""
    parts = [normalised(draft.question), *sorted(map(normalised, draft.events))]
    return frozenset().union(*(grams(part) for part in parts))


class Replies:
    """Wraps a model; also holds the build's lock, as long as it is open."""

    def __init__(self, path: Path, generate: Generate) -> None:
        """Read the replies stored in `path`; DataError if another build writes there."""
        self._journal = Journal(path)
        self._generate = generate
        self._known: dict[str, str] = {row["key"]: row["reply"] for row in self._journal.rows}

    def ask(
        self,
        purpose: str,
        article: str,
        prompt: str,
        *,
        seed: int,
        max_tokens: int,
        temperature: float = 0.0,
    ) -> str:
        """The stored reply, or the model's. An empty one is not stored: it is asked for again."""
        key = digest([purpose, article, prompt, seed, max_tokens, temperature])
        if key not in self._known:
            reply = self._generate(
                prompt, max_tokens=max_tokens, temperature=temperature, seed=seed
            )
            if not reply.strip():
                return ""
            self._journal.append(
                {
                    "key": key,
                    "purpose": purpose,
                    "article": article,
                    "prompt": digest(prompt),
                    "seed": seed,
                    "temperature": temperature,
                    "reply": reply,
                }
            )
            self._known[key] = reply
        return self._known[key]

    def __enter__(self) -> "Replies":
        return self

    def __exit__(self, *error: object) -> None:
        self._journal.close()


NOTHING = parse("")
SCREENS = ("sensitive",)
"""Checks that flag for the person who reviews, and reject nothing."""


@dataclass(frozen=True)
class QuestionCandidate:
    """An article and what came of it; `reply` is empty if no question was asked for."""

    article: str
    title: str
    sha256: str
    reply: str
    draft: QuestionDraft
    checks: tuple[CandidateCheck, ...]

    @property
    def rejected(self) -> str:
        """The name of the check that rejects it, empty if it goes to review."""
        return next((c.name for c in self.checks if not c.passed and c.name not in SCREENS), "")

    @property
    def flags(self) -> tuple[CandidateCheck, ...]:
        """What the screens found."""
        return tuple(c for c in self.checks if not c.passed and c.name in SCREENS)

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "QuestionCandidate":
        """Read what `canonical` wrote."""
        was = row["draft"]
        draft = QuestionDraft(
            was["question"], tuple(was["events"]), tuple(was["order"]), was["explanation"]
        )
        checks = tuple(CandidateCheck(**check) for check in row["checks"])
        return cls(**{**row, "draft": draft, "checks": checks})


def make_candidates(
    articles: Sequence[Article], replies: Replies, settings: ArticleSettings
) -> Iterator[QuestionCandidate]:
    """One candidate an article, in order; the cheap checks come first and spare the model."""
    texts: dict[str, Grams] = {}
    questions: dict[str, Grams] = {}
    for article in articles:
        reply, draft, checks = _make(article, texts, questions, replies, settings)
        yield QuestionCandidate(
            article.id, article.title, article.sha256, reply, draft, tuple(checks)
        )


def ask_ahead(
    articles: Sequence[Article], replies: Replies, settings: ArticleSettings
) -> Iterator[Article]:
    """Ask `concurrency` articles' questions at a time.

    `make_candidates` then finds the replies stored. Yields each article once its replies are
    there. One that repeats another is found out only afterwards, and was asked needlessly.
    """
    with ThreadPoolExecutor(settings.concurrency) as pool:
        asked = [pool.submit(_make, article, {}, {}, replies, settings) for article in articles]
        try:
            for article, reply in zip(articles, asked, strict=True):
                reply.result()
                yield article
        except BaseException:
            # Those that wait are not asked any more; those under way are stored.
            pool.shutdown(cancel_futures=True)
            raise


def requests(articles: Sequence[Article], settings: ArticleSettings) -> tuple[int, int, int]:
    """How many requests a build makes at most, the characters they have, and new tokens."""
    per = 1 + settings.orderings + settings.judge_sensitive
    # An ordering's prompt has the question and four events, at most some 2,000 characters.
    characters = sum(
        len(generation_prompt(one.text))
        + 2000 * settings.orderings
        + settings.judge_sensitive * len(sensitive_prompt(one.text))
        for one in articles
    )
    tokens = QUESTION_TOKENS + ORDER_TOKENS * settings.orderings
    tokens += SENSITIVE_TOKENS * settings.judge_sensitive
    return len(articles) * per, characters, len(articles) * tokens


def _make(
    article: Article,
    texts: dict[str, Grams],
    questions: dict[str, Grams],
    replies: Replies,
    settings: ArticleSettings,
) -> tuple[str, QuestionDraft, list[CandidateCheck]]:
    own = grams(normalised(article.text))
    unlike = check_duplicate("article-duplicate", own, texts, settings.article_likeness)
    if not unlike.passed:
        return "", NOTHING, [unlike]
    texts[article.id] = own
    prompt = generation_prompt(article.text)
    reply = replies.ask(
        "question", article.id, prompt, seed=settings.seed, max_tokens=QUESTION_TOKENS
    )
    if not reply:
        return "", NOTHING, [unlike, CandidateCheck("format", False, "the model returned nothing")]
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


def check_orders(
    article: str, draft: QuestionDraft, replies: Replies, settings: ArticleSettings
) -> CandidateCheck:
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
            max_tokens=ORDER_TOKENS,
            temperature=settings.temperature,
        )
        # A model that does not stop may go on to orders of its own.
        read = read_last(reply.strip().partition("\n")[0]) or read_last(reply)
        orders.append(
            None if read is None else tuple(LETTERS[places[LETTERS.index(x)]] for x in read)
        )
    return check_agreement(draft, orders, settings.agreement)


def _screen(article: Article, replies: Replies, settings: ArticleSettings) -> CandidateCheck:
    judged = None
    if settings.judge_sensitive:
        prompt = sensitive_prompt(article.text)
        judged = replies.ask(
            "sensitive", article.id, prompt, seed=settings.seed, max_tokens=SENSITIVE_TOKENS
        )
    return check_sensitive(f"{article.title}\n{article.text}", judged)
