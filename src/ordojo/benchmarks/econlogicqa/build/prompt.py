"""What the models are asked. The generation prompt is the paper's, the other two are ours."""

from collections.abc import Sequence

from ordojo.benchmarks.econlogicqa.schema import LETTERS
from ordojo.core.canonical import digest

GENERATION = """\
Generate a concise multi-choice question without referencing the original news article, starting \
with a brief scenario description. Include four events from this scenario that need sequencing \
based on their logical connection, not just the order of appearance in the news. These events \
should be relevant to typical business or economic situations, requiring knowledge of business \
practices and economics for correct sequencing. Ensure a single correct sequence, free from \
ambiguity. The question should be crafted for independent completion, suitable for student \
evaluation. Create original, concise content for both the question and choices, avoiding \
plagiarism and limiting excessive details or numerical data. Format the output with the scenario \
description, followed by choices labeled A, B, C, D, and finish with the correct sequence and a \
brief explanation, ensuring the sequence logic is deducible solely from the question and choices \
presented.

Here is the output format:
```
Question: ...
Choices:
A. ...
B. ...
C. ...
D. ...
Correct Order: ...
Explanation: ...
```

Here is the business news article:
```
{news_article}
```
"""
"""EconLogicQA paper (arXiv 2405.07938v1), appendix A, figure 1: every character that is not white
space as printed there. Blanks between words, lost in the text of the PDF, are restored; blank
lines between the blocks are ours."""

ORDERING = """\
Four events of one scenario are listed in arbitrary order. Put them in their logical order.

Question: {question}
Choices:
{choices}

Answer with the four letters in order and nothing else, for example: B, A, D, C
Correct Order:"""

SENSITIVE = """\
Would a question about this news article be inappropriate in a test for students, because the \
article is about death, violence, crime, abuse, disaster, illness, or the private life of a \
person? Begin your answer with "yes" or "no", then give the reason in one sentence.

Article:
{article}

Answer:"""

PROMPT_SHA256 = digest([GENERATION, ORDERING, SENSITIVE])


def generation_prompt(article: str) -> str:
    """The paper's prompt for one article."""
    return GENERATION.replace("{news_article}", article)


def ordering_prompt(question: str, events: Sequence[str]) -> str:
    """The question put to a model, with the events in the order given."""
    choices = "\n".join(f"{x}. {event}" for x, event in zip(LETTERS, events, strict=True))
    return ORDERING.format(question=question, choices=choices)


def sensitive_prompt(article: str) -> str:
    """The question whether an article is sensitive."""
    return SENSITIVE.format(article=article)
