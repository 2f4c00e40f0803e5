* General integers of either sign, one of them free, rows of every type with ranges, a constant.
NAME generalint FREE
ROWS
 N obj
 L r1
 G r2
 E r3
 G r4
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x1 obj 3
 x1 r1 2
 x1 r2 1
 x1 r3 1
 x2 obj -2
 x2 r1 3
 x2 r2 -4
 x2 r4 1
 x3 obj 5
 x3 r1 -1
 x3 r3 3
 x3 r4 2
 x4 obj 1
 x4 r2 2
 x4 r3 -2
 x4 r4 -3
 MARKER2 'MARKER' 'INTEND'
 z obj -0.5
 z r1 1.5
 z r4 1
RHS
 RHS obj 100
 RHS r1 17
 RHS r2 -23
 RHS r3 7
 RHS r4 -8
RANGES
 RNG r1 30.5
 RNG r2 40
 RNG r4 25
BOUNDS
 LO BND x1 -10
 UP BND x1 10
 UP BND x2 9
 MI BND x3
 UP BND x3 6
 FR BND x4
 UP BND z 4.5
ENDATA
