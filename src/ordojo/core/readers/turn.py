"""Where a reply ends and the model goes on to ask and answer itself."""

import re

_NEXT_QUESTION = re.compile(r"\n(?:Context|Question) ?:")


def own_part(text: str) -> str:
    """The reply up to the next question that the model poses; all of it if it begins with one."""
    own = _NEXT_QUESTION.split(text, maxsplit=1)[0]
    return own if own.strip() else text
