"""What the gurobipy and coptpy layers share; nothing here spells an attribute, error or status.

Programs make `expressions` of variables, singly or in arrays over flat terms (`matrix`), with
containers by keys (`tuples`), and hold `handles`, whose attributes are tables. The methods that
both layers' models have are `model`; they fill a `store`: flat arrays of columns and rows, and
parts for all else. `assemble` turns an updated store into the problem that the solver service
takes, with nonlinear formulas taken apart; `calls` ask for it, and carry a program's callback; what
comes back is kept in the store. `parameters` govern a solve and its log. Each layer derives its own
classes from these.
"""
