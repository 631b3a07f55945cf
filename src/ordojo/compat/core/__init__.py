"""What the gurobipy and coptpy layers share: expressions, tuple containers, and a model's arrays.

Nothing here spells an attribute, an error or a status; each layer derives its own classes.
"""
