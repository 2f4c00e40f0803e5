* The largest number below 14000 that is no nonnegative combination of 271, 277, 281: infeasible.
NAME frobenius3 FREE
ROWS
 N obj
 E sum
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x0 obj 1
 x0 sum 271
 x1 obj 2
 x1 sum 277
 x2 obj 3
 x2 sum 281
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS sum 13835
BOUNDS
 UP BND x0 60
 UP BND x1 60
 UP BND x2 60
ENDATA
