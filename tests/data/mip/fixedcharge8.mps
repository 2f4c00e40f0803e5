* Single-source fixed-charge network flow on 8 nodes, big-M links between flow and arc.
NAME fixedcharge8 FREE
ROWS
 N obj
 E n0
 E n1
 E n2
 E n3
 E n4
 E n5
 E n6
 E n7
 L open0_5
 L open0_6
 L open1_3
 L open3_4
 L open3_5
 L open3_6
 L open3_7
 L open4_6
 L open5_0
 L open5_3
 L open5_6
 L open6_0
 L open6_7
 L open7_0
 L open7_2
 L open7_3
 L open7_4
 L open7_5
 L open0_1
 L open1_2
 L open2_3
 L open4_5
COLUMNS
 f0_5 obj 1.78
 f0_5 n0 -1
 f0_5 n5 1
 f0_5 open0_5 1
 f0_6 obj 2.58
 f0_6 n0 -1
 f0_6 n6 1
 f0_6 open0_6 1
 f1_3 obj 1.28
 f1_3 n1 -1
 f1_3 n3 1
 f1_3 open1_3 1
 f3_4 obj 0.69
 f3_4 n3 -1
 f3_4 n4 1
 f3_4 open3_4 1
 f3_5 obj 1.68
 f3_5 n3 -1
 f3_5 n5 1
 f3_5 open3_5 1
 f3_6 obj 1.07
 f3_6 n3 -1
 f3_6 n6 1
 f3_6 open3_6 1
 f3_7 obj 1.04
 f3_7 n3 -1
 f3_7 n7 1
 f3_7 open3_7 1
 f4_6 obj 2.68
 f4_6 n4 -1
 f4_6 n6 1
 f4_6 open4_6 1
 f5_0 obj 1.05
 f5_0 n5 -1
 f5_0 n0 1
 f5_0 open5_0 1
 f5_3 obj 1.22
 f5_3 n5 -1
 f5_3 n3 1
 f5_3 open5_3 1
 f5_6 obj 2.53
 f5_6 n5 -1
 f5_6 n6 1
 f5_6 open5_6 1
 f6_0 obj 2.43
 f6_0 n6 -1
 f6_0 n0 1
 f6_0 open6_0 1
 f6_7 obj 1.55
 f6_7 n6 -1
 f6_7 n7 1
 f6_7 open6_7 1
 f7_0 obj 2.41
 f7_0 n7 -1
 f7_0 n0 1
 f7_0 open7_0 1
 f7_2 obj 1.69
 f7_2 n7 -1
 f7_2 n2 1
 f7_2 open7_2 1
 f7_3 obj 1.15
 f7_3 n7 -1
 f7_3 n3 1
 f7_3 open7_3 1
 f7_4 obj 1.56
 f7_4 n7 -1
 f7_4 n4 1
 f7_4 open7_4 1
 f7_5 obj 2.93
 f7_5 n7 -1
 f7_5 n5 1
 f7_5 open7_5 1
 f0_1 obj 2.8
 f0_1 n0 -1
 f0_1 n1 1
 f0_1 open0_1 1
 f1_2 obj 2.28
 f1_2 n1 -1
 f1_2 n2 1
 f1_2 open1_2 1
 f2_3 obj 1.93
 f2_3 n2 -1
 f2_3 n3 1
 f2_3 open2_3 1
 f4_5 obj 2.51
 f4_5 n4 -1
 f4_5 n5 1
 f4_5 open4_5 1
 MARKER1 'MARKER' 'INTORG'
 y0_5 obj 23
 y0_5 open0_5 -45
 y0_6 obj 7
 y0_6 open0_6 -45
 y1_3 obj 15
 y1_3 open1_3 -45
 y3_4 obj 6
 y3_4 open3_4 -45
 y3_5 obj 24
 y3_5 open3_5 -45
 y3_6 obj 27
 y3_6 open3_6 -45
 y3_7 obj 29
 y3_7 open3_7 -45
 y4_6 obj 34
 y4_6 open4_6 -45
 y5_0 obj 13
 y5_0 open5_0 -45
 y5_3 obj 8
 y5_3 open5_3 -45
 y5_6 obj 21
 y5_6 open5_6 -45
 y6_0 obj 22
 y6_0 open6_0 -45
 y6_7 obj 19
 y6_7 open6_7 -45
 y7_0 obj 6
 y7_0 open7_0 -45
 y7_2 obj 32
 y7_2 open7_2 -45
 y7_3 obj 9
 y7_3 open7_3 -45
 y7_4 obj 20
 y7_4 open7_4 -45
 y7_5 obj 39
 y7_5 open7_5 -45
 y0_1 obj 22
 y0_1 open0_1 -45
 y1_2 obj 27
 y1_2 open1_2 -45
 y2_3 obj 24
 y2_3 open2_3 -45
 y4_5 obj 5
 y4_5 open4_5 -45
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS obj -12.5
 RHS n1 4
 RHS n2 7
 RHS n3 8
 RHS n4 8
 RHS n5 5
 RHS n6 5
 RHS n7 8
 RHS n0 -45
BOUNDS
 UP BND y0_5 1
 UP BND y0_6 1
 UP BND y1_3 1
 UP BND y3_4 1
 UP BND y3_5 1
 UP BND y3_6 1
 UP BND y3_7 1
 UP BND y4_6 1
 UP BND y5_0 1
 UP BND y5_3 1
 UP BND y5_6 1
 UP BND y6_0 1
 UP BND y6_7 1
 UP BND y7_0 1
 UP BND y7_2 1
 UP BND y7_3 1
 UP BND y7_4 1
 UP BND y7_5 1
 UP BND y0_1 1
 UP BND y1_2 1
 UP BND y2_3 1
 UP BND y4_5 1
ENDATA
