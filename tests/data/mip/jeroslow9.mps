* Twice nine binaries cannot sum to nine (Jeroslow 1974): infeasible, though every relaxation
* that leaves five binaries free is feasible.
NAME jeroslow9 FREE
ROWS
 N obj
 E odd
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x0 obj 1
 x0 odd 2
 x1 obj 0
 x1 odd 2
 x2 obj 0
 x2 odd 2
 x3 obj 0
 x3 odd 2
 x4 obj 0
 x4 odd 2
 x5 obj 0
 x5 odd 2
 x6 obj 0
 x6 odd 2
 x7 obj 0
 x7 odd 2
 x8 obj 0
 x8 odd 2
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS odd 9
BOUNDS
 UP BND x0 1
 UP BND x1 1
 UP BND x2 1
 UP BND x3 1
 UP BND x4 1
 UP BND x5 1
 UP BND x6 1
 UP BND x7 1
 UP BND x8 1
ENDATA
