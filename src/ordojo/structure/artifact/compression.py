"""The compression ratio of paper 003, figure 5: the flat file to the text and the data."""

import json
from collections.abc import Mapping
from pathlib import Path

from ordojo.structure.artifact.folder import read_artifact
from ordojo.structure.artifact.record import InstanceRecord


def compression(mps_bytes: int, folder: Path | str) -> float:
    """MPS bytes (unpacked) per byte of text and data files.

    The text is the abstract problem with its parameters and file descriptions, as in instance.json;
    all else there, code, formulation and logs do not count: the paper compares with text and data
    alone (C.3). Raises DataError for a folder that is no instance.
    """
    artifact = read_artifact(folder)
    return ratio(mps_bytes, artifact.record, artifact.data)


def ratio(mps_bytes: int, record: InstanceRecord, data: Mapping[str, str]) -> float:
    """The same for an instance that is not written yet."""
    whole = record.to_json()
    told = {key: whole[key] for key in ("abstract_problem", "parameters", "files")}
    words = len(json.dumps(told, indent=2, ensure_ascii=False).encode())
    return mps_bytes / (words + sum(len(text.encode()) for text in data.values()))
