"""Figures about the datasets that others found or published, with their sources."""

from collections.abc import Mapping

ERROR_RATES: Mapping[str, float] = {
    "nl4opt": 0.26,
    "industryor": 0.54,
    "mamo-easy": 0.08,
    "mamo-complex": 0.24,
    "resocratic": 0.16,
    "nlp4lp": 0.22,
    "complexor": 0.24,
}
"""Share of wrong items in the original sets, lower bounds (survey of Xiao et al., 2025)."""

PUBLISHED_SIZES: Mapping[str, int] = {
    "mamo-easy": 652,
    "resocratic": 605,
    "nl4opt": 289,
    "nlp4lp": 269,
    "mamo-complex": 211,
    "industryor": 100,
    "complexor": 37,
    "bench4opt": 394,
    "optmath-bench": 166,
    "logior": 92,
    "miplib-nl": 223,
}
"""Items by the paper's figure 10 (arXiv paper 003)."""

EVALUATED: Mapping[str, str] = {
    "nl4opt": "nl4opt@cleaned-214",
    "mamo-easy": "mamo-easy@cleaned-545",
    "mamo-complex": "mamo-complex@cleaned-111",
    "industryor": "industryor@cleaned-42",
    "nlp4lp": "nlp4lp@cleaned-178",
    "resocratic": "resocratic@cleaned-403",
    "complexor": "complexor@cleaned-18",
    "optmath-bench": "optmath-bench@original-166",
    "logior": "logior@orthought-92",
    "bench4opt": "bench4opt@valid-423",
    "miplib-nl": "miplib-nl@original-223",
}
"""The version nearest to the one that the paper's tables 1, 7 and 8 were computed on."""

BUCKETS: tuple[tuple[str, int], ...] = (("<500", 500), ("<1,000", 1_000), ("<10,000", 10_000))
"""Scales by variables + constraints (figure 5); whatever is larger is LARGEST."""

LARGEST = ">=10,000"

PUBLISHED_BUCKETS: Mapping[str, int] = {"<500": 46, "<1,000": 21, "<10,000": 72, LARGEST: 84}
"""MIPLIB-NL's instances by scale, figure 5."""

_SETS = (
    "nl4opt",
    "mamo-easy",
    "mamo-complex",
    "industryor",
    "nlp4lp",
    "complexor",
    "resocratic",
    "optmath-bench",
    "bench4opt",
    "logior",
    "miplib-nl",
)

_SCENARIOS: Mapping[str, tuple[int, ...]] = {
    "Agriculture": (17, 30, 5, 6, 14, 0, 56, 0, 11, 0, 0),
    "Energy": (5, 33, 7, 1, 5, 0, 22, 6, 35, 0, 12),
    "Health": (45, 49, 53, 3, 49, 2, 41, 1, 20, 0, 6),
    "Retail": (16, 47, 37, 11, 21, 1, 40, 5, 0, 1, 1),
    "Environment": (8, 40, 0, 0, 9, 0, 12, 0, 0, 1, 6),
    "Education": (3, 32, 0, 3, 3, 0, 9, 0, 6, 0, 4),
    "Financial services": (8, 46, 2, 6, 6, 0, 21, 6, 44, 2, 9),
    "Transportation": (51, 73, 76, 18, 48, 7, 87, 50, 94, 67, 58),
    "Public utilities": (4, 29, 11, 0, 4, 1, 18, 12, 30, 2, 8),
    "Manufacturing": (61, 71, 8, 45, 68, 6, 230, 57, 90, 14, 23),
    "Software": (1, 0, 10, 1, 1, 1, 5, 2, 2, 0, 45),
    "Construction": (3, 56, 1, 1, 3, 0, 26, 0, 0, 0, 5),
    "Legal": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    "Customer service": (0, 2, 0, 0, 1, 0, 3, 0, 0, 0, 21),
    "Entertainment": (4, 44, 0, 0, 6, 0, 6, 0, 0, 0, 1),
    "Others": (4, 100, 1, 5, 4, 0, 29, 27, 62, 5, 24),
}

SCENARIOS: Mapping[str, Mapping[str, int]] = {
    name: {scenario: counts[column] for scenario, counts in _SCENARIOS.items()}
    for column, name in enumerate(_SETS)
}
"""Items by application, as the paper's table 3 labels them; no file carries these labels."""


def bucket(size: int) -> str:
    """The scale of a model with `size` variables and constraints together."""
    return next((name for name, limit in BUCKETS if size < limit), LARGEST)
