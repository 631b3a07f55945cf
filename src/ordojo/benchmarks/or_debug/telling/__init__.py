"""How a true problem is told: so that its text has to be understood, not searched.

`figures` tells numbers by way of others, `rules` tells limits in parts and calls things by what is
known of them; `reading` is what one who has all this in view reads out of a text; `anew` has a
language model tell one, whose forms nobody has.
"""
