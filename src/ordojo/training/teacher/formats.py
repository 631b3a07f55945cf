"""Records that trainers read: chats and prompts for TRL, and the paper's own forms (D.10)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.canonical import digest
from ordojo.core.environment import chat
from ordojo.core.episode import Turn
from ordojo.core.instance import Instance
from ordojo.core.journal import line
from ordojo.core.options import Options
from ordojo.core.outputs import whole_file
from ordojo.core.registry import get_benchmark
from ordojo.core.trajectory import Trajectory, messages_of

Record = dict[str, Any]


def sft_records(trajectories: Iterable[Trajectory]) -> Iterator[Record]:
    """One record a conversation, for TRL; of equal ones the first alone.

    Chats are {"messages": [{"role", "content"}]}, raw prompts {"prompt", "completion"}; both carry
    "benchmark" and "id" (instance, sample and teacher). A turn without a reply ends its chat.
    """
    seen: set[str] = set()
    for trajectory in trajectories:
        for conversation in trajectory.conversations():
            body = _body(conversation)
            key = digest(body)
            if not body or key in seen:
                continue
            seen.add(key)
            origin = trajectory.provenance
            name = f"{trajectory.id}/{trajectory.epoch}/{origin.model}"
            yield {**body, "benchmark": origin.benchmark, "id": name}


def paper_sft_records(trajectories: Iterable[Trajectory]) -> Iterator[Record]:
    """One record a turn, as the benchmark's paper has it (D.10); DataError where it has none."""
    for one in trajectories:
        teaching = get_benchmark(one.provenance.benchmark).teaching()
        yield from map(dict, teaching.paper_turns(one))


def grpo_records(
    benchmark: AnyBenchmark, options: Options, instances: Sequence[Instance[Any]], seed: int = 0
) -> Iterator[Record]:
    """One record an instance: its first prompt without an answer, and the ground truth.

    "prompt" is a chat, or a text where the prompt is raw; "instance" leads back to the instance,
    which the reward is computed from.
    """
    environment = benchmark.environment(options, seed)
    try:
        for instance in instances:
            asked = environment.reset(instance, seed)
            raw = asked.style == "completion"
            yield {
                "prompt": asked.messages[0].content if raw else chat(asked.messages),
                "benchmark": benchmark.name,
                "instance": instance.id,
                "ground_truth": benchmark.teaching().ground_truth(instance),
            }
    finally:
        environment.close()


def write_records(path: Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write records as JSON lines, all or nothing; returns how many. Raises DataError."""
    count = 0
    with whole_file(path) as draft, draft.open("wb") as file:
        for record in records:
            file.write(line(record))
            count += 1
    return count


def _body(conversation: tuple[Turn, ...]) -> Record:
    first = conversation[0]
    if first.style == "completion":
        prompt, answer = first.messages[0].content, first.reply
        if not (prompt[-1:].isspace() or answer[:1].isspace()):
            answer = f" {answer}"
        return {"prompt": prompt, "completion": answer}
    upto = next((i for i, turn in enumerate(conversation) if not turn.reply), None)
    kept = conversation[:upto]
    return {"messages": chat(messages_of(kept))} if kept else {}
