* The relaxation and the integer model are unbounded along (1,1).
NAME unboundedint FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x obj -2
 x r1 1
 x r2 1
 y obj 1
 y r1 -1
 y r2 1
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS r1 2.5
 RHS r2 1
BOUNDS
 PL BND x
 PL BND y
ENDATA
