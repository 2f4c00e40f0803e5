* Generalised assignment of 14 jobs to 4 agents.
NAME assign4x14 FREE
ROWS
 N obj
 E job0
 E job1
 E job2
 E job3
 E job4
 E job5
 E job6
 E job7
 E job8
 E job9
 E job10
 E job11
 E job12
 E job13
 L agent0
 L agent1
 L agent2
 L agent3
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x0_0 obj 46
 x0_0 job0 1
 x0_0 agent0 16
 x0_1 obj 22
 x0_1 job1 1
 x0_1 agent0 25
 x0_2 obj 14
 x0_2 job2 1
 x0_2 agent0 24
 x0_3 obj 22
 x0_3 job3 1
 x0_3 agent0 9
 x0_4 obj 15
 x0_4 job4 1
 x0_4 agent0 7
 x0_5 obj 15
 x0_5 job5 1
 x0_5 agent0 8
 x0_6 obj 12
 x0_6 job6 1
 x0_6 agent0 24
 x0_7 obj 12
 x0_7 job7 1
 x0_7 agent0 14
 x0_8 obj 44
 x0_8 job8 1
 x0_8 agent0 19
 x0_9 obj 34
 x0_9 job9 1
 x0_9 agent0 11
 x0_10 obj 12
 x0_10 job10 1
 x0_10 agent0 8
 x0_11 obj 21
 x0_11 job11 1
 x0_11 agent0 15
 x0_12 obj 43
 x0_12 job12 1
 x0_12 agent0 19
 x0_13 obj 25
 x0_13 job13 1
 x0_13 agent0 22
 x1_0 obj 31
 x1_0 job0 1
 x1_0 agent1 19
 x1_1 obj 31
 x1_1 job1 1
 x1_1 agent1 24
 x1_2 obj 28
 x1_2 job2 1
 x1_2 agent1 5
 x1_3 obj 47
 x1_3 job3 1
 x1_3 agent1 16
 x1_4 obj 22
 x1_4 job4 1
 x1_4 agent1 16
 x1_5 obj 15
 x1_5 job5 1
 x1_5 agent1 25
 x1_6 obj 16
 x1_6 job6 1
 x1_6 agent1 24
 x1_7 obj 37
 x1_7 job7 1
 x1_7 agent1 6
 x1_8 obj 29
 x1_8 job8 1
 x1_8 agent1 13
 x1_9 obj 23
 x1_9 job9 1
 x1_9 agent1 16
 x1_10 obj 45
 x1_10 job10 1
 x1_10 agent1 23
 x1_11 obj 41
 x1_11 job11 1
 x1_11 agent1 5
 x1_12 obj 10
 x1_12 job12 1
 x1_12 agent1 13
 x1_13 obj 17
 x1_13 job13 1
 x1_13 agent1 19
 x2_0 obj 41
 x2_0 job0 1
 x2_0 agent2 5
 x2_1 obj 40
 x2_1 job1 1
 x2_1 agent2 20
 x2_2 obj 44
 x2_2 job2 1
 x2_2 agent2 17
 x2_3 obj 32
 x2_3 job3 1
 x2_3 agent2 25
 x2_4 obj 48
 x2_4 job4 1
 x2_4 agent2 18
 x2_5 obj 22
 x2_5 job5 1
 x2_5 agent2 11
 x2_6 obj 16
 x2_6 job6 1
 x2_6 agent2 23
 x2_7 obj 47
 x2_7 job7 1
 x2_7 agent2 16
 x2_8 obj 26
 x2_8 job8 1
 x2_8 agent2 6
 x2_9 obj 34
 x2_9 job9 1
 x2_9 agent2 20
 x2_10 obj 16
 x2_10 job10 1
 x2_10 agent2 24
 x2_11 obj 41
 x2_11 job11 1
 x2_11 agent2 11
 x2_12 obj 24
 x2_12 job12 1
 x2_12 agent2 17
 x2_13 obj 38
 x2_13 job13 1
 x2_13 agent2 23
 x3_0 obj 50
 x3_0 job0 1
 x3_0 agent3 24
 x3_1 obj 31
 x3_1 job1 1
 x3_1 agent3 23
 x3_2 obj 10
 x3_2 job2 1
 x3_2 agent3 20
 x3_3 obj 42
 x3_3 job3 1
 x3_3 agent3 21
 x3_4 obj 36
 x3_4 job4 1
 x3_4 agent3 12
 x3_5 obj 22
 x3_5 job5 1
 x3_5 agent3 6
 x3_6 obj 14
 x3_6 job6 1
 x3_6 agent3 5
 x3_7 obj 31
 x3_7 job7 1
 x3_7 agent3 8
 x3_8 obj 15
 x3_8 job8 1
 x3_8 agent3 16
 x3_9 obj 32
 x3_9 job9 1
 x3_9 agent3 9
 x3_10 obj 41
 x3_10 job10 1
 x3_10 agent3 10
 x3_11 obj 11
 x3_11 job11 1
 x3_11 agent3 11
 x3_12 obj 40
 x3_12 job12 1
 x3_12 agent3 14
 x3_13 obj 18
 x3_13 job13 1
 x3_13 agent3 17
 MARKER2 'MARKER' 'INTEND'
RHS
 RHS job0 1
 RHS job1 1
 RHS job2 1
 RHS job3 1
 RHS job4 1
 RHS job5 1
 RHS job6 1
 RHS job7 1
 RHS job8 1
 RHS job9 1
 RHS job10 1
 RHS job11 1
 RHS job12 1
 RHS job13 1
 RHS agent0 44
 RHS agent1 44
 RHS agent2 47
 RHS agent3 39
BOUNDS
 UP BND x0_0 1
 UP BND x0_1 1
 UP BND x0_2 1
 UP BND x0_3 1
 UP BND x0_4 1
 UP BND x0_5 1
 UP BND x0_6 1
 UP BND x0_7 1
 UP BND x0_8 1
 UP BND x0_9 1
 UP BND x0_10 1
 UP BND x0_11 1
 UP BND x0_12 1
 UP BND x0_13 1
 UP BND x1_0 1
 UP BND x1_1 1
 UP BND x1_2 1
 UP BND x1_3 1
 UP BND x1_4 1
 UP BND x1_5 1
 UP BND x1_6 1
 UP BND x1_7 1
 UP BND x1_8 1
 UP BND x1_9 1
 UP BND x1_10 1
 UP BND x1_11 1
 UP BND x1_12 1
 UP BND x1_13 1
 UP BND x2_0 1
 UP BND x2_1 1
 UP BND x2_2 1
 UP BND x2_3 1
 UP BND x2_4 1
 UP BND x2_5 1
 UP BND x2_6 1
 UP BND x2_7 1
 UP BND x2_8 1
 UP BND x2_9 1
 UP BND x2_10 1
 UP BND x2_11 1
 UP BND x2_12 1
 UP BND x2_13 1
 UP BND x3_0 1
 UP BND x3_1 1
 UP BND x3_2 1
 UP BND x3_3 1
 UP BND x3_4 1
 UP BND x3_5 1
 UP BND x3_6 1
 UP BND x3_7 1
 UP BND x3_8 1
 UP BND x3_9 1
 UP BND x3_10 1
 UP BND x3_11 1
 UP BND x3_12 1
 UP BND x3_13 1
ENDATA
