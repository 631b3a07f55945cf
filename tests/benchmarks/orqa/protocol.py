"""The published protocol once more, written down independently of `ordojo`.

Rows are the data files' own dictionaries. `random.choices` and the two streams are as in the
released program.
"""

import json
import random
from importlib.resources import files
from typing import Any

from tests.core.helpers import published_folder

Row = dict[str, Any]

STANDARD = "Given the context (following Context:), select the most appropriate answer to the question (following Question:). Answer only 'A', 'B', 'C', or 'D'\n"  # noqa: E501
REASONING = "Given the context (following Context:), provide the chain of thoughts (following Reasoning:) to solve the question (following Question:). Remember, only one option is correct.\n"  # noqa: E501
ANSWER = "Given the context (following Context:), the reasoning (following Reasoning:), select the most appropriate answer to the question (following Question:). Answer only 'A', 'B', 'C', or 'D'. There is only one correct answer.\n"  # noqa: E501
EXAMPLES_STANDARD = "Here are some examples: \n\n"
EXAMPLES_COT = "\nHere are some examples: \n\n"
ANSWER_PREFIX = "\nAnswer: Among A through D, the answer is ("
TRIGGER = "Let's think step by step"


def rows(dataset: str, split: str) -> list[Row]:
    """The rows of a split, straight from the file."""
    if dataset == "orqa@ordojo":
        text = (files("ordojo.datasets") / "shipped/orqa" / f"{split}.jsonl").read_text("utf-8")
    else:
        text = (published_folder() / "orqa" / f"ORQA_{split}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def block(row: Row) -> str:
    a, b, c, d = row["OPTIONS"]
    return f"Context: {row['CONTEXT']}\nQuestion: {row['QUESTION']}\nA. {a}\nB. {b}\nC. {c}\nD. {d}"


def letter(row: Row) -> str:
    return "ABCD"[row["TARGET_ANSWER"]]


def standard(row: Row, examples: list[Row]) -> str:
    prompt = STANDARD
    if examples:
        prompt += EXAMPLES_STANDARD
    for example in examples:
        prompt += f"{block(example)}{ANSWER_PREFIX}{letter(example)})\n\n"
    return prompt + f"{block(row)}{ANSWER_PREFIX}"


def reasoning(row: Row, examples: list[Row], trigger: str = TRIGGER) -> str:
    prompt = REASONING
    if examples:
        prompt += EXAMPLES_COT
    for example in examples:
        prompt += f"{block(example)}\nReasoning: {trigger} {example['REASONING']}\n\n"
    return prompt + f"{block(row)}\nReasoning: {trigger} "


def answer(row: Row, said: str, examples: list[Row], trigger: str = TRIGGER) -> str:
    prompt = ANSWER
    if examples:
        prompt += EXAMPLES_COT
    for example in examples:
        shown = f"{block(example)}\nReasoning: {trigger}. {example['REASONING']}"
        prompt += f"{shown}{ANSWER_PREFIX}{letter(example)})\n\n"
    return prompt + f"{block(row)}\nReasoning: {trigger}. {said}{ANSWER_PREFIX}"


def published_draws(pool: list[Row], count: int, shots: int, calls: int) -> list[list[list[Row]]]:
    """For each call, for each row in file order, the examples that the released program draws."""
    before = random.getstate()
    random.seed(100)
    drawn = [[random.choices(pool, k=shots) for _ in range(count)] for _ in range(calls)]
    random.setstate(before)
    return drawn
