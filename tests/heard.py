"""Who hears what the program says of its work."""

from ordojo.core.progress import CountedWork


class Heard:
    """Counted work as it was when it ended."""

    def __init__(self) -> None:
        self.ends: list[CountedWork] = []

    def doing(self, what: str, limit: float | None) -> None: ...
    def begun(self, work: CountedWork) -> None: ...
    def advanced(self, work: CountedWork) -> None: ...

    def ended(self, work: CountedWork) -> None:
        self.ends.append(work)
