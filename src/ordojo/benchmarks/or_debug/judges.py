"""Judging a debugging episode by named rules, from what its turns recorded; and why one failed."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf, isfinite
from typing import Any

from ordojo.benchmarks.or_debug.actions import DIAGNOSTIC, REPAIR
from ordojo.benchmarks.or_debug.outcome import FULL
from ordojo.benchmarks.or_debug.rewritten import PROGRAM
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.canonical import Json
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Outcome, Verdict
from ordojo.core.records import SampleRecord

Measures = Mapping[str, float]


def _within(steps: int) -> Callable[[Measures], bool]:
    return lambda m: m["full"] > 0 and m["steps"] <= steps


def _optimal_within(replies: int) -> Callable[[Measures], bool]:
    return lambda m: m.get("optimal_reply", inf) <= replies


RULES: Mapping[str, Callable[[Measures], bool]] = {
    "rr@5": _within(5),
    "rr@1": _within(1),
    "rr@10": _within(10),
    "full": lambda m: m["full"] > 0,
    "recovered": lambda m: m["full"] + m["partial"] > 0,
    "optimal": lambda m: m["optimal"] > 0,
    **{f"authors-rr@{k}": _optimal_within(k) for k in (1, 5, 10, 20)},
    "no-drift": lambda m: m["full"] > m["drift"] + m.get("drift_unknown", 0.0),
}
"""Rules by name (paper 004, 2.1 and B.4); the first is the default.

"rr@k": full success, OPTIMAL with OP > 0.95, within k counted steps. "recovered" is the paper's
RR: partial successes, OP > 0.8, count too. "optimal": the status was OPTIMAL once, whatever the
objective; "authors-rr@k", the RR@k of the authors' code: within k replies of any kind.
"no-drift": a full success whose model is known to allow the same points as the original.
"""

_latest: tuple[Instance[Debugging], Episode, dict[str, float], Json] | None = None


def judge_with(rule: str) -> Judge:
    """The judge that decides a finished episode by `rule`; a failure's reason is its pattern."""
    if rule not in RULES:
        raise BenchmarkError(f"there is no rule '{rule}'; choose from {', '.join(RULES)}")
    passes = RULES[rule]

    def judge(instance: Instance[Debugging], episode: Episode) -> Verdict:
        measures, answer = _read(instance, episode)
        if instance.problem.is_silent and _undecided(measures):
            return Verdict(rule, "unscored", None, answer, UNKNOWN, measures)
        if passes(measures):
            return Verdict(rule, "correct", 1.0, answer, "", measures)
        outcome: Outcome = "partial" if measures["solved"] else "wrong"
        if answer is None:
            outcome = "unparsed"
        return Verdict(rule, outcome, 0.0, answer, pattern(measures, rule), measures)

    return judge


def _undecided(measures: Measures) -> bool:
    """Whether the optimum is the true one, and it is not known if the model is."""
    return measures.get("op", 0.0) > FULL and measures.get("drift_unknown", 0.0) > 0


def _read(instance: Instance[Debugging], episode: Episode) -> tuple[dict[str, float], Json]:
    # An episode is judged by each rule in turn, and once more for the reward.
    global _latest
    if _latest is None or _latest[0] is not instance or _latest[1] is not episode:
        _latest = (instance, episode, *_judge(instance, episode))
    return _latest[2], _latest[3]


def _judge(instance: Instance[Debugging], episode: Episode) -> tuple[dict[str, float], Json]:
    """The measures of a finished episode, the same under every rule, and its answer.

    "solved": the last status is OPTIMAL; "optimal": one of the statuses was. "steps": the counted
    step that led to the last model, left out where that is not OPTIMAL; "first_optimal": the
    counted step of the first OPTIMAL, "optimal_reply" its reply, left out where there is none;
    "counted" and "turns": all there were. "unread": turns without an action, which
    are invalid too. "touched": the share of sabotaged elements that valid repairs acted on.
    "short": repairs whose element stayed in the IIS. "new_conflicts": repairs after which the IIS
    had an element that it had not before.
    "iis_rows_acted": how many of the recorded IIS's "iis_rows" valid repairs acted on; "rows_kept"
    is the share of rows that are left. "iis_size" is the recorded IIS's, "largest_iis" the greatest
    met. "op" is left out where there is none.

    A turn with a whole program that solved a model is one repair, which acts on all elements that
    it changes; "failed" counts programs that solved none, which are invalid too, and is left out
    where replies are actions. "drift_unknown": it could not be told whether an OPTIMAL end is
    another problem; runs of actions up to version 3 lack it. Raises BenchmarkError for an
    unfinished episode.
    """
    infos: list[Mapping[str, Any]] = [turn.info for turn in episode.turns]
    if not infos or "final" not in infos[-1]:
        raise BenchmarkError(
            f"{instance.id}: an episode was judged before its end; play it until the environment "
            "gives no observation"
        )
    last = infos[-1]
    final, da = last["final"], last.get("da", {})
    outcome, drift = final["outcome"], final.get("drift", {})
    measures = {
        "turns": float(len(infos)),
        "counted": float(last["step"]),
        "solved": float(final["status"] == "OPTIMAL"),
        "full": float(outcome == "full"),
        "partial": float(outcome == "partial"),
        "named": float(da.get("named", False)),
        "drift": float(drift.get("drifted", False)),
        "cut_off": float(drift.get("cut_off", False)),
        "relaxed": float(drift.get("relaxed", False)),
        "collateral": float(len(drift.get("collateral", ()))),
        "submitted": float(last.get("end") == "submit"),
    }
    for name, value in (
        ("op", final.get("op")),
        ("da", da.get("recorded")),
        ("da_precision", da.get("precision")),
        ("da_beyond", da.get("beyond")),
        ("da_verified", da.get("verified")),
        ("rows_kept", final.get("rows_kept")),
    ):
        if value is not None and isfinite(value):
            measures[name] = float(value)
    if "unknown" in drift:
        measures["drift_unknown"] = float(drift["unknown"])
    measures |= _history(instance.problem, infos, solved=measures["solved"] > 0)
    return measures, list(_repairs(infos)) if measures["unread"] < measures["turns"] else None


def _history(
    problem: Debugging, infos: Sequence[Mapping[str, Any]], *, solved: bool
) -> dict[str, float]:
    """The figures that need every turn."""
    iis: set[str] = {*problem.iis_rows, *problem.iis_bounds}
    touched: set[str] = set()
    diagnostics = invalid = failed = repairs = short = fresh = 0
    largest = len(iis)
    first = step = reply = -1
    for place, info in enumerate(infos, 1):
        action, after = info["action"], {*info["iis"], *info["iis_bounds"]}
        if info["status"] == "OPTIMAL" and first < 0:
            first, reply = info["step"], place
        if not info["valid"]:
            invalid += 1
            failed += action == PROGRAM
        elif action in DIAGNOSTIC:
            diagnostics += 1
        elif action in REPAIR or action == PROGRAM:
            acted = {info["target"]} if action in REPAIR else {*info["changed"]}
            repairs += 1
            step = info["step"]
            touched |= acted
            short += not acted.isdisjoint(after)
            fresh += not after <= iis
        elif action == "RESTART":
            step = info["step"]
        iis = after or iis
        largest = max(largest, len(after))
    measures = {
        "optimal": float(first >= 0),
        "iis_size": float(len(problem.iis_rows) + len(problem.iis_bounds)),
        "largest_iis": float(largest),
        "diagnostics": float(diagnostics),
        "invalid": float(invalid),
        "unread": float(sum(not info["action"] for info in infos)),
        "repairs": float(repairs),
        "touched": len(touched.intersection(problem.targets)) / max(1, len(problem.targets)),
        "short": float(short),
        "new_conflicts": float(fresh),
        "iis_rows": float(len(problem.iis_rows)),
        "iis_rows_acted": float(len(touched.intersection(problem.iis_rows))),
    }
    if any(info["action"] == PROGRAM for info in infos):
        measures["failed"] = float(failed)
    if first >= 0:
        measures |= {"first_optimal": float(first), "optimal_reply": float(reply)}
    if solved:
        measures["steps"] = float(step if step >= 0 else first)
    return measures


def _repairs(infos: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for info in infos:
        if info["valid"] and info["action"] in REPAIR:
            yield f"{info['action']}({info['target']})"
        elif info["valid"] and info["action"] == PROGRAM:
            yield f"{PROGRAM}({', '.join(info['changed'])})"


COMPLEX = 8
"""Members from which an IIS is large (paper 004, I.3)."""


PATTERNS: Mapping[str, Callable[[Measures], bool]] = {
    "no action read": lambda m: m["unread"] == m["turns"],
    "program fails": lambda m: m["repairs"] == 0 and m.get("failed", 0) > 0,
    "invalid actions": lambda m: m["repairs"] == 0 and m["invalid"] > 0,
    "nothing done": lambda m: m["repairs"] == 0,
    "wrong constraint identified": lambda m: m["touched"] == 0,
    "objective degradation": lambda m: m["solved"] > 0 and not m["full"],
    "gave up": lambda m: m["submitted"] > 0 and not m["solved"],
    "timeout on complex IIS": lambda m: not m["solved"] and m["largest_iis"] >= COMPLEX,
    "insufficient relaxation": lambda m: m["short"] > m["new_conflicts"],
    "cascading failure": lambda m: m["new_conflicts"] > 0,
    "too many steps": lambda m: True,
}
"""Patterns in the order in which they are tried; the first that fits is the failure's.

The paper gives names and an example each (E.5); these tests are ours. No valid repair at all:
"no action read" in any reply, "program fails" (whole programs alone: none solved a model),
"invalid actions", or "nothing done". No repair acted on a sabotaged
element: "wrong constraint identified". One did, and the end is OPTIMAL without full success:
"objective degradation" (the paper's OP < 0.8; here OP <= 0.95, B.4's bound of full success).
SUBMIT while infeasible: "gave up". Never solved, and an IIS of `COMPLEX` members or more on the
way: "timeout on complex IIS". Repairs that left their element in the IIS, more of them than brought
new members: "insufficient relaxation". A repair after which the IIS had new members: "cascading
failure". What is left took too many steps, as full success that comes late also may.
"""

DRIFT, UNKNOWN = "semantic drift", "drift not known"
"""The patterns of a full success that fails under "no-drift"."""


def pattern(measures: Measures, rule: str) -> str:
    """The pattern of an episode that failed under `rule`, from the measures of its verdict."""
    if rule == "no-drift" and measures["full"]:
        return UNKNOWN if measures.get("drift_unknown") else DRIFT
    return next(name for name, fits in PATTERNS.items() if fits(measures))


def patterns(records: Sequence[SampleRecord], rule: str) -> Mapping[str, int]:
    """How many of the episodes that failed under `rule` show each pattern; all are named."""
    failed = (record.verdict(rule) for record in records)
    found = Counter(pattern(v.metrics, rule) for v in failed if v is not None and v.score == 0)
    return {name: found[name] for name in (*PATTERNS, DRIFT, UNKNOWN)}
