"""The versioned registry of datasets: where they come from, their licence, hash and counts."""
