"""The unified instance folder of paper 003, appendix B: one record bound to its files."""

from ordojo.structure.artifact.folder import (
    INFEASIBLE,
    UNBOUNDED,
    Artifact,
    DataFile,
    InstanceRecord,
    ProblemType,
    Verification,
    compression,
    ratio,
    read_artifact,
    write_artifact,
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
