"""How a true problem is told: so that its text has to be understood, not searched.

`rules` tells numbers by way of others, calls things by what is known of them and tells limits in
parts, `anew` has a language model tell them; `reading` is what one who has all this in view reads
out of a text.
"""
