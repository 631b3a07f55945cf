"""Reading the letter that a person would take a free answer to mean."""

import re
from collections.abc import Sequence

from ordojo.core.readers.commitment import (
    BARE,
    Statement,
    concludes,
    is_disowned,
    is_withdrawn,
    lead,
    rest,
    settle,
)
from ordojo.core.readers.turn import after_thinking, both_ends, own_part, plain

_FLAGS = re.IGNORECASE | re.MULTILINE
_BARE = re.compile(r"\s{0,9}([A-D])\.?\s{0,9}")
_BOX = re.compile(r"\\f?boxed\s{0,3}(?=\{)|\\fbox\s{0,3}(?=\{)")
_RAISED = re.compile(r"(?<=\b[A-D])[¹²³⁰⁴-⁹]{1,2}")
# A letter by itself; a small one, or "A" before a small letter, only where more speaks for it.
_ANY = re.compile(
    r"(?<![A-Za-z0-9_'.|+&])(?<![A-Za-z]-)(?<![E-Za-z0-9]/)(?P<letter>[A-Da-d])(?![A-Za-z0-9_'+]|-[A-Za-z])"
)
_ARTICLE = re.compile(
    r"\s(?!(?:because|since|as|is|was|and|or|if|not|over|fits|holds|works|wins|remains|seems|looks"
    r"|must|would|should|can|could|here|rather|instead|after|i|best|o|ou|oder|y|e|et|und)\b)[a-z]"
)
_END = re.compile(
    r"\s?(?:[.)\],:;!?(—–…।]|-|$|\n)|\s(?:because|since|as|after all|here|for|i think|i guess)\b",
    _FLAGS,
)

_NOUN = r"(?:the\s)?(?:option|choice|answer|letter|statement|alternative|number)\b\s?:?\s?"
_MANNER = r"(?:(?:[a-z]{2,12}ly|therefore|thus|indeed|hence|still|most|now|then|again),?\s)"
# What a letter is said to be the answer by: right before it, or right after it.
_SAID = re.compile(
    r"(?:\b(?:(?:answers?|ans)\b\.?(?:(?!\b(?:not|whether|if|depend\w*|[A-D])\b|n't)[^.\n:;,?!]){0,60}?"
    r"|(?:correct|right|best)\s(?:one|fit|match)"
    r"|(?<!each )(?<!every )(?:option|choice|selection)\b(?: (?:that|here)[a-z ]{0,20}?)?)"
    r"(?:\s?[:=.]|\s?[-–—→]>?\s|\s?\|[\s|:-]{0,40}|\n|\s(?:is|was|remains|becomes|(?:would|should|must|will|has to|to) be)\b)\s?:?"
    r"|\bQ(?:uestion)?\s?:[^\n]{0,200}\nA\s?:"
    r"|(?:答案|选项|正解|正确答案)(?:应该|应)?(?:是|为|為|选|選|は)?\s?:?\s?(?:选项)?|[选選]"
    r"|\b(?:respuesta|réponse|antwort|risposta|resposta)\b[^.\n:;,?!]{0,30}?(?:\b(?:es|est|ist|è|é)|:)"
    r"|\b(?:choose|chose|pick|select|(?:stay|stick|go|going) with|go for|opt for|lean towards?"
    r"|i(?:'d| would| will|'ll) (?:say|answer)|wähle|elijo|choisis|scelgo)(?: the)?\b"
    r"|\bnot\s(?:option )?[(\[]?[A-D][)\]]?,?\sbut(?: rather)?"
    r")"
    rf"\s?{_MANNER}{{0,2}}(?:{_NOUN})?[(\[<]?\s?\Z",
    _FLAGS,
)
_LABELLED = re.compile(
    r"^(?!(?:option|choice|statement|[A-Za-z])\b)[^\W\d][^\n:=→]{0,30}[:=→]>?\s?[(\[]?$",
    re.IGNORECASE,
)
_PRAISED = re.compile(
    r"[)\].:]?(?:\s?\([^)\n]{1,80}\))?\s(?:is|seems|looks|appears|(?:must|would|has to) be)(?: to be)?"
    rf"\s{_MANNER}?(?:the )?(?:only(?: (?:one|option))?\b ?|single |most |most likely )?(?:(?<=only )|correct|right(?![\s-]hand)|best"
    r"|closest|appropriate|accurate|suitable|optimal|answer|my (?:final )?(?:choice|answer|pick))\b",
    _FLAGS,
)
_GUESSED = re.compile(r",?\s(?:i (?:guess|think|believe)|it is)\b", _FLAGS)
_NOUN_LAST = re.compile(rf"{_NOUN}[(\[]?\Z", re.IGNORECASE)
_NAMED = re.compile(rf"(?:{_NOUN}|选项|选择)[(\[]?$", _FLAGS)
_STANDS = re.compile(
    r"[)\]]?\s?(?:[.!,;:…)।]|$|\n|—|–|[^\x00-\u024f\W])"
    r"|\s(?:(?:is\s)?the (?:right(?![\s-]hand)|correct|best|only)|fits|works|holds|wins|remains"
    r"|because|since|as)\b"
)
_MARKER = re.compile(r"[(\[\s–•-]{0,6}([A-D])[)\].:](?!\w)")
_INLINE = re.compile(r"(?:^|(?<=[\s,;(]))([A-D])\s?[)\]:.]\s")
_ALONE = re.compile(r"(?:\d[.)]\s)?\W{0,8}([A-Da-d])[^\w?]{0,8}$")
_ENDING = re.compile(r"[.!?:]\s\(?[A-D]\W{0,4}$")
_GOOD = re.compile(r"[✓✔✅]|\b(?:correct|right(?![\s-]hand)|true|yes)\b|\[x\]", re.IGNORECASE)
_BAD = re.compile(r"[✗✘❌]|\b(?:incorrect|wrong|false|no|not|part\w*)\b|n't", re.IGNORECASE)
_ITEM = re.compile(
    r"[^\w✓✔✅]{0,4}(?:x\]\s|[✓✔✅]\s?)?\W{0,4}(?:option\s)?(?-i:([A-D]))(?![\w'])", re.I
)
_COMPANY = re.compile(
    rf"[)\]]?(?:\s?[,/&]\s?|\s)(?:(?:and|or)\s)?(?:{_NOUN})?[(\[]?\Z", re.IGNORECASE
)
_TOLD_OF = re.compile(r"[)\].:]?\s(?:is|are|was|does|would|can|could|has|only)\b")
_OTHERS = re.compile(r"^(?:,? ?(?:and |or |& )?(?:option )?[A-D]\b(?! (?:is|was|has|does)\b))+")
_BEGUN = re.compile(r"[^\w\n'|✗✘❌]{0,6}$")

_DOUBT = re.compile(
    r"\b(?:not|nor|neither|never|if|or|whether|unless|unsure|unclear|cannot|could|might|maybe|may"
    r"|perhaps|consider|look|wrong|incorrect|false|would|let|vitamin|plan|type|class|grade|figure"
    r"|vector|matrix|point|column|row|step|first|suppos\w*|imagine|assum\w*|sa(?:ys|id)|claims?"
    r"|hepatitis|options?|part)\b|n't\b|\?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?:(?:option|choice|answer|letter)\s(?:number\s)?([1-4])(?![\d.])"
    r"|(?:the\s)?(first|second|third|fourth|last)(?=\s(?:one|option|choice|answer|letter)\b)"
    r"|\A(?:the\s)?(first|second|third|fourth|last)\W{0,2}\Z)",
    re.IGNORECASE,
)
_ORDINALS = dict(
    zip(
        ["1", "2", "3", "4", "first", "second", "third", "fourth", "last"], "ABCDABCDD", strict=True
    )
)
_FINAL = re.compile(
    r"\banswer(?:\sis)?\s?:?\s(?:is\s|that is\s)?([^\n]{1,200}?)(?:\.(?=\s|$)|$|\n)", _FLAGS
)
_SENTENCE_END = re.compile(r"[.!?。]\s|\n|。")
_AGAIN = re.compile(r"^\W{0,6}[A-D][.):]\s")
_FINISHED = re.compile(r"[.!?。)\]]\W{0,3}$|\b[A-D]$")
_SHORT = 200
"""Characters up to which a reply may be an option told in words; a longer one weighs several."""


def read_letter(text: str, options: Sequence[str] = ()) -> str | None:
    """The letter that a person would take a free answer to mean, None if there is none or two.

    Thinking is passed over, and what follows where a model poses itself the next question. In
    order: what is said to be the answer ("the answer is B", "B is correct", "I choose B", a box);
    the first word, where it is no item of a list nor the article "A"; a conclusion ("so it is B");
    a last line or sentence that is a letter; the option that is told by its text or number; the
    only letter that is named and not denied. Of several the last counts, or one that corrects it.
    A letter that is followed by the text of another of the `options` is none.
    """
    if bare := _BARE.fullmatch(text):
        return bare[1]
    text = after_thinking(text)
    own = own_part(text)
    return _read(own, options) or (_read(text, options) if own != text else None)


def _read(text: str, options: Sequence[str]) -> str | None:
    bold = re.findall(r"\*\*([^*\n]{1,200}?)[ .]*\*\*", text[-_SHORT * 2 :])
    text = plain(_BOX.sub(" answer: ", _RAISED.sub("", both_ends(text, 2_000, 20_000))))
    found = _letters(text)
    found = [one for one in found if not _is_disowned(text, one)]
    if stated := [one for one in found if one.rank <= _SPOKEN]:
        best = settle(text, stated, found)
        said = (
            _SENTENCE_END.split(_AGAIN.sub("", text[best.end :]).strip(" ).:]"))[0] if best else ""
        )
        return best.value if best and _option(said, options) in {None, best.value} else None
    if is_withdrawn(text):
        return None
    marked = {letter for one in bold if (letter := _option(one, options))}
    if len(marked) == 1 and len(text) <= _SHORT:
        return marked.pop()
    return _told(text, options) or _lone(text, found, options)


def _letters(text: str) -> list[Statement[str]]:
    """The letters in a text, by what speaks for them."""
    lines = text.split("\n")
    markers = [marker[1] for line in lines if (marker := _MARKER.match(line))]
    markers = markers if len(set(markers)) > 1 else _INLINE.findall(lines[0])
    listed = len(set(markers)) > 1 and markers == sorted(markers)
    judged = _judged(lines)
    letters = list(_ANY.finditer(text))
    if len(letters) > _MOST:
        letters = [*letters[: _MOST // 2], *letters[-_MOST // 2 :]]
    found = []
    for one in letters:
        before, after = text[max(0, one.start() - 120) : one.start()], text[one.end() :][:120]
        rank = _rank(one[0], before, after, listed, one.start() < 8)
        if judged == one[0] and rank > 1:
            rank = 1
        if rank < _NONE:
            found.append(Statement(one.start(), one.end(), one[0].upper(), rank))
    return found


_MOST = 400
"""Letters that are looked at in a long reply."""
_SPOKEN, _NAMED_ALONE, _NONE = BARE + 2, BARE + 3, 99


def _rank(letter: str, before: str, after: str, listed: bool, first: bool) -> int:
    """How much speaks for a letter, the least for most; _NONE if it is no letter but a word."""
    line, ended = before.rpartition("\n")[2], _END.match(after)
    named = _NAMED.search(before)
    if (letter == "a" and not ended) or (letter == "A" and not named and _ARTICLE.match(after)):
        return _NONE
    if letter == "A" and re.match(r"\s?:", after) and re.search(r"\bQ[^\n]*\n$", before):
        return _NONE
    if _SAID.search(before) and not (listed and not line):
        return 1
    if _LABELLED.search(line) and re.match(r"\W{0,3}(?:\n|$)", after):
        return 1
    if letter.isupper() and _PRAISED.match(after):
        return 1
    alone = re.match(r"[^\w?\n]{0,8}(?:\n|$)", after)
    if _BEGUN.fullmatch(line):
        announced = before.rstrip(" ").endswith(":\n")
        if alone or (
            ((letter.isupper() and first) or re.match(r"[).\]:]", after))
            and not (listed or announced)
        ):
            return BARE if first else BARE + 2
    if (
        concludes(_NOUN_LAST.sub("", lead(before, len(before)))) and ended and (line or not listed)
    ) or (_GUESSED.match(after) and re.search(r"(?:^|[,.]\s|\n)\(?$", before)):
        return BARE + 1
    if re.search(r"[.!?:,]\s\(?$", before) and re.fullmatch(r"\W{0,4}", after):
        return BARE + 2
    if re.search(r"\bonly $", before) and letter.isupper():
        return BARE + 1
    if named:
        return BARE + 3
    return BARE + 4 if letter.isupper() else _NONE


def _is_disowned(text: str, one: Statement[str]) -> bool:
    if re.match(r"\W{0,2}\?|\W{1,3}\d{1,3}(?:\.\d)?\s?%", text[one.end : one.end + 10]):
        return True
    after = _OTHERS.sub("", rest(text, one.end))
    return is_disowned(lead(text, one.start), after)


def _lone(text: str, found: Sequence[Statement[str]], options: Sequence[str]) -> str | None:
    """The only letter that a reply names and does not deny, in its last sentence or as a whole."""
    if _broken_off(text):
        return None
    for part in (BARE + 3, BARE + 4):
        named = [one for one in found if one.rank <= part]
        named = [one for one in named if not re.search(r"\d $", text[: one.start][-2:])]
        if len({one.value for one in named}) == 1:
            last = named[-1]
            if part > BARE + 3 and (
                _DOUBT.search(lead(text, last.start) + rest(text, last.end))
                or not _STANDS.match(text, last.end)
            ):
                continue
            return settle(text, named[-1:], found) and last.value
    return None


def _judged(lines: Sequence[str]) -> str | None:
    """The only letter that is called right in a list of at least three."""
    items = {one[1]: line for line in lines if (one := _ITEM.match(line))}
    right = [one for one, line in items.items() if _GOOD.search(line) and not _BAD.search(line)]
    return right[0] if len(items) > 2 and len(right) == 1 else None


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


def _broken_off(text: str) -> bool:
    return len(text) > 60 and not _FINISHED.search(text[-9:])
