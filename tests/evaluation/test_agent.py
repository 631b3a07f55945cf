"""An agent of Inspect's on or-debug: real tools, a scripted model, the file it leaves judged."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolDef

from ordojo.benchmarks.or_debug import BENCHMARK
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.prompts import ERRAND
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.compat.capture import lent_sandbox
from ordojo.core.errors import SandboxError, UsageError
from ordojo.evaluation.engine import agent
from ordojo.evaluation.engine.agent import Desk
from ordojo.milp.files import lp_text

Work = Callable[[Any], Sequence[ModelOutput]]

ASKED = {one.problem.text: one for name in ("eval", "silent") for one in load_set(name)}


@pytest.fixture(scope="module", autouse=True)
def contained() -> None:
    try:
        with lent_sandbox("auto", 5.0):
            pass
    except SandboxError as error:
        pytest.skip(str(error))


def call(tool: str, **arguments: str) -> ModelOutput:
    made = ModelOutput.for_tool_call("mockllm/model", tool, arguments)
    made.usage = ModelUsage(input_tokens=90, output_tokens=10, total_tokens=100, total_cost=0.5)
    return made


def run(code: str) -> ModelOutput:
    return call("python", code=code)


def left(text: str) -> ModelOutput:
    return run(f"open({ERRAND.answer!r}, 'w').write({text!r})")


def submit(diagnosis: str = "") -> ModelOutput:
    return call("submit", diagnosis=diagnosis)


def asked(folder: Path, work: Work, count: int = 3, limit: int = 20, **settings: str) -> EvalLog:
    """A model that reads the description, and goes on as `work` says for the instance.

    Of `count` instances drawn, as of no others certificates are checked.
    """

    def reply(turns: Any, tools: Any, choice: Any, config: Any) -> ModelOutput:
        assert {one.name for one in tools} == {"python", "submit"}
        heard = [one.text for one in turns if one.role == "tool"]
        if not heard:
            return run("print(open('description.md').read())")
        return work(ASKED[heard[0].strip()])[len(heard) - 1]

    (log,) = inspect_eval(
        "ordojo/or_debug_agent",
        model=get_model("mockllm/model", custom_outputs=reply),
        task_args={**settings, "sample": count},
        message_limit=limit,
        log_dir=str(folder),
        display="none",
        log_level="error",
    )
    assert not agent._DESKS
    return log


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples
    return log.samples


def heard(sample: EvalSample) -> list[str]:
    return [one.text.strip() for one in sample.messages if one.role == "tool"]


def scores(log: EvalLog) -> list[Score]:
    assert log.status == "success", log.error
    found = [sample.scores for sample in samples(log)]
    return [next(iter(each.values())) for each in found if each]


def figures(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {n: m.value for one in log.results.scores for n, m in one.metrics.items()}


def gold(instance: Any) -> list[ModelOutput]:
    right = lp_text(instance.problem.original_model)
    return [
        left(right),
        run(
            "import gurobipy as gp\nmodel = gp.read('repaired.lp')\nmodel.optimize()\n"
            "print(model.Status == gp.GRB.OPTIMAL)"
        ),
        submit(", ".join(instance.problem.faults)),
    ]


@pytest.mark.parametrize("name", ["eval", "silent"])
def test_a_scripted_agent_reaches_gold(tmp_path: Path, name: str) -> None:
    log = asked(tmp_path, gold, set=name)
    assert [one.value for one in scores(log)] == [1.0] * 3
    found = figures(log)
    assert [found[n] for n in ("mean", "rr", "no_drift", "op", "da")] == pytest.approx([1.0] * 5)
    assert found["drift"] == 0
    assert (found["input_tokens"], found["output_tokens"], found["programs"]) == (360, 40, 3)
    assert found["cost"] == 2 and found["tokens_per_success"] == 400 and found["seconds"] > 0
    assert all("True" in heard(sample)[-1] for sample in samples(log))
    for one in scores(log):
        assert one.metadata and one.metadata["no-drift"]["score"] == 1
        assert one.metadata["spent"]["cost"] == 2


def test_repairs_in_place_through_the_layer_are_judged_as_actions_are(tmp_path: Path) -> None:
    def work(instance: Any) -> list[ModelOutput]:
        code = instance.problem.code  # the sabotaged one, as it lies there
        assert 'gp.Model("' in code
        return [
            run(
                "import gurobipy as gp\nmodel = gp.read('model.lp')\nmodel.computeIIS()\n"
                "print([c.ConstrName for c in model.getConstrs() if c.IISConstr])"
            ),
            run(
                "import gurobipy as gp\nmodel = gp.read('model.lp')\n"
                f"model.remove(model.getConstrByName({instance.problem.iis_rows[0]!r}))\n"
                "model.write('repaired.lp')"
            ),
            submit(),
        ]

    log = asked(tmp_path, work, count=1)
    (one,) = scores(log)
    (sample,) = samples(log)
    instance = ASKED[heard(sample)[0]]
    assert instance.problem.iis_rows[0] in heard(sample)[1]
    assert str(one.answer) == f"['PROGRAM({instance.problem.iis_rows[0]})']"


BOUNDS = "Minimize\n obj: {0}\nSubject To\nBounds\n {0} >= 0\nEnd\n"


@pytest.mark.parametrize("name", ["eval", "silent"])
@pytest.mark.parametrize(
    ("work", "outcomes"),
    [
        (lambda _: [submit()], {"unparsed"}),
        (lambda _: [left("this is no model"), submit()], {"wrong"}),
        (lambda one: [left(BOUNDS.format(one.problem.model.col_names[0])), submit()], None),
        (lambda one: [left(lp_text(one.problem.model)), submit()], None),
    ],
    ids=["nothing", "unreadable", "all dropped", "as it was"],
)
def test_what_is_no_repair_scores_nothing(
    tmp_path: Path, name: str, work: Work, outcomes: set[str] | None
) -> None:
    log = asked(tmp_path, work, set=name)
    assert [one.value for one in scores(log)] == [0.0] * 3
    assert figures(log)["no_drift"] == 0
    told = [one.metadata["rr@5"]["outcome"] for one in scores(log) if one.metadata]
    assert set(told) <= (outcomes or {"wrong", "partial"})


def test_the_file_counts_where_a_limit_ends_the_work(tmp_path: Path) -> None:
    def work(instance: Any) -> list[ModelOutput]:
        return [left(lp_text(instance.problem.original_model)), *[run("print(1)")] * 9]

    log = asked(tmp_path, work, count=1, limit=8)
    assert samples(log)[0].limit is not None and [one.value for one in scores(log)] == [1.0]


def test_a_log_is_judged_again(tmp_path: Path) -> None:
    log = asked(tmp_path, gold, count=2)
    again = inspect_score(read_eval_log(log.location), agent.handed_in(*_spec()), display="none")
    assert [one.value for one in scores(again)] == [1.0] * 2
    assert figures(again)["cost"] == 2


def _spec() -> tuple[Any, ...]:
    options = OrDebugOptions(answer="lp", max_steps=1)
    return BENCHMARK.name, options.model_dump(mode="json")


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        # Inspect would tell the agent of this one.
        ("ordojo.evaluation.engine.agent.run_captured", PermissionError("not allowed")),
        ("ordojo.benchmarks.or_debug.rewritten.sameness", RuntimeError("the judge is broken")),
    ],
)
def test_what_fails_inside_is_an_error_and_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, fault: Exception
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise fault

    monkeypatch.setattr(broken, fail)
    log = asked(tmp_path, gold, count=1)
    (sample,) = samples(log)
    assert log.status == "error" and sample.error and str(fault) in sample.error.message
    assert not sample.scores


LOOK = """
import importlib, os, sys
for name in ("benchmarks.or_debug", "datasets.store", "problems.registry", "evaluation.session"):
    try:
        importlib.import_module(f"ordojo.{name}")
        print("imported", name)
    except ImportError:
        pass
for root in ("/", *sys.path):
    for folder, _, names in os.walk(root):
        if any(name.endswith(".jsonl.gz") for name in names) and "or_debug" in folder:
            print("found", folder)
print("looked")
"""


def test_no_program_reads_the_answers() -> None:
    desk = Desk(ERRAND, load_set("silent")[0], "auto", 10.0)
    assert desk.run(LOOK).strip() == "looked"
    desk.close()
    assert not any("original" in name for name in desk.files)
    with pytest.raises(UsageError, match="isolation=unsafe with an agent"):
        inspect_eval(
            "ordojo/or_debug_agent", model="mockllm/model", task_args={"isolation": "unsafe"}
        )


def test_a_desk_keeps_what_programs_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordojo.evaluation.engine.agent.SECONDS", 3.0)
    monkeypatch.setattr("ordojo.evaluation.engine.agent._MOST", 1 << 20)
    desk = Desk(ERRAND, load_set("eval")[0], "auto", 10.0)
    assert desk.reply() == ""
    assert desk.run("open('a', 'w').write('1'); open('program.py', 'w').write('')") == (
        "The program printed nothing."
    )
    assert desk.run("print(open('a').read())") == "1\n"
    desk.run("import os; os.remove('a'); os.mkdir('a'); open('a/b', 'w').write('2')")
    assert desk.run("print(open('a/b').read())") == "2\n"
    assert "is lost" in desk.run("open('c', 'w').write('3')\nwhile True: pass")
    assert "not kept" in desk.run("open('d', 'w').write('4' * (2 << 20))")
    assert "exit code 3" in desk.run("raise SystemExit(3)")
    assert not {"c", "d", "program.py"} & desk.files.keys() and desk.calls == 7
    desk.said = "r1,\n```\nr2"
    desk.run("open('repaired.lp', 'w').write('End')")
    assert desk.reply() == "```lp\nEnd\n```\nDiagnosis: r1, ``` r2\n"
    desk.close()


def test_what_is_asked_beside_the_file_the_errand_says() -> None:
    tool = ToolDef(agent.submit(ERRAND))
    assert tool.name == "submit" and tool.parallel is False
    (asked,) = tool.parameters.properties.values()
    assert (list(tool.parameters.properties), tool.parameters.required) == (
        ["diagnosis"],
        ["diagnosis"],
    )
    assert (asked.type, asked.description) == ("string", ERRAND.asked)
    plain = replace(ERRAND, asks="", asked="")
    assert not ToolDef(agent.submit(plain)).parameters.properties
    for errand, said in ((ERRAND, "Diagnosis: r1\n"), (plain, "")):
        desk = Desk(errand, load_set("eval")[0], "auto", 10.0)
        desk.files[ERRAND.answer], desk.said = b"End", "r1" if errand.asks else ""
        assert desk.reply() == f"```lp\nEnd\n```\n{said}"
        desk.close()
