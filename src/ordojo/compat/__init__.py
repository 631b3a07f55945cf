"""The gurobipy and coptpy interfaces over open solvers, for programs run in the sandbox."""
