"""Supervised fine-tuning on conversations, with TRL (paper 004, 4.2, table 28)."""

from ordojo.training.sft.config import SftConfig
from ordojo.training.sft.data import Record, read_records
from ordojo.training.sft.stage import run

__all__ = ["Record", "SftConfig", "read_records", "run"]
