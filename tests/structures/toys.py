"""Small models as MPS text, and random structured ones."""

from pathlib import Path

import numpy as np

from ordojo.structures import Flat, read_flat


def flat_of(folder: Path, text: str) -> Flat:
    """A model's text, MPS or LP, as it is read from a file."""
    path = folder / ("toy.lp" if text.lstrip().lower().startswith(("min", "max")) else "toy.mps")
    path.write_text(text)
    return read_flat(path)


LOTS = """NAME lots
ROWS
 N  COST
 E  bal[1]
 E  bal[2]
 E  bal[3]
 L  cap[1]
 L  cap[2]
 L  cap[3]
COLUMNS
    x[1]  COST  1.5  bal[1]  1
    x[1]  cap[1]  1
    x[2]  COST  2.5  bal[2]  1
    x[2]  cap[2]  1
    x[3]  COST  1.5  bal[3]  1
    x[3]  cap[3]  1
    s[1]  bal[1]  -1  bal[2]  1
    s[2]  bal[2]  -1  bal[3]  1
    s[3]  bal[3]  -1
    M1  'MARKER'  'INTORG'
    y[1]  COST  30  cap[1]  -100
    y[2]  COST  30  cap[2]  -100
    y[3]  COST  30  cap[3]  -100
    M2  'MARKER'  'INTEND'
RHS
    RHS  bal[1]  10  bal[2]  20
    RHS  bal[3]  1e1  COST  -7
BOUNDS
 UP BND  x[1]  50
 UP BND  x[2]  50
 UP BND  x[3]  50
 BV BND  y[1]
 BV BND  y[2]
 BV BND  y[3]
ENDATA
"""

EVERYTHING = """* every kind of line
NAME  all of it
OBJSENSE
    MAX
OBJNAME
    second
ROWS
 N  first
 N  second
 L  l
 G  g
 E  e1
 E  e2
COLUMNS
 a  second  1  l  1
 a  g  -.5
 b  first  2  e1  +3.25
 b  e2  1e-3
 c  l  12345678901234567890
 d  g  4
 e  e1  1.
 f  l  0.1
 g1  l  7
 h  g  0
RHS
    l  4  second  -2.5
    g  1
RANGES
 R  l  2.5  e1  2
 R  e2  -3
 R  g  4
BOUNDS
 LO B a -1
 UP B a 5
 UP B b -2
 FX B c 3
 FR B d
 MI B e
 PL B e
 BV B f
 LI B g1 2
 UI B g1 9
 SC B h 8
SOS
 S1 SOS s1 1
    SOS a 1
QUADOBJ
    a a 2
ENDATA
"""


def structured(seed: int) -> str:
    """A random model of a few indexed groups and families, written as a modeller's loops would."""
    draw = np.random.default_rng(seed)
    many, periods = int(draw.integers(2, 7)), int(draw.integers(2, 9))
    shape = [f"[{i},{t}]" for i in range(many) for t in range(periods)]
    rows = {f"bal{k}": "E" for k in shape} | {f"cap[{t}]": "L" for t in range(periods)}
    if draw.random() < 0.5:
        rows |= {f"link_{i}_{t:02d}": "L" for i in range(many) for t in range(periods)}
    size = draw.integers(1, 40, many)
    lines = []
    for i in range(many):
        for t in range(periods):
            entries = {"obj": float(draw.integers(0, 4)), f"bal[{i},{t}]": 1.0}
            entries[f"cap[{t}]"] = float(size[i])
            if f"link_{i}_{t:02d}" in rows:
                entries[f"link_{i}_{t:02d}"] = 1.0
            lines += [f" x[{i},{t}] {row} {value!r}" for row, value in entries.items() if value]
    for i in range(many):
        for t in range(periods):
            lines.append(f" s_{i}_{t} bal[{i},{t}] -1")
            if t + 1 < periods:
                lines.append(f" s_{i}_{t} bal[{i},{t + 1}] 1")
    if draw.random() < 0.5:
        lines += [f" y{t} cap[{t}] {-draw.random()!r}" for t in range(periods)]
    rhs = [f" RHS {row} {draw.normal()!r}" for row in rows if draw.random() < 0.7]
    text = ["NAME toy", "ROWS", " N obj", *[f" {sense} {row}" for row, sense in rows.items()]]
    return "\n".join([*text, "COLUMNS", *lines, "RHS", *rhs, "ENDATA", ""])
