"""How a true problem is told: so that its text has to be understood, not searched.

`figures` tells numbers by way of others, `words` calls things by what is known of them, `rules`
tells limits in parts; `reading` is what one who has all this in view reads out of a text.
"""
