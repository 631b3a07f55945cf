"""Reading the objective value that a program printed."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ordojo.core.readers.commitment import CORRECTED, is_disowned, lead, rest
from ordojo.core.readers.numbers import pointed
from ordojo.core.readers.turn import after_thinking, both_ends, own_part, plain

Word = Literal["infeasible", "unbounded", "no solution"]

RULES: Final = (
    "answer",
    "objective",
    "total",
    "measure",
    "log",
    "named",
    "last line",
    "verdict",
)
"""The ways to be read, in order of priority."""

_HEAD, _TAIL = 10_000, 90_000
"""Characters that are read of a longer output, at its beginning and its end."""

_ALONES = 50
"""Lines at an output's end among which other numbers alone are looked for."""

_REPLY = 5_000
"""Characters that are read of a longer reply, at its end: an answer is not followed by more."""

_DASHES = "\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPELLINGS = str.maketrans(_FULL_WIDTH | dict.fromkeys(map(ord, _DASHES), ord("-")))
_GROUPED = re.compile(r"(?<=\d)['’_\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_ROUND = re.compile(r"(?<=\d),-{1,2}(?![\d\w])")
_RAISED = re.compile(r"(?<=10)[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_FRACTION = re.compile(
    r"\\[dt]?frac\{(-?\d{1,15})\}\{(\d{1,15})\}|\bFraction\((-?\d{1,15}), (\d{1,15})\)"
)
_LATEX = re.compile(
    r"\\(?:math(?:bf|rm|it)|text(?:bf)?|boxed|[,;!])|[{}](?=[\d,.$\\-])|(?<=[\d,])[{}]"
    r"|\$\$|\\[][()]"
)
# A dash that parts a name from its number, where that ends the line: "Optimal value - 4200".
_PARTING = re.compile(
    r"(?<=[A-Za-z)*]) (?:[\u2013\u2014]|-(?= [$€£]?[\d.,]{1,40}[^\S\n]{0,9}$)) (?=[$€£]?\d)",
    re.MULTILINE,
)
_TIMES = re.compile(r"\\(?:times|cdot)(?![A-Za-z])\s?")
_NEARLY = re.compile(r"\\approx(?:eq)?(?![A-Za-z])")
# "3 1/2", and "minus 7.5" where nothing stands before it to be taken from.
_MIXED = re.compile(r"(?<![\d./^*] )(?<![\d.,/])(\d{1,9}) (\d{1,3})/(\d{1,3})(?!\.?\d|/)")
_MINUS = re.compile(r"(?:(?<=\bis )|(?<=[:=] ))(?:minus|negative) (?=[\d$€£])", re.IGNORECASE)

_DIGITS = (
    r"\d{1,3}(?:,\d{3}){1,20}(?!\d)(?:\.\d{1,40})?"
    r"|\d{1,3}(?:\.\d{3}){1,20},\d{1,2}(?!\d)|\d{1,3}(?:\.\d{3}){2,20}(?!\.?\d)"
    r"|\d{1,2}(?:,\d{2}){1,4},\d{3}(?!\d)(?:\.\d{1,40})?"
    r"|\d{1,3}(?: \d{3}){1,6}(?:[.,]\d{1,2})?(?=\s?(?:[€$£A-Za-z]|\n|$)|\.(?:\s|$))"
    r"|\d{1,400}(?:\.\d{0,400}|,\d{1,40}(?!\d))?|\.\d{1,400}"
)
_POWER = r"e[-+]?\d{1,5}|\s?[x×*]\s?10\s?(?:\^|\*\*)\s?\(?[-+]?\d{1,3}\)?"
_NUMBER = (
    r"(?P<sign>[-+])?\s?(?:(?:r|us|[acn]u?|hk)?[$€£¥₹]|usd|eur|cny"
    r"|rs\.?)?\s?\[{0,2}(?:[a-z_.]{1,16}\d{0,3}\(\s?['\"]?)?"
    r"\[{0,2}(?P<inner>[-+])?"
    rf"(?:(?P<digits>{_DIGITS})(?P<power>{_POWER})?(?:\s?/\s?(?P<over>\d{{1,15}})(?!\.?\d|/))?"
    r"(?:(?:\s(?=[tmb])|(?<=\d)(?=k|(?-i:M)))(?P<scale>thousand|million|billion|k|(?-i:M))\b)?"
    r"|(?P<special>(?:infinity|inf|nan)\b|∞))"
)
_SAID = (
    r"(?P<word>infeasible|impossible|unbounded|none|null|error|n/?a\b|undefined"
    r"|no (?:optimal |best |feasible )?solution)"
)
# After a number that is one: no name, product or exponent, no share, no second reading, no range,
# no sum that breaks off.
_WHOLE = (
    r"(?!(?!(?:h|hrs?|km|kg|mg|min)\b|(?![万萬亿億千百])[\u3040-\u9fff])\w|(?!\*{1,2}+(?:[\s.,|)]|$))[*^%]|\.\d|\s?%|\s\*"
    r"|\s(?:or|oder)\s(?:maybe |perhaps |possibly |even )?[\d$]"
    r"|\s[a-z]\w{0,20}\s?[-+]\s?\d|,\s?[-+]?\d[\d.e+-]{0,20}\]"
    r"|\s?[-+/×·]\s{0,3}\Z|\s[+×]\s\$?\d|\s?k[$€£])"
)
_FLAGS = re.IGNORECASE | re.MULTILINE

# What a number is called, kind by kind. A name is read up to its sign of equality, and what stands
# between must not say that it is something else (`_ELSE`).
_NOUN = (
    r"(?:costs?|profits?|revenues?|incomes?|returns?|earnings?|expenses?|expenditures?|distances?"
    r"|makespan|loss|benefits?|utility|scores?|rewards?|penalty|penalties|values?|objectives?"
    r"|sales?|contribution|margin|spend(?:ing)?"
    r"|price|weights?|length|variance|satisfaction|waste|deviations?)"
)
_EXTREME = (
    r"(?:optim(?:al|um|i[sz]ed)|best|mini?m(?:um|al|i[sz]ed)?|max(?:imum|imal|imi[sz]ed)?"
    r"|least|lowest|highest|largest|smallest|shortest)"
)
# The same in other languages, in either order: "Lucro máximo", "Minimale totale kosten".
_ABROAD = (
    r"(?:profitto|costo|custo|lucro|receita|winst|kosten|gewinn|coste|beneficio|ganancia|coût"
    r"|bénéfice|이익|비용|수익|kostnad\w*|vinst\w*|koszt\w*|zysk\w*|прибыл\w*|затрат\w*|стоимост\w*|количеств\w*"
    r"|lợi nhuận|chi phí|ต้นทุน|กำไร|利益|利润|費用|费用|成本|コスト)",
    r"(?:massim[oa]|minim[oa]|m[íi]nim[oa]|m[áa]xim[oa]|minimum|maximum|minimale?|maximale?"
    r"|최대|최소"
    r"|minimal[na]\w*|maksymaln\w*|минимальн\w*|максимальн\w*|tối đa|tối thiểu|ต่ำสุด|สูงสุด|最大"
    r"|最小)",
)
_EACH = r" \S{1,30} (?:[a-z]{1,9} )?(?:per|an?|each) (?:unit|piece|item|kg|ton)\b"
# A box of LaTeX, and what stands in it beside the number.
_BOX = re.compile(r"\\boxed\s?\{((?:[^{}]|\{[^{}]{0,99}\}){1,200})\}")
_IN_WORDS = re.compile(r"\\(?:text|mathrm)\s?\{[^{}]{0,99}\}|\\approx|\\[,;!$ ]")
_KINDS: Final = {
    "answer": re.compile(
        r"(?:optim(?:al|um)[ _]?(?:objective[ _]?)?(?:function[ _]?)?value"
        r"|objective(?:[ _]function)?[ _]?value|obj[ _]?val(?:ue)?|function value"
        r"|just print the best solution|final answer|\banswer|^ans(?=\s?[:=])"
        r"|最优值|最优目标值|目标函数值|optimaler? (?:ziel(?:funktions)?)?wert"
        r"|valor óptimo|valor ótimo|valeur optimale|valore ottimo|optimale waarde"
        r"|wartość optymalna|оптимальн\w+ значени\w+|значени\w+ целевой функции"
        r"|(?:valor|valeur|valore|wartość) (?:de la |della |da |de |funkcji )?"
        r"(?:función objetivo|função objetivo|fonction objectif|funzione obiettivo|celu)"
        r"|最適値|目的関数値|최적값|목적함수 값|答案|答え|정답"
        r"|^[^\S\n]{0,9}###(?=#[^\S\n]?[-+$€£]{0,2}\d[\d.,]{0,40}[^\S\n]{0,9}$))",
        _FLAGS,
    ),
    "objective": re.compile(
        rf"(?!(?:best|optimal) objective[^\S\n]{{1,9}}[-+\d])"  # Gurobi's closing line
        rf"(?<![a-z])(?:{_EXTREME}(?:[ _][a-z]{{1,20}}){{0,4}}?[ _](?:{_NOUN}|time)"
        rf"|{_NOUN}[ _](?:min\w*|max\w*|óptimo|optimal\w?)"
        r"|(?:mini|maxi)m(?:um|al) number of (?!iter|node|thread|var|cons|row|col|sol)[a-z]{1,20}"
        r"|[a-z]{2,20} \((?:(?:mini|maxi)mi[sz]ed|objective)\)"
        r"|^cheapest(?=\s?[:=])|fewest (?:possible )?[a-z]{2,20}"
        r"|\bbest (?:we|you|one|they) can (?:do|get|achieve)\b"
        r"|(?<!best )(?<!optimal )objective|(?<!\d: )obj|optimum|opt"
        rf"|{_EXTREME} [zf])\d?(?![a-z])"
        rf"|^[^\S\n]{{0,20}}(?:{_ABROAD[0]}[^\S\n]?(?:[^\W\d]{{1,20}} ){{0,3}}{_ABROAD[1]}"
        rf"|{_ABROAD[1]}[^\S\n]?(?:[^\W\d]{{1,20}} ){{0,3}}{_ABROAD[0]})(?=[^\n:=\d]{{0,30}}[:=])"
        r"|最[优小大]\w{0,6}?[值値本润]",
        _FLAGS,
    ),
    "total": re.compile(
        rf"\b(?:total|overall|final)(?:[ _][a-z]{{1,20}}){{0,4}}?[ _](?:{_NOUN}|time)\b"
        r"|^\s{0,20}(?:grand )?(?:total|sum|overall)(?=\s{0,20}[:=(])"
        rf"|\bsum of (?:[a-z]{{1,20}} )?{_NOUN}\b"
        r"|\b(?:for|gives|giving|makes?|making|in) a total(?= of\b)"
        r"|总\w{1,4}|gesamt\w{0,12}|(?:coste?|costo|coût) total\w?",
        _FLAGS,
    ),
    "measure": re.compile(
        r"(?:^[\s>*#]{0,20}(?:(?:so|thus|then|hence|therefore),? )?)"
        r"(?:(?:net|gross|expected|discounted|annual|yearly|monthly"
        rf"|weekly|daily|tour|network) ){{0,3}}(?:{_NOUN}|[zf]\b|result|answer)\b"
        rf"|['\"](?:{_NOUN}|obj|fun|z)['\"],?"
        r"|(?<![a-z])(?:max|min)(?:imum|imi[sz]ed|imal\w{0,2})?(?!\|?[a-z\[])|\boptimal(?=\))"
        rf"|^[^\S\n]{{0,20}}{_ABROAD[0]}(?=\s?[:=])"
        r"|\b(?:kosten|gewinn|coût|coste|costo|beneficio|ganancia)\b|\b(?:[zcfp]|phi"
        r"|theta)(?=\s?\^?\{?\*)|\b[zcfp]_?\{?(?:min|max|opt)\}?(?=\s?=)|\boptimal['\"],"
        # "Approximately 19, more exactly 18.9737"
        r"|^(?:approximately|about|roughly|around|nearly|≈|~) ?[\d.,]{1,40} (?:or |and )?more"
        r" (?:exactly|precisely|accurately)",
        _FLAGS,
    ),
    "log": re.compile(
        r"\bmip(?= = [ \d.e+-]{1,40}>= +tree is empty)"
        # GLPK's last line of a linear model, and the row of a model that Pyomo shows.
        r"|^[*#]?[^\S\n]{1,9}\d{1,9}: obj(?= =[^\n]{1,90}\nOPTIMAL(?! LP SOLUTION FOUND\nInteger))"
        r"|^[^\S\n]{1,20}None :[^\S\n]{1,9}True(?= :)"
        r"|\b(?:best (?:feasible |integer )?solution(?: found)?(?: so far)?|(?:best"
        r"|optimal) (?:objective|cost)|primal bound|incumbent"
        r"|fun)\b(?=[ :]{1,20})",
        _FLAGS,
    ),
    # A line's name that has nothing else of ours: "Total weekly contribution margin:".
    "named": re.compile(
        rf"^(?![^\n:=]{{0,90}}\b(?:secondary|scaled|time|budget|used|unused|average|root|lp"
        r"|bound|greedy|denominator|numerator|constraints?|variables?|rows?|columns?|nodes?|iterations?|cuts"
        r"|seconds|solutions?|attained|(?:reached|achieved|occurs) at)\b)[^\n:=]{0,60}?"
        rf"\b(?:total|overall|primary|real|{_EXTREME})\b(?!\[)[^\n:=]{{0,60}}(?=[:=])"
        # "The best plan opens 3 warehouses and costs 74,200 dollars per year."
        rf"|\b(?:{_EXTREME}|cheapest) (?:plan|option|solution|mix|schedule|diet|route|tour"
        r"|assignment|way|combination|strategy|policy|portfolio|network|allocation|design)\b[^\n.;:=]{0,60}?"
        r"\b(?:costs|earns|saves|brings in)"
        rf"(?!{_EACH})",
        _FLAGS,
    ),
}
# Said in passing, and so read only where nothing else is, and never against a solve: "x = 20,
# profit = 4200", "giving a profit of 4200", "with cost 42", "to earn 4200".
_PASSING = re.compile(
    rf"(?:(?<=\d[,;|] )|(?<==> )|(?<=→ )){_NOUN}(?=\s?=|\s[$€£]?\d)"
    r"|\b(?:(?:for|with|at|giving|gives|yielding|yields|achieving|making|earning) (?:an? )?"
    r"(?:(?:total|overall|net|daily|weekly|monthly|annual) )?(?:cost|profit|revenue|value"
    r"|income|distance|return|utility|score)(?: of)?|to (?:earn|make|save))"
    rf"(?= \$?\d)(?!{_EACH})",
    _FLAGS,
)
_ELSE = re.compile(
    r"\b(?:bound|gap|range|scale|\w+_seconds|integral|limit|coefficients?|sense|status|error"
    r"|slack|duals?|seconds|iterations?"
    r"|nodes|tolerance|capacity|demand|supply|available|without|would|type|vector)\b"
    r"|^(?:[ _](?:(?:of|for) (?:variable )?)?|[^(]*[,;][^(]*\s)(?![zf]\b)[a-z]\d{0,3}\s{0,9}$"
    r"|\b(?:attained|achieved|reached|found|obtained|occurs) (?:at|when|where|with|if|for)\b",
    re.IGNORECASE,
)
# Whose optimum is asked for: beside it a minimum number of something is one of the data.
_MEASURED = re.compile(r"\b(?:costs?|profits?|revenues?|income) function\b", re.IGNORECASE)
# Beside what is gained a weight is what is used up.
_WORTH = re.compile(
    r"^[^\n:=]{0,40}\b(?:value|profit|utility|benefit|score|reward|revenue)s?\s?[:=]", _FLAGS
)
# "Answer: 5 trucks and 2 vans"
_SEVERAL = re.compile(
    r"\s(?!dollars|euros|units)[a-z]{2,20}(?:,? and|,| plus) \d[\d.,]{0,20} [a-z]{2,20}",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"\s?s(?:ec\w{0,4})?\b", re.IGNORECASE)
# A line that says what it is: a step on the way, or another model's value.
_STEP = re.compile(
    r"\b(?:relax(?:ation|ed)|root|continuous|heuristic|initial(?:ly)?|greedy|before|without|lp|dual"
    r"|number|rounded|check|recomputed|secondary|scaled)\b(?:(?!\.\s)[^\n]){0,40}$",
    re.IGNORECASE,
)
# What holds in one case of several is no statement, be the case named before it or after. A
# comma ends a condition, and what "you buy 3" is a plan, not a case.
_CASE = re.compile(
    r"\b(?:if(?! (?:we|you) [a-z]{1,20} \d)|unless|whether|suppos\w+)\b[^\n.;:,]*$"
    r"|\b(?:otherwise|or else)\b[^\n.;:]*$",
    re.I,
)
_OTHER_CASE = re.compile(
    r"[^\n]{0,100}?\b(?:otherwise|or else)\b,?"
    r"(?:[^\n]{0,60}?(?:\b(?:is|was|be|of|to|at|equals|costs|gives)\b|[:=]))?[\s$€£¥]{0,5}\d",
    re.I,
)
_AFTER = rf"(?:(?>{_NUMBER}){_WHOLE}|{_SAID})"
# The number is next, and is not itself a name or one of several: "Max revenue 212.5".
_NEXT = re.compile(
    rf"(?:[ _]?\([^()\n]{{0,30}}\))?(?:[^\S\n]|[|<>#]){{1,30}}{_AFTER}(?!\s?[:=]|[^\S\n]+[-\d])",
    _FLAGS,
)
# "50 * 20 + 60 * 30 =": what comes to the number.
_SUM = r"(?:(?=[^=≈\n]{0,160}?[\d)] ?[-+*×·] ?[\d($])[-+*/×·^().,$\d ]{1,160}+[=≈]\s?){0,3}"
_EQUALS = re.compile(
    # Up to the end of the sentence.
    r"(?P<trail>(?:(?!(?<!approx)(?<!incl)(?<!excl)\.\s(?-i:[A-Z]))[^\n:=→]){0,60}?)"
    r"(?:['\"`*\])]{0,4}\s{0,20}"
    r"(?:[:=≈]{1,2}|(?<![a-z])(?:is|was|ist|beträgt|(?:es|est)(?: de)?|of"
    r"|(?:is )?equal to|equals|(?:amounts|comes|comes out|works out|turns out|evaluates) to(?: be)?"
    r"|reaches|will be)\b|-{1,2}>|→|=>"
    r"|[为為是达達は])"
    r"(?:[^\S\n]{0,20}\n[-=\s]{0,40})?[\s'\"`*|$]{0,20}(?:(?:therefore|thus) )?(?:approximately "
    rf"|about |≈\s?|~\s?)?{_SUM}"
    rf"|\s{{0,20}}\n[-=]{{3,80}}\n\s{{0,20}}){_AFTER}(?![^\S\n]{{1,30}}(?!(?P=digits))[-\d])",
    _FLAGS,
)
# "680.0 is the optimal profit", "1450 mg (maximum)"
_AFTERWARDS = re.compile(
    rf"(?<![\w.,])(?<!status )(?<!status: ){_NUMBER}{_WHOLE}"
    rf"(?:(?: [a-z]{{2,12}})?,?\s(?:which )?(?:is|was) (?:the|our) {_EXTREME}"
    rf"|[^\n\d(|<←]{{0,20}}(?:\((?:{_EXTREME}|objective)\)"
    rf"|(?:<-+|←) ?(?:{_EXTREME}|objective)\b))",
    _FLAGS,
)
_FINAL = re.compile(
    r"\b(?:wait|double[- ]?check|final(?:ly)?|correct(?:ed|ion)|actual(?:ly)?|after|so|therefore"
    r"|hence|thus)\b|=>",
    re.I,
)
_ALONE = re.compile(rf"[\s>]{{0,40}}(?:{_NUMBER})\]{{0,2}}[)'\"]{{0,3}}\s{{0,40}}", _FLAGS)
# The same with more digits: "0.84 (0.8371)", or in the next line.
_FINER = re.compile(
    rf"(?:[^\S\n]?\((?:exactly |precisely |≈ ?|= ?)?|[^\S\n]{{0,9}}\n){_NUMBER}"
    r"(?=\)|[^\S\n]{0,9}(?:\n|\Z))",
    _FLAGS,
)
# Another printing of a number: told from another number only where both have digits enough.
_DECIMAL = re.compile(rf"(?<![\w.,-])(?:{_NUMBER})(?![\w.,]?\d|\w|%)", _FLAGS)
_SURE = 1000
"""How many times its last digit's unit a number is, at least, that is looked for in finer digits:
of 1,000 other numbers of its size one is taken for it."""
# A function's result with what reaches it: "(28.0, [4, 0, 2])".
_TUPLE = re.compile(rf"\((?:True, )?{_NUMBER}\)?, ?(?:array\()?[\[({{{{][^\n]*\)\s{{0,40}}", _FLAGS)
# A name of what may be asked for, and what is none.
_LABEL = re.compile(
    rf"\W{{0,9}}(?P<name>(?=[^\n:=]*\b(?:{_NOUN}|number|used|needed|required|total|using)\b)"
    rf"[^\W\d][^\n:=\d]{{2,60}}?)\s?(?:[:=]|\bis\b)\s?{_NUMBER}{_WHOLE}"
    rf"(?: [a-z]{{1,20}}){{0,3}}\.?\s*",
    _FLAGS,
)
_NO_AIM = re.compile(
    r"\b(?:variables?|constraints?|rows?|columns?|solutions?|cuts|time|code|memory|threads?|seed"
    r"|items?|budget|max\w*|given|expected|unit)\b",
    _FLAGS,
)
_POINT_LINE = re.compile(r"\n\s{0,9}[\[({][^\n]{0,5000}[\])}]\s{0,99}\Z")
_VERDICT = re.compile(
    r"\b(?P<word>infeasible|unbounded|no (?:optimal |best |feasible )?solution)\b", _FLAGS
)
_QUALIFIED = re.compile(
    r"\b(?:if|unless|when|without|would|were|not|never|otherwise|check(?:ing)?)\b|n't", _FLAGS
)
"""In a line whose verdict is not said of the problem as it is."""
_DENIED = re.compile(r"\s?[:=?]\s?(?:false|no)\b[ .!]{0,9}$", _FLAGS)
_EITHER = re.compile(r"\binfeasible(?: or |/)unbounded$", _FLAGS)
_STATUS = re.compile(
    r"\b(?:status|problem|model)\b[^\n]{0,60}?"
    r"\b(?P<word>infeasible|unbounded|not solved|undefined)\b"
    r"|\b(?P<good>optimal|optimum|(?<!no )(?<!find a )(?<!find any )feasible)\b",
    _FLAGS,
)

_WORDS: dict[str, Word] = {
    "infeasible": "infeasible",
    "impossible": "infeasible",
    "no feasible solution": "infeasible",
    "unbounded": "unbounded",
}
_SCALES = {"": 1.0, "k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "billion": 1e9}


@dataclass(frozen=True, slots=True)
class Stated:
    """What an output says: a value, maybe nan or infinite, or in a word that there is none.

    `how` is the rule of `RULES` that read it, `text` the part that was read. `unit` is one in the
    last digit that is printed, `scale` what a word such as "million" after it stands for.
    """

    value: float | None
    word: Word | None
    how: str
    text: str
    unit: float = 0.0
    scale: float = 1.0


def read_objective(output: str) -> Stated | None:
    """The objective value that an output states, or that there is none; None if it says neither.

    In order: "answer", after "optimal value", "objective value" or what else the protocols'
    prompts ask for; "objective", after a name such as "Minimum cost (USD):"; "total", after "Total
    cost"; "measure", a line that begins with "Profit ="; "log", a solver's closing line; "named", a
    line with a word such as total or best, or "the best plan costs"; "last line", one that is
    nothing but a number or a tuple that begins with one; "verdict", the words infeasible,
    unbounded, no solution. Statements of one kind that differ by more than their rounding are no
    statement, unless the last is called final or corrected, nor are lines that are nothing but
    different decimals. Of two printings of one number that with more digits counts. A
    status that says infeasible, with no other after it, counts before any value.
    """
    text = _plain(output)
    stated = _read_objective(text)
    return stated and _finest(stated, text)


def _finest(stated: Stated, text: str) -> Stated:
    """The same number where the output prints it with more digits: "6.371428571e+02", "$637.14"."""
    if not stated.value or stated.scale != 1 or abs(stated.value) < _SURE * stated.unit:
        return stated
    finer = [
        (_unit(m), value, m[0].strip())
        for m in _DECIMAL.finditer(text)
        if abs((value := _value(m)) - stated.value) <= stated.unit / 2
        and 0 < _unit(m) < stated.unit
    ]
    unit, value, said = min(finer, default=(0.0, 0.0, ""))
    if not finer or any(abs(other - value) > its / 2 + unit for its, other, _ in finer):
        return stated
    return replace(stated, value=value, text=said, unit=unit)


def _read_objective(text: str) -> Stated | None:
    status = _last(_STATUS, text)
    if status and status["word"]:
        return _stated(status, "verdict")
    for how, pattern in (*_KINDS.items(), ("named", _PASSING)):
        if stated := list(_statements(text, how, pattern)):
            return _agreed(text, stated, how)
    # "4200.0", and where it is reached: "[20.0, 60.0]".
    line = _POINT_LINE.sub("", text).rstrip().rpartition("\n")[2]
    alone = _alone(line) or _alone(line, _TUPLE)
    if alone and not _blank_grouped(alone):
        return None if _several(text) else _stated(alone, "last line")
    verdicts = list(_VERDICT.finditer(text))
    if verdicts:
        # "INFEASIBLE: no solution exists" says why there is none.
        said = next(
            (one for one in reversed(verdicts) if one["word"].lower() in _WORDS), verdicts[-1]
        )
        return _stated(said, "verdict")
    return _only_label(text)


def _only_label(text: str) -> Stated | None:
    """What an output says that names one number alone, maybe several times: "Bins used: 4"."""
    lines = [line for line in text.split("\n") if re.search(r"\d", line)]
    found = [m for line in lines[:_ALONES] if (m := _LABEL.fullmatch(line[:500]))]
    if not found or len(found) < len(lines) or not all(_same(m, found[-1]) for m in found):
        return None
    other = any(_ELSE.search(m["name"]) or _NO_AIM.search(m["name"]) for m in found)
    return None if other else _stated(max(reversed(found), key=_decimals), "named")


def _several(text: str) -> bool:
    """Whether an output is nothing but results that differ: each in its line, with decimals."""
    lines = text.strip().split("\n")
    found = [m for m in map(_alone, lines) if m and _decimals(m)]
    return len(found) == len(lines) <= _ALONES and not all(_same(one, found[-1]) for one in found)


def _alone(line: str, pattern: re.Pattern[str] = _ALONE) -> re.Match[str] | None:
    """A short line as nothing but a number; a longer one takes too much time."""
    return pattern.fullmatch(line) if len(line) <= 500 else None


def last_statements(output: str) -> tuple[Stated, ...]:
    """The last value that an output states and its last word that there is none, in their order.

    At most one of each; the last one is the output's last word. The value is of the first kind of
    `read_objective` that the output has. Of several the last counts, where all have one name or are
    called an answer; else none does, as they are of several things, nor a number alone among
    others.
    A word counts where a status says it, or a line without numbers; one of two ("infeasible or
    unbounded") is "no solution".
    """
    text = _plain(output)
    found = [one for one in (_last_value(text), _last_word(text)) if one is not None]
    return tuple(stated for _, stated in sorted(found, key=lambda one: one[0]))


def _last_value(text: str) -> tuple[int, Stated] | None:
    for how, pattern in _KINDS.items():
        if stated := sorted(_statements(text, how, pattern), key=lambda one: one.start()):
            last, agreed = stated[-1], _agreed(text, stated, how)
            if agreed is None and (how == "answer" or len({_name(text, m) for m in stated}) == 1):
                agreed = _stated(last, how)
            return (last.end(), agreed) if agreed else None
    lines = text.rstrip().split("\n")
    alone = [m for m in map(_alone, lines[-_ALONES:]) if m]
    if not alone or alone[-1].string != lines[-1] or _blank_grouped(alone[-1]):
        return None
    one = len({_value(m) for m in alone}) == 1
    return (len(text), _stated(alone[-1], "last line")) if one else None


def _name(text: str, found: re.Match[str]) -> str:
    """What stands before a statement's number in its line."""
    before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    return " ".join((before + (found.groupdict().get("trail") or "")).casefold().split())


def _last_word(text: str) -> tuple[int, Stated] | None:
    status = _last(_STATUS, text)
    words = [status] if status and status["word"] else []
    for found in _VERDICT.finditer(text):
        start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
        if not re.search(r"\d", text[start : end if end >= 0 else None]):
            words.append(found)
    for found in sorted(words, key=lambda one: one.end(), reverse=True):
        start = text.rfind("\n", 0, found.start()) + 1
        before = text[start : found.start("word")]
        if not (_QUALIFIED.search(before) or _DENIED.match(text, found.end())):
            said = _stated(found, "verdict")
            either = _EITHER.search(text[start : found.end()])
            return found.end(), replace(said, word="no solution") if either else said
    return None


def read_number(text: str) -> float | None:
    """The number that a text is, in any of its spellings; None if it is something else."""
    found = _ALONE.fullmatch(_plain(text)) if len(text) <= 500 else None
    return _value(found) if found and not _blank_grouped(found) else None


def read_value(reply: str) -> float | None:
    """The finite number that a reply states as its answer; None if it states none, or several."""
    reply = after_thinking(reply)
    value = _read(own := own_part(reply))
    return _read(reply) if value is None and own != reply else value


def _read(reply: str) -> float | None:
    """What follows the last correction states, or all of the reply if that states no optimum."""
    reply = _NOT_BUT.sub(r"\1 ", reply[-_REPLY:])
    *_, turned = None, *CORRECTED.finditer(reply)
    value = None
    if turned:
        part = _IT_IS.sub("answer: ", reply[turned.end() :], count=1)
        value = _read_part(part, ("answer", "objective", "last line"))
    return _read_part(reply) if value is None else value


# "isn't 4100 but 4200", and what stands for the value after a correction.
_NOT_BUT = re.compile(
    r"\b(is|was)(?:n't| not) [$€£]?[\d.,]{1,40} but (?:rather )?(?=[-$€£]?\d)", re.IGNORECASE
)
_IT_IS = re.compile(
    r"\A\W{0,9}(?:it(?:'s| is| should be)|that(?:'s| is)) (?=[-$€£]?\d)", re.IGNORECASE
)
_HEDGED = re.compile(
    r"\W{0,6}(?:(?:so|thus|hence|therefore|finally|probably|i (?:guess|think|say|believe|get)"
    r"|(?:it|that)(?:'s| is)|(?:the )?(?:result|solution|value)(?: is|:)|about|around|roughly"
    rf"|approximately|≈|~),?\s?){{0,3}}{_NUMBER}"
    r"(?: (?!or\b|and\b|to\b)[a-z]{2,20}){0,3}[^\w?%]{0,4}",
    _FLAGS,
)


def _read_part(reply: str, kinds: Sequence[str] = RULES) -> float | None:
    if boxes := _BOX.findall(reply):
        value = read_number(_IN_WORDS.sub("", boxes[-1]).strip(" ."))
        if value is not None and math.isfinite(value):
            return value
    stated = read_objective(_owned(reply)) or read_objective(_owned(plain(reply)))
    if stated is None and len(reply) < 100 and (bare := _HEDGED.fullmatch(_plain(plain(reply)))):
        stated = _stated(bare, "last line")
    if stated and stated.how not in kinds:
        return None
    if stated and stated.how in {"total", "measure", "named"}:
        sentence = _broken_off(reply)
        stated = None if sentence and stated.text not in sentence else stated
    value = stated.value if stated else None
    return value if value is not None and math.isfinite(value) else None


def _owned(reply: str) -> str:
    """The reply without the numbers that are somebody else's, denied, or only possible."""
    reply = _QUESTIONED.sub("?", reply)
    for number in reversed(list(_DISOWNABLE.finditer(reply))):
        before = _CONDITION.sub("", lead(reply, number.start()))
        if is_disowned(before, rest(reply, number.end())):
            reply = reply[: number.start()] + "?" + reply[number.end() :]
    return reply


# What a sentence may say of an optimum that is not the reply's; what holds under a condition,
# `_statements` knows.
_DISOWNABLE = re.compile(r"(?<=\b(?:is|be|of) )[$€£]?\d[\d.,]{0,40}(?![\d%])", re.IGNORECASE)
_QUESTIONED = re.compile(r"[$€£]?\d[\d.,]{0,40}[)*]{0,3}\?")
_CONDITION = re.compile(r"\b(?:if|suppos\w+|unless|let)\b[^,]*(?:,|\Z)", re.IGNORECASE)


def _broken_off(reply: str) -> str:
    """The last sentence, where it has no end and stands behind others in its line.

    Of what an analysis says before it, only what is called the answer or the optimum is one.
    """
    *others, last = re.split(r"[.!?]\s", reply.rpartition("\n")[2])
    return last if others and re.search(r"[A-Za-z]", last) and last[-1] not in ".!?)]" else ""


def _blank_grouped(found: re.Match[str]) -> bool:
    """Whether a number alone may as well be two: "10 250"."""
    return " " in (found["digits"] or "")


def _plain(output: str) -> str:
    text = _PARTING.sub(": ", both_ends(output, _HEAD, _TAIL))
    text = _ROUND.sub(",00", _GROUPED.sub("", text).translate(_SPELLINGS))
    text = _FRACTION.sub(lambda one: f"{one[1] or one[3]}/{one[2] or one[4]}", text)
    text = _MINUS.sub("-", _MIXED.sub(_improper, text.replace("{,}", ",")))
    if "\\" in text or "$" in text:
        text = _LATEX.sub("", _NEARLY.sub("≈", _TIMES.sub("x ", text.replace("\\%", "%"))))
    return _RAISED.sub(lambda power: "^" + power[0].translate(_LOWERED), text)


def _improper(mixed: re.Match[str]) -> str:
    whole, part, over = map(int, mixed.groups())
    return f"{whole * over + part}/{over}" if part < over else mixed[0]


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    last = None
    for found in pattern.finditer(text):
        last = found
    return last


def _statements(text: str, how: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    measured = _MEASURED.search(text)
    worth = how in {"total", "measure"} and _WORTH.search(text)
    for name in pattern.finditer(text):
        before = text[max(0, name.start() - 60) : name.start()].rpartition("\n")[2]
        if _STEP.search(before) or (worth and "weight" in name[0].lower()):
            continue
        found = _NEXT.match(text, name.end()) or _EQUALS.match(text, name.end())
        if found is None or _CASE.search(before) or _OTHER_CASE.match(text, found.end()):
            continue
        trail = found.groupdict().get("trail") or ""
        if _ELSE.search(trail) or (measured and "number of" in name[0] + trail):
            continue
        if name[0].lower().endswith("answer") and _SEVERAL.match(text, found.end()):
            continue
        if how == "total" and _SECONDS.match(text, found.end()):
            continue  # "Total time: 0.3 seconds" is the solver's.
        yield found
    if how == "objective":
        yield from _AFTERWARDS.finditer(text)


def _agreed(text: str, found: list[re.Match[str]], how: str) -> Stated | None:
    """What the statements of a kind agree on, to most digits; else the last, if called final."""
    *others, last = found
    if all(_same(one, last) for one in others):
        return _stated(max(reversed(found), key=_decimals), how)
    between = text[others[-1].end() : last.end()][-120:]
    return _stated(last, how) if _FINAL.search(between) else None


def _same(one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether two statements differ at most by the rounding of one of them."""
    if _word(one) or _word(other):
        return _word(one) == _word(other)
    a, b = _value(one), _value(other)
    rounding = 0.5 * 10.0 ** -min(_decimals(one), _decimals(other))
    return a == b or math.isclose(a, b, rel_tol=1e-6, abs_tol=rounding)


def _decimals(found: re.Match[str]) -> int:
    return len(pointed(found["digits"] or "").partition(".")[2])


def _word(found: re.Match[str]) -> str | None:
    return found.groupdict().get("word")


def _stated(found: re.Match[str], how: str) -> Stated:
    said = _word(found)
    if said is None:
        text, finer = found[0].strip(), _FINER.match(found.string, found.end())
        if finer and _same(found, finer) and _decimals(finer) > _decimals(found):
            found = finer
        scale = _SCALES[(found["scale"] or "").lower()]
        return Stated(_value(found), None, how, text, _unit(found) * scale, scale)
    word = _WORDS.get(" ".join(said.lower().split()), "no solution")
    return Stated(None, word, how, said if how == "verdict" else found[0].strip())


def _unit(found: re.Match[str]) -> float:
    """One in the last digit of a number, without its scale."""
    if found["special"]:
        return 0.0
    power = int(_power(found)[1:] or 0)
    return float(f"1e{power - _decimals(found)}") / (float(found["over"] or 1) or 1.0)


def _power(found: re.Match[str]) -> str:
    """The power of ten behind a number's digits, as Python writes it; "" without one."""
    text = re.sub(r"\s?[x×*]\s?10\s?(?:\^|\*\*)\s?\(?", "e", found["power"] or "")
    return text.rstrip(")")


def _value(found: re.Match[str]) -> float:
    negative = "-" in ((found["sign"] or "") + (found["inner"] or ""))
    if special := found["special"]:
        size = math.nan if special.lower() == "nan" else math.inf
    else:
        size = _size(found)
    return -size if negative else size


def _size(found: re.Match[str]) -> float:
    size = float(pointed(found["digits"]) + _power(found))
    if found["over"] and float(found["over"]):
        size /= float(found["over"])
    return size * _SCALES[(found["scale"] or "").lower()]
