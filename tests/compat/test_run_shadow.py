"""The runner that puts our layers under the libraries' names."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

MODEL = """
import gurobipy as gp
m = gp.Model()
x = m.addVar(ub=3, vtype="I")
m.addConstr(2 * x <= 5)
m.setObjective(x, gp.GRB.MAXIMIZE)
m.optimize()
print("= x", x.X)
"""


def _each(*files: Path, seconds: float = 30) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.compat.run_shadow", "--seconds", str(seconds)]
    found = subprocess.run(
        [*command, "--each", *map(str, files)], capture_output=True, text=True, timeout=120
    )
    assert found.returncode == 0, found.stderr
    return [json.loads(line) for line in found.stdout.splitlines()]


def _write(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return [folder / f"{name}.py" for name in texts]


def test_one_program_runs_as_its_own_main_and_reports_on_descriptor_3(tmp_path: Path) -> None:
    text = MODEL + "import sys\nprint(__name__, sys.argv, file=sys.stderr)\nsys.exit(4)\n"
    (file,) = _write(tmp_path, one=text)
    reader, writer = os.pipe()
    command = f"exec 3>&{writer}; exec {sys.executable} -m tests.compat.run_shadow {file}"
    found = subprocess.run(
        ["bash", "-c", command], pass_fds=[writer], capture_output=True, text=True, timeout=60
    )
    os.close(writer)
    with os.fdopen(reader) as stream:
        report = json.loads(stream.read())
    assert (report["status"], report["objective"]) == (2, 2.0)
    assert report["error"] == {"class": "SystemExit", "code": 4}
    assert [solve["ending"] for solve in report["solves"]] == ["optimal"]
    assert found.returncode == 4
    assert "= x 2.0" in found.stdout
    assert f"__main__ ['{file}']" in found.stderr


def test_programs_do_not_see_each_other_and_a_failing_one_stops_none(tmp_path: Path) -> None:
    files = _write(
        tmp_path,
        first=MODEL + "import gurobipy\ngurobipy.GRB = None\nopen('left', 'w').close()\n",
        raises="import gurobipy as gp\nraise gp.GurobiError(10003, 'no')\n",
        dies="import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
        sleeps="import time\ntime.sleep(60)\n",
        last=MODEL + "import os\nprint('= files', [f for f in os.listdir() if f == 'left'])\n",
    )
    first, raises, dies, sleeps, last = _each(*files, seconds=4)
    assert first["status"] == last["status"] == 2
    assert last["lines"] == ["x 2.0", "files []"]
    assert raises["error"]["class"] == "GurobiError"
    assert dies["error"]["class"] == sleeps["error"]["class"] == "Died"
    assert "time" in sleeps["error"]["message"]


def test_both_libraries_are_ours_and_the_runner_leaves_a_program_its_own_names(
    tmp_path: Path,
) -> None:
    text = "import {0}\nprint('=', {0}.__file__)\n"
    files = _write(tmp_path, g=text.format("gurobipy"), c=text.format("coptpy"))
    lines = [line for record in _each(*files) for line in record["lines"]]
    assert [Path(line).parts[-4:-1] for line in lines] == [
        ("ordojo", "compat", "gurobipy"),
        ("ordojo", "compat", "coptpy"),
    ]
    (record,) = _each(
        *_write(tmp_path, names="print('=', sorted(n for n in dir() if n[0] != '_'))")
    )
    assert record["lines"] == ["[]"]


def test_a_model_that_is_no_name_of_the_program_is_known_by_its_solve(tmp_path: Path) -> None:
    body = "\n".join("    " + line for line in MODEL.splitlines())
    (record,) = _each(*_write(tmp_path, inner=f"def main():\n{body}\nmain()\n"))
    assert record["status"] is None
    assert record["objective"] == 2.0
