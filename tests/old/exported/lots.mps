NAME lots
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
