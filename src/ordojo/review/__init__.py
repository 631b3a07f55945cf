"""A person's queue: label, accept, edit or reject; in the terminal or on a local web page."""
