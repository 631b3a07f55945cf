"""A model written as LP text by the program and read."""

from pathlib import Path

import gurobipy as gp

text = """Maximize
  obj: 3 x + 2 y - 4 z
Subject To
  c1: x + y + z <= 10
  c2: x - 2 y >= -4
  c3: x - z <= 6
  c4: x - z >= -3
Bounds
  x <= 8
  -2 <= z <= 5
  y free
Generals
  x
End
"""
Path("hand.lp").write_text(text)
m = gp.read("hand.lp")
m.optimize()
print("= obj", m.ObjVal, m.NumVars, m.NumConstrs, [v.VarName for v in m.getVars()])
