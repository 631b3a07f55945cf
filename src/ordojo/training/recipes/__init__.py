"""Recipes: one YAML file says a whole run, from its data to its held-out figures.

`recipe.py` reads and checks the file, `estimate.py` says what it would cost without training,
`run.py` runs it.
"""

from ordojo.training.recipes.estimate import estimate
from ordojo.training.recipes.recipe import Recipe, RecipeSource, read_recipe, shipped
from ordojo.training.recipes.run import run, standing

__all__ = ["Recipe", "RecipeSource", "estimate", "read_recipe", "run", "shipped", "standing"]
