"""Supervised fine-tuning on conversations, with TRL (paper 004, 4.2, table 28)."""

from ordojo.training.sft.data import Record, read_records
from ordojo.training.sft.stage import SftConfig, run

__all__ = ["Record", "SftConfig", "read_records", "run"]
