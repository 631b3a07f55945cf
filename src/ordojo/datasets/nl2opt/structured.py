"""NLP4LP's folders: text, parameters, structure and solution, each in a file of its own."""

from pathlib import Path

from ordojo.datasets.golds import Gold, read_key
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.sources import folders_in, read_json, read_text

PARAMETERS = "parameters.json"


def read_structured(dataset: str, path: Path) -> list[Item]:
    """One item a folder; one without its files is incomplete. Raises DataError."""
    return [_item(dataset, folder) for folder in folders_in(path)]


def _item(dataset: str, folder: Path) -> Item:
    paths = {
        name: folder / name
        for name in ("description.txt", PARAMETERS, "problem_info.json", "solution.json")
    }
    absent = [name for name, file in paths.items() if not file.is_file()]
    if absent:
        reason = f"{', '.join(absent)} of {folder.name} is not there"
        return Item(folder.name, dataset, "", (Gold("unknown"),), "incomplete", reason)
    key = read_key(read_json(paths["solution.json"]).get("objective"))
    info = read_json(paths["problem_info.json"])
    kinds = {str(variable.get("type")) for variable in info.get("variables", {}).values()}
    notes = {
        name: str(told.get("description")) for name, told in info.get("parameters", {}).items()
    }
    return Item(
        id=folder.name,
        dataset=dataset,
        question=read_text(paths["description.txt"]),
        golds=key.golds,
        status=key.status,
        reason=key.reason,
        labels={"structure": "yes" if info else "no", "variables": ", ".join(sorted(kinds))},
        files={PARAMETERS: paths[PARAMETERS]},
        notes=notes,
        parameters=read_json(paths[PARAMETERS]),
    )
