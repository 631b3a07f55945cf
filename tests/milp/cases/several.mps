NAME t2
ROWS
 N  A       2  1.5  0.5  0
 N  B       1  1  1e-06  0.1
 G  c0      
COLUMNS
    x         A         1
    x         B         3
    x         c0        1
    y         A         2
    y         B         -1
    y         c0        1
RHS
    RHS1      A         -3
    RHS1      c0        1
BOUNDS
 UP BND1      y         3
ENDATA
