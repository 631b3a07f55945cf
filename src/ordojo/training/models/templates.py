"""Chat templates whose generation markers cover what the model itself must write, stop included."""

from typing import Any

from ordojo.core.errors import UsageError

MARKERS = ("{% generation %}", "{% endgeneration %}")

TINY = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}{{ '<|assistant|>' }}{% generation %}"
    "{{ message['content'] + '<|end|>' }}{% endgeneration %}"
    "{% else %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
"""One token for a role, one for the end of a turn."""

CHATML = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}{{ '<|im_start|>assistant\n' }}{% generation %}"
    "{{ message['content'] + '<|im_end|>' }}{% endgeneration %}{{ '\n' }}"
    "{% else %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
"""ChatML, as SmolLM2 and Qwen read it, without a system turn of its own."""


def has_markers(template: str | None) -> bool:
    """Whether a template says which tokens the model generates."""
    plain = (template or "").replace("{%-", "{%").replace("-%}", "%}")
    return all(marker in plain for marker in MARKERS)


def ensure_markers(tokenizer: Any, name: str) -> None:
    """Give a tokenizer of ChatML a template with markers, where its own has none.

    Raises UsageError where the template has none and is not ChatML.
    """
    template = tokenizer.chat_template
    if has_markers(template):
        return
    if isinstance(template, str) and "<|im_start|>" in template and "<|im_end|>" in template:
        tokenizer.chat_template = CHATML
        return
    what = "has no chat template" if not template else "has a chat template without markers"
    raise UsageError(
        f"{name} {what}, so that its own tokens cannot be told from the others; set "
        f"`template` to a Jinja file that wraps the assistant's text and its stop token in "
        f"{MARKERS[0]} ... {MARKERS[1]}"
    )


def check_stop_covered(tokenizer: Any, name: str) -> None:
    """Raise UsageError unless the markers cover the reply and the token that ends it."""
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    made = tokenizer.apply_chat_template(
        turns, tokenize=True, return_dict=True, return_assistant_tokens_mask=True
    )
    own = [i for i, m in zip(made["input_ids"], made["assistant_masks"], strict=True) if m]
    if not own or own[-1] != tokenizer.eos_token_id:
        raise UsageError(
            f"{name}: the generation markers of its chat template do not cover the stop token "
            f"{tokenizer.eos_token!r}; put it before {MARKERS[1]}, or the model never learns to end"
        )
