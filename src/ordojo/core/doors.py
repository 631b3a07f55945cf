"""One contract at every door: the same reply is worth the same, wherever it is asked.

A door is a way by which replies reach a benchmark: a loop, a command, another library's trainer. It
plays scripts (`ScriptedReplies`) and says what each was worth (`Worth`); `faults` says what breaks
the contract. The project's own doors are listed in its tests; a third party lists theirs, and their
benchmarks, in the same way.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.environment import Observation
from ordojo.core.episode import CUT, REFUSED, EpisodeBuilder, play
from ordojo.core.instance import Instance
from ordojo.core.options import Options

KINDS: Mapping[str, str] = {
    "right": "a plain right reply",
    "wrong": "an honest wrong try",
    "silent": "empty replies to the end, or nothing where a door need not be told",
    "blank": "replies of blanks and line ends",
    "cut": "replies that the token limit ended before they said anything",
    "refused": "a right reply that a content filter ended",
    "left": "one reply that says nothing of use, and no more",
    "thought": "a right answer in thinking that the token limit ended",
    "changed": "a plain right reply after thinking of a wrong one",
}
"""The kinds of replies by name; each is played on an instance of its own, the same at all doors."""

FULL, LEAST = ("right", "changed"), "wrong"
"""What is paid in full, and what no other kind may be paid more than."""

USELESS = "Let me look at this first."
"""A reply that answers nothing and does nothing."""


@dataclass(frozen=True)
class ScriptedReplies:
    """What is said to one instance: the replies in order, then silence, and why each ended.

    `left` says that nobody speaks on, where a door can be left.
    """

    kind: str
    place: int
    instance: Instance[Any]
    replies: tuple[str, ...]
    stop: str = "stop"
    left: bool = False

    def reply(self, turn: int) -> tuple[str, str]:
        """The reply to that turn, from 0, and why it ended."""
        return (self.replies[turn], self.stop) if turn < len(self.replies) else ("", self.stop)

    @property
    def heard(self) -> "ScriptedReplies":
        """As somebody meets it who hears texts alone: of a refused reply nothing."""
        return self if self.stop != REFUSED else replace(self, replies=())


@dataclass(frozen=True)
class Worth:
    """What a script was worth: the score under the headline rule and the reward.

    None is what a door does not tell, or what it has no such reply for.
    """

    score: float | None = None
    reward: float | None = None

    def __str__(self) -> str:
        parts = ["-" if v is None else f"{v:g}" for v in (self.score, self.reward)]
        return " ".join(parts) if self != Worth() else "."


Door = Callable[["Listed", Options, Sequence[ScriptedReplies]], Sequence[Worth]]
"""Plays scripts of one benchmark under its options, each in an episode of its own."""


@dataclass(frozen=True)
class Listed:
    """A benchmark on the list, its settings, and what is said to an instance of it.

    Without `right` it is "The answer is ...", with the certificate's; without `wrong` what is right
    for the next instance of another answer.
    """

    benchmark: AnyBenchmark
    settings: Mapping[str, str]
    right: Callable[[Instance[Any]], Sequence[str]] | None = None
    wrong: Callable[[Instance[Any]], Sequence[str]] | None = None

    def said(self, instance: Instance[Any], raw: bool) -> tuple[str, ...]:
        """A plain right reply; of a raw prompt the gold policy's continuation."""
        if self.right is not None:
            return tuple(self.right(instance))
        if not raw:
            return (f"The answer is {self.benchmark.gold(instance)}.",)
        act = self.benchmark.policies([instance])["gold"].begin(instance, 0, 1)
        options = self.benchmark.options.model_validate(dict(self.settings))
        environment = self.benchmark.environment(options, 0)
        return tuple(turn.reply for turn in play(environment, instance, act).turns)

    def scripts(self, options: Options) -> list[ScriptedReplies]:
        """One script of each kind, on the first instances."""
        instances = self.benchmark.load(options, 0)
        environment = self.benchmark.environment(options, 0)
        raw = environment.reset(instances[0], 0).style == "completion"
        environment.close()
        return [
            self._script(kind, place, instances, raw)
            for place, kind in enumerate(KINDS)
            if not (raw and kind in ("thought", "changed"))  # There is nothing to think in.
        ]

    def _script(
        self, kind: str, place: int, instances: Sequence[Instance[Any]], raw: bool
    ) -> ScriptedReplies:
        one = instances[place]
        right, wrong = self.said(one, raw), self._missed(place, instances, raw)
        made: Mapping[str, tuple[tuple[str, ...], str]] = {
            "right": (right, "stop"),
            "wrong": (wrong, "stop"),
            "silent": ((), "stop"),
            "blank": ((" \n",) * 100, "stop"),
            "cut": (("The answer is",) * 100, CUT[0]),
            "thought": ((f"<think>\n{right[-1]}",) * 100, CUT[0]),
            "changed": (tuple(f"<think>\n{wrong[-1]}\n</think>\n\n{t}" for t in right), "stop"),
            "refused": (right, REFUSED),
            "left": ((USELESS,), "stop"),
        }
        replies, stop = made[kind]
        return ScriptedReplies(kind, place, one, replies, stop, left=kind in ("silent", "left"))

    def _missed(self, place: int, instances: Sequence[Instance[Any]], raw: bool) -> tuple[str, ...]:
        if self.wrong is not None:
            return tuple(self.wrong(instances[place]))
        gold = self.benchmark.gold
        others = (other for other in instances if gold(other) != gold(instances[place]))
        return self.said(next(others), raw)


def plain(listed: Listed, options: Options, scripts: Sequence[ScriptedReplies]) -> list[Worth]:
    """The plain loop: an environment, `step` until it is over, and a judge."""
    benchmark = listed.benchmark
    environment = benchmark.environment(options, 0)
    judge = benchmark.rules[benchmark.default_rule(options)]
    found = []
    for script in scripts:
        steps = EpisodeBuilder(environment, script.instance, 0)
        turn = 0
        while steps.observation is not None:
            text, stop = script.reply(turn)
            steps.reply(text, stop=stop)
            turn += 1
        episode = steps.episode()
        found.append(Worth(judge(script.instance, episode).score, episode.reward))
    environment.close()
    return found


def conversations(
    listed: Listed, options: Options, scripts: Sequence[ScriptedReplies]
) -> dict[tuple[str, ...], tuple[str, str]]:
    """What a model says, and why that ended, by the user's turns until then: for model servers."""
    environment = listed.benchmark.environment(options, 0)
    told: dict[tuple[str, ...], tuple[str, str]] = {}
    for script in scripts:
        turns: list[str] = []
        steps = EpisodeBuilder(environment, script.instance, 0)
        asked: Observation | None = steps.observation
        turn = 0
        while asked is not None:
            new = [one.content for one in asked.messages if one.role == "user"]
            turns = new if asked.fresh else [*turns, *new]
            told[tuple(turns)] = text, stop = script.reply(turn)
            steps.reply(text, stop=stop)
            asked, turn = steps.observation, turn + 1
    environment.close()
    return told


Table = Mapping[str, Mapping[str, Worth]]
"""Of one benchmark, by door and kind."""


def faults(table: Table) -> list[str]:
    """What in a benchmark's table breaks the contract, a sentence each."""
    found = []
    for door, row in table.items():
        least = row[LEAST]
        for kind, paid in row.items():
            if kind in FULL:
                if paid.score not in (1.0, None):
                    found.append(f"{door}: {KINDS[kind]} scores {paid.score}")
                continue
            if paid.score is not None and paid.score > (least.score or 0.0):
                found.append(f"{door}: '{kind}' scores {paid.score}, a wrong try {least.score}")
            if None not in (paid.reward, least.reward) and paid.reward > least.reward:  # type: ignore[operator]
                found.append(f"{door}: '{kind}' is paid {paid.reward}, a wrong try {least.reward}")
    for kind in KINDS:
        for what in ("score", "reward"):
            told = {door: getattr(row[kind], what) for door, row in table.items() if kind in row}
            said = {door: value for door, value in told.items() if value is not None}
            first = next(iter(said.values()), 0.0)
            if not all(math.isclose(v, first, abs_tol=1e-9) for v in said.values()):
                found.append(f"'{kind}' has another {what} at different doors: {said}")
    return found


def drawn(name: str, table: Table) -> str:
    """A benchmark's table as text: score and reward, "." where there is nothing to tell."""
    wide = max(len(door) for door in table) + 2
    lines = [f"{name:{wide}}" + "".join(f"{kind:>12}" for kind in KINDS)]
    for door, row in table.items():
        lines.append(f"{door:{wide}}" + "".join(f"{row.get(k, Worth())!s:>12}" for k in KINDS))
    return "\n".join(lines)
