"""A reward function for a trainer: one number a completion, from the environment's own judge.

44 [0.0, 1.0]
"""

import ordojo

QUESTIONS = {"dataset": "orqa@ordojo"}
instances = ordojo.load("orqa", **QUESTIONS)
environment = ordojo.make("orqa", **QUESTIONS)
prompts = [environment.reset(instance, seed=0).text for instance in instances]


def reward(completions: list[str], index: list[int], **columns: object) -> list[float]:
    """TRL calls it with a batch and the dataset's columns; `index` is one of them."""
    rewards = []
    for text, place in zip(completions, index, strict=True):
        environment.reset(instances[place], seed=0)
        rewards.append(environment.step(text).reward)
    return rewards


# With TRL: GRPOTrainer(..., reward_funcs=reward, train_dataset=Dataset.from_dict(
#     {"prompt": prompts, "index": range(len(prompts))}))
print(len(prompts), reward(["A", "D"], index=[0, 0]))
