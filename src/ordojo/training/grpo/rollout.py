"""TRL's `rollout_func`, which may change with TRL: the only module that knows its form."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ordojo.training.grpo.episodes import Episodes, Paid, figures
from ordojo.training.grpo.rewards import NAMES

Rollout = Mapping[str, list[Any]]


class RolloutFunction:
    """Plays a generation's episodes turn by turn and hands tokens, masks and rewards to TRL.

    Prompts are the keys of instances, repeated by TRL for each member of a group. `last` has the
    figures of the latest generation, with "kl" where `measure` is set. `stop` ends a conversation
    in which nothing was said, which TRL does not take.
    """

    def __init__(
        self,
        episodes: Episodes,
        group: int,
        stop: int,
        say: Callable[[str], None],
    ) -> None:
        self._episodes, self._group, self._stop, self._say = episodes, group, stop, say
        self._silent = 0
        self.measure: Callable[[Sequence[Paid]], float] | None = None
        self.last: Mapping[str, float] = {}

    def __call__(self, prompts: Sequence[str], trainer: Any) -> Rollout:
        """See TRL's GRPOTrainer; `env_mask` is 1 where the model wrote the token."""
        step = int(trainer.state.global_step)
        paid = self._episodes.play(prompts, step)
        found = figures(paid, self._group)
        if self.measure is not None:
            found["kl"] = self.measure(paid)
        self.last = found
        self._report(found, step)
        rows: dict[str, list[Any]] = {
            name: [] for name in ("prompt_ids", "completion_ids", "logprobs", "env_mask", *NAMES)
        }
        for one in paid:
            tokens, start = one.tokens, one.tokens.prompt_length
            said = start < len(tokens.ids)
            rows["prompt_ids"].append(list(tokens.ids[:start]))
            rows["completion_ids"].append(list(tokens.ids[start:]) if said else [self._stop])
            rows["logprobs"].append(list(tokens.logprobs[start:]) if said else [0.0])
            rows["env_mask"].append(list(tokens.mask[start:]) if said else [0])
            for name in NAMES:
                rows[name].append(one.parts.get(name, 0.0))
        return rows

    def _report(self, found: Mapping[str, float], step: int) -> None:
        self._silent = self._silent + 1 if found["valid"] == 0 else 0
        if self._silent and (self._silent == 1 or self._silent % 10 == 0):
            self._say(
                f"step {step}: none of {found['episodes']:.0f} episodes had a valid action, for "
                f"{self._silent} generations in a row; training goes on, but learns nothing until "
                "one has: more SFT would help"
            )


def reward_functions() -> list[Callable[..., list[float]]]:
    """One function a part of the reward, which gives back what the rollout found."""
    return [_part(name) for name in NAMES]


def _part(name: str) -> Callable[..., list[float]]:
    def function(**columns: Any) -> list[float]:
        found: list[float] = columns[name]
        return found

    function.__name__ = name
    return function
