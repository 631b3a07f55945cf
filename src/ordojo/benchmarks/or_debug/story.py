"""What a sample's page tells of an episode: the model with its conflict, and every step."""

from collections.abc import Mapping, Sequence
from typing import Any

from ordojo.benchmarks.or_debug.actions import REPAIR, Action, ActionKind, parse_action
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.outcome import differences
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.instance import Instance
from ordojo.core.panels import Listing, Story
from ordojo.core.records import SampleRecord
from ordojo.milp.algebra import bound_text, objective_text, row_text
from ordojo.milp.model import Model

LINES = 100
"""Lines of a model that are shown beside those that the story is about: two screens."""

NAMES = 6
"""Names that a cell lists; the rest is counted."""


def story(record: SampleRecord, instance: Instance[Debugging] | None) -> Story | None:
    """The episode step by step; with the instance, the algebra and the distance from the truth."""
    infos: list[Mapping[str, Any]] = [turn.info for turn in record.episode.turns]
    if not infos or "final" not in infos[-1]:
        return None
    problem = None if instance is None else instance.problem
    start = None if problem is None else problem.model
    right = problem.original_model if problem is not None and problem.original else None
    rows: list[list[str]] = []
    marks: dict[int, str] = {}
    model = start
    for place, turn in enumerate(record.episode.turns):
        info, before = turn.info, model
        asked = parse_action(turn.reply, start)
        model = _after(model, start, asked, info)
        rows.append(
            [
                f"{place + 1}. {_asked(asked, info)}",
                _solver(info),
                _changed(before, model, info),
                *([_apart(model, right, info)] if right is not None else ()),
            ]
        )
        if not info["valid"]:
            marks[place] = "refused"
        elif info["status"] == "OPTIMAL":
            marks[place] = "solved"
    columns = ["action", "the solver said", "what changed"]
    columns += ["unlike the true model"] if right is not None else []
    steps = Listing("Step by step", columns, rows, marks)
    said = _ending(infos[-1], len(infos), record.gold, problem)
    if problem is None or start is None:
        return Story(said, [steps])
    conflict, rest = _model(problem, start, right)
    return Story(said, [conflict, steps, rest])


def _after(
    model: Model | None, start: Model | None, asked: object, info: Mapping[str, Any]
) -> Model | None:
    """The model after a turn; None from where it cannot be told from the record."""
    kind = info["action"]
    if model is None or not info["valid"] or kind not in {*REPAIR, ActionKind.RESTART, "PROGRAM"}:
        return model
    if kind == ActionKind.RESTART:
        return start
    if not isinstance(asked, Action) or asked.kind != kind:
        return None
    after = apply_action(model, asked)
    return after if isinstance(after, Model) else None


def _asked(asked: object, info: Mapping[str, Any]) -> str:
    if isinstance(asked, Action) and asked.kind == info["action"]:
        return str(asked)
    if info["action"] is None:
        return "no action was read"
    return f"{info['action']}({info['target']})" if info["target"] else str(info["action"])


def _solver(info: Mapping[str, Any]) -> str:
    if not info["valid"]:
        return f"not possible: {info['reason']}"
    if info["objective"] is not None:
        return f"{info['status']}, objective {info['objective']:.10g}"
    conflict = [*info["iis"], *info["iis_bounds"]]
    return (
        f"{info['status']}, a conflict of {len(conflict)}: {_some(conflict)}"
        if conflict
        else str(info["status"])
    )


def _changed(before: Model | None, after: Model | None, info: Mapping[str, Any]) -> str:
    if "changed" in info:
        return _some(info["changed"]) or "nothing"
    if not info["valid"] or info["action"] not in {*REPAIR, ActionKind.RESTART}:
        return "nothing"
    if info["action"] == ActionKind.RESTART:
        return "all as at the start"
    if before is None or after is None:
        return "not known"
    old, new = _element(before, info["target"]), _element(after, info["target"])
    return f"{old}\nbecomes\n{new}"


def _element(model: Model, name: str) -> str:
    """An element's algebra: a row's, or that of the column whose bound or type it is."""
    element = find_element(model, name)
    if element is None:
        return name
    if element.part is not ElementKind.ROW:
        return bound_text(model, element.number)
    return row_text(model, element.number) if model.is_live(element.number) else "(no row)"


def _apart(model: Model | None, right: Model, info: Mapping[str, Any]) -> str:
    if model is None and "final" not in info:
        return "not known"
    names = info["final"]["drift"]["changed"] if model is None else differences(model, right)
    return f"{len(names)}: {_some(names)}" if names else "nothing"


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMES
    return ", ".join(names[:NAMES]) + (f" and {more} more" if more > 0 else "")


def _model(problem: Debugging, model: Model, right: Model | None) -> tuple[Listing, Listing]:
    """What is in the conflict or wrong in the model as it was given, and the rest of it."""
    conflict = {*problem.iis_rows, *problem.iis_bounds}
    wrong = set(differences(model, right)) if right is not None else set()
    rows = {name: [name] for i, name in enumerate(model.row_names) if model.is_live(i)}
    columns = {
        name: [f"{name}.{part}" for part in ("lb", "ub", "type")] for name in model.col_names
    }
    # A row that was taken out of the true model is in neither.
    known = {name for names in (*rows.values(), *columns.values()) for name in names}
    lines = [*rows.items(), *columns.items(), *((name, [name]) for name in sorted(wrong - known))]
    told: list[list[str]] = []
    rest = [["objective", objective_text(model)]]
    marks: dict[int, str] = {}
    for name, names in lines:
        kinds = {"in the conflict": conflict, "wrong": wrong}
        why = [kind for kind, there in kinds.items() if not there.isdisjoint(names)]
        text = _element(model, names[0])
        if why:
            marks[len(told)] = ", ".join(why)
            true = _element(right, names[0]) if right is not None and "wrong" in why else ""
            told.append([name, text, *([true] if right is not None else ())])
        else:
            rest.append([name, text])
    shown = ["name", "algebra", *(["in the true model"] if right is not None else ())]
    more = len(rest) - LINES
    note = f"{more} more lines are left out." if more > 0 else ""
    return (
        Listing("What contradicts itself", shown, told, marks),
        Listing("The rest of the model", shown[:2], rest[:LINES], note=note),
    )


def _ending(info: Mapping[str, Any], turns: int, gold: object, problem: Debugging | None) -> str:
    final = info["final"]
    steps = f"{turns} {'turn' if turns == 1 else 'turns'}"
    said = [f"The episode ended {final['status']} after {steps}."]
    if final["objective"] is not None:
        said = [f"After {steps} the model was {final['status']} at {final['objective']:.10g}."]
    if problem is not None and problem.original:
        said.append(f"The true model's optimum is {problem.objective:.10g}.")
    changed = final.get("drift", {}).get("changed", ())
    if final["status"] == "OPTIMAL" and not final.get("drift", {}).get("unknown"):
        said.append(
            f"It is unlike the true model in {_some(changed)}."
            if changed
            else "It says what the true model says."
        )
    if isinstance(gold, list) and gold:
        said.append(f"What restores the true model: {'; '.join(map(str, gold))}.")
    return " ".join(said)
