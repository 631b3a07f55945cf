"""Replies as models write them, and the letter that each rule reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.judges import READERS
from ordojo.benchmarks.orqa.schema import OrqaOptions
from ordojo.core.conformance import GARBAGE
from ordojo.core.episode import Episode, Turn
from ordojo.core.judge import Verdict

# fmt: off
READ_AS: list[tuple[str, str | None]] = [
    # Nothing but the letter.
    ("A", "A"), (" C ", "C"), ("D\n", "D"), ("b", "B"), ("a", "A"), ("A.", "A"), ("B)", "B"),
    ("(b)", "B"), ("[C]", "C"), ("**D**", "D"), ("`B`", "B"), ('"C"', "C"), ("'D'", "D"),
    ("_C_", "C"), ("B!", "B"), ("a)", "A"), ("Ｂ", "B"), ("### C", "C"),
    # The letter first, then the option or a reason.
    ("B. Integer linear program", "B"), ("(B) Show broadcast order", "B"), ("C: Due date", "C"),
    ("B, since each show is aired at most once.", "B"), ("D - the budget is a limit", "D"),
    ("B because the objective sums costs.", "B"), ("A because demand must be met.", "A"),
    ("**C.** Minimise total cost", "C"), ("- B. Integer program", "B"), ("B.Linear program", "B"),
    ("C)\n\nContext: A bakery\nQuestion: ...\nAnswer: Among A through D, the answer is (A)", "C"),
    ("A. Linear program\n\nA is right because every term is linear.", "A"),
    # Statements.
    ("The answer is (C).", "C"), ("the correct answer is b", "B"), ("Answer: D", "D"),
    ("**Answer:** B", "B"), ("**Answer: B. Assignment**", "B"), ("Answer:\n\nB. ILP", "B"),
    ("### Answer\nB", "B"), ("Final answer: **(D)** total profit", "D"), ("Ans: C", "C"),
    ("The answer is: (C) the fleet", "C"), ("The answer would be option D.", "D"),
    ("The most appropriate answer is choice (B).", "B"), ("My choice: A", "A"),
    ("The correct option is D: Total cost", "D"), ("Among A through D, the answer is (B", "B"),
    ("The answer to the question is therefore C.", "C"), ("The answer is most likely B.", "B"),
    ("I would choose B.", "B"), ("I'd go with option C here.", "C"), ("I'd say (D)", "D"),
    ("A is the correct answer.", "A"), ("Option C is correct.", "C"), ("Only D is right.", "D"),
    ("B (the budget) is the best choice.", "B"), ("Option B", "B"), ("Choice (C)", "C"),
    ("The answer is C because A and B ignore capacity.", "C"), ("Answer: <B>", "B"),
    ('{"answer": "C"}', "C"), ("<answer>\nD\n</answer>", "D"), ("The answer is 'B'.", "B"),
    # Boxed.
    (r"\boxed{C}", "C"), (r"So we get $\boxed{\text{(B)}}$.", "B"), (r"\[\boxed{D.}\]", "D"),
    (r"First \boxed{A}; corrected: \boxed{B}", "B"), (r"$$\boxed{\mathrm{c}}$$", "C"),
    # Reasoning first.
    ("A train leaves the depot at 8, so the answer is C", "C"),
    ("A linear program has a linear objective.\n\nC", "C"),
    ("A model with integers. Therefore, D.", "D"), ("Costs are summed, so it is B.", "B"),
    ("I think it is (C)", "C"), ("At first the answer is B. On reflection, the answer is C.", "C"),
    ("A. Cost: no.\nB. Profit: yes.\nC. Time: no.\nD. Area: no.\n\nThe answer is B.", "B"),
    ("Option A is incorrect. Option B is wrong. Option C is correct. Option D is not.", "C"),
    ("Option A is ruled out. Option B can't hold. Option D is irrelevant. That leaves option C.",
     "C"),
    ("The answer is a mixed-integer program, option C.", "C"),
    ("The answer is not A. It is B.", "B"), ("The answer is C, not B.", "C"),
    ("Maximise revenue over the weeks.\n\n**D. Revenue**", "D"),
    ("The answer is Linear Programming (B).", "B"), ("The answer is C, as A and B are wrong.", "C"),
    ("Let us check each option:\nA. cost\nB. time\nBoth are data. The answer is A.", "A"),
    ("<think>Perhaps B? The answer is B.</think>\n\nD", "D"),
    ("<think>A or B</think>The answer is A.", "A"), ("hm, C</think> ", None),
    # Other scripts.
    ("答案是C。", "C"), ("答案：B", "B"), ("正确答案为（D）", "D"), ("B。因为成本", "B"),
    ("（C）", "C"), ("我选B", "B"),
    # Doubts.
    ("I think the answer is B, although C is plausible.", "B"),
    ("If A were an answer, cost would be minimised. It is not. The answer must be D.", "D"),
    ("The correct answer is not A, B or C but D.", "D"),
    ("The answer is not A, B, or C. It is D.", "D"), ("It isn't A or B, so it is C.", "C"),
    # One case of several.
    ("If cost counts, the answer is A; otherwise it is B.", None),
    ("If cost counts, the answer is A. Otherwise, it is B.", None),
    ("Depending on the text, the answer is A or else B.", None),
    ("The answer is B; otherwise the budget would not hold.", "B"),
    # An analysis that breaks off.
    ("Let me think: option A says", None), ("Let me start with option A", None),
    ("Consider option A.", None), ("Looking at option B", None), ("First, option C:", None),
    ("Let's evaluate each option.\n\nOption A ignores the budget.\n\nOption B", None),
    ("Let us go through the options.\n\n**Option A (linear):** Depots are opened or not.", None),
    ("**Option A (linear):** Depots are open or not. This rules it out.\n\n"
     "**Option B (integer):** Both kinds of variables occur.", None),
    ("The fleet is given, which makes it a parameter of the model. So option A", None),
    ("1. Option A: the fleet. The text gives it.", None),
    ("In A all variables are continuous. In B", None), ("Now the candidates: A", None),
    ("Now, A is for continuous decisions. B mixes both. C", None),
    ("Thus there is a", None), ("It is not B, C.", "C"),
    # No letter, or more than one.
    ("", None), (" \n", None), ("E", None), ("5", None), ("None of the above.", None),
    ("I'm sorry, but I can't help with that.", None), ("As an AI model I have no opinion.", None),
    ("A linear program minimises cost.", None), ("A train leaves the station.", None),
    ("A and C", None), ("A, B", None), ("B or D", None), ("The answer is A or B.", None),
    ("Answer: A/C", None), ("Both A and B are correct.", None), ("A B C D", None),
    ("Neither A nor B is correct.", None), ("The answer is not A.", None), ("Answer: None", None),
    ("B is incorrect.", None), ("The answer is a linear program.", None), ("D'accord !", None),
    ("C'est difficile.", None), ("Because", None), ("B-splines are smooth", None), ("ABCD", None),
    ("A. Cost\nB. Time\nC. Area\nD. Mass", None), ("Dear customer", None), ("B2B", None),
    ("The vector B is the right-hand side.", None), ("\ud800", None), ("\ud800 B", "B"),
    # Asked and answered, changed, compared; tags and marks that open models write.
    ("A? No. C? Yes.", "C"), ("A or C? C.", "C"), ("C -> corrected to D", "D"),
    ("I said C, I meant D.", "D"), ("Change my answer from C to D.", "D"), ("Only C works.", "C"),
    ("Answer: C. Let me re-evaluate. It has squares, so it's D.", "D"), ("Anything but B.", None),
    ("Although B looks plausible, C is better.", "C"), ("B is plausible; C is better.", "C"),

    ("1. A – wrong\n2. B – wrong\n3. C – right\n4. D – wrong", "C"), ("A is a constant.", None),
    ("A. Linear is wrong.\nB. Integer is right.", "B"),
    ("<Thought>A</Thought><Output>B</Output>", "B"),
    ("<cot>A</cot>B", "B"), ("<analysis>A is tempting.</analysis>B", "B"),
    ("[ANSWER] B [/ANSWER]", "B"), ("<|answer|>C<|/answer|>", "C"),
]
# fmt: on


@pytest.mark.parametrize(("reply", "letter"), READ_AS)
def test_letter_is_read_as_a_person_would(reply: str, letter: str | None) -> None:
    assert READERS["letter"](reply, ()) == letter


def test_no_reply_stands_twice_in_the_table() -> None:
    replies = [reply for reply, _ in READ_AS]
    assert len(set(replies)) == len(replies) >= 60


@pytest.mark.parametrize(
    ("reply", "published", "exact", "first"),
    [
        ("B", "B", "B", "B"),
        (" B", "B", None, None),
        ("B\n", "B", None, "B"),
        ("\u3000D\t", "D", None, None),
        ("B)", None, None, "B"),
        ("B. Time", None, None, "B"),
        ("Dear me", None, None, "D"),
        ("(B", None, None, None),
        ("b", None, None, None),
        ("AB", None, None, "A"),
        ("E", None, None, None),
        ("", None, None, None),
        ("  ", None, None, None),
        ("The answer is B", None, None, None),
    ],
)
def test_the_published_rules_read_by_their_letter(
    reply: str, published: str | None, exact: str | None, first: str | None
) -> None:
    assert READERS["published"](reply, ()) == published
    assert READERS["published-exact"](reply, ()) == exact
    assert READERS["first-character"](reply, ()) == first


EVERYTHING = st.text(st.characters(exclude_categories=()), max_size=300)
"""Any text, lone surrogates and all."""

TELLING = st.lists(
    st.sampled_from(
        [
            *"ABad().,' \n*}",
            *("the answer is", "answer:", "option ", " is correct", "\\boxed{", "</think>"),
            *("答案", " is not", " or ", "Context:"),
        ]
    ),
    max_size=30,
).map("".join)
"""Texts made of what the patterns look for."""


@given(EVERYTHING | TELLING)
def test_every_rule_gives_a_letter_or_none_for_any_text(reply: str) -> None:
    for read in READERS.values():
        assert read(reply, ()) in {None, "A", "B", "C", "D"}


TRAPS = [
    *GARBAGE,
    *(
        start + piece * (1_000_000 // len(piece)) + end
        for start, piece, end in [
            ("answer", " ", "x"),
            ("the answer is", "\n", "E"),
            ("", "answer ", ""),
            ("", "the answer is ", ""),
            ("boxed{", " ", "}"),
            ("", "\\boxed{", ""),
            ("the answer is ", "(", "E"),
            ("option ", "*", "E"),
            ("", "'_", "x"),
            ("", "<a", ""),
            ("", "option not ", ""),
            ("", "Let us look at the options. ", ""),
            ("", "Option A (x): y. Option B (x): y. ", ""),
            ("not ", "A, B or ", "C"),
            ("", "\u3000\ufdfa", ""),
        ]
    ),
]


@pytest.mark.parametrize("reply", TRAPS, ids=lambda reply: ascii(reply[:16]))
@pytest.mark.parametrize("rule", READERS)
def test_a_megabyte_of_garbage_is_read_as_no_answer(rule: str, reply: str) -> None:
    # A pattern that backtracks over a long run would not come back from one of these.
    if rule == "first-character" and reply.startswith("A"):
        assert READERS[rule](reply, ()) == "A"
    else:
        assert READERS[rule](reply, ()) is None


@pytest.mark.parametrize("filler", ["x ", "The cost is summed. ", "\n"])
def test_both_ends_of_a_megabyte_are_read(filler: str) -> None:
    long = filler * (1_000_000 // len(filler))
    assert READERS["letter"]("B\n" + long, ()) == "B"
    assert READERS["letter"](long + "\nThe answer is C.", ()) == "C"


@pytest.mark.parametrize(
    ("reply", "rule", "expected"),
    [
        ("B", "published", Verdict("published", "correct", 1.0, "B")),
        ("<think>A</think> B", "published", Verdict("published", "correct", 1.0, "B")),
        ("C", "published", Verdict("published", "wrong", 0.0, "C")),
        ("B)", "published", Verdict("published", "unparsed", 0.0, None, "no letter could be read")),
        ("B)", "letter", Verdict("letter", "correct", 1.0, "B")),
    ],
)
def test_a_judge_scores_the_last_reply_of_the_episode(
    reply: str, rule: str, expected: Verdict
) -> None:
    instances = BENCHMARK.load(OrqaOptions(dataset="orqa@ordojo"), 0)
    instance = next(i for i in instances if i.problem.letter == "B")
    episode = Episode((Turn((), "chat", "the answer is D"), Turn((), "chat", reply)))
    assert BENCHMARK.rules[rule](instance, episode) == expected
