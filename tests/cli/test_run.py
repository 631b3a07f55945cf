"""`ordojo run`: programs for gurobipy and coptpy where neither is."""

import importlib.util
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordojo.cli import cli
from ordojo.core.errors import UsageError
from ordojo.milp.files import read_model

PROGRAM = """
import sys
import gurobipy as gp

model = gp.Model()
model.Params.OutputFlag = 0
x = model.addVar(ub=float(open("data/most.txt").read()), vtype="I", name="x")
model.setObjective(x, gp.GRB.MAXIMIZE)
model.optimize()
print("objective", model.ObjVal, sys.argv[1:])
"""
COPT = """
import coptpy as cp
from coptpy import COPT

model = cp.Envr().createModel("m")
x = model.addVar(lb=0, ub=4.5, vtype=COPT.INTEGER, name="x")
model.setObjective(x, COPT.MAXIMIZE)
model.solve()
print("objective", model.objval)
"""


def run(folder: Path, source: str, *words: str) -> Result:
    (folder / "program.py").write_text(source)
    return CliRunner().invoke(cli, ["run", *words, str(folder / "program.py")])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "most.txt").write_text("6.5")
    return tmp_path


@pytest.mark.parametrize("given", ["data", "data/most.txt", "./data"])
def test_output_is_passed_on(here: Path, given: str) -> None:
    done = run(here, PROGRAM, "--file", given)
    assert done.exit_code == 0, done.stderr
    assert done.stdout == "objective 6.0 []\n"
    assert done.stderr == f"running {here / 'program.py'}\n"


def test_arguments(here: Path) -> None:
    (here / "program.py").write_text(PROGRAM)
    done = CliRunner().invoke(cli, ["run", "--file", "data", "program.py", "one", "two"])
    assert done.stdout == "objective 6.0 ['one', 'two']\n"


def test_json_has_the_solves(here: Path) -> None:
    done = run(here, PROGRAM, "--file", str(here / "data"), "--json", "--solver", "open")
    found = json.loads(done.stdout)
    assert found["outcome"] == "finished" and found["stdout"] == "objective 6.0 []\n"
    assert found["solves"][0]["objective"] == 6.0 and found["solves"][0]["solver"] == "highs"


def test_coptpy(here: Path) -> None:
    if importlib.util.find_spec("ordojo.compat.coptpy") is None:
        pytest.skip("no coptpy layer")
    done = run(here, COPT)
    assert done.exit_code == 0, done.stderr
    assert "objective 4.0" in done.stdout


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("print('half')\n1 / 0", "ZeroDivisionError"),
        ("print('half')\nimport sys\nsys.exit(3)", "exit code 3"),
        ("print('half')\nopen('most.txt')", "FileNotFoundError"),
    ],
)
def test_a_program_that_fails(here: Path, source: str, said: str) -> None:
    done = run(here, source)
    assert done.exit_code == 1 and done.stdout == "half\n" and said in done.stderr


def test_what_is_no_program_is_one_sentence(here: Path) -> None:
    done = run(here, "def f(:")
    assert isinstance(done.exception, UsageError)
    says = "program.py is no Python program, so nothing was run: invalid syntax (program.py, line"
    assert says in str(done.exception)
    assert "Traceback" not in done.stderr and "def f(:" in done.stderr
    (here / "model.lp").write_text("Minimize\n o: x\nEnd\n")
    done = CliRunner().invoke(cli, ["run", "model.lp"])
    assert isinstance(done.exception, UsageError) and "is a model" in str(done.exception)


def test_limits(here: Path) -> None:
    done = run(here, "while True: pass", "--time-limit", "1")
    assert done.exit_code == 1 and "time_limit" in done.stderr


def test_unsafe_is_said(here: Path) -> None:
    done = run(here, "print(1)", "--isolation", "unsafe")
    assert done.stdout == "1\n" and "not contained" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["absent.py"], "cannot read the program"),
        (["bytes.py"], "is not UTF-8"),
        (["good.py", "--file", "absent"], "no such file"),
        (["good.py", "--file", "empty"], "holds no files"),
        (["good.py", "--file", "data/most.txt", "--file", "{other}"], ""),
    ],
)
def test_bad_usage(here: Path, words: list[str], message: str) -> None:
    (here / "good.py").write_text("print(1)")
    (here / "bytes.py").write_bytes(b"\xff\xfe\x00x")
    (here / "empty").mkdir()
    words = [word.replace("{other}", str(here / "data")) for word in words]
    done = CliRunner().invoke(cli, ["run", *words])
    if message:
        assert isinstance(done.exception, UsageError) and message in str(done.exception)
    else:  # the same file given twice is no clash
        assert done.exit_code == 0


WRITER = """
import pathlib, sys
import gurobipy as gp

print("begun", flush=True)
model = gp.Model("plan")
model.Params.OutputFlag = 0
x = model.addVar(ub=float(open("most.txt").read()), name="x")
model.setObjective(x, gp.GRB.MAXIMIZE)
model.optimize()
pathlib.Path("results").mkdir()
pathlib.Path("results/big.bin").write_bytes(bytes(range(256)) * 5000)
pathlib.Path("empty.txt").touch()
pathlib.Path("link").symlink_to("/etc/passwd")
model.write("plan.lp")
"""


def test_what_a_program_writes_is_kept(here: Path) -> None:
    (here / "most.txt").write_text("6.5")  # found beside the program, as it names it
    done = run(here, WRITER, "--out", "out", "--write", "model.mps")
    assert done.exit_code == 0 and done.stdout == "begun\n", done.stderr
    kept = {str(path.relative_to("out")) for path in Path("out").rglob("*") if path.is_file()}
    assert kept == {"results/big.bin", "empty.txt", "plan.lp"}
    assert Path("out/results/big.bin").read_bytes() == bytes(range(256)) * 5000
    model = read_model("model.mps")
    assert (model.col_names, model.col_upper.tolist()) == (("x",), [6.5])
    for words, says in [(["--out", "out"], "is not empty"), (["--write", "model.mps"], "exists")]:
        again = run(here, WRITER, *words)
        assert isinstance(again.exception, UsageError) and says in str(again.exception)


def test_what_is_lost_is_said(here: Path) -> None:
    done = run(
        here, "open('new.txt', 'w').write('x')\nwhile True: pass", "--time-limit", "1", "--out", "o"
    )
    assert done.exit_code == 1 and "lacks what the program wrote" in done.stderr
    done = run(here, "print(1)", "--write", "none.mps")
    assert "solved no model" in str(done.exception)
    done = run(here, "open('nowhere.csv')")
    assert "--file gives it" in done.stderr


def test_files_of_folders_below_are_found(here: Path) -> None:
    (here / "cases" / "small").mkdir(parents=True)
    (here / "cases" / "small" / "n.txt").write_text("7")
    source = "import os\nprint(open(os.path.join('cases', 'small', 'n' + '.txt')).read())"
    assert run(here, source).stdout == "7\n"
    done = run(here, f"open({str(here / 'data' / 'most.txt')!r})")
    assert "under relative paths only" in done.stderr


def test_another_system_is_told_what_to_do(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordojo.sandbox.worker.platform.system", lambda: "Darwin")
    monkeypatch.setattr("ordojo.compat.capture._waiting", {})  # none of a former program's
    done = run(here, PROGRAM)
    assert "this is macOS" in str(done.exception) and "docker or podman" in str(done.exception)


def test_no_file_leaves_the_folder(here: Path) -> None:
    """A program that speaks the protocol itself reaches no other path."""
    attack = "from ordojo.sandbox import channel\nchannel.send(b'K', {name!r} + bytes(1) + b'x')\n"
    for name in (b"../evil.txt", b"/tmp/evil.txt", b""):
        done = run(here, attack.format(name=name), "--out", "kept")
        assert done.exit_code == 1 and not list(here.rglob("evil.txt"))
    done = run(here, attack.format(name=b"good.txt"))
    assert done.exit_code == 1  # nobody asked for files


def test_a_reader_that_leaves_ends_it_quietly(here: Path) -> None:
    (here / "program.py").write_text("for k in range(100_000):\n    print(k, flush=True)\n")
    start = [sys.executable, "-m", "ordojo", "run", "program.py"]
    done = subprocess.run(
        ["bash", "-c", f"{shlex.join(start)} | head -1; echo ${{PIPESTATUS[0]}}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "0\n1\n"
    assert done.stderr == "running program.py\n"
