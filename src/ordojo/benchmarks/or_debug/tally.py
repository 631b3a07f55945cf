"""What a build says of itself: pass rates, regenerations and sizes beside the paper's."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ordojo.benchmarks.or_debug import published_rates as paper
from ordojo.benchmarks.or_debug.saboteur.generate import Made
from ordojo.benchmarks.or_debug.saboteur.validation import PHASES
from ordojo.benchmarks.or_debug.schema import TYPES


class Tally:
    """Counts of a build; `add` each problem, then ask for the lines."""

    def __init__(self) -> None:
        self.attempts: dict[str, Counter[int]] = {kind: Counter() for kind in TYPES}
        self._regenerations: Counter[str] = Counter()
        self._rows: list[int] = []
        self._columns: list[int] = []
        self._iis: list[int] = []

    def add(self, made: Made) -> None:
        """Count one problem with its failed attempts."""
        problem, model = made.problem, made.problem.model
        self.attempts[problem.type].update(made.passed)
        failed = problem.regenerations
        self._regenerations[str(failed) if failed < 3 else "3 or more"] += 1
        self._rows.append(sum(model.is_live(i) for i in range(model.m)))
        self._columns.append(model.n)
        self._iis.append(len(problem.iis_rows) + len(problem.iis_bounds))

    def lines(self, basic: Mapping[str, float]) -> Iterator[str]:
        """The report; `basic` are the success shares of the basic injectors. In brackets: paper."""
        yield "accepted by type, robust and basic, and pass rates by phase [tables 21 and 22]:"
        for kind, title in TYPES.items():
            passed = self.attempts[kind]
            if not passed:
                continue
            phases = " ".join(
                f"{_cent(share)} [{said}%]"
                for share, said in zip(phase_rates(passed), paper.PHASES[kind], strict=False)
            )
            yield (
                f"  {kind} {title}: robust {_cent(accepted(passed))} [{paper.ROBUST[kind]}%], "
                f"basic {_cent(basic[kind])} [{paper.BASIC[kind]}%]; phases {phases}"
            )
        everything = sum(self.attempts.values(), Counter())
        said = paper.PHASES["all"][-1]
        yield f"  all: robust {_cent(accepted(everything))} [{said}% of table 22]"
        count = len(self._rows)
        yield "regenerations (table 23): " + ", ".join(
            f"{times}: {_cent(self._regenerations[times] / count)} [{share}%]"
            for times, share in paper.REGENERATIONS.items()
        )
        shares = {
            group: sum(self.attempts[kind][PHASES] for kind in group) / count
            for group in paper.GROUPS
        }
        yield "mix (table 20): " + ", ".join(
            f"{group[0]}-{group[-1]} {_cent(shares[group])} [{said}%]"
            for group, said in paper.GROUPS.items()
        )
        low, high = paper.IIS_RANGE
        yield (
            f"mean size (tables 3 and 20): {_mean(self._rows):.1f} rows [{paper.MEAN_ROWS}], "
            f"{_mean(self._columns):.1f} columns [{paper.MEAN_COLUMNS}], "
            f"IIS {_mean(self._iis):.1f} [{paper.MEAN_IIS}], from {min(self._iis)} to "
            f"{max(self._iis)} [{low} to {high}]"
        )


def accepted(passed: Mapping[int, int]) -> float:
    """The share of attempts that passed all phases, NaN without any."""
    total = sum(passed.values())
    return passed.get(PHASES, 0) / total if total else float("nan")


def phase_rates(passed: Mapping[int, int]) -> list[float]:
    """For each phase the share that passed it among those that came to it, NaN if none came."""
    rates = []
    for phase in range(1, PHASES + 1):
        came = sum(count for done, count in passed.items() if done >= phase - 1)
        through = sum(count for done, count in passed.items() if done >= phase)
        rates.append(through / came if came else float("nan"))
    return rates


def _cent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)
