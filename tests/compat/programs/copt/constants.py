"""Status codes, types and senses have COPT's values."""

import coptpy as cp
from coptpy import COPT

names = "UNSTARTED OPTIMAL INFEASIBLE UNBOUNDED INF_OR_UNB NUMERICAL NODELIMIT IMPRECISE TIMEOUT "
names += "UNFINISHED INTERRUPTED ITERLIMIT"
print("=", [(n, getattr(COPT, n)) for n in names.split()])
print("=", COPT.MINIMIZE, COPT.MAXIMIZE, COPT.INFINITY, COPT.SOS_TYPE1, COPT.SOS_TYPE2)
print("=", [str(v) for v in (COPT.BINARY, COPT.INTEGER, COPT.CONTINUOUS)])
print("=", COPT.Param.TimeLimit, COPT.Param.RelGap, COPT.Attr.ObjVal, COPT.Info.Value)
env = cp.Envr()
m = env.createModel()
m.addVar(ub=1, obj=-1)
print("= before", m.status == COPT.UNSTARTED)
m.solve()
