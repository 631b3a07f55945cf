"""NL2Opt's environment: asks for a program, runs it in the sandbox, asks again after an error.

Programs are run in a `workshop`; what went wrong there, and no more, is told in the next turn.
"""

from collections.abc import Mapping
from typing import Any

from ordojo.benchmarks.nl2opt.items import equivalence
from ordojo.benchmarks.nl2opt.judge import DEFAULT, judge_with
from ordojo.benchmarks.nl2opt.prompts import prompt, repair_prompt
from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, AnswerReading, read_turn
from ordojo.benchmarks.nl2opt.rules import variants
from ordojo.benchmarks.nl2opt.schema import Nl2OptOptions, WordProblem
from ordojo.benchmarks.nl2opt.workshop import Workshop, leave, take
from ordojo.core.canonical import Json
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.episode import Episode, Turn
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.programs import find_program

_TAIL = 2000
"""Characters of the traceback and of the output that are shown."""

_SAID: Mapping[AnswerOutcome, str] = {
    AnswerOutcome.INFEASIBLE: "The solver says that the model is infeasible.",
    AnswerOutcome.UNBOUNDED: "The solver says that the model is unbounded.",
    AnswerOutcome.NO_SOLUTION: "The program ended without an optimal solution.",
    AnswerOutcome.PRINTED: "The program printed an answer without solving a model.",
    AnswerOutcome.TIME_LIMIT: "The time limit was reached.",
}


_OUTPUTS = (("Its error output", "stderr"), ("The solver's log", "log"), ("Its output", "stdout"))


def fault(reading: AnswerReading, info: Mapping[str, Any]) -> str:
    """What went wrong with an answer, as the next turn tells it; "" for one that has an optimum.

    Whether that optimum is the right one is not told: only what running the program shows.
    """
    if info["program"] is None:
        return f"No program was run: {info['program_problem']}."
    if reading.outcome in {None, AnswerOutcome.WRONG, AnswerOutcome.OTHERWISE}:
        return ""
    execution = info["execution"]
    parts = [_SAID.get(reading.outcome, "")]
    if reading.outcome not in _SAID:
        parts = [f"It ended as follows: {reading.detail or reading.outcome.value}."]
    elif reading.detail and reading.source == "model":
        parts.append(f"({reading.detail})")
    for title, key in _OUTPUTS:
        if shown := str(execution.get(key) or "").strip():
            parts.append(f"{title} ends with:\n{shown[-_TAIL:]}")
    return "\n\n".join(part for part in parts if part)


class Nl2OptEnvironment(Environment[WordProblem]):
    """Asks once, runs the program of the reply, and ends; with repair turns, up to `repair` more.

    Raises SandboxError, before anything is asked, where programs cannot be contained.

    Each turn's `info`: "program" (None without one, and then "program_problem"), "found" (how it
    was found), "execution" (outcome, exception, message, stdout, stderr, log, seconds, isolation),
    "solves" (the service's records), "repairs" (turns allowed). Where there is a reference model
    and something was solved, "equivalence"; where asked for, "retries" of edited programs if the
    answer is not right, for the leaking rules. The reward of a turn is its score under the rule
    that the options name, the strict one by default.
    """

    waits = True

    def __init__(self, options: Nl2OptOptions) -> None:
        self._options = options
        self._judge, self._reward = judge_with(DEFAULT), judge_with(options.reward)
        self._workshop: Workshop | None = take(options)
        self._instance: Instance[WordProblem] | None = None
        self._turn = 0

    def reset(self, instance: Instance[WordProblem], seed: int) -> Observation:
        """Ask; the prompt does not depend on `seed`."""
        if self._workshop is None:
            self._workshop = take(self._options)
        self._instance, self._turn = instance, 0
        return self._observe(prompt(instance.problem, self._options), fresh=True)

    def step(self, text: str) -> Step:
        """Run the program that `text` proposes."""
        instance, place = self._instance, self._workshop
        if instance is None or place is None:
            raise BenchmarkError("nl2opt: step() before reset(), or after the episode's end")
        self._turn += 1
        info: dict[str, Json] = {"repairs": self._options.repair}
        info |= self._try(text, instance, place)
        if self._turn <= self._options.repair and (what := fault(read_turn(info), info)):
            return Step(self._observe(repair_prompt(what), fresh=False), 0.0, info=info)
        self._instance = None
        episode = Episode((Turn((), "chat", text, 0.0, info),))
        reward = self._reward(instance, episode).score or 0.0
        return Step(None, reward, terminated=True, info=info)

    def close(self) -> None:
        """Let the sandboxes go; any number of times."""
        self._instance = None
        if self._workshop is not None:
            self._workshop = None
            leave(self._options)

    def _try(self, text: str, instance: Instance[WordProblem], place: Workshop) -> dict[str, Json]:
        """Find the program, run it, and put what happened into JSON."""
        found = find_program(text)
        if found.program is None:
            retries: dict[str, Json] = {"retries": []} if self._options.leaks else {}
            return {"program": None, "program_problem": found.problem, **retries}
        problem, options, inputs = instance.problem, self._options, instance.problem.inputs
        # A right program's models must not be answered sooner to others: that would name them.
        is_right = found.program.strip() == problem.program.strip()
        name = instance.content_hash + " right" * is_right
        run = place.run(name, found.program, inputs)
        info: dict[str, Json] = {
            "program": found.program,
            "program_problem": "",
            "found": found.how,
            "execution": run.to_json(),
            "solves": run.solves,
        }
        if problem.reference is not None and run.problems:
            wanted = str(read_turn(info).solve.get("hash", ""))
            info["equivalence"] = equivalence(problem.reference.place, run.problems, wanted)
        if options.leaks:
            edits = variants(found.program) if self._missed(instance, info) else ()
            info["retries"] = [
                {"edit": edit.name, "execution": again.to_json(), "solves": again.solves}
                for edit in edits
                for again in [place.run("", edit.program, inputs)]  # only on a miss: no cache
            ]
        return info

    def _missed(self, instance: Instance[WordProblem], info: Mapping[str, Json]) -> bool:
        episode = Episode((Turn((), "chat", "", 0.0, info),))
        return self._judge(instance, episode).outcome != "correct"

    def _observe(self, text: str, fresh: bool) -> Observation:
        options = self._options
        return Observation(
            (Message("user", text),),
            fresh=fresh,
            max_tokens=options.max_tokens,
            temperature=options.temperature,
        )
