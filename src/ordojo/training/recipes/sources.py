"""Where a recipe's data come from: instances made on the spot, and demonstrations on them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from pydantic import Field

from ordojo.benchmarks.or_bias import sets
from ordojo.benchmarks.or_bias.distributions import IQR
from ordojo.benchmarks.or_bias.schema import VERSION
from ordojo.benchmarks.or_bias.schema import make_instance as newsvendor
from ordojo.benchmarks.or_debug.injection.generate import generate
from ordojo.benchmarks.or_debug.schema import SPLITS, TYPES, make_instance
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Options
from ordojo.training.rollouts.trajectory import Trajectory
from ordojo.training.rollouts.work import plan
from ordojo.training.sft.data import Record, demonstrate
from ordojo.training.teacher.show import played, shown


class Source(Options):
    """One entry of a recipe's `generate` or `validate`.

    Of or-debug: `count` problems of the types `kinds`, in turn, in the split `set`; of or-bias:
    `count` scenarios of the set `set` ("pool" is of any size); of any other benchmark: the first
    `count` instances that its `options` load. `options` say how they are asked as well.

    `teacher` shows how (SFT): "brief", a scripted policy, or an expert; with `doubt` see `Brief`.
    `policies` play (PRM), `samples` episodes each. `max_tokens` bounds a reply of a model that is
    looked at (`validate`).
    """

    benchmark: str
    count: int | None = Field(default=None, ge=1)
    seed: int = 0
    set: str = ""
    kinds: str = ""
    options: dict[str, Any] = Field(default_factory=dict)
    teacher: str = "brief"
    doubt: float = Field(default=0.0, ge=0, le=1)
    policies: list[str] = Field(default_factory=lambda: ["gold", "elastic", "random"])
    samples: int = Field(default=1, ge=1)
    max_tokens: int | None = Field(default=None, ge=1)

    def instances(self) -> list[Instance[Any]]:
        """Make or load the instances; the same source, the same ones. Raises UsageError."""
        if self.benchmark == "or-debug" and not ({"set", "instances"} & self.options.keys()):
            return self._debugging()
        if self.benchmark == "or-bias" and not ({"set", "instances"} & self.options.keys()):
            return self._newsvendor()
        if self.kinds or self.set:
            raise UsageError(f"{self.benchmark} has no kinds and sets here: use its options")
        work = plan(self.benchmark, "gold", options=self.options, seed=self.seed, limit=self.count)
        return list(work.instances)

    def records(self) -> list[Record]:
        """Demonstrations of the teacher, those alone that are worth imitating."""
        made = self.instances()
        if self.teacher == "brief":
            return demonstrate(self.benchmark, self.options, made, self.doubt, self.seed)
        if self.doubt:
            raise UsageError("doubt is for the teacher 'brief' alone")
        return [*shown(self.teacher, self.benchmark, self.options, made, self.seed)]

    def trajectories(self) -> list[Trajectory]:
        """Every policy's episodes on all instances."""
        made = self.instances()
        how = (self.benchmark, self.options, made, self.seed, self.samples)
        return [one for name in self.policies for one in played(name, *how)]

    def _debugging(self) -> list[Instance[Any]]:
        kinds, split = self.kinds or "".join(TYPES), self.set or "train"
        unknown = [kind for kind in kinds if kind not in TYPES]
        if unknown:
            raise UsageError(f"kinds: there is no type '{unknown[0]}'; they are {', '.join(TYPES)}")
        if split not in SPLITS:
            raise UsageError(f"set: '{split}' is none of {', '.join(SPLITS)}")
        if self.count is None:
            raise UsageError("count: say how many problems to make")
        return list(problems(split, self.seed, kinds, self.count))

    def _newsvendor(self) -> list[Instance[Any]]:
        name = self.set or "pool"
        if self.kinds:
            raise UsageError("kinds are of or-debug alone")
        if name == "pool":
            if self.count is None:
                raise UsageError("count: say how many scenarios to make")
            made = sets.pool(self.seed, self.count)
        elif name in sets.SETS:
            made = sets.SETS[name](self.seed, "normal", IQR)[: self.count]
        else:
            raise UsageError(f"set: '{name}' is none of pool, {', '.join(sets.SETS)}")
        return [newsvendor(scenario, VERSION) for scenario in made]


@lru_cache(maxsize=8)  # one run asks for the same problems up to four times
def problems(split: str, seed: int, kinds: str, count: int) -> tuple[Instance[Any], ...]:
    """Problems of or-debug, their types those of `kinds` in turn."""
    return tuple(
        make_instance(generate(split, seed, place, kinds[place % len(kinds)]), {})
        for place in range(count)
    )


def by_benchmark(sources: Iterable[Source]) -> dict[str, list[Instance[Any]]]:
    """The instances of several sources, by benchmark."""
    found: dict[str, list[Instance[Any]]] = {}
    for source in sources:
        found.setdefault(source.benchmark, []).extend(source.instances())
    return found


def options_of(sources: Iterable[Source]) -> Mapping[str, Mapping[str, Any]]:
    """The options by benchmark; raises UsageError where two sources disagree."""
    found: dict[str, Mapping[str, Any]] = {}
    for source in sources:
        if found.setdefault(source.benchmark, source.options) != source.options:
            raise UsageError(f"two entries of {source.benchmark} have other options")
    return found
