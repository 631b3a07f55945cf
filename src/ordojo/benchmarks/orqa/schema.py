"""What an ORQA question is, and the settings under which it is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from ordojo.core.canonical import digest
from ordojo.core.instance import Certificate, Instance
from ordojo.core.options import Options
from ordojo.core.ranges import COUNT

LETTERS = ("A", "B", "C", "D")
ANSWER_KEY = "answer-key"
"""The certificate of published questions: their key, taken on trust."""

QUESTION_TYPES: Mapping[str, str] = {
    "Q1": "objective criterion",
    "Q2": "content of a constraint",
    "Q3": "problem category",
    "Q4": "model type",
    "Q5": "elements that define sets",
    "Q6": "decision activities",
    "Q7": "required constraints",
    "Q8": "data in the objective",
    "Q9": "decisions in the objective",
    "Q10": "meaning of a left-hand side",
    "Q11": "scope of a constraint",
}

SKILLS: Mapping[str, tuple[str, ...]] = {
    "A. problem specification": ("Q1", "Q2", "Q3", "Q4"),
    "B. entities": ("Q5", "Q6", "Q7"),
    "C. relations": ("Q8", "Q9", "Q10", "Q11"),
}
"""The paper's three skills; which type belongs to which is our reading (decision 0002)."""

SKILL_OF_TYPE = {kind: skill for skill, kinds in SKILLS.items() for kind in kinds}

TRIGGERS: Mapping[str, str] = {
    "step-by-step": "Let's think step by step",
    "elimination": "Let's work by elimination",
    "reflect-expert": "Let's reflect on each answer option like an operations research expert",
    "inductive": "Let's use step by step inductive reasoning, given the mathematical nature of "
    "the question",
    "step-by-step-expert": "Let's think step by step like an operations research expert",
}
"""The five trigger prompts of table 3, under short names."""

Selection = Literal[
    "paper-same-type", "published-code", "random", "similar-length", "similar-length-same-type"
]


class OrqaOptions(Options):
    """How ORQA is asked; the defaults are the paper's standard 0-shot prompt.

    `trigger` is a short name of `TRIGGERS`, a text of one's own, or "all" for the five in one
    run. `permute` reorders the options: "cyclic" asks every question in all four rotations,
    "random" once in a seeded order.
    """

    dataset: str = "orqa@793beee"
    split: Literal["test", "validation"] = "test"
    prompt: Literal["standard", "cot"] = "standard"
    shots: int = Field(default=0, ge=0, le=10)
    icl: Selection = "paper-same-type"
    mode: Literal["completion", "chat", "logprob"] = "completion"
    trigger: str = Field(default="step-by-step", min_length=1)
    reasoning_tokens: int = COUNT.field(500)
    permute: Literal["none", "cyclic", "random"] = "none"


@dataclass(frozen=True)
class Question:
    """One question. `index` is its row in the file; `order` says which original option stands at
    each place; `answer` is the place of the right option, from 0; `reasoning` is the expert's,
    empty where the data have none.
    """

    index: int
    type: str
    context: str
    question: str
    options: tuple[str, ...]
    answer: int
    reasoning: str = ""
    order: tuple[int, ...] = (0, 1, 2, 3)
    trigger: str = TRIGGERS["step-by-step"]

    @property
    def letter(self) -> str:
        """The letter of the right option."""
        return LETTERS[self.answer]

    def reordered(self, order: Sequence[int]) -> "Question":
        """The same question with original option `order[i]` at place i."""
        return replace(
            self,
            options=tuple(self.options[i] for i in order),
            answer=list(order).index(self.answer),
            order=tuple(order),
        )


def question_from_row(row: Mapping[str, Any], index: int) -> Question:
    """Make a question of a published row, leading blanks and all."""
    reasoning = str(row.get("REASONING", ""))
    return Question(
        index=index,
        type=row["QUESTION_TYPE"],
        context=row["CONTEXT"],
        question=row["QUESTION"],
        options=tuple(row["OPTIONS"]),
        answer=int(row["TARGET_ANSWER"]),
        reasoning="" if reasoning == "{reasoning}" else reasoning,
    )


def answer_key(question: Question) -> Certificate:
    """The certificate: the right option's text, and a digest of what was asked."""
    asked = [question.context, question.question, sorted(question.options)]
    return Certificate(
        ANSWER_KEY, {"answer": question.options[question.answer], "asked": digest(asked)}
    )


def make_instance(
    question: Question, name: str, labels: Mapping[str, str], version: str
) -> Instance[Question]:
    """Wrap a question as an instance; questions on one context form a cluster."""
    return Instance(
        id=name,
        benchmark="orqa",
        version=version,
        problem=question,
        certificate=answer_key(question),
        cluster=digest(question.context)[:12],
        labels={"type": question.type, "skill": SKILL_OF_TYPE[question.type], **labels},
    )
