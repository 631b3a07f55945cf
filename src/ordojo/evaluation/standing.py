"""How a run stands while it is made: score so far, tokens, cost, what was cut or failed."""

from ordojo.core.records import SampleRecord


class Standing:
    """Counts records as they come; `str` of it is a line's note."""

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._failed = self._tokens = self._cut = 0
        self._scores: list[float] = []
        self._cost = 0.0

    def count(self, record: SampleRecord) -> str:
        """Take a record in; how the run stands then."""
        self._failed += bool(record.error)
        self._cut += any(turn.cut for turn in record.episode.turns)
        self._tokens += record.usage.input_tokens + record.usage.output_tokens
        self._cost += record.usage.cost
        verdict = record.verdict(self._rule)
        if verdict is not None and verdict.score is not None:
            self._scores.append(verdict.score)
        return str(self)

    def __str__(self) -> str:
        parts = []
        if self._scores:
            parts.append(f"score {sum(self._scores) / len(self._scores):.3f}")
        if self._tokens:
            parts.append(f"{self._tokens:,} tokens")
        if self._cost:
            parts.append(f"${self._cost:.2f}")
        if self._cut:
            parts.append(f"{self._cut} cut at the token limit")
        if self._failed:
            parts.append(f"{self._failed} failed")
        return ", ".join(parts)
