"""Judging a debugging episode by named rules, from what its turns recorded, and why one failed.

Also the figures of a run: recovery, diagnosis, optimality, steps, tokens, attempts, drift; and the
difficulty of error types: levels by what is recovered of each (C.11).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from ordojo.benchmarks.or_debug.actions import DIAGNOSTIC, REPAIR
from ordojo.benchmarks.or_debug.outcome import FULL
from ordojo.benchmarks.or_debug.rewritten import PROGRAM
from ordojo.benchmarks.or_debug.schema import DIFFICULTY, SILENT, TYPES, Debugging
from ordojo.core.canonical import Json
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Outcome, Verdict
from ordojo.core.records import SampleRecord, one_in, scored
from ordojo.core.statistics import NOTHING, Z95, Estimate, mean_interval

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
        # The optimum is the true one, and it is not known if the model is.
        undecided = measures.get("op", 0.0) > FULL and measures.get("drift_unknown", 0.0) > 0
        if instance.problem.is_silent and undecided:
            return Verdict(rule, "unscored", None, answer, UNKNOWN, measures)
        if passes(measures):
            return Verdict(rule, "correct", 1.0, answer, "", measures)
        outcome: Outcome = "partial" if measures["solved"] else "wrong"
        if answer is None:
            outcome = "unparsed"
        return Verdict(rule, outcome, 0.0, answer, pattern(measures, rule), measures)

    return judge


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


K = 20
"""RR@k is given for k = 1 to 20, as in figure 5."""

HEADLINES = {"full": "full", "recovered": "rr", "optimal": "feasible", "no-drift": "no_drift"}
"""What stands first under each rule; a rule "rr@k" stands for itself."""

LEVELS = ("easy", "medium", "hard")
KINDS = ("LP", "MIP")


class Played(NamedTuple):
    """One judged episode: its record, the measures of its verdict (see `judges`)."""

    record: SampleRecord
    measures: Mapping[str, float]

    def within(self, k: int) -> float:
        """1 for a full success within `k` counted steps."""
        return float(self.measures["full"] > 0 and self.measures["steps"] <= k)

    def feasible(self, k: int) -> float:
        """1 where OPTIMAL was met within `k` counted steps, whatever the objective."""
        return float(self.measures.get("first_optimal", math.inf) <= k)

    def within_replies(self, k: int) -> float:
        """1 where OPTIMAL was met within `k` replies of any kind."""
        return float(self.measures.get("optimal_reply", math.inf) <= k)

    @property
    def known(self) -> bool:
        """Whether it could be told if its model has drifted."""
        return not self.measures.get("drift_unknown")

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.record.usage.input_tokens + self.record.usage.output_tokens


def played(records: Sequence[SampleRecord], rule: str) -> list[Played]:
    """The records that `rule` scored."""
    return [Played(record, verdict.metrics) for record, verdict in scored(records, rule)]


def share(found: Sequence[Played], value: Callable[[Played], float | None]) -> Estimate:
    """Mean of a value in [0, 1] over the episodes that have it, clustered by instance."""
    pairs = [(x, p.record.cluster) for p in found if (x := value(p)) is not None]
    return mean_interval([x for x, _ in pairs], [cluster for _, cluster in pairs])


def ratio(found: Sequence[Played], above: str, below: str = "") -> Estimate:
    """Sum of one measure over the sum of another (or over the episodes that have the first).

    The 95% interval is the normal one of the linearised ratio, robust by instance; none for a
    single instance. A sum of 0 below the line gives nothing.
    """
    used = [p for p in found if above in p.measures]
    bottom = [p.measures[below] if below else 1.0 for p in used]
    return _ratio([p.measures[above] for p in used], bottom, [p.record.cluster for p in used])


def _ratio(top: Sequence[float], bottom: Sequence[float], clusters: Sequence[str]) -> Estimate:
    a, b = np.asarray(top, dtype=float), np.asarray(bottom, dtype=float)
    total = float(b.sum())
    if total <= 0:
        return NOTHING
    value = float(a.sum()) / total
    _, groups = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(groups, weights=a - value * b)
    count = len(sums)
    if count < 2:
        return Estimate(value, math.nan, math.nan, len(a), count)
    reach = Z95 * math.sqrt(float((sums**2).sum()) * count / (count - 1)) / total
    return Estimate(value, value - reach, value + reach, len(a), count)


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """All figures; only the first, the share that passes `rule`, depends on it.

    "steps" is the mean over episodes that ended OPTIMAL, "counted_steps" over all. "op" is over
    episodes that ended OPTIMAL, as are "drift", "cut_off", "relaxed" and "collateral", but for
    those of which drift is not known ("drift_unknown"); "da" and its kin are over all
    (equation 3). Tokens are those in and out together (table 33), and "tokens_per_success" divides
    all of them by the full successes within 5 steps.
    """
    found = played(records, rule)
    figures = _recovery(found) | _diagnosis(found) | _cost(found)
    silent = [kind for kind in SILENT if any(p.record.labels.get("type") == kind for p in found)]
    for label, values in (("type", (*TYPES, *silent)), ("difficulty", LEVELS), ("kind", KINDS)):
        for value in values:
            part = [p for p in found if p.record.labels.get(label) == value]
            figures |= {f"{name}/{value}": e for name, e in _brief(part).items()}
    for level in LEVELS:
        part = [p for p in found if p.record.labels.get("difficulty") == level]
        figures |= _curve("rr", part, Played.within, end=f"/{level}")
    figures |= _curve("authors-rr", found, Played.within_replies, (1, 5, 10, 20))
    figures |= attempts(found)
    headline = HEADLINES.get(rule, rule)
    figures.pop(headline, None)
    passes = [p.record.verdicts[rule].score or 0.0 for p in found]
    return {headline: mean_interval(passes, [p.record.cluster for p in found]), **figures}


def _curve(
    name: str,
    found: Sequence[Played],
    met: Callable[[Played, int], float],
    counts: Iterable[int] = range(1, K + 1),
    end: str = "",
) -> dict[str, Estimate]:
    return {f"{name}@{k}{end}": share(found, lambda p, k=k: met(p, k)) for k in counts}  # type: ignore[misc]


def _recovery(found: Sequence[Played]) -> dict[str, Estimate]:
    solved = [p for p in found if p.measures["solved"]]
    clear = [p for p in solved if p.known]
    figures = {
        "rr": share(found, lambda p: p.measures["full"] + p.measures["partial"]),
        "full": share(found, lambda p: p.measures["full"]),
        "feasible": share(found, lambda p: p.measures["optimal"]),
        "no_drift": share(
            found, lambda p: float(p.known and p.measures["full"] > p.measures["drift"])
        ),
        "op": share(solved, lambda p: p.measures.get("op")),
    }
    figures |= _curve("rr", found, Played.within) | _curve("feasible", found, Played.feasible)
    for name in ("drift", "cut_off", "relaxed"):
        figures[name] = share(clear, lambda p, name=name: p.measures[name])  # type: ignore[misc]
    figures["drift_unknown"] = share(solved, lambda p: float(not p.known))
    figures["collateral"] = share(clear, lambda p: float(p.measures["collateral"] > 0))
    return figures


def _diagnosis(found: Sequence[Played]) -> dict[str, Estimate]:
    names = ("da", "da_beyond", "da_precision", "da_verified", "named", "touched")
    figures = {
        name: share(found, lambda p, name=name: p.measures.get(name))  # type: ignore[misc]
        for name in names
        if name != "da_beyond" or any(name in p.measures for p in found)  # runs of version 2
    }
    figures["authors_da"] = ratio(found, "iis_rows_acted", "iis_rows")
    if kept := [p for p in found if p.measures["optimal"] and "rows_kept" in p.measures]:
        figures["authors_fp"] = share(kept, lambda p: p.measures["rows_kept"])
    return figures


def _cost(found: Sequence[Played]) -> dict[str, Estimate]:
    figures = {
        "steps": ratio(found, "steps"),
        "counted_steps": ratio(found, "counted"),
        "turns": ratio(found, "turns"),
        "diagnostics": ratio(found, "diagnostics"),
        "invalid_rate": ratio(found, "invalid", "turns"),
    }
    if any(p.tokens for p in found):
        clusters = [p.record.cluster for p in found]
        every = [float(p.tokens) for p in found]
        out = [float(p.record.usage.output_tokens) for p in found]
        ones = [1.0] * len(found)
        figures["tokens"] = _ratio(every, ones, clusters)
        wins = [1000.0 * (p.measures["optimal"] > 0) for p in found]
        figures["authors_te"] = _ratio(wins, every, clusters)
        figures["output_tokens"] = _ratio(out, ones, clusters)
        figures["tokens_per_success"] = _ratio(every, [p.within(5) for p in found], clusters)
    return figures


def _brief(found: Sequence[Played]) -> dict[str, Estimate]:
    solved = [p for p in found if p.measures["solved"]]
    return {
        "rr@5": share(found, lambda p: p.within(5)),
        "rr": share(found, lambda p: p.measures["full"] + p.measures["partial"]),
        "da": share(found, lambda p: p.measures.get("da")),
        "op": share(solved, lambda p: p.measures.get("op")),
        "steps": ratio(found, "steps"),
        "drift": share([p for p in solved if p.known], lambda p: p.measures["drift"]),
    }


def attempts(found: Sequence[Played]) -> dict[str, Estimate]:
    """The multi-attempt protocol (algorithm 2) over the epochs of each instance.

    "attempts@k" is the chance that one of k attempts is a full success, taken over all choices of
    k among those made, for every k that each instance has attempts for; with all of them it is
    algorithm 2's success. "first_success_step" is the least step of an instance's full successes.
    Empty with one epoch.
    """
    groups: dict[tuple[str, str], list[Mapping[str, float]]] = {}
    for record, measures in found:
        groups.setdefault((record.id, record.content_hash), []).append(measures)
    most = min(map(len, groups.values()), default=0)
    if most < 2:
        return {}
    won = [[m["steps"] for m in tries if m["full"]] for tries in groups.values()]
    counts = [(len(tries), len(full)) for tries, full in zip(groups.values(), won, strict=True)]
    figures = {
        f"attempts@{k}": mean_interval([one_in(k, *nc) for nc in counts])
        for k in range(1, most + 1)
    }
    best = [min(steps) for steps in won if steps]
    figures["first_success_step"] = _ratio(best, [1.0] * len(best), [*map(str, range(len(best)))])
    return figures


RANGES: Mapping[str, tuple[float, float]] = {
    "easy": (0.85, 1.0),
    "medium": (0.70, 0.85),
    "hard": (0.45, 0.70),
    "reject": (0.0, 0.45),
}
"""Target RR@5 of each level (table 24); below 45% a type is rejected as too difficult."""

ROUNDS = 10
"""More rounds than the two or three that the paper needed; moves by a type's own rate settle."""


def level(rate: float) -> str:
    """The level whose range holds an RR@5; the lower end belongs to it."""
    return next(name for name, (low, _) in RANGES.items() if rate >= low)


@dataclass(frozen=True)
class Calibration:
    """Levels of the error types, the mean RR@5 of each level, and the rounds until stable."""

    levels: Mapping[str, str]
    means: Mapping[str, float]
    rounds: int


def calibrate(rates: Mapping[str, float]) -> Calibration:
    """Group the types of `rates` (RR@5 by type) from `DIFFICULTY`, round after round until stable.

    A level whose mean lies in its range is left as it is; of one outside, every type whose own
    rate belongs elsewhere moves there (C.11, steps 3 to 5).
    """
    levels = {name: DIFFICULTY[name] for name in rates}
    rounds = 0
    while True:
        rounds += 1
        means = {
            name: fmean(rates[kind] for kind in rates if levels[kind] == name)
            for name in RANGES
            if name in levels.values()
        }
        moved = {
            name: level(rate) if level(means[levels[name]]) != levels[name] else levels[name]
            for name, rate in rates.items()
        }
        if moved == levels or rounds == ROUNDS:
            return Calibration(levels, means, rounds)
        levels = moved
