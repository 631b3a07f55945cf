"""Reading the one order quantity that a person would take a free answer to mean."""

import re
from typing import Final

from ordojo.benchmarks.or_bias.amounts import SUPERSCRIPT, THING, Amount, amounts, clean
from ordojo.core.readers.commitment import (
    Commitment,
    is_conditional,
    is_disowned,
    is_reported,
    is_withdrawn,
    lead,
    own_clause,
    rest,
    settle,
)
from ordojo.core.readers.turn import after_thinking, own_part

FLAGS = re.IGNORECASE
UNIT = (
    r"(?: (?!(?:is|are|was|were|be|mean|means|average|expected|demand|and|or|to|out|plus|minus"
    r"|times|below|above|less|more|lower|higher|at|than|but|would|will|has|have|i|we|so|as|since"
    r"|because|for|rounded)\b)[^\W\d_]{1,16}(?:/[a-z]{1,8})?){0,4}"
)
HEDGE = (
    r"(?:(?:about|around|approximately|approx\.?|roughly|nearly|almost|exactly|precisely|just"
    r"|only"
    r"|simply|therefore|thus|then|hence|now|a total of|equal to|equals|to be|the (?:rounded"
    r"|nearest)"
    r"|say|circa|ca\.?|at|set at|set to|close to|somewhere|between|from|environ|etwa|rund|unos"
    r"|calculated (?:as|to be)|found to be|given by|computed as|an?|of|[≈:=→]|一共|大约|约)\s?)"
)
NOUN = re.compile(
    r"(?:\bfinal[\s_-]?(?:answer|order|decision|quantity|recommendation|choice|value"
    r"|result)(?: is)?\b"
    r"|\bfinal(?=\s?:)"
    r"|\b(?:answer|recommendation|decision|recommended|suggestion|solution|conclusion|result)\b"
    r"|\b(?:order(?:ing|ed)?|orders|stock(?:ing)?|purchas(?:e|ing)|production|procurement|optimal"
    r"|buy|newsvendor|inventory)[\s_-]?(?:quantity|quantities|size|amount|level|number|volume)\b"
    r"|\b(?:quantity|qty|amount|number of [a-z]{2,12} to (?:order|buy|stock|purchase|produce))\b"
    r"|\b(?:bestellmenge|cantidad|quantité|quantite|quantità|antwort|respuesta|réponse"
    r"|commande|bestelling|pedido|ordine|quantidade|encomenda|zamówieni\w|resposta|risposta"
    r"|antwoord|odpowiedź|ответ|заказ|jawaban)\b|الجواب|الإجابة|الكمية المثلى"
    r"|\bthe (?:number|figure) (?:that|which|at which)\b"
    r"|\b(?:it|that) (?:must|should|has to)(?= be)|\bthe (?:best(?: one| choice| value)?"
    r"|one with the (?:best|highest|largest)[a-z ]{1,30}(?= is))\b"
    r"|\boutput(?=\s?:)|発注量|注文量|발주량|주문량|订货量|订购量|采购量|答案|(?-i:\bQ\b)|\bQ_?\s?(?:opt|star|optimal)\b"
    r"|\b(?:an|the|my|our|best|good|right|ideal|sensible|reasonable|optimal|your|this"
    r"|optimum|correct|right|proper|resulting|recommended|(?:profit|cost)-m\w+i[sz]ing)"
    r"\s(?:order|optimum|optimal)\b)"
    r"(?:\s?\*(?!\s?\d))?(?:_opt|\s?\(\s?Q\s?\*?\s?\))?",
    FLAGS,
)
FINAL = re.compile(r"final", FLAGS)
LINK = re.compile(
    r"(?:^[\s'_•*-]{0,4}(?:\([^()\n]{0,60}\)\s?)?(?:of|at|for|:|to|de|di|von|van)?"
    r"|[:=≈→]|-\s|\b(?:is|was|be|becomes?|equals|comes to|comes out (?:to|at|to be)"
    r"|works out (?:to|at)"
    r"|amounts to|yields|gives|being|ist|beträgt|bedraagt"
    r"|wynosi|составляет|sera|sería|not \S{1,12} but|(?:es|est|è|é)(?: de| di)?|be for)"
    r"|是|は|为|为|應為|应为)"
    rf"\s?{HEDGE}{{0,4}}$",
    FLAGS,
)
CHAIN = re.compile(
    r"\s?\*?\s?[=≈:](?:[-+*/×·÷()^_\s\d.,|=≈αβ]|(?:[A-Za-zμσΦ]{1,2}|mean|std|sigma|mu|Phi|inv"
    r"|norm|ln|log|exp|sqrt"
    r"|NORM|INV|demand|safety|stock|average|standard|deviation|z-score|score|MEAN|STD|CR"
    r"|[Cc]ritical"
    r"|[Rr]atio)(?![A-Za-z])){0,80}[=≈]\s?"
)
VERB = re.compile(
    r"(?:订购|订|进货|طلب|\b(?:order(?:ing|s)?|call it|land(?:ing)? on|beställ(?:a|er)?"
    r"|(?<!leftover )(?<!expected )(?<!remaining )(?<!safety )(?<!unsold )(?<!in-)stock(?:ing)?"
    r"|buy(?:ing)?|purchas(?:e|ing)|procur(?:e|ing)|produc(?:e"
    r"|ing)"
    r"|bak(?:e|ing)|prepar(?:e|ing)|mak(?:e|ing)|request|should(?: \w+)? have|take|bring|carry"
    r"|(?:should|would|must|will|ought to|'d|'ll) (?:print|publish|brew|cook|roast|grill|grow"
    r"|plant|sew|build|assemble|manufacture|rent|lease|book|reserve|schedule|pack)"
    r"|st(?:ick|ay)(?:ing)? (?:with|at)|keep(?:ing)? (?:it |this |that )?at"
    r"|choos(?:e|ing)|pick|select|recommend"
    r"|suggest|propose|commander(?:ais|ait)?|commandez|pedir(?:ía)?|bestel(?:len?|le)?|memesan"
    r"|pesan|ordinare|ordinerei|encomendar|zamówić|заказать|закажите|stop(?:ping)? at"
    r"|go(?:ing)? (?:with|for)"
    r"|opt(?:ing)? for"
    r"|settl(?:e|ing) (?:on|for)|answer|round(?:ing|ed|s)?"
    r"(?: (?:it|this|that|which|up|down|off|Q ?\*?|=|≈|\d[\d.,]{0,12})){0,4}"
    r" (?:to|gives|yields|(?:and )?(?:you|we|i) (?:get|have|obtain|arrive at))"
    r"))(?![a-z])",
    FLAGS,
)
OBJECT = re.compile(
    r"\s?(?:(?:you|we|i|us|them|it|that|in|an?|the|up|to|order(?:ing)?|stock(?:ing)?|buying"
    r"|quantity|amount"
    r"|of|optimal|maximum|minimum|most|largest|smallest|possible|mean|average|expected|demand"
    r"|median|full|same|nearest|integer|whole|number"
    r"|level|Q\*?"
    r"|\d{1,2}(?:\.\d{1,3})?(?:st|nd|rd|th) percentile"
    rf"|total|placing|dus|donc|also|daher|quindi|de|une?|mindestens|{HEDGE}|,|:)\s?){{0,8}}",
    FLAGS,
)
SO = re.compile(
    r"(?:^|(?<=[\s(]))(?:therefore|thus|hence|so|say|namely|that is|finally|ultimately|overall"
    r"|in conclusion|i'd say|i would say|i say|my guess is|i'll take|let's say)[,:]?\s",
    FLAGS,
)
IS_ORDER = re.compile(
    rf"{UNIT}\s(?:(?:should|must|would|will|to|can|need to|ought to) be"
    r"|(?:is|would be|should be|seems|looks like|are))"
    r"\s(?:(?:the|my|our|your|what i would|what you should|therefore|thus|best|optimal|final"
    r"|right)\s){0,3}"
    r"(?:order(?:ed)?|stocked|bought|purchased|produced|baked|optimal|optimum|best|quantity"
    r"|answer"
    r"|recommended|choice|decision|recommendation)\b"
    rf"|{UNIT}\s?(?:←|<-+)|{UNIT}\s(?:zu |te )?bestellen\b"
    rf"|{UNIT} it is\b|{UNIT} (?:maximi[sz]es|minimi[sz]es)\b",
    FLAGS,
)
UNMEANT = re.compile(
    r"(?:\b(?:mistake|error|trap|pitfall|subjects|typically|halve|double|triple|break-?even|not"
    r"|never|cannot|avoid|if|suppose|supposing|when"
    r"|whether|than|instead of"
    r"|rather than|unless"
    r"|current|currently|existing|today's|previous|previously|last|past|prior|historical(?:ly)?"
    r"|competitors?(?:'s)?|rivals?|typical"
    r"|usual|usually|yesterday's|initial|minimum|maximum|min|max|week's|month's|year's|versus"
    r"|vs\.?|compared to"
    r"|assum(?:e|ing)|naive(?:ly)?|tempt(?:ed|ing)|intuitive|many would|people|some|suppliers?"
    r"|against"
    r"|no need|colleague|neighbou?r)|n't)"
    r"\s(?:[a-z]{1,10}\s){0,3}$",
    FLAGS,
)
SUBJECT = re.compile(
    rf"{UNIT}\s(?:would|could|might|leads?|risks|is (?:too|risky|not|wrong)|isn't|was (?:too"
    rf"|wrong))\b"
)
# "The profit at Q = 85": a point, and no choice.
POINT = re.compile(r"\b(?:at|for|with|when) $", FLAGS)
EXTREME = re.compile(r"maxim|minim|optim|best|highest|lowest|largest|peak", FLAGS)
ROW = re.compile(
    r"(?:[ :]{1,4}[\d.,%$€]{1,20}){0,3}[ :\n]{2,5}(?:[^\W\d][\w -]{0,20}:[ :]{0,3})?\d"
)
DENIED = re.compile(r"\b(?:not|cannot|never)\b|n't\b", FLAGS)
BETWEEN = re.compile(r"\bbetween\b", FLAGS)
# "Order Q* such that the probability is 0.58"
SUCH = re.compile(r"\b(?:such that|where|solves|satisf\w+|probability)\b", FLAGS)
# Raise the order by 15%, to 345
RAISED = re.compile(
    r"\b(?:rais|increas|reduc|lower|decreas|adjust|cut|chang|bring|mov)\w*\b[^.\n]{0,20}"
    r"\b(?:orders?|quantity|stock|purchase|it|this|that)\b[^.\n]{0,40}?\bto\s",
    FLAGS,
)
FUNCTION = re.compile(r"[A-Za-zΦ]\s?\([^()\n]{0,20}$")
BREAK = re.compile(r"[.!?;](?=\s|$)|\n(?![^\n]{0,2}\d)|。")
OPERATED = re.compile(
    r" ?(?:[+*×·/÷] ?[A-Za-zσμΦ(]|- ?[zσμ]|[zσμ](?![a-z])|(?:ln|log|exp|sqrt)\b"
    r"|(?:minus|plus|times) (?:the|your|any|what)\b)"
)
SYMBOLS = (
    r"(?:\^-1|[-+*/×·÷()^ ]"
    r"|(?:[zkμσΦs]|sd|std|ln|log|exp|sqrt|ppf|norm\.ppf|qnorm|invnorm"
    r"|NORM\.S?\.?INV|NORMSINV)(?![A-Za-z]))"
)
OPERATOR = re.compile(
    rf"[\s)]{{0,4}}[-+*/×·÷^]{SYMBOLS}{{0,20}}|\)?\(|\) \(| ?[zσ] ?[-+*/×·÷] ?"
    rf"| ?(?:[zΦ](?:\^-1)?|ln|log|exp|sqrt) ?\("
)
RESULT = re.compile(
    rf"{SYMBOLS}{{0,20}}{UNIT}[\s)]{{0,4}},?\s?[=≈→]\s?{HEDGE}{{0,3}}"
    rf"|{UNIT}\s?[,;(-]{{0,2}}\s?(?:and |or |which |which can be |then )?round[a-z]{{0,3}}\b"
    rf"(?![^.\d\n]{{0,20}}\bfrom)[^.\d\n]{{0,40}}"
    rf"|{UNIT},? (?:or|which is) (?:about|approximately|roughly|simply) ",
    FLAGS,
)
BRACKETED = re.compile(rf"{UNIT}\s?\((?:or\s)?\s?[≈=]\s?", FLAGS)
PACKED = re.compile(r"\s(?:cases|boxes|crates|packs|pallets|trays|bags|dozens?)\s?\(=?\s?", FLAGS)
LINE_END = re.compile(rf"{UNIT}\s?[.,;:!)'*\s-]{{0,4}}(?:\([^()\n]{{0,80}}\)[.!]?)?\s?(?:$|\n)")
ENDED = re.compile(
    rf"{UNIT}\s?(?:[.,;:!()\n-]|$|because\b|since\b|as\b|based\b|for\b|per\b)", FLAGS
)
SECOND = re.compile(
    r";\d|\s?,\s?[A-Za-z_]\w{0,20}\s?:\s?[-\d]|\s?(?:,|/|and|or|&)\s?(?:and\s|or\s)?[-\d]", FLAGS
)
DECLINED = re.compile(
    r"\s{0,3}(?:quantity)?\s?[:=]\s{0,2}(?:nan|none|n/a|unknown|-?inf|cannot|tbd|undefined|null"
    r"|\?|not )",
    FLAGS,
)


_HEAD, _TAIL = 4_000, 20_000
"""Characters that are read of a longer reply, at its two ends."""

RULES: Final = ("bare", "final", "opening", "label", "statement", "last line", "only number")
"""The rules that give a number, in order of priority."""

FAILURES: Final = ("empty", "no number", "range", "several numbers", "not committed")
"""Why there is none."""

_BARE = re.compile(r"\s{0,9}(-?\d{1,20}(?:\.\d{1,20})?)(?: units?)?\.?\s{0,9}")
_SIMPLE = re.compile(r"\s{0,9}Order quantity: (-?\d{1,20}(?:\.\d{1,20})?)(?: units?)?\.?\s{0,9}")


# "I would not order anything", "order nothing": an order of 0, as far as it is said of all cases.
_NOTHING = re.compile(
    r"(?:(?:\b(?:do|does|should|would|will|must|can)(?:n't| not)|\bwon't|\bnot) "
    r"(?:order|buy|stock|purchase|produce) any(?:thing|(?: units?)?)"
    r"|\b(?:order|buy|stock|purchase|produce) nothing)"
    r"(?=[.,;:!)\n*]|$| (?:this|today|now|at all|in (?:this|the)|because|since|as|for (?:this|the)"
    r"|here|and)\b)",
    FLAGS,
)
_FOOTNOTE = re.compile(r"^[¹²³]\s", re.MULTILINE)
_OPERATED = re.compile(r" ?(?:[+*×·/÷] ?[\d(]|[<>≤≥])")
_BROKEN_OFF = re.compile(r" ?[-+*×·/÷]\s?\Z")
_ADDED = re.compile(r"[+*×·/÷] ?$")
_LIMIT = re.compile(
    r"\bbetween\b[^\n]{0,60}\band\b[^\n]{0,40}$|\b(?:max(?:imum)?|min(?:imum)?|budget"
    r"|limit)\b[^\n]{0,40}$"
    r"|\b(?:at (?:least|most)|(?:more|less|fewer) than|up to)\s$"
    r"|\b(?:format|form|(?:says|states|stated|tells)(?: us)? that|ordered)\b[^.\n]{0,12}$",
    re.IGNORECASE,
)
_ASKED = re.compile(r"(?:\s[a-z]{1,12})?\W{0,2}\?(?!\w)", re.IGNORECASE)
_ELSE = re.compile(
    r"(?:\s[a-z]{1,12})?,?\s(?:if|when|unless|in case)\b[^.\n]{0,80}\b(?:otherwise|else|but|and)\b"
    r"[^.\n\d]{0,40}\d",
    re.IGNORECASE,
)
# What the sentence of a number speaks of that is no order, and what says that it is one.
_OF_ELSE = re.compile(
    rf"\b(?:{THING}|sell|sold|sales|unsold|left ?overs?|lost|stock-?outs?)\b", re.IGNORECASE
)
_OF_ORDER = re.compile(
    r"(?<![a-z])(?:order(?:ed|ing)?(?! point)|buy|(?:to|should|would|we|and|must) stock|purchas\w+"
    r"|quantit\w+|optim\w+|best|recommend\w*|outlay|q|qty"
    r"|bestel\w*|encomend\w*|command\w*|pedir|ordin\w*)(?![a-z])",
    re.IGNORECASE,
)
# What else makes the only number of a reply its answer; or it speaks another language.
_ENGLISH = re.compile(
    r"\b(?:the|you|your|are|was|were|of|for|to|with|not|at|on|by|and|it|we|this|that|has|have)\b"
    r"|^[\w ]*:|'",
    re.IGNORECASE,
)
_AT_END = re.compile(rf"{UNIT}\W{{0,3}}", FLAGS)
_OF_UNITS = re.compile(r" [^\W\d]{2,12}\W{0,3}")
_KEPT = re.compile(
    r"\b(?:ans|ideal|aim|settle|peaks?|bakes?|makes?|answer|estimate|guess|choice|it(?:'d| would"
    r"| should| must) be|it is|so|round\w*|right|gives"
    r"|yields|sounds|seems|looks|would do|you need)\b|(?![μσφα])[^\W\da-z_]",
    re.IGNORECASE,
)
_ONE_OF = re.compile(r"\b(?:both|either|all of|any of) [\d,. ]+(?:and|or) $", re.IGNORECASE)
# "Under a normal distribution it's 90; under a uniform one 92"
_OTHER_CASE = re.compile(
    r"[^.;\n]{0,40}[.;,\n] ?(?:and )?(?:under|with(?:out)?|if|when|for)\b[^.\n]{0,60}\d",
    re.IGNORECASE,
)
# "With 0.25 instead of 0.5 the quantity is": what is denied has been named.
_HAS_ITS_NUMBER = re.compile(r"\b(?:instead of|rather than) [-+]?\d[\d.,]{0,12}(?= )", re.I)
# "A risk-neutral buyer would order 200, a risk-averse one 160"
_ANOTHER_ONE = re.compile(
    rf"{UNIT}[,;] (?:and |but |while |whereas )?(?:an?|the) [\w-]{{1,20}} (?:one|buyer|manager"
    r"|retailer)(?: \w{1,12}){0,2} \d",
    re.IGNORECASE,
)
_SORRY = re.compile(r"\b(?:sorry|correction|i meant?|make that)\b", re.IGNORECASE)


_Committed = Commitment[float | str]
"""A quantity, or why there is none; its rank is the place of its rule in `RULES`."""


def read_quantity(text: str) -> float | None:
    """The one order quantity that a person would read in the text, None if there is none."""
    return read_quantity_by(text)[0]


def read_quantity_by(text: str) -> tuple[float | None, str]:
    """The quantity with the rule that read it, or None with the reason.

    Thinking is passed over, and what follows where a model poses itself the next question. In
    order: "bare", nothing but a number; "final", a boxed, tagged or so-called final answer;
    "opening", a first line that begins with the number; "label", a line such as "Order quantity: 74
    units"; "statement", the last stated order ("I would order 74", "Q* = ... = 74.4": what follows
    the last equals sign); "last line", a closing line that is a number or an equation, or an end
    that rounds; "only number", the only one that may be an order, in a sentence that speaks of one.
    A number that is denied, asked, a case of several, a limit, somebody else's or an example is
    none ("not committed"), nor are two that stand side by side. A later statement takes precedence
    if it rounds the former, or if a word such as "wait" parts the two. A range is no number
    ("range"), nor are several without a statement ("several numbers").
    """
    if simple := _BARE.fullmatch(text):
        return float(simple[1]), "bare"
    if simple := _SIMPLE.fullmatch(text):
        return float(simple[1]), "label"
    text = after_thinking(text)
    if not text:
        return None, "empty"
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:].partition(' ')[2]}"
    own = own_part(text)
    if own != text and (found := _read(own))[1] in RULES[:5]:
        return found
    return _read(text)


def _read(text: str) -> tuple[float | None, str]:
    if _FOOTNOTE.search(text):
        text = SUPERSCRIPT.sub("", text)
    text = clean(_TABLE.sub(_told_row, text))
    text = _NOTHING.sub("order 0", text)
    numbers = amounts(text)
    if not numbers:
        return None, "no number" if text else "empty"
    if len(numbers) == 1 and (alone := _alone(text, numbers[0])):
        return alone
    every = _statements(text, numbers)
    if opening := _opening(text, numbers):
        every.append(opening)
    stated = [one for one in every if not _supposed(text, one)]
    if every and (not stated or _ELSE.match(text, max(one.end for one in every))):
        return None, "not committed"
    if stated:
        return _choose(text, stated, numbers)
    if is_withdrawn(text):
        return None, "not committed"
    declined = [found.end() for found in NOUN.finditer(text) if DECLINED.match(text, found.end())]
    if declined and not any(number.start > declined[-1] for number in numbers):
        return None, "no number"
    supposed = is_disowned(lead(text, numbers[-1].start), "")
    if not supposed and (last := _last_line(text, numbers)) is not None:
        return last, "last line"
    if not supposed and _is_result(text, numbers):
        return numbers[-1].value, "last line"
    loose = [one for one in numbers if one.kind == "plain" and (one.value >= 1 or not one.value)]
    loose = [one for one in loose if not _is_operand(text, one)]
    values = {number.value for number in loose}
    if len(values) == 1:
        doubted = any(_supposed(text, one) for one in loose[:20])
        if doubted or all(_unmeant(text, one) for one in loose[:20]):
            return None, "not committed"
        return values.pop(), "only number"
    if values:
        return None, "several numbers"
    return None, "range" if any(number.kind == "range" for number in numbers) else "no number"


# A table of one row: its cells under their headings.
_TABLE = re.compile(
    r"^\|([^\n]{1,200})\|[^\S\n]*\n\|[-:|\s]{1,200}\|[^\S\n]*\n"
    r"\|([^\n]{1,200})\|[^\S\n]*(?=\n(?!\|)|\Z)",
    re.MULTILINE,
)


def _told_row(table: re.Match[str]) -> str:
    heads, cells = table[1].split("|"), table[2].split("|")
    pairs = zip(heads, cells, strict=False)
    return "\n".join(f"{head.strip()}: {cell.strip()}" for head, cell in pairs)


def _alone(text: str, number: Amount) -> tuple[float | None, str] | None:
    around = text[: number.start] + " " + text[number.end :]
    if number.kind in {"plain", "small"} and re.fullmatch(
        rf"\W{{0,12}}{HEDGE}{{0,3}}\W{{0,3}}{UNIT}\W{{0,12}}", around, FLAGS
    ):
        if "/" in text[number.start : number.end] and number.value < 1:
            return None, "several numbers"
        return number.value, "bare"
    return None


def _sentence(text: str, end: int) -> str:
    """What stands before `end` in its sentence."""
    return BREAK.split(text[max(0, end - 160) : end])[-1]


def _supposed(text: str, stated: _Committed | Amount) -> bool:
    """Whether a number is denied, asked, somebody else's, or an order only in one case."""
    if _ELSE.match(text, stated.end):
        return True
    if is_reported(lead(text, stated.end)):
        return True
    before, after = _HAS_ITS_NUMBER.sub("", lead(text, stated.start)), rest(text, stated.end)
    if _ONE_OF.search(before):
        return True
    later = re.sub(rf"^{UNIT}", "", after, flags=FLAGS)
    return is_disowned(before, after) or is_disowned(before, later)


def _unmeant(text: str, number: Amount) -> bool:
    """Whether a number that nothing states is a limit, or of something else than an order."""
    before = lead(text, number.start)
    if UNMEANT.search(before) or _LIMIT.search(before):
        return True
    own, after = own_clause(before), rest(text, number.end)
    clause = after.partition(",")[0]
    if _OF_ORDER.search(own + clause):
        return False
    own = re.split(r"\d", own)[-1]
    if _OF_ELSE.search(own + clause) or after.rstrip().endswith("?"):
        return True
    ended = own.rstrip(" ")[-1:]
    foreign = len((own + clause).split()) > 2 and not _ENGLISH.search(own + clause)
    kept = (
        foreign
        or _KEPT.search(own + clause)
        or ended in {"≈", "=", "→"}
        or (ended == "," and _AT_END.fullmatch(after))
        or (ended == ":" and _OF_UNITS.fullmatch(after))
    )
    return not kept


def _is_operand(text: str, number: Amount) -> bool:
    """Whether a number only enters a calculation or an inequality."""
    added = _ADDED.search(text, max(0, number.start - 3), number.start)
    after = (OPERATED, _OPERATED, _BROKEN_OFF)
    return bool(added or any(one.match(text, number.end) for one in after))


def _choose(text: str, stated: list[_Committed], numbers: list[Amount]) -> tuple[float | None, str]:
    """The statement that is kept to, the rounded one of a number and its rounding."""
    whole = [
        one
        for one in stated
        if not any(
            _rounds(one.value, other.value)
            and not _CHANGED_MIND.search(text[other.end : one.start])
            for other in stated
        )
    ]
    best = settle(text, whole, whole)
    if best is None or (
        is_conditional(_sentence(text, best.start))
        and (is_withdrawn(text[: best.start]) or _OTHER_CASE.match(text, best.end))
    ):
        values = {one.value for one in whole}
        return None, "several numbers" if len(values) > 1 else "not committed"
    if isinstance(best.value, str):
        return None, best.value
    if _also(text, best, numbers) or _ANOTHER_ONE.match(text, best.end):
        return None, "several numbers"
    if sorry := _SORRY.search(text, best.end):
        later = {n.value for n in numbers if n.start >= sorry.end() and n.kind == "plain"}
        if len(later) == 1:
            return later.pop(), RULES[best.rank]
    rounded = [
        number.value
        for number in numbers
        if number.start >= best.end and number.kind == "plain" and number.value >= 10
        if _rounds(best.value, number.value) and not _supposed(text, number)
    ]
    return (rounded or [best.value])[-1], RULES[best.rank]


_CHANGED_MIND = re.compile(r"\b(?:wait|actually|sorry)\b", re.IGNORECASE)


def _also(text: str, best: _Committed, numbers: list[Amount]) -> bool:
    """Whether a second number is stated in the same breath: "40 of these and 65 of those"."""
    after = next((n for n in numbers if n.start >= best.end), None)
    return (
        after is not None
        and after.kind in {"plain", "small"}
        and bool(_AND_ALSO.fullmatch(text, best.end, after.start))
        and ("," not in text[best.end : after.start] or bool(_ENDED_THERE.match(text, after.end)))
    )


_AND_ALSO = re.compile(
    rf"(?: of (?:the )?[a-z ]{{1,30}}|{UNIT}),? ?(?:and|plus|or|minus|times)"
    r" (?:about |perhaps |maybe |even |for [\w ]{1,20}? )?|(?: for [a-z ]{1,20})?,(?: and)? ?",
    re.IGNORECASE,
)
_ENDED_THERE = re.compile(r" ?(?:[\]),;.]|and\b|or\b|for\b|$)")


def _rounds(value: float | str, whole: float | str) -> bool:
    return (
        not isinstance(value, str)
        and not isinstance(whole, str)
        and 0 < abs(value - whole) < 1
        and not whole % 1
    )


def _stated(start: int, end: int, value: float | str | None, rule: str = "statement") -> _Committed:
    return Commitment(start, end, "range" if value is None else value, RULES.index(rule))


def _statements(text: str, numbers: list[Amount]) -> list[_Committed]:
    stated: list[_Committed] = []
    for pattern in (NOUN, VERB, SO, RAISED):
        first = 0
        for anchor in pattern.finditer(text):
            while first < len(numbers) and numbers[first].start < anchor.end():
                first += 1
            if found := _after(text, numbers, first, anchor, pattern):
                stated.append(found)
    for index, number in enumerate(numbers):
        if number.kind in {"plain", "small"} and (said := IS_ORDER.match(text, number.end)):
            line = text[max(0, number.start - 40) : number.start].rpartition("\n")[2]
            if not UNMEANT.search(line):
                value, end = _result(text, numbers, index)
                stated.append(_stated(number.start, max(end, said.end()), value))
    return stated


def _after(
    text: str, numbers: list[Amount], first: int, anchor: re.Match[str], pattern: re.Pattern[str]
) -> _Committed | None:
    """The statement that an anchor makes with one of the next few numbers."""
    before = text[max(0, anchor.start() - 40) : anchor.start()]
    clause = BREAK.split(before)[-1]
    final = bool(FINAL.match(anchor[0])) or clause.lower().endswith("final ")
    if not final and UNMEANT.search(clause):
        return None
    if FUNCTION.search(clause) and text[anchor.end() : anchor.end() + 1] == ")":
        return None
    if POINT.search(clause) and not EXTREME.search(clause):
        return None
    for index in range(first, min(first + (6 if pattern is NOUN else 2), len(numbers))):
        number = numbers[index]
        gap = text[anchor.end() : number.start]
        # The number begins what follows the gap: a heading's line break is no end of a sentence.
        if len(gap) > 120 or BREAK.search(gap.replace(":\n", ": ") + "0"):
            return None
        if 0 < number.value < 1 and SUCH.search(clause + gap):
            return None
        if number.kind == "other" or not _joins(gap.replace(":\n", ": "), number, pattern):
            continue
        if DENIED.search(gap) and "but" not in gap:
            return None
        if "--" in gap and ROW.match(text, number.end):
            return None  # A table of several quantities.
        if BETWEEN.search(gap):
            return _stated(anchor.start(), number.end, None, "final" if final else "statement")
        if final and number.kind == "named":
            return None  # "The critical ratio is" a box.
        if number.kind == "range":
            return _stated(anchor.start(), number.end, None, "final" if final else "statement")
        value, end = _result(text, numbers, index)
        if value is None:
            return None
        if anchor[0].lower().endswith("ing") and SUBJECT.match(text, end):
            return None
        if pattern in (SO, RAISED) and (end != number.end or not ENDED.match(text, end)):
            return None
        line = not clause.rpartition("\n")[2].strip(" -:•*,{'") and (
            anchor.start() == 0 or "\n" in before or len(before) < 40
        )
        named = pattern is NOUN and end == number.end and anchor[0][0] != "Q"
        labelled = line and named and LINE_END.match(text, end)
        rule = "final" if final else "label" if labelled else "statement"
        return _stated(anchor.start(), end, value, rule)
    return None


def _joins(gap: str, number: Amount, pattern: re.Pattern[str]) -> bool:
    if pattern is NOUN:
        if CHAIN.fullmatch(gap):
            return True
        return number.kind != "named" and bool(LINK.search(gap))
    if pattern is VERB:
        return bool(OBJECT.fullmatch(gap))
    return number.kind == "plain" and bool(re.fullmatch(rf"{HEDGE}{{0,3}}", gap, FLAGS))


def _result(text: str, numbers: list[Amount], index: int) -> tuple[float | None, int]:
    """What a calculation that begins at a number comes to, None if it is left undone."""
    value: float = numbers[index].value
    end, undone = numbers[index].end, False
    for number in numbers[index + 1 : index + 40]:
        gap = text[end : number.start]
        if len(gap) > 60 or number.kind in {"other", "range"}:
            break
        if BRACKETED.fullmatch(gap) and not undone:
            if value % 1 and not number.value % 1:
                value = number.value
        elif RESULT.fullmatch(gap) or PACKED.fullmatch(gap):
            value, undone = number.value, False
        elif OPERATOR.fullmatch(gap) or (gap.strip() in {"", "("} and text[number.start] in "+-"):
            undone = True
        else:
            break
        end = number.end
    undone = undone or bool(OPERATED.match(text, end) or _BROKEN_OFF.match(text, end))
    return (None if undone else value), end


def _opening(text: str, numbers: list[Amount]) -> _Committed | None:
    number = numbers[0]
    if re.match(r"\W*(?:at|for|with)\b", text, FLAGS):
        return None  # "At 74 units the profit is": a point, and no choice.
    if number.start > 30 or number.kind not in {"plain", "small", "range"}:
        return None
    if not re.fullmatch(rf"[\s'(:*-]{{0,6}}{HEDGE}{{0,3}}", text[: number.start], FLAGS):
        return None
    if number.kind == "range":
        return _stated(number.start, number.end, None)
    value, end = _result(text, numbers, 0)
    if value is None or not ENDED.match(text, end):
        return None
    if SECOND.match(text, end):
        return _stated(number.start, end, "several numbers", "opening")
    # Steps of a calculation open a text, too: what it goes on to state is worth more than they are.
    return _stated(number.start, end, value, "opening" if end == number.end else "statement")


def _is_result(text: str, numbers: list[Amount]) -> bool:
    """Whether the last number ends the text, as what a calculation comes to or is rounded to."""
    number, before = numbers[-1], lead(text, numbers[-1].start)
    if number.kind != "plain" or _OF_ELSE.search(before):
        return False
    if len(numbers) > 1 and number.value >= 10 and _rounds(numbers[-2].value, number.value):
        return bool(_AT_END.fullmatch(text, number.end))
    return before.rstrip().endswith(("=", "≈")) and bool(_OF_UNITS.fullmatch(text, number.end))


def _last_line(text: str, numbers: list[Amount]) -> float | None:
    """The number that the last line is, or comes to."""
    start = text.rfind("\n") + 1
    begun = text.rfind("→", start) + 1 or start
    index = next((i for i, number in enumerate(numbers) if number.start >= begun), None)
    if index is None or numbers[index].kind != "plain":
        return None
    value, end = _result(text, numbers, index)
    before = text[begun : numbers[index].start]
    plain = re.fullmatch(rf"\W{{0,6}}{HEDGE}{{0,3}}|[^\d\n]{{0,30}}[=≈]\s?", before, FLAGS)
    return value if plain and LINE_END.match(text, end) else None
