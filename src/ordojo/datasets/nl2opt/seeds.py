"""ComplexOR's raw seeds: a model's text and data, of which no answer is given."""

from pathlib import Path

from ordojo.datasets.golds import read_key
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.sources import Record, need_text, read_json
from ordojo.datasets.nl2opt.summary import data_document

ENDING = "_data.json"


def read_seeds(dataset: str, path: Path) -> list[Item]:
    """One item for each file of data whose model is there too; raises DataError."""
    items = []
    for data_path in sorted((path / "seeds_data").glob(f"*{ENDING}")):
        name = data_path.name.removesuffix(ENDING)
        model_path = path / "seeds_model" / f"{name}_parsed.json"
        model = read_json(model_path)
        parameters = _parameters(read_json(data_path))
        key = read_key(None)
        items.append(
            Item(
                id=name,
                dataset=dataset,
                question=need_text(model, "description", str(model_path)),
                golds=key.golds,
                status=key.status,
                reason=key.reason,
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
