"""The commands, as a user calls them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordojo.cli import COMMANDS, cli, main
from ordojo.core.errors import RunError, UsageError

DATA = ("-T", "orqa.dataset=orqa@ordojo", "-T", "econlogicqa.dataset=econlogicqa@ordojo")


def call(*words: str) -> Result:
    done = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_has_help() -> None:
    shown = call("--help").stdout
    for name in COMMANDS:
        assert name in shown
        assert "Usage:" in call(name, "--help").stdout


def test_the_list_of_commands_imports_none_of_them() -> None:
    code = "import sys; from ordojo.cli import cli; cli(['--help'], standalone_mode=False)"
    code += "; print([name for name in sys.modules if name.startswith('ordojo.cli.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


def test_a_statement_or_name_may_begin_with_a_minus(own_folder: Path) -> None:
    model = own_folder / "a.lp"
    model.write_text("Minimize\n x + h\nSubject To\n c: x + h >= 4\nEnd\n")
    named = "NAME a\nROWS\n N cost\n G -c\nCOLUMNS\n x cost 1 -c 1\nRHS\n RHS -c 4\nENDATA\n"
    (own_folder / "-a.mps").write_text(named)
    # -h is an option, too.
    for words in (("-h >= 1",), ("-h>=1", "--json"), ("--", "-h >= 1")):
        assert "asked" in call("whynot", "a.lp", *words).output
    assert "Usage:" in call("whynot", "-h").output
    for words in (("--by", "2", "-a.mps", "-c"), ("--", "-a.mps", "-c")):
        assert "optimum 4" in call("worth", *words).output
    assert "-c dropped" in call("whatif", "-a.mps", "--set", "drop -c").output
    refused = (("-q", "-h >= 1"), ("--zeal",), ("-h >= 1", "--tyme-limit", "4"))
    for says, tries in (("no such option", refused), ("requires an argument", (("--solver",),))):
        for words in tries:
            done = CliRunner().invoke(cli, ["whynot", "a.lp", *words])
            assert isinstance(done.exception, UsageError) and says in str(done.exception)


def test_structure_loads_no_library_that_it_does_not_need(own_folder: Path) -> None:
    Path("m.lp").write_text("Minimize\n o: x\nSubject To\n r: x + y >= 1\nEnd\n")
    code = "import sys; from ordojo.cli import cli; "
    code += "cli(['structure', 'm.lp', '-o', 'out'], standalone_mode=False)"
    code += "; print([one for one in ('highspy', 'pydantic', 'scipy') if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


def test_several_benchmarks_and_models_in_one_command(own_folder: Path) -> None:
    done = call(
        *("eval", "orqa", "econlogicqa", *DATA, "--json"),
        *("--model", "ordojo/gold", "--model", "ordojo/noop"),
    )
    figures = json.loads(done.stdout)
    headline = [next(iter(run["metrics"].values()))["value"] for run in figures]
    assert headline == [1.0, 0.0, 1.0, 0.0]
    assert len(list((own_folder / "runs").iterdir())) == 4


def test_a_dry_run_asks_nothing(own_folder: Path) -> None:
    done = call("eval", "orqa", *DATA[:2], "--model", "ordojo/random", "--dry-run")
    assert "44 of 44 samples to ask" in done.stderr
    assert not (own_folder / "runs").exists()


def test_the_plan_counts_what_is_left_and_what_it_costs(own_folder: Path) -> None:
    import tests.evaluation.flaky  # noqa: F401 - registers the provider

    words = ("eval", "orqa", *DATA[:2], "-T", "mode=chat", "--model", "flaky/steady")
    call(*words, "--limit", "4")
    again = call(*words, "--limit", "4", "--dry-run")
    assert "0 of 4 samples to ask" in again.stderr
    assert "cost unknown" in call(*words, "--dry-run").stderr
    prices = own_folder / "prices.json"
    price = {"input": 2.0, "output": 10.0, "input_cache_write": 0, "input_cache_read": 0}
    prices.write_text(json.dumps({"flaky/steady": price}))
    done = call(*words, "--prices", str(prices), "--dry-run")
    assert "cost at most $" in done.stderr


def test_no_more_requests_are_under_way_than_is_asked(own_folder: Path) -> None:
    from tests.evaluation.flaky import under_way

    words = ("eval", "orqa", *DATA[:2], "-T", "mode=chat", "--model", "flaky/steady")
    for most, option in ((4, ()), (2, ("--max-connections", "2"))):
        del under_way[1:]
        call(*words, "--limit", "8", *option, "--runs", f"runs{most}")
        assert max(under_way) == most


def test_a_run_stops_at_what_it_may_cost_and_goes_on_with_more(own_folder: Path) -> None:
    import tests.evaluation.flaky  # noqa: F401 - registers the provider

    words = ["eval", "orqa", *DATA[:2], "-T", "mode=chat", "--model", "flaky/dear"]
    unknown = CliRunner().invoke(cli, [*words, "--max-cost", "5"])
    assert isinstance(unknown.exception, UsageError) and "give --prices" in str(unknown.exception)
    price = {"input": 1e5, "output": 0.0, "input_cache_write": 0, "input_cache_read": 0}
    (own_folder / "prices.json").write_text(json.dumps({"flaky/dear": price}))  # a dollar a sample
    words += ["--prices", "prices.json"]
    kept = 0
    for most in (5, 12):
        done = CliRunner().invoke(cli, [*words, "--max-cost", str(most)])
        (samples,) = (own_folder / "runs").glob("*/samples.jsonl")
        before, kept = kept, len(samples.read_text().splitlines())
        assert most <= kept <= most + 3, "what is in flight, over four connections, is kept"
        said = f"has cost ${kept}.00, and may cost ${most}.00: {44 - kept} samples are not asked"
        assert isinstance(done.exception, RunError) and said in str(done.exception)
    done = CliRunner().invoke(cli, [*words, "--max-cost", "100"], catch_exceptions=False)
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    assert done.exit_code == 0 and kept > before
    assert len({row["id"] for row in rows}) == len(rows) == 44


def test_play_asks_a_person(own_folder: Path) -> None:
    words = ["play", "orqa", *DATA[:2], "--limit", "3", "--name", "Ada"]
    first = CliRunner().invoke(cli, words, input="A\nq\n")
    assert first.exit_code == 0
    assert "1 of 3 answered" in first.output
    second = CliRunner().invoke(cli, words, input="B\nC\n", catch_exceptions=False)
    assert second.exit_code == 0, second.output
    (samples,) = (own_folder / "runs").glob("*/samples.jsonl")
    replies = [json.loads(line)["turns"][0]["reply"] for line in samples.read_text().splitlines()]
    assert replies == ["A", "B", "C"]
    assert json.loads(samples.with_name("run.json").read_text())["model"] == "person/Ada"


@pytest.mark.parametrize("end", ["\n\n\n", ""])
def test_a_reply_at_play_may_have_several_lines(own_folder: Path, end: str) -> None:
    words = ["play", "or-debug", "--limit", "1"]
    text = f"Diagnosis: the budget\nAction: GET_IIS()\n\n\nDiagnosis: none\nAction: SUBMIT(){end}"
    done = CliRunner().invoke(cli, words, input=text, catch_exceptions=False)
    assert done.exit_code == 0 and "an empty line ends it" in done.output
    (samples,) = (own_folder / "runs").glob("*/samples.jsonl")
    first, second = json.loads(samples.read_text())["turns"]
    assert first["reply"] == "Diagnosis: the budget\nAction: GET_IIS()"
    assert second["info"]["action"] == "SUBMIT" and second["info"]["step"] == 1


def test_the_end_of_the_input_stops_a_play(own_folder: Path) -> None:
    done = CliRunner().invoke(cli, ["play", "or-bias", "--limit", "3"], input="Order 120\n\n")
    assert done.exit_code == 0 and "1 of 3 answered" in done.output
    (run,) = (own_folder / "runs").glob("*/run.json")
    assert json.loads(run.read_text())["options"]["mode"] == "chat"


def test_models_list_as_json() -> None:
    base, *tuned = json.loads(call("models", "list", "--json").stdout)
    assert base["model"] == "ordojo/smollm2"
    assert {one["model"] for one in tuned} == {"ordojo/smollm2-newsvendor", "ordojo/smollm2-repair"}
    assert {one["path"] for one in tuned} == {base["path"]}


def test_a_stop_while_a_library_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(prog_name: str) -> None:
        class Part:
            def __set_name__(self, owner: type, name: str) -> None:
                raise KeyboardInterrupt

        type("Whole", (), {"part": Part()})

    monkeypatch.setattr("ordojo.cli.cli", stopped)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 130
