"""The server: OpenEnv's application over one benchmark, run by uvicorn."""

import gc
import json
import os
import socket
import sys
from collections.abc import Mapping
from itertools import count
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.core.processes import end_with_parent

SETTINGS = "ORDOJO_SERVE"
"""The environment variable by which worker processes know what to serve."""
SWITCH = 5e-4
"""Seconds after which a thread that computes lets another go on: answers wait no longer."""
SHUTDOWN = 2
"""Seconds that sessions have to end when the server is told to, less than the command has."""


def application(
    benchmark: str,
    settings: Mapping[str, str],
    seed: int = 0,
    limit: int | None = None,
    sessions: int = 64,
    client_sessions: int | None = None,
    idle: float = 600.0,
) -> Any:
    """The ASGI application; raises DataError and UsageError before anything is served."""
    from openenv.core.env_server.http_server import create_fastapi_app

    from ordojo.core.options import parse_options
    from ordojo.core.registry import get_benchmark
    from ordojo.evaluate.session import Session
    from ordojo.training.serve.environment import Pace, Served
    from ordojo.training.serve.gate import Bounds, Gate, add_handlers
    from ordojo.training.serve.messages import EpisodeState, TextAction, TextObservation

    found = get_benchmark(benchmark)
    session = Session(found, parse_options(found.options, settings, found.name), seed, limit)
    if not session.instances:
        raise UsageError(f"{found.name}: there are no instances to serve")
    turn, pace = count(), Pace(sessions)
    app = create_fastapi_app(
        lambda: Served(session, turn, pace),
        TextAction,
        TextObservation,
        max_concurrent_envs=sessions,
        env_name=found.name,
        state_cls=EpisodeState,
    )
    add_handlers(app)
    return Gate(app, Bounds(sessions, client_sessions or sessions, idle))


def from_environment() -> Any:
    """The application that the settings in the environment ask for (in a worker process)."""
    end_with_parent()
    app = application(**json.loads(os.environ[SETTINGS]))
    _settle()
    return app


def serve(host: str, port: int, workers: int, **asked: Any) -> None:
    """Serve until interrupted; the workers share the port, each with its own sessions.

    Raises DataError and UsageError for what cannot be served, before the port is opened.
    """
    import uvicorn

    from ordojo.training.serve.gate import LARGEST, PromptProtocol

    _check_free(host, port)
    app = application(**asked)
    options: dict[str, Any] = {
        "host": host,
        "port": port,
        "log_level": "warning",
        "ws_max_size": LARGEST,
        "ws_per_message_deflate": False,
        "http": PromptProtocol,
        "timeout_graceful_shutdown": SHUTDOWN,
    }
    if workers == 1:
        _settle()
        uvicorn.run(app, **options)
        return
    os.environ[SETTINGS] = json.dumps(asked)
    name = "ordojo.training.serve.server:from_environment"
    uvicorn.run(name, factory=True, workers=workers, **options)


def _settle() -> None:
    """Set this process up to answer many sessions soon."""
    sys.setswitchinterval(SWITCH)
    # The collector would stop all sessions, again and again, to look at what is here to stay.
    gc.collect()
    gc.freeze()


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"cannot listen at {host}:{port}: {error}; choose another with --port or --host"
            ) from None
