"""The package for `verifiers`, installed and evaluated by the real library."""

import json
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.errors import UsageError
from ordojo.training.adapters import EpisodePlayer
from tests import needs
from tests.conformance import doors

pytestmark = needs("verifiers", "verifiers")


RUN = "from verifiers.v1.cli.eval.main import main; main()"


def endpoint(replies: dict[str, str]) -> AbstractContextManager[str]:
    """A chat endpoint that answers a last message as it was told, and others with nothing."""
    return doors.endpoint(lambda turns: (replies.get(turns[-1], ""), "stop"))


def gold(places: int) -> tuple[dict[str, str], list[float]]:
    """The gold policy's reply to each last message, and the reward of each episode."""
    replies: dict[str, str] = {}
    totals = []
    played = EpisodePlayer.of("or-debug", limit=places)
    for place in range(places):
        act = played.session.policy("gold").begin(played.session.instances[place], 0, 1)
        asked = played.begin(place)
        while asked is not None:
            content = asked.messages[-1].content
            replies[content] = act(asked)
            asked = played.reply(replies[content]).asked
        totals.append(played.total)
    played.close()
    return replies, totals


def test_gold_gets_the_same_reward_from_the_real_library(tmp_path: Path) -> None:
    out = tmp_path / "package"
    said = CliRunner().invoke(cli, ["export", "verifiers", "or-debug", "-o", str(out)])
    assert said.exit_code == 0 and "pip install" in said.output
    again = CliRunner().invoke(cli, ["export", "verifiers", "or-debug", "-o", str(out)])
    assert isinstance(again.exception, UsageError) and "--force" in str(again.exception)
    site = tmp_path / "site"
    pip = "-m pip install -q --no-deps --no-build-isolation --no-index --disable-pip-version-check"
    subprocess.run([sys.executable, *pip.split(), "--target", site, out], check=True)
    replies, totals = gold(2)
    with endpoint(replies) as url:
        options = "ordojo-or-debug -n 2 --no-push --no-serve --no-rich -m m --run.name r -o"
        client = ["--client.base-url", url, "--client.api-key-var", "KEY"]
        words = [*options.split(), str(tmp_path / "out"), *client, "--env.taskset.limit", "3"]
        environment = {"PYTHONPATH": str(site), "KEY": "x", "PATH": "/usr/bin:/bin"}
        done = subprocess.run(
            [sys.executable, "-c", RUN, *words],
            env={**environment, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=200,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    rows = map(json.loads, (tmp_path / "out/r/traces.jsonl").read_text().splitlines())
    traces = [row["traces"][-1] for row in sorted(rows, key=lambda row: row["task"]["data"]["idx"])]
    assert [one["rewards"]["reward"]["score"] for one in traces] == totals
    assert [one["metrics"]["rr@5"] for one in traces] == [1.0, 1.0]
