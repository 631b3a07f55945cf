"""Taking a reply apart: what is answer, what is thought, and where the model goes on by itself."""

import re
import unicodedata

_NEXT_QUESTION = re.compile(r"\n(?:Context|Question) ?:")


def own_part(text: str) -> str:
    """The reply up to the next question that the model poses; all of it if it begins with one."""
    own = _NEXT_QUESTION.split(text, maxsplit=1)[0]
    return own if own.strip() else text


_THINKING_ENDS = re.compile(r"</think(?:ing)?>")
_ARROW = re.compile(r"\\(?:[Ll]ong)?[Rr]ightarrow\b|\\to\b|\\implies\b")
_COMMAND = re.compile(r"\\(?:text(?:bf|it|rm)?|math(?:bf|rm|sf)|boxed|left|right)\b")
_ANSWER_TAG = re.compile(r"<(?:final_?)?answer>", re.IGNORECASE)
_MARKUP = re.compile(
    r"[*`$\"“”«»„{}\\~]|</?[a-z][^<>\n]{0,40}>|\[/?INST\]|^[^\S\n]*+[#>]++", re.MULTILINE
)
_QUOTE = re.compile(r"(?<![A-Za-z0-9])['‘’_]+|['‘’_]+(?![A-Za-z0-9])")
_BLANKS = re.compile(r"[^\S\n]+")
_NEWLINES = re.compile(r" ?\n[ \n]*")


def after_thinking(text: str) -> str:
    """The part after the last `</think>` or `</thinking>`, all of it if there is none.

    Thinking that was begun and never ended is followed by nothing.
    """
    *thought, after = _THINKING_ENDS.split(text)
    begun = text.lstrip().startswith(("<think>", "<thinking>"))
    return "" if begun and not thought else after.strip()


def plain(text: str) -> str:
    """The text without Markdown, LaTeX, tags and quotation marks, in compatibility form (NFKC).

    Words are parted by one blank and lines by one newline; `<answer>` becomes "answer: ". Any
    text will do, and the time is linear in its length.
    """
    text = unicodedata.normalize("NFKC", text)
    text = _ARROW.sub("→", _ANSWER_TAG.sub("answer: ", text))
    text = _MARKUP.sub(" ", _COMMAND.sub(" ", text))
    text = _BLANKS.sub(" ", _QUOTE.sub(" ", text))
    return _NEWLINES.sub("\n", text).strip()
