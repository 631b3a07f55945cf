"""Fresh questions, each with its reasoning and its certificate, by which it is proved anew.

Context by context, one of each type: question `index` depends on (seed, split, index) and nothing
else. Eleven questions in a row share a context, as those of the published set do.

They are kept as rows with the published columns, and the certificate beside them. So one file
serves `ordojo eval orqa -T dataset=FILE`, which reads the columns, and `ordojo verify FILE`, which
reads everything. Two readers accept them in a queue.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from ordojo.benchmarks.orqa.build.candidates import candidates, choose, placed, target
from ordojo.benchmarks.orqa.build.case import (
    BINARY,
    INTEGER,
    LINEAR,
    MIXED,
    Case,
    CasePlan,
    make_case,
    recipe,
)
from ordojo.benchmarks.orqa.build.context import (
    QUESTIONS,
    Claim,
    ask,
    context,
    decided,
    say,
    stated,
)
from ordojo.benchmarks.orqa.build.proof import distinguished, find_witness, holds
from ordojo.benchmarks.orqa.hardness import Text
from ordojo.benchmarks.orqa.schema import (
    LETTERS,
    QUESTION_TYPES,
    SKILL_OF_TYPE,
    Question,
    question_from_row,
)
from ordojo.core.canonical import digest
from ordojo.core.errors import DataError, GeneratorError
from ordojo.core.instance import Certificate, Instance, object_of
from ordojo.core.journal import line
from ordojo.core.outputs import write_file
from ordojo.core.seeds import generator
from ordojo.core.spread import HERE, Place, spread, stateless
from ordojo.core.words import joined
from ordojo.datasets.schemas import ORQA
from ordojo.formulation.algebra import uses
from ordojo.review import MODEL_PREFIX, ReviewItem, ReviewQueue

_TYPES = {
    BINARY: "Every decision is yes or no.",
    INTEGER: "All decisions are yes or no or whole numbers, and not all are yes or no.",
    MIXED: "Some decisions are whole numbers or yes or no, others may be fractional.",
    LINEAR: "All decisions may be fractional.",
}


def reasoning(case: Case, kind: str, about: str, right: Claim) -> str:
    """What the context says on the matter, and the answer."""
    text = say(case, right)
    return f"{_facts(case, kind, about, right)} So the correct answer is: {text.rstrip('.')}."


def _facts(case: Case, kind: str, about: str, right: Claim) -> str:
    spec = case.main.spec
    goal = spec.objective
    used = uses(spec, goal.rule)
    match kind:
        case "Q1" | "Q3":
            return f"The plan has to {goal.sense} {goal.meaning}."
        case "Q2" | "Q10" | "Q11":
            return f"The context says on this: {stated(case.main, spec.family(about))}"
        case "Q4":
            return f"{_TYPES[case.kind]} Objective and constraints are linear in them."
        case "Q5":
            sets = [item.many for item in spec.sets if not item.parts]
            return f"Figures, decisions and constraints go by {_list(sets)}."
        case "Q6":
            return f"What is decided is {_list([decided(group) for group in spec.groups])}."
        case "Q7":
            return f"The context demands: {stated(case.main, spec.family(right[2]))}"
        case "Q8":
            data = [f"the {spec.parameter(name).meaning}" for name in used.parameters]
            return f"The plan has to {goal.sense} {goal.meaning}. This needs {_list(data)}."
    chosen = [decided(spec.group(name)) for name in used.groups]
    return f"The plan has to {goal.sense} {goal.meaning}. This depends on {_list(chosen)}."


def _list(parts: Sequence[str]) -> str:
    return joined(list(parts)) if parts else "no figure"


KIND = "template-question/3"
OLD_KINDS = ("template-question", "template-question/2")
"""Of questions built before version 4 of the builder: their recipes make other texts now."""
TYPES = tuple(QUESTION_TYPES)


@dataclass(frozen=True)
class GeneratedQuestion:
    """A question and what proves its answer."""

    question: Question
    certificate: Certificate
    template: str

    @property
    def labels(self) -> Mapping[str, str]:
        """Its categories."""
        return labels_of(self.certificate)


def labels_of(certificate: Certificate) -> Mapping[str, str]:
    """The categories of a question, by the plan that its recipe asks about."""
    data: Any = certificate.data
    main = data["recipe"]["plans"][0]
    return {"template": main["template"], "model": main["kind"]}


def questions(
    n: int, seed: int, split: str = "test", place: Place = HERE
) -> Iterator[GeneratedQuestion]:
    """The first `n` questions of a split; the place changes nothing. Raises GeneratorError."""
    make = stateless(partial(question, seed, split))
    return spread(make, range(n), place, what="building questions")


def question(seed: int, split: str, index: int) -> GeneratedQuestion:
    """Question `index`; raises GeneratorError where no three options can be proved wrong."""
    number, place = divmod(index, len(TYPES))
    kind = TYPES[place]
    case = make_case(_recipe(seed, split, number))
    rng = generator(seed, f"orqa/{split}/question", index)
    text, wanted = _context(seed, split, number), target(seed, split, index)
    phrasing = int(rng.integers(len(QUESTIONS[kind])))
    witnesses: dict[str, dict[str, float]] = {}

    def usable(about: str, claim: Claim) -> bool:
        if claim[0] in ("sum", "items"):
            return not holds(case, kind, about, claim)
        if claim[0] != "rule" or claim[1] or (kind == "Q2" and claim[2] != about):
            return True
        point = _shown(case.main, kind, claim[2], claim[3])
        if point:
            witnesses[say(case, claim)] = point
        return point is not None

    def asked(about: str) -> Text:
        return Text(text, ask(case, kind, phrasing, about))

    found = candidates(case, kind, rng)
    said = lru_cache(lambda claim: say(case, claim))
    chosen = choose(found, said, usable, asked, wanted, rng) if found else None
    if chosen is None:
        raise GeneratorError(
            f"no {kind} could be made of {case.main.template.name} (split {split}, question "
            f"{index}); take another seed"
        )
    about, (right, *others) = chosen
    claims = placed((right, *others), wanted["letter"], rng)
    options = tuple(say(case, claim) for claim in claims)
    certificate = Certificate(
        KIND,
        {
            "recipe": dict(case.recipe),
            "about": about,
            "phrasing": phrasing,
            "claims": [_plain(claim) for claim in claims],
            "witnesses": [witnesses.get(option, {}) for option in options],
        },
    )
    made = Question(
        index=index,
        type=kind,
        context=text,
        question=ask(case, kind, phrasing, about),
        options=options,
        answer=wanted["letter"],
        reasoning=reasoning(case, kind, about, right),
    )
    return GeneratedQuestion(made, certificate, case.main.template.name)


def prove(made: Question, certificate: Certificate) -> None:
    """Derive text, answer and every wrong option anew; raises DataError where one does not hold."""
    data: Any = certificate.data
    if certificate.kind in OLD_KINDS:
        raise DataError(
            "built by an earlier ordojo, which alone can prove it; it can be evaluated as it is"
        )
    try:
        case = make_case(data["recipe"])
        about, claims, points = str(data["about"]), data["claims"], data["witnesses"]
        asked = ask(case, made.type, int(data["phrasing"]), about)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise DataError(f"the certificate lacks or garbles something ({error!r})") from None
    if not len(claims) == len(points) == len(made.options) == len(set(made.options)):
        raise DataError("the certificate needs a claim and a witness for each of the four options")
    if made.context != context(case) or made.question != asked:
        raise DataError("context or question is not what the certificate's recipe makes")
    for place, (option, claim, point) in enumerate(zip(made.options, claims, points, strict=True)):
        if option != say(case, claim):
            raise DataError(f"option {'ABCD'[place]} does not say what it claims: {claim!r}")
        if holds(case, made.type, about, claim, point or None) != (place == made.answer):
            wrong = "is wrong" if place == made.answer else "is right, too"
            raise DataError(f"option {'ABCD'[place]} {wrong}: {option}")


@lru_cache(maxsize=8)
def _recipe(seed: int, split: str, number: int) -> Mapping[str, Any]:
    return recipe(seed, split, number)


@lru_cache(maxsize=8)
def _context(seed: int, split: str, number: int) -> str:
    return context(make_case(_recipe(seed, split, number)))


def _shown(plan: CasePlan, kind: str, family: str, sense: str) -> dict[str, float] | None:
    """What shows a constraint to be false: a point, {} where none is needed, None for nothing."""
    try:
        if kind == "Q2":
            return {} if distinguished(plan, family, sense) else None
        return find_witness(plan, family, sense)
    except GeneratorError:
        return None  # A row without variables: the data have no such case.


def _plain(claim: Claim) -> list[Any]:
    return [list(part) if isinstance(part, tuple) else part for part in claim]


Row = dict[str, Any]

BUILT = "4"
"""The version of built sets, apart from the benchmark's: 4 tells both firms alike."""
VERSIONS = ("1", "2", "3", BUILT)


def to_row(made: GeneratedQuestion, name: str, version: str) -> Row:
    """A question as plain JSON."""
    question = made.question
    instance = _instance(question, made.certificate, name, version, made.labels)
    return {
        "benchmark": "orqa",
        "version": version,
        "id": name,
        "index": question.index,
        "QUESTION_TYPE": question.type,
        "CONTEXT": question.context,
        "QUESTION": question.question,
        "OPTIONS": list(question.options),
        "TARGET_ANSWER": question.answer,
        "REASONING": question.reasoning,
        "labels": dict(made.labels),
        "certificate": {"kind": made.certificate.kind, "data": dict(made.certificate.data)},
        "content_hash": instance.content_hash,
    }


def from_row(row: Mapping[str, Any]) -> Instance[Question]:
    """The instance of a row, its certificate as it stands; raises DataError with the field."""
    if problem := ORQA.problem(dict(row)):
        raise DataError(problem)
    for name in ("id", "version"):
        if not isinstance(row.get(name), str):
            raise DataError(f"{name} is {row.get(name)!r}, it must be text")
    if row["version"] not in VERSIONS:
        known = " and ".join(VERSIONS)
        raise DataError(f"version is {row['version']!r}, this ordojo reads orqa {known}")
    if type(row.get("index")) is not int:
        raise DataError(f"index is {row.get('index')!r}, it must be a whole number")
    stored, labels = object_of(row, "certificate"), object_of(row, "labels")
    if stored.get("kind") not in (KIND, *OLD_KINDS):
        raise DataError(f"the certificate's kind is {stored.get('kind')!r}, not '{KIND}'")
    certificate = Certificate(str(stored["kind"]), object_of(stored, "data"))
    question = question_from_row(row, row["index"])
    return _instance(question, certificate, row["id"], row["version"], labels)


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write one row a line, all or nothing; raises DataError."""
    write_file(path, b"".join(map(line, rows)))


def _instance(
    question: Question, certificate: Certificate, name: str, version: str, labels: Mapping[str, str]
) -> Instance[Question]:
    mine = {"type": question.type, "skill": SKILL_OF_TYPE[question.type]}
    cluster = digest(question.context)[:12]
    return Instance(name, "orqa", version, question, certificate, cluster, {**labels, **mine})


READERS = 2
"""Readers who have to accept a question."""

REASONS = (
    "incomplete context",
    "ambiguous question or options",
    "wrong answer",
    "no reasoning needed",
    "sensitive",
    "other",
)

TITLE = "ORQA questions"


@dataclass(frozen=True)
class Verdicts:
    """What became of the questions: their rows if accepted, and how many are not."""

    accepted: tuple[Row, ...]
    rejected: int
    waiting: int


def make_queue(path: Path, rows: Sequence[Row]) -> None:
    """Write the queue if it is not there; raises DataError where it holds other questions."""
    items = [_item(row) for row in rows]
    if not path.exists():
        ReviewQueue.create(path, items, title=TITLE, reasons=REASONS)
        return
    with ReviewQueue.open(path) as queue:
        if list(queue.items) != items:
            raise DataError(
                f"{path} holds other questions: repeat the build that began it, or choose another "
                "folder"
            )


def verdicts(path: Path, rows: Sequence[Row]) -> Verdicts:
    """A question is accepted once two persons have accepted it, and out once one rejects it."""
    accepted, rejected, waiting = [], 0, 0
    with ReviewQueue.open(path) as queue:
        readers = {d.reviewer for d in queue.decisions if not d.reviewer.startswith(MODEL_PREFIX)}
        for row in rows:
            said = [queue.current(row["id"], name) for name in readers]
            kinds = [decision.kind for decision in said if decision is not None]
            if "reject" in kinds:
                rejected += 1
            elif kinds.count("accept") >= READERS:
                accepted.append(row)
            else:
                waiting += 1
    return Verdicts(tuple(accepted), rejected, waiting)


def _item(row: Row) -> ReviewItem:
    kind = row["QUESTION_TYPE"]
    options = dict(zip(LETTERS, row["OPTIONS"], strict=True))
    # Text and certificate belong together, so nothing can be edited.
    return ReviewItem(
        id=row["id"],
        title=f"{kind}, {QUESTION_TYPES[kind]}",
        fields={
            "Context": row["CONTEXT"],
            "Question": row["QUESTION"],
            **options,
            "Answer": LETTERS[row["TARGET_ANSWER"]],
            "Reasoning": row["REASONING"],
        },
        data={"template": row["labels"]["template"]},
    )
