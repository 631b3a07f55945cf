"""The last word on an episode: objective, outcome class, drift, and diagnostic accuracy."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ordojo.benchmarks.or_debug import outcome, truth
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.benchmarks.or_debug.workbench import Workbench
from ordojo.core.canonical import Json
from ordojo.core.instance import Instance
from ordojo.solvers.answers import Status
from ordojo.solvers.equivalence import EquivalenceVerdict


@dataclass(frozen=True, slots=True)
class Ending:
    """Where an episode stands.

    `diagnosed`: all that was named, or, if nothing was, repaired. `shown`: what stood in any IIS.
    """

    instance: Instance[Debugging]
    bench: Workbench
    diagnosed: tuple[str, ...]
    shown: Collection[str] = ()

    @property
    def op(self) -> float | None:
        """Optimality preservation of the model as it stands, None unless it was solved OPTIMAL.

        Where a menu of repairs is the truth, the one is meant that it is nearest to.
        """
        found = self.bench.optimum
        if found is None:
            return None
        problem, said = self.instance.problem, self.instance.certificate.data.get("found")
        menu = said.get("menu", ()) if isinstance(said, Mapping) and not problem.original else ()
        right = [problem.objective, *(float(one["objective"]) for one in menu)]
        return max(outcome.preservation(found, objective) for objective in right)

    def info(
        self,
        recorded: tuple[str, ...],
        options: OrDebugOptions,
        drift: Mapping[str, Json] | None = None,
    ) -> Mapping[str, Json]:
        """The entries "final" and "da" of the last turn's info.

        "final": "status", "objective", "op", "outcome" (full, partial, failure), "drift", which
        is found here unless it is given, "rows_kept", the share of the rows that are left, and of
        an OPTIMAL one without an original "lost", what right repairs keep and it has not.
        "da": recall "recorded" of `recorded`, "precision", recall "verified" of the best IIS that
        was checked, "beyond" what a copy of `recorded` is worth, "named", whether a sabotaged
        element is in the diagnosis, and "credit", what the default reward pays it (`credit`).
        """
        problem, status = self.instance.problem, self.bench.status
        result = outcome.outcome(status, self.op)
        if options.simulate:
            # Without a solver no objective is known: the status alone decides.
            result = "full" if status == Status.OPTIMAL else "failure"
        drift = self._drift(options) if drift is None else dict(drift)
        if problem.is_silent and (drift["drifted"] or drift["unknown"]):
            result = "failure"  # the right number by another change is no repair
        lost: dict[str, Json] = {}
        if status == Status.OPTIMAL and not problem.original and not options.simulate:
            kept = truth.lost(self.instance, self.bench.model, options.time_limit)
            lost = {"lost": list(kept)}
        return {
            "final": {
                "status": status.value,
                "objective": self.bench.optimum,
                "op": self.op,
                "outcome": result,
                "drift": drift,
                "rows_kept": self._rows_kept(),
                **lost,
            },
            "da": {
                "recorded": outcome.recall(self.diagnosed, recorded),
                "precision": outcome.precision(self.diagnosed, problem.faults),
                "verified": self._verified(recorded, options),
                "beyond": outcome.beyond_copying(self.diagnosed, recorded, problem.targets),
                "named": any(name in self.diagnosed for name in problem.targets),
                "credit": self._credit(recorded),
            },
        }

    def _credit(self, recorded: tuple[str, ...]) -> float:
        """What stood in another IIS that was shown, or in what is not asked for, counts nothing."""
        problem = self.instance.problem
        neither = {*self.shown, *problem.iis_rows, *problem.iis_bounds}.difference(recorded)
        named = [name for name in self.diagnosed if name not in neither]
        every = problem.rows if recorded == problem.iis_rows else problem.rows | problem.bounds
        return outcome.credit(named, recorded, every.difference(recorded, neither))

    def _rows_kept(self) -> float:
        first, now = self.instance.problem.model, self.bench.model
        live = [name for i, name in enumerate(first.row_names) if first.is_live(i)]
        kept = sum(name in now.rows and now.is_live(now.rows[name]) for name in live)
        return kept / len(live) if live else 1.0

    def _drift(self, options: OrDebugOptions) -> dict[str, Json]:
        """Whether the final model allows other points than the original.

        "cut_off": the original optimum is no longer allowed. "relaxed": the final optimum is not
        allowed in the original. Where neither is so, each row and bound of one must follow from the
        other's ("drifted" is false), or a point is found that one of them alone allows (true); else
        it is "unknown", as where there is no original. "collateral": elements changed that were
        not sabotaged. Only a model that was made feasible can have drifted.
        """
        problem, model = self.instance.problem, self.bench.model
        if not problem.original:
            return {"drifted": False, "unknown": True, "changed": [], "collateral": []}
        original, x = problem.original_model, self.bench.solution.x
        changed = outcome.differences(model, original)
        collateral = [name for name in changed if name not in problem.targets]
        optimal = self.bench.status == Status.OPTIMAL
        cut_off = relaxed = unknown = False
        drifted = options.simulate and optimal and bool(collateral)
        if changed and optimal and x is not None and not options.simulate:
            relaxed = not outcome.holds_at(original, outcome.moved(x, model, original))
            best = self.bench.original_optimum()
            cut_off = not outcome.holds_at(model, outcome.moved(best, original, model))
            drifted = cut_off or relaxed
            if not drifted:
                found = truth.compared(problem, model, options.time_limit)
                drifted = found == EquivalenceVerdict.DIFFERENT
                unknown = found == EquivalenceVerdict.UNKNOWN
        return {
            "drifted": drifted,
            "cut_off": cut_off,
            "relaxed": relaxed,
            "unknown": unknown,
            "changed": list(changed),
            "collateral": list(collateral),
        }

    def _verified(self, recorded: tuple[str, ...], options: OrDebugOptions) -> float:
        best = outcome.recall(self.diagnosed, recorded)
        if best == 1.0 or not self.diagnosed or options.simulate:
            return best
        bounds = options.iis == "rows+bounds" or not self.instance.problem.iis_rows
        model, session = self.instance.problem.model, self.bench.aside()
        found = outcome.verified_recall(self.diagnosed, model, session, bounds, options.time_limit)
        return max(best, found)
