"""Folders of a text and one sample with its output: NL4Opt of LLM4OR, ComplexOR."""

from pathlib import Path

from ordojo.datasets.golds import Gold, read_key
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.sources import folders_in, read_json, read_text
from ordojo.datasets.nl2opt.summary import data_document, first_sample, sample_output


def read_samples(dataset: str, path: Path) -> list[Item]:
    """One item a folder; one without its files is incomplete. Raises DataError.

    NL4Opt's `input` is not data but the values of the variables at the optimum, so it is dropped:
    it would give the answer away. ComplexOR's is the data that the text speaks of.
    """
    return [_item(dataset, folder, dataset.startswith("complexor@")) for folder in folders_in(path)]


def _item(dataset: str, folder: Path, has_data: bool) -> Item:
    text, sample_path = folder / "description.txt", folder / "sample.json"
    absent = [file.name for file in (text, sample_path) if not file.is_file()]
    if absent:
        reason = f"{', '.join(absent)} of {folder.name} is not there"
        return Item(folder.name, dataset, "", (Gold("unknown"),), "incomplete", reason)
    sample = first_sample(read_json(sample_path))
    key = read_key(sample_output(sample))
    parameters = dict(sample.get("input", {})) if has_data else {}
    model = "yes" if (folder / "gt_model.txt").is_file() else "no"
    return Item(
        id=folder.name,
        dataset=dataset,
        question=read_text(text),
        golds=key.golds,
        status=key.status,
        reason=key.reason,
        labels={"formulation": model} if has_data else {},
        documents=data_document(parameters),
        parameters=parameters,
    )
