"""The settings of `ordojo build or-debug`, and which of its builders they mean."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from ordojo.benchmarks.or_debug.schema import HARD, LARGE, QUIET
from ordojo.core.building import BuildTools, Overwriting, PlaceField, place, setting
from ordojo.core.errors import UsageError
from ordojo.core.ranges import COUNT


class RepairSettings(Overwriting):
    """Build infeasible models to repair: N in one file, or the train, rl and eval sets.

    Prints how far policies get that never read, and refuses a set that yields to them; and how many
    candidates of each type passed the validation, beside the paper's figures. With --from, each
    model of a folder becomes an instance; what is none is named with its reason.
    """

    example: ClassVar[str] = "ordojo build or-debug --n 200 --seed 1 -o models.jsonl"
    doing: ClassVar[str] = "building problems of or-debug"
    out_is: ClassVar[str] = "FILE.jsonl or a folder."

    n: int | None = COUNT.field(None, "N models of all types, in one file.")
    on: PlaceField = place("processes", "--processes")
    folders: tuple[Path, ...] = setting(
        (),
        "A folder of infeasible models (.mps, .lp, .py), in place of generated ones.",
        "--from",
    )
    two_rows: bool = setting(False, "Type E breaks two rows, not one.", "--two-row-e")
    as_printed: bool = setting(
        False,
        "Types A and C by algorithms 7 and 8 of the paper; they can be repaired unread.",
        "--as-printed",
    )
    hard: bool = setting(False, "N larger models with several errors at once.")
    silent: bool = setting(False, "N models that solve, with one error and its optimum.")
    large: bool = setting(False, "N models of 5,000 to 100,000 rows, infeasible or wrong.")
    retell: str | None = setting(
        None, "A language model that tells each problem in its own words.", metavar="MODEL"
    )
    broken: bool = setting(False, "Break the feasible models of --from, too.", "--break")


def build_with(out: Path, settings: RepairSettings, tools: BuildTools) -> Iterator[str]:
    """See `build.build`, or of models that are there `from_files.build_from`.

    Raises UsageError for settings that do not go together, and what those raise.
    """
    # With the templates, which are heavier than the rest of the benchmark.
    from ordojo.benchmarks.or_debug.build import build as generated
    from ordojo.benchmarks.or_debug.from_files import build_from

    if settings.broken and not settings.folders:
        raise UsageError("`broken` belongs to `folders`; name a folder of models")
    asked = {HARD: settings.hard, QUIET: settings.silent, LARGE: settings.large}
    chosen = [name for name, is_asked in asked.items() if is_asked]
    if len(chosen) > 1:
        raise UsageError(f"`{chosen[0]}` and `{chosen[1]}` are two sets: choose one")
    if settings.folders and (settings.n or chosen):
        name = chosen[0] if chosen else "n"
        raise UsageError(f"`{name}` is for generated models; leave `folders` out")
    if settings.retell and (settings.folders or settings.silent or settings.large):
        raise UsageError("`retell` is for small infeasible models that are generated; leave it out")
    if settings.folders:
        return build_from(out, settings.folders, settings.seed, settings.broken, settings.on)
    if settings.as_printed and chosen:
        raise UsageError(f"`as_printed` is for types A and C; leave it, or `{chosen[0]}`, out")
    return generated(
        out,
        settings.n,
        settings.seed,
        place=settings.on,
        two_rows=settings.two_rows,
        special=chosen[0] if chosen else "",
        as_printed=settings.as_printed,
        anew=tools.model(settings.retell) if settings.retell else None,
    )
