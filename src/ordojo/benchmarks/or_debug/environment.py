"""OR-Debug-Bench as an environment: an infeasible or wrong model, repaired action by action.

Or answered by whole models: each reply is a program, or an LP file, written anew.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from ordojo.benchmarks.or_debug import prompts, rewards
from ordojo.benchmarks.or_debug.actions import (
    DIAGNOSTIC,
    READ,
    REPAIR,
    Action,
    ActionKind,
    Invalid,
    parse_action,
)
from ordojo.benchmarks.or_debug.elements import Element, find_element, name_elements, read_diagnosis
from ordojo.benchmarks.or_debug.outcome import Ending, is_known, recall
from ordojo.benchmarks.or_debug.perform import (
    Done,
    Simulated,
    Workbench,
    brief,
    excerpt,
    is_large,
    oracle_of,
    perform,
    simulate,
)
from ordojo.benchmarks.or_debug.rewritten import PROGRAM, Rewritten, read_reply, run_reply
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions, check_options
from ordojo.compat.capture import lent_sandbox
from ordojo.compat.service import Cache
from ordojo.core.canonical import Json
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.readers.turn import after_thinking
from ordojo.milp.source import gurobipy_source
from ordojo.sandbox import Sandbox
from ordojo.solvers.answers import Status

LAST = 10
"""Lines of its history that the state of a large model has."""

Examples = Callable[[Instance[Debugging]], str]


class RepairEnvironment(Environment[Debugging]):
    """What the environments share: one reply a turn, after which the model is solved and paid.

    Raises SolverError where the oracle is not installed.

    Each turn's `info`: "action", "target" (an element's name, or as written), "valid" and else
    "reason"; "status", "iis", "iis_bounds", "iis_size", "objective" and "op" after it; "step"
    (counted so far) and "turn"; "diagnosis" (the elements named in this turn), "known" (the target
    was in the IIS before), "rewards" by rule, "label" by the option `labels`. The last turn
    has "end" (optimal, submit, limit), "final" and "da", see `Ending.info`.
    """

    def __init__(self, options: OrDebugOptions) -> None:
        self._options = options
        self._bench = Workbench(oracle_of(options), options.time_limit, options.simulate)
        self._reward = rewards.RULES[options.reward]
        self._instance: Instance[Debugging] | None = None

    def close(self) -> None:
        """Free the solvers; any number of times."""
        self._instance = None
        self._bench.close()

    def _begin(self, instance: Instance[Debugging]) -> None:
        self._instance, problem = instance, instance.problem
        self._bench.begin(problem)
        self._turn = self._step = 0
        self._diagnosed: dict[str, None] = {}
        self._repaired: dict[str, None] = {}
        self._conflicts = {*self._bench.rows, *self._bench.bounds}
        self._past = rewards.Past()
        # An IIS of bounds alone is what a diagnosis is measured by, whatever the option.
        both = self._options.iis == "rows+bounds" or not problem.iis_rows
        self._silent = problem.is_silent
        self._recorded = (*problem.iis_rows, *problem.iis_bounds) if both else problem.iis_rows
        if self._silent:
            self._recorded = problem.targets

    def _going_on(self) -> Instance[Debugging]:
        if self._instance is None:
            raise BenchmarkError("or-debug: step() before reset(), or after the episode's end")
        return self._instance

    def _turned(
        self,
        end: str,
        follow: Callable[[], Observation],
        said: Mapping[str, Json],
        diagnosis: Sequence[str],
        before: tuple[Collection[str], Collection[str]],
        known: tuple[bool, bool],
        kind: ActionKind | None = None,
        counted: bool = True,
        drift: Mapping[str, Json] | None = None,
        more: Mapping[str, Json] | None = None,
    ) -> Step:
        """Pay and record a turn that has been taken; `end` says why it is the last, "" if it isn't.

        `said` has the entries of `info` up to "reason", `more` those after "label". `before` are
        rows and bounds of the IIS that was seen, `known` whether the target is in that and in the
        new one; `drift` is what is known of it already.
        """
        instance, bench = self._going_on(), self._bench
        rows, bounds = before
        self._diagnosed.update(dict.fromkeys(diagnosis))
        self._conflicts.update(bench.rows, bench.bounds)
        diagnosed = tuple(self._diagnosed or self._repaired)
        ending = Ending(instance, bench, diagnosed, self._conflicts)
        over = ending.info(self._recorded, self._options, drift) if end else {}
        t = self._transition(
            rewards.Transition(
                kind=kind,
                status=rewards.paid(bench.status, instance.problem, over) if end else bench.status,
                step=self._step,
                turn=self._turn,
                counted=counted,
                last=bool(end),
                known_before=known[0],
                known_after=known[1],
                accuracy=recall(diagnosis, self._recorded) if diagnosis else None,
                episode_accuracy=recall(ending.diagnosed, self._recorded),
                size_before=len(rows) + len(bounds),
                size_after=len(bench.rows) + len(bench.bounds),
                counts=(_columns(rows, bounds), _columns(bench.rows, bench.bounds)),
                true_repair=rewards.is_true_repair(over),
                credit=rewards.credit_of(over),
                lost=rewards.has_lost(over),
                kept=rewards.kept_of(over),
                past=self._past,
            )
        )
        self._past = self._past.after(t)
        self._step += t.counted
        self._turn += 1
        info: dict[str, Json] = {
            **said,
            "status": bench.status.value,
            "iis": list(bench.rows),
            "iis_bounds": list(bench.bounds),
            "iis_size": t.size_after,
            "objective": bench.optimum,
            "op": ending.op,
            "step": self._step,
            "turn": self._turn,
            "diagnosis": list(diagnosis),
            "known": t.known_before,
            "rewards": {name: rule(t) for name, rule in rewards.RULES.items()},
            "label": rewards.LABELS[self._options.labels](t),
            **(more or {}),
        }
        if bench.error:
            info["error"] = clean(bench.error)
        if not end:
            return Step(follow(), self._reward(t), info=info)
        self._instance = None
        info |= {"end": end, **over}
        return Step(None, self._reward(t), end != "limit", end == "limit", info)

    # A protocol of its own has its own counts.
    def _transition(self, t: rewards.Transition) -> rewards.Transition:
        return t

    def _shown(self) -> tuple[str, ...]:
        bench = self._bench
        both = self._options.iis == "rows+bounds"
        return (*bench.rows, *bench.bounds) if both else bench.rows

    def _observe(self, messages: tuple[Message, ...], fresh: bool) -> Observation:
        return Observation(messages, fresh=fresh, max_tokens=self._options.max_tokens)


class OrDebugEnvironment(RepairEnvironment):
    """One action a turn on an infeasible model, until it is OPTIMAL, submitted, or time is up.

    A silently wrong model is shown with optimum, binding rows and plan, and ends when submitted.

    The state has the eight parts of paper 004, D.1. A repair changes the model and has it solved;
    a diagnostic action only looks; an invalid one is answered by the reason, and changes nothing.
    `examples` gives the text before the prompt, of solved cases.
    """

    def __init__(self, options: OrDebugOptions, examples: Examples | None = None) -> None:
        super().__init__(options)
        self._examples = examples

    def reset(self, instance: Instance[Debugging], seed: int) -> Observation:
        """Show the sabotaged model; only the simulator depends on `seed`."""
        self._seed = seed
        self._large = is_large(instance.problem)
        self._begin(instance)
        self._history: list[str] = []
        self._slacks = self._bounds = ""
        options = self._options
        self._before = self._examples(instance) if self._examples is not None else ""
        if options.history == "state" or self._silent:
            return self._observe(self._whole(), fresh=True)
        shown = prompts.body(instance.problem, self._code(), self._shown())
        return self._observe(prompts.opening(options, shown, self._before), fresh=True)

    def step(self, text: str) -> Step:
        """Take the action that `text` names, answer it, and end the episode where it is over."""
        self._going_on()
        bench = self._bench
        asked = self._read(text)
        diagnosis = name_elements(bench.model, asked.diagnosis) if asked.diagnosis else ()
        rows, bounds = bench.rows, bench.bounds
        target, done, kind = "", asked, None
        if isinstance(asked, Action):
            element = find_element(bench.model, asked.target) if asked.target else None
            target = element.name if element is not None else clean(asked.target)
            taken = self._take(asked, element)
            if isinstance(taken, Done):
                kind = asked.kind
                said = self._keep(asked, taken, target)
            else:
                done = taken
        reason = clean(done.reason) if isinstance(done, Invalid) else ""
        if reason:
            said = self._refuse(asked, reason)
        return self._turned(
            self._end(kind),
            lambda: self._follow(said),
            {
                "action": asked.kind.value if isinstance(asked, Action) else None,
                "target": target,
                "valid": not reason,
                "reason": reason,
            },
            diagnosis,
            (rows, bounds),
            (
                self._silent or is_known(target, bench.model, rows, bounds),
                is_known(target, bench.model, bench.rows, bench.bounds),
            ),
            kind,
            kind not in DIAGNOSTIC or self._options.count == "all",
        )

    @property
    def state(self) -> prompts.RepairState:
        """The eight parts as they now are; raises BenchmarkError outside an episode."""
        if self._instance is None:
            raise BenchmarkError("or-debug: no episode is going on, so there is no state")
        return prompts.RepairState(
            problem=self._instance.problem.text,
            code=self._code(),
            status=self._bench.status.value,
            iis=self._shown(),
            slacks=self._slacks,
            bounds=self._bounds,
            history=tuple(self._history[-LAST:] if self._large else self._history),
            step=self._turn,
            limit=self._options.max_steps,
            solution=prompts.solution_text(self._bench, self._large) if self._silent else "",
        )

    # A protocol of its own has its own replies, actions and texts.
    def _read(self, text: str) -> Action | Invalid:
        return parse_action(text, self._bench.model)

    def _take(self, asked: Action, element: Element | None) -> Done | Invalid:
        assert self._instance is not None
        return perform(self._bench, asked, element, self._options, self._guess(self._instance))

    def _refuse(self, asked: Action | Invalid, reason: str) -> str:
        shown = clean(str(asked)) if isinstance(asked, Action) else "no action"
        self._history.append(f"{shown}: not possible, {reason}")
        return f"That action is not possible: {reason}."

    def _guess(
        self, instance: Instance[Debugging]
    ) -> Callable[[ActionKind, str], Simulated] | None:
        if not self._options.simulate:
            return None
        bench = self._bench
        return partial(
            simulate,
            status=bench.status,
            iis=(*bench.rows, *bench.bounds),
            targets=instance.problem.targets,
            seed=self._seed,
            instance=instance.id,
            turn=self._turn,
        )

    def _keep(self, action: Action, done: Done, target: str) -> str:
        """Put an action that was taken into the state, and give back what is said of it."""
        if self._large:
            done = Done(brief(done.said), done.change, brief(done.slacks), brief(done.bounds))
        line = clean(str(action))
        if action.kind in REPAIR:
            self._repaired[target] = None
        if action.kind not in DIAGNOSTIC:
            self._slacks = self._bounds = ""
            line = f"{line}: {self._bench.status.value}"
        self._slacks = done.slacks or self._slacks
        self._bounds = done.bounds or self._bounds
        self._history.append(line)
        return done.said

    def _code(self) -> str:
        """The model's program as it now stands, or of a large one what is shown in its place."""
        bench = self._bench
        if self._large:
            return excerpt(bench.model, bench.rows, bench.bounds)
        first = bench.model is bench.problem.model
        return bench.problem.code if first else gurobipy_source(bench.model)

    def _end(self, kind: ActionKind | None) -> str:
        optimal = self._bench.status == Status.OPTIMAL and not self._silent
        if optimal and self._options.end == "optimal":
            return "optimal"
        if kind is ActionKind.SUBMIT:
            return "submit"
        return "limit" if self._turn + 1 >= self._options.max_steps else ""

    def _follow(self, said: str) -> Observation:
        if self._options.history == "state":
            return self._observe(self._whole(), fresh=True)
        bench = self._bench
        status = f"Status: {bench.status.value}"
        if bench.optimum is not None:
            status += f", objective {bench.optimum:.10g}"
        lines = [said, status]
        if self._silent and (shown := prompts.solution_text(bench, self._large)):
            lines.append(shown.partition("\n")[2])
        if bench.status == Status.INFEASIBLE:
            lines.append(f"IIS: {prompts.named(self._shown())}")
        if bench.error:
            lines.append("The solver cannot work with this model: undo the change, or RESTART.")
        lines.append(f"Action {self._turn} of {self._options.max_steps} done.")
        return self._observe((Message("user", "\n".join(lines)),), fresh=False)

    def _whole(self) -> tuple[Message, ...]:
        state = str(self.state)
        if self._silent:
            return prompts.silent_messages(self._options, state)
        return prompts.opening(self._options, state, self._before)


def _columns(rows: Collection[str], bounds: Collection[str]) -> int:
    """The size of an IIS in which a column counts once, with one bound or two."""
    return len(rows) + len({bound[:-3] for bound in bounds})


def clean(text: str) -> str:
    """A policy's text as it may be shown again: at most 300 characters, all printable."""
    text = text[:300]
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)


SECONDS = 60.0
"""Wall and processor time of a program; the solver has its own."""


class ProgramEnvironment(RepairEnvironment):
    """One whole program a turn, until its model is OPTIMAL, time is up, or no more programs come.

    A program runs in a sandbox with the open solvers behind it, and the last model that it solves
    is the answer; what the program does then does not matter. Raises SandboxError where programs
    cannot be contained, SolverError where the oracle is not installed, UsageError for settings
    that belong to actions.

    A turn's `info` is that of `OrDebugEnvironment`: "action" is "PROGRAM" (None without one),
    "valid" says that a model was solved. "status" is ERROR where a program solved none. "known"
    says that an element that it changed was in the IIS before. Besides: "program" (outcome,
    exception, message, solves, how it was found), "comparison" with the original (verdict: equal,
    different or unknown; reason), and "changed", the elements that differ from the sabotaged model.
    "end" may be "no program": two replies in a row had none.
    """

    waits = True

    def __init__(self, options: OrDebugOptions) -> None:
        check_options(options)
        super().__init__(options)
        self._cache = Cache()
        self._sandbox: Sandbox | None = None
        self._held = ExitStack()
        self._prepare()

    # How replies are asked for, and what becomes of one, is another thing where they are files.
    _what, _ask = "Program", prompts.PROGRAM_ASK

    def _prepare(self) -> None:
        if self._sandbox is None:
            lent = lent_sandbox(self._options.isolation, SECONDS)
            self._sandbox = self._held.enter_context(lent)

    def _opening(self, instance: Instance[Debugging]) -> tuple[Message, ...]:
        return prompts.program_opening(instance.problem, self._options, self._shown())

    def _take(self, text: str) -> Rewritten:
        assert self._sandbox is not None
        limit = self._options.time_limit
        return run_reply(text, self._bench, self._sandbox, limit, self._cache)

    def reset(self, instance: Instance[Debugging], seed: int) -> Observation:
        """Show the sabotaged program; nothing depends on `seed`."""
        self._prepare()
        self._begin(instance)
        self._was_silent = False
        return self._observe(self._opening(instance), fresh=True)

    def step(self, text: str) -> Step:
        """Run the program of `text`, answer it, and end the episode where it is over."""
        problem, bench = self._going_on().problem, self._bench
        model = problem.model
        diagnosis = read_diagnosis(after_thinking(text)[-READ:], model)
        rows, bounds = bench.rows, bench.bounds
        taken = self._take(text)
        self._repaired.update(dict.fromkeys(taken.changed))
        silent = taken.found.program is None
        end = self._end(silent)
        self._was_silent = silent

        def follow() -> Observation:
            said = prompts.feedback(taken, bench.status, self._shown())
            count = f"{self._what} {self._turn} of {self._options.max_steps} done. {self._ask}"
            return self._observe((Message("user", f"{said}\n{count}"),), fresh=False)

        return self._turned(
            end,
            follow,
            {
                "action": None if silent else PROGRAM,
                "target": "",
                "valid": not taken.reason,
                "reason": clean(taken.reason),
            },
            diagnosis,
            (rows, bounds),
            (
                any(is_known(name, model, rows, bounds) for name in taken.changed),
                any(is_known(name, model, bench.rows, bench.bounds) for name in taken.changed),
            ),
            # Without a reply a silently wrong model stands, and is held against the original.
            drift=None if silent and problem.is_silent else taken.same.drift,
            more={
                "program": taken.to_json(),
                "comparison": taken.same.comparison,
                "changed": list(taken.changed),
            },
        )

    def close(self) -> None:
        """Give the sandbox back and free the solvers; any number of times."""
        super().close()
        self._sandbox = None
        self._held.close()

    def _end(self, silent: bool) -> str:
        if self._bench.status == Status.OPTIMAL and not silent:
            return "optimal"
        if silent and self._was_silent:
            return "no program"
        return "limit" if self._turn + 1 >= self._options.max_steps else ""


class FileEnvironment(ProgramEnvironment):
    """One whole model a turn, until it is OPTIMAL, time is up, or no more files come.

    It is read and solved here, and compared as the model of a program is; no program is run. A
    turn's `info` is that of `ProgramEnvironment`, of which "program" says what file was found.
    """

    waits = False
    _what, _ask = "File", prompts.FILE_ASK

    def _prepare(self) -> None:
        """Nothing is run."""

    def _opening(self, instance: Instance[Debugging]) -> tuple[Message, ...]:
        return prompts.file_opening(instance.problem, self._options, self._found())

    def _take(self, text: str) -> Rewritten:
        return read_reply(text, self._bench, self._options.time_limit)

    def _found(self) -> str:
        shown = prompts.solution_text(self._bench)
        shown = shown or f"IIS: {prompts.named(self._shown())}"
        return f"Status: {self._bench.status.value}\n{shown}"
