* Smallest set of points that meets every triple of a Steiner triple system on 15 points
* (Fulkerson, Nemhauser and Trotter 1974): Bose's construction over Z5. The last row is half of all points.
NAME stein15 FREE
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
 G t13
 G t14
 G t15
 G t16
 G t17
 G t18
 G t19
 G t20
 G t21
 G t22
 G t23
 G t24
 G t25
 G t26
 G t27
 G t28
 G t29
 G t30
 G t31
 G t32
 G t33
 G t34
 G t35
 G half
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x1 obj 1
 x1 t1 1
 x1 t6 1
 x1 t7 1
 x1 t8 1
 x1 t9 1
 x1 t32 1
 x1 t33 1
 x1 half 1
 x2 obj 1
 x2 t1 1
 x2 t12 1
 x2 t13 1
 x2 t16 1
 x2 t17 1
 x2 t18 1
 x2 t19 1
 x2 half 1
 x3 obj 1
 x3 t1 1
 x3 t22 1
 x3 t23 1
 x3 t26 1
 x3 t27 1
 x3 t28 1
 x3 t29 1
 x3 half 1
 x4 obj 1
 x4 t2 1
 x4 t6 1
 x4 t10 1
 x4 t11 1
 x4 t12 1
 x4 t27 1
 x4 t35 1
 x4 half 1
 x5 obj 1
 x5 t2 1
 x5 t7 1
 x5 t15 1
 x5 t16 1
 x5 t20 1
 x5 t21 1
 x5 t22 1
 x5 half 1
 x6 obj 1
 x6 t2 1
 x6 t17 1
 x6 t25 1
 x6 t26 1
 x6 t30 1
 x6 t31 1
 x6 t32 1
 x6 half 1
 x7 obj 1
 x7 t3 1
 x7 t7 1
 x7 t10 1
 x7 t13 1
 x7 t14 1
 x7 t29 1
 x7 t31 1
 x7 half 1
 x8 obj 1
 x8 t3 1
 x8 t9 1
 x8 t11 1
 x8 t17 1
 x8 t20 1
 x8 t23 1
 x8 t24 1
 x8 half 1
 x9 obj 1
 x9 t3 1
 x9 t19 1
 x9 t21 1
 x9 t27 1
 x9 t30 1
 x9 t33 1
 x9 t34 1
 x9 half 1
 x10 obj 1
 x10 t4 1
 x10 t8 1
 x10 t11 1
 x10 t13 1
 x10 t15 1
 x10 t26 1
 x10 t34 1
 x10 half 1
 x11 obj 1
 x11 t4 1
 x11 t6 1
 x11 t14 1
 x11 t18 1
 x11 t21 1
 x11 t23 1
 x11 t25 1
 x11 half 1
 x12 obj 1
 x12 t4 1
 x12 t16 1
 x12 t24 1
 x12 t28 1
 x12 t31 1
 x12 t33 1
 x12 t35 1
 x12 half 1
 x13 obj 1
 x13 t5 1
 x13 t9 1
 x13 t12 1
 x13 t14 1
 x13 t15 1
 x13 t28 1
 x13 t30 1
 x13 half 1
 x14 obj 1
 x14 t5 1
 x14 t8 1
 x14 t10 1
 x14 t19 1
 x14 t22 1
 x14 t24 1
 x14 t25 1
 x14 half 1
 x15 obj 1
 x15 t5 1
 x15 t18 1
 x15 t20 1
 x15 t29 1
 x15 t32 1
 x15 t34 1
 x15 t35 1
 x15 half 1
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
 RHS t13 1
 RHS t14 1
 RHS t15 1
 RHS t16 1
 RHS t17 1
 RHS t18 1
 RHS t19 1
 RHS t20 1
 RHS t21 1
 RHS t22 1
 RHS t23 1
 RHS t24 1
 RHS t25 1
 RHS t26 1
 RHS t27 1
 RHS t28 1
 RHS t29 1
 RHS t30 1
 RHS t31 1
 RHS t32 1
 RHS t33 1
 RHS t34 1
 RHS t35 1
 RHS half 7
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
 UP BND x10 1
 UP BND x11 1
 UP BND x12 1
 UP BND x13 1
 UP BND x14 1
 UP BND x15 1
ENDATA
