"""The unified instance folder of paper 003, appendix B: one record bound to its files."""

from ordojo.structure.artifact.compression import compression, ratio
from ordojo.structure.artifact.folder import Artifact, read_artifact, write_artifact
from ordojo.structure.artifact.record import (
    INFEASIBLE,
    UNBOUNDED,
    DataFile,
    InstanceRecord,
    ProblemType,
    Verification,
)

__all__ = [
    "INFEASIBLE",
    "UNBOUNDED",
    "Artifact",
    "DataFile",
    "InstanceRecord",
    "ProblemType",
    "Verification",
    "compression",
    "ratio",
    "read_artifact",
    "write_artifact",
]
