"""Whether a reply commits itself to what it states, or supposes it, leaves it open, takes it back.

One list of words for all readers. `sentence` is what stands before a statement in its own
sentence, and the statement; `after` what follows.
"""

import re
from collections.abc import Sequence, Set
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


BARE = 5
"""The rank from which nothing says that a statement is the answer: two different ones are none."""


class Commitment(NamedTuple, Generic[T]):
    """An answer that a text may state: where, which, and how much speaks for it (1: most)."""

    start: int
    end: int
    value: T
    rank: int = 1


_I = r"\b(?:I|we|one)(?:'m| am|'ve| have|'re| are|'ll| will|'d| would| must| have to)?"
_WITHDRAWN = re.compile(
    rf"{_I} (?:\w+ly |just |still |also )?(?:(?:do not|don't|can't|cannot|can not|couldn't"
    rf"|could not|no longer|not able to|unable to|won't|wouldn't|didn't"
    rf"|haven't been able to) (?:\w+ly |even |really )?(?:know|answer|compute|calculate|judge"
    rf"|recommend|name|choose|decide|determine|pick|prefer|confirm|settle|commit|guarantee"
    rf"|be (?:sure|certain)|(?:say|tell|see) (?:which|what|whether|for sure|with|where)|(?:say|tell"
    rf"|judge)(?=[.;,!]|$)|(?:stand by|hold|think|believe)|have (?:an?|any|enough|the))|(?:no"
    rf"|haven't got (?:an?|any)|haven't any) (?:\w+ )?(?:answer|basis|result|idea|clue|way"
    rf"|preference)|(?:take|took) (?:that|it|this|them) back|retract|withdraw|give up"
    rf"|not (?:at all )?(?:sure|certain) (?:which|what|whether|that|any))\b|\b(?:cannot|can't"
    rf"|can not|couldn't|could not|impossible to|no way to"
    rf"|not possible to) (?:be )?(?:\w+ly )?(?:determined?|decided?|answered?|settled?|given"
    rf"|computed?|calculated?|know(?:n)?|told|tell|said)\b|(?<!n't )(?<!not )(?<!never )\b(?:ignore"
    rf"|disregard|scrap|forget) (?:it|that|this|my|the (?:above|former|previous))\b|\b(?:any|either"
    r"|each|all|both|none)(?: one)? of (?:\w+ ){1,4}(?:could|may|might|can) (?:\w+ )?(?:be"
    r"|apply)\b|\b(?:both|either|all)(?: \w+){0,2} (?:(?:is|are|seem|could be|may be"
    r"|might be) )(?:\w+ly )?(?:defensible|possible|plausible|conceivable|likely|arguable|valid)\b"
    r"|\b(?:both|either)(?: \w+){0,3} (?:can be (?:justified|defended|argued)|satisfy|work|fit"
    r"|hold|are consistent|would do|will do)\b|\b(?:that|this|it) (?:can't|cannot"
    r"|can not) be (?:right|correct|true)\b|\bno (?:valid|definite|clear|single|unique) (?:answer"
    r"|result|order|choice)\b|\bwhich (?:of (?:these|them|the two|those)|one|reading|version|case"
    r"|assumption)\b[^.?!\n]{0,40}\?|\b(?:tell|let) me (?:know )?which\b|\bplease (?:specify"
    r"|clarify|provide|give)\b|\bbefore you (?:commit|decide)\b|\bleave (?:that|it|this"
    r"|the \w+(?: of \w+)?) (?:up )?to you\b|\bas no answer\b|\b(?:rather|prefer) not\b"
    r"|\bnot (?:at all )?(?:sure|certain) about (?:that|it|this)\b|\bseparates? them\b"
    r"|\b(?:(?:choice|decision)(?: is)? to you|up to you|for yourself|your call|you decide)\b",
    re.IGNORECASE,
)
_REAFFIRMED = re.compile(
    r"\b(?:but|still|nevertheless|so|final answer|my (?:best )?(?:guess|answer|choice|estimate))\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:(?:is|was|are|were|been)(?:n't| not)|not) (?:given|stated|specified|provided|known|said"
    r"|told|clear)\b|\b(?:doesn't|does not|didn't|did not|don't|do not|never) (?:say|state|tell"
    r"|specify|mention|give|know)\b|\bgives? no\b|\bambiguous\b|\bunclear\b|\bdepend(?:s|ing)\b"
    r"|\bmissing\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|suppos(?:e|ing)|provided that|in case|for (?:example|instance)|had (?:the|we|it|you)"
    r"|were (?:the|we|it|you)|under|with(?:out)?(?! (?:the|these) (?:given|figures|data|numbers"
    r"|values|costs|above))|assuming|in the (?:\d|\w+ (?:case|version|film|book|novel|hemisphere))"
    r"|on the other (?:hand|reading))\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"^\W{0,6}(?:now |let's |let us |but )?(?:suppose|imagine|assume|pretend|say(?= (?:the|it|we"
    r"|that)\b|\s$))\b",
    re.IGNORECASE,
)
# "If I had to choose, I'd say": an answer all the same.
_PRESSED = re.compile(
    r"\bif (?:(?:I|you|we)(?:'m| am)? (?:had|have|must|were|was|forced|absolutely)|forced"
    r"|pressed)\b(?: to| (?:\w+ )?forced to)?",
    re.IGNORECASE,
)


def is_withdrawn(after: str) -> bool:
    """Whether what follows a statement takes it back, or says that nothing can be decided."""
    after = after[:2_000]
    ends = [found.end() for found in _WITHDRAWN.finditer(after)]
    return bool(ends) and not _REAFFIRMED.search(after, ends[-1])


def is_conditional(sentence: str) -> bool:
    """Whether a statement holds in one case of several, such as "with replacement"."""
    return bool(_CONDITION.search(sentence))


def is_left_open(sentence: str, after: str) -> bool:
    """Whether a statement holds in one case, and the reply says that the case is not known."""
    return is_conditional(sentence) and bool(_OPEN.search(after[:500]))


_REPORTED = re.compile(
    r"\b(?:you|users?|students?|he|she|they|friends?|colleagues?|teachers?|people|somebody|someone"
    r"|text|question|prompt|book|key|instructions?|other model)\b[^.!?\n]{0,20}\b(?:said|says?"
    r"|wrote|writes?|claim(?:s|ed)?|thinks?|thought|asks?|chose|picked|answer(?:s|ed)|suggest(?:s"
    r"|ed)?|propose[sd]?|order was|answer was|guess(?:ed)?)\b(?:(?!\bI\b|\bso\b"
    r"|\bbut\b)[^.!?\n]){0,40}$|\byour \w+ (?:was|reads|said)\W{0,4}$|\b(?:format|in the form"
    r"|end with|template|such as|e\.g\.)\W{0,6}(?:answer\W{0,3})?$",
    re.IGNORECASE,
)


def is_reported(before: str) -> bool:
    """Whether a statement is somebody else's, or shows the form of an answer."""
    return bool(_REPORTED.search(before[-120:]) or _OTHERS.search(before[-120:]))


_ABBREVIATED = r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bapprox)"
_BREAK = re.compile(rf"{_ABBREVIATED}[.!?;。](?=\s|$)|\n")
_ASIDE = re.compile(r"\([^()\n]{0,80}\)")
# What follows one of these is said anew.
_ANEW = re.compile(
    r"(?:^|\b|[,—–-] ?)(?:(?<!thing )(?<!\ball )but|so|hence|thus|therefore|instead(?! of)"
    r"|rather(?! than)|actually"
    r"|namely|i'd say|i would say|i prefer|my (?:best |final )?(?:answer|guess|reply|choice|order)"
    r"|no[,:]|yes[,:]|wait)\b",
    re.IGNORECASE,
)
_NEAR = r"[^\w,]+(?:[^\s,:;\d]+ ){0,6}\W{0,4}$"
_DENIED_BEFORE = re.compile(
    r"(?:不是|\b(?:nicht|no es|non è|não é|n'est pas|не|not(?! only)|never|neither|nor|cannot|than"
    r"|(?:any|every)thing but|all but|except"
    r"|instead of|rather than|unlike|against|without|avoid|wrong|incorrect|invalid|impossible"
    r"|rejected|excluded|excludes|rules? out|ruled out|contradicts?|tempt\w+|less (?:likely"
    r"|probable)|alternative\w*|considered|weighed|weighing|initially|at first|used to|mistaken\w*"
    r"|inclined to|nearly (?:said|wrote)|whether|versus|vs)|n't|\b(?:my|the|a|your) (?:first"
    r"|earlier|previous|initial|original|former) (?:guess|thought"
    r"|idea|instinct|answer|attempt|order|try))" + _NEAR,
    re.IGNORECASE,
)
_IF = re.compile(
    r"\b(?:(?<!even )if(?! (?:i (?:read|understand|am not|remember|see)|i'm not|we (?:read|look"
    r"|sort)|you ask|i may))|unless|in case|let(?!'s| us| me)|let me (?:set|try|test)|suppos\w+"
    r"|imagin\w+|had (?:the|it|they|he|she)|would have|could|might|were to)\b",
    re.IGNORECASE,
)
# What speaks for the reply itself, and who is somebody else.
_OWN = (
    r"(?:i|we|it|this|that|which|now|also|still|just|so|evidence|text|passage|story|context|dates?"
    r"|gut|feeling|maths?|clues?|data|model|formula|calculation|analysis|theory|rule|logic"
    r"|reasoning|ratio|result|fractile|quantile|approach|method)"
)
_SOMEBODY = (
    r"(?:friend|colleague|manager|boss|teacher|student|user|expert|supplier|competitor|neighbou?r"
    r"|textbook|book|somebody|someone|chatgpt|lecturer)"
)
_OTHERS = re.compile(
    rf"(?<!')\b(?!{_OWN}\b)[a-z]+(?: \d+| of \w+|, \w+,)? (?:\w+ly )?(?:says?|said|told|suggest(?:s"
    rf"|ed)?|claim(?:s|ed)?|insist(?:s|ed)?|argue[sd]?|propose[sd]?|believe[sd]?|thinks?|thought"
    rf"|wrote|asked(?! for| me)|(?:would |might )?answer(?:s|ed)|would answer|guess(?:ed)?"
    r"|lists|recommends|chose|picked|prefers?)\b[^.!?\n:,]{0,40}[^\w,]{1,4}$|\b(?:one|another|some"
    r"|others|many|most) [^.!?\n:]{0,40}\b(?:gives?|has|have|puts?)\b[^.!?\n:]{0,30}$"
    r"|\b(?:some(?:one|body)|any(?:one|body)|those|people|students?) who\b[^.!?\n]{0,80}$"
    rf"|\baccording to (?!the {_OWN}|the (?:newsvendor|critical))[^.!?\n]{{0,40}}$|\b(?:my|your|his"
    rf"|her|another) {_SOMEBODY}s? (?:would|will|might)\b[^.!?\n]{{0,30}}$"
    rf"|\b{_SOMEBODY}'s (?:\w+ )?\w+\b[^.!?\n]{{0,30}}$|\b(?:your|his|her|their) (?:\w+ )?(?:answer"
    rf"|reply|guess|suggestion|solution|list"
    r"|figure)\b[^.!?\n]{0,30}$",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"(?:\b(?:incorrect|wrong|rejected|invalid|starting (?:point|order)|(?:first|rough"
    r"|initial) (?:draft|order))\b|[✗✘❌])[^.,\n]{0,20}$",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"^\W*for (?:example|instance)\b|\b(?:e\.g\.|such as|for (?:example|instance)|(?:in"
    r"|of) the (?:form|format|style)|format|template|example\w*|sample|illustrat\w+|(?:,|letters"
    r"|looks?|numbers?|something|sequence|order|output|answer) like"
    r"|end with)\b(?!.*\bmy\b)[^.!?\n]{0,30}$",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?:^|:)\W*(?:so |and |or |but )?(?:is|are|was|were|does|do|did|could|would|should|can|may"
    r"|shall|why|what|which|how)\b",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[^.;\n]{0,30}\b(?:at first|on the surface)\b|,? which (?:(?:is|was) (?:wrong|too|not"
    r"|incorrect)|isn't|wasn't)\b|,? (?:last|yesterday|at present|so far)\b|[^\w\n]{0,4}(?:[✗✘❌]"
    r"|(?:incorrect|wrong|false|no(?! (?:more|less|fewer)))\b)|\W{0,4}is (?:the"
    r"|an?) (?:\w+ )?(?:format|form|template|example)\b|\W{0,4}(?:are (?:the|all"
    r"|four)\b[^.\n]{0,12}\b(?:events|labels|letters|options)\b|(?:is|are|seems?|was|looks|can be"
    r"|must be) (?:\w+ly |all |both )?(?:not|wrong|incorrect|false|plausible"
    r"|im\w+|also|less|tempting|ruled"
    r"|excluded|just|only|out|too|invalid|an? (?:\w+ )?(?:mis\w+|error|guess|trap|myth|trial)|how"
    r"|what(?! (?:i|we|you)\b))\b|(?:isn|wasn|won|doesn|can|couldn|wouldn)'t|(?:do|does)(?:n't"
    r"| not)|makes no|contradicts|violates|breaks|ignores|fails|cannot|would (?!be (?:the|my|best"
    r"|optimal|right)(?!(?: \w+){0,2} (?:if|had|were)\b(?! (?:i|we|you)\b)))|could\b|might\b"
    r"|also\b|(?:has|contains) (?:an?|one|two|the)\b|ruled out|instead\b(?! of)|was my (?:first"
    r"|initial)|but (?:that|this|it) )|,? (?:as|which)(?: the| my| your)?(?: \w+)? \w+ (?:suggest"
    r"|propos|want|claim|recommend)\w*|,? (?:that|which) (?:you|he|she|they) (?:suggest|propose"
    r"|g[ai]ve|wr[io]te|list|mention|said)|,? (?:depend\w*|if(?! (?:i|we|you|my)\b)|unless|when"
    r"|in case|assuming)\b",
    re.IGNORECASE,
)


def lead(text: str, start: int, previous: int = 0) -> str:
    """What leads to a statement: its sentence up to it, or the line that announces it.

    What stands before `previous`, where an earlier statement ends, is left out.
    """
    before = text[max(previous, start - 240) : start]
    line = before.rpartition("\n")[2]
    if re.search(r"\w", line) is None and (
        above := before[: len(before) - len(line)].rstrip()
    ).endswith(":"):
        before = above
    return _BREAK.split(before)[-1]


def rest(text: str, end: int) -> str:
    """What follows a statement in its sentence, with the mark that ends it."""
    after = text[end : end + 240]
    stop = _BREAK.search(after)
    return after[: stop.end()] if stop else after


def own_clause(before: str) -> str:
    """The part of what leads to a statement that follows the last "but", "so" or the like."""
    anew = [found.end() for found in _ANEW.finditer(before)]
    return before[anew[-1] :] if anew else before


def is_disowned(before: str, after: str) -> bool:
    """Whether a statement is denied, asked, supposed, somebody else's, or an example.

    `before` is what leads to it, see `lead`, `after` what follows in its sentence, see `rest`.
    """
    before = _PRESSED.sub("", _ASIDE.sub(" ", before))
    own = own_clause(before)
    if _DENIED_BEFORE.search(own) or _IF.search(own) or _SHOWN.search(own):
        return True
    if is_reported(own) or _REJECTED.search(own) or _SUPPOSED.search(own):
        return True
    if after.rstrip().endswith("?") and _ASKED.search(own):
        return True
    denied = _DENIED_AFTER.match(after)
    # "I'd go with 74 instead" is no "one may take 74 instead".
    return denied is not None and not (denied[0].strip() == "instead" and _SELF.search(own))


_SELF = re.compile(r"\b(?:i|we|let's|i'd|i'll|answer)\b", re.IGNORECASE)


# Words right before a statement that make it the reply's own.
_CONCLUDES = re.compile(
    r"(?:\b(?:answer|reply|order\w*|result|sequence|arrangement|chronology|timeline|rank\w*|they"
    r"|events|it)\b[^.;!?\n]{0,60}?\b(?:is|are|be|as|was|were|runs|goes|happened|reads|looks like"
    r"|remain\w*)\b[^.;!?\n,]{0,24}|\b(?:so|hence|thus|therefore|then|finally|altogether|overall"
    r"|(?:most |more )?(?:likely|probably)|definitely|now|i)\b[^.;!?\n]{0,20}|\b(?:wait|no|yes"
    r"|sorry|actually|rather|instead|oops)|^\W*(?:as|since|because|given|assuming|based|sort\w+"
    r"|considering|looking|from|by|in|after|with|following)\b[^.;!?\n]+,|\b(?:final|correct|right"
    r"|proper|logical|chronological|following) (?:order|sequence|answer)|\b(?:them|these"
    r"|events) (?:as|in|like (?:this|so))|[:=→⇒∴✓👉]|=>|\w\(|\b(?:is|are|imh?o|it(?:'?s|'d be"
    r"| would be| must be| has to be)|that's|say|choose|go(?:ing)? with|prefer|get|obtain|have"
    r"|find|gives?(?: us| me)?|yields?|(?:in )?favou?rs?(?: of)?|confident (?:in|of)"
    r"|corresponds to|match(?:es)?|points to|remains|recommend|with us|only|supports|suggests"
    r"|indicates|leaves|leads? to|leaving|into|ist|lautet|sería|est|es|è|é|adalah|är|jest)"
    r"|[是は은는])\W{0,8}$",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:wait|hmm|no|sorry|oops|actually|correct\w*|edit|but|swap|mistake|instead|typo|however"
    r"|hold on|on (?:second thoughts?|reflection)|reconsider\w*|revis\w+|so|better)\b|[→?]",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\d+|\b(?:one|another|first|second|third|other|the|[a-d]|i{1,3}|iv)\b|\W+|final answer",
    re.IGNORECASE,
)


def concludes(before: str) -> bool:
    """Whether the words right before a statement make it an answer or a conclusion."""
    return bool(_CONCLUDES.search(before))


def turns(between: str) -> bool:
    """Whether what stands between two statements turns from the former to the latter."""
    return bool(_TURNS.search(between[-2000:]))


def is_joined(between: str) -> bool:
    """Whether two statements are one or the other, by what stands between them."""
    return bool(_EITHER.fullmatch(between)) or is_alternative(between)


def is_alternative(before: str) -> bool:
    """Whether what leads to a statement ends in "or"."""
    return bool(_OR.search(before[-40:]))


_EITHER = re.compile(
    r"[^\w?→]*(?:and|/)?[^\w?→]*(?:it (?:could|might|may) be)?[^\w?→]*(?:final answer[^\w?→]*)?",
    re.IGNORECASE,
)
_OR = re.compile(
    r"(?:\b(?:or|vs\.?|versus)|/)(?: is it| maybe| perhaps| final answer:?)?\W{0,3}$",
    re.IGNORECASE,
)


# "Otherwise it is": the answer in another case than that of the answer before.
_OTHER_CASE = re.compile(
    r"(?:^\W*|[,;:—–(-] ?|\b(?:and|or) )(?:(?:otherwise|else|sonst|sinon|иначе)\b"
    r"|否则)[^.;!?\n]{0,60}$",
    re.IGNORECASE,
)


def is_parallel(one: str, other: str) -> bool:
    """Whether two statements are offered side by side: the same words lead to both."""
    first, second = (_COUNTED.sub(" ", words.lower()).split() for words in (one, other))
    return first == second


CORRECTED = re.compile(
    r"\b(?:wait|actually|sorry|correct(?:ion|ed)|reconsider\w{0,4}|re-?evaluat\w{1,3}|i meant"
    r"|on second thoughts?|edit\s?:)"
    r"|[?.—–-]\s?no[,.:;]",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"[)\]]?,?\s?\(?(?:[,/&:]|\b(?:and|or|vs\.?|versus)\b)\s?(?:and |or )?(?:option "
    r"|answer:? )?[(\[]?| ",
    re.IGNORECASE,
)


def settle(
    text: str, standing: Sequence[Commitment[T]], found: Sequence[Commitment[T]]
) -> Commitment[T] | None:
    """The one statement that a reply keeps to, of those that are its own; None if there are two."""
    rank = min(one.rank for one in standing)
    standing = sorted(standing, key=lambda one: one.end)
    best = [one for one in standing if one.rank == rank][-1]
    for later in standing:
        if later.start >= best.end and CORRECTED.search(text, best.end, later.start):
            best = later
    after, here = text[best.end :], lead(text, best.start)
    if is_conditional(here) and re.search(r"\bdepends\b", text[: best.start][-200:]):
        return None
    if is_withdrawn(after) or is_left_open(here, after) or is_alternative(text[: best.start]):
        return None
    equals = {one.start for one in standing if one.rank == best.rank}
    others = [other for other in found if other.value != best.value]
    if any(_OTHER_CASE.search(lead(text, case.start)) for case in [best, *others]):
        return None
    return None if any(_beside(text, other, best, equals) for other in others) else best


def _beside(text: str, other: Commitment[T], best: Commitment[T], equals: Set[int]) -> bool:
    """Whether a statement is offered beside the best one, of two words or of equal weight."""
    one, two = (other, best) if other.start < best.start else (best, other)
    between = text[one.end : two.start]
    if _BESIDE.fullmatch(between) or (len(between) < 80 and _AS_WELL.search(between)):
        return True
    if two is other:
        return best.rank >= BARE and other.start in equals
    there, here = (
        lead(text, which.start) + text[which.start : min(which.end, which.start + 6)]
        for which in (one, two)
    )
    if is_joined(between) or (is_conditional(there) and is_conditional(here)):
        return True
    return other.start in equals and (
        best.rank >= BARE or (not turns(between) and is_parallel(there, here))
    )


_AS_WELL = re.compile(r"\b(?:as|so|and also) (?:is|are|does|would)\W{1,3}$", re.IGNORECASE)
