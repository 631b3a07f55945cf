"""What a reader needs to repeat a run: the command, and the facts of the header."""

import shlex
from collections.abc import Mapping

from ordojo.core.canonical import Json, canonical
from ordojo.core.records import RunHeader


def command(header: RunHeader) -> str:
    """The `ordojo` line that repeats the run."""
    kind, _, name = header.model.partition("/")
    words = ["ordojo", "eval", header.benchmark, "--model", header.model]
    if kind == "person":
        words = ["ordojo", "play", header.benchmark, "--name", name]
    for name, value in header.options.items():
        words += ["-T", f"{name}={spell(value)}"]
    if header.limit is not None:
        words += ["--limit", str(header.limit)]
    if header.sample is not None:
        words += ["--sample", str(header.sample)]
    if header.epochs != 1:
        words += ["--epochs", str(header.epochs)]
    for name in ("temperature", "top_p", "max_tokens", "reasoning_tokens"):
        if name in header.generation:
            words += [f"--{name.replace('_', '-')}", spell(header.generation[name])]
    model_args = header.generation.get("model_args")
    if isinstance(model_args, Mapping):
        words += [word for key in model_args for word in ("-M", f"{key}={spell(model_args[key])}")]
    return shlex.join([*words, "--seed", str(header.seed)])


def spell(value: Json) -> str:
    """An option's value as it is typed."""
    return value if isinstance(value, str) else canonical(value)


def facts(header: RunHeader) -> Mapping[str, str]:
    """The header's other facts by name: data, generation, software, time."""
    found = {f"dataset {name}": value for name, value in sorted(header.dataset.items())}
    found |= {name: spell(value) for name, value in sorted(header.generation.items())}
    found |= dict(sorted(header.software.items()))
    if header.created:
        found["created"] = header.created
    return found
