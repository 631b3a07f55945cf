"""Playing: the builder, the loop, and the policies."""

import pytest

from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.episode import Episode, EpisodeBuilder, Turn, play
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Certificate, Instance
from ordojo.core.policy import Answerer, NoOp, Person, Random, baselines


class Countdown(Environment[int]):
    """Asks as many times as the problem says, a free text first; "stop" is a limit."""

    def __init__(self) -> None:
        self._left = -1

    def reset(self, instance: Instance[int], seed: int) -> Observation:
        self._left = instance.problem
        return self._ask()

    def _ask(self) -> Observation:
        choices = ("yes", "no", "maybe") if self._left == 1 else ()
        return Observation((Message("user", f"{self._left} left"),), choices=choices)

    def step(self, text: str) -> Step:
        if self._left <= 0:
            raise BenchmarkError("countdown: step() out of turn")
        self._left -= 1
        info = {"left": self._left}
        if text == "stop":
            return Step(self._ask(), 0.25, truncated=True, info=info)
        if self._left == 0:
            # A careless environment: it ends, and asks once more.
            return Step(self._ask(), 1.0, terminated=True, info=info)
        return Step(self._ask(), 0.5, info=info)


def instance(problem: int = 3, name: str = "i") -> Instance[int]:
    return Instance(name, "countdown", "1", problem, Certificate("closed-form", {}))


def test_an_episode_keeps_what_was_asked_said_and_made_of_it() -> None:
    builder = EpisodeBuilder(Countdown(), instance(2), seed=0)
    asked = builder.observation
    assert asked is not None and asked.text == "2 left"
    assert builder.episode() == Episode(())
    builder.reply("one", {"logprob": -1, "left": "mine"})
    builder.reply("two")
    assert builder.observation is None
    assert builder.episode() == Episode(
        (
            Turn(asked.messages, "chat", "one", 0.5, {"left": "mine", "logprob": -1}),
            Turn((Message("user", "1 left"),), "chat", "two", 1.0, {"left": 0}),
        )
    )


def test_a_reply_after_the_end_changes_nothing() -> None:
    builder = EpisodeBuilder(Countdown(), instance(1), seed=0)
    builder.reply("yes")
    before = builder.episode()
    builder.reply("no")
    assert builder.episode() == before


def test_a_limit_ends_the_episode_as_truncated() -> None:
    episode = play(Countdown(), instance(3), lambda asked: "stop")
    assert (len(episode.turns), episode.truncated, episode.reward) == (1, True, 0.25)


def test_play_goes_to_the_end_and_sums_the_rewards() -> None:
    episode = play(Countdown(), instance(4), lambda asked: asked.text[0])
    assert [turn.reply for turn in episode.turns] == ["4", "3", "2", "1"]
    assert (episode.reward, episode.last_reply, episode.truncated) == (2.5, "1", False)


def test_an_episode_without_turns_says_nothing() -> None:
    assert (Episode(()).last_reply, Episode(()).reward) == ("", 0.0)


def test_an_observation_joins_its_messages() -> None:
    asked = Observation((Message("system", "Be brief."), Message("user", "Why?")))
    assert asked.text == "Be brief.\n\nWhy?"


def replies(policy: object, seed: int = 0, epoch: int = 1, name: str = "i") -> list[str]:
    item = instance(2, name)
    act = policy.begin(item, seed, epoch)  # type: ignore[attr-defined]
    return [turn.reply for turn in play(Countdown(), item, act, seed).turns]


def test_simple_policies_say_what_they_must() -> None:
    assert replies(NoOp()) == ["", ""]
    assert replies(Person(lambda asked: asked.text.upper())) == ["2 LEFT", "1 LEFT"]
    answerer = Answerer(lambda i: f"yes {i.id}", aside=lambda i: "because")
    assert replies(answerer) == ["because", "yes i"]


def test_random_answers_only_where_there_are_choices_and_by_seed_item_and_epoch() -> None:
    assert replies(Random())[0] == ""
    assert replies(Random()) == replies(Random())
    ways = {
        "seed": {tuple(replies(Random(), seed=k)) for k in range(40)},
        "epoch": {tuple(replies(Random(), epoch=k)) for k in range(40)},
        "name": {tuple(replies(Random(), name=str(k))) for k in range(40)},
    }
    assert {name: len(said) for name, said in ways.items()} == {"seed": 3, "epoch": 3, "name": 3}


@pytest.mark.parametrize(("answers", "most"), [("BAB", "B"), ("DCCD", "C"), ("A", "A"), ("", "")])
def test_majority_is_the_most_frequent_answer_ties_by_alphabet(answers: str, most: str) -> None:
    keys = {str(place): answer for place, answer in enumerate(answers)}
    policies = baselines([instance(name=name) for name in keys], lambda i: keys[i.id])
    assert list(policies) == ["gold", "noop", "random", "majority"]
    assert replies(policies["majority"]) == ["", most]
    if keys:
        assert replies(policies["gold"], name="0") == ["", answers[0]]
