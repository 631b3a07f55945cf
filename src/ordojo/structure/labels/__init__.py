"""What a family means: its semantic type, its loop scaffold, its class; a model's application."""

from ordojo.structure.labels.domains import GroupLabel
from ordojo.structure.labels.labels import Application, FamilyLabel, Labels, label, name
from ordojo.structure.labels.miplib import CLASSES
from ordojo.structure.labels.show import show
from ordojo.structure.labels.vocabulary import Scaffold, Semantic

__all__ = [
    "CLASSES",
    "Application",
    "FamilyLabel",
    "GroupLabel",
    "Labels",
    "Scaffold",
    "Semantic",
    "label",
    "name",
    "show",
]
