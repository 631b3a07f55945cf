"""What a family means: its semantic type, its loop scaffold, its class; a model's application."""

from ordojo.structure.labels.labels import GroupLabel, Labels, label, show
from ordojo.structure.labels.miplib import CLASSES
from ordojo.structure.labels.vocabulary import Application, FamilyLabel, Scaffold, Semantic, name

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
