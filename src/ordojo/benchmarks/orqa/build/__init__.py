"""Fresh ORQA questions from the templates, each with a certificate that proves its answer.

`case` draws two firms with a problem each, `context` tells them in prose, `candidates` are the
claims that a question may offer, right and wrong, `proof` decides each from the built model, and
`make` puts a question together and proves it anew.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar, Literal

from ordojo.core.building import Overwriting, PlaceField, place, setting
from ordojo.core.errors import DataError, UsageError
from ordojo.core.hardness import Shortcut
from ordojo.core.ranges import COUNT, SEED, NumberRange
from ordojo.core.words import amount

__all__ = ["QuestionSettings", "build"]

CEILING, CEILING_OF_TYPE = 0.35, 0.5
"""What whoever does not read may reach over all questions, and in any type."""
ENOUGH = 30
"""Questions without which nothing is said: at 30 an interval is a third wide."""
BY_HEART = ("by heart", "all of these")
"""Guessers that know the templates from other sets; they are reported, and no ceiling is theirs."""


def faults(reached: Sequence[Shortcut]) -> list[str]:
    """Who is above a ceiling with all of the 95% interval, and where."""
    return [
        f"{one.name} has {part.value:.3f} in {kind}"
        for one in reached
        if one.name not in BY_HEART
        for kind, part, most in (
            ("all types", one.score, CEILING),
            *((kind, part, CEILING_OF_TYPE) for kind, part in one.by.items()),
        )
        if part.n >= ENOUGH and part.low > most
    ]


class QuestionSettings(Overwriting):
    """Build questions of all eleven types, with answers that follow from a formal model.

    Every wrong option is proved wrong; `ordojo verify OUT` proves all of it again.
    """

    example: ClassVar[str] = "ordojo build orqa --n 200 --seed 1 -o questions.jsonl"
    doing: ClassVar[str] = "building {n} questions of orqa"

    n: int = COUNT.field(1000)
    seed: int = NumberRange(0, SEED.high, whole=True).field(0)
    split: Literal["test", "validation"] = setting(
        "test", "Splits of one seed share nothing; validation is for few-shot examples."
    )
    queue: Path | None = setting(
        None,
        "Write only what two readers accept; make their queue if it is not there.",
        "--review",
        metavar="QUEUE",
    )
    on: PlaceField = place("local")
    as_json: bool = setting(False, "Print what guessers reach as JSON.", "--json")


def build(out: Path, settings: QuestionSettings) -> Iterator[str]:
    """Write questions to `out` and yield lines on them; the same seed, the same bytes.

    With `queue` only those go to `out` that two readers have accepted there; a queue that is not
    there is made, and nothing is written. `as_json`: one line of JSON instead.
    Raises UsageError, DataError (also where who does not read gets too far) or GeneratorError.
    """
    # The templates are heavier than the rest of the benchmark.
    from ordojo.benchmarks.orqa.build.make import (
        BUILT,
        from_row,
        make_queue,
        questions,
        to_row,
        verdicts,
        write_rows,
    )
    from ordojo.benchmarks.orqa.hardness import battery

    n, seed, split, queue = settings.n, settings.seed, settings.split, settings.queue
    if out.suffix != ".jsonl":
        raise UsageError(f"{out} would be one file of {n}; give it a name ending in .jsonl")
    drawn = questions(n, seed, split, settings.on)
    made = {f"{split}-s{seed}-{q.question.index:04d}": q for q in drawn}
    rows = [to_row(question, name, BUILT) for name, question in made.items()]
    if queue is not None:
        make_queue(queue, rows)
        found = verdicts(queue, rows)
        yield (
            f"{amount(len(rows), 'question')}: {len(found.accepted)} accepted by two readers, "
            f"{found.rejected} rejected, {found.waiting} waiting"
        )
        if found.waiting:
            yield (
                f"each reader decides with 'ordojo review open {queue} --independent --reviewer "
                "NAME'; then build again"
            )
        if not found.accepted:
            return
        rows = list(found.accepted)
    reached = battery([from_row(row) for row in rows], ()).shortcuts
    if too_far := faults(reached):
        raise DataError(
            "the set can be answered without reading, so it is not written: "
            f"{'; '.join(too_far)}; take another seed"
        )
    write_rows(out, rows)
    asked = [made[row["id"]].question for row in rows]
    contexts = len({question.context for question in asked})
    letters = {letter: sum(q.answer == place for q in asked) for place, letter in enumerate("ABCD")}
    if settings.as_json:
        told = {one.name: asdict(one) for one in reached}
        data = {"questions": len(rows), "contexts": contexts, "letters": letters, "guessers": told}
        yield json.dumps({"file": str(out), **data})
        return
    yield f"{out}: {amount(len(rows), 'question')} on {amount(contexts, 'context')}"
    yield "right answers: " + ", ".join(f"{name} {count}" for name, count in letters.items())
    yield (
        "accuracy of guessers that understand nothing, learned from other contexts (chance 0.25, "
        f"ceiling {CEILING}, in any type {CEILING_OF_TYPE}):"
    )
    for one in reached:
        kind, most = max(one.by.items(), key=lambda item: item[1].value)
        yield (
            f"  {one.name}: {one.score.value:.3f} [{one.score.low:.3f}, {one.score.high:.3f}], "
            f"at most {most.value:.3f} ({kind})"
        )
