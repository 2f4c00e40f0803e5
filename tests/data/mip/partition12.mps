* Set partitioning of 12 elements by 40 sets: equality rows.
NAME partition12 FREE
ROWS
 N obj
 E e0
 E e1
 E e2
 E e3
 E e4
 E e5
 E e6
 E e7
 E e8
 E e9
 E e10
 E e11
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x0 obj 10
 x0 e0 1
 x0 e1 1
 x0 e2 1
 x1 obj 28
 x1 e3 1
 x1 e4 1
 x1 e5 1
 x2 obj 10
 x2 e6 1
 x2 e7 1
 x2 e8 1
 x3 obj 19
 x3 e9 1
 x3 e10 1
 x3 e11 1
 x4 obj 21
 x4 e1 1
 x4 e4 1
 x5 obj 17
 x5 e10 1
 x5 e11 1
 x6 obj 11
 x6 e0 1
 x6 e2 1
 x6 e5 1
 x7 obj 12
 x7 e1 1
 x7 e10 1
 x8 obj 27
 x8 e5 1
 x8 e8 1
 x8 e9 1
 x9 obj 12
 x9 e1 1
 x9 e7 1
 x9 e11 1
 x10 obj 14
 x10 e6 1
 x10 e10 1
 x10 e11 1
 x11 obj 26
 x11 e0 1
 x11 e2 1
 x11 e7 1
 x11 e11 1
 x12 obj 14
 x12 e9 1
 x12 e11 1
 x13 obj 27
 x13 e0 1
 x13 e7 1
 x13 e8 1
 x13 e10 1
 x14 obj 26
 x14 e5 1
 x14 e8 1
 x14 e10 1
 x14 e11 1
 x15 obj 9
 x15 e3 1
 x15 e6 1
 x15 e7 1
 x16 obj 9
 x16 e1 1
 x16 e8 1
 x17 obj 33
 x17 e1 1
 x17 e2 1
 x17 e9 1
 x17 e11 1
 x18 obj 17
 x18 e4 1
 x18 e11 1
 x19 obj 24
 x19 e1 1
 x19 e5 1
 x19 e8 1
 x20 obj 10
 x20 e7 1
 x20 e11 1
 x21 obj 21
 x21 e2 1
 x21 e4 1
 x21 e6 1
 x22 obj 12
 x22 e1 1
 x22 e2 1
 x23 obj 16
 x23 e5 1
 x23 e8 1
 x23 e11 1
 x24 obj 10
 x24 e0 1
 x24 e3 1
 x24 e9 1
 x25 obj 14
 x25 e3 1
 x25 e10 1
 x26 obj 21
 x26 e2 1
 x26 e11 1
 x27 obj 25
 x27 e1 1
 x27 e7 1
 x27 e11 1
 x28 obj 10
 x28 e1 1
 x28 e6 1
 x28 e10 1
 x29 obj 38
 x29 e2 1
 x29 e5 1
 x29 e9 1
 x29 e10 1
 x30 obj 15
 x30 e0 1
 x30 e10 1
 x31 obj 31
 x31 e2 1
 x31 e6 1
 x31 e7 1
 x31 e11 1
 x32 obj 27
 x32 e0 1
 x32 e3 1
 x32 e9 1
 x32 e10 1
 x33 obj 22
 x33 e0 1
 x33 e6 1
 x33 e9 1
 x34 obj 24
 x34 e0 1
 x34 e1 1
 x34 e6 1
 x34 e7 1
 x35 obj 15
 x35 e0 1
 x35 e2 1
 x35 e10 1
 x36 obj 19
 x36 e0 1
 x36 e5 1
 x36 e8 1
 x36 e11 1
 x37 obj 11
 x37 e4 1
 x37 e5 1
 x37 e9 1
 x38 obj 25
 x38 e6 1
 x38 e8 1
 x38 e9 1
 x39 obj 37
 x39 e1 1
 x39 e6 1
 x39 e7 1
 x39 e10 1
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS e0 1
 RHS e1 1
 RHS e2 1
 RHS e3 1
 RHS e4 1
 RHS e5 1
 RHS e6 1
 RHS e7 1
 RHS e8 1
 RHS e9 1
 RHS e10 1
 RHS e11 1
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
 UP BND x9 1
 UP BND x10 1
 UP BND x11 1
 UP BND x12 1
 UP BND x13 1
 UP BND x14 1
 UP BND x15 1
 UP BND x16 1
 UP BND x17 1
 UP BND x18 1
 UP BND x19 1
 UP BND x20 1
 UP BND x21 1
 UP BND x22 1
 UP BND x23 1
 UP BND x24 1
 UP BND x25 1
 UP BND x26 1
 UP BND x27 1
 UP BND x28 1
 UP BND x29 1
 UP BND x30 1
 UP BND x31 1
 UP BND x32 1
 UP BND x33 1
 UP BND x34 1
 UP BND x35 1
 UP BND x36 1
 UP BND x37 1
 UP BND x38 1
 UP BND x39 1
ENDATA
