"""How far the policy has moved from the model it began as: the KL divergence, estimated."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from ordojo.training.grpo.episodes import Paid


def divergence(
    model: Any, pad: int, temperature: float, batch: int, frozen: Any = None
) -> Callable[[Sequence[Paid]], float]:
    """A function from episodes to the mean of exp(d) - d - 1 over the tokens that `model` wrote.

    d is the reference's log-probability of a token minus that under which it was sampled. The
    reference is `frozen`, or `model` with its adapter off.
    """

    def measure(paid: Sequence[Paid]) -> float:
        import torch

        total, count = 0.0, 0
        reference = model if frozen is None else frozen
        training = reference.training
        reference.eval()
        for first in range(0, len(paid), batch):
            part = [one.tokens for one in paid[first : first + batch]]
            width = max(len(tokens.ids) for tokens in part)
            ids = torch.full((len(part), width), pad)
            seen = torch.zeros((len(part), width), dtype=torch.long)
            own = torch.zeros((len(part), width), dtype=torch.bool)
            sampled = torch.zeros((len(part), width))
            for row, tokens in enumerate(part):
                size = len(tokens.ids)
                ids[row, :size] = torch.tensor(tokens.ids)
                seen[row, :size] = 1
                own[row, :size] = torch.tensor(tokens.mask, dtype=torch.bool)
                sampled[row, :size] = torch.tensor(tokens.logprobs)
            place = reference.device
            with torch.no_grad(), nullcontext() if frozen is not None else model.disable_adapter():
                out = reference(input_ids=ids.to(place), attention_mask=seen.to(place))
            logits = out.logits[:, :-1].float() / temperature
            odds = torch.log_softmax(logits, -1).gather(2, ids[:, 1:, None].to(place))[..., 0].cpu()
            d = (odds - sampled[:, 1:])[own[:, 1:]]
            total += float((d.exp() - d - 1).sum())
            count += d.numel()
        reference.train(training)
        return total / max(1, count)

    return measure
