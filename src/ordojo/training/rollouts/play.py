"""One episode under way, and the trajectory it ends in."""

from collections.abc import Mapping
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.environment import Environment, Observation
from ordojo.core.episode import Episode, Turn
from ordojo.core.instance import Instance
from ordojo.training.rollouts.trajectory import Exchange, Trajectory, TurnTokens
from ordojo.training.rollouts.work import Work


class Play:
    """One episode under way: `observation` is what is asked now, None at the end."""

    def __init__(self, environment: Environment[Any], instance: Instance[Any], seed: int) -> None:
        self.environment, self.instance = environment, instance
        self.observation: Observation | None = environment.reset(instance, seed)
        self._turns: list[Exchange] = []
        self._truncated = False

    def reply(
        self, text: str, tokens: TurnTokens | None = None, info: Mapping[str, Json] | None = None
    ) -> None:
        """Act with `text` and keep what happened, with what else is known of the reply."""
        asked = self.observation
        if asked is None:
            return
        step = self.environment.step(text)
        known = {**step.info, **info} if info else step.info
        self._turns.append(
            Exchange(asked.messages, text, step.reward, known, asked.style, asked.fresh, tokens)
        )
        self._truncated = step.truncated
        self.observation = None if step.terminated or step.truncated else step.observation

    def finish(self, work: Work, sample: int) -> Trajectory:
        """Judge the finished episode by every rule."""
        instance, turns = self.instance, tuple(self._turns)
        episode = Episode(
            tuple(Turn(t.messages, t.style, t.completion, t.reward, t.info) for t in turns),
            self._truncated,
        )
        rules = work.benchmark.rules
        verdicts = {name: judge(instance, episode) for name, judge in rules.items()}
        return Trajectory(
            instance=instance.id,
            content_hash=instance.content_hash,
            sample=sample,
            turns=turns,
            truncated=self._truncated,
            verdict=verdicts[work.provenance.rule],
            scores={name: verdict.score for name, verdict in verdicts.items()},
            labels=instance.labels,
            gold=work.benchmark.gold(instance),
            provenance=work.provenance,
        )
