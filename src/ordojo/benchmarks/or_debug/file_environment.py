"""OR-Debug-Bench answered by files: each reply is the model written anew in LP format."""

from ordojo.benchmarks.or_debug.program_environment import ProgramEnvironment
from ordojo.benchmarks.or_debug.program_prompts import FILE_ASK, file_opening
from ordojo.benchmarks.or_debug.prompts import named
from ordojo.benchmarks.or_debug.rewritten import Rewritten, read_reply
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.benchmarks.or_debug.silent.asking import solution_text
from ordojo.core.environment import Message
from ordojo.core.instance import Instance


class FileEnvironment(ProgramEnvironment):
    """One whole model a turn, until it is OPTIMAL, time is up, or no more files come.

    It is read and solved here, and compared as the model of a program is; no program is run. A
    turn's `info` is that of `ProgramEnvironment`, of which "program" says what file was found.
    """

    waits = False
    _what, _ask = "File", FILE_ASK

    def _prepare(self) -> None:
        """Nothing is run."""

    def _opening(self, instance: Instance[Debugging]) -> tuple[Message, ...]:
        return file_opening(instance.problem, self._options, self._found())

    def _take(self, text: str) -> Rewritten:
        return read_reply(text, self._bench, self._options.time_limit)

    def _found(self) -> str:
        shown = solution_text(self._bench)
        return f"Status: {self._bench.status.value}\n{shown or f'IIS: {named(self._shown())}'}"
