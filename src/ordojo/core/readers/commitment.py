"""Whether a reply commits itself to what it states, or supposes it, leaves it open, takes it back.

One list of words for all readers. `sentence` is what stands before a statement in its own
sentence, and the statement; `after` what follows.
"""

import re

_I = r"\b(?:I|we|one)(?:'m| am|'ve| have|'re| are)?"
_WITHDRAWN = re.compile(
    rf"{_I} (?:\w+ly |just |still |also )?"
    r"(?:(?:do not|don't|can't|cannot|can not|couldn't|could not|no longer|not able to|unable to"
    r"|won't|wouldn't|didn't|haven't been able to)"
    r" (?:\w+ly |even |really )?(?:know|choose|decide|determine|pick|prefer|confirm|settle|commit"
    r"|guarantee|be (?:sure|certain)|(?:say|tell|see) (?:which|what|whether|for sure|with|where)"
    r"|have (?:an?|any|enough|the))"
    r"|(?:no|haven't got (?:an?|any)|haven't any)"
    r" (?:\w+ )?(?:answer|basis|result|idea|clue|way|preference)"
    r"|(?:take|took) (?:that|it|this|them) back|retract|withdraw|give up"
    r"|not (?:at all )?(?:sure|certain) (?:which|what|whether|that|any))\b"
    r"|\b(?:cannot|can't|can not|couldn't|could not|impossible to|no way to|not possible to)"
    r" (?:be )?(?:\w+ly )?(?:determined?|decided?|answered?|settled?|know(?:n)?|told|tell|said)\b"
    r"|\b(?:ignore|disregard|scrap|forget) (?:it|that|this|my|the (?:above|former|previous))\b"
    r"|\b(?:any|either|each|all|both|none)(?: one)? of (?:\w+ ){1,4}"
    r"(?:could|may|might|can) (?:\w+ )?(?:be|apply)\b"
    r"|\b(?:both|either|all)(?: \w+){0,2} (?:(?:is|are|seem|could be|may be|might be) )"
    r"(?:\w+ly )?(?:defensible|possible|plausible|conceivable|likely|arguable|valid)\b"
    r"|\b(?:that|this|it) (?:can't|cannot|can not) be (?:right|correct|true)\b"
    r"|\bno (?:valid|definite|clear|single|unique) (?:answer|result|order|choice)\b"
    r"|\bwhich (?:of (?:these|them|the two|those)|one|reading|version|case|assumption)\b"
    r"[^.?!\n]{0,40}\?"
    r"|\b(?:tell|let) me (?:know )?which\b|\bplease (?:specify|clarify|provide|give)\b"
    r"|\bseparates? them\b",
    re.IGNORECASE,
)
_REAFFIRMED = re.compile(
    r"\b(?:but|still|nevertheless|so|final answer|my (?:best )?(?:guess|answer|choice|estimate))\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:(?:is|was|are|were|been)(?:n't| not)|not) (?:given|stated|specified|provided|known|said"
    r"|told|clear)\b"
    r"|\b(?:doesn't|does not|didn't|did not|don't|do not|never) (?:say|state|tell|specify|mention"
    r"|give|know)\b|\bgives? no\b|\bambiguous\b|\bunclear\b|\bdepend(?:s|ing)\b|\bmissing\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|suppos(?:e|ing)|provided that|in case|for (?:example|instance)|had (?:the|we|it|you)"
    r"|were (?:the|we|it|you)|under|with(?:out)?|assuming|in the (?:\d|\w+ (?:case|version|film"
    r"|book|novel|hemisphere))|on the other (?:hand|reading))\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(r"\b(?:would|could|might|were)\b|\w'd\b", re.IGNORECASE)
_MADE_UP = re.compile(
    r"\b(?:if|had|suppos(?:e|ing)|for (?:example|instance)|e\.g\.|were)\b", re.IGNORECASE
)
_SUPPOSED = re.compile(
    r"^\W{0,6}(?:now |let's |let us |but )?(?:suppose|imagine|assume|pretend)\b", re.IGNORECASE
)
# "If I had to choose, I'd say": an answer all the same.
_PRESSED = re.compile(
    r"\bif (?:(?:I|you|we)(?:'m| am)? (?:had|have|must|were|was|forced|absolutely)|forced"
    r"|pressed)\b"
    r"(?: to| (?:\w+ )?forced to)?",
    re.IGNORECASE,
)


def is_withdrawn(after: str) -> bool:
    """Whether what follows a statement takes it back, or says that nothing can be decided."""
    after = after[:2_000]
    ends = [found.end() for found in _WITHDRAWN.finditer(after)]
    return bool(ends) and not _REAFFIRMED.search(after, ends[-1])


def is_supposed(sentence: str) -> bool:
    """Whether a statement is what would hold if something else did."""
    sentence = _PRESSED.sub("", sentence)
    if _SUPPOSED.search(sentence):
        return True
    return bool(_MADE_UP.search(sentence) and _UNREAL.search(sentence))


def is_conditional(sentence: str) -> bool:
    """Whether a statement holds in one case of several, such as "with replacement"."""
    return bool(_CONDITION.search(sentence))


def is_left_open(sentence: str, after: str) -> bool:
    """Whether a statement holds in one case, and the reply says that the case is not known."""
    return is_conditional(sentence) and bool(_OPEN.search(after[:500]))


_REPORTED = re.compile(
    r"\b(?:you|users?|students?|he|she|they|friends?|colleagues?|teachers?|people|somebody|someone"
    r"|text|question|prompt|book|key|instructions?|other model)\b[^.!?\n]{0,20}"
    r"\b(?:said|says?|wrote|writes?|claim(?:s|ed)?|thinks?|thought|asks?|chose|picked"
    r"|answer(?:s|ed)"
    r"|suggest(?:s|ed)?|propose[sd]?|order was|answer was|guess(?:ed)?)\b(?:(?!\bI\b|\bso\b"
    r"|\bbut\b)[^.!?\n]){0,40}$"
    r"|\byour \w+ (?:was|reads|said)\W{0,4}$"
    r"|\b(?:format|in the form|end with|template|such as|e\.g\.)\W{0,6}(?:answer\W{0,3})?$",
    re.IGNORECASE,
)


def is_reported(before: str) -> bool:
    """Whether a statement is somebody else's, or shows the form of an answer."""
    return bool(_REPORTED.search(before[-120:]))
