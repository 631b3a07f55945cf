"""An LP file with SOS, indicators, semi-continuous and quadratic parts."""

from pathlib import Path

import gurobipy as gp

text = """Minimize
  2 a + 3 b + c + [ 2 c ^2 ] / 2
Subject To
  r1: a + b + c >= 6
  r2: k = 1 -> a <= 2
  r3: k >= 1
Bounds
  a <= 9
  b <= 7
  c <= 5
Binaries
  k
Semi-Continuous
  b
SOS
  s1: S1 :: a : 1 b : 2
End
"""
Path("rich.lp").write_text(text)
m = gp.read("rich.lp")
m.optimize()
print("= obj", round(m.ObjVal, 4), m.NumSOS, m.NumGenConstrs, m.NumQNZs)
