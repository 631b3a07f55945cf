"""Any function from a prompt to a text, evaluated as a model.

first-character: 0.250 (0.143 to 0.399)
...
report/index.html
"""

import json
from pathlib import Path

import ordojo

QUESTIONS = {"dataset": "orqa@ordojo"}


def model(prompt: str) -> str:
    """Answer with the letter that stands most often in the question: put yours here."""
    return max("ABCD", key=prompt.count)


environment = ordojo.make("orqa", **QUESTIONS)
with Path("answers.jsonl").open("w") as file:
    for instance in ordojo.load("orqa", **QUESTIONS):
        reply = model(environment.reset(instance, seed=0).text)
        file.write(json.dumps({"id": instance.id, "completion": reply}) + "\n")

ordojo.evaluate("orqa", "ordojo/replay?path=answers.jsonl", **QUESTIONS)
report = ordojo.report("runs", "report")
for row in json.loads(report.summary.read_text())["rows"]:
    if row["metric"] == "accuracy" and not row["published"]:
        print(f"{row['rule']}: {row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})")
print(report.index)
