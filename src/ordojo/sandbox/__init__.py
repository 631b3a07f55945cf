"""Running programs that nobody trusts: contained, limited, fast, and fail closed.

In goes a program's text with its files and limits, out comes an `Execution`: how it ended as seen
from outside, and what it printed. `sandbox` takes the program; `worker` finds a way to confine
(`launch`, `layout`) and starts the fork server (`fork_server`), which confines itself
(`confinement`: `kernel`, `landlock`, `seccomp`), puts `standins` in place, imports what programs
need and forks one process for each (`program`). Meanwhile `watch` follows it from outside: output,
limits (`trees`, `cgroup`), and its requests to a service (`channel`), and concludes how it ended.
Nothing here trusts the program, nor knows what it is about.

with Sandbox(limits=Limits(wall=10)) as sandbox:
    done = sandbox.run("print(6 * 7)")
done.outcome, done.stdout
"""

from ordojo.sandbox.outcome import Execution, Limits, ProgramOutcome
from ordojo.sandbox.sandbox import Sandbox
from ordojo.sandbox.worker import ISOLATIONS

__all__ = ["ISOLATIONS", "Execution", "Limits", "ProgramOutcome", "Sandbox"]
