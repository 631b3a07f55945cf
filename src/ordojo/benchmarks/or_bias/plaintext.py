"""An answer without its Markdown and LaTeX, with what matters to numbers kept.

Every repetition in the patterns is bounded or possessive: no text costs more than its length.
"""

import re
import unicodedata
from typing import Final

_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_VULGAR = re.compile(r"(?<=[0-9])(?=[¼-¾⅐-⅞])")
_MATHS = re.compile(r"\$\$?(?=[^\s$])([^$\n]{1,300})(?<!\s)\$\$?(?!\d)")
_COMMANDS = (
    (re.compile(r"\\(?:[dt]?frac)\s?\{\s?(\d{1,9})\s?\}\s?\{\s?(\d{1,9})\s?\}"), r" \1/\2 "),
    (re.compile(r"\\(?:[dt]?frac)\s?\{([^{}]{0,99})\}\s?\{([^{}]{0,99})\}"), r"(\1)/(\2)"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\(?:times|cdot|ast\b(?<!\^\\ast))"), "×"),
    (re.compile(r"\\(?:approx|simeq|sim|cong|doteq)\b|[≃≅≒∼]|&asymp;"), "≈"),
    (re.compile(r"\\(?:to|implies|(?:[Ll]ong)?[Rr]ightarrow)\b|[=-]>|⇒|⟹"), "→"),
    (re.compile(r"\\pm\b"), "±"),
    (
        re.compile(r"\\(mu|sigma|Phi|phi)\b"),
        lambda found: {"mu": "μ", "sigma": "σ"}.get(found[1], "Φ"),
    ),
    (re.compile(r"Q\s?\^\s?\{?\s?(?:\\ast|\\star|\*|\\text\{opt\})\s?\}?"), "Q* "),
    (re.compile(r"([\^_])\s?\{\s?([-+]?\w{1,9})\s?\}"), r"\1\2"),
    (re.compile(r"\\\\|<br\s?/?>"), "\n"),
    (re.compile(r"\\[,;:! ]"), " "),
    (re.compile(r"</?(?:final_?)?answer>|\\boxed\s?\{", re.IGNORECASE), "\nfinal answer: "),
    (re.compile(r"\\[A-Za-z]{1,20}|<(?:/?[a-z][^<>\n]{0,40})>|```[a-z]{0,12}"), " "),
    (re.compile(r"\\([%&#_])"), r"\1"),
    (re.compile(r"~~[^~\n]{1,80}~~"), " "),
    (re.compile(r"(?<!\d)\*{2,4}|\*{2,4}(?!\d)|_{2,4}|[`\"“”«»„{}\\\[\]&]"), " "),
    (re.compile(r"(?<![\w*)])[*_](?=[^\s*_])([^*\n_]{1,80})[*_](?![\w*(])"), r" \1 "),
    (re.compile(r"(?:^|(?<=\n))[^\S\n]{0,9}####\s?"), "final answer: "),
    (re.compile(r"(?:^|(?<=\n))[^\S\n]{0,9}[#>]++"), ""),
    (re.compile(r"\bapprox\."), "approximately"),
    (re.compile(r"\b(?:i\.e\.|e\.g\.|viz\.)"), "namely"),
    (re.compile(r"[−‐‑–—]"), "-"),
    (re.compile(r"[’‘]"), "'"),
    (re.compile(r"⁄"), "/"),
    (re.compile(r"(?<=\d)~(?=\d)"), "-"),
    (re.compile(r"~"), "≈"),
    (re.compile(r"\s?\|\s?"), " : "),
    (re.compile(r"[^\S\n]+"), " "),
    (re.compile(r" ?\n[ \n]*+(?=[=≈→])"), " "),
    (re.compile(r" ?\n[ \n]*"), "\n"),
)
_ESCAPED_MONEY, _MONEY = "\\$", "€"


def clean(text: str) -> str:
    """The text in compatibility form (NFKC), without Markdown and LaTeX; "€" marks any money.

    Boxed and tagged answers become a line "final answer: ...". Time is linear in the length.
    """
    text = _SUPERSCRIPT.sub(lambda found: "^" + found[0].translate(_SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", _VULGAR.sub(" ", text)).replace("ˆ", "^")
    text = _MATHS.sub(r" \1 ", text.replace(_ESCAPED_MONEY, _MONEY))
    text = re.sub(r"\$(?=\s?[-+.\d])|(?<=\d)\s?\$|[£¥₹]", _MONEY, text).replace("$", " ")
    for pattern, replacement in _COMMANDS:
        text = pattern.sub(replacement, text)
    return text.strip()
