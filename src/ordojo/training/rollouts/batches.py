"""Many episodes against one model at once: each round answers all that are still open."""

from collections.abc import Sequence

from ordojo.core.environment import Observation
from ordojo.core.errors import UsageError
from ordojo.core.seeds import generator
from ordojo.training.rollouts.play import Play
from ordojo.training.rollouts.policies import Completion, TokenPolicy
from ordojo.training.rollouts.trajectory import TurnTokens
from ordojo.training.rollouts.work import Work

SILENT = Completion((), (), "", False)
"""What is left to say where the context is full: nothing."""


class _Talk:
    """One episode's tokens, and how its next observation is asked."""

    def __init__(self, policy: TokenPolicy, play: Play, sample: int, work: Work) -> None:
        self.play, self.sample = play, sample
        self._policy, self._work = policy, work
        self._last: Completion | None = None
        self._turn = 0
        self.ids: list[int] = []
        self.added: list[int] = []
        self.room = 0

    def listen(self, asked: Observation) -> None:
        """Take the observation in; `room` is then how many tokens an answer may have."""
        name = self.play.instance.id
        if asked.choose:
            raise UsageError(
                f"{name} asks for the likeliest choice, not for text; use an option of the "
                "benchmark under which it is answered in text, as mode=chat"
            )
        if asked.fresh:
            self.ids, self._last = [], None
        self.added = self._policy.encode(asked.messages, asked.style, self._last)
        most = self._work.sampling.max_tokens or asked.max_tokens
        self.room = min(most, self._policy.context - len(self.ids) - len(self.added))
        if self.room > 0:
            self.ids += self.added
        elif self._turn == 0:
            raise UsageError(
                f"the prompt of {name} has {len(self.added)} tokens, and {self._policy.name} "
                f"reads {self._policy.context}; take a model with a longer context, shorter "
                "instances, or in training a greater max_length"
            )

    def say(self, completion: Completion) -> None:
        """Act with the model's completion."""
        self.ids += completion.ids
        self._last, self._turn = completion, self._turn + 1
        added = tuple(self.added) if completion is not SILENT else ()
        tokens = TurnTokens(added, completion.ids, completion.logprobs)
        cut = not completion.ended and len(completion.ids) >= self.room
        self.play.reply(completion.text, tokens, {"cut": True} if cut else {})

    def settings(self, asked: Observation) -> tuple[int, float, tuple[str, ...]]:
        """Room, temperature and stop strings: what a batch must share."""
        own = self._work.sampling.temperature
        return self.room, (asked.temperature or 0.0) if own is None else own, asked.stop

    def generator_seed(self) -> tuple[str, int]:
        """The name and place of the generator that draws the next completion."""
        return f"rollout/{self.play.instance.id}/{self.sample}", self._turn


def answer_batch(
    policy: TokenPolicy, plays: Sequence[Play], samples: Sequence[int], work: Work
) -> None:
    """Play the episodes to their ends.

    Each turn of each episode draws from a generator of its own, by seed, instance, sample and
    turn. A turn that ended for want of room has "cut" in its info. A conversation that has filled
    the context goes on in silence, so that the environment ends it. Raises UsageError where a
    first prompt does not fit, or a choice is asked for.
    """
    seed = work.provenance.seed
    talks = [_Talk(policy, play, sample, work) for play, sample in zip(plays, samples, strict=True)]
    while open_ := [talk for talk in talks if talk.play.observation is not None]:
        groups: dict[tuple[int, float, tuple[str, ...]], list[_Talk]] = {}
        for talk in open_:
            asked = talk.play.observation
            if asked is None:
                continue
            talk.listen(asked)
            if talk.room <= 0:
                talk.say(SILENT)
                continue
            groups.setdefault(talk.settings(asked), []).append(talk)
        for (room, temperature, stop), group in groups.items():
            completions = policy.complete(
                [talk.ids for talk in group],
                [generator(seed, *talk.generator_seed()) for talk in group],
                max_tokens=room,
                temperature=temperature,
                top_p=work.sampling.top_p,
                stop=stop,
            )
            for talk, completion in zip(group, completions, strict=True):
                talk.say(completion)
