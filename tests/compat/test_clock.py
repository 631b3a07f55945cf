"""A step of the machine's clock ends no solve: HiGHS and SCIP measure their limits by it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_TURNED = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
int clock_gettime(clockid_t which, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    static int asked;
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(which, now);
    if (which == CLOCK_REALTIME && getenv("TURN")) now->tv_sec += 3600 * (asked += asked < 40);
    return code;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec found;
    int code = clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return code;
}
"""
"""A system clock that is turned an hour on, forty times, when `TURN` has been set."""

_ALONE = """
from highspy import Highs
solver = Highs()
solver.setOptionValue("output_flag", False)
solver.setOptionValue("time_limit", 60.0)
x = [solver.addBinary(obj=-(i * 37 % 91 + 1)) for i in range(40)]
for k in range(6):
    solver.addConstr(sum((i * (k + 13) % 47 + 1) * v for i, v in enumerate(x)) <= 300)
solver.writeModel("model.mps")
import os
os.environ["TURN"] = "1"
solver.run()
print(solver.getModelStatus().name)
"""
_READ = """
import os
import sys
from dataclasses import replace
from pathlib import Path
from ordojo.solvers.problem import (Problem, CallbackReply)
from ordojo.compat.service.work import perform
from ordojo.milp.files import read_model
from ordojo.solvers.highs_model import solve_exactly
from ordojo.solvers.highs import HighsOracle
from ordojo.problems.instances import solve
model = read_model(Path("model.mps"))
broken = replace(model, row_upper=model.row_upper - 1e5)
problem = Problem(model)
for what in sys.argv[1:]:
    if not os.fork():
        perform(problem, 60.0)
        os.environ["TURN"] = "1"
        print(eval(what))
        sys.exit()
    os.wait()
"""
"""Prints each expression, in a fork of its own: the clock is turned anew in each."""
_OURS = {
    "perform(problem, 60.0).status.name": "OPTIMAL",
    "perform(problem, 60.0, lambda event: CallbackReply()).status.name": "OPTIMAL",
    "perform(problem, 60.0, lambda event: CallbackReply(), 'scip').status.name": "OPTIMAL",
    "HighsOracle().solve(model, 60.0).status.name": "OPTIMAL",
    "HighsOracle().solve(broken, 60.0).status.name": "INFEASIBLE",
    "HighsOracle().iis(broken, 60.0).method.replace(' ', '-')": "dual-ray",
    "solve_exactly(model, 60.0).status.name": "OPTIMAL",
    "solve(model, 60.0).status.name": "OPTIMAL",
    "__import__('ordojo').solve(model, solver='scip').status.name": "OPTIMAL",
}
"""What is printed in each, with the clock turned: services, oracles and certificates."""


@pytest.mark.skipif(
    not shutil.which("cc"), reason="no C compiler: it makes the clock that is turned"
)
def test_a_step_of_the_clock_ends_no_solve(tmp_path: Path) -> None:
    (tmp_path / "turned.c").write_text(_TURNED)
    made = ["cc", "-shared", "-fPIC", "-o", tmp_path / "turned.so", tmp_path / "turned.c", "-ldl"]
    subprocess.run(made, check=True)
    environment = {**os.environ, "LD_PRELOAD": str(tmp_path / "turned.so")}
    for program, asked in ((_ALONE, {"": "kTimeLimit"}), (_READ, _OURS)):
        done = subprocess.run(
            [sys.executable, "-c", program, *asked],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.stdout.split() == [*asked.values()], done.stderr
