from pathlib import Path

import pytest

from ordojo.benchmarks.econlogicqa.build.candidates import (
    GENERATION,
    QuestionDraft,
    check_agreement,
    check_draft,
    check_duplicate,
    check_sensitive,
    generation_prompt,
    parse,
    read_articles,
    read_order,
)
from ordojo.benchmarks.econlogicqa.build.write import related_groups, split
from ordojo.core.errors import DataError
from ordojo.datasets.duplicates import grams

# Figure 1 of the paper as `pdftotext` gives it: the paper's characters, most blanks lost.
FIGURE_1 = """
Generateaconcisemulti-choicequestionwithoutreferencingtheoriginalnewsarticle,starting
withabriefscenariodescription. Includefoureventsfromthisscenariothatneedsequencingbased
ontheirlogicalconnection,notjusttheorderofappearanceinthenews. Theseeventsshouldbe
relevanttotypicalbusinessoreconomicsituations,requiringknowledgeofbusinesspracticesand
economicsforcorrectsequencing. Ensureasinglecorrectsequence, freefromambiguity. The
question should be crafted for independent completion, suitable for student evaluation. Create
original, concise content for both the question and choices, avoiding plagiarism and limiting
excessivedetailsornumericaldata. Formattheoutputwiththescenariodescription,followedby
choiceslabeledA,B,C,D,andfinishwiththecorrectsequenceandabriefexplanation,ensuring
thesequencelogicisdeduciblesolelyfromthequestionandchoicespresented.
Hereistheoutputformat:
```
Question: ...
Choices:
A....
B....
C....
D....
CorrectOrder: ...
Explanation: ...
```
Hereisthebusinessnewsarticle:
```
{news_article}
```
"""

# The paper's example of a reply, blanks restored.
SIRI = """Question: Arrange the following events related to the development and launch of
Apple's Siri voice assistant in their correct chronological order.
Choices:
A. Apple acquired Siri in April 2010.
B. Siri was spun out as a standalone business in 2008.
C. Siri was integrated into the iPhone 4S.
D. Work on Siri began in the summer of 2007 at SRI International.
Correct Order: D, B, A, C
Explanation: The development of Siri started in the summer of 2007 at SRI International. The
project was then spun out as a standalone business in 2008."""


def test_the_prompt_is_the_papers_character_by_character() -> None:
    assert "".join(GENERATION.split()) == "".join(FIGURE_1.split())


def test_an_article_with_braces_is_carried_over_as_it_is() -> None:
    assert "{x} {} {news" in generation_prompt("{x} {} {news")


def test_the_papers_example_is_read() -> None:
    draft = parse(SIRI)
    assert draft.question.endswith("Siri voice assistant in their correct chronological order.")
    assert draft.events[3] == "Work on Siri began in the summer of 2007 at SRI International."
    assert draft.answer == "D, B, A, C"
    assert draft.explanation.endswith("standalone business in 2008.")
    assert all(check.passed for check in check_draft(draft))
    assert QuestionDraft.from_fields(draft.fields()) == draft


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"```\n{text}\n```",
        lambda text: f"Sure, here it is:\n\n```text\n{text}\n```\nAnything else?",
        lambda text: text.replace("Correct Order", "CorrectOrder"),
        lambda text: text.replace("Correct Order", "Correct Sequence"),
        lambda text: text.replace(
            "Correct Order: D, B, A, C", "**Correct Order:** D -> B -> A -> C"
        ),
        lambda text: text.replace("D, B, A, C", "DBAC"),
        lambda text: text.replace("D, B, A, C", "\nD, B, A, C"),
        lambda text: text.replace("D, B, A, C", "(D), (B), (A), (C)"),
        lambda text: text.replace("Question:", "**Question:**").replace("Choices:", "**Choices:**"),
        lambda text: (
            text.replace("\nA. ", "\nA) ").replace("\nB. ", "\n- B. ").replace("\nD. ", "\n**D.** ")
        ),
        lambda text: text.replace("Choices:\n", "\n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: f"{text}\n\nQuestion: Another?\nChoices:\nA. One.\nCorrect Order: A, B, C, D",
    ],
)
def test_other_spellings_are_read_alike(change: object) -> None:
    draft, usual = parse(change(SIRI)), parse(SIRI)  # type: ignore[operator]
    assert (draft.question, draft.events, draft.order) == (
        usual.question,
        usual.events,
        usual.order,
    )


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A, B, B, C", "ABBC"),
        ("D C A B.", "DCAB"),
        ("", ""),
        ("none of them", ""),
        ("BADC", "BADC"),
    ],
)
def test_orders_are_read_even_when_false(text: str, order: str) -> None:
    assert read_order(text) == tuple(order)


@pytest.mark.parametrize(
    ("fields", "name", "reason"),
    [
        ({"D": ""}, "format", "missing: D"),
        ({"Question": "", "Answer": ""}, "format", "missing: Question, Answer"),
        ({"B": "apple  ACQUIRED Siri, in April 2010"}, "distinct-events", "twice: A and B"),
        ({"Answer": "A, B, B, C"}, "permutation", "'A, B, B, C'"),
        ({"Answer": "A, B, C"}, "permutation", "'A, B, C'"),
        ({"Answer": "A, B, C, D, A"}, "permutation", "'A, B, C, D, A'"),
    ],
)
def test_the_first_fault_of_a_draft_is_named(
    fields: dict[str, str], name: str, reason: str
) -> None:
    last = check_draft(QuestionDraft.from_fields({**parse(SIRI).fields(), **fields}))[-1]
    assert (last.name, last.passed) == (name, False)
    assert reason in last.reason


def test_agreement_counts_orders_and_unreadable_replies() -> None:
    draft, right, other = parse(SIRI), tuple("DBAC"), tuple("ABCD")
    check = check_agreement(draft, [right, right, right, other, None], 0.6)
    assert check.passed
    assert check.reason == "3 of 5 orderings agree; orders given: 2; unreadable: 1"
    assert check.data["orders"] == {"A, B, C, D": 1, "D, B, A, C": 3}
    assert not check_agreement(draft, [right, other, None], 0.6).passed


@pytest.mark.parametrize(
    ("text", "judged", "flagged"),
    [
        ("Seven workers died.", None, True),
        ("The warehouse award was deadline-free.", None, False),
        ("Prices rose.", "No, it is about prices.", False),
        ("Prices rose.", "Yes: someone is ill.", True),
        ("Prices rose.", "It depends.", True),
        ("Prices rose.", "", True),
    ],
)
def test_sensitive_words_are_whole_words(text: str, judged: str | None, flagged: bool) -> None:
    assert check_sensitive(text, judged).passed is not flagged


def test_duplicates_name_their_twin() -> None:
    one, two = grams("a b c d e f g"), grams("a b c d e f x")
    check = check_duplicate("article-duplicate", two, {"a01": one, "a02": grams("z")}, 0.4)
    assert (check.passed, check.data["nearest"]) == (False, "a01")
    assert check_duplicate("article-duplicate", two, {}, 0.4).passed


def test_the_split_keeps_relatives_together_and_the_sizes() -> None:
    pairs = [(grams(f"article {i} of many words and so on"), grams(f"q {i}")) for i in range(10)]
    pairs[7] = (pairs[2][0], pairs[7][1])
    groups = related_groups(pairs, 0.9)
    assert [group for group in groups if len(group) > 1] == [[2, 7]]
    assert related_groups([(grams("a b c d e"), grams("same"))] * 3, 0.1) == [[0, 1, 2]]
    found = split(groups, (60, 20, 20), 1)
    assert [len(found[name]) for name in ("train", "val", "test")] == [6, 2, 2]
    assert sorted(i for members in found.values() for i in members) == list(range(10))
    assert any({2, 7} <= set(members) for members in found.values())
    assert split(groups, (60, 20, 20), 1) == found
    assert split(groups, (60, 20, 20), 2) != found


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "no file"),
        ("", "no rows"),
        ('{"id": "a", "text": "x"}\n{"id": "b", "te', "2 is not a whole JSON object"),
        ('{"id": "a", "title": "x"}', "has no 'text'"),
        ('{"id": "a", "text": "  "}', "has no 'text'"),
        ('{"text": "x"}', "has no 'id'"),
        ('{"id": "a", "text": "x", "title": 3}', "'title' that is not text"),
        ('{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}', "id 'a' of an earlier article"),
    ],
)
def test_bad_articles_are_told_in_one_sentence(
    tmp_path: Path, content: str | None, says: str
) -> None:
    path = tmp_path / "articles.jsonl"
    if content is not None:
        path.write_text(content)
    with pytest.raises(DataError, match=says) as caught:
        read_articles(path)
    assert "\n" not in str(caught.value)
