"""Reading the letter that a person would take a free answer to mean."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ordojo.core.readers.commitment import (
    is_conditional,
    is_left_open,
    is_reported,
    is_supposed,
    is_withdrawn,
)
from ordojo.core.readers.turn import after_thinking, own_part, plain

_HEAD, _TAIL = 2_000, 20_000
"""Characters that are read of a longer reply, at its two ends."""

_EDGE = r"(?![A-Za-z0-9_'+]|-[A-Za-z])"
# A small "a" is an article unless punctuation follows it.
_LETTER = rf"[(\[<]?\s?((?-i:[A-D]|[b-d]|a(?=\s?(?:[.)\],:;!?]|$)))){_EDGE}"
_NOUN = r"(?:option|choice|answer|letter)"
_IS = r"(?:is|was|would be|should be|must be|will be|has to be|to be)"
_ADVERB = r"(?:(?:[a-z]{2,12}ly|therefore|thus|indeed|hence|still|most)\s)"
_FLAGS = re.IGNORECASE | re.MULTILINE

_BOXED = re.compile(r"(?:\\fbox|boxed)\s{0,3}\{((?:(?!boxed)[^\n]){1,200})")
_IN_BOX = re.compile(r"[\s({]{0,4}(?:\\[a-z]{1,12}\s{0,2}\{)?[\s({]{0,4}([A-Da-d])\s{0,3}[)}.:]")
_STATEMENTS = (
    # The answer (to this question) is B; answer: B; option: B
    re.compile(
        r"\b(?:(?:answer|ans)\b\.?(?:(?!\s(?:(?-i:[A-D])|not|whether|if)\b|n't)[^.\n:;,?!]){0,60}?"
        r"|(?:correct|right|best)\s(?:one|fit|match)\b"
        r"|(?<!each )(?<!every )(?:option|choice|selection)\b(?: (?:that|here)[a-z ]{0,20}?)?)"
        rf"(?:\s?[:=.]|\s?[-–—→]>?\s|\n|\s{_IS}\b)\s?:?\s?{_ADVERB}{{0,2}}"
        rf"(?:(?:the\s)?{_NOUN}\s?:?\s)?{_LETTER}",
        _FLAGS,
    ),
    re.compile(
        r"(?:答案|选项|正解)(?:应该|应)?(?:是|为|為|选|選|は)?\s?:?\s?(?:选项)?\s?" + _LETTER,
        _FLAGS,
    ),
    # La respuesta correcta es B; die Antwort ist B
    re.compile(
        r"\b(?:respuesta|réponse|antwort|risposta|resposta)\b[^.\n:;,?!]{0,30}?"
        rf"(?:\b(?:es|est|ist|è|é)|:)\s{_LETTER}",
        _FLAGS,
    ),
    # B is correct; B (the budget) is the best choice
    re.compile(
        r"(?<![A-Za-z0-9_'])(?<!nor )(?<!or )(?<!and )(?<!not )(?<!if )(?<!whether )(?<!is )"
        rf"[(\[]?((?-i:[A-D])){_EDGE}[)\].:]?(?:\s?\([^)\n]{{1,80}}\))?"
        r"\s(?:is|seems|looks|appears|must be|would be)(?:\sto be)?"
        rf"\s{_ADVERB}?(?:the\s)?(?:only\s|single\s|most\s)?"
        r"(?:correct|right(?![\s-]hand)|best|closest|appropriate|accurate|suitable|optimal|answer"
        r"|my (?:final )?(?:choice|answer|pick))\b",
        _FLAGS,
    ),
    # I choose B
    re.compile(
        r"(?<!not )(?<!n't )(?<!inclined to )(?<!tempted to )(?<!wanted to )"
        r"\b(?:choose|chose|pick|select|stay with|stick with|go with|going with|go for|opt for"
        rf"|lean towards?|i(?:'d| would) say|i(?:'ll| will) answer|wähle|elijo|choisis|scelgo)"
        rf"\s(?:the\s)?(?:{_NOUN}\s)?:?\s?{_LETTER}",
        _FLAGS,
    ),
    # The answer is not A but B
    re.compile(
        rf"\bnot\s{_NOUN}?\s?[(\[]?(?-i:[A-D])[)\]]?,?\sbut\s(?:rather\s)?{_LETTER}", _FLAGS
    ),
)
# "Réponse : D", "Best: D": a line that is a label and a letter, in whatever language.
_LABELLED = re.compile(
    rf"^(?!(?:option|choice|statement"
    rf"|[A-Za-z])\b)[^\W\d][^\n:=→]{{0,30}}[:=→]>?\s?{_LETTER}\W{{0,3}}$",
    _FLAGS,
)
_ANSWERED = re.compile(rf"^Q(?:uestion)?\s?:[^\n]*\nA\s?:\s?{_LETTER}\W{{0,3}}$", _FLAGS)
_CONCLUSION = re.compile(
    r"\b(?:therefore|thus|hence|so|it is|it'?s|that(?:'s| is)|(?:it )?(?:must|should|has to) be"
    r"|i think|i believe|i guess|i meant|leaves|(?:most )?(?:likely|probably)|imh?o|definitely"
    r"|certainly|surely|clearly|obviously|my (?:best )?(?:guess|pick|vote)(?: is)?)[,:]?\s"
    rf"(?:(?:it is|it's|it must be)\s)?(?:{_NOUN}\s)?{_LETTER}"
    r"(?=\s?(?:[.)\],:;!?(]|$)|\s(?:because|since|as|after all)\b)",
    _FLAGS,
)
_GUESSED = re.compile(rf"(?:^|[,.]\s){_LETTER},?\s(?:i guess|i think|i believe|it is)\b", _FLAGS)
_CORRECTION = re.compile(
    r"\b(?:wait|actually|sorry|correction|reconsider\w{0,4}|on second thoughts?|edit\s?:)"
    r"|[?.—–-]\s?no[,.:;]",
    re.IGNORECASE,
)
_MENTION = re.compile(
    rf"(?<![A-Za-z])(?<!not )(?<!nor )(?:{_NOUN}|statement|alternative|选项|选择|选|選)\s?{_LETTER}"
    rf"|(?<!and )(?<!or )\(((?-i:[A-D]))\)",
    _FLAGS,
)
_ALONE = re.compile(r"(?:\d[.)]\s)?\W{0,8}([A-Da-d])\W{0,8}$")
_LAST_SENTENCE = re.compile(r"[.!?:]\s\(?([A-D])\W{0,4}$")
_OPENING = re.compile(rf"[^\w\n'|✗✘❌]{{0,6}}([A-D]|[a-d](?=[).\]:]|$)){_EDGE}")
_MARKER = re.compile(r"[(\[\s–•-]{0,6}([A-D])[)\].:]")
_ARTICLE = re.compile(r"A\s[a-z](?!ecause\b|ince\b)")
_SECOND = re.compile(
    rf"[)\]]?(?:\s?[,/&]\s?|\s)(?:(?:and|or)\s(?:{_NOUN}\s)?[(\[]?(?-i:[A-D])(?![A-Za-z0-9_'])"
    rf"|(?:{_NOUN}\s)?[(\[]?(?-i:[A-D])(?![A-Za-z0-9_'])"
    r"(?!\s(?:is|are|was|does|would|can|could|has|only)\b))",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"[)\].:]?\s(?:\w{1,8}n't|cannot|fails|(?:(?:is|are|was|seems|does|can|could|would|should|may"
    r"|might|looks|sounds|has)\s)?(?:also\s|been\s|clearly\s)?"
    r"(?:not|tempting|plausible|possible|attractive|close|out|partly|partially|incorrect|wrong"
    r"|irrelevant|false|invalid|ruled|eliminated|excluded|too)\b)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。]\s|\n|。")
_FINISHED = re.compile(r"[.!?。)\]]\W{0,3}$|\b[A-D]$")

# A list of the options with a verdict on each.
_JUDGED = re.compile(
    r"[^\w✓✔✅]{0,4}(?P<tick>x\]\s"
    r"|[✓✔✅]\s)?\W{0,4}(?:option\s)?(?-i:([A-D]))(?![\w'])(?P<rest>.{0,200})",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"[✗✘❌]|\b(?:incorrect|wrong|false|no|not|partially|partly)\b|n't", re.IGNORECASE
)
_GOOD = re.compile(r"[✓✔✅]|\b(?:correct|right(?![\s-]hand)|true|yes)\b", re.IGNORECASE)

# Words that tell of an option without choosing it.
_ABOUT = re.compile(
    r"[)\].:]?,?\s(?:\(.{0,40}\)\s)?(?:says|states|(?:is|talks) about|concerns|refers|mentions"
    r"|reads"
    r"|asks|would|could|might|may|first)\b",
    re.IGNORECASE,
)
# The answer is B if ..., else C
_ELSE = re.compile(r",?\s(?:if|when|unless|provided|in case)\b[^.\n]{0,100}\b[A-D]\b")
_CLAUSE_END = re.compile(r";|,\s(?:so|but|thus|hence|therefore)\b")
_RAISED = re.compile(r"(?<=\b[A-D])[¹²³⁰⁴-⁹]{1,2}")
_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*")
_OR = re.compile(r"\b(?:or|either|and)\b", re.IGNORECASE)
_FINAL = re.compile(
    r"\banswer(?:\sis)?\s?:?\s(?:is\s|that is\s)?([^\n]{1,200}?)(?:\.(?=\s|$)|$|\n)",
    re.IGNORECASE | re.MULTILINE,
)
_AGAIN = re.compile(r"^\W{0,6}[A-D][.):]\s")
_OTHER = re.compile(r"\b(?:rather than|instead of|not|over|unlike)\s(?:option\s)?[A-D]\b")
# The only letter of a reply, where it stands as an answer does: at the end of a clause.
_ANY = re.compile(
    r"(?<![A-Za-z0-9_'./|])(?<![A-Za-z]-)(?<!\d )"
    r"([B-D]|A(?!\s(?!the\b|and\b|or\b|o\b|ou\b|oder\b|y\b|e\b|et\b|und\b|fits\b|holds\b"
    r"|works\b|wins\b|remains\b)[a-z]))"
    r"(?![A-Za-z0-9_'+/-])"
)
_STANDS = re.compile(
    r"[)\]]?\s?(?:[.!,;:…)।।]|$|\n|—|–|[^\x00-\u024f\W])"
    r"|\s(?:(?:is\s)?the (?:right(?![\s-]hand)|correct|best|only)|fits|works|holds|wins|remains"
    r"|because|since|as)\b"
)
_DOUBT = re.compile(
    r"\b(?:not|nor|neither|never|if|or|whether|unless|unsure|unclear|cannot|could|might|maybe|may"
    r"|perhaps|consider|look|wrong|incorrect|false|would|let|vitamin|plan|type|class|grade|figure"
    r"|vector|matrix|point|column|row|step|first|suppos\w*|imagine|assum\w*|sa(?:ys|id)|claims?"
    r"|hepatitis|options?|part)\b|n't\b|\?",
    re.IGNORECASE,
)

_NUMBERED = re.compile(
    rf"\b(?:{_NOUN}\s(?:number\s)?([1-4])(?![\d.])"
    rf"|(?:the\s)?(first|second|third|fourth|last)(?=\s(?:one|{_NOUN})\b)"
    r"|\A(?:the\s)?(first|second|third|fourth|last)\W{0,2}\Z)",
    re.IGNORECASE,
)
_ORDINALS = {"1": "A", "2": "B", "3": "C", "4": "D"} | {
    "first": "A",
    "second": "B",
    "third": "C",
    "fourth": "D",
    "last": "D",
}
_SHORT = 200
"""Characters up to which a reply may be an option told in words; a longer one weighs several."""


class _Found(NamedTuple):
    """A letter, "" where two are meant, and where in the text it is stated."""

    letter: str
    start: int
    end: int


def read_letter(text: str, options: Sequence[str] = ()) -> str | None:
    """The letter that a person would take a free answer to mean, None if there is none or two.

    Thinking is passed over, and what follows where a model poses itself the next question. In
    order: the last boxed letter; what follows a correction ("Wait, ..."); a first line that is a
    letter; the last statement ("the answer is B", "B is correct", "I choose B", "Best: B"); the
    only option called right in a list of them; an opening "B. ..." or "B because ..." that is not
    the first of a list, nor the article "A"; the last conclusion ("so it is B"); a last line that
    is a letter or begins with one; the option that is told by its text or number, without a
    letter; the only option that is named and not denied, in the whole text or else in its last
    sentence. A letter that is followed by the text of another of the `options` is none.
    """
    text = after_thinking(text)
    own = own_part(text)
    return _read(own, options) or (_read(text, options) if own != text else None)


def _read(text: str, options: Sequence[str]) -> str | None:
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    text = _RAISED.sub("", text)
    if boxed := _BOXED.findall(text):
        return _boxed(text, boxed, options)
    marked = {one.strip(" .") for one in _BOLD.findall(text)}
    text = plain(text)
    corrections = [text[one.end() :].lstrip(" :,.-—–") for one in _CORRECTION.finditer(text)]
    for part in (*corrections[:-4:-1], text):
        if part and (found := _stated(part)):
            return _held(part, found, options)
    if is_withdrawn(text):
        return None
    named = {letter for one in marked if (letter := _option(one, options))}
    return (
        _told(text, options)
        or (named.pop() if len(named) == 1 and len(text) <= _SHORT else None)
        or _paired(text, options)
        or _mentioned(text)
        or _mentioned(_last_sentence(text))
        or _lone(text)
    )


def _boxed(text: str, boxed: Sequence[str], options: Sequence[str]) -> str | None:
    """The letter in the last box, None where two boxes are offered or the reply takes it back."""
    letters = [found[1].upper() for one in boxed if (found := _IN_BOX.match(one))]
    last = list(_BOXED.finditer(text))[-1]
    before = text[max(0, last.start() - 60) : last.start()]
    if is_withdrawn(text[last.end() :]) or (len(set(letters)) > 1 and _OR.search(before)):
        return None
    if _IN_BOX.match(boxed[-1]):
        return letters[-1]
    return _told(plain(boxed[-1]), options)


def _held(text: str, found: _Found, options: Sequence[str]) -> str | None:
    """The letter that was found, if the reply stands by it."""
    after = text[found.end :]
    said = _SENTENCE_END.split(_AGAIN.sub("", after, count=1).strip(" ).:]"))[0]
    other = _option(said, options)
    if other not in {None, found.letter} or is_withdrawn(after):
        return None
    sentence = _sentence(text, found.start) + text[found.start : found.end]
    return None if is_left_open(sentence, after) else found.letter or None


def _sentence(text: str, end: int) -> str:
    """What stands before `end` in its sentence."""
    return _SENTENCE_END.split(text[max(0, end - 160) : end])[-1]


def _stated(text: str) -> _Found | None:
    """The letter that a text states, rule by rule in order of evidence."""
    lines = text.split("\n")
    first, last = len(lines[0]), len(text) - len(lines[-1])
    alone = [one[1].upper() for line in lines if (one := _ALONE.match(line))]
    if len(set(alone)) == 1 and _ALONE.match(lines[0]):
        # A lone "A" before a small letter is an article that a line break follows.
        if alone[0] != "A" or not re.match("[a-z]", "".join(lines[1:2])):
            return _Found(alone[0], 0, first)
        return None
    markers = [marker[1] for line in lines if (marker := _MARKER.match(line))]
    listed = len(set(markers)) > 1 and markers == sorted(markers)
    if found := _statement(text, listed):
        return found
    if letter := _judged(lines):
        return _Found(letter, len(text), len(text))
    if len(set(alone)) > 1:
        return _Found("", 0, first)
    if not listed and (found := _opening(lines[0], 0)):
        return found
    conclusions = [*_CONCLUSION.finditer(text), *_GUESSED.finditer(text)]
    conclusions = [one for one in conclusions if not _supposed(text, one)]
    if conclusions:
        final = max(conclusions, key=lambda match: match.end())
        return _Found(final[1].upper(), final.start(1), final.end(1))
    if ending := _ALONE.match(lines[-1]) or _LAST_SENTENCE.search(lines[-1][-200:]):
        return _Found(ending[1].upper(), last, len(text))
    announced = len(lines) > 1 and lines[-2].endswith(":")
    if not listed and not announced and _MARKER.match(lines[-1]):
        return _opening(lines[-1], last)
    return None


def _statement(text: str, listed: bool) -> _Found | None:
    """The last statement; one that runs into the next line may only announce a list of options."""
    found = [match for pattern in _STATEMENTS for match in pattern.finditer(text)]
    found = [match for match in found if not (listed and "\n" in match[0])]
    found += _ANSWERED.finditer(text)
    labelled = list(_LABELLED.finditer(text))
    if len({match[1].upper() for match in labelled}) == 1:
        found += labelled
    found = [one for one in found if not _supposed(text, one)]
    if not found:
        return None
    found.sort(key=lambda match: match.end())
    last = found[-1]
    letter = last[1].upper()
    for other in found[:-1]:
        between = text[other.end() : last.start()]
        if other[1].upper() != letter and not between.strip(" \n).]"):
            return _Found("", last.start(1), last.end())
    if any(
        other[1].upper() != letter
        and is_conditional(_sentence(text, other.start()))
        and is_conditional(_SENTENCE_END.split(text[other.end() : last.start()])[-1][-160:])
        for other in found
    ):
        return _Found("", last.start(1), last.end())
    if _ELSE.match(text, last.end()):
        return _Found("", last.start(1), last.end())
    second = _SECOND.match(text, last.end())
    same = second is None or second[0].rstrip(")] ")[-1:].upper() == letter
    return _Found(letter if same else "", last.start(1), last.end())


def _supposed(text: str, found: re.Match[str]) -> bool:
    """Whether a statement is a question, somebody else's, or holds only if something else did."""
    if re.match(
        r"\W{0,2}\?|\W{0,2}\s(?:would|could|might)\b", text[found.end() : found.end() + 10]
    ):
        return True
    if "depend" in found[0]:
        return True
    before = _CLAUSE_END.split(_sentence(text, found.start()))[-1]
    return is_reported(before) or is_supposed(before + found[0])


def _judged(lines: Sequence[str]) -> str | None:
    """The only letter that is called right in a list of at least three."""
    items = [item for line in lines if (item := _JUDGED.match(line))]
    if len({item[2] for item in items}) < 3:
        return None
    right = {
        item[2]
        for item in items
        if item["tick"] or (_GOOD.search(item["rest"]) and not _BAD.search(item["rest"]))
    }
    return right.pop() if len(right) == 1 else None


def _opening(line: str, start: int) -> _Found | None:
    found = _OPENING.match(line)
    if found is None or _DENIED.match(line, found.end()) or _ARTICLE.match(line, found.start(1)):
        return None
    rest = line[found.end() :]
    if found[1] == "A" and re.fullmatch(rf"\s?:\s?{_LETTER}\W{{0,3}}", rest, _FLAGS):
        # "A: B" is "answer: B", or the option A.
        return _Found("", start, start + found.end())
    others = set(re.findall(r"(?<![\w'])([A-D])\s?[:.)]\s", _OTHER.sub("", rest))) - {found[1]}
    if others or re.match(r"\W{0,2}\?", rest) or _SECOND.match(line, found.end()):
        return None
    if re.match(r"\W{0,3}\d{1,3}(?:\.\d)?\s?%", rest):
        return None
    return _Found(found[1].upper(), start, start + found.end())


def _told(text: str, options: Sequence[str]) -> str | None:
    """The option that a short reply tells by its text or by its number."""
    for said in (text, *(_FINAL.findall(text)[-1:])):
        if letter := _option(said, options):
            return letter
    if len(text) > _SHORT or re.search(r"\bnot\b|n't\b|\bor\b", text, re.I) or _broken_off(text):
        return None
    numbered = {_ORDINALS[(one[1] or one[2] or one[3]).lower()] for one in _NUMBERED.finditer(text)}
    if len(numbered) == 1:
        return numbered.pop()
    left, named = f" {_words(text)} ", set()
    # The longest first: "integer linear program" is no "linear program".
    for index in sorted(range(len(options)), key=lambda i: -len(options[i])):
        said = f" {_words(options[index])} "
        if said.count(" ") > 2 and said in left:
            left = left.replace(said, " | ")
            named |= {"ABCD"[i] for i, one in enumerate(options) if f" {_words(one)} " == said}
    return named.pop() if len(named) == 1 else None


def _option(text: str, options: Sequence[str]) -> str | None:
    """The one option whose text this is."""
    if not (said := _words(text)):
        return None
    same = [letter for letter, one in zip("ABCD", options, strict=False) if _words(one) == said]
    return same[0] if len(same) == 1 else None


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", plain(text[:2_000]).casefold()))


def _last_sentence(text: str) -> str:
    return _SENTENCE_END.split(text.rstrip(".!?。"))[-1] if _FINISHED.search(text[-9:]) else ""


def _mentioned(text: str) -> str | None:
    """The one letter that is named as an option, without denial or company."""

    def named() -> Iterator[str]:
        for match in _MENTION.finditer(text):
            passed = _ABOUT.match(text, match.end()) or _DENIED.match(text, match.end())
            passed = passed or _SECOND.match(text, match.end())
            if not (passed or _supposed(text, match)):
                yield (match[1] or match[2]).upper()

    letters = set(named())
    return letters.pop() if len(letters) == 1 else None


def _paired(text: str, options: Sequence[str]) -> str | None:
    """The one letter beside which its own option's text stands, where no other's does."""
    pairs = {
        letter
        for letter, option in zip("ABCD", options, strict=False)
        if (said := plain(option))
        and re.search(
            rf"(?<![A-Za-z0-9_']){letter}\s?[).:,|-]{{0,2}}\s?{re.escape(said)}(?!\w)", text
        )
    }
    doubted = _broken_off(text) or _DOUBT.search(_last_sentence(text))
    return pairs.pop() if len(pairs) == 1 and not doubted else None


def _broken_off(text: str) -> bool:
    return len(text) > 60 and not _FINISHED.search(text[-9:])


def _lone(text: str) -> str | None:
    """The one letter of a reply, where its last sentence ends in it and doubts nothing."""
    found = list(_ANY.finditer(text))
    if len({one[1] for one in found}) != 1 or _broken_off(text):
        return None
    last = found[-1]
    sentence = _sentence(text, last.start()) + _SENTENCE_END.split(text[last.start() :])[0]
    stands = _STANDS.match(text, last.end())
    doubted = _DOUBT.search(sentence) or is_reported(_sentence(text, last.start()))
    return None if doubted or not stands else str(last[1])
