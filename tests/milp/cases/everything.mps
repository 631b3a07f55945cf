NAME t
ROWS
 N  OBJ
 G  c0      
 E  rg      
 L  ind     
 L  qc      
LAZYCONS
 G  lz      
COLUMNS
    x         c0        1
    x         rg        1
    x         lz        1
    x         ind       1
    y         OBJ       -1
    y         c0        1
    y         rg        -1
    y         qc        1
    y         ind       1
    MARKER    'MARKER'                 'INTORG'
    b         lz        1
    c         OBJ       0
    MARKER    'MARKER'                 'INTEND'
    r         OBJ       0
    s         OBJ       0
    MARKER    'MARKER'                 'INTORG'
    n         OBJ       0
    MARKER    'MARKER'                 'INTEND'
    Rgrg      rg        1
RHS
    RHS1      OBJ       -2.5
    RHS1      c0        1
    RHS1      rg        2
    RHS1      lz        1
    RHS1      qc        30
    RHS1      ind       3
BOUNDS
 UP BND1      x         9
 UP BND1      y         8
 BV BND1      b       
 BV BND1      c       
 LO BND1      r         -5
 SC BND1      s         4
 LO BND1      n         1
 SC BND1      n         4
 UP BND1      Rgrg      3
SOS
 S1 s0
    x            1
    y            2
 S2 s1
    x            1
    y            2
    r            3
QUADOBJ
    x         x         2
    x         y         3
QCMATRIX   qc      
    x         x         1
    x         y         1
    y         x         1
INDICATORS
 IF ind       b         1
PWLOBJ
    r         0  1
    r         1  2
    r         4  0
GENCONS
 MAX mx
    r
    x
    y
    3
 MIN mn
    r
    x
    y
 ABS ab
    r
    x
 AND an
    b
    c
 OR orr
    b
    c
 NORM 2 nrm
    r
    x
    y
 PWL pw
    x  r
    0  0
    1  2
    3  5
 POW pow
    Options  0  0.01  0.001  -1  -1
    x  r
    2.5
 EXP ex
    Options  0  0.01  0.001  -1  -1
    x  r
 EXPA exa
    Options  0  0.01  0.001  -1  -1
    x  r
    3
 LOG lg
    Options  0  0.01  0.001  -1  -1
    x  r
 LOGA lga
    Options  0  0.01  0.001  -1  -1
    x  r
    2
 SIN sn
    Options  0  0.01  0.001  -1  -1
    x  r
 LOGISTIC lo
    Options  0  0.01  0.001  -1  -1
    x  r
ENDATA
