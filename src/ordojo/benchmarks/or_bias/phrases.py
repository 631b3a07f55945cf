"""The phrases by which an answer states an order, and those by which it does not.

They are matched against clean text. Every repetition is bounded, so that no reply costs more
than its length.
"""

import re

NEXT_QUESTION = re.compile(
    r"\n[#*\s]{0,6}(?:Context|Question|Scenario|Problem|Example|Exercise|Human|User|Q\d?)"
    r"(?:\s\d{1,4})?\s?[:.]",
)
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
    r"|\b(?:answer|recommendation|decision|recommended|suggestion|solution|conclusion|result)\b"
    r"|\b(?:order(?:ing|ed)?|orders|stock(?:ing)?|purchas(?:e|ing)|production|procurement|optimal"
    r"|buy|newsvendor|inventory)[\s_-]?(?:quantity|quantities|size|amount|level|number|volume)\b"
    r"|\b(?:quantity|qty|amount|number of [a-z]{2,12} to (?:order|buy|stock|purchase|produce))\b"
    r"|\b(?:bestellmenge|cantidad|quantité|quantite|quantità|antwort|respuesta|réponse)\b"
    r"|订货量|订购量|采购量|答案|(?-i:\bQ\b)|\bQ_?\s?(?:opt|star|optimal)\b"
    r"|\b(?:an|the|my|our|best|optimal|your|this|optimum)\s(?:order|optimum|optimal)\b)"
    r"(?:\s?\*(?!\s?\d))?(?:_opt|\s?\(\s?Q\s?\*?\s?\))?",
    FLAGS,
)
FINAL = re.compile(r"final", FLAGS)
LINK = re.compile(
    r"(?:^[\s'_]{0,3}(?:\([^()\n]{0,60}\)\s?)?(?:of|at|:|to)?"
    r"|[:=≈→]|-\s|\b(?:is|was|be|becomes?|equals|comes to|comes out (?:to|at|to be)"
    r"|works out (?:to|at)"
    r"|amounts to|yields|gives|being|ist|es|est|è|sera|sería|not \S{1,12} but)|是|为|为|應為|应为)"
    rf"\s?{HEDGE}{{0,4}}$",
    FLAGS,
)
CHAIN = re.compile(
    r"\s?\*?\s?[=≈:](?:[-+*/×·÷()^_\s\d.,|=≈αβ]|(?:[A-Za-zμσΦ]{1,2}|mean|std|sigma|mu|Phi|inv"
    r"|norm"
    r"|NORM|INV|demand|safety|stock|average|standard|deviation|z-score|score|MEAN|STD|CR"
    r"|[Cc]ritical"
    r"|[Rr]atio)(?![A-Za-z])){0,80}[=≈]\s?"
)
VERB = re.compile(
    r"\b(?:order(?:ing)?|stock(?:ing)?|buy(?:ing)?|purchas(?:e|ing)|procur(?:e|ing)|produc(?:e"
    r"|ing)"
    r"|bak(?:e|ing)|prepar(?:e|ing)|mak(?:e|ing)|request|choos(?:e|ing)|pick|select|recommend"
    r"|suggest|propose|commanderais|pedir(?:ía)?|bestellen?|bestelle|go(?:ing)? (?:with|for)"
    r"|opt(?:ing)? for"
    r"|settl(?:e|ing) (?:on|for)|answer|round(?:ing|ed|s)?"
    r"(?: (?:it|this|up|down|off|Q ?\*?|=|≈|\d[\d.,]{0,12})){0,4} (?:to|gives)|订购|订)(?![a-z])",
    FLAGS,
)
OBJECT = re.compile(
    r"\s?(?:(?:you|we|i|us|them|it|that|in|an?|the|up|to|order(?:ing)?|stock(?:ing)?|buying"
    r"|quantity|amount"
    r"|of|optimal|mean|average|expected|demand|median|full|same|nearest|integer|whole|number"
    r"|level|Q\*?"
    r"|\d{1,2}(?:\.\d{1,3})?(?:st|nd|rd|th) percentile"
    rf"|total|placing|mindestens|{HEDGE}|,|:)\s?){{0,8}}",
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
    r"|recommended|choice|decision|recommendation)\b",
    FLAGS,
)
UNMEANT = re.compile(
    r"(?:\b(?:not|never|cannot|avoid|if|suppose|supposing|when|whether|than|instead of"
    r"|rather than|unless"
    r"|previous|previously|last|past|prior|historical(?:ly)?|competitors?(?:'s)?|rivals?|typical"
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
FUNCTION = re.compile(r"[A-Za-zΦ]\s?\([^()\n]{0,20}$")
BREAK = re.compile(r"[.!?;](?=\s|$)|\n(?![^\n]{0,2}\d)|。")
OPERATED = re.compile(r"\s?(?:[+*×·/÷]\s?[A-Za-zσμΦ(]|-\s?[zσμ]|[zσμ](?![a-z]))")
SYMBOLS = (
    r"(?:\^-1|[-+*/×·÷()^ ]"
    r"|(?:[zkμσΦs]|sd|std|ppf|norm\.ppf|qnorm|invnorm|NORM\.S?\.?INV|NORMSINV)(?![A-Za-z]))"
)
OPERATOR = re.compile(
    rf"[\s)]{{0,4}}[-+*/×·÷^]{SYMBOLS}{{0,20}}|\)?\(|\) \(| ?[zσ] ?[-+*/×·÷] ?"
    rf"| ?[zΦ](?:\^-1)? ?\("
)
RESULT = re.compile(
    rf"{SYMBOLS}{{0,20}}{UNIT}[\s)]{{0,4}},?\s?[=≈→]\s?{HEDGE}{{0,3}}"
    rf"|{UNIT}\s?[,;(-]{{0,2}}\s?(?:and |or |which |which can be |then )?round[a-z]{{0,3}}\b"
    rf"(?![^.\d\n]{{0,20}}\bfrom)[^.\d\n]{{0,40}}"
    rf"|{UNIT},? (?:or|which is) (?:about|approximately|roughly|simply) ",
    FLAGS,
)
BRACKETED = re.compile(rf"{UNIT}\s?\((?:or\s)?\s?[≈=]\s?", FLAGS)
LINE_END = re.compile(rf"{UNIT}\s?[.,;:!)'*\s-]{{0,4}}(?:\([^()\n]{{0,80}}\)[.!]?)?\s?(?:$|\n)")
ENDED = re.compile(
    rf"{UNIT}\s?(?:[.,;:!()\n-]|$|because\b|since\b|as\b|based\b|for\b|per\b)", FLAGS
)
SECOND = re.compile(r"\s?(?:,|/|and|or|&)\s?(?:and\s|or\s)?[-\d]", FLAGS)
CORRECTED = re.compile(
    r"\b(?:wait|actually|correction|on reflection|on second thought|let me re|revis|mistake"
    r"|whole|integer|round|reconsider|sorry|oops)",
    FLAGS,
)
DECLINED = re.compile(
    r"\s{0,3}(?:quantity)?\s?[:=]\s{0,2}(?:nan|none|n/a|unknown|-?inf|cannot|tbd|undefined|null"
    r"|\?|not )",
    FLAGS,
)
