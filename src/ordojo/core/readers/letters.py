"""Reading the letter that a person would take a free answer to mean."""

import re
from collections.abc import Sequence, Set

from ordojo.core.readers.commitment import (
    BARE,
    Commitment,
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
_BOX = re.compile(r"\\(?:boxed|fbox)\s{0,3}(?=\{)")
_RAISED = re.compile(r"(?<=\b[A-D])[¹²³⁰⁴-⁹]{1,2}")
# A letter by itself; a small one, or "A" before a small word, only where more speaks for it.
_ANY = re.compile(
    r"(?<![A-Za-zÀ-ɏḀ-ỿ0-9_'.|+&])(?<![A-Za-z]-)(?<![E-Za-z0-9]/)(?<!\d )[A-Da-d]"
    r"(?![A-Za-zÀ-ɏḀ-ỿ0-9_'+]|-[A-Za-z])"
)
_ARTICLE = re.compile(
    r"\s(?!(?:because|since|as|is|was|and|or|if|not|over|fits|holds|works|wins|remains|seems|looks"
    r"|must|would|should|can|could|here|rather|instead|after|i|best|despite|though|although|while"
    r"|for"
    r"|in|on|with|by|from|to|of|but|so|then|which|that|it|this|o|ou|oder|y|e|et|und)\b)[a-z]"
)
_OTHER_NAME = re.compile(
    r"\b(?:vitamin|hepatitis|plan|type|class|grade|figure|vector|matrix|point|column|row|step|part"
    r"|product|machine|node|team|section)\s\Z",
    re.IGNORECASE,
)
_END = re.compile(
    r"\s?(?:[.)\],:;!?(—–…।]|-|$|\n)|\s(?:because|since|as|after all|here|for|i think|i guess)\b",
    _FLAGS,
)
_NOUN = r"(?:the\s)?(?:option|choice|answer|letter|statement|alternative|number)\b\s?:?\s?"
_MANNER = r"(?:(?:[a-z]{2,12}ly|therefore|thus|indeed|hence|still|most|now|then|again),?\s)"
# What a letter is said to be the answer by: right before it, or right after it.
_SAID = re.compile(
    r"(?:\b(?:(?:answers?|ans)\b\.?"
    r"(?:(?!\b(?:not|whether|if|depend\w*|[A-D])\b|n't)[^.\n:;,?!]){0,60}?"
    r"|(?:correct|right|best)\s(?:one|fit|match)"
    r"|(?<!each )(?<!every )(?:option|choice|selection)\b(?: (?:that|here)[a-z ]{0,20}?)?)"
    r"(?:\s?[:=.]|\s?[-–—→]>?\s|\s?\|[\s|:-]{0,40}|\n"
    r"|\s(?:is|was|remains|becomes|(?:would|should|must|will|has to|to) be)\b)\s?:?"
    r"|\bQ(?:uestion)?\s?:[^\n]{0,200}(?:\n|\?\s)A\s?:"
    r"|(?:答案|选项|正解|正确答案)(?:应该|应)?(?:是|为|為|选|選|は)?\s?:?\s?(?:选项)?|[选選]"
    r"|\b(?:my|the) (?:pick|vote|guess|bet) (?:is|goes to)\b"
    r"|\b(?:respuesta|réponse|antwort|risposta|resposta|antwoord|odpowiedź|ответ|svar\w*|cevap"
    r"|jawaban\w*|đáp án|الإجابة|الجواب|정답)[^.\n:;,?!]{0,30}?"
    r"(?:\b(?:es|est|ist|is|to|adalah|är|là|è|é)|[은는:])"
    r"|\b(?:choose|chose|pick|select|(?:stay|stick|go|going) with|go for|opt for|lean towards?"
    r"|i(?:'d| would| will|'ll) (?:say|answer)|wähle|elijo|choisis|scelgo)(?: the)?\b"
    r"|\b(?:i meant?|(?:chang|correct|revis|switch)(?:e|ed|ing)(?: (?:it|my answer))?"
    r"(?: from [A-D])? to)"
    r"|\bnot\s(?:option )?[(\[]?[A-D][)\]]?,?\sbut(?: rather)?)"
    rf"\s?{_MANNER}{{0,2}}(?:{_NOUN})?[(\[<]?\s?\Z",
    _FLAGS,
)
_PRAISED = re.compile(
    r"[)\].:]?(?:\s?\([^)\n]{1,80}\))?"
    r"\s(?:(?:is|seems|looks|appears|(?:must|would|has to) be)(?: to be)?\s|(?=the ))"
    rf"{_MANNER}?(?:the )?(?:only\b|better\b(?! than)"
    rf"|(?:single |most |most likely )?(?:correct|right(?![\s-]hand)"
    r"|best|closest|appropriate|accurate|suitable|optimal|answer"
    r"|my (?:final )?(?:choice|answer|pick))\b)",
    _FLAGS,
)
_NAMED = re.compile(rf"(?:{_NOUN}|选项|选择)[(\[]?\Z", re.IGNORECASE)
_STANDS = re.compile(
    r"[)\]]?(?:\s?\([^()\n]{1,80}\))?\s?(?:[.!,;:…)।→➡]|—|–|[^\x00-\u024f\W])|[^\w?\n]{0,6}(?:$|\n)"
    r"|(?P<verdict>,?\s(?:fits|works|holds|wins|remains|best|correct|because|since|as|(?i:i think)"
    r"|(?:is|was)(?! (?:\w+ly |therefore |also )?(?:for|about|an?|not|no)\b))\b)"
)
# What a reply only speaks of: "let us go through the options: A", "consider B", "in C".
_LOOK = (
    r"(?:consider|evaluat|examin|check|analy[sz]|look|weigh|compar|discuss|think|start|begin"
    r"|assess|review|test|tak(?:e|ing)\b|go(?:ing)? (?:through|over)\b|now\b|first\b|next\b)\w*"
)
_SPOKEN_OF = re.compile(
    rf"\b{_LOOK}[^.!?\n]{{0,60}}\b(?:options|choices|candidates|alternatives|statements|each|them)"
    rf"\b[^.!?\n]{{0,40}}[.:!]?\s{{1,2}}\W{{0,3}}\Z"
    rf"|(?:^|[.!?,]\s|\blet(?:'s| us| me) ){_LOOK}"
    r"(?:[\s,:](?:with|at|by|from|about|on|me|us|out|whether|the|this|is|if|again)){0,4}"
    r"[\s,:]{1,3}\Z"
    r"|(?:^|[.!?,]\s)(?:in|for|under|with|as for|between)\s\Z",
    _FLAGS,
)
_HEADING = re.compile(r"[)\]]?(?:\s?\([^()\n]{1,80}\))?\s?:\s?\w")
_OPENER = re.compile(
    rf"(?:^|(?<=[.!?]\s))\W{{0,6}}(?:{_NOUN})?[(\[]?(?-i:([A-D]))(?![\w'])", _FLAGS
)
_MARKER = re.compile(r"[(\[\s–•-]{0,6}([A-D])[)\].:](?!\w)")
_INLINE = re.compile(r"(?:^|(?<=[\s,;(]))([A-D])\s?[)\]:.]\s")
_ITEM = re.compile(
    r"(?:\d[.)]\s)?[^\w✓✔✅]{0,4}(?:x\]\s|[✓✔✅]\s?)?\W{0,4}(?:option\s)?(?-i:([A-D]))(?![\w'])",
    re.IGNORECASE,
)
_GOOD = re.compile(r"[✓✔✅]|\b(?:correct|right(?![\s-]hand)|true|yes)\b|\[x\]", re.IGNORECASE)
_BAD = re.compile(r"[✗✘❌]|\b(?:incorrect|wrong|false|no|not|part\w*)\b|n't", re.IGNORECASE)
# "A and B are wrong" denies both.
_OTHERS = re.compile(r"^(?:,? ?(?:and |or |& )?(?:option )?[A-D]\b(?! (?:is|was|has|does)\b))+")
# What is said before "A, B or C" is said of each.
_LIST = re.compile(r"(?:\b(?:option )?[A-D],? (?:(?:and|or|nor) )?(?:option )?){1,3}$")
_JOINED = re.compile(r"\b[A-D],? (?:and|or|nor) (?:option )?$|\b[A-D], [A-D], $")
_LISTED = re.compile(r",? (?:(?:and|or|nor) )?(?:option )?[A-D]\b")
# "So option A": the subject of a sentence that breaks off.
_SO_OPTION = re.compile(
    rf"\b(?:so|hence|thus|therefore|then|now|and|but),?\s{_NOUN}[A-D]\Z", re.IGNORECASE
)
# "The number of trucks is a parameter" tells what an option is, not which one is right.
_SUBJECT = re.compile(
    r"(?:is|are|was|were) (?:\w+ly |therefore |also )?(?:an?|given|fixed|known)\b"
)
_ASKED = re.compile(r"(?:,? (?:or|vs\.?) (?:option )?[A-D])?\W{0,2}\?")
_AFFIRMED = re.compile(r"\W{0,2}\? ?yes\b", re.IGNORECASE)
_SHARE = re.compile(r"\W{1,3}\d{1,3}(?:\.\d)?\s?%")

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
    r"\banswer(?:\s(?:is|must be|should be|has to be))?\s?:?\s(?:therefore\s|thus\s"
    r"|that is\s)?([^\n]{1,200}?)(?:\.(?=\s|$)|$|\n)",
    _FLAGS,
)
_SENTENCE_END = re.compile(r"[.!?。]\s|\n|。")
_AGAIN = re.compile(r"^\W{0,6}[A-D][.):]\s")
_FINISHED = re.compile(
    r"[.!?。)\]]\W{0,3}$|(?<![.!?] )(?<![.!?] [Oo]ption )(?<![.!?] [Cc]hoice )\b[A-D]$"
)
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
    bold = re.findall(r"\*\*([^*\n]{1,200}?)[ .]*\*\*", text[: _SHORT * 2])
    text = plain(_BOX.sub(" answer: ", _RAISED.sub("", both_ends(text, 2_000, 20_000))))
    found = _letters(text)
    weighed = _weighed(text)
    own = [one for one in found if one.rank <= _OPENING or not _only_spoken_of(text, one, weighed)]
    if stated := [one for one in own if one.rank <= _CLOSING]:
        if (best := settle(text, stated, found)) is None:
            return None
        said = _SENTENCE_END.split(_AGAIN.sub("", text[best.end :]).strip(" ).:]"))[0]
        return best.value if _option(said, options) in {None, best.value} else None
    if is_withdrawn(text):
        return None
    marked = {letter for one in bold if (letter := _option(one, options))}
    if len(marked) == 1 and len(text) <= _SHORT:
        return marked.pop()
    return _told(text, options) or _only(text, found, own)


_SURE, (_OPENING, _CONCLUDED, _CLOSING, _MENTIONED, _LONE) = 1, range(BARE, BARE + 5)
"""What speaks for a letter, as ranks."""
_MOST = 400
"""Letters that are looked at in a long reply."""


def _letters(text: str) -> list[Commitment[str]]:
    """The letters in a text that are not disowned."""
    lines = text.split("\n")
    markers = [marker[1] for line in lines if (marker := _MARKER.match(line))]
    markers = markers if len(set(markers)) > 1 else _INLINE.findall(lines[0])
    listed = len(set(markers)) > 1 and markers == sorted(markers)
    judged = _judged(lines)
    letters = list(_ANY.finditer(text))
    found = []
    for one in letters if len(letters) <= _MOST else letters[: _MOST // 2] + letters[-_MOST // 2 :]:
        start, end = one.span()
        before, after = text[max(0, start - 120) : start], text[end : end + 120]
        rank = _SURE if judged == one[0] else _rank(one[0], before, after, listed, start < 8)
        if _AFFIRMED.match(after):
            found.append(Commitment(start, end, one[0].upper(), _SURE))
            continue
        if rank is None or _ASKED.match(after) or (rank > _SURE and _SHARE.match(after)):
            continue
        leading, following = lead(text, start), rest(text, end)
        if _JOINED.search(leading) or _LISTED.match(following):
            leading = _LIST.sub("", leading)
        if not is_disowned(leading, _OTHERS.sub("", following)):
            found.append(Commitment(start, end, one[0].upper(), rank))
    return found


def _weighed(text: str) -> set[int]:
    """Where letters stand that head a part of an analysis, or open a sentence after the one before.

    "Option A (linear): ...", "A fails. B mixes both": not so a letter that is given a verdict.
    """
    starts, previous = set(), ("", "")
    for opener in _OPENER.finditer(text):
        start, end, letter = *opener.span(1), opener[1]
        if letter == "A" and _ARTICLE.match(text, end) and not _NAMED.search(opener[0][:-1]):
            continue
        stands = _STANDS.match(text, end)
        verdict = (stands and stands["verdict"]) or _PRAISED.match(text, end)
        alike = re.sub(r"\W", "", opener[0].lower())[:-1]
        follows = previous == (alike, chr(ord(letter) - 1)) and text[end : end + 1] != "."
        if not verdict and (
            follows or ((start > 20 or text[0] == "1") and _HEADING.match(text, end))
        ):
            starts.add(start)
        previous = alike, letter
    return starts


def _rank(letter: str, before: str, after: str, listed: bool, first: bool) -> int | None:
    """How much speaks for a letter, None if it is a word or the name of something else."""
    line, ended, named = before.rpartition("\n")[2], _END.match(after), _NAMED.search(before)
    article = _ARTICLE.match(after) and not named
    answer = re.match(r"\s?:", after) and re.search(r"\bQ[^\n]*\n\Z", before)
    if (letter == "a" and not ended) or (letter == "A" and (article or answer)):
        return None
    if _OTHER_NAME.search(before):
        return None
    item = listed and not line
    if (_SAID.search(before) and not item) or (letter.isupper() and _PRAISED.match(after)):
        return _SURE
    if re.fullmatch(r"[^\w\n'|✗✘❌]{0,6}", line):
        alone = re.match(r"[^\w?\n]{0,8}(?:\n|$)", after)
        marked = (letter.isupper() and first) or re.match(r"[).\]:]", after)
        if not alone and _SUBJECT.match(after.strip()):
            return _LONE
        if alone or (marked and not listed and not before.rstrip(" ").endswith(":\n")):
            return _OPENING if first else _CLOSING
    # "There is a" breaks off, too.
    open_end = not after and (letter == "a" or _SO_OPTION.search(before + letter))
    told = ended and not (item or open_end) and concludes(_NAMED.sub("", lead(before, len(before))))
    if told or (letter.isupper() and before.lower().endswith("only ")):
        return _CONCLUDED
    if re.search(r"[.!?:,]\s\(?\Z", before) and re.fullmatch(r"\W{0,4}", after):
        return _CLOSING
    return _MENTIONED if named else _LONE if letter.isupper() else None


def _only_spoken_of(text: str, one: Commitment[str], weighed: Set[int]) -> bool:
    """Whether a letter is one that is looked at, among others or first."""
    before = text[max(0, one.start - 160) : one.start]
    return one.start in weighed or bool(_SPOKEN_OF.search(_NAMED.sub("", before)))


def _only(
    text: str, found: Sequence[Commitment[str]], own: Sequence[Commitment[str]]
) -> str | None:
    """The only letter that a reply names as an option, or at all, where it ends a clause."""
    if _broken_off(text):
        return None
    named = [one for one in found if one.rank == _MENTIONED] or found
    last = [one for one in named if one in own and _STANDS.match(text, one.end)][-1:]
    if not last or len({one.value for one in named}) > 1:
        return None
    best = settle(text, last, found)
    return best and best.value


def _judged(lines: Sequence[str]) -> str | None:
    """The only letter that is called right in a list of three, or of two, the other wrong."""
    items = {one[1]: line for line in lines if (one := _ITEM.match(line))}
    right = [one for one, line in items.items() if _GOOD.search(line) and not _BAD.search(line)]
    wrong = [one for one, line in items.items() if _BAD.search(line) and one not in right]
    whole = len(items) > 2 or len(wrong) == 1
    return right[0] if whole and len(right) == 1 else None


def _told(text: str, options: Sequence[str]) -> str | None:
    """The option that a short reply, or a long one's last sentence, tells by text or by number."""
    for said in (text, *(_FINAL.findall(text)[-1:])):
        if letter := _option(said, options):
            return letter
    if _broken_off(text):
        return None
    if len(text) > _SHORT:  # A long reply weighs several, and closes with one.
        text = _SENTENCE_END.split(text.strip())[-1]
    if len(text) > _SHORT or re.search(r"\b(?:not|or|nor|than|unlike|instead)\b|n't\b", text, re.I):
        return None
    numbered = {_ORDINALS[(one[1] or one[2] or one[3]).lower()] for one in _NUMBERED.finditer(text)}
    if len(numbered) == 1:
        return numbered.pop()
    if any(_NAMED.search(text[: one.start()]) for one in _ANY.finditer(text)):
        return None  # "Option A (linear)": what is said of the letter decides.
    left, named = f" {_words(text)} ", set()
    # The longest first: "integer linear program" is no "linear program".
    for index in sorted(range(len(options)), key=lambda i: -len(options[i])):
        said = f" {_words(options[index])} "
        if said.count(" ") > 2 and said in left and not _SUBJECT.match(left.partition(said)[2]):
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
    ended = len(text) <= 60 or _FINISHED.search(text[-12:])
    return not ended or bool(_SO_OPTION.search(text[-40:]))
