"""The solver service: the trusted half of `optimize()`, outside the sandbox.

In go messages of a program that nobody trusts (`compat/messages.py`): a problem, a callback's
reply, a question for an IIS or a basis. Out come answers in the same form, and for the judge a
record of every solve. `service.py` admits, charges the program's budgets, remembers results by
content and records; `processes.py` keeps warm solver processes and holds one conversation with
each; `worker.py` is the program of such a process, and the walls around it; `work.py` is what it
does with one request, by the adapters of `ordojo.solvers`.
"""

from ordojo.compat.service.service import Cache, Service, SolveRecord, SolverLimits, problem_hash

__all__ = ["Cache", "Service", "SolveRecord", "SolverLimits", "problem_hash"]
