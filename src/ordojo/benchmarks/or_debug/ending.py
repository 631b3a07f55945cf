"""The last word on an episode: objective, outcome class, drift, and diagnostic accuracy."""

from collections.abc import Mapping
from dataclasses import dataclass

from ordojo.benchmarks.or_debug import outcome
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.benchmarks.or_debug.workbench import Workbench
from ordojo.core.canonical import Json
from ordojo.core.instance import Instance
from ordojo.solvers.answers import Status


@dataclass(frozen=True, slots=True)
class Ending:
    """Where an episode stands. `diagnosed`: all that was named, or, if nothing was, repaired."""

    instance: Instance[Debugging]
    bench: Workbench
    diagnosed: tuple[str, ...]

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
        is found here unless it is given, and "rows_kept", the share of the rows that are left.
        "da": recall "recorded" of `recorded`, "precision", recall "verified" of the best IIS that
        was checked, "beyond" what a copy of `recorded` is worth, and "named", whether a sabotaged
        element is in the diagnosis.
        """
        problem, status = self.instance.problem, self.bench.status
        result = outcome.outcome(status, self.op)
        if options.simulate:
            # Without a solver no objective is known: the status alone decides.
            result = "full" if status == Status.OPTIMAL else "failure"
        everything = (*problem.iis_rows, *problem.iis_bounds)
        return {
            "final": {
                "status": status.value,
                "objective": self.bench.optimum,
                "op": self.op,
                "outcome": result,
                "drift": self._drift(options) if drift is None else dict(drift),
                "rows_kept": self._rows_kept(),
            },
            "da": {
                "recorded": outcome.recall(self.diagnosed, recorded),
                "precision": outcome.precision(self.diagnosed, everything),
                "verified": self._verified(recorded, options),
                "beyond": outcome.beyond_copying(self.diagnosed, recorded, problem.targets),
                "named": any(name in self.diagnosed for name in problem.targets),
            },
        }

    def _rows_kept(self) -> float:
        first, now = self.instance.problem.model, self.bench.model
        live = [name for i, name in enumerate(first.row_names) if first.is_live(i)]
        kept = sum(name in now.rows and now.is_live(now.rows[name]) for name in live)
        return kept / len(live) if live else 1.0

    def _drift(self, options: OrDebugOptions) -> dict[str, Json]:
        """What the final model says that the original does not.

        "cut_off": the original optimum is no longer allowed. "relaxed": the final optimum is not
        allowed in the original. "collateral": elements changed that were not sabotaged. Only a
        model that was made feasible can have drifted; "unknown" where there is no original.
        """
        problem, model = self.instance.problem, self.bench.model
        if not problem.original:
            return {"drifted": False, "unknown": True, "changed": [], "collateral": []}
        original, x = problem.original_model, self.bench.solution.x
        changed = outcome.differences(model, original)
        collateral = [name for name in changed if name not in problem.targets]
        optimal = self.bench.status == Status.OPTIMAL
        cut_off = relaxed = False
        if changed and optimal and x is not None and not options.simulate:
            relaxed = not outcome.holds_at(original, outcome.moved(x, model, original))
            best = self.bench.original_optimum()
            cut_off = not outcome.holds_at(model, outcome.moved(best, original, model))
        return {
            "drifted": optimal and (cut_off or relaxed or bool(collateral)),
            "cut_off": cut_off,
            "relaxed": relaxed,
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
