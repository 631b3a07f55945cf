"""How a silently wrong model is asked: what of its solution is shown, what cannot go with it."""

from collections.abc import Sequence

import numpy as np

from ordojo.benchmarks.or_debug.perform import slack_lines
from ordojo.benchmarks.or_debug.prompts import ACTIONS
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.benchmarks.or_debug.workbench import Workbench
from ordojo.core.environment import Message
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.milp.algebra import number
from ordojo.solvers.answers import Status

AIM = """\
The model solves, and is wrong: in one place it departs from the problem's description, so that \
its optimum is not the true one. Find that place and mend it, so that the model says what the \
description says; a model that reaches the same number in another way is still wrong. A rule that \
the model lacks is written into the empty row, REWRITE(spare, expression). You have {steps} \
actions; the work is done when you submit."""

FORMAT = """\
Think first if you like. End your answer with two lines, and nothing after them:
Diagnosis: the names of what is wrong, separated by commas
Action: one action, as in RELAX(r3, 30)"""

HEAD = "You are an expert in operations research who checks a model against its description."

_CHANGED = ("prompt", "shots", "examples", "rag", "simulate", "answer", "end")


def silent_messages(options: OrDebugOptions, state: str) -> tuple[Message, ...]:
    """Messages that stand alone; `state` is the eight-part state as text."""
    aim = AIM.format(steps=options.max_steps)
    return (
        Message("system", f"{ACTIONS}\n\n{aim}\n\n{FORMAT}"),
        Message("user", f"{HEAD}\n{state.strip()}"),
    )


DEAREST = 12
"""Variables of a large model's plan that are shown."""


def solution_text(bench: Workbench, large: bool = False) -> str:
    """The optimum with its binding rows and its plan; "" where there is none.

    Of a `large` model the variables that add most to the goal.
    """
    solution, model = bench.solution, bench.model
    if bench.status != Status.OPTIMAL or solution.x is None or solution.activity is None:
        return ""
    optimum = f"Optimum: {number(float(f'{bench.optimum or 0.0:.10g}'))}"
    if large:
        parts = model.objective * solution.x
        most = [
            f"{model.col_names[j]} = {number(round(float(solution.x[j]), 6))} ({parts[j]:.6g})"
            for j in np.argsort(-np.abs(parts), kind="stable")[:DEAREST].tolist()
        ]
        return f"{optimum}\nMost of it: {', '.join(most)}"
    binding = [
        line.partition(":")[0].strip()
        for line in slack_lines(model, solution.activity)
        if ": binding" in line
    ]
    plan = [
        f"{name} = {number(round(value, 6) + 0.0)}"
        for name, value in zip(model.col_names, solution.x.tolist(), strict=True)
    ]
    return "\n".join(
        [
            optimum,
            f"Binding rows: {', '.join(binding) or 'none'}",
            f"Plan: {', '.join(plan)}",
        ]
    )


def check_silent(instances: Sequence[Instance[Debugging]], options: OrDebugOptions) -> None:
    """Refuse, by a UsageError, settings that belong to infeasible models."""
    if not any(one.problem.is_silent for one in instances):
        return
    usual = OrDebugOptions()
    for name in _CHANGED:
        value = getattr(options, name)
        if value not in (getattr(usual, name), "lp"):
            raise UsageError(
                f"or-debug cannot use {name}={value} with models that solve and are wrong, which "
                "have one prompt and end when they are submitted; leave it out"
            )
