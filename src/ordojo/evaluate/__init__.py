"""Running policies and language models over environments, and keeping what happened."""
