"""Recipes: one YAML file says a whole run, from its data to its held-out figures."""

from ordojo.training.recipes.estimate import estimate
from ordojo.training.recipes.recipe import Recipe, Source, read_recipe, shipped
from ordojo.training.recipes.run import run

__all__ = ["Recipe", "Source", "estimate", "read_recipe", "run", "shipped"]
