"""One's own problems: a JSONL file, checked row by row."""

from pathlib import Path

from ordojo.datasets.golds import read_key
from ordojo.datasets.nl2opt.items import Item, Status
from ordojo.datasets.rows import checked, parse_file
from ordojo.datasets.schemas import NL2OPT


def read_own(dataset: str, path: Path) -> list[Item]:
    """One item a row, its files looked for beside the JSONL file; raises DataError, UsageError."""
    items = []
    for number, (where, row) in enumerate(parse_file(path), 1):
        checked(row, where, NL2OPT)
        key = read_key(row["answer"])
        model = row.get("reference_model")
        listed = {name: path.parent / name for name in row.get("files", [])}
        wanted = {**listed, **({model: path.parent / model} if model else {})}
        absent = [name for name, file in wanted.items() if not file.is_file()]
        status: Status = key.status
        reason = key.reason
        if absent:
            status, reason = "incomplete", f"{', '.join(absent)} is not there"
        elif model and row["answer"] is None:
            status, reason = "ok", ""
        items.append(
            Item(
                id=str(row.get("id", number)),
                dataset=dataset,
                question=row["question"],
                golds=() if model and row["answer"] is None else key.golds,
                status=status,
                reason=reason,
                labels={name: str(value) for name, value in row.get("labels", {}).items()},
                files={name: file for name, file in listed.items() if name not in absent},
                parameters=row.get("parameters", {}),
                reference_model=None if absent or not model else path.parent / model,
            )
        )
    return items
