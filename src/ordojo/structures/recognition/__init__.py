"""Is a flat model one of a library's problems? The declaration is matched, and the match proved.

`recognise` takes a `Flat` and a library of declarations (`Known`). `pattern.py` multiplies their
rules out: which entries a row of each family has. `assign.py` rules most declarations out by the
kinds of rows and columns, then finds the families that rows can be of, and the groups that columns
can be of, by signs, senses and sums; `keys.py` joins the indices of rows and columns that a
letter says are one, which gives the sets; `data.py` solves for the numbers of the tables.
`recognise.py` builds the declaration from those tables and compares the model with the flat one,
number by number: what is told is a `Recognition` with that certificate, or nothing.
"""

from ordojo.structures.recognition.recognise import UNDETERMINED, Known, Recognition, recognise

__all__ = ["UNDETERMINED", "Known", "Recognition", "recognise"]
