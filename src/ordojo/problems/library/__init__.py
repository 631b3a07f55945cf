"""The templates, by what they are about; each is a constant called by its name."""
