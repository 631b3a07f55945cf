"""Models to train: made on the spot, embedded (`gguf.py`), or of Hugging Face.

`settings.py` says which and how; `loading.py` makes it ready; `policy.py` plays it in batches;
`session.py` is what all trainers do around TRL's, and seals what is saved.
"""
