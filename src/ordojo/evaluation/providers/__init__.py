"""Language models that ordojo brings itself, on the processor and without a server.

`loading.py` gets and checks the weights; `embedded.py` generates with them in this process, and
with models that were trained here.
"""
