"""Finding the Python program in a reply: see `ordojo.core.programs`."""

from ordojo.core.programs import Block, Found, How, find_program

__all__ = ["Block", "Found", "How", "find_program"]
