"""Reading the one order quantity that a person would take a free answer to mean.

First the words by which an order is stated, and what else stands near a number; then the reading,
from `read_quantity_by` down. Patterns are of bounded length, so that time is linear in the text's.
"""

import re
from typing import Final

from ordojo.benchmarks.or_bias.amounts import THING, Amount, amounts, clean
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
    turns,
)
from ordojo.core.readers.turn import after_thinking, both_ends, own_part

FLAGS = re.IGNORECASE
# What is counted, after a number: "74 loaves of bread", "74 units/week".
UNIT = (
    r"(?: (?!(?:is|are|was|were|be|mean|means|average|expected|demand|and|or|to|out|plus|minus"
    r"|times|below|above|less|more|lower|higher|at|than|but|would|will|has|have|i|we|so|as|since"
    r"|because|for|rounded)\b)[^\W\d_]{1,16}(?:/[a-z]{1,8})?){0,4}"
)
# What may stand before a number and says nothing: "about", "a total of", "therefore".
HEDGE = (
    r"(?:(?:maybe|perhaps|probably|about|around|approximately|approx\.?|roughly|nearly|almost"
    r"|exactly|precisely|just|only|simply|therefore|thus|then|hence|now|a total of|equal to|equals"
    r"|to be|the (?:rounded|nearest)|say|circa|ca\.?|at|set at|set to|close to|somewhere|between"
    r"|from|environ|etwa|rund|unos|calculated (?:as|to be)|found to be|given by|computed as|an?|of"
    r"|[≈:=→]|一共|大约|约)\s?)"
)
# What an order is called: "order quantity", "final answer", "the optimal order", "Q*".
NOUN = re.compile(
    r"(?:\bfinal[\s_-]?(?:answer|order|decision|quantity|recommendation|choice|value"
    r"|result)(?: is)?\b|\b(?:final|corrected|revised|updated)(?=\s?:)"
    r"|\b(?:answer|recommendation|decision|recommended"
    r"|suggestion|solution|conclusion|result)\b|\b(?:order(?:ing|ed)?|orders|stock(?:ing)?"
    r"|purchas(?:e|ing)|production|procurement|optimal|buy|newsvendor|inventory)[\s_-]?(?:quantity"
    r"|quantities|size|amount|level|number|volume)\b|\b(?:quantity|qty|amount"
    r"|number of [a-z]{2,12} to (?:order|buy|stock|purchase|produce))\b|\b(?:bestellmenge|cantidad"
    r"|quantité|quantite|quantità|antwort|respuesta|réponse|commande|bestelling|pedido|ordine"
    r"|quantidade|encomenda|zamówieni\w|resposta|risposta|antwoord|odpowiedź|ответ|заказ"
    r"|jawaban)\b|الجواب|الإجابة|الكمية المثلى|\bthe (?:number|figure) (?:that|which|at which)\b"
    r"|\b(?:it|that) (?:must|should|has to)(?= be)|\bthe (?:best(?: one| choice| value)?"
    r"|one with the (?:best|highest|largest)[a-z ]{1,30}(?= is))\b|\b(?:output|ordered)(?=\s?:)"
    r"|発注量|注文量|발주량|주문량|订货量|订购量|采购量|答案"
    r"|(?-i:(?<!ln )(?<!log )\bQ\b(?!\*? ?[-+/^)]))|\bQ_?\s?(?:opt|star|optimal)\b|\b(?:an|the|my"
    r"|our|best|good|right|ideal|sensible|reasonable|optimal|your|this|optimum|correct|proper"
    r"|resulting|recommended|(?:profit|cost)-m\w+i[sz]ing)\s(?:order|optimum"
    r"|optimal)\b)(?:\s?\*(?!\s?\d))?(?:_opt|\s?\(\s?Q\s?\*?\s?\))?",
    FLAGS,
)
# A noun by which a number comes before all others.
FINAL = re.compile(r"final", FLAGS)
ANEW = re.compile(r"\b(?:final|corrected|revised|updated) $", FLAGS)
# What joins a noun to its number: "is", "of", "=", "works out to".
LINK = re.compile(
    r"(?:^[\s'_•*-]{0,4}(?:\([^()\n]{0,60}\)\s?)?(?:of|at|for|[:,]|to|de|di|von|van)?|[:=≈→]|-\s"
    r"|\b(?:is|be|becomes?|equals|comes to|comes out (?:to|at|to be)|works out (?:to|at)|amounts to"
    r"|yields|gives|being|ist|beträgt|bedraagt|wynosi|составляет|sera|sería|not \S{1,12} but|(?:es"
    r"|est|è|é)(?: de| di)?|be for)|是|は|为|應為|应为)"
    rf"\s?{HEDGE}{{0,4}}$",
    FLAGS,
)
# A calculation between a noun and its result: "Q* = 100 - 25.6 = ".
CHAIN = re.compile(
    r"\s?\*?\s?[=≈:](?:[-+*/×·÷()^_\s\d.,|=≈αβ]|(?!profit|price|cost|margin|expected"
    r"|[FP] ?\()(?:[μσΦ]|[A-Za-z]{1,9})(?![A-Za-z])){0,80}[=≈]\s?"
)
# What one does who orders: "order", "stock", "go with", "round up to".
VERB = re.compile(
    r"(?:订购|订|进货|طلب|\b(?:order|(?:therefore|thus|hence) orders|call it|land(?:ing)? on"
    r"|(?<!leftover )(?<!expected )(?<!remaining )(?<!safety )(?<!unsold )(?<!in-)stock(?! of)"
    r"|(?:buy|purchase)(?! at)|procure|produce|bake|prepare|make|request|should(?: \w+)? have|take"
    r"|bring|carry|(?:should|would|must|will|ought to|'d|'ll) (?:print|publish|brew|cook|roast"
    r"|grill|grow|plant|sew|build|assemble|manufacture|rent|lease|book|reserve|schedule|pack)"
    r"|st(?:ick|ay)(?:ing)? (?:with|at)|(?:keep|leav)(?:e|ing)? (?:it |this |that "
    r"|the \w+ (?<!price ))?at"
    r"|(?:chang|correct|revis)(?:e|ed|ing)(?: (?:it|that|this|(?:my|the) (?:order|answer)))? to"
    r"|should be (?:rais|increas|reduc|lower|chang)ed to|choose|pick"
    r"|select|recommend|suggest|propose|commander(?:ais|ait)?|commandez|pedir(?:ía)?|bestel(?:len?"
    r"|le)?|beställ(?:a|er)?|memesan|pesan|ordinare|ordinerei|encomendar|zamówić|заказать|закажите"
    r"|stop(?:ping)? at|go(?:ing)?(?: [\w ]{0,12}(?:higher|lower)[\w ]{0,16},?)? (?:with|for|to)"
    r"|put (?:me|us) down for|opt(?:ing)? for|(?:decided|settl(?:ed?|ing)) (?:on|for)|answer"
    r"|(?:I have|I've) ordered|lean(?:ing)? towards?|(?:rais|increas|reduc|lower)(?:e|ing) (?:it"
    r"|[^.\n]{0,20}\b(?:order|quantity))\b[^.\n]{0,40}? to|round(?:ing|ed|s)?(?: (?:it|this|that"
    r"|which|up|down|off|Q ?\*?|=|≈|\d[\d.,]{0,12})){0,4} (?:to|gives|yields|(?:and )?(?:you|we"
    r"|i) (?:get|have|obtain|arrive at))))(?![a-z])",
    FLAGS,
)
# What may stand between the verb and its number: "you the optimal quantity of".
OBJECT = re.compile(
    r"\s?(?:(?:you|we|i|us|them|it|that|in|an?|the|up|to|order(?:ing)?|stock(?:ing)?|buying"
    r"|quantity|amount|of|optimal|maximum|minimum|most|largest|smallest|possible|mean|average"
    r"|(?:(?:for|in) )?(?:this|next|the (?:next|coming)) (?:round|day|week|month|period|season"
    r"|time)|expected|demand|median|full|same|nearest|integer|whole|number|level|Q\*?"
    r"|\d{1,2}(?:\.\d{1,3})?(?:st|nd|rd|th) percentile"
    rf"|total|placing|dus|donc|also|daher|quindi|de|une?|mindestens|{HEDGE}|,|:)\s?){{0,8}}",
    FLAGS,
)
# What begins a sentence that is nothing but the number: "So, 74."
SO = re.compile(
    r"(?:^|(?<=[\s(]))(?:therefore|thus|hence|so|say|namely|that is|finally|ultimately|overall"
    r"|in conclusion|i'd say|i would say|i say|my guess is|i'll take|let's (?:say|do|get))[,:]?\s",
    FLAGS,
)
# What follows a number that is said to be the order: "is optimal", "it is".
IS_ORDER = re.compile(
    rf"{UNIT}(?:,? (?:and|so|hence|thus) (?:that|this|it)|,? which)?(?:'s|\s(?:(?:should|must|would"
    rf"|will|to|can|need to|ought to) be|(?:is|would be|should be|seems|looks like"
    rf"|are)))\s(?:(?:the|my|our|your|what i(?: would|'d|'ll)?|what you should|therefore|thus|best"
    rf"|optimal|final|right|just"
    r"|about)\s){0,3}(?:order(?:ed)?|stocked|bought|purchased|produced|baked|optimal|optimum|best"
    r"|quantity|answer|recommend(?:ed)?|choice|decision|recommendation|right|better|preferable)\b"
    rf"|{UNIT} to (?:order|buy)(?=\W*(?:$|\n|[.,!] ))|{UNIT} as (?:my|our|your|the)\s(?:(?:final"
    rf"|best|better|optimal) )?(?:order|answer|decision|choice)\b|{UNIT}\s?(?:←|<-+)"
    rf"|{UNIT}\s(?:zu |te )?bestellen\b|{UNIT} it is(?=\W*(?:$|\n|[.,!] ))"
    rf"|{UNIT} (?:(?:would )?(?:maximi|minimi)[sz]es?|wins|has the (?:best|higher|highest"
    rf"|largest))\b",
    FLAGS,
)
# Another time's order, somebody else's, a limit: what is denied or supposed, `is_disowned` knows.
UNMEANT = re.compile(
    r"\b(?:mistake|typical(?:ly)?|break-?even|current|previous(?:ly)?|last|past|prior|initial"
    r"|usual(?:ly)?|(?:yesterday|today|week|month|year|competitor)'s|rivals?|competitors?"
    r"|customers?|guests?|(?<!I )wants?|min(?:imum)?|max(?:imum)?(?! (?:\w+ )?profit)|nobody"
    r"|no one|most|many|some|others|few|people|suppliers?|if|not|than|test|trial|pilot"
    r"|sample)\s(?:(?!(?<!if )I\b)[a-z]{1,10}\s){0,3}$|\b(?:test|trial|previous|last"
    r"|min(?:imum)?) order: $",
    FLAGS,
)
# Where profit is said to be highest: "profit is maximized at Q = 74".
PEAK = re.compile(
    r"\b(?:maximi[sz]ed|maximum|peaks?|highest|largest|greatest|best|reached)\b(?:(?!demand|probab"
    r"|density|sales|cost)[^.\n;]){0,40}?\b(?:at|for|with|by|when)\b(?: Q\*? ?=?)?",
    FLAGS,
)
# "The profit at Q = 85": a point, and no choice.
POINT = re.compile(r"\b(?:at|for|with|when) $", FLAGS)
DENIED = re.compile(r"\b(?:not|cannot|never)\b|n't\b", FLAGS)
BETWEEN = re.compile(r"\bbetween\b", FLAGS)
# The end of a sentence, or of a line that does not go on with a number.
BREAK = re.compile(r"[.!?;](?=\s|$)|\n(?![^\n]{0,2}\d)|。")
# What follows a number that only enters a formula: "100 + z times".
CALCULATED = re.compile(
    r" ?(?:[+*×·/÷] ?[A-Za-zσμΦ(]|\^[2-9(]|(?:cases|boxes|crates|packs|pallets|trays|bags) of \d"
    r"|- ?[zσμ]|[zσμ](?![a-z])|(?:ln|log|exp|sqrt)\b|(?:minus|plus"
    r"|times) (?:the|your|any|what)\b)"
)
# Of what a calculation between two numbers consists.
SYMBOLS = (
    r"(?:\^-1|[-+*/×·÷()^ ]|(?:[zkμσΦs]|sd|std|ln|log|exp|sqrt|ppf|norm\.ppf|qnorm|invnorm"
    r"|NORM\.S?\.?INV|NORMSINV)(?![A-Za-z]))"
)
# What stands between two numbers of a calculation that is not done yet.
OPERATOR = re.compile(
    rf"[\s)]{{0,4}}[-+*/×·÷^]{SYMBOLS}{{0,20}}|\)?\(|\) \(| ?[zσ] ?[-+*/×·÷] ?| ?(?:[zΦ](?:\^-1)?"
    rf"|ln|log|exp|sqrt) ?\("
)
# What stands between a number and what it comes to: "= ", "rounded to ".
RESULT = re.compile(
    rf"{SYMBOLS}{{0,20}}{UNIT}[\s)]{{0,4}},?\s?[=≈→]\s?{HEDGE}{{0,3}}"
    rf"|{UNIT}\s?[,;(-]{{0,2}}\s?(?:and |or |which |which can be "
    rf"|then )?(?<!this )(?<!next )round[a-z]{{0,3}}\b(?![^.\d\n]{{0,20}}\bfrom)[^.\d\n]{{0,40}}"
    rf"|{UNIT},? (?:or|which is) (?:about|approximately|roughly|simply) ",
    FLAGS,
)
# "4 cases (48 units)": the number in brackets is the order.
PACKED = re.compile(r"\s(?:cases|boxes|crates|packs|pallets|trays|bags|dozens?)\s?\(=?\s?", FLAGS)
# What may follow a number in a line that is a label with its value.
LINE_END = re.compile(rf"{UNIT}\s?[.,;:!)'*\s-]{{0,4}}(?:\([^()\n]{{0,80}}\)[.!]?)?\s?(?:$|\n)")
# What may follow a number that is a statement by itself.
ENDED = re.compile(
    rf"{UNIT}\W{{0,4}}(?:\([^()\n]{{0,80}}\)\W{{0,2}})?(?:$|\n|[.!] |(?:because|since|though|as"
    rf"|per|which (?:is|gives|covers|equals)|please)\b)",
    FLAGS,
)


RULES: Final = ("bare", "final", "opening", "label", "statement", "last line", "only number")
"""The rules that give a number, in order of priority."""

FAILURES: Final = ("empty", "no number", "range", "several numbers", "not committed")
"""Why there is none."""

# A number alone, or the line that is asked for: most replies, of which no more is looked at.
_BARE = re.compile(r"\s{0,9}(-?\d{1,20}(?:\.\d{1,20})?)(?: units?)?\.?\s{0,9}")
_SIMPLE = re.compile(
    r"\s{0,9}order quantity: (-?\d{1,20}(?:\.\d{1,20})?(?:e[-+]?\d{1,2})?)(?: units?)?\.?\s{0,9}",
    re.I,
)


# "I would not order anything", "order nothing": an order of 0, as far as it is said of all cases.
_NOTHING = re.compile(
    r"(?:(?:\b(?:do|does|should|would|will|must|can)(?:n't| not)|\bwon't|\bnot) (?:order|buy|stock"
    r"|purchase|produce) any(?:thing|(?: units?)?)|\b(?:order|buy|stock|purchase"
    r"|produce) (?:nothing|none(?! of)))(?=[.,;:!)\n*]|$| (?:this|today|now|at all"
    r"|in (?:this|the)|because|since"
    r"|as|for (?:this|the)|here|and)\b)",
    FLAGS,
)
# What follows an operand of figures, or a side of an inequality.
_COMPARED = re.compile(r" ?(?:[+*×·/÷] ?[\d(]|[<>≤≥])")
# The text ends in the middle of a calculation.
_BROKEN_OFF = re.compile(r" ?[-+*×·/÷]\s?\Z")
# What stands before an operand.
_ADDED = re.compile(r"(?:[+*×·/÷]|\b[A-Zz] ?-) ?$")
# After one of these a number bounds orders, or says how to answer: "at most 80".
_LIMIT = re.compile(
    r"\bbetween\b[^\n]{0,60}\band\b[^\n]{0,40}$|\b(?:max(?:imum)?|min(?:imum)?|budget"
    r"|limit)\b[^\n]{0,40}$|\b(?:at (?:least|most)|(?:more|less|fewer) than|up to)\s$|\b(?:format"
    r"|form|(?:says|states|stated|tells)(?: us)? that|ordered)\b[^.\n]{0,12}$",
    FLAGS,
)
# After an order of one case, that of another: "60 if it rains, otherwise 80".
_ELSE = re.compile(
    r"(?:\s[a-z]{1,12})?,?\s(?:if|when|unless|in case)\b[^.\n]{0,80}\b(?:otherwise|else|but"
    r"|and)\b[^.\n\d]{0,40}\d",
    FLAGS,
)
# What the sentence of a number speaks of that is no order, and what says that it is one.
_OF_ELSE = re.compile(
    rf"\b(?:{THING}|sell|sold|sales|unsold|left ?overs?|lost|stock-?outs?)\b", FLAGS
)
_OF_ORDER = re.compile(
    r"(?<![a-z])(?:order(?:ed|ing)?(?! point)|buy|(?:to|should|would|we|and|must) stock|purchas\w+"
    r"|quantit\w+|optim\w+|best|recommend\w*|outlay|q|qty|bestel\w*|encomend\w*|command\w*|pedir"
    r"|ordin\w*)(?![a-z])",
    FLAGS,
)
# What else makes the only number of a reply its answer; or it speaks another language.
_ENGLISH = re.compile(
    r"\b(?:the|you|your|are|was|were|of|for|to|with|not|at|on|by|and|it|we|this|that|has|have)\b"
    r"|^[\w ]*:|'",
    FLAGS,
)
_OF_UNITS = re.compile(r" [^\W\d]{2,12}\W{0,3}")
_CHOSEN = re.compile(
    r"\b(?:ans|answers?|action|verdict|ideal|aim|settled?|peaks?|bakes?|makes?|estimate|guess"
    r"|choice|it(?:'d| would| should| must) be|it's|(?:it|that) is|this is|(?<!or )so|hence|thus"
    r"|therefore|yes|best|reached|should read|round\w*|right|gives|yields|sounds|seems|looks"
    r"|would do|you need|(?:one|single) (?:number|figure)|says|suggests|same|again|target"
    r"|balances?|results in|(?:leads?|led)(?: me)? to|works out|corresponds to|means|now"
    r"|total(?= ?:)|calls for|points to|puts|submit|get|play|agree|follow(?! the stated)|(?:take"
    r"|choose|pick))\b",
    FLAGS,
)
# What stands before one of these is taken back, where what follows says it anew or says why.
_CORRECTED = re.compile(
    r"(?:^|[.!?,;:…–—(-]\s?|\n)(?:\W{0,3}\b(?:hmm+|oh|oops|hold on|actually|no|wait|sorry"
    r"|correction|edit|scrap that|(?:I mean|make) (?:that)?))+(?:[,.:;!…–—-]+|(?= (?:I|that|the"
    r"|this|it|let)\b)) ",
    FLAGS,
)
_WRONG = re.compile(r"\b(?:wrong|mistake|error|redo|scrap|withdraw|take (?:it|that) back)\b", FLAGS)


_HEAD, _TAIL = 4_000, 20_000
"""Characters that are read of a longer reply: an order opens it or, after reasoning, ends it."""

_BEFORE = 40
"""Characters before a word or a number that may deny it, or call it another's: about six words."""

_GAP, _STEP = 120, 60
"""Most characters from a word to its number, and from one number of a calculation to the next."""

_TRIED = {True: 6, False: 2}
"""Numbers that are tried with a noun, after which a formula may stand, and with another word."""

_FOLLOWED = 40
"""Numbers of a calculation that are followed; more are a table."""

_ASKED = 20
"""Places of one number at which is asked if it is an order, so that time has an end."""

_OPENING = 30
"""Characters before a number that opens a reply: marks, and two or three hedges."""

_Committed = Commitment[float | str]
"""A quantity, or why there is none; its rank is the place of its rule in `RULES`."""


def read_quantity_by(text: str) -> tuple[float | None, str]:
    """The one order quantity that a person would read, with the rule; or None with the reason.

    Thinking is passed over, and what follows where a model poses itself the next question. In
    order: "bare", nothing but a number; "final", a boxed, tagged or so-called final answer;
    "opening", a first line that begins with the number; "label", a line such as "Order quantity: 74
    units", or a number alone in the last one after a statement; "statement", the last stated order
    ("I would order 74", "Q* = ... = 74.4": what follows the last equals sign); "last line", a
    number that ends the last sentence with one, if its clause says that it is chosen or calculates
    it; "only number", the only one that may be an order, in a sentence that speaks of one. A number
    that is denied, asked, a case of several, a limit, somebody else's, another time's or an example
    is none ("not committed"), nor are two that stand side by side, nor two stated one after the
    other with nothing between that says why. What stands before a word such as "wait" is taken back
    if what follows names a number or an error. A range is no number ("range"), nor are several
    without a statement ("several numbers").
    """
    if simple := _BARE.fullmatch(text):
        return float(simple[1]), "bare"
    if simple := _SIMPLE.fullmatch(text):
        return float(simple[1]), "label"
    text = after_thinking(text)
    if not text:
        return None, "empty"
    text = both_ends(text, _HEAD, _TAIL)
    own = own_part(text)
    if own != text and (found := _read(own))[1] in RULES[:5]:
        return found
    return _read(text)


def _read(text: str) -> tuple[float | None, str]:
    """What follows the last correction says, or all of it if that names no number."""
    *_, turned = None, *_CORRECTED.finditer(text)
    if turned:
        found = _read_part(text[turned.end() :])
        if found[0] is not None or _WRONG.search(text, turned.start()):
            return found
    return _read_part(text)


def _read_part(text: str) -> tuple[float | None, str]:
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
    last = numbers[-1]
    closing = last.kind == "plain" and _ALONE.search(text[: last.start][-_BEFORE:])
    if every and closing and _ENDS.fullmatch(text, last.end):
        every.append(_stated(last.start, last.end, last.value, "label"))
    stated = [one for one in every if not _supposed(text, one)]
    if every and (not stated or _ELSE.match(text, max(one.end for one in every))):
        return None, "not committed"
    if stated:
        return _choose(text, stated, numbers)
    if is_withdrawn(text):
        return None, "not committed"
    loose = [one for one in numbers if one.kind == "plain" and (one.value >= 1 or not one.value)]
    loose = [one for one in loose if not _is_operand(text, one)]
    if not loose:
        return None, "range" if any(number.kind == "range" for number in numbers) else "no number"
    values = {one.value for one in loose}
    values -= {one for one in values if one % 1 and {one // 1, one // 1 + 1} & values}
    if len(values) == 1:
        doubted = any(_supposed(text, one) for one in loose[:_ASKED])
        if doubted or all(_unmeant(text, one) for one in loose[:_ASKED]):
            return None, "not committed"
        return values.pop(), "only number"
    if not _supposed(text, loose[-1]) and _is_verdict(text, loose[-1]):
        whole = [one.value for one in loose if _rounds(loose[-1].value, one.value)]
        return (whole or [loose[-1].value])[-1], "last line"
    return None, "several numbers"


def _is_verdict(text: str, number: Amount) -> bool:
    """Whether a number ends its sentence, and the clause before it says that it is the choice."""
    before, after = lead(text, number.start), rest(text, number.end)
    if _LIMIT.search(before) or not _ENDS.fullmatch(after) or after.rstrip().endswith("?"):
        return False
    if before.endswith("→ ") and not text[number.end + len(after) :].strip():
        return True
    part = re.split(r"[,;→]| (?:and|so|then) ", before)[-1]
    if _YIELDS.search(part):
        return False
    if re.search(r"\d[^=≈]*(?:[=≈]|\bis)\s?$", part):
        return not (_OF_ELSE.search(part) or text[number.end + len(after) :].strip())
    clause = next((one for one in re.split(r"[\d;,]", before)[::-1] if one.strip()), "")
    if _OF_ELSE.search(clause + after) or (" would " in clause and is_conditional(before)):
        return False
    return bool(_CHOSEN.search(clause) or _NOTHING_ELSE.fullmatch(before))


# "Ordering 74 yields 320": a profit.
_YIELDS = re.compile(
    r"\border(?:ing)? \d[^,;]{0,40}\b(?:yields|gives|leads to|results in)\s?$", FLAGS
)
# What stands before a number that begins its line.
_ALONE = re.compile(rf"\n\W{{0,9}}{HEDGE}{{0,3}}\W{{0,3}}$", FLAGS)
_NOTHING_ELSE = re.compile(rf"\s*(?:not [\d.,]+ but |yes\W*|q\w* =)? ?(?:{HEDGE}{{1,3}})?", FLAGS)
# What may follow a number to the end of its sentence.
_ENDS = re.compile(rf"(?! too\b){UNIT}\W*(?:it is\W*)?", FLAGS)
# A table of one row: its cells under their headings.
_TABLE = re.compile(
    r"^\|([^\n]{1,200})\|[^\S\n]*\n\|[-:"
    r"|\s]{1,200}\|[^\S\n]*\n\|([^\n]{1,200})\|[^\S\n]*(?=\n(?!\|)|\Z)",
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


def _supposed(text: str, stated: _Committed | Amount) -> bool:
    """Whether a number is denied, asked, somebody else's, or an order only in one case."""
    if _ELSE.match(text, stated.end) or is_reported(lead(text, stated.end)):
        return True
    before, after = lead(text, stated.start), rest(text, stated.end)
    if re.search(r"\bdepends\b", before) or _AS_ELSE.match(after):
        return True
    later = re.sub(rf"^{UNIT}", "", after, flags=FLAGS)
    return is_disowned(before, after) or is_disowned(before, later)


# What a number is of, said after it: "60 as the mean".
_AS_ELSE = re.compile(rf"{UNIT} as \w+ (?:{THING}|test|trial|start\w*|example)\b(?!-)", FLAGS)


def _unmeant(text: str, number: Amount) -> bool:
    """Whether a number that nothing states is a limit, or of something else than an order."""
    before = lead(text, number.start)
    if UNMEANT.search(before) or _LIMIT.search(before):
        return True
    own, after = own_clause(before).rpartition("→")[2], rest(text, number.end)
    clause = after.partition(",")[0]
    if _OF_ORDER.search(own + clause):
        return False
    if _OF_ELSE.search(own.partition("=")[0]) and own.rstrip().endswith("="):
        return True
    own = re.split(r"\d", own)[-1]
    if _OF_ELSE.search(own + clause) or after.rstrip().endswith("?"):
        return True
    if _NOTHING_ELSE.fullmatch(before) and _ENDS.fullmatch(after):
        return False
    ended = before.rstrip(" ")[-1:]
    foreign = len((own + clause).split()) > 2 and not _ENGLISH.search(own + clause)
    kept = (
        foreign
        or re.search(r"(?![μσφα])[^\W\da-z_]", own + clause, re.I)
        or _CHOSEN.search(own + clause)
        or ended in {"≈", "=", "→"}
        or (ended == "," and _ENDS.fullmatch(after))
        or (ended == ":" and _OF_UNITS.fullmatch(after))
    )
    return not kept


def _is_operand(text: str, number: Amount) -> bool:
    """Whether a number only enters a calculation or an inequality."""
    added = _ADDED.search(text, max(0, number.start - 4), number.start)
    after = (CALCULATED, _COMPARED, _BROKEN_OFF)
    return bool(added or any(one.match(text, number.end) for one in after))


def _choose(text: str, stated: list[_Committed], numbers: list[Amount]) -> tuple[float | None, str]:
    """The statement that is kept to, the rounded one of a number and its rounding."""
    values = {one.value for one in stated}
    exact = {value for value in values if not any(_rounds(value, other) for other in values)}
    whole = [one for one in stated if one.value in exact]
    best = settle(text, whole, whole)
    if best is None or (
        is_conditional(lead(text, best.start)) and is_withdrawn(text[: best.start])
    ):
        return None, "several numbers" if len(exact) > 1 else "not committed"
    if isinstance(best.value, str):
        return None, best.value
    if _also(text, best, numbers):
        return None, "several numbers"
    if any(_contradicts(text, one, best) for one in whole):
        return None, "several numbers"
    rounded = [
        number.value
        for number in numbers
        if number.start >= best.end and number.kind == "plain" and number.value >= 10
        if _rounds(best.value, number.value) and not _supposed(text, number)
    ]
    return (rounded or [best.value])[-1], RULES[best.rank]


def _contradicts(text: str, one: _Committed, best: _Committed) -> bool:
    """Whether another order is stated before the best, and nothing between them says why."""
    if one.value == best.value or one.end > best.start:
        return False
    between = text[one.end : best.start]
    said, anew = (re.sub(r"[\d.,]+", "", text[it.start : it.end]).lower() for it in (one, best))
    reason = _WHY.search(between) or turns(between) or SO.match(text, best.start)
    return not reason and (said == anew or not re.search(r"\d", between))


# Between two statements, these say why they differ: "in theory 80; I order 74".
_WHY = re.compile(r"\btheor|\bI\b", FLAGS)


def _also(text: str, best: _Committed, numbers: list[Amount]) -> bool:
    """Whether a second number is stated in the same breath: "40 of these and 65 of those"."""
    after = next((n for n in numbers if n.start >= best.end), None)
    return (
        after is not None
        and after.kind in {"plain", "small"}
        and bool(_AND_ALSO.fullmatch(text, best.end, after.start))
        and ("," not in text[best.end : after.start] or bool(_ENDED_THERE.match(text, after.end)))
    )


# Between two numbers of one breath, and after the second: "40 of these and 65 of those".
_AND_ALSO = re.compile(
    rf"{UNIT}(?: (?:of|on|for|in) (?:the )?[\w ]{{1,30}}?)?(?:,? ?(?:and|plus|or|minus|times)|,)"
    r" ?(?:about |perhaps |maybe |even |(?:for|in|on) [\w -]{1,30}? )?",
    FLAGS,
)
_ENDED_THERE = re.compile(r" ?(?:[\]),;.]|(?:and|or|of(?! (?:which|them|these))|for|on|in)\b|$)")


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
    for pattern in (NOUN, VERB, SO, PEAK):
        first = 0
        for anchor in pattern.finditer(text):
            while first < len(numbers) and numbers[first].start < anchor.end():
                first += 1
            if found := _after(text, numbers, first, anchor, pattern):
                stated.append(found)
    for index, number in enumerate(numbers):
        if number.kind in {"plain", "small", "range"} and (
            said := IS_ORDER.match(text, number.end)
        ):
            begun = text.rfind("\n", 0, number.start) + 1
            if text.startswith(": ", begun):  # A row of a table begins with its quantity.
                index = next(i for i, one in enumerate(numbers) if one.start >= begun)
            if not UNMEANT.search(
                text[max(begun, numbers[index].start - _BEFORE) : numbers[index].start]
            ):
                value, end = _result(text, numbers, index)
                value = None if number.kind == "range" else value
                stated.append(_stated(numbers[index].start, max(end, said.end()), value))
    return stated


def _after(
    text: str, numbers: list[Amount], first: int, anchor: re.Match[str], pattern: re.Pattern[str]
) -> _Committed | None:
    """The statement that an anchor makes with one of the next few numbers."""
    before = text[max(0, anchor.start() - _BEFORE) : anchor.start()]
    clause = BREAK.split(before)[-1]
    final = bool(FINAL.match(anchor[0])) or bool(ANEW.search(clause))
    if POINT.search(clause) or (not final and UNMEANT.search(clause)):
        return None
    for index in range(first, min(first + _TRIED[pattern is NOUN], len(numbers))):
        number = numbers[index]
        gap = text[anchor.end() : number.start]
        # The number begins what follows the gap: a heading's line break is no end of a sentence.
        if len(gap) > _GAP or BREAK.search(gap.replace(":\n", ": ") + "0"):
            return None
        if number.kind == "named" and (
            final or (":" in gap[:3] and CHAIN.fullmatch(gap.replace(":\n", ": ")))
        ):
            return None  # "The critical ratio is" a box; "Solution: z = 0.67".
        if number.kind == "other" or not _joins(gap.replace(":\n", ": "), number, pattern):
            continue
        if DENIED.search(gap) and "but" not in gap:
            return None
        if BETWEEN.search(gap) or number.kind == "range":
            return _stated(anchor.start(), number.end, None, "final" if final else "statement")
        value, end = _result(text, numbers, index)
        if value is None:
            return None
        if pattern in (SO, PEAK) and (end != number.end or not ENDED.match(text, end)):
            return None
        line = not clause.rpartition("\n")[2].strip(" -:•*,{'") and (
            anchor.start() == 0 or "\n" in before or len(before) < _BEFORE
        )
        named = pattern is NOUN and end == number.end and anchor[0][0] != "Q"
        labelled = line and named and LINE_END.match(text, end)
        rule = "final" if final else "label" if labelled else "statement"
        if 0 < value < 1 and rule != "final" and not _OF_UNITS.fullmatch(rest(text, end)):
            return None
        return _stated(anchor.start(), end, value, rule)
    return None


# "The order is the 60th percentile: 160."
_IDENTITY = re.compile(rf"\s?(?:is|equals|=)\b{OBJECT.pattern}", FLAGS)
# In a gap between noun and link, these say that the number is of something else.
_ELSEWHERE = re.compile(r"[=:)]|\b(?:form|sold|unsold|returned|left ?over|lost|demanded)\b")
_ASIDE = re.compile(r"\([^()]*\)")


def _joins(gap: str, number: Amount, pattern: re.Pattern[str]) -> bool:
    if pattern is NOUN:
        if CHAIN.fullmatch(gap):
            return True
        if number.kind == "named":
            return bool(_IDENTITY.fullmatch(gap))
        link = LINK.search(gap)
        return link is not None and not _ELSEWHERE.search(_ASIDE.sub("", gap[: link.start()]))
    if pattern is VERB:
        return bool(OBJECT.fullmatch(gap))
    return number.kind == "plain" and bool(re.fullmatch(rf"\s?{HEDGE}{{0,3}}", gap, FLAGS))


def _result(text: str, numbers: list[Amount], index: int) -> tuple[float | None, int]:
    """What a calculation that begins at a number comes to, None if it is left undone."""
    value: float = numbers[index].value
    end, undone = numbers[index].end, False
    for number in numbers[index + 1 : index + _FOLLOWED]:
        gap = text[end : number.start]
        if len(gap) > _STEP or number.kind in {"other", "range"} or _rounds(number.value, value):
            break
        if RESULT.fullmatch(gap) or PACKED.fullmatch(gap):
            value, undone = number.value, False
        elif OPERATOR.fullmatch(gap) or (gap.strip() in {"", "("} and text[number.start] in "+-"):
            undone = True
        else:
            break
        end = number.end
    undone = undone or bool(CALCULATED.match(text, end) or _BROKEN_OFF.match(text, end))
    return (None if undone else value), end


def _opening(text: str, numbers: list[Amount]) -> _Committed | None:
    number = numbers[0]
    if re.match(r"\W*(?:at|for|with)\b", text, FLAGS):
        return None  # "At 74 units the profit is": a point, and no choice.
    if number.start > _OPENING or number.kind not in {"plain", "range"}:
        return None
    if not re.fullmatch(rf"[\s'(:*-]{{0,6}}{HEDGE}{{0,3}}", text[: number.start], FLAGS):
        return None
    if number.kind == "range":
        asked = text.startswith("?", numbers[1].end)
        return None if asked else _stated(number.start, number.end, None)
    value, end = _result(text, numbers, 0)
    if value is None or (0 < value < 1 and end > number.end) or not ENDED.match(text, end):
        return None
    # Steps of a calculation open a text, too: what it goes on to state is worth more than they are.
    return _stated(number.start, end, value, "opening" if end == number.end else "statement")
