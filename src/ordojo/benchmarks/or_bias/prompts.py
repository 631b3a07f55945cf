"""The two ways of asking. The paper gives no template; these are ours."""

COMPLETION_END = "\n\nOrder quantity:"
CHAT_END = '\n\nEnd with one line of the form "Order quantity: <number>".'

STOP = ("\n",)
COMPLETION_TOKENS = 32
CHAT_TOKENS = 1024


def prompt(text: str, chat: bool) -> str:
    """The story with its question, and how to answer."""
    return text + (CHAT_END if chat else COMPLETION_END)
