"""Benchmarks of one question as tasks of EleutherAI's lm-evaluation-harness.

A task is a folder: the YAML, the prompts with their questions as JSON Lines, and a Python file that
hands both to this module, so that the replies are judged by ordojo's own rules.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.episode import Episode, Turn
from ordojo.core.errors import UsageError
from ordojo.core.instance import Certificate, Instance
from ordojo.core.options import parse_options
from ordojo.core.registry import get_benchmark
from ordojo.core.rows import parse_file
from ordojo.core.single_turn import SingleTurn
from ordojo.datasets.export import replace_folder
from ordojo.datasets.registry import answered

CODE = '''"""Written by ordojo: loads the questions beside it, and judges replies by its rules."""

from pathlib import Path

from ordojo.evaluation import harness

process_results = harness.process_results


def load(**metadata):
    return harness.load(Path(__file__).with_name("questions.jsonl"))
'''


def export_task(
    dataset: str | Path | AnyBenchmark,
    out: Path,
    settings: Mapping[str, Any] | None = None,
    force: bool = False,
) -> Path:
    """Write a dataset (an id, a file or a benchmark) of one question an item as a task to `out`.

    `settings` are the benchmark's options: shots, split, mode. Raises UsageError for another
    benchmark, options that ask in several turns, or an `out` that is not empty without `force`;
    DataError where data are missing or `out` cannot be written.
    """
    benchmark, named = answered(dataset)
    name = benchmark.name
    if not isinstance(benchmark, SingleTurn):
        raise UsageError(
            f"{dataset if named else 'it'} is of {name}; tasks of lm-eval are made of benchmarks "
            "of one question alone"
        )
    options = parse_options(benchmark.options, {**(settings or {}), **named}, name)
    environment = benchmark.environment(options, 0)
    kind: TypeAdapter[Any] = TypeAdapter(benchmark.problem_type())
    rows = []
    for instance in benchmark.load(options, 0):
        asked = environment.reset(instance, 0)
        if environment.step("").observation is not None or asked.choose:
            advice = (
                "leave `prompt=cot` and `mode=logprob` out" if settings else f"{name} asks for more"
            )
            raise UsageError(f"a task of lm-eval is one prompt and one reply; {advice}")
        problem = kind.dump_python(instance.problem, mode="json")
        rows.append(
            {
                "id": instance.id,
                "benchmark": benchmark.name,
                "prompt": asked.text,
                "answer": benchmark.gold(instance),
                "problem": json.dumps(problem, ensure_ascii=False),
            }
        )
    rule = benchmark.default_rule(options)
    label = name
    if named:
        path = Path(str(dataset))
        label = path.name if "@" in path.name else f"{name}_{path.stem}"
    name = re.sub(r"\W", "_", label)
    task = {
        "task": name,
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "prompt",
        "doc_to_target": "answer",
        "num_fewshot": 0,  # the examples stand in the prompt
        "generation_kwargs": {
            "until": list(asked.stop),
            "max_gen_toks": asked.max_tokens,
            "do_sample": False,
            "temperature": 0.0,
        },
        "metric_list": [
            {"metric": one, "aggregation": "mean", "higher_is_better": True}
            for one in (rule, *(other for other in benchmark.rules if other != rule))
        ],
        "metadata": {"version": float(benchmark.version)},
    }
    text = yaml.safe_dump(task, sort_keys=False, allow_unicode=True)
    files = {
        f"{name}.yaml": f"{text}custom_dataset: !function questions.load\n"
        "process_results: !function questions.process_results\n",
        "questions.py": CODE,
        "questions.jsonl": "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows),
    }
    return replace_folder(
        out, force, lambda: {k: v.encode("utf-8", "surrogatepass") for k, v in files.items()}
    )


def load(path: Path) -> dict[str, Any]:
    """The questions of a task as the harness takes them."""
    from datasets import Dataset

    return {"test": Dataset.from_list([row for _, row in parse_file(path)])}


def process_results(doc: Mapping[str, str], results: Sequence[str]) -> dict[str, float]:
    """The score of the one reply in `results` under every rule of the question's benchmark."""
    name, benchmark = doc["benchmark"], get_benchmark(doc["benchmark"])
    problem: Any = TypeAdapter(benchmark.problem_type()).validate_json(doc["problem"])
    instance = Instance(doc["id"], name, "", problem, Certificate("answer-key", {}))
    episode = Episode((Turn((), "completion", results[0]),))
    return {rule: judge(instance, episode).score or 0.0 for rule, judge in benchmark.rules.items()}
