* A strongly correlated 0-1 knapsack of 30 items; optimum by dynamic programming.
NAME knapsack30 FREE
ROWS
 N obj
 L weight
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x0 obj -35
 x0 weight 25
 x1 obj -31
 x1 weight 21
 x2 obj -68
 x2 weight 58
 x3 obj -30
 x3 weight 20
 x4 obj -43
 x4 weight 33
 x5 obj -36
 x5 weight 26
 x6 obj -79
 x6 weight 69
 x7 obj -32
 x7 weight 22
 x8 obj -52
 x8 weight 42
 x9 obj -95
 x9 weight 85
 x10 obj -45
 x10 weight 35
 x11 obj -34
 x11 weight 24
 x12 obj -63
 x12 weight 53
 x13 obj -65
 x13 weight 55
 x14 obj -95
 x14 weight 85
 x15 obj -47
 x15 weight 37
 x16 obj -63
 x16 weight 53
 x17 obj -77
 x17 weight 67
 x18 obj -72
 x18 weight 62
 x19 obj -58
 x19 weight 48
 x20 obj -64
 x20 weight 54
 x21 obj -75
 x21 weight 65
 x22 obj -109
 x22 weight 99
 x23 obj -98
 x23 weight 88
 x24 obj -72
 x24 weight 62
 x25 obj -31
 x25 weight 21
 x26 obj -49
 x26 weight 39
 x27 obj -37
 x27 weight 27
 x28 obj -54
 x28 weight 44
 x29 obj -53
 x29 weight 43
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS weight 731
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
ENDATA
