"""Readers of free answers: what a careful person takes a text to state, None where that is unclear.

In goes the text of a reply or of a program's output, out comes a value (`values`), the letter of an
option (`letters`) or an order of four letters (`orders`). They know no benchmark. An answer that
could be meant in two ways is not guessed: a misreading is worse than an answer that is not read.
Every repetition in a pattern is bounded, so that no text costs more than its length.
"""
