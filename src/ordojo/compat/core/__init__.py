"""What the gurobipy and coptpy layers share; nothing here spells an attribute, error or status.

Programs make `expressions` of variables, singly or as arrays of them (`matrix`), with containers
by keys (`tuples`). A model is a `store`: flat arrays of columns and rows, and parts for all else.
`assemble` turns an updated store into the problem that the solver service takes, with nonlinear
formulas taken apart; what comes back is kept in the store. `shared` is what both models do alike:
handles, lookups, copies, parameters. Each layer derives its own classes from these.
"""
