"""Reading the letter that a person would take a free answer to mean.

Every repetition in the patterns is bounded, so that no reply costs more than its length.
"""

import re
from collections.abc import Iterator

from ordojo.core.replies import after_thinking, plain

_HEAD, _TAIL = 2_000, 20_000
"""Characters that are read of a longer reply, at its two ends."""

_NEXT_QUESTION = re.compile(r"\n(?:Context|Question):")
_EDGE = r"(?![A-Za-z0-9_'+]|-[A-Za-z])"
# A small "a" is an article unless punctuation follows it.
_LETTER = rf"[(\[<]?\s?((?-i:[A-D]|[b-d]|a(?=\s?(?:[.)\],:;!?]|$)))){_EDGE}"
_NOUN = r"(?:option|choice|answer|letter)"
_IS = r"(?:is|was|would be|should be|must be|will be|has to be)"
_ADVERB = r"(?:(?:[a-z]{2,12}ly|therefore|thus|indeed|hence|still|most)\s)"
_FLAGS = re.IGNORECASE | re.MULTILINE

_BOXED = re.compile(
    r"boxed\s{0,3}\{[\s({]{0,4}(?:\\[a-z]{1,12}\s{0,2}\{)?[\s({]{0,4}([A-Da-d])\s{0,3}[)}.:]"
)
_STATEMENTS = (
    # The answer (to this question) is B; answer: B; option: B
    re.compile(
        r"\b(?:(?:answer|ans)\b(?:(?!\s(?:(?-i:[A-D])|not|whether|if)\b|n't)[^.\n:;,?!]){0,60}?"
        r"|(?:option|choice|selection)\b)"
        rf"(?:\s?[:=]|\s?[-–—→]>?\s|\n|\s{_IS}\b)\s?:?\s?{_ADVERB}{{0,2}}"
        rf"(?:(?:the\s)?{_NOUN}\s?:?\s)?{_LETTER}",
        _FLAGS,
    ),
    re.compile(rf"答案(?:应该|应)?(?:是|为|為|选|選)?\s?:?\s?(?:选项)?\s?{_LETTER}", _FLAGS),
    # B is correct; B (the budget) is the best choice
    re.compile(
        r"(?<![A-Za-z0-9_'])(?<!nor )(?<!or )(?<!and )(?<!not )(?<!if )(?<!whether )(?<!is )"
        rf"[(\[]?((?-i:[A-D])){_EDGE}[)\].:]?(?:\s?\([^)\n]{{1,80}}\))?"
        r"\s(?:is|seems|looks|appears|must be|would be)(?:\sto be)?"
        rf"\s{_ADVERB}?(?:the\s)?(?:only\s|single\s|most\s)?"
        r"(?:correct|right(?![\s-]hand)|best|appropriate|accurate|suitable|answer)\b",
        _FLAGS,
    ),
    # I choose B
    re.compile(
        r"(?<!not )(?<!n't )\b(?:choose|chose|pick|select|go with|going with|go for|opt for"
        rf"|i(?:'d| would) say)\s(?:the\s)?(?:{_NOUN}\s)?:?\s?{_LETTER}",
        _FLAGS,
    ),
)
_CONCLUSION = re.compile(
    r"\b(?:therefore|thus|hence|so|it is|it's|must be|i think|i believe|i guess)[,:]?\s"
    rf"(?:(?:it is|it's|it must be)\s)?(?:{_NOUN}\s)?{_LETTER}"
    r"(?=\s?(?:[.)\],:;!?]|$)|\s(?:because|since|as)\b)",
    _FLAGS,
)
_MENTION = re.compile(
    rf"(?<![A-Za-z])(?<!not )(?<!nor )(?:{_NOUN}|statement|alternative|选项|选择|选|選)\s?{_LETTER}"
    rf"|\(((?-i:[A-D]))\)",
    _FLAGS,
)
_ALONE = re.compile(r"\W{0,8}([A-Da-d])\W{0,8}$")
_OPENING = re.compile(rf"[(\[\s–•-]{{0,6}}([A-D]|[a-d](?=[).\]:]|$)){_EDGE}")
_MARKER = re.compile(r"[(\[\s–•-]{0,6}([A-D])[)\].:]")
_ARTICLE = re.compile(r"A [a-z](?!ecause\b|ince\b)")
_SECOND = re.compile(
    rf"[)\]]?(?:\s?[,/&]\s?|\s)(?:(?:and|or)\s)?(?:{_NOUN}\s)?[(\[]?(?-i:[A-D])(?![A-Za-z0-9_'])"
    r"(?!\s(?:is|are|was|does|would|can|could|has|only)\b)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"[)\].:]?\s(?:\w{1,8}n't|cannot|fails|(?:(?:is|are|was|seems|does|can|could|would|should|may"
    r"|might|looks|has)\s)?(?:also\s|been\s|clearly\s)?"
    r"(?:not|incorrect|wrong|irrelevant|false|invalid|ruled|eliminated|excluded|too)\b)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。]\s|\n|。")


def read_letter(text: str) -> str | None:
    """The letter that a person would take a free answer to mean, None if there is none or two.

    Thinking is passed over, and what follows where a model poses itself the next question. In
    order: the last boxed letter; a first line that is a letter; the last statement ("the answer
    is B", "B is correct", "I choose B"); an opening "B. ..." or "B because ..." that is not the
    first of a list, nor the article "A"; the last conclusion ("so it is B"); a last line that is a
    letter or begins with one; the only option that is named and not denied, in the whole text or
    else in its last sentence.
    """
    text = after_thinking(text)
    own = _NEXT_QUESTION.split(text, maxsplit=1)[0]
    return _read(own) or (_read(text) if own != text else None)


def _read(text: str) -> str | None:
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    if boxed := _BOXED.findall(text):
        return str(boxed[-1]).upper()
    text = plain(text)
    lines = text.split("\n")
    if alone := _ALONE.match(lines[0]):
        return alone[1].upper()
    markers = [marker[1] for line in lines if (marker := _MARKER.match(line))]
    listed = len(set(markers)) > 1
    if statements := _statements(text, listed):
        last = max(statements, key=lambda match: match.end())
        return None if _SECOND.match(text, last.end()) else last[1].upper()
    if not listed and (letter := _opening(lines[0])):
        return letter
    if conclusions := list(_CONCLUSION.finditer(text)):
        return conclusions[-1][1].upper()
    if ending := _ALONE.match(lines[-1]) or (None if listed else _MARKER.match(lines[-1])):
        return ending[1].upper()
    return _mentioned(text) or _mentioned(_SENTENCE_END.split(text.rstrip(".!?。"))[-1])


def _statements(text: str, listed: bool) -> list[re.Match[str]]:
    """All statements; one that runs into the next line may only announce a list of options."""
    found = (match for pattern in _STATEMENTS for match in pattern.finditer(text))
    return [match for match in found if not (listed and "\n" in match[0])]


def _opening(line: str) -> str | None:
    found = _OPENING.match(line)
    if found is None or _SECOND.match(line, found.end()) or _DENIED.match(line, found.end()):
        return None
    return None if _ARTICLE.match(line, found.start(1)) else found[1].upper()


def _mentioned(text: str) -> str | None:
    """The one letter that is named as an option, without denial or company."""

    def named() -> Iterator[str]:
        for match in _MENTION.finditer(text):
            if not (_DENIED.match(text, match.end()) or _SECOND.match(text, match.end())):
                yield (match[1] or match[2]).upper()

    letters = set(named())
    return letters.pop() if len(letters) == 1 else None
