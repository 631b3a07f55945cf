"""`ordojo build`: new instances of a benchmark, each verified."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import LanguageModel, Number, on_option, parse_settings
from ordojo.core.ranges import COUNT, COUNT_OR_NONE, SECONDS, SEED, SHARE, NumberRange
from ordojo.core.spread import Place

overwrite = click.option("--force", is_flag=True, help="Write over what OUT holds.")


@click.command(
    "nl2opt",
    epilog="Example: ordojo build nl2opt --n 100 --seed 1 -o problems",
    cls=Spoken,
    doing="building problems of nl2opt",
)
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="A folder.")
@click.option(
    "--template", "name", default="all", show_default=True, help="A template's name, or all."
)
@click.option("--n", "count", type=Number(COUNT), help="Instances; one a template by default.")
@click.option(
    "--size",
    type=click.Choice(["small", "medium", "large"]),
    default="small",
    show_default=True,
    help="The knobs' values where none are given.",
)
@click.option("-T", "settings", multiple=True, metavar="KNOB=VALUE", help="A template's knob.")
@click.option(
    "--seed", type=Number(NumberRange(0, SEED.high, whole=True)), default=0, show_default=True
)
@click.option(
    "--seconds",
    type=Number(SECONDS),
    default=60.0,
    show_default=True,
    help="Time to solve a draw; after it another one is drawn.",
)
@click.option("--no-program", is_flag=True, help="Do not run each solve.py as a second proof.")
@on_option("local")
def nl2opt(
    out: Path,
    name: str,
    count: int | None,
    size: str,
    settings: Sequence[str],
    seed: int,
    seconds: float,
    no_program: bool,
    place: Place,
) -> None:
    """Build fresh problems: text, data, model.md, solve.py, generator.py and the proved optimum.

    Every instance is a folder of OUT, and index.jsonl lists them. `ordojo verify OUT` proves them
    again; `-T dataset=folder:OUT` evaluates on them.
    """
    from ordojo.api import benchmarks

    benchmarks.build(
        "nl2opt",
        out,
        n=count,
        seed=seed,
        progress=click.echo,
        template=name,
        size=size,
        knobs=parse_settings(settings, "-T"),
        seconds=seconds,
        program=not no_program,
        on=place,
    )


@click.command(
    "orqa",
    epilog="Example: ordojo build orqa --n 200 --seed 1 -o questions.jsonl",
    cls=Spoken,
    doing="building {size} questions of orqa",
)
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="A file FILE.jsonl."
)
@click.option("--n", "size", type=Number(COUNT), default=1000, show_default=True)
@click.option(
    "--seed", type=Number(NumberRange(0, SEED.high, whole=True)), default=0, show_default=True
)
@click.option(
    "--split",
    type=click.Choice(["test", "validation"]),
    default="test",
    show_default=True,
    help="Splits of one seed share nothing; validation is for few-shot examples.",
)
@click.option(
    "--review",
    "queue",
    metavar="QUEUE",
    type=click.Path(path_type=Path),
    help="Write only what two readers accept; make their queue if it is not there.",
)
@on_option("local")
@overwrite
@click.option("--json", "as_json", is_flag=True, help="Print what guessers reach as JSON.")
def orqa(
    out: Path,
    size: int,
    seed: int,
    split: str,
    queue: Path | None,
    place: Place,
    force: bool,
    as_json: bool,
) -> None:
    """Build questions of all eleven types, with answers that follow from a formal model.

    Every wrong option is proved wrong; `ordojo verify OUT` proves all of it again.
    """
    from ordojo.api import benchmarks

    settings: dict[str, Any] = {
        "split": split,
        "queue": queue,
        "force": force,
        "as_json": as_json,
        "on": place,
    }
    benchmarks.build("orqa", out, n=size, seed=seed, progress=click.echo, **settings)


if TYPE_CHECKING:
    from ordojo.benchmarks.or_bias.sets import Training


@click.group()
def build() -> None:
    """Build new instances: econlogicqa (from news articles), nl2opt (problems in words with data),
    or-bias (newsvendor scenarios), or-debug (infeasible models), orqa (questions on models), season
    (a month's items of all but the first).
    """


build.add_command(nl2opt)
build.add_command(orqa)


@build.command(
    epilog="Example: ordojo build econlogicqa --model openai/gpt-4o -o questions",
    cls=Spoken,
    doing="building questions of econlogicqa with {model}",
)
@click.option(
    "--articles",
    type=click.Path(path_type=Path),
    help="JSON Lines with id, title and text; without it, twelve that ship with ordojo.",
)
@click.option(
    "--model",
    required=True,
    metavar="MODEL",
    type=LanguageModel(),
    help="The model that writes and checks.",
)
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="A folder.")
@click.option("--n", "limit", type=Number(COUNT), help="Only the first N articles.")
@click.option("--seed", type=Number(SEED), default=0, show_default=True)
@click.option(
    "--orderings",
    type=Number(COUNT_OR_NONE),
    default=5,
    show_default=True,
    help="Independent orderings asked for each question.",
)
@click.option(
    "--agreement",
    type=Number(SHARE),
    default=0.6,
    show_default=True,
    help="Least share of them that must give the stated order.",
)
@click.option("--judge-sensitive", is_flag=True, help="Also ask the model what is sensitive.")
@click.option(
    "--accept-all", is_flag=True, help="Take questions that no person has reviewed, and say so."
)
@click.option(
    "--concurrency",
    type=Number(NumberRange(1, 1000, whole=True)),
    default=1,
    show_default=True,
    help="Articles asked at a time.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be asked and what it costs.")
def econlogicqa(
    articles: Path | None,
    model: str,
    out: Path,
    limit: int | None,
    seed: int,
    orderings: int,
    agreement: float,
    judge_sensitive: bool,
    accept_all: bool,
    concurrency: int,
    dry_run: bool,
) -> None:
    """Build EconLogicQA questions: article, model, checks, a person's review, split.

    The same command goes on where it stands; stopped at the review, it names the queue.
    """
    from ordojo.api import benchmarks

    benchmarks.build(
        "econlogicqa",
        out,
        n=limit,
        seed=seed,
        progress=click.echo,
        articles=articles,
        model=model,
        accept_all=accept_all,
        orderings=orderings,
        agreement=agreement,
        judge_sensitive=judge_sensitive,
        concurrency=concurrency,
        dry_run=dry_run,
    )


@build.command(
    "or-bias",
    epilog="Example: ordojo build or-bias --n 500 --seed 1 -o scenarios.jsonl",
    cls=Spoken,
    doing="building scenarios of or-bias",
)
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="FILE.jsonl or a folder."
)
@click.option("--n", "size", type=Number(COUNT), help="N scenarios of all levels, in one file.")
@click.option("--seed", type=Number(SEED), default=0, show_default=True)
@click.option(
    "--family",
    type=click.Choice(["normal", "lognormal", "gamma", "poisson", "empirical"]),
    default="normal",
    show_default=True,
    help="The demand's distribution.",
)
@click.option(
    "--training",
    type=click.Choice(["stages", "table-4"]),
    default="stages",
    show_default=True,
    help="Critical ratios of the training set: by the paper's stages, or [0.3, 0.7].",
)
@click.option(
    "--iqr",
    type=Number(NumberRange(1.3, 1.4)),
    help="Interquartile range that turns percentiles into a deviation: exact, or the paper's 1.35.",
)
@overwrite
def or_bias(
    out: Path,
    size: int | None,
    seed: int,
    family: str,
    training: "Training",
    iqr: float | None,
    force: bool,
) -> None:
    """Build newsvendor scenarios: the ID, OOD, evaluation and training sets, or N in one file.

    A name that ends in .jsonl is one file (ID and OOD without --n); any other is a folder.
    """
    from ordojo.api import benchmarks

    settings: dict[str, Any] = {"family": family, "training": training, "iqr": iqr, "force": force}
    benchmarks.build("or-bias", out, n=size, seed=seed, progress=click.echo, **settings)


@build.command(
    "or-debug",
    epilog="Example: ordojo build or-debug --n 200 --seed 1 -o models.jsonl",
    cls=Spoken,
    doing="building problems of or-debug",
)
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="FILE.jsonl or a folder."
)
@click.option("--n", "size", type=Number(COUNT), help="N models of all types, in one file.")
@click.option("--seed", type=Number(SEED), default=0, show_default=True)
@on_option("processes", "--processes")
@click.option(
    "--from",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A folder of infeasible models (.mps, .lp, .py), in place of generated ones.",
)
@click.option("--two-row-e", "two_rows", is_flag=True, help="Type E breaks two rows, not one.")
@click.option("--hard", is_flag=True, help="N larger models with several errors at once.")
@click.option("--break", "broken", is_flag=True, help="Break the feasible models of --from, too.")
@overwrite
def or_debug(
    out: Path,
    size: int | None,
    seed: int,
    place: Place,
    folders: tuple[Path, ...],
    broken: bool,
    two_rows: bool,
    hard: bool,
    force: bool,
) -> None:
    """Build infeasible models to repair: N in one file, or the train, rl and eval sets.

    Prints how far policies get that never read, and refuses a set that yields to them; and how many
    candidates of each type passed the validation, beside the paper's figures. With --from, each
    model of a folder becomes an instance; what is none is named with its reason.
    """
    from ordojo.api import benchmarks
    from ordojo.core.errors import UsageError

    if broken and not folders:
        raise UsageError("--break belongs to --from; name a folder of models")
    if folders and (size or hard):
        raise UsageError("--n and --hard belong to generated models; leave them or --from out")
    if folders:
        own: dict[str, Any] = {"folders": folders, "broken": broken, "force": force, "on": place}
        benchmarks.build("or-debug", out, seed=seed, progress=click.echo, **own)
        return
    settings: dict[str, Any] = {"two_rows": two_rows, "hard": hard, "on": place, "force": force}
    benchmarks.build("or-debug", out, n=size, seed=seed, progress=click.echo, **settings)


@build.command(
    epilog="Example: ordojo build season --date 2026-10 -o 2026-10",
    cls=Spoken,
    doing="building the season {date}",
)
@click.option("--date", required=True, metavar="YYYY-MM", help="The month that seeds the items.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="A folder.")
@overwrite
def season(date: str, out: Path, force: bool) -> None:
    """Build a month's items of orqa, or-bias, or-debug and nl2opt: the same for all who name it.

    commitments.jsonl has a hash of every item and answer. Before the month begins it is all that is
    written; from then on the same command writes the items and compares.
    """
    from ordojo.api.season import season as write

    write(date, out, force, click.echo)
