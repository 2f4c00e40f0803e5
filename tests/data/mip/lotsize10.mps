* Lot sizing over ten periods: setups, and production in batches of 25 (general integers).
NAME lotsize10 FREE
ROWS
 N obj
 E bal0
 E bal1
 E bal2
 E bal3
 E bal4
 E bal5
 E bal6
 E bal7
 E bal8
 E bal9
 L set0
 L set1
 L set2
 L set3
 L set4
 L set5
 L set6
 L set7
 L set8
 L set9
 E bat0
 E bat1
 E bat2
 E bat3
 E bat4
 E bat5
 E bat6
 E bat7
 E bat8
 E bat9
COLUMNS
 q0 obj 1
 q0 bal0 1
 q0 set0 1
 q0 bat0 1
 s0 obj 0.75
 s0 bal0 -1
 s0 bal1 1
 q1 obj 1
 q1 bal1 1
 q1 set1 1
 q1 bat1 1
 s1 obj 0.75
 s1 bal1 -1
 s1 bal2 1
 q2 obj 1
 q2 bal2 1
 q2 set2 1
 q2 bat2 1
 s2 obj 0.75
 s2 bal2 -1
 s2 bal3 1
 q3 obj 1
 q3 bal3 1
 q3 set3 1
 q3 bat3 1
 s3 obj 0.75
 s3 bal3 -1
 s3 bal4 1
 q4 obj 1
 q4 bal4 1
 q4 set4 1
 q4 bat4 1
 s4 obj 0.75
 s4 bal4 -1
 s4 bal5 1
 q5 obj 1
 q5 bal5 1
 q5 set5 1
 q5 bat5 1
 s5 obj 0.75
 s5 bal5 -1
 s5 bal6 1
 q6 obj 1
 q6 bal6 1
 q6 set6 1
 q6 bat6 1
 s6 obj 0.75
 s6 bal6 -1
 s6 bal7 1
 q7 obj 1
 q7 bal7 1
 q7 set7 1
 q7 bat7 1
 s7 obj 0.75
 s7 bal7 -1
 s7 bal8 1
 q8 obj 1
 q8 bal8 1
 q8 set8 1
 q8 bat8 1
 s8 obj 0.75
 s8 bal8 -1
 s8 bal9 1
 q9 obj 1
 q9 bal9 1
 q9 set9 1
 q9 bat9 1
 s9 obj 0.75
 s9 bal9 -1
 MARKER1 'MARKER' 'INTORG'
 y0 obj 45
 y0 set0 -150
 y1 obj 45
 y1 set1 -150
 y2 obj 45
 y2 set2 -150
 y3 obj 45
 y3 set3 -150
 y4 obj 45
 y4 set4 -150
 y5 obj 45
 y5 set5 -150
 y6 obj 45
 y6 set6 -150
 y7 obj 45
 y7 set7 -150
 y8 obj 45
 y8 set8 -150
 y9 obj 45
 y9 set9 -150
 b0 obj 2
 b0 bat0 -25
 b1 obj 2
 b1 bat1 -25
 b2 obj 2
 b2 bat2 -25
 b3 obj 2
 b3 bat3 -25
 b4 obj 2
 b4 bat4 -25
 b5 obj 2
 b5 bat5 -25
 b6 obj 2
 b6 bat6 -25
 b7 obj 2
 b7 bat7 -25
 b8 obj 2
 b8 bat8 -25
 b9 obj 2
 b9 bat9 -25
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS bal0 40
 RHS bal1 55
 RHS bal2 35
 RHS bal3 12
 RHS bal4 45
 RHS bal5 21
 RHS bal6 28
 RHS bal7 16
 RHS bal8 41
 RHS bal9 59
BOUNDS
 UP BND y0 1
 UP BND y1 1
 UP BND y2 1
 UP BND y3 1
 UP BND y4 1
 UP BND y5 1
 UP BND y6 1
 UP BND y7 1
 UP BND y8 1
 UP BND y9 1
 UP BND b0 6
 UP BND b1 6
 UP BND b2 6
 UP BND b3 6
 UP BND b4 6
 UP BND b5 6
 UP BND b6 6
 UP BND b7 6
 UP BND b8 6
 UP BND b9 6
ENDATA
