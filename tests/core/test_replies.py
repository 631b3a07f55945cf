"""What a person sees of a reply."""

import pytest
from hypothesis import given, settings
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


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_seen(text: str) -> None:
    seen = plain(text)
    assert seen == seen.strip() and "  " not in seen and "\n\n" not in seen


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("<think>B?</think> C ", "C"),
        ("a</think>b</think>c", "c"),
        ("no thinking", "no thinking"),
        ("all of it</think>", ""),
    ],
)
def test_thinking_is_passed_over(text: str, after: str) -> None:
    assert after_thinking(text) == after
