"""Taking a reply apart: what is answer, what is thought, and where the model goes on by itself."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_NEXT_QUESTION = re.compile(
    r"\n[#*>\s]{0,6}(?:Context|(?:Next )?Question|Scenario|Problem|Example|Exercise|Task|Human|User"
    r"|Instruction|Posted by|Comment by|Q\d{0,3})(?:\s(?:no\. ?)?\d{1,4}\s?[:.)\n*]|\s?[:.])"
)


def own_part(text: str) -> str:
    """The reply up to the next question that the model poses; all of it if it begins with one."""
    own = _NEXT_QUESTION.split(text, maxsplit=1)[0]
    return own if own.strip() else text


def both_ends(text: str, head: int, tail: int) -> str:
    """About the first `head` and last `tail` characters of a longer text, which bound the time.

    No line is cut where there are lines: of "1200" neither "12" nor "00" may be left.
    """
    if len(text) <= head + tail:
        return text
    begin, end = text[:head].rpartition("\n"), text[-tail:].partition("\n")
    return f"{begin[0] or begin[2]}\n{end[2] or end[0]}"


_TAG_ENDS = r"(?:\s[\w-]{1,20}=[^<>\n]{0,60})?\s{0,2}>"
# What begins thinking and what ends it, kind by kind: the marks of open models' chat templates.
_WRITTEN = rf"(?:\w{{1,20}}[:_])?(?:think(?:ing)?|thoughts?)(?:[:_]\w{{1,20}})?{_TAG_ENDS}"
_ASKED = (
    r"(?:reasoning|reflection|scratchpad|rationale|inner_monologue|chain_of_thought|cot|analysis"
    rf"|planning|deliberation|internal(?:_\w{{1,20}})?){_TAG_ENDS}"
)
_THINKING = (
    (rf"<{_WRITTEN}", rf"</{_WRITTEN}"),  # DeepSeek, Qwen; seed:think, longcat_think; EXAONE
    (rf"<{_ASKED}", rf"</{_ASKED}"),  # Reka, and what prompts ask for
    (r"\[THINK\]", r"\[/THINK\]"),  # Magistral
    ("◁think▷", "◁/think▷"),  # Kimi
    (
        r"<\|(?:(?:begin_of_|start_)?(?:thought|think(?:ing)?)|think(?:ing)?_start)\|>",
        r"<\|(?:(?:end_of_|end_|/)(?:thought|think(?:ing)?)|think(?:ing)?_end)\|>",
    ),  # OpenThinker, Sky-T1; Command A
    (r"<(?:unused|ctrl)94>(?:thought)?", r"<(?:unused|ctrl)95>"),  # MedGemma
    (r"<\|channel>thought", r"<channel\|>"),  # Gemma 4
    (r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),  # Apertus
    (r"<\|im_start\|>think", r"<\|im_start\|>answer"),  # s1
)
_ANSWER_BEGINS = r"\[BEGIN FINAL RESPONSE\]|<\|(?:begin_of_solution|start_response|content)\|>"
_TURN_ENDS = (
    r"\[END FINAL RESPONSE\]|<end_of_turn>|<｜end▁of▁sentence｜>"
    r"|<\|(?:end_of_solution|end_response|end_of_text|endoftext|end|return|call|im_end|eot_id)\|>"
)
_MARKS = re.compile(
    "|".join(f"(?P<b{k}>{begins})|(?P<e{k}>{ends})" for k, (begins, ends) in enumerate(_THINKING))
    + f"|(?P<answer>{_ANSWER_BEGINS})|(?P<over>{_TURN_ENDS})",
    re.IGNORECASE,
)
_OPENS = re.compile(r"<(?=[\w/|｜])|\[(?=[/TBEtbe])|◁")
"""Where a mark may begin: looked for first, a text without one is read ten times as fast."""
# Thinking that is announced in words: Granite, Apriel, Ollama's terminal.
_ANNOUNCED = (
    (
        re.compile(r"\s{0,9}Here(?: is|'s) my thought process:"),
        re.compile(r"\bHere(?: is|'s) my response:"),
    ),
    (
        re.compile(r"\s{0,9}Here are my reasoning steps:"),
        re.compile(r"\[BEGIN FINAL RESPONSE\]"),
    ),
    (re.compile(r"\s{0,9}Thinking\.\.\.\s"), re.compile(r"\.\.\.done thinking\.")),
)
# The harmony format of gpt-oss, with its tokens and as it looks where they were left out.
_CHANNEL = re.compile(
    r"<\|channel\|>\s?(\w{1,20})"
    r"(?:[^<\n]{0,99}(?:<\|constrain\|>\s?\w{0,20})?<\|message\|>)?"
)
_MESSAGE_ENDS = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_BARE_ANALYSIS, _BARE_FINAL = re.compile(r"\s{0,9}analysis(?=[A-Z\"'])"), "assistantfinal"

_ARROW = re.compile(r"\\(?:[Ll]ong)?[Rr]ightarrow\b|\\to\b|\\implies\b|\\prec\b")
_COMMAND = re.compile(r"\\(?:text(?:bf|it|rm)?|math(?:bf|rm|sf)|boxed|left|right)\b|\\[,;:! ]")
_ANSWER_TAG = re.compile(
    r"<(?:final_?)?answer>|\[(?:final[ _])?answer\]|<\|(?:begin_of_box|answer)\|>", re.IGNORECASE
)
_MARKUP = re.compile(
    r"[*`$\"“”«»„{}\\~]|</?(?:[a-z]|[A-Z][A-Za-z])[^<>\n]{0,40}>|<\|(?:end_of_box|/answer)\|>|\[/?INST\]"
    r"|\[/(?:FINAL[ _])?ANSWER\]|^[^\S\n]*+[#>]++",
    re.MULTILINE,
)
_QUOTE = re.compile(r"(?<![A-Za-z0-9])['‘’_]+|['‘’_]+(?![A-Za-z0-9])")
_STRUCK = re.compile(r"~~[^~\n]{1,80}~~")
_BLANKS = re.compile(r"[^\S\n]+")
_NEWLINES = re.compile(r" ?\n[ \n]*")


@lru_cache(maxsize=8)  # all rules of a benchmark read one reply
def after_thinking(text: str) -> str:
    """What a reply says when its thinking is taken away, stripped; time is linear in its length.

    The part after the last thinking, or before it where nothing follows. Marks of every kind that
    open models use count: `<think>` and its like, `[THINK]`, `◁think▷`, harmony's channels.
    Thinking that is never ended reaches to the end; an end without a beginning is one of thinking
    that the prompt began.
    """
    text = _announced(_final_channel(text))
    begun: list[str] = []
    said, start = "", 0
    for mark in _marks(text):
        what, kind = str(mark.lastgroup)[0], str(mark.lastgroup)[1:]
        if what == "b":
            said = said if begun else text[start : mark.start()].strip() or said
            begun += [] if kind in begun else [kind]
        elif what == "o":  # the turn is over
            if not begun and (own := text[start : mark.start()].strip()):
                return own
        elif what == "a" or kind in begun or not begun:  # the answer begins, or thinking ends
            said = said if begun else ""
            del begun[begun.index(kind) if kind in begun else 0 :]
            start = mark.end()
    return ("" if begun else text[start:].strip()) or said


@lru_cache(maxsize=8)
def without_thinking(text: str) -> str:
    """The text as it is where no part of it is thinking, blanks included, else `after_thinking`.

    For rules that compare a reply to the letter: some providers take thinking out of it, some do
    not, and it is the same reply.
    """
    said = after_thinking(text)
    return text if said == text.strip() else said


def _marks(text: str) -> Iterator[re.Match[str]]:
    end = 0
    for place in _OPENS.finditer(text):
        if place.start() >= end and (mark := _MARKS.match(text, place.start())):
            end = mark.end()
            yield mark


def _announced(text: str) -> str:
    for begins, ends in _ANNOUNCED:
        if begins.match(text) and (end := ends.search(text)):
            return text[end.end() :]
    return text


def _final_channel(text: str) -> str:
    """The message of the last channel that is not analysis, all of it where there are none."""
    if _BARE_ANALYSIS.match(text):
        return text.rpartition(_BARE_FINAL)[2] if _BARE_FINAL in text else ""
    if "<|channel|>" not in text:
        return text
    messages = {found[1].lower(): found.end() for found in _CHANNEL.finditer(text)}
    start = messages.get("final") or messages.get("commentary")
    return _MESSAGE_ENDS.split(text[start:], maxsplit=1)[0] if start else ""


def plain(text: str) -> str:
    """The text without Markdown, LaTeX, tags and quotation marks, in compatibility form (NFKC).

    What is struck out is left out. Words are parted by one blank and lines by one newline;
    `<answer>` becomes "answer: ". Any text will do, and the time is linear in its length.
    """
    text = unicodedata.normalize("NFKC", _STRUCK.sub(" ", text))
    text = _ARROW.sub("→", _ANSWER_TAG.sub("answer: ", text))
    text = _MARKUP.sub(" ", _COMMAND.sub(" ", text))
    text = _BLANKS.sub(" ", _QUOTE.sub(" ", text))
    return _NEWLINES.sub("\n", text).strip()
