"""Each adapter played as its trainer plays it: the gold policy gets the same reward everywhere."""

import asyncio
from typing import Any

import pytest

from ordojo.core.episode import play
from ordojo.core.errors import UsageError
from ordojo.training.adapters import EpisodePlayer, SkyrlEnv, VerlInteraction, trl_environment

PLACES = [0, 3, 7]


@pytest.fixture(scope="module")
def episodes() -> Any:
    found = EpisodePlayer.of("or-debug", limit=8)
    yield found
    found.close()


def _gold(episodes: EpisodePlayer, place: int) -> tuple[list[str], float]:
    """The gold policy's replies to an instance, and the sum of the rewards."""
    session = episodes.session
    instance = session.instances[place]
    environment = session.benchmark.environment(session.options, session.seed)
    played = play(environment, instance, session.policy("gold").begin(instance, 0, 1))
    environment.close()
    return [turn.reply for turn in played.turns], played.reward


@pytest.mark.parametrize("place", PLACES)
def test_the_plain_form(episodes: EpisodePlayer, place: int) -> None:
    replies, reward = _gold(episodes, place)
    assert episodes.begin(place).messages[-1].role == "user"
    outcomes = [episodes.reply(text) for text in replies]
    assert [found.done for found in outcomes] == [False] * (len(replies) - 1) + [True]
    assert sum(found.reward for found in outcomes) == episodes.total == reward
    assert outcomes[-1].info["scores"]["rr@5"] == 1.0
    with pytest.raises(UsageError, match="no episode"):
        episodes.reply("SUBMIT")


def test_instances_follow_each_other(episodes: EpisodePlayer) -> None:
    assert episodes.begin(4) != episodes.begin()
    with pytest.raises(UsageError, match="there is no instance"):
        episodes.begin(10_000)


def test_skyrl_plays_by_its_keys(episodes: EpisodePlayer) -> None:
    replies, reward = _gold(episodes, 3)
    env = SkyrlEnv({"benchmark": "or-debug", "limit": 8}, {"index": 3})
    turns, _ = env.init([])
    assert turns and set(turns[0]) == {"role", "content"}
    assert env.get_metrics() == {"reward": 0, "turns": 0}
    env.step("Action: GET_IIS()")
    assert env.get_metrics() == {"reward": 0, "turns": 1}, "an episode under way has no scores"
    env.init([])
    steps = [env.step(text) for text in replies]
    assert sum(step["reward"] for step in steps) == reward
    assert steps[-1]["done"] and steps[-1]["observations"] == []
    assert env.get_metrics()["rr@5"] == 1.0 and env.get_metrics()["reward"] == reward
    env.close()


def test_the_real_skyrl_gym_makes_and_plays_it(episodes: EpisodePlayer) -> None:
    registration = pytest.importorskip("skyrl_gym.envs.registration")
    registration.registry.pop("ordojo", None)  # other tests of this process may have made it known
    registration.register(id="ordojo", entry_point="ordojo.training.adapters:SkyrlEnv")
    replies, reward = _gold(episodes, 3)
    config = {"benchmark": "or-debug", "limit": 8}
    env = registration.make("ordojo", env_config=config, extras={"index": 3})
    env.init([])
    assert sum(env.step(text)["reward"] for text in replies) == reward
    assert env.get_metrics()["rr@5"] == 1.0
    env.close()


def test_verl_plays_many_at_once(episodes: EpisodePlayer) -> None:
    async def run() -> list[float]:
        interaction = VerlInteraction({"benchmark": "or-debug", "limit": 8})
        names = [await interaction.start_interaction(index=place) for place in PLACES]
        totals = []
        for name, place in zip(names, PLACES, strict=True):
            for text in _gold(episodes, place)[0]:
                message = [{"role": "assistant", "content": text}]
                done, said, _, _ = await interaction.generate_response(name, message)
                assert done == (said == "")
            totals.append(await interaction.calculate_score(name))
            await interaction.finalize_interaction(name)
        with pytest.raises(UsageError, match="no episode is called"):
            await interaction.calculate_score(names[0])
        return totals

    assert asyncio.run(run()) == [_gold(episodes, place)[1] for place in PLACES]


def test_trl_calls_its_tool(episodes: EpisodePlayer) -> None:
    replies, reward = _gold(episodes, 7)
    environment = trl_environment("or-debug", limit=8)()
    assert isinstance(environment.reset(index=7, prompt="ignored"), str)
    said = [environment.act(text) for text in replies]
    assert said[-1] == "The episode is over."
    assert environment.get_reward() == reward
    shots = {"shots": "1", "examples": "random"}
    asked = [trl_environment("or-debug", shots, k, 1)().reset(index=0) for k in (0, 0, 1)]
    assert asked[0] == asked[1] != asked[2]


def test_trl_finds_a_tool_in_it() -> None:
    transformers_utils = pytest.importorskip("transformers.utils.chat_template_utils")
    environment = trl_environment("or-debug", limit=8)()
    schema = transformers_utils.get_json_schema(environment.act)
    assert schema["function"]["name"] == "act"
    assert schema["function"]["parameters"]["required"] == ["text"]
