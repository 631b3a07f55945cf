"""Models to train: made on the spot, embedded (`gguf.py`), or of Hugging Face.

`loading.py` makes it ready; `policy.py` plays it in batches; `session.py` is what all trainers
have, their settings, and do around TRL's, and seals what is saved.
"""
