"""Why an episode failed: the patterns of the paper's table 35, as a decision list, and ours."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ordojo.core.records import SampleRecord

COMPLEX = 8
"""Members from which an IIS is large (paper 004, I.3)."""

Measures = Mapping[str, float]

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

PUBLISHED: Mapping[str, int] = {
    "wrong constraint identified": 22,
    "insufficient relaxation": 18,
    "cascading failure": 42,
    "timeout on complex IIS": 11,
    "objective degradation": 7,
}
"""Table 35: of 100 failures of Qwen3-8B-GRPO."""

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
