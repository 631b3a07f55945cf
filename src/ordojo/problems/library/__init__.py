"""The templates, one file each."""
