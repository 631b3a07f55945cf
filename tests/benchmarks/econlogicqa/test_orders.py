"""Replies as models write them, the order that each rule reads, and how it is scored."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.benchmarks.econlogicqa import BENCHMARK
from ordojo.benchmarks.econlogicqa.schema import (
    LETTERS,
    ORDERS,
    READERS,
    Ordering,
    make_instance,
    pairwise_accuracy,
)
from ordojo.core.conformance import GARBAGE
from ordojo.core.episode import Episode, Turn

# fmt: off
LAST: list[tuple[str, str | None]] = [
    # On one line.
    ("D, C, A, B", "DCAB"), ("D,C,A,B", "DCAB"), ("DCAB", "DCAB"), (" D, C, A, B.\n", "DCAB"),
    ("D -> C -> A -> B", "DCAB"), ("D→C→A→B", "DCAB"), ("D => C => A => B", "DCAB"),
    ("D > C > A > B", "DCAB"), ("D < C < A < B", "DCAB"), ("D - C - A - B", "DCAB"),
    ("D C A B", "DCAB"), ("D; C; A; B", "DCAB"), ("(D), (C), (A), (B)", "DCAB"),
    ("**D**, **C**, **A**, **B**", "DCAB"), ("`D, C, A, B`", "DCAB"), ("D, C, A and B", "DCAB"),
    ("D, then C, then A, and finally B", "DCAB"), ("D) then C) then A) then B)", "DCAB"),
    ("Event D, Event C, Event A, Event B", "DCAB"), ("D, followed by C, A, B", "DCAB"),
    ('["D", "C", "A", "B"]', "DCAB"), ('{"answer": "D, C, A, B"}', "DCAB"),
    (r"\boxed{D, C, A, B}", "DCAB"), (r"$D \rightarrow C \rightarrow A \rightarrow B$", "DCAB"),
    ("d, c, a, b", "DCAB"), ("1. D 2. C 3. A 4. B", "DCAB"), ("(1) D, (2) C, (3) A, (4) B", "DCAB"),
    ("D，C，A，B", "DCAB"), ("D、C、A、B", "DCAB"), ("A: D, C, A, B", "DCAB"),
    ("Answer: D, C, A, B", "DCAB"), ("The order is D, C, A, B, since demand falls.", "DCAB"),
    ("A, B, C, D", "ABCD"), ("The order is A, B, C, and D.", "ABCD"), ("Answer: ABCD", "ABCD"),
    ("A, B, C, D is the logical order.", "ABCD"), ("**Answer:**\nA, B, C, D", "ABCD"),
    # Down the page.
    ("1. D\n2. C\n3. A\n4. B", "DCAB"), ("1) D\n2) C\n3) A\n4) B", "DCAB"),
    ("1. **D** - demand falls\n2. **C** - stocks\n3. **A** - cuts\n4. **B** - layoffs", "DCAB"),
    ("1. D: demand falls\n   Why: fear.\n\n2. C: stocks\n   Why: sales.\n3. A: cuts\n4. B: end",
     "DCAB"),
    ("Step 1: D\nStep 2: C\nStep 3: A\nStep 4: B", "DCAB"),
    ("First, D.\nSecond, C.\nThird, A.\nFourth, B.", "DCAB"),
    ("D\nC\nA\nB", "DCAB"), ("- D\n- C\n- A\n- B", "DCAB"), ("D ->\nC ->\nA ->\nB", "DCAB"),
    ("The order:\nD. Demand falls\nC. Stocks rise\nA. Cuts\nB. Layoffs", "DCAB"),
    ("1. A\n2. B\n3. C\n4. D", "ABCD"), ("A. Cuts\nB. Layoffs\nC. Stocks\nD. Demand", "ABCD"),
    # Reasoning first, and words around.
    ("A fall in demand comes before C.\nSo the order is D, C, A, B", "DCAB"),
    ("First I thought A, B, C, D, but D, C, A, B is better.", "DCAB"),
    ("D, C, A, B. Events A, B, C and D then form a chain.", "DCAB"),
    ("D, C, A, B\n\nA, C, B, D", None), ("D, C, A, B\nD, C, A, B", "DCAB"),
    ("D, C, A, B, D, C, A, B", "DCAB"), ("abcd", "ABCD"),
    ("<think>A, C, B, D</think>D, C, A, B", "DCAB"),
    ("A. Cuts\nB. Layoffs\nC. Stocks\nD. Demand\n\nAnswer: D, C, A, B", "DCAB"),
    ("A company cuts jobs. D, C, A, B", "DCAB"),
    # No order.
    ("", None), ("D, C, A", None), ("D", None), ("D, D, A, B", None), ("A, B, C, C", None),
    ("D, C, A, B, D", None), ("A, B, C, D, E", None), ("DCABD", None), ("abc", None),
    ("A company B, C, D", None), ("A boom, then a crash.", None), ("I cannot say.", None),
    ("I weighed A, B, C and D but cannot decide.", None), ("BAD CAB", None), ("a BAD C", None),
    ("Compare A with B and C with D.", None), ("1. A firm\n2. B\n3. C\n4. D", None),
    ("If demand falls, the order is A, C, B, D; otherwise it is C, A, B, D.", None),
    ("If demand falls, the order is A, C, B, D. Otherwise, it is C, A, B, D.", None),
    ("By the reading, the order is A, C, B, D or else C, A, B, D.", None),
    ("I considered A, B, C, D; B, A, C, D; and C, D, A, B.", None),
    ("Not A, B, C, D; C, D, A, B.", "CDAB"),
    ("1. D\n2. C\n3. A", None), ("2. D\n3. C\n4. A\n1. B", None),
    ("A. Cuts\nB. Layoffs\nC. Stocks\nD. Demand\nWhich is first?", None), ("\ud800", None),
    ("<think>D, C, A, B</think> I do not know.", None), ("4, 3, 1, 2", None),
    ("C starts it, A follows, D is next and B ends it.", "CADB"), ("C ≻ A ≻ D ≻ B", "CADB"),
    ("Start with C. Next is A. Then D. End with B.", "CADB"), ("C >> A >> D >> B", "CADB"),
    ("order: c a d b", "CADB"), (r"\boxed{C, \, A, \, D, \, B}", "CADB"),
    ("C, A, D, then finally B.", "CADB"), ("<analysis>A, B, C, D</analysis>C, A, D, B", "CADB"),
]

FIRST: list[tuple[str, str | None]] = [
    (" D, C, A, B", "DCAB"), ("D,C,A,B", "DCAB"), ("D, C,A, B\n", "DCAB"),
    ("The answer is D, C, A, B.", "DCAB"), ("**D, C, A, B**", "DCAB"),
    ("D, C, A, B\n\nA, B, C, D", "DCAB"),
    (" D, C, A, B\n\nQuestion: Arrange the events.\nA. x\nAnswer: A, C, B, D", "DCAB"),
    ("A, A, B, C or D, C, A, B", "DCAB"), ("D, D, C, C", None), ("D, C, A", None),
    ("DCAB", None), ("D -> C -> A -> B", None), ("d, c, a, b", None), ("D,  C,  A,  B", None),
    ("D; C; A; B", None), ("1. D\n2. C\n3. A\n4. B", None), ("GOLD, C, A, B", None), ("", None),
]
# fmt: on


def spelled(order: str | None) -> tuple[str, ...] | None:
    return None if order is None else tuple(order)


@pytest.mark.parametrize(("reply", "order"), LAST)
def test_the_last_order_is_read_as_a_person_would(reply: str, order: str | None) -> None:
    assert READERS["last-order"](reply) == spelled(order)


@pytest.mark.parametrize(("reply", "order"), FIRST)
def test_exact_match_takes_the_first_comma_separated_permutation(
    reply: str, order: str | None
) -> None:
    assert READERS["exact-match"](reply) == spelled(order)


@pytest.mark.parametrize("answer", ORDERS)
@pytest.mark.parametrize("rule", READERS)
def test_every_answer_is_read_in_the_spelling_of_the_data(rule: str, answer: str) -> None:
    assert READERS[rule](answer) == tuple(answer.split(", "))


TELLING = st.lists(
    st.sampled_from([*"ABCDabcd,.>()\n1234 -*'", "->", "then ", "and ", "order", "</think>"]),
    max_size=30,
).map("".join)


@given(st.text(st.characters(exclude_categories=()), max_size=300) | TELLING)
def test_every_rule_gives_a_permutation_or_none_for_any_text(reply: str) -> None:
    for read in READERS.values():
        order = read(reply)
        assert order is None or sorted(order) == list(LETTERS)


TRAPS = [
    *(text for text in GARBAGE if not text.startswith("A, B, C, D")),
    *(
        start + piece * (1_000_000 // len(piece)) + end
        for start, piece, end in [
            ("A", " ", "x"),
            ("A, B, C", "\n", "x"),
            ("A, B, C,", " then", " x"),
            ("", "A, B, C, ", "x"),
            ("", "order ", "x"),
            ("", "1. D\n2. C\n", ""),
            ("", "**A** -> ", ""),
            ("", "A, B, C, D or ", ""),
            ("", "A, B, C, D; and ", ""),
            ("", "D.\nC.\nD.\n", ""),
        ]
    ),
]


@pytest.mark.parametrize("reply", TRAPS, ids=lambda reply: ascii(reply[:16]))
def test_a_megabyte_of_garbage_is_read_as_no_order(reply: str) -> None:
    # A pattern that backtracks over a long run would not come back from one of these.
    assert READERS["last-order"](reply) is None


def test_the_two_ends_of_a_megabyte_are_read() -> None:
    filler = "and so on. " * 100_000
    assert READERS["exact-match"]("D, C, A, B\n" + filler) == tuple("DCAB")
    assert READERS["last-order"](filler + "\nD, C, A, B") == tuple("DCAB")


def tau_by_hand(said: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Kendall's tau of two rankings: concordant less discordant pairs, over all pairs."""
    balance = 0
    for i in range(4):
        for j in range(i):
            a, b = LETTERS[i], LETTERS[j]
            agree = (said.index(a) - said.index(b)) * (right.index(a) - right.index(b)) > 0
            balance += 1 if agree else -1
    return balance / 6


def test_pairs_and_tau_equal_a_count_by_hand_for_all_576_pairs_of_orders() -> None:
    judge = BENCHMARK.rules["exact-match"]
    for right in permutations("ABCD"):
        instance = make_instance(Ordering(0, "?", ("w", "x", "y", "z"), right), "test", "1")
        for said in permutations("ABCD"):
            verdict = judge(instance, Episode((Turn((), "chat", ", ".join(said)),)))
            tau = tau_by_hand(said, right)
            assert verdict.metrics["tau"] == pytest.approx(tau)
            assert verdict.metrics["pairwise"] == pytest.approx((tau + 1) / 2)
            assert (verdict.score, verdict.outcome) == (
                (1.0, "correct") if said == right else (0.0, "wrong")
            )
            assert verdict.answer == ", ".join(said)
            assert pairwise_accuracy(said, right) == verdict.metrics["pairwise"]


def test_every_rule_reads_what_comes_after_the_thinking() -> None:
    instance = make_instance(Ordering(0, "?", ("w", "x", "y", "z"), LETTERS), "test", "1")
    said = "<think>D, C, B, A?</think>\n\nA, B, C, D"
    for judge in BENCHMARK.rules.values():
        assert judge(instance, Episode((Turn((), "chat", said),))).outcome == "correct"


def test_a_reply_without_an_order_is_unparsed_and_has_no_metrics() -> None:
    instance = make_instance(Ordering(0, "?", ("w", "x", "y", "z"), LETTERS), "test", "1")
    for rule, judge in BENCHMARK.rules.items():
        verdict = judge(instance, Episode((Turn((), "chat", "who knows"),)))
        assert (verdict.rule, verdict.outcome, verdict.score) == (rule, "unparsed", 0.0)
        assert verdict.answer is None and not verdict.metrics


@pytest.mark.parametrize(
    "shape", ["{}. Wait, {}", "{} - no, {}.", "First I thought {}, but {} is better.", "{}? {}"]
)
def test_of_two_orders_on_one_line_the_last_counts(shape: str) -> None:
    # "A, B, C, D" after a mere question mark may name the events.
    pairs = [(a, b) for a, b in permutations(ORDERS, 2) if shape != "{}? {}" or b != "A, B, C, D"]
    assert len(pairs) >= 529
    for first, second in pairs:
        assert READERS["last-order"](shape.format(first, second)) == tuple(second.split(", "))
