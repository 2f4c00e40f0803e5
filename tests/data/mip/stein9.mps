* Smallest set of points that meets every triple of a Steiner triple system on 9 points
* (Fulkerson, Nemhauser and Trotter 1974): the affine plane of order 3.
NAME stein9 FREE
ROWS
 N obj
 G t1
 G t2
 G t3
 G t4
 G t5
 G t6
 G t7
 G t8
 G t9
 G t10
 G t11
 G t12
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x1 obj 1
 x1 t1 1
 x1 t4 1
 x1 t5 1
 x1 t6 1
 x2 obj 1
 x2 t1 1
 x2 t7 1
 x2 t8 1
 x2 t9 1
 x3 obj 1
 x3 t1 1
 x3 t10 1
 x3 t11 1
 x3 t12 1
 x4 obj 1
 x4 t2 1
 x4 t4 1
 x4 t7 1
 x4 t10 1
 x5 obj 1
 x5 t2 1
 x5 t5 1
 x5 t8 1
 x5 t11 1
 x6 obj 1
 x6 t2 1
 x6 t6 1
 x6 t9 1
 x6 t12 1
 x7 obj 1
 x7 t3 1
 x7 t4 1
 x7 t9 1
 x7 t11 1
 x8 obj 1
 x8 t3 1
 x8 t6 1
 x8 t8 1
 x8 t10 1
 x9 obj 1
 x9 t3 1
 x9 t5 1
 x9 t7 1
 x9 t12 1
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS t1 1
 RHS t2 1
 RHS t3 1
 RHS t4 1
 RHS t5 1
 RHS t6 1
 RHS t7 1
 RHS t8 1
 RHS t9 1
 RHS t10 1
 RHS t11 1
 RHS t12 1
BOUNDS
 UP BND x1 1
 UP BND x2 1
 UP BND x3 1
 UP BND x4 1
 UP BND x5 1
 UP BND x6 1
 UP BND x7 1
 UP BND x8 1
 UP BND x9 1
ENDATA
