"""`ordojo serve`: a benchmark's environment for trainers in other processes."""

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import Number, parse_settings, settings_for
from ordojo.core.ranges import COUNT, PORT, SEED, NumberRange


@click.command(
    epilog="Example: ordojo serve or-debug --port 8000", cls=Spoken, doing="serving {benchmark}"
)
@click.argument("benchmark")
@click.option("-T", "settings", multiple=True, metavar="KEY=VALUE", help="A benchmark's option.")
@click.option("--limit", type=Number(COUNT), help="Only the first N instances.")
@click.option("--seed", type=Number(SEED), default=0, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=Number(PORT), default=8000, show_default=True)
@click.option(
    "--sessions", type=Number(NumberRange(1, 100_000, whole=True)), default=64, show_default=True
)
@click.option(
    "--client-sessions",
    type=Number(COUNT),
    show_default="as `--sessions`",
    help="Sessions at once of one client's address.",
)
@click.option(
    "--idle",
    type=Number(NumberRange(1, 86400)),
    default=600.0,
    show_default=True,
    help="Seconds without a message after which a session ends.",
)
@click.option(
    "--allow",
    multiple=True,
    metavar="NAME",
    help="Another name of this server, or the origin of pages that may use it.",
)
@click.option(
    "--workers", type=Number(NumberRange(1, 1024, whole=True)), default=1, show_default=True
)
def serve(
    benchmark: str,
    settings: tuple[str, ...],
    limit: int | None,
    seed: int,
    host: str,
    port: int,
    sessions: int,
    client_sessions: int | None,
    idle: float,
    allow: tuple[str, ...],
    workers: int,
) -> None:
    """Serve BENCHMARK over OpenEnv's protocol: an action is a text, the policy's whole reply.

    Each worker process holds up to --sessions episodes at once. Needs `ordojo[serve]`.
    """
    from ordojo.core.extras import need
    from ordojo.core.registry import get_benchmark

    found = get_benchmark(benchmark).name
    need("serve", "serve")
    from ordojo.training.serve.server import serve as run

    click.echo(f"serving {found} at http://{host}:{port}; Ctrl-C ends it", err=True)
    run(
        host,
        port,
        workers,
        {
            "benchmark": found,
            "settings": dict(settings_for(found, [found], parse_settings(settings, "-T"))),
            "seed": seed,
            "limit": limit,
        },
        {
            "sessions": sessions,
            "client_sessions": client_sessions,
            "idle": idle,
            "allow": [host, *allow],
        },
    )
