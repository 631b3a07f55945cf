import pytest

from ordojo.benchmarks.orqa.reasoning import split_steps


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", []),
        ("  \n\n ", []),
        ("Yes.", ["Yes."]),
        ("Step 1: Read.\nStep 2: Think.\nStep 3: Answer.", ["Read.", "Think.", "Answer."]),
        ("Step 1: Read. Step 2: Think it over.", ["Read.", "Think it over."]),
        (
            "Sure! We go step by step:\n\n1. Bands share.\n2) Fees\n   count.\n(3) So D.",
            [
                "Sure! We go step by step: Bands share.",
                "Fees count.",
                "So D.",
            ],
        ),
        (
            "**Step 1: Sets**\n\nThe sets are bands.\n\n**Step 2: Answer**\n\nIt is option B.",
            ["Sets The sets are bands.", "Answer It is option B."],
        ),
        (
            "1. The zoo buys foods.\n   - hay\n   - oats\n2. Amounts are real.\n\n"
            "Therefore it is an LP. The answer is C.",
            [
                "The zoo buys foods. - hay - oats",
                "Amounts are real.",
                "Therefore it is an LP.",
                "The answer is C.",
            ],
        ),
        (
            "We look at the options:\n* A is a parameter.\n* B is a variable.\nThe answer is B",
            ["We look at the options: A is a parameter.", "B is a variable. The answer is B"],
        ),
        (
            "Any quantity can be weighed out, e.g. 2.5 kg of hay. Cost is linear (see eq. 3). "
            'Hence: "linear programming." The answer is C.',
            [
                "Any quantity can be weighed out, e.g. 2.5 kg of hay.",
                "Cost is linear (see eq. 3).",
                'Hence: "linear programming."',
                "The answer is C.",
            ],
        ),
        (
            "The options are:\nA. Binary programming\nB. Linear programming\n"
            "So the right one is B. It is linear.",
            [
                "The options are: A. Binary programming",
                "B. Linear programming",
                "So the right one is B.",
                "It is linear.",
            ],
        ),
        (
            "the trip is a tour through\nthe hut and all hives. So every place is left once",
            ["the trip is a tour through the hut and all hives.", "So every place is left once"],
        ),
        ("Is it linear? Yes. It is!", ["Is it linear? Yes. It is!"]),
        (
            "One line - with a dash - and 3. Nothing else.",
            ["One line - with a dash - and 3. Nothing else."],
        ),
    ],
)
def test_steps(text: str, steps: list[str]) -> None:
    assert list(split_steps(text)) == steps


def test_no_word_is_lost() -> None:
    text = "First, note x.\n\nSecond (i.e. later), note y!\nThen\n\nz: w\nDone now."
    assert " ".join(split_steps(text)).split() == text.split()
