"""The stories of the templates, by template."""

from functools import cache
from importlib import import_module

from ordojo.benchmarks.orqa.build.story import Story
from ordojo.problems.registry import NAMES


@cache
def get_story(template: str) -> Story:
    """The story of a template; raises KeyError where there is none."""
    if template not in NAMES:
        raise KeyError(template)
    story: Story = import_module(f"{__name__}.{template}").STORY
    return story
