"""What a recipe would cost, found without training: data, parameters, memory and time.

Memory is weights + gradients and Adam's two moments of what is trained (4 + 8 bytes each) +
activations, batch * length * (16 * hidden * layers + 2 * vocabulary) numbers. Time is that of one
step on a sample of the data, times the steps. Of a model that is not on this machine nothing is
loaded: its parameters are read off its name, tokens are a quarter of the characters, and time is
not told.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from math import ceil
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.environment import Message, chat
from ordojo.core.errors import UsageError
from ordojo.core.options import parse_options
from ordojo.core.registry import get_benchmark
from ordojo.evaluation.compact import rendering
from ordojo.evaluation.providers.loading import CATALOGUE, choose_device, find_weights
from ordojo.training.curriculum import CurriculumConfig, stages_of
from ordojo.training.curriculum import records_of as demonstrations
from ordojo.training.grpo import Episodes, GrpoConfig, process_of
from ordojo.training.models import session
from ordojo.training.models.loading import Loaded
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.models.session import TrainingSettings
from ordojo.training.prm import PrmConfig, Scorer, labelled
from ordojo.training.recipes.recipe import Recipe, RecipeSource, by_benchmark
from ordojo.training.recipes.run import begun, records_of
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.rollouts.work import plan
from ordojo.training.sft import SftConfig, fitting, rendered, tokens_in

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
"""Bytes of a number."""

SHORT = 32
"""Tokens of a reply that are waited for."""

PASSES, SLOW = 8, 2.0
"""The most passes that are measured, and seconds after which no further one is."""


def sizes(config: TrainingSettings, model: Any, longest: int, judge: Any = None) -> dict[str, Any]:
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
    recipe: Recipe, config: TrainingSettings, loaded: Loaded, lengths: list[int], judge: Any = None
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

    def a_pass(row: Any) -> float:
        began = time.perf_counter()
        model(input_ids=row, labels=row).loss.backward()
        model.zero_grad()
        return time.perf_counter() - began

    a_pass(ids[:, :2])  # warms up
    took = [a_pass(ids)]
    while len(took) < PASSES and sum(took) < SLOW:  # other work on the machine only adds
        took.append(a_pass(ids))
    model.eval()
    return min(took) * config.batch_size * config.accumulation + played


def _play(recipe: Recipe, config: GrpoConfig, loaded: Loaded, judge: Any) -> tuple[float, int]:
    """Seconds that one group is played for, and the longest episode's tokens.

    Replies are cut at `SHORT` tokens; where the model fills them, it is taken to go on to the end.
    """
    course = recipe.config
    if isinstance(course, CurriculumConfig):
        made = {course.benchmark: list(stages_of(course)[0].instances[:1])}
    else:
        few = [_few(source)[0] for source in recipe.generate]
        made = {name: found[:1] for name, found in by_benchmark(few).items()}
    most = config.max_tokens
    settings = config.model_copy(update={"limit": 1, "max_tokens": most and min(most, SHORT)})
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


SAMPLE = 64
"""The most records or prompts whose tokens are counted; the rest is taken to be like them."""

MADE = 18
"""Problems of a source that are made for that, where it makes its problems: two of each type of
or-debug take a quarter of a minute, all of a recipe of the paper an hour."""


def _few(source: RecipeSource) -> tuple[RecipeSource, float]:
    """The source with `MADE` problems where more are to be made, and how many times as many."""
    if (source.count or 0) <= MADE or source.made() is None:
        return source, 1.0
    return source.model_copy(update={"count": MADE}), (source.count or 0) / MADE


def estimate(recipe: Recipe) -> dict[str, Json]:
    """The figures of `ordojo train --dry-run`, also where a real run could not start yet.

    No model is asked to teach: gold does in its place. "needs" says what a real run lacks here (a
    GPU, the run before it, a process reward model); where it lacks something, no model is loaded.
    "items" are records, instances or labelled steps, "tokens" those of all items once over, both
    reckoned from the first `MADE` problems of a source that makes more,
    "too_long" the share of items beyond max_length (left out in SFT, cut in PRM), "steps" the
    optimizer's. Raises OrdojoError for a recipe that is wrong.
    """
    config, lacks = recipe.settings, recipe.lacks()
    session.quiet()
    talks, items = _texts(recipe)
    found: dict[str, Any] = {
        "stage": recipe.stage,
        "out": str(recipe.out),
        "model": config.model,
        "device": config.device if lacks else choose_device(config.device),
        "items": items,
        "steps": _steps(recipe, items),
    }
    if lacks:
        found["needs"] = "; ".join(map(str, lacks))
    if lacks or not _is_here(config.model):
        return {**found, **_unseen(config, recipe.origin, talks, items)}
    loaded = begun(recipe, talks)
    lengths = _lengths(config, loaded, talks)
    found["tokens"] = round(sum(lengths) / len(lengths) * items)
    judge = process_of(config) if isinstance(config, GrpoConfig) else None
    found |= sizes(config, loaded.model, max(lengths), judge)
    found["too_long"] = sum(length > config.max_length for length in lengths) / len(lengths)
    seconds = one_step(recipe, config, loaded, lengths, judge)
    steps = found["steps"]
    found["seconds_a_step"] = round(seconds, 3)
    return {**found, "minutes": round(seconds * steps / 60, 1)}


def _texts(recipe: Recipe) -> tuple[list[Any], int]:
    """Records, first prompts, or steps as records; and how many items there are in all."""
    config = recipe.config
    few = [_few(source) for source in recipe.generate]
    if isinstance(config, SftConfig):
        told = [(source.records(ask=False), more) for source, more in few]
        records = list(chain.from_iterable(some for some, _ in told))
        if not records:  # a file's, or the sentence that there are none
            records = records_of(replace(recipe, generate=tuple(one for one, _ in few)), ask=False)
            return records, len(records)
        return records, round(sum(len(some) * more for some, more in told))
    if isinstance(config, PrmConfig):
        made = [(source.trajectories(), more) for source, more in few]
        if not any(some for some, _ in made):
            made = [(list(read_trajectories(Path(name).expanduser())), 1.0) for name in config.data]
        shown = rendering(config.rendering)
        steps = [(labelled(some, shown), more) for some, more in made]
        texts = [{"input": "", "output": step.text} for some, _ in steps for step in some]
        return texts, round(sum(len(some) * more for some, more in steps))
    if isinstance(config, CurriculumConfig):
        every = [one for stage in stages_of(config) for one in stage.instances]
        if not every:
            raise UsageError(f"{recipe.file}: stages names none, so nothing would be trained")
        if config.trainer == "sft":
            records = demonstrations(config, every)
            return records, len(records)
        return _prompts({config.benchmark: every}, recipe), len(every)
    made_for = by_benchmark(source for source, _ in few)
    items = sum(len(source.instances()) * more for source, more in few)
    assert isinstance(config, GrpoConfig)
    for benchmark in config.benchmarks:
        if benchmark not in made_for:
            options = config.options.get(benchmark, {})
            work = plan(benchmark, "gold", options=options, seed=config.seed, limit=config.limit)
            made_for[benchmark] = list(work.instances)
            items += len(work.instances)
    return _prompts(made_for, recipe), round(items)


def _prompts(instances: Any, recipe: Recipe) -> list[Any]:
    """The first prompt of some instances, as records with an empty reply."""
    config = recipe.settings
    assert isinstance(config, GrpoConfig)
    found = []
    for name, made in instances.items():
        benchmark = get_benchmark(name)
        options = parse_options(benchmark.options, config.options.get(name, {}), name)
        environment = benchmark.environment(options, config.seed)
        try:
            for instance in islice(made, SAMPLE):
                asked = environment.reset(instance, config.seed)
                found.append({"messages": chat([*asked.messages, Message("assistant", "")])})
        finally:
            environment.close()
    return found


def _steps(recipe: Recipe, items: int) -> int:
    config, course = recipe.settings, recipe.config
    stages = len(course.course.stages) if isinstance(course, CurriculumConfig) else 1
    if config.steps is not None:
        return config.steps * stages
    batch = config.batch_size * config.accumulation
    copies, looks = 1, 1
    if isinstance(config, GrpoConfig):
        copies, looks = config.group, config.iterations
    kept = 1 - config.holdout if isinstance(config, PrmConfig) else 1.0
    return max(1, ceil(items * kept * copies * looks * config.epochs / batch))


def _is_here(model: str) -> bool:
    """Whether the weights are on this machine, or made on the spot."""
    weights = CATALOGUE.get(model.removeprefix("ordojo/"))
    here = find_weights(weights) if weights else Path(model).expanduser()
    return model == "tiny" or (here is not None and here.exists())


def _unseen(
    config: TrainingSettings, model: str, talks: Sequence[Any], items: int
) -> dict[str, Any]:
    characters = [
        sum(len(turn["content"]) for turn in talk)
        for talk in rendered(talks[:SAMPLE], rendering(config.rendering))
    ]
    said = re.search(r"(\d+(?:\.\d+)?)\s*([BM])\b", model, re.IGNORECASE)
    found: dict[str, Any] = {
        "tokens": round(sum(characters) / len(characters) * items / 4),
        "note": "no model was loaded: tokens are characters / 4, parameters as the model's name "
        "says, memory without activations, time not told",
    }
    if said:
        count = float(said[1]) * (1e9 if said[2] in "Bb" else 1e6)
        # LoRA on all linear layers trains about 0.3% a rank of 16.
        trained = count if config.method == "full" else count * 0.003 * config.lora_rank / 16
        found |= {"parameters": round(count), "trained": round(trained)}
        found["memory_gb"] = round((count * BYTES[config.dtype] + trained * 12) / 1e9, 1)
    return found


def _lengths(config: TrainingSettings, loaded: Loaded, talks: Sequence[Any]) -> list[int]:
    """Tokens of each; raises DataError or UsageError where none fits."""
    if isinstance(config, PrmConfig):
        return [len(loaded.tokenizer(talk["output"])["input_ids"]) for talk in talks[:SAMPLE]]
    shown = rendered(talks[:SAMPLE], rendering(config.rendering))
    lengths = [tokens_in(turns, loaded.tokenizer) for turns in shown]
    if isinstance(config, SftConfig):
        fitting(shown, loaded.tokenizer, config.max_length)
    if isinstance(config, GrpoConfig):
        context = ModelPolicy(loaded, most=config.max_length).context
        if max(lengths) > context - (config.max_tokens or 1):
            raise UsageError(
                f"a prompt has {max(lengths)} tokens, which leaves no room for a reply: "
                f"{config.model} reads {context} under max_length={config.max_length}; raise it, "
                "take a model with a longer context, or rendering=compact"
            )
    return lengths
