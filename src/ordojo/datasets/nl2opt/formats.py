"""One reader for each shape of the datasets' files, Gurobi's dialect of LP files included.

The sources' JSON is one value, a list, or an object a line; faults have their place.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ordojo.core import files
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.rows import json_lines, parse_file
from ordojo.datasets.golds import GoldAnswer, read_key
from ordojo.datasets.nl2opt.items import ProblemItem, Status
from ordojo.datasets.rows import checked
from ordojo.datasets.schemas import NL2OPT

Record = dict[str, Any]


class DamagedError(DataError):
    """Data that are not what they claim to be, with what to do, which depends on whose they are."""

    def __init__(self, damage: str, advice: str = "get the dataset again") -> None:
        super().__init__(damage, advice)
        self.damage = damage

    def __str__(self) -> str:
        return "; ".join(self.args)


def read_text(path: Path) -> str:
    """A file's text; raises DataError."""
    try:
        return files.read_text(path).strip()
    except OSError as error:
        raise DamagedError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise DamagedError(f"{path} is not UTF-8") from None


def read_json(path: Path) -> Any:
    """A file's one JSON value; raises DataError."""
    try:
        return files.parse_json(read_text(path))
    except ValueError as error:
        raise DamagedError(f"{path} is not whole JSON ({error})") from None


def read_records(path: Path) -> Iterator[tuple[str, Record]]:
    """The objects of a JSON array, or one a line, each with its place; raises DataError.

    Some sources call JSON lines `.json`, so the content decides, not the name.
    """
    text = read_text(path)
    if text.startswith("["):
        values = [(f"{path}, item {number}", v) for number, v in enumerate(read_json(path), 1)]
    else:
        lines = json_lines(text, path, "get the dataset again")
        values = [(f"{path}:{number}", value) for number, value in lines]
    for where, value in values:
        if not isinstance(value, dict):
            raise DamagedError(f"{where} is not a JSON object")
        yield where, value


def need(record: Record, key: str, where: str) -> Any:
    """The record's value for `key`; raises DataError if it has none."""
    if key not in record:
        raise DamagedError(f"{where} has no '{key}'")
    return record[key]


def need_text(record: Record, key: str, where: str) -> str:
    """The record's text for `key`, without blanks around it; raises DataError if it has none."""
    value = need(record, key, where)
    if not isinstance(value, str) or not value.strip():
        raise DamagedError(f"{where} has a '{key}' that is not text")
    return value.strip()


def labels_of(record: Record, **names: str) -> dict[str, str]:
    """Labels from those of the record's fields that it has: label=field."""
    return {label: str(record[key]) for label, key in names.items() if record.get(key) is not None}


def folders_in(path: Path) -> list[Path]:
    """The folders in a folder, `prob_2` before `prob_10`."""

    def natural(folder: Path) -> tuple[str, int, str]:
        head = folder.name.rstrip("0123456789")
        return (head, int(folder.name[len(head) :] or -1), folder.name)

    return sorted((child for child in path.iterdir() if child.is_dir()), key=natural)


INDEX = re.compile(r"(?<=[^\s\[\]:<>=+*^-])\[([^\[\]\n]*)\]")
"""The index of a name, as in `x[0,1]`; a bracket of quadratic terms has a blank before it."""


def is_quadratic(text: str) -> bool:
    """Whether the file has quadratic terms, which a linear model cannot hold."""
    lines = INDEX.sub("", text).splitlines()
    return any("[" in line for line in lines if not line.lstrip().startswith("\\"))


def read_questions(dataset: str, path: Path) -> list[ProblemItem]:
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
            ProblemItem(
                str(row.get("id", number)),
                dataset,
                need_text(row, question, where),
                *key,
                labels=labels,
            )
        )
    return items


def read_own(dataset: str, path: Path) -> list[ProblemItem]:
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
            ProblemItem(
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


SUPERLATIVE = re.compile(r"\b(max|min)(imum|imi[sz]ed?|imal)?\b|\boptimal\b|\bobjective\b", re.I)
AMOUNT = re.compile(r"\b(totals?|profit|cost|revenue|expected|net|ratio)\b", re.I)


def read_results(dataset: str, path: Path) -> list[ProblemItem]:
    """One item a row; its gold is the entry that is the objective. Raises DataError."""
    items = []
    for number, (where, row) in enumerate(read_records(path), 1):
        results = need(row, "results", where)
        if not isinstance(results, dict):
            raise DamagedError(f"{where} has 'results' that are no object")
        label, named = objective_label(results)
        key = read_key(results.get(label))
        golds = tuple(GoldAnswer(gold.kind, gold.value, gold.text, label) for gold in key.golds)
        items.append(
            ProblemItem(
                str(row.get("index", number)),
                dataset,
                need_text(row, "question", where),
                *key._replace(golds=golds),
                labels={
                    **labels_of(row, type="type"),
                    "entries": str(len(results)),
                    "objective": "named" if named else "assumed",
                },
            )
        )
    return items


def objective_label(results: Mapping[str, Any]) -> tuple[str, bool]:
    """The entry that is the objective, and whether its label sounds like one.

    The source does not say which it is. It is the last one, as in the 384 of 605 with three
    entries, unless only the first one sounds like it.
    """
    labels = list(results)
    if not labels:
        return "", False
    sounds = [bool(SUPERLATIVE.search(label) or AMOUNT.search(label)) for label in labels]
    if sounds[0] and sum(sounds) == 1:
        return labels[0], True
    return labels[-1], sounds[-1]


DATA_NAME = "data.json"
"""The name under which a program finds a problem's parameters."""


def read_summary(dataset: str, path: Path) -> list[ProblemItem]:
    """One item a key; raises DataError."""
    records = read_json(path)
    if not isinstance(records, dict):
        raise DamagedError(f"{path} is not one JSON object")
    return [
        _summary_item(dataset, name, record, f"{path}, {name}") for name, record in records.items()
    ]


def _summary_item(dataset: str, name: str, record: Record, where: str) -> ProblemItem:
    sample = first_sample(record.get("sample"))
    key = read_key(sample_output(sample) if "sample" in record else record.get("ground_truth"))
    parameters = {k: _bare(v) for k, v in sample.get("input", {}).items()}
    details = record.get("details", {})
    size = (details["variables_num"], details["constraints_num"]) if details else None
    return ProblemItem(
        name,
        dataset,
        need_text(record, "description", where),
        *key,
        labels=labels_of(
            record, difficulty="difficulty", type="problem_type", scale="problem_size"
        ),
        documents=data_document(parameters),
        notes={k: str(v["description"]) for k, v in sample.get("input", {}).items() if _told(v)},
        parameters=parameters,
        size=size,
    )


def first_sample(sample: Any) -> Record:
    """The one sample of a problem, in a list or bare; empty if there is none."""
    first = sample[0] if isinstance(sample, list) and sample else sample
    return first if isinstance(first, dict) else {}


def sample_output(sample: Record) -> Any:
    """The sample's objective; None if it has none."""
    output = sample.get("output")
    return output[0] if isinstance(output, list) and len(output) == 1 else None


def data_document(parameters: Record) -> dict[str, str]:
    """The parameters as the file that a program reads; none for none."""
    return {DATA_NAME: json.dumps(parameters, indent=1)} if parameters else {}


def _told(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"value", "description"}


def _bare(value: Any) -> Json:
    bare: Json = value["value"] if _told(value) else value
    return bare


def read_samples(dataset: str, path: Path) -> list[ProblemItem]:
    """One item a folder; one without its files is incomplete. Raises DataError.

    NL4Opt's `input` is not data but the values of the variables at the optimum, so it is dropped:
    it would give the answer away. ComplexOR's is the data that the text speaks of.
    """
    return [
        _sample_item(dataset, folder, dataset.startswith("complexor@"))
        for folder in folders_in(path)
    ]


def _sample_item(dataset: str, folder: Path, has_data: bool) -> ProblemItem:
    text, sample_path = folder / "description.txt", folder / "sample.json"
    if lacking := _incomplete(dataset, folder, text, sample_path):
        return lacking
    sample = first_sample(read_json(sample_path))
    parameters = dict(sample.get("input", {})) if has_data else {}
    model = "yes" if (folder / "gt_model.txt").is_file() else "no"
    return ProblemItem(
        folder.name,
        dataset,
        read_text(text),
        *read_key(sample_output(sample)),
        labels={"formulation": model} if has_data else {},
        documents=data_document(parameters),
        parameters=parameters,
    )


def _incomplete(dataset: str, folder: Path, *files: Path) -> ProblemItem | None:
    """The item of a folder that lacks some of its files; None of a whole one."""
    absent = [file.name for file in files if not file.is_file()]
    if not absent:
        return None
    reason = f"{', '.join(absent)} of {folder.name} is not there"
    return ProblemItem(folder.name, dataset, "", (GoldAnswer("unknown"),), "incomplete", reason)


ENDING = "_data.json"


def read_seeds(dataset: str, path: Path) -> list[ProblemItem]:
    """One item for each file of data whose model is there too; raises DataError."""
    items = []
    for data_path in sorted((path / "seeds_data").glob(f"*{ENDING}")):
        name = data_path.name.removesuffix(ENDING)
        model_path = path / "seeds_model" / f"{name}_parsed.json"
        model = read_json(model_path)
        parameters = _parameters(read_json(data_path))
        items.append(
            ProblemItem(
                name,
                dataset,
                need_text(model, "description", str(model_path)),
                *read_key(None),
                labels={"domain": ", ".join(model.get("category") or [])},
                documents=data_document(parameters),
                parameters=parameters,
            )
        )
    return items


def _parameters(data: Record) -> Record:
    """Sets and parameters by name; the sources call the latter `param` or `parameter`."""
    entries = [*data.get("set", []), *data.get("param", []), *data.get("parameter", [])]
    return {entry["name"]: entry.get("data") for entry in entries}


PARAMETERS = "parameters.json"


def read_structured(dataset: str, path: Path) -> list[ProblemItem]:
    """One item a folder; one without its files is incomplete. Raises DataError."""
    return [_structured_item(dataset, folder) for folder in folders_in(path)]


def _structured_item(dataset: str, folder: Path) -> ProblemItem:
    paths = {
        name: folder / name
        for name in ("description.txt", PARAMETERS, "problem_info.json", "solution.json")
    }
    if lacking := _incomplete(dataset, folder, *paths.values()):
        return lacking
    key = read_key(read_json(paths["solution.json"]).get("objective"))
    info = read_json(paths["problem_info.json"])
    kinds = {str(variable.get("type")) for variable in info.get("variables", {}).values()}
    notes = {
        name: str(told.get("description")) for name, told in info.get("parameters", {}).items()
    }
    return ProblemItem(
        folder.name,
        dataset,
        read_text(paths["description.txt"]),
        *key,
        labels={"structure": "yes" if info else "no", "variables": ", ".join(sorted(kinds))},
        files={PARAMETERS: paths[PARAMETERS]},
        notes=notes,
        parameters=read_json(paths[PARAMETERS]),
    )
