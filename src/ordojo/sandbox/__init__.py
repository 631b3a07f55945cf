"""Running programs that nobody trusts: contained, limited, fast, and fail closed.

with Sandbox(limits=Limits(wall=10)) as sandbox:
    done = sandbox.run("print(6 * 7)")
done.outcome, done.stdout
"""

from ordojo.sandbox.outcome import Execution, Limits, Outcome
from ordojo.sandbox.plans import ISOLATIONS
from ordojo.sandbox.sandbox import Sandbox

__all__ = ["ISOLATIONS", "Execution", "Limits", "Outcome", "Sandbox"]
