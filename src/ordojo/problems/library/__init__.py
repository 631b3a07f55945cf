"""The templates by what they are about, each a function of its name under `template`."""
