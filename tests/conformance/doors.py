"""The doors and benchmarks of the contract in `contract.py`, and the table of all of them.

`python -m tests.conformance.doors` prints, for each benchmark under its default options (of
or-debug 12 steps at most, not 50), what each door makes of each kind of reply ("score reward"), and
ends with 1 where the contract is broken. A new door joins by a line in `DOORS`, a new benchmark by
one in `LISTED`.
"""

import json
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from email.message import Message
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.doors import (
    Door,
    Listed,
    ScriptedReplies,
    Table,
    Worth,
    conversations,
    drawn,
    faults,
    plain,
)
from ordojo.core.episode import CUT, EpisodeBuilder
from ordojo.core.options import Options, in_chat, parse_options
from ordojo.core.records import SampleRecord
from ordojo.core.registry import get_benchmark
from ordojo.core.seeds import episode_seed
from ordojo.core.spread import HERE
from ordojo.evaluation.evaluation import Evaluation, EvaluationRequest
from ordojo.evaluation.grade import Grading
from ordojo.evaluation.runs import read_runs
from ordojo.training.adapters import EpisodePlayer, trl_environment
from tests.completions import Sent, failed, said, serving

Scripts = Sequence[ScriptedReplies]


def _gold(name: str, settings: Mapping[str, str]) -> Callable[[Any], list[str]]:
    """The gold policy's replies to an instance, of benchmarks that are answered by programs or
    actions."""

    def right(instance: Any) -> list[str]:
        benchmark = get_benchmark(name)
        options = parse_options(benchmark.options, settings, name)
        environment = benchmark.environment(options, 0)
        act, asked = benchmark.policies([instance])["gold"].begin(instance, 0, 1), None
        asked, replies = environment.reset(instance, 0), []
        while asked is not None:
            replies.append(act(asked))
            asked = environment.step(replies[-1]).observation
        environment.close()
        return replies

    return right


def _useless_repair(instance: Any) -> list[str]:
    """A repair that moves too little, of what is in the conflict, and the end."""
    row = instance.problem.iis_rows[0]
    return [f"Action: RELAX({row}, 0.001)", "Action: SUBMIT()"]


def _listed(name: str, settings: Mapping[str, str] | None = None, **more: Any) -> Listed:
    benchmark = get_benchmark(name)
    return Listed(benchmark, {**benchmark.demo, **(settings or {})}, **more)


LISTED: Sequence[Listed] = (
    _listed("orqa"),
    _listed("econlogicqa"),
    _listed("or-bias"),
    _listed("nl2opt", right=_gold("nl2opt", get_benchmark("nl2opt").demo)),
    # Fifty steps of silence take four times as long as these and come to the same.
    _listed("or-debug", {"max_steps": "12"}, right=_gold("or-debug", {}), wrong=_useless_repair),
)


def _of_record(record: SampleRecord, rule: str) -> Worth:
    assert not record.error, record.traceback or record.error
    verdict = record.verdicts[rule]
    return Worth(verdict.score, record.episode.reward)


def _answers(listed: Listed, options: Options, scripts: Scripts, path: Path) -> Path:
    """The scripts, each as far as its episode goes, as a file of recorded answers."""
    environment, rows = listed.benchmark.environment(options, 0), []
    for one in scripts:
        steps = EpisodeBuilder(environment, one.instance, episode_seed(0, 1))
        texts: list[str] = []
        while steps.observation is not None:
            text, stop = one.reply(len(texts))
            texts.append(text)
            steps.reply(text, stop=stop)
        rows.append({"id": one.instance.id, "completion": texts, "stop": [one.stop] * len(texts)})
    environment.close()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def evaluated(listed: Listed, options: Options, scripts: Scripts) -> list[Worth]:
    """`ordojo eval` with recorded answers."""
    with tempfile.TemporaryDirectory() as folder:
        path = _answers(listed, options, scripts, Path(folder, "answers.jsonl"))
        request = EvaluationRequest(
            listed.benchmark.name,
            f"ordojo/replay?path={path}",
            Path(folder),
            listed.settings,
            limit=len(scripts),
        )
        view = Evaluation(request).run()
    by_id = {record.id: record for record in view.records}
    return [_of_record(by_id[one.instance.id], view.header.rule) for one in scripts]


def graded(listed: Listed, options: Options, scripts: Scripts) -> list[Worth]:
    """`ordojo grade`."""
    with tempfile.TemporaryDirectory() as folder:
        path = _answers(listed, options, scripts, Path(folder, "answers.jsonl"))
        view = Grading(listed.benchmark.name, path, listed.settings, Path(folder)).run(HERE)
    by_id = {record.id: record for record in view.records}
    return [_of_record(by_id[one.instance.id], view.header.rule) for one in scripts]


def inspected(listed: Listed, options: Options, scripts: Scripts) -> list[Worth]:
    """`inspect eval ordojo/...`, of a server of chat completions, or of raw ones."""
    from inspect_ai import eval as inspect_eval
    from inspect_ai.model import get_model

    told = conversations(listed, options, scripts)
    raw = not any(one.kind == "thought" for one in scripts)
    kind = "openai-api-completions" if raw else "openai-api"
    with tempfile.TemporaryDirectory() as folder, endpoint(lambda turns: told[turns]) as url:
        (log,) = inspect_eval(
            f"ordojo/{listed.benchmark.name.replace('-', '_')}",
            model=get_model(f"{kind}/door/m", base_url=url, api_key="x"),
            task_args=dict(listed.settings),
            limit=len(scripts),
            log_dir=folder,
            display="none",
            log_level="error",
        )
        samples = list(log.samples or [])
        assert log.status == "success", [s.error and s.error.message for s in samples]
    by_id = {s.metadata["instance"]: s for s in samples}
    scores = [by_id[one.instance.id].scores or {} for one in scripts]
    return [Worth(next(iter(found.values())).as_float()) for found in scores]


def played(listed: Listed, options: Options, scripts: Scripts) -> list[Worth]:
    """`EpisodePlayer`."""
    player = EpisodePlayer.of(listed.benchmark.name, listed.settings, limit=len(scripts))
    found = []
    for one in scripts:
        asked: Any = player.begin(one.place)
        turn = 0
        while asked is not None and not (one.left and turn >= len(one.replies)):
            text, stop = one.reply(turn)
            asked, turn = player.reply(text, stop).asked, turn + 1
        outcome = player.outcome()
        assert outcome is not None
        found.append(Worth(outcome.scores[player.session.rule], outcome.reward))
    player.close()
    return found


def by_trl(listed: Listed, options: Options, scripts: Scripts) -> list[Worth]:
    """TRL's `environment_factory`: one tool, which a model that says nothing does not call."""
    made = trl_environment(listed.benchmark.name, listed.settings, limit=len(scripts))()
    found = []
    for one in (script.heard for script in scripts):
        made.reset(index=one.place, prompt=[])
        for text in one.replies:
            if made.act(text) == "The episode is over.":
                break
        found.append(Worth(None, made.get_reward()))
    return found


def by_skyrl(listed: Listed, options: Options, scripts: Scripts) -> list[Worth]:
    """SkyRL-gym, made by its registry; a trajectory that is left has reached its `max_turns`."""
    from skyrl_gym.envs import registration

    if "ordojo" not in registration.registry:
        registration.register(id="ordojo", entry_point="ordojo.training.adapters:SkyrlEnv")
    rule = listed.benchmark.default_rule(options)
    found = []
    for one in (script.heard for script in scripts):
        extras: dict[str, Any] = {"index": one.place}
        if one.left:
            extras["max_turns"] = len(one.replies) or 1
        config = {"benchmark": listed.benchmark.name, "limit": len(scripts), **listed.settings}
        env = registration.make("ordojo", env_config=config, extras=extras)
        env.init([])
        done, turn, reward = False, 0, 0.0
        while not done:
            step = env.step(one.reply(turn)[0])
            done, reward, turn = step["done"], reward + step["reward"], turn + 1
        found.append(Worth(env.get_metrics()[rule], reward))
        env.close()
    return found


def by_openenv(listed: Listed, options: Options, scripts: Scripts) -> list[Worth]:
    """`ordojo serve`, with OpenEnv's client; of an episode that is left its state has no reward."""
    import uvicorn

    # Before OpenEnv's client, which alone would load the page that OpenEnv's server can show.
    import ordojo.training.serve.environment  # noqa: F401
    from openenv.core.generic_client import GenericEnvClient  # isort: skip

    from ordojo.training.serve.server import application, session_of

    session = session_of(listed.benchmark.name, listed.settings, 0, len(scripts))
    server = uvicorn.Server(uvicorn.Config(application(session), port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    found = []
    with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as client:
        for one in (script.heard for script in scripts):
            client.reset(index=one.place)
            turn = 0
            while not (one.left and turn >= len(one.replies)):
                step = client.step({"text": one.reply(turn)[0]})
                turn += 1
                if step.done:
                    break
            state = client.state()
            found.append(Worth(state["scores"].get(session.rule), state["reward"]))
    server.should_exit = True
    thread.join()
    return found


def at_play(listed: Listed, options: Options, scripts: Scripts) -> list[Worth]:
    """`ordojo play`: a person types, and has no word for a reply that was cut or refused."""
    typed = [one for one in scripts if one.kind in TYPED]
    with tempfile.TemporaryDirectory() as folder:
        words = ["play", listed.benchmark.name, "--runs", folder, "--limit", str(len(typed))]
        words += [w for k, v in listed.settings.items() for w in ("-T", f"{k}={v}")]
        lines = "".join(f"{text}\n\n" for one in typed for text in one.replies)
        done = CliRunner().invoke(cli, words, input=lines, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        (view,) = read_runs([Path(folder)])
    by_id = {record.id: record for record in view.records}
    return [
        _of_record(by_id[one.instance.id], view.header.rule) if one in typed else Worth()
        for one in scripts
    ]


TYPED = ("right", "wrong")
"""The first instances' kinds."""


def endpoint(
    answer: Callable[[tuple[str, ...]], tuple[str, str] | None],
    hear: Callable[[str], None] = lambda model: None,
) -> AbstractContextManager[str]:
    """A server of completions: what it says to the user's turns or a raw prompt; None is a 400.

    That one quotes the request's key, as some do. `hear` is told which model is asked, before there
    is an answer.
    """

    def send(asked: dict[str, Any], headers: Message) -> Sent:
        hear(asked["model"])
        messages = asked.get("messages", [])
        turns = tuple(m["content"] for m in messages if m["role"] == "user")
        told = answer((asked["prompt"],) if "prompt" in asked else turns)
        if told is None:
            return failed(400, f"no, with '{headers['authorization']}'")
        text, stop = told
        return said(text, "length" if stop == CUT[0] else stop)

    return serving(send)


FORKED = multiprocessing.get_context("forkserver")
"""Makes each process out of one that has loaded verifiers, which takes longer than its work."""

FORKED.set_forkserver_preload(["verifiers.v1.cli.eval.main"])


def _verifiers(words: Sequence[str], site: Path, home: Path, said: Path) -> None:
    """The command of verifiers in this process, with the packages of a folder."""
    from verifiers.v1.cli.eval.main import main

    kept = {k: v for k, v in os.environ.items() if k.startswith("ORDOJO_")}
    os.environ.clear()
    os.environ.update(kept, KEY="x", PATH="/usr/bin:/bin", HOME=str(home))
    sys.path.insert(0, str(site))
    sys.argv = ["eval", *words]
    with said.open("w") as file:
        sys.stdout = sys.stderr = file
        main()


def traces_of(
    name: str, settings: Mapping[str, str], url: str, count: int, *more: str
) -> tuple[int, list[dict[str, Any]]]:
    """What verifiers' own command makes of the first instances: its exit code and last traces."""
    from ordojo.training.adapters.verifiers_taskset import write_package

    with tempfile.TemporaryDirectory() as folder:
        site, out = Path(folder, "site"), Path(folder, "out")
        write_package(name, settings, site)
        options = f"ordojo-{name} -n {count} --no-push --no-serve --no-rich -m m --run.name r"
        words = [*options.split(), "-o", str(out), "--client.base-url", url]
        words += ["--client.api-key-var", "KEY", "--env.taskset.limit", str(count), *more]
        said = Path(folder, "said")
        asked = FORKED.Process(target=_verifiers, args=(words, site, Path(folder), said))
        asked.start()
        asked.join(300)
        asked.kill()  # if it has not ended
        file = out / "r/traces.jsonl"
        assert file.exists(), said.read_text()[-3000:]
        rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows.sort(key=lambda row: row["task"]["data"]["idx"])
    return asked.exitcode or 0, [row["traces"][-1] for row in rows]


def by_verifiers(
    listed: Listed, options: Options, scripts: Sequence[ScriptedReplies]
) -> list[Worth]:
    """verifiers' command with the exported package and a server of chat completions."""
    told = conversations(listed, options, scripts)
    with endpoint(lambda turns: told[turns]) as url:
        _, traces = traces_of(listed.benchmark.name, listed.settings, url, len(scripts))
    rule = listed.benchmark.default_rule(options)
    return [Worth(one["metrics"][rule], one["rewards"]["reward"]["score"]) for one in traces]


RAW: Mapping[str, Door] = {
    "plain loop": plain,
    "ordojo eval": evaluated,
    "inspect eval": inspected,
}
"""Doors that continue a raw prompt, where a benchmark asks for that by default."""

CHAT: Mapping[str, Door] = {
    "EpisodePlayer": played,
    "TRL": by_trl,
    "verifiers": by_verifiers,
    "OpenEnv": by_openenv,
    "skyrl-gym": by_skyrl,
    "ordojo grade": graded,
    "ordojo play": at_play,
}
"""Doors that are answered in chat turns, and ask with mode=chat where there is one."""

DOORS: Mapping[str, Door] = {**RAW, **CHAT}


def table_of(listed: Listed) -> Table:
    """Every kind of reply to a benchmark at every door."""
    benchmark = listed.benchmark
    found: dict[str, dict[str, Worth]] = {}
    # Open meanwhile, so that what environments share, such as a sandbox, is made once.
    shared = benchmark.environment(parse_options(benchmark.options, listed.settings, ""), 0)
    for name, door in DOORS.items():
        settings = in_chat(benchmark.options, listed.settings) if name in CHAT else listed.settings
        options = parse_options(benchmark.options, settings, benchmark.name)
        scripts = listed.scripts(options)
        paid = door(listed, options, scripts)
        found[name] = {one.kind: worth for one, worth in zip(scripts, paid, strict=True)}
    shared.close()
    return found


def main() -> int:
    """Print the tables; 1 where the contract is broken."""
    broken = 0
    for listed in LISTED:
        started = sum(os.times()[:4])
        table = table_of(listed)
        print(drawn(listed.benchmark.name, table), flush=True)
        if in_chat(listed.benchmark.options, listed.settings) is not listed.settings:
            print(f"  continues a raw prompt at {', '.join(RAW)}; the others switch to mode=chat")
        for fault in faults(table):
            broken = 1
            print(f"  BROKEN {fault}", flush=True)
        print(f"  {sum(os.times()[:4]) - started:.1f} s of processor\n", flush=True)
    return broken


if __name__ == "__main__":
    sys.exit(main())
