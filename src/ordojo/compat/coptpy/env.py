"""coptpy's Envr."""

from typing import Any

from ordojo.compat.coptpy.model import Model


class EnvrConfig:
    """Settings for an environment; kept, and without effect."""

    def __init__(self) -> None:
        self._set: dict[str, str] = {}

    def set(self, name: str, value: str) -> None:
        """Keep a setting."""
        self._set[str(name)] = str(value)


class Envr:
    """Makes models."""

    def __init__(self, arg: Any = None) -> None:
        self._arg = arg

    def createModel(self, name: str = "") -> Model:
        """A new model."""
        return Model(name)

    def close(self) -> None:
        """Nothing: there is no licence to give back."""

    def dispose(self) -> None:
        """Nothing: there is no licence to give back."""

    def __enter__(self) -> "Envr":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


for _class in (Envr, EnvrConfig):
    _class.__module__ = "coptcore"
