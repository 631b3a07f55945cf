"""Every prompt of the paper, byte for byte, as the environment shows it."""

import re
from collections.abc import Iterator

import pytest

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa import environment as prompts
from ordojo.benchmarks.orqa.environment import ExampleTable
from ordojo.benchmarks.orqa.schema import LETTERS, TRIGGERS, OrqaOptions, Question
from ordojo.core.environment import Observation
from tests.benchmarks.orqa import protocol
from tests.core.helpers import published_folder

SAID = " Profit {is} summed: 100%, so {reasoning}.\n\nHence (B). "
"""What the model reasons: braces, an empty line and blanks at both ends."""

each_dataset = pytest.mark.parametrize(
    "dataset", ["orqa@ordojo", pytest.param("orqa@793beee", marks=pytest.mark.data)]
)


def shown(options: OrqaOptions) -> Iterator[list[str]]:
    """For each instance, the prompt of every call."""
    environment = BENCHMARK.environment(options, seed=0)
    for instance in BENCHMARK.load(options, seed=0):
        asked: Observation | None = environment.reset(instance, seed=0)
        calls = []
        while asked is not None:
            assert asked.style == "completion"
            (message,) = asked.messages
            assert message.role == "user"
            calls.append(message.content)
            asked = environment.step(SAID).observation
        yield calls


def expected(options: OrqaOptions) -> Iterator[list[str]]:
    """The same from the protocol; only the choice of same-type examples is taken from us."""
    rows, pool = (protocol.rows(options.dataset, s) for s in ("test", "validation"))
    first = second = [[] for _ in rows]
    if options.shots and options.icl == "published-code":
        calls = 2 if options.prompt == "cot" else 1
        first, *rest = protocol.published_draws(pool, len(rows), options.shots, calls)
        second = rest[0] if rest else first
    elif options.shots:
        questions = [instance.problem for instance in BENCHMARK.load(options, seed=0)]
        ours = [
            i.problem for i in BENCHMARK.load(options.model_copy(update={"split": "validation"}), 0)
        ]
        table = ExampleTable(options, ours, questions, seed=0)
        first = [[pool[e.index] for e in table.reasoning(q)] for q in questions]
        second = [[pool[e.index] for e in table.answer(q)] for q in questions]
    for row, one, two in zip(rows, first, second, strict=True):
        if options.prompt == "standard":
            yield [protocol.standard(row, one)]
        else:
            yield [protocol.reasoning(row, one), protocol.answer(row, SAID, two)]


SETTINGS = [
    {"prompt": prompt, "shots": shots, "icl": icl}
    for prompt, shots in [("standard", 0), ("standard", 1), ("standard", 3), ("cot", 0), ("cot", 1)]
    for icl in (["paper-same-type", "published-code"] if shots else ["paper-same-type"])
]


@each_dataset
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: "-".join(map(str, s.values())))
def test_every_row_is_asked_byte_for_byte_as_published(
    dataset: str, setting: dict[str, object]
) -> None:
    if dataset != "orqa@ordojo":
        published_folder()
    options = OrqaOptions.model_validate({"dataset": dataset, **setting})
    calls = list(shown(options))
    assert calls == list(expected(options))
    assert len(calls) == (44 if dataset == "orqa@ordojo" else 1468)
    examples = calls[0][0].count("Context: ") - 1
    assert examples == options.shots


def test_the_published_program_shows_other_examples_in_the_second_call() -> None:
    options = OrqaOptions(dataset="orqa@ordojo", prompt="cot", shots=1, icl="published-code")
    contexts = [
        [call.partition("Context: ")[2].partition("\n")[0] for call in calls]
        for calls in shown(options)
    ]
    same = sum(first == second for first, second in contexts)
    assert same < len(contexts) / 2


@pytest.mark.data
def test_our_constants_are_those_of_the_facts() -> None:
    facts = published_folder().parent / "facts" / "orqa-protocol.md"
    if not facts.exists():
        pytest.skip(f"there is no {facts}")
    quoted = {text.replace("\\n", "\n") for text in re.findall(r"`([^`]+)`", facts.read_text())}
    constants = {text for text in quoted if "\n" in text or text.startswith("Let's")}

    holes = tuple(f"{{OPTIONS[{i}]}}" for i in range(4))
    template = Question(0, "Q1", "{CONTEXT}", "{QUESTION}", holes, 0)
    block = prompts.block(template)
    trigger = TRIGGERS[OrqaOptions().trigger]
    call = prompts.answer_prompt(template, "{reasoning}").replace(trigger, "{trigger}")
    forms = (prompts.STANDARD, prompts.REASONING, prompts.ANSWER)
    ours = {
        block,
        call.removeprefix(prompts.ANSWER.instruction + block).removesuffix(prompts.ANSWER.prefix),
        trigger,
        *(form.instruction for form in forms),
        *(form.before_examples + prompts.FEW_SHOT for form in forms),
        *(form.prefix for form in forms),
        *(form.separator for form in forms),
    }
    assert ours == constants
    assert {
        protocol.STANDARD,
        protocol.REASONING,
        protocol.ANSWER,
        protocol.EXAMPLES_STANDARD,
        protocol.EXAMPLES_COT,
        protocol.ANSWER_PREFIX,
        protocol.TRIGGER,
    } <= constants


def first_observations(**settings: object) -> list[Observation]:
    """What is asked of the first shipped question, call by call."""
    options = OrqaOptions.model_validate({"dataset": "orqa@ordojo", **settings})
    environment = BENCHMARK.environment(options, seed=0)
    asked: Observation | None = environment.reset(BENCHMARK.load(options, 0)[0], seed=0)
    found = []
    while asked is not None:
        found.append(asked)
        asked = environment.step("A").observation
    return found


def test_generation_is_greedy_with_500_tokens_to_reason_and_1_to_answer() -> None:
    first, second = first_observations(prompt="cot")
    assert (first.max_tokens, first.choices, first.choose) == (500, (), False)
    assert (second.max_tokens, second.choices, second.choose) == (1, LETTERS, False)
    assert first.temperature == second.temperature == 0
    assert first.stop == second.stop == ()
    assert first.fresh and second.fresh


def test_logprob_mode_asks_the_same_prompt_for_the_likeliest_letter() -> None:
    (generated,), (chosen,) = first_observations(), first_observations(mode="logprob")
    assert (chosen.choose, chosen.choices) == (True, LETTERS)
    assert (chosen.messages, chosen.style) == (generated.messages, generated.style)


def test_chat_asks_for_one_letter_instead_of_forcing_the_prefix() -> None:
    for settings in ({"shots": 1}, {"prompt": "cot"}):
        raw, chat = first_observations(**settings), first_observations(**settings, mode="chat")
        assert {asked.style for asked in chat} == {"chat"}
        start = raw[-1].text.removesuffix(protocol.ANSWER_PREFIX)
        assert chat[-1].text == start + "\nAnswer with one letter only: A, B, C or D."
        assert [a.text for a in chat[:-1]] == [a.text for a in raw[:-1]]


@pytest.mark.parametrize("trigger", ["elimination", "Let's {draw} it"])
def test_a_trigger_is_a_short_name_or_a_text_of_ones_own(trigger: str) -> None:
    words = "Let's work by elimination" if trigger == "elimination" else trigger
    row = protocol.rows("orqa@ordojo", "test")[0]
    first, second = first_observations(prompt="cot", trigger=trigger)
    assert first.text == protocol.reasoning(row, [], words)
    assert second.text == protocol.answer(row, "A", [], words)


def test_reasoning_beyond_any_token_count_is_cut() -> None:
    options = OrqaOptions(dataset="orqa@ordojo", prompt="cot", reasoning_tokens=10)
    environment = BENCHMARK.environment(options, seed=0)
    environment.reset(BENCHMARK.load(options, 0)[0], seed=0)
    asked = environment.step("x" * 1_000_000).observation
    assert asked is not None
    assert f". {'x' * 320}{protocol.ANSWER_PREFIX}" in asked.text
