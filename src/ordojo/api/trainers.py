"""Training by recipes, and serving environments to trainers in other processes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from ordojo.api.kinds import AnyPath, Count, Port, Said, Seconds, Seed, unheard
from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.errors import UsageError
from ordojo.core.extras import need
from ordojo.core.options import options_for
from ordojo.core.ranges import NumberRange
from ordojo.core.registry import get_benchmark, portable
from ordojo.core.signatures import checked

Stage = Literal["sft", "grpo", "prm", "curriculum"]


@checked
def train(
    stage: Stage,
    config: AnyPath,
    *,
    dry_run: bool = False,
    out: AnyPath | None = None,
    changes: Mapping[str, str] | None = None,
    progress: Said = unheard,
) -> Mapping[str, Any]:
    """Train a model as a recipe says; the same call goes on where it was stopped.

    Whatever ends it says what is on disk then, and how much of it the same call goes on from.
    Needs `ordojo[train]`.

    Args:
        stage: sft (demonstrations), grpo (episodes that environments verify), prm (a process reward
            model, on the labels of algorithm 10), or curriculum (stages of growing difficulty).
        config: A recipe's file, or the name of one that comes with ordojo.
        dry_run: Say what it would cost, and train nothing.
        out: Folder of the run, instead of the recipe's.
        changes: Other values of the recipe, by key.
        progress: Hears of every step.

    Returns:
        The run's figures, held-out ones among them; of a dry run its sizes and time.

    Raises:
        UsageError: For a recipe that cannot be read, or an extra that is missing.
        DataError: Where its data are not at hand, or the folder has another run.
        ProviderError: Where its model cannot be had.
    """
    need("train", "training")
    try:
        from ordojo.training.recipes import estimate, read_recipe, run, standing

        recipe = read_recipe(str(config), stage, None if out is None else Path(out), changes or {})
    except KeyboardInterrupt:
        progress("stopped before the run began; nothing on disk is changed")
        raise
    if dry_run:
        return estimate(recipe)
    try:
        return run(recipe, progress)
    except KeyboardInterrupt:
        progress(f"stopped; {standing(recipe)}")
        raise
    except UsageError:
        raise
    except Exception:
        if recipe.out.is_dir():
            progress(f"ended by an error; {standing(recipe)}")
        raise


@checked
def serve(
    benchmark: str | AnyBenchmark,
    *,
    limit: Count | None = None,
    seed: Seed = 0,
    host: str = "127.0.0.1",
    port: Port = 8000,
    sessions: Annotated[int, NumberRange(1, 100_000, whole=True)] = 64,
    client_sessions: Count | None = None,
    idle: Annotated[float, NumberRange(1, 86400)] = 600.0,
    allow: Sequence[str] = (),
    workers: Annotated[int, NumberRange(1, 1024, whole=True)] = 1,
    progress: Said = unheard,
    **options: Any,
) -> None:
    """Serve a benchmark over OpenEnv's protocol: an action is a text, the policy's whole reply.

    Each worker process holds up to `sessions` episodes at once. Needs `ordojo[serve]`.

    Args:
        benchmark: A benchmark's name, or an object.
        limit: Only the first so many instances.
        seed: Of the environments.
        host: The address to listen at.
        port: The port to listen at.
        sessions: Sessions of a worker at once.
        client_sessions: Sessions at once of one client's address; as `sessions`, if not given.
        idle: Seconds without a message after which a session ends.
        allow: Other names of this server, or origins of pages that may use it.
        workers: Worker processes, which share the port.
        progress: Hears of the address.
        **options: The benchmark's.

    Raises:
        UsageError: For an unknown name or option, a port that is taken, or a missing extra.
        DataError: Where the data are not at hand.
    """
    need("serve", "serve")
    from ordojo.training.serve.server import serve as run

    found = get_benchmark(benchmark).name
    settings = dict(options_for(found, [found], options))
    run(
        host,
        port,
        workers,
        {"benchmark": portable(found), "settings": settings, "seed": seed, "limit": limit},
        {
            "sessions": sessions,
            "client_sessions": client_sessions,
            "idle": idle,
            "allow": [host, *allow],
        },
        lambda: progress(f"serving {found} at http://{host}:{port}; Ctrl-C ends it"),
    )


@checked
def mcp(allow: Sequence[AnyPath] = (), *, time_limit: Seconds = 60.0) -> None:
    """Serve an assistant, over stdin and stdout, in the Model Context Protocol.

    Its tools: solve, explain, repair, run_program, structure, equivalent, whatif, whynot, worth,
    suspects, check. An assistant's host starts this command itself. Needs `ordojo[mcp]`.

    Args:
        allow: Folders whose files may be read and written; this one, if not given.
        time_limit: The most seconds that a tool may take to solve.

    Raises:
        UsageError: For a folder that is not there, or an extra that is missing.
    """
    need("mcp", "mcp")
    from ordojo.api.assistant import serve as run

    run([Path(one) for one in allow] or [Path()], time_limit)
