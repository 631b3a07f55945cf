"""Fresh ORQA questions from the templates, each with a certificate that proves its answer."""

from collections.abc import Iterator
from pathlib import Path

from ordojo.core.errors import UsageError

__all__ = ["build"]


def build(
    out: Path, n: int, seed: int, split: str, version: str, queue: Path | None = None
) -> Iterator[str]:
    """Write `n` questions to `out` and yield lines on them; the same seed, the same bytes.

    With `queue` only those go to `out` that two readers have accepted there; a queue that is not
    there is made, and nothing is written. Raises UsageError, DataError or GeneratorError.
    """
    # The templates are heavier than the rest of the benchmark.
    from ordojo.benchmarks.orqa.build.file import make_queue, to_row, verdicts, write_rows
    from ordojo.benchmarks.orqa.build.guessers import CEILING, CEILING_OF_TYPE, guessed
    from ordojo.benchmarks.orqa.build.make import questions

    if out.suffix != ".jsonl":
        raise UsageError(f"{out} would be one file of {n}; give it a name ending in .jsonl")
    made = {f"{split}-s{seed}-{one.question.index:04d}": one for one in questions(n, seed, split)}
    rows = [to_row(one, name, version) for name, one in made.items()]
    if queue is not None:
        make_queue(queue, rows)
        found = verdicts(queue, rows)
        yield (
            f"{len(rows)} questions: {len(found.accepted)} accepted by two readers, "
            f"{found.rejected} rejected, {found.waiting} waiting"
        )
        if found.waiting:
            yield (
                f"each reader decides with 'ordojo review open {queue} --independent --reviewer "
                "NAME'; then repeat this command"
            )
        if not found.accepted:
            return
        rows = list(found.accepted)
    write_rows(out, rows)
    asked = [made[row["id"]].question for row in rows]
    contexts = len({question.context for question in asked})
    yield f"{out}: {len(rows)} questions on {contexts} contexts"
    letters = [sum(q.answer == place for q in asked) for place in range(4)]
    yield "right answers: " + ", ".join(
        f"{letter} {count}" for letter, count in zip("ABCD", letters, strict=True)
    )
    yield (
        f"accuracy of guessers that understand nothing, learned from other contexts (chance is 0.25; "
        f"the ceiling is {CEILING}, {CEILING_OF_TYPE} in any type):"
    )
    for name, found in guessed(asked).items():
        one, kind = found.overall, max(found.by_type, key=lambda kind: found.by_type[kind])
        yield (
            f"  {name}: {one.value:.3f} [{one.low:.3f}, {one.high:.3f}], at most "
            f"{found.by_type[kind]:.3f} ({kind})"
        )
