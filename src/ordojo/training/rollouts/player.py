"""Playing episodes in this process: the same loop for every kind of policy."""

from collections.abc import Iterable, Sequence
from typing import Any

from ordojo.core.environment import Environment
from ordojo.core.instance import Instance
from ordojo.core.policy import Policy
from ordojo.core.seeds import episode_seed
from ordojo.training.rollouts.batches import answer_batch
from ordojo.training.rollouts.play import Play
from ordojo.training.rollouts.policies import Loader, TokenPolicy, scripted
from ordojo.training.rollouts.trajectory import Trajectory
from ordojo.training.rollouts.work import Item, Work


class Player:
    """Plays the items of a `Work`, with environments and the policy made once and kept.

    Use as a context manager, or `close` it. Raises whatever the environment or policy needs and
    has not: UsageError for an unknown policy, SolverError for a missing oracle.
    """

    def __init__(self, work: Work) -> None:
        self.work = work
        self._idle: list[Environment[Any]] = []
        policy = work.policy
        if isinstance(policy, Loader):
            policy = policy.load()
        if isinstance(policy, str):
            policy = scripted(work.benchmark, work.instances, policy)
        self._policy: Policy | TokenPolicy = policy

    def play(self, items: Iterable[Item]) -> list[Trajectory]:
        """The items' trajectories, in order; of a policy with tokens as one batch."""
        policy = self._policy
        if isinstance(policy, TokenPolicy):
            return self._play_batch(policy, list(items))
        return [self._play_alone(policy, *item) for item in items]

    def replay(self, item: Item, replies: Sequence[str]) -> Trajectory:
        """The trajectory of replies given elsewhere; past the last one, silence."""
        instance, sample = item
        left = iter(replies)
        play = self._begin(instance, sample)
        while play.observation is not None:
            play.reply(next(left, ""))
        return self._end(play, sample)

    def _play_alone(self, policy: Policy, instance: Instance[Any], sample: int) -> Trajectory:
        act = policy.begin(instance, self.work.provenance.seed, sample)
        play = self._begin(instance, sample)
        while (asked := play.observation) is not None:
            play.reply(act(asked))
        return self._end(play, sample)

    def _play_batch(self, policy: TokenPolicy, items: Sequence[Item]) -> list[Trajectory]:
        plays = [self._begin(*item) for item in items]
        answer_batch(policy, plays, [sample for _, sample in items], self.work)
        return [self._end(play, sample) for play, (_, sample) in zip(plays, items, strict=True)]

    def _begin(self, instance: Instance[Any], sample: int) -> Play:
        work, idle = self.work, self._idle
        seed = work.provenance.seed
        environment = idle.pop() if idle else work.benchmark.environment(work.options, seed)
        return Play(environment, instance, episode_seed(seed, sample))

    def _end(self, play: Play, sample: int) -> Trajectory:
        self._idle.append(play.environment)
        return play.finish(self.work, sample)

    def close(self) -> None:
        """Close the environments; any number of times."""
        while self._idle:
            self._idle.pop().close()

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
