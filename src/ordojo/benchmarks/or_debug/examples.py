"""Chosen and stored worked examples, and the library that they come from."""

from collections.abc import Iterable
from functools import lru_cache

from ordojo.benchmarks.or_debug.actions import Action, parse_action
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.policies import SUBMIT, reply
from ordojo.benchmarks.or_debug.prompts import BODY, named
from ordojo.benchmarks.or_debug.schema import TYPES, Debugging, OrDebugOptions, make_instance
from ordojo.benchmarks.or_debug.sets import load_set
from ordojo.benchmarks.or_debug.store import LIBRARY
from ordojo.core.errors import GeneratorError
from ordojo.milp.algebra import bound_text, row_text
from ordojo.milp.model import VarType


@lru_cache(maxsize=1)
def library() -> tuple[Debugging, ...]:
    """The cases of all types."""
    return tuple(instance.problem for instance in load_set(LIBRARY))


SHOTS = ("A", "H", "G")
"""The error types of the worked examples, in order: a row, a bound, and two repairs in turn."""


def conflict(problem: Debugging) -> str:
    """The rows of the recorded IIS in algebra, one a line."""
    model = problem.model
    return "\n".join(f"  {name}: {row_text(model, model.rows[name])}" for name in problem.iis_rows)


def lesson(problem: Debugging, action: str) -> str:
    """What an action of the fix puts right: one sentence that sets the description by the model."""
    parsed = parse_action(action, problem.model)
    if not isinstance(parsed, Action):
        raise GeneratorError(
            f"{problem.split} {problem.index}: '{action}' is no action; rebuild it"
        )
    target, right, wrong = parsed.target, problem.original_model, problem.model
    if target in wrong.rows:
        has = row_text(wrong, wrong.rows[target])
        if not right.is_live(right.rows[target]):
            return f"Nothing in the description asks for {target}, which says {has}."
        says = row_text(right, right.rows[target])
        return f"By the description {target} is {says}, but the model has {has}."
    column, _, part = target.rpartition(".")
    j = wrong.cols[column]
    if part == "type":
        says, has = (VarType(int(model.types[j])).name.lower() for model in (right, wrong))
        return f"By the description {column} is {says}, but in the model it is {has}."
    return f"By the description {bound_text(right, j)}, but the model has {bound_text(wrong, j)}."


def chain(problem: Debugging) -> str:
    """The whole reasoning, from the conflict to the last action."""
    steps = [f"{lesson(problem, action)}\nAction: {action}" for action in problem.fix]
    names = ", ".join((*problem.iis_rows, *problem.iis_bounds))
    head = f"These rows cannot hold together within the bounds:\n{conflict(problem)}"
    return "\n".join([head, f"Diagnosis: {names}", *steps])


def quick_fix(problem: Debugging) -> str:
    """The error's pattern and the actions that mended it, nothing else."""
    senses = ", ".join(_sense(problem, name) for name in problem.iis_rows) or "bounds only"
    return f"Pattern: {TYPES[problem.type]}; IIS of {senses}\nFix: {'; '.join(problem.fix)}"


def like_case(problem: Debugging) -> str:
    """The kind of error, the conflict, what was wrong, and the actions."""
    kind = f"Kind of error: {TYPES[problem.type]}\nThe conflict:\n{conflict(problem)}"
    wrong = "\n".join(lesson(problem, action) for action in problem.fix)
    return f"{kind}\n{wrong}\nFix: {'; '.join(problem.fix)}"


def full_case(problem: Debugging) -> str:
    """The description and the whole reasoning."""
    return f"Problem: {problem.text}\n{chain(problem)}"


def transcript(problem: Debugging, options: OrDebugOptions) -> str:
    """An episode that ends well, as the environment of `options` answers it in a chat."""
    plain = options.model_copy(
        update={"history": "chat", "simulate": False, "oracle": OrDebugOptions().oracle}
    )
    names = (*problem.iis_rows, *problem.iis_bounds)
    parts = [
        BODY.format(
            problem_nl=problem.text,
            code=f"\n{problem.code.strip()}",
            iis_constraints=named(names if options.iis == "rows+bounds" else problem.iis_rows),
        )
    ]
    answers = [
        f"{lesson(problem, action)}\n{reply(action, () if place else names)}"
        for place, action in enumerate(problem.fix)
    ]
    if options.end == "submit":
        answers.append(SUBMIT)
    environment = OrDebugEnvironment(plain)
    environment.reset(make_instance(problem, {}), 0)
    for answer in answers:
        after = environment.step(answer).observation
        result = "The model is OPTIMAL, and the work is done." if after is None else after.text
        parts.append(f"Answer:\n{answer}\n\nResult:\n{result}")
    environment.close()
    return "\n\n".join(parts)


@lru_cache(maxsize=8)
def worked(options: OrDebugOptions) -> str:
    """The worked examples: for each of the first `options.shots` types, the shortest case."""
    kinds = SHOTS[: options.shots]
    alike = ([case for case in library() if case.type == kind] for kind in kinds)
    return worked_out((min(cases, key=lambda case: len(case.text)) for cases in alike), options)


def worked_out(chosen: Iterable[Debugging], options: OrDebugOptions) -> str:
    """Cases as worked examples, in order."""
    return numbered("Example", (transcript(case, options) for case in chosen))


def numbered(title: str, texts: Iterable[str]) -> str:
    """Texts under headings "title 1", "title 2", and so on."""
    return "\n\n".join(f"### {title} {place}\n{text}" for place, text in enumerate(texts, 1))


def _sense(problem: Debugging, name: str) -> str:
    model = problem.model
    lower, upper = (float(side[model.rows[name]]) for side in (model.row_lower, model.row_upper))
    return "==" if lower == upper else "<=" if lower == -float("inf") else ">="
