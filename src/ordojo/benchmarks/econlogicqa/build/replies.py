"""A model whose every reply is stored as it arrives, so that nothing is asked twice."""

from pathlib import Path

from ordojo.core.canonical import digest
from ordojo.core.journal import Journal
from ordojo.core.policy import Generate


class Replies:
    """Wraps a model; also holds the build's lock, as long as it is open."""

    def __init__(self, path: Path, generate: Generate) -> None:
        """Read the replies stored in `path`; DataError if another build writes there."""
        self._journal = Journal(path)
        self._generate = generate
        self._known: dict[str, str] = {row["key"]: row["reply"] for row in self._journal.rows}

    def ask(
        self,
        purpose: str,
        article: str,
        prompt: str,
        *,
        seed: int,
        max_tokens: int,
        temperature: float = 0.0,
    ) -> str:
        """The stored reply, or the model's. An empty one is not stored: it is asked for again."""
        key = digest([purpose, article, prompt, seed, max_tokens, temperature])
        if key not in self._known:
            reply = self._generate(
                prompt, max_tokens=max_tokens, temperature=temperature, seed=seed
            )
            if not reply.strip():
                return ""
            self._journal.append(
                {
                    "key": key,
                    "purpose": purpose,
                    "article": article,
                    "prompt": digest(prompt),
                    "seed": seed,
                    "temperature": temperature,
                    "reply": reply,
                }
            )
            self._known[key] = reply
        return self._known[key]

    def __enter__(self) -> "Replies":
        return self

    def __exit__(self, *error: object) -> None:
        self._journal.close()
