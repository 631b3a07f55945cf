"""Inspect as the engine: one solver and one scorer that drive any environment.

`run.py` makes an Inspect task of a session and keeps its samples; `ask.py` is the solver: an
observation becomes a chat or a raw prompt, the reply goes to the environment, until it ends.
`agent.py` has an agent work on files instead, and judges the one that it leaves.
`model_api.py` is the provider of the models named `ordojo/...`.
"""
