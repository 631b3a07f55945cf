"""Rollouts: which instances are played by whom, in this process, in many, or over Ray.

Episodes are played alone or as one batch, to the trajectories that they end in.
"""

import tempfile
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ordojo.core.environment import Observation
from ordojo.core.episode import EpisodeBuilder, TurnTokens
from ordojo.core.errors import ProviderError, UsageError
from ordojo.core.instance import Instance
from ordojo.core.judge import judge_all
from ordojo.core.options import parse_options
from ordojo.core.policy import Policy
from ordojo.core.progress import counting
from ordojo.core.records import Item, SampleRecord
from ordojo.core.seeds import episode_seed, generator
from ordojo.core.spread import HERE, Place, spread
from ordojo.core.trajectory import Trajectory
from ordojo.evaluation.scripted import PREFIX, SILENCE, Replay, refuse_surplus, scripted_policy
from ordojo.evaluation.session import Answer, Connection, EvaluationSession
from ordojo.training.rollouts.files import TrajectoryFile, encode
from ordojo.training.rollouts.work import (
    Asked,
    Completion,
    Loader,
    Sampling,
    TokenPolicy,
    Work,
    is_model,
    plan,
)

Settings = tuple[int, float, tuple[str, ...]]
"""Room, temperature and stop strings: what a batch must share."""

SILENT = Completion((), (), "", False)
"""What is left to say where the context is full: nothing."""


class _Talk:
    """One episode's tokens, and how its next observation is asked."""

    def __init__(self, policy: TokenPolicy, play: EpisodeBuilder, sample: int, work: Work) -> None:
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
        spoke = completion is not SILENT
        tokens = TurnTokens(tuple(self.added) * spoke, completion.ids, completion.logprobs)
        cut = not completion.ended and len(completion.ids) >= self.room
        stop = ("max_tokens" if spoke else "model_length") if cut else "stop"
        room = self.room if spoke else None
        self.play.reply(completion.text, {"cut": True} if cut else {}, stop, room, tokens)

    def settings(self, asked: Observation) -> Settings:
        """How it is asked; the work's own temperature goes before the observation's."""
        own = self._work.sampling.temperature
        return self.room, (asked.temperature or 0.0) if own is None else own, asked.stop

    def question(self, settings: Settings) -> Hashable:
        """All that decides a completion: at temperature 0 a prompt asked again has the same one."""
        _, temperature, _ = settings
        return settings, self.generator_seed() if temperature else (), tuple(self.ids)

    def generator_seed(self) -> tuple[str, int]:
        """The name and place of the generator that draws the next completion."""
        return f"rollout/{self.play.instance.id}/{self.sample}", self._turn


def answer_batch(
    policy: TokenPolicy, batch: Sequence[tuple[EpisodeBuilder, int]], work: Work
) -> None:
    """Play the episodes, each with the number of its sample, to their ends.

    Each turn of each episode draws from a generator of its own, by seed, instance, sample and
    turn. A turn that ended for want of room has "cut" in its info. A conversation that has filled
    the context goes on in silence, so that the environment ends it. Raises UsageError where a
    first prompt does not fit, or a choice is asked for.
    """
    talks = [_Talk(policy, play, sample, work) for play, sample in batch]
    said: dict[Hashable, Completion] = {}
    with counting("playing episodes", len(talks)) as count:
        while open_ := [(talk, asked) for talk in talks if (asked := talk.play.observation)]:
            count.to(len(talks) - len(open_))
            groups: dict[Settings, list[_Talk]] = {}
            for talk, asked in open_:
                talk.listen(asked)
                if talk.room <= 0:
                    talk.say(SILENT)
                else:
                    groups.setdefault(talk.settings(asked), []).append(talk)
            for settings, group in groups.items():
                _ask(policy, settings, group, work, said)


def _ask(
    policy: TokenPolicy,
    settings: Settings,
    group: Sequence[_Talk],
    work: Work,
    said: dict[Hashable, Completion],
) -> None:
    """Ask a batch, but for what is `said` already, and act with what comes."""
    room, temperature, stop = settings
    questions = [talk.question(settings) for talk in group]
    new = {one: talk for one, talk in zip(questions, group, strict=True) if one not in said}
    if new:
        seed = work.provenance.seed
        completions = policy.complete(
            [talk.ids for talk in new.values()],
            [generator(seed, *talk.generator_seed()) for talk in new.values()],
            max_tokens=room,
            temperature=temperature,
            top_p=work.sampling.top_p,
            stop=stop,
        )
        said |= zip(new, completions, strict=True)
    for one, talk in zip(questions, group, strict=True):
        talk.say(said[one])


class Player:
    """Plays the items of a `Work`, with environments and the policy made once and kept.

    Use as a context manager, or `close` it. Raises whatever the environment or policy needs and
    has not: UsageError for an unknown policy, SolverError for a missing oracle.
    """

    def __init__(self, work: Work) -> None:
        self.work = work
        seed, given = work.provenance.seed, work.instances
        self.session = _Given(work.benchmark, work.options, seed, given=given)
        policy = work.policy
        if isinstance(policy, Loader):
            policy = policy.make()
        if isinstance(policy, str):
            policy = scripted_policy(self.session, policy.removeprefix(PREFIX))
        self._policy: Policy | TokenPolicy = policy

    def play(self, items: Iterable[Asked]) -> list[Trajectory]:
        """The items' trajectories, in order; of a policy with tokens as one batch."""
        policy = self._policy
        if isinstance(policy, TokenPolicy):
            batch = [(self._begin(*item), item[1]) for item in items]
            answer_batch(policy, batch, self.work)
            return [self._end(*one) for one in batch]
        if isinstance(policy, Replay):
            return [self.replay(item, policy.answers((item[0].id, item[1]))) for item in items]
        return [self._act(policy, *item) for item in items]

    def _act(self, policy: Policy, instance: Instance[Any], sample: int) -> Trajectory:
        act = policy.begin(instance, self.session.seed, sample)
        return self._play_alone(instance, sample, lambda asked: Answer(act(asked)))

    def replay(self, item: Asked, answers: Sequence[Answer]) -> Trajectory:
        """The trajectory of answers given elsewhere; past the last one, silence.

        Raises DataError where there are more than are asked for.
        """
        left = iter(answers)
        found = self._play_alone(*item, lambda asked: next(left, SILENCE))
        refuse_surplus(found.item, answers, found.episode)
        return found

    def _play_alone(
        self, instance: Instance[Any], sample: int, answer: Callable[[Observation], Answer]
    ) -> Trajectory:
        play = self._begin(instance, sample)
        while (asked := play.observation) is not None:
            play.reply(*answer(asked))
        return self._end(play, sample)

    def _begin(self, instance: Instance[Any], sample: int) -> EpisodeBuilder:
        seed = episode_seed(self.session.seed, sample)
        return EpisodeBuilder(self.session.environment(), instance, seed)

    def _end(self, play: EpisodeBuilder, sample: int) -> Trajectory:
        """Judge the finished episode by every rule."""
        self.session.release(play.environment)
        work, instance, episode = self.work, play.instance, play.episode()
        return Trajectory(
            id=instance.id,
            epoch=sample,
            content_hash=instance.content_hash,
            cluster=instance.cluster,
            labels=instance.labels,
            gold=work.benchmark.gold(instance),
            episode=episode,
            verdicts=judge_all(work.benchmark.rules, instance, episode),
            provenance=work.provenance,
        )

    def close(self) -> None:
        """Close the environments; any number of times."""
        self.session.close()

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass(frozen=True)
class _Given(EvaluationSession):
    """A session over given instances."""

    given: Sequence[Instance[Any]] = ()

    @cached_property
    def instances(self) -> Sequence[Instance[Any]]:
        return self.given


def ask_model(work: Work, left: Sequence[Item], sink: Callable[[Trajectory], None]) -> list[str]:
    """Ask for the episodes `left`; each goes to `sink` as it ends, in no order.

    Returns the errors of those that could not be asked. Raises ProviderError where the model
    cannot be reached or not one could be asked, and what `sink` raises.
    """
    from ordojo.evaluation.engine.ask import Drive
    from ordojo.evaluation.engine.run import Asking, connect, run_items

    how = parse_options(Connection, work.connection, "`connection`")
    model = connect(str(work.policy), how)
    errors: list[str] = []
    asked = {name: getattr(work.sampling, name) for name in ("temperature", "max_tokens", "top_p")}
    # A top_p of 1 leaves nothing out, and is no setting.
    overrides = {n: x for n, x in asked.items() if x is not None and (n, x) != ("top_p", 1.0)}
    with Player(replace(work, policy="noop")) as player:

        def keep(record: SampleRecord) -> None:
            if record.error:
                errors.append(record.error)
                return
            said = [Answer.of(turn) for turn in record.episode.turns]
            sink(player.replay((player.session.by_id[record.id], record.epoch), said))

        drive = Drive(player.session, keep, overrides)
        with tempfile.TemporaryDirectory() as folder:
            run_items(Asking(drive, model, left, how, Path(folder)))
    if errors and len(errors) == len(left):
        raise ProviderError(
            f"none of the {len(left)} episodes could be played; the first error was: {errors[0]}"
        )
    return errors


def start(work: Work) -> Callable[[range], bytes]:
    """What plays shards and gives the lines of their trajectories; made once a worker."""
    player = Player(work)
    return lambda shard: encode(player.play(work.items(shard.start, shard.stop)))


@dataclass(frozen=True)
class Recorded:
    """A file of trajectories after a rollout: how many it holds, and why others are missing."""

    path: Path
    episodes: int
    errors: tuple[str, ...] = ()


def rollout(work: Work) -> Iterator[Trajectory]:
    """Play every episode here and yield the trajectories in order, a batch at a time.

    Raises what playing raises; ProviderError where a language model could not be asked.
    """
    if is_model(work.policy):
        found: dict[tuple[str, int], Trajectory] = {}
        keys = [work.key(place) for place in range(work.size)]
        ask_model(work, keys, lambda one: found.update({one.item: one}))
        yield from (found[key] for key in keys if key in found)
        return
    with Player(work) as player, counting(_playing(work), work.size) as count:
        for shard in work.shards():
            played = player.play(work.items(shard.start, shard.stop))
            count.step(len(played))
            yield from played


def _playing(work: Work) -> str:
    return f"{work.provenance.model} plays {work.provenance.benchmark}"


def record(work: Work, path: Path, place: Place = HERE) -> Recorded:
    """Play what `path` does not hold yet and append it.

    The bytes do not depend on the place, nor on whether and where it was stopped and started
    again. Of a language model over a network the order is that in which it answered, and what
    could not be asked is left to the next call.
    """
    with (
        TrajectoryFile(path, work.provenance) as file,
        counting(_playing(work), work.size, len(file.done)) as count,
    ):
        errors: list[str] = []
        if is_model(work.policy):

            def keep(trajectory: Trajectory) -> None:
                file.add([trajectory.item], encode([trajectory]))
                count.step()

            every = (work.key(place) for place in range(work.size))
            left = [key for key in every if key not in file.done]
            errors = ask_model(work, left, keep) if left else []
        else:
            shards = list(work.shards(frozenset(file.done)))
            played = spread(partial(start, work), shards, place, cost=len)
            for shard, lines in zip(shards, played, strict=True):
                keys = [work.key(place) for place in shard]
                new = [place for place, key in enumerate(keys) if key not in file.done]
                if len(new) < len(keys):
                    rows = lines.splitlines(keepends=True)
                    lines = b"".join(rows[place] for place in new)
                file.add((keys[place] for place in new), lines)
                count.step(len(new))
        return Recorded(path, len(file.done), tuple(errors))


BATCH = 64
"""Episodes played together."""


def play_greedily(
    policy: TokenPolicy,
    benchmark: str,
    options: Mapping[str, Any],
    instances: Sequence[Instance[Any]],
    max_tokens: int | None = None,
) -> list[Trajectory]:
    """One greedy episode of each instance, in order.

    `max_tokens` bounds a reply, the benchmark's own bound if None.
    """
    sampling = Sampling(temperature=0.0, max_tokens=max_tokens, batch=BATCH)
    work = plan(benchmark, policy, options=options, instances=instances, sampling=sampling)
    return list(rollout(work))
