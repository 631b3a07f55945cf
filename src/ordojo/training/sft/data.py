"""Records to learn from: conversations, or instruction, input and output (paper 004, D.10)."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.environment import Message
from ordojo.core.errors import DataError
from ordojo.core.files import parse_json, read_text
from ordojo.evaluate.compact import Rendering

Record = Mapping[str, Any]
"""Either "messages", a list of {"role", "content"} that ends with the assistant's, or
"instruction", "input" and "output"."""


def read_records(path: Path) -> list[Record]:
    """The records of a file of JSON lines; raises DataError, naming the line."""
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read ({error}); name a file of JSON lines") from None
    found: list[Record] = []
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = parse_json(line)
        except (ValueError, RecursionError):
            raise DataError(f"{path}:{place}: not JSON; write one record a line") from None
        messages_of(row, f"{path}:{place}")
        found.append(row)
    if not found:
        raise DataError(f"{path} holds no records; make some with `ordojo train` or by hand")
    return found


def messages_of(record: Any, where: str) -> list[Message]:
    """The conversation of a record; raises DataError, naming `where`."""
    if not isinstance(record, Mapping):
        raise DataError(f"{where}: a record must be a JSON object")
    if "output" in record and "messages" not in record:
        parts = [record.get("instruction") or "", record.get("input") or ""]
        if not all(isinstance(part, str) for part in (*parts, record["output"])):
            raise DataError(f"{where}: instruction, input and output must be texts")
        asked = "\n".join(part for part in parts if part)
        return [Message("user", asked), Message("assistant", record["output"])]
    if "prompt" in record and "messages" not in record:
        raise DataError(
            f"{where}: a raw prompt has no turns; collect the trajectories under mode=chat"
        )
    turns = record.get("messages")
    good = isinstance(turns, list) and all(
        isinstance(turn, Mapping)
        and turn.get("role") in ("system", "user", "assistant")
        and isinstance(turn.get("content"), str)
        for turn in turns
    )
    if not good or not turns or turns[-1]["role"] != "assistant":
        raise DataError(
            f"{where}: needs 'messages', a list of role and content that ends with the assistant's"
        )
    return [Message(turn["role"], turn["content"]) for turn in turns]


def rendered(records: Iterable[Record], show: Rendering) -> list[list[dict[str, str]]]:
    """The conversations as the model shall read them: the assistant's turns as they are."""
    found = []
    for place, record in enumerate(records, 1):
        turns: list[Message] = []
        block: list[Message] = []
        for message in messages_of(record, f"record {place}"):
            if message.role == "assistant":
                turns += [*show(block), message]
                block = []
            else:
                block.append(message)
        found.append([{"role": m.role, "content": m.content} for m in turns])
    return found


def fitting(
    conversations: Sequence[list[dict[str, str]]], tokenizer: Any, most: int
) -> tuple[list[list[dict[str, str]]], int]:
    """Those that fit into `most` tokens, and how many do not: cut off, they would end wrongly.

    Raises DataError where none fits.
    """
    kept = []
    for turns in conversations:
        ids = tokenizer.apply_chat_template(turns, tokenize=True, return_dict=True)["input_ids"]
        if len(ids) <= most:
            kept.append(turns)
    if not kept:
        raise DataError(
            f"none of the {len(conversations)} records fits into max_length={most} tokens; raise "
            "it, or take rendering=compact"
        )
    return kept, len(conversations) - len(kept)
