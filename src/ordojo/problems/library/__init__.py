"""The templates by what they are about, each a function of its name under `template`.

`mixtures` (mixtures and shares), `flows` (how much goes where), `location` (which places),
`packing` (packing, cutting, loading), `periods` (plans over time), `scheduling` (who does what, and
when), and `budgets` (money).
"""
