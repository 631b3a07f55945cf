"""A question and an answer a row: IndustryOR, MAMO, OptMATH-Bench, and all of SIRL's files."""

from pathlib import Path

from ordojo.datasets.golds import read_key
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.sources import labels_of, need, need_text, read_records


def read_questions(dataset: str, path: Path) -> list[Item]:
    """One item a row, named by its own id, else by its row, from 1; raises DataError."""
    items = []
    for number, (where, row) in enumerate(read_records(path), 1):
        question, answer = (
            ("en_question", "en_answer") if "en_question" in row else ("Question", "Answer")
        )
        key = read_key(need(row, answer, where))
        labels = labels_of(row, difficulty="difficulty", type="question_type")
        labels |= labels_of(row, type="Type")
        # SIRL keeps the answer that it corrected; once its name is misspelt.
        if "original_answer" in row or "orginal_answer" in row:
            labels["corrected"] = "yes"
        items.append(
            Item(
                id=str(row.get("id", number)),
                dataset=dataset,
                question=need_text(row, question, where),
                golds=key.golds,
                status=key.status,
                reason=key.reason,
                labels=labels,
            )
        )
    return items
