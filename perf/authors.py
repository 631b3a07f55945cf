"""What OR-Debug-Bench's authors recorded, played again: `python -m perf.authors`.

Their 5,216 teaching records each state a model, its IIS and the action that solved it. Here the
action is taken in our environment, under their protocol, from the model as published. Of their 200
evaluated episodes the IIS, the first step of those with one step, and its reward are matched. Every
difference is counted under its cause. Needs $ORDOJO_DATA, or the pulled datasets.
"""

import ast
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ordojo.benchmarks.or_debug.authors import AuthorsEnvironment, certify
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions, make_instance
from ordojo.core.errors import DataError
from ordojo.datasets.or_debug_authors import PREFIX, models_of, rows_of
from ordojo.datasets.store import locate
from ordojo.milp.files import read_model
from ordojo.milp.model import Model
from ordojo.solvers.highs import HighsSession

_ID = re.compile(r"^ID: (\S+)$", re.MULTILINE)
_LIST = re.compile(
    r"^(Conflicting Constraints|Conflicting Bounds|Constraint Names): (\[.*\])$", re.MULTILINE
)
_ACTION = re.compile(r"^Action: .*$", re.MULTILINE)


@dataclass(frozen=True)
class Record:
    """One teaching record: a problem's id, its stated state, the action, and its step."""

    problem: str
    rows: tuple[str, ...]
    bounds: tuple[str, ...]
    names: tuple[str, ...]
    action: str
    step: int


def teaching(split: str) -> Iterator[Record]:
    """The records of "heuristic" or "gpt-5.2-chat"."""
    for row in rows_of(_recorded(split)):
        lists = {name: tuple(ast.literal_eval(text)) for name, text in _LIST.findall(row["input"])}
        identity, action = _ID.search(row["input"]), _ACTION.search(row["output"])
        if identity is None or action is None:
            raise DataError(f"a record of {split} names no problem or no action")
        yield Record(
            identity[1],
            lists.get("Conflicting Constraints", ()),
            lists.get("Conflicting Bounds", ()),
            lists.get("Constraint Names", ()),
            action[0],
            row["metadata"]["steps"],
        )


@dataclass(frozen=True)
class Replayed:
    """What became of a record here: status after its action, what its IIS is, rows gone before.

    `repeats`: how often the action was taken until OPTIMAL, 0 where `step` times were too few.
    """

    record: Record
    status: str
    iis: str
    dropped: int
    repeats: int

    @property
    def cause(self) -> str:
        """The class of agreement or difference."""
        record = self.record
        if self.repeats == 1:
            return "OPTIMAL"
        if self.repeats:
            return "OPTIMAL, the steps before taken to be the same action"
        if "UPDATE_BOUNDS" in record.action:
            return "not OPTIMAL: the new upper bound is not recorded"
        return "not OPTIMAL: repairs before the stated state are not recorded"


def replayed(record: Record, model: Model, environment: AuthorsEnvironment) -> Replayed:
    """Take the record's action from its state: the model without the rows that it lacks by then.

    What was moved before is not recorded. Where the action alone is not enough, it is taken again,
    up to as many times as the episode had steps: their models like to repeat a move.
    """
    missing = [name for name in model.row_names if record.names and name not in record.names]
    for name in missing:
        model = model.without_row(model.rows[name])
    problem = stated(record.problem, model, record.rows, record.bounds)
    session = HighsSession()
    try:
        problem, found = certify(problem, session)
        iis = str(found["iis"])
    except DataError as error:
        iis = str(error)
    session.close()
    environment.reset(make_instance(problem, {}), 0)
    status, repeats = "", 0
    for repeat in range(1, record.step + 1):
        now = str(environment.step(record.action).info["status"])
        status = status or now
        if now == "OPTIMAL":
            repeats = repeat
            break
    return Replayed(record, status, iis, len(missing), repeats)


def stated(name: str, model: Model, rows: Sequence[str], bounds: Sequence[str]) -> Debugging:
    """A problem of a model and a stated IIS."""
    low, up = model.effective_bounds
    sides = tuple(
        f"{x}.{part}"
        for x in bounds
        for part, side in (("lb", low), ("ub", up))
        if abs(side[model.cols[x]]) < float("inf")
    )
    kind = name.partition("type")[2][:1]
    problem = Debugging(
        0, "recorded", kind, name.partition("_")[0], "", {}, model.to_json(), (), (),
        tuple(rows), sides, 0.0, name,
    )  # fmt: skip
    return problem


def environment() -> AuthorsEnvironment:
    """Ours, under the authors' protocol."""
    return AuthorsEnvironment(OrDebugOptions(prompt="authors"))


@cache
def model_of(problem: str) -> Model:
    """One of the 4,462 models that they recorded on, by the problem's id."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{problem}.mps"
        file.write_bytes(_models()[file.name])
        return read_model(file)


@cache
def _models() -> Mapping[str, bytes]:
    return dict(models_of(locate(PREFIX + "holdout").files["models"]))


@cache
def _recorded(split: str) -> Path:
    return locate(PREFIX + "recorded").files[split]


def episodes() -> Iterator[str]:
    """What of their 200 evaluated episodes is found here, a line each."""
    rows = rows_of(_recorded("sft-200"))
    states = {record.problem: record for record in teaching("heuristic") if record.step == 1}
    same = ("problem_id", "steps", "total_reward", "diagnosed_constraints", "ground_truth_iis")
    other = rows_of(_recorded("grpo-200"))
    alike = sum(all(a[key] == b[key] for key in same) for a, b in zip(rows, other, strict=True))
    yield f"{alike} of 200 episodes of their GRPO model are those of their SFT model"
    stated_iis: Counter[str] = Counter()
    first: Counter[str] = Counter()
    play = environment()
    for row in rows:
        state = states.get(row["problem_id"])
        known = state is not None and list(state.rows) == row["ground_truth_iis"]
        stated_iis["as in the teaching record" if known else "no first state recorded"] += 1
        if row["steps"] != 1 or not known or state is None:
            continue
        # 99 and 10 a member is a drop, 5 more another repair, whose amount is not recorded.
        drop = (row["total_reward"] - 99) % 10 == 0 and len(row["diagnosed_constraints"]) == 1
        if not drop:
            first["not a drop: its amount is not recorded"] += 1
            continue
        model = model_of(row["problem_id"])
        problem = stated(row["problem_id"], model, state.rows, state.bounds)
        play.reset(make_instance(problem, {}), 0)
        step = play.step(f"Action: DROP_CONSTRAINT({row['diagnosed_constraints'][0]})")
        found = "OPTIMAL" if step.info["status"] == row["final_status"] else "not OPTIMAL"
        paid = "same reward" if step.reward == row["total_reward"] else "other reward"
        first[f"{found}, {paid}"] += 1
    yield f"their recorded IIS: {_counts(stated_iis)}"
    yield f"their episodes of one step: {_counts(first)}"
    hits = [sum(d in row["ground_truth_iis"] for d in row["diagnosed_constraints"]) for row in rows]
    sets = [len({*row["diagnosed_constraints"]} & {*row["ground_truth_iis"]}) for row in rows]
    size = sum(len(row["ground_truth_iis"]) for row in rows)
    yield (
        f"their DA: {sum(hits) / size:.4f} as evaluate_local_model.py counts, repeats too; "
        f"{sum(sets) / size:.4f} as metrics.py does, each row once; their summary says 0.8004"
    )
    within = sum(row["success_at_step"] <= 5 for row in rows) / len(rows)
    yield f"their RR@5: {within:.3f}; their summary says 0.830"


def table(found: Sequence[Replayed]) -> Iterator[str]:
    """Agreement of the teaching records by cause, and what was found of the stated IISs."""
    total = len(found)
    for cause, count in Counter(one.cause for one in found).most_common():
        yield f"{count:6,} {count / total:7.2%}  {cause}"
    agreed = sum(one.repeats > 0 for one in found)
    alone = sum(one.repeats == 1 for one in found)
    yield f"{agreed:6,} {agreed / total:7.2%}  give the stated outcome, {alone:,} at once"
    yield f"stated IIS: {_counts(Counter(one.iis for one in found))}"


def _counts(counter: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counter.items()))


def main(every: int = 1) -> None:
    """Print the tables; of each `every`th record alone."""
    play, everything = environment(), []
    for split in ("heuristic", "gpt-5.2-chat"):
        records = list(teaching(split))[::every]
        found = [replayed(record, model_of(record.problem), play) for record in records]
        everything += found
        print(f"{split}, {len(found):,} teaching records")
        print("\n".join(table(found)))
    print("both")
    print("\n".join((*table(everything), *episodes())))


if __name__ == "__main__":
    main()
