"""The size of a model in training, and the time of one step, measured on a sample."""

import time
from dataclasses import replace
from typing import Any

from ordojo.evaluate.compact import rendering
from ordojo.training.curriculum.plan import CurriculumConfig, stages_of
from ordojo.training.grpo.config import GrpoConfig
from ordojo.training.models.loading import Loaded
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.models.settings import Settings
from ordojo.training.prm import Scorer
from ordojo.training.recipes.recipe import Recipe
from ordojo.training.recipes.sources import by_benchmark

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
"""Bytes of a number."""

SHORT = 32
"""Tokens of a reply that are waited for."""

SLOW = 2.0
"""Seconds of a first pass after which there is no second one."""


def sizes(config: Settings, model: Any, longest: int, judge: Any = None) -> dict[str, Any]:
    """Parameters and memory, by the formula of `estimate`; `judge` is a model that is only read."""
    total = sum(part.numel() for part in model.parameters())
    trained = total
    if config.method == "lora":
        linear = [m for name, m in model.named_modules() if type(m).__name__ == "Linear"]
        linear = [m for m in linear if m is not model.get_output_embeddings()]
        trained = sum(config.lora_rank * (m.in_features + m.out_features) for m in linear)
    shape = model.config
    width = min(longest, config.max_length)
    each = 16 * shape.hidden_size * shape.num_hidden_layers + 2 * shape.vocab_size
    if config.gradient_checkpointing:
        each = shape.hidden_size * (shape.num_hidden_layers + 16) + 2 * shape.vocab_size
    active = config.batch_size * width * each
    memory = total * BYTES[config.dtype] + trained * 12 + active * BYTES[config.dtype]
    if isinstance(judge, Scorer):
        memory += sum(part.numel() * part.element_size() for part in judge.model.parameters())
    return {"parameters": total, "trained": trained, "memory_gb": round(memory / 1e9, 2)}


def one_step(
    recipe: Recipe, config: Settings, loaded: Loaded, lengths: list[int], judge: Any = None
) -> float:
    """Seconds of one step: forward and backward of its batch, and the play of its episodes."""
    import torch

    typical = sorted(lengths)[len(lengths) // 2]
    model, played, width = loaded.model, 0.0, typical
    if isinstance(config, GrpoConfig):
        took_group, width = _play(recipe, config, loaded, judge)
        # The episodes of one group were played; a generation has more of them.
        episodes = config.batch_size * config.accumulation
        played = took_group * episodes / config.group / config.iterations
    width = min(width, config.max_length)
    # One row, times the batch: never too little, and quick also for a model that is slow here.
    ids = torch.full((1, width), int(loaded.tokenizer.eos_token_id))
    ids = ids.to(model.device)
    model.train()
    took = []
    for _ in range(2):  # the first one warms up
        began = time.perf_counter()
        model(input_ids=ids, labels=ids).loss.backward()
        took.append(time.perf_counter() - began)
        model.zero_grad()
        if took[0] > SLOW:
            break
    model.eval()
    return min(took) * config.batch_size * config.accumulation + played


def _play(recipe: Recipe, config: GrpoConfig, loaded: Loaded, judge: Any) -> tuple[float, int]:
    """Seconds that one group is played for, and the longest episode's tokens.

    Replies are cut at `SHORT` tokens; where the model fills them, it is taken to go on to the end.
    """
    from ordojo.training.grpo.episodes import Episodes

    course = recipe.config
    if isinstance(course, CurriculumConfig):
        made = {course.benchmark: list(stages_of(course)[0].instances[:1])}
    else:
        made = {name: found[:1] for name, found in by_benchmark(recipe.generate).items()}
    most = config.max_tokens
    settings = replace(config, limit=1, max_tokens=most and min(most, SHORT))
    policy = ModelPolicy(loaded, rendering(config.rendering), config.model, config.max_length)
    episodes = Episodes(settings, policy, made, judge)
    try:
        began = time.perf_counter()
        paid = episodes.play(episodes.keys[:1] * config.group, 0)
        took = time.perf_counter() - began
    finally:
        episodes.close()
    longest = max(paid, key=lambda one: len(one.tokens.ids))
    turns = len(longest.trajectory.turns)
    width = len(longest.tokens.ids)
    if most and most > SHORT and sum(longest.tokens.mask) > 0.9 * turns * SHORT:
        return took * most / SHORT, width + turns * (most - SHORT)
    return took, max(1, width)
