"""What a person sees of a reply."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.readers.turn import after_thinking, plain


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("  two  words\t\n\n\n and a line ", "two words\nand a line"),
        ("## **Answer:** `B`", "Answer: B"),
        ("> quoted\n  # title", "quoted\ntitle"),
        (r"$\boxed{\text{C}}$", "C"),
        (r"D $\rightarrow$ C \to A", "D → C → A"),
        ("<answer>B</answer>", "answer: B"),
        ("“B” and 'C' and _D_", "B and C and D"),
        ("it's x_A, don't", "it's x_A, don't"),
        ("（Ｂ）：１", "(B):1"),
        ("2 < 3 > 1, <B>", "2 < 3 > 1, <B>"),
        ("", ""),
    ],
)
def test_markup_is_not_seen(text: str, seen: str) -> None:
    assert plain(text) == seen


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_seen(text: str) -> None:
    seen = plain(text)
    assert seen == seen.strip() and "  " not in seen and "\n\n" not in seen


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("<think>B?</think> C ", "C"),
        ('<think type="deep">B?</think> C', "C"),
        ('<reasoning effort="high">never ended, B', ""),
        ("<|inner_prefix|>a<|inner_suffix|>B", "B"),
        ("<|inner_prefix|>never ended, B", ""),
        ("<thinking of B> C", "<thinking of B> C"),
        ("a</think>b</think>c", "c"),
        ("no thinking", "no thinking"),
        ("all of it</think>", ""),
        ("<think> never ended, B", ""),
        ("B <think> never ended", "B"),
        ("B.<think>sure?</think>", "B."),
        ("<think>a<think>b</think>c</think>B", "B"),
        ("<think>\n<think>b</think>B", "B"),
        ("<think><reasoning>r</reasoning> maybe A", ""),
        ("<think>a</thinking>B", "B"),
        ("<THINK>a</THINK>B", "B"),
        ("<answer>A</answer><think>more</think><answer>B</answer>", "<answer>B</answer>"),
        ("<thinking>x<reflection>y</reflection>z</thinking>B", "B"),
        ("<thought>a</thought>B", "B"),
        ("<reasoning>a</reasoning>B", "B"),
        ("<seed:think>a</seed:think>B", "B"),
        ("<longcat_think>a</longcat_think>B", "B"),
        ("[THINK]a[/THINK]B", "B"),
        ("[THINK]a", ""),
        ("◁think▷a◁/think▷B", "B"),
        ("<|begin_of_thought|>a<|end_of_thought|><|begin_of_solution|>B<|end_of_solution|>", "B"),
        ("<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>B<|END_RESPONSE|>", "B"),
        ("<|think|>a<|end|><|begin|>assistant<|content|>B<|end|>", "B"),
        ("<unused94>thought\na<unused95>B", "B"),
        ("<|channel>thought\na<channel|>B", "B"),
        ("<|im_start|>think\na<|im_start|>answer\nB", "B"),
        ("Here is my thought process: a\nHere is my response: B", "B"),
        ("Here are my reasoning steps:\na\n[BEGIN FINAL RESPONSE]\nB\n[END FINAL RESPONSE]", "B"),
        ("Thinking...\na\n...done thinking.\n\nB", "B"),
        ("B<|im_end|>\n<|im_start|>user\nand C?", "B"),
        (
            "<|channel|>analysis<|message|>A?<|end|>"
            "<|start|>assistant<|channel|>final<|message|>B<|return|>",
            "B",
        ),
        ("<|channel|>analysis<|message|>the answer is A", ""),
        ('<|channel|>commentary to=f <|constrain|>json<|message|>{"a": 1}<|call|>', '{"a": 1}'),
        ("analysisWe need B.assistantfinalB", "B"),
        ("analysisWe need B.", ""),
    ],
)
def test_thinking_is_passed_over(text: str, after: str) -> None:
    assert after_thinking(text) == after


@pytest.mark.parametrize(
    "piece",
    [
        "<think>",
        "</think>",
        "<think>a</think>",
        "<",
        "[",
        "<a_",
        "<|channel|>",
        "<|end|>",
        "<think>a</reasoning>",
        "<|channel|>analysis",
        "Thinking...\n",
        "◁",
        "a b. ",
    ],
)
def test_the_time_is_linear_in_the_length(piece: str) -> None:
    start = time.process_time()
    after_thinking(piece * (1_000_000 // len(piece)))
    assert time.process_time() - start < 4
