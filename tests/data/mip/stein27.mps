* Smallest set of points that meets every triple of a Steiner triple system on 27 points
* (Fulkerson, Nemhauser and Trotter 1974): the affine space of dimension 3 over Z3. The last row is half of all points.
NAME stein27 FREE
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
 G t36
 G t37
 G t38
 G t39
 G t40
 G t41
 G t42
 G t43
 G t44
 G t45
 G t46
 G t47
 G t48
 G t49
 G t50
 G t51
 G t52
 G t53
 G t54
 G t55
 G t56
 G t57
 G t58
 G t59
 G t60
 G t61
 G t62
 G t63
 G t64
 G t65
 G t66
 G t67
 G t68
 G t69
 G t70
 G t71
 G t72
 G t73
 G t74
 G t75
 G t76
 G t77
 G t78
 G t79
 G t80
 G t81
 G t82
 G t83
 G t84
 G t85
 G t86
 G t87
 G t88
 G t89
 G t90
 G t91
 G t92
 G t93
 G t94
 G t95
 G t96
 G t97
 G t98
 G t99
 G t100
 G t101
 G t102
 G t103
 G t104
 G t105
 G t106
 G t107
 G t108
 G t109
 G t110
 G t111
 G t112
 G t113
 G t114
 G t115
 G t116
 G t117
 G half
COLUMNS
 MARKER1 'MARKER' 'INTORG'
 x1 obj 1
 x1 t1 1
 x1 t10 1
 x1 t11 1
 x1 t12 1
 x1 t37 1
 x1 t38 1
 x1 t39 1
 x1 t46 1
 x1 t47 1
 x1 t48 1
 x1 t55 1
 x1 t56 1
 x1 t57 1
 x1 half 1
 x2 obj 1
 x2 t1 1
 x2 t13 1
 x2 t14 1
 x2 t15 1
 x2 t40 1
 x2 t41 1
 x2 t42 1
 x2 t49 1
 x2 t50 1
 x2 t51 1
 x2 t58 1
 x2 t59 1
 x2 t60 1
 x2 half 1
 x3 obj 1
 x3 t1 1
 x3 t16 1
 x3 t17 1
 x3 t18 1
 x3 t43 1
 x3 t44 1
 x3 t45 1
 x3 t52 1
 x3 t53 1
 x3 t54 1
 x3 t61 1
 x3 t62 1
 x3 t63 1
 x3 half 1
 x4 obj 1
 x4 t2 1
 x4 t10 1
 x4 t13 1
 x4 t16 1
 x4 t64 1
 x4 t65 1
 x4 t66 1
 x4 t73 1
 x4 t74 1
 x4 t75 1
 x4 t82 1
 x4 t83 1
 x4 t84 1
 x4 half 1
 x5 obj 1
 x5 t2 1
 x5 t11 1
 x5 t14 1
 x5 t17 1
 x5 t67 1
 x5 t68 1
 x5 t69 1
 x5 t76 1
 x5 t77 1
 x5 t78 1
 x5 t85 1
 x5 t86 1
 x5 t87 1
 x5 half 1
 x6 obj 1
 x6 t2 1
 x6 t12 1
 x6 t15 1
 x6 t18 1
 x6 t70 1
 x6 t71 1
 x6 t72 1
 x6 t79 1
 x6 t80 1
 x6 t81 1
 x6 t88 1
 x6 t89 1
 x6 t90 1
 x6 half 1
 x7 obj 1
 x7 t3 1
 x7 t10 1
 x7 t15 1
 x7 t17 1
 x7 t91 1
 x7 t92 1
 x7 t93 1
 x7 t100 1
 x7 t101 1
 x7 t102 1
 x7 t109 1
 x7 t110 1
 x7 t111 1
 x7 half 1
 x8 obj 1
 x8 t3 1
 x8 t12 1
 x8 t14 1
 x8 t16 1
 x8 t94 1
 x8 t95 1
 x8 t96 1
 x8 t103 1
 x8 t104 1
 x8 t105 1
 x8 t112 1
 x8 t113 1
 x8 t114 1
 x8 half 1
 x9 obj 1
 x9 t3 1
 x9 t11 1
 x9 t13 1
 x9 t18 1
 x9 t97 1
 x9 t98 1
 x9 t99 1
 x9 t106 1
 x9 t107 1
 x9 t108 1
 x9 t115 1
 x9 t116 1
 x9 t117 1
 x9 half 1
 x10 obj 1
 x10 t4 1
 x10 t19 1
 x10 t20 1
 x10 t21 1
 x10 t37 1
 x10 t40 1
 x10 t43 1
 x10 t64 1
 x10 t67 1
 x10 t70 1
 x10 t91 1
 x10 t94 1
 x10 t97 1
 x10 half 1
 x11 obj 1
 x11 t4 1
 x11 t22 1
 x11 t23 1
 x11 t24 1
 x11 t38 1
 x11 t41 1
 x11 t44 1
 x11 t65 1
 x11 t68 1
 x11 t71 1
 x11 t92 1
 x11 t95 1
 x11 t98 1
 x11 half 1
 x12 obj 1
 x12 t4 1
 x12 t25 1
 x12 t26 1
 x12 t27 1
 x12 t39 1
 x12 t42 1
 x12 t45 1
 x12 t66 1
 x12 t69 1
 x12 t72 1
 x12 t93 1
 x12 t96 1
 x12 t99 1
 x12 half 1
 x13 obj 1
 x13 t5 1
 x13 t19 1
 x13 t22 1
 x13 t25 1
 x13 t46 1
 x13 t49 1
 x13 t52 1
 x13 t73 1
 x13 t76 1
 x13 t79 1
 x13 t100 1
 x13 t103 1
 x13 t106 1
 x13 half 1
 x14 obj 1
 x14 t5 1
 x14 t20 1
 x14 t23 1
 x14 t26 1
 x14 t47 1
 x14 t50 1
 x14 t53 1
 x14 t74 1
 x14 t77 1
 x14 t80 1
 x14 t101 1
 x14 t104 1
 x14 t107 1
 x14 half 1
 x15 obj 1
 x15 t5 1
 x15 t21 1
 x15 t24 1
 x15 t27 1
 x15 t48 1
 x15 t51 1
 x15 t54 1
 x15 t75 1
 x15 t78 1
 x15 t81 1
 x15 t102 1
 x15 t105 1
 x15 t108 1
 x15 half 1
 x16 obj 1
 x16 t6 1
 x16 t19 1
 x16 t24 1
 x16 t26 1
 x16 t55 1
 x16 t58 1
 x16 t61 1
 x16 t82 1
 x16 t85 1
 x16 t88 1
 x16 t109 1
 x16 t112 1
 x16 t115 1
 x16 half 1
 x17 obj 1
 x17 t6 1
 x17 t21 1
 x17 t23 1
 x17 t25 1
 x17 t56 1
 x17 t59 1
 x17 t62 1
 x17 t83 1
 x17 t86 1
 x17 t89 1
 x17 t110 1
 x17 t113 1
 x17 t116 1
 x17 half 1
 x18 obj 1
 x18 t6 1
 x18 t20 1
 x18 t22 1
 x18 t27 1
 x18 t57 1
 x18 t60 1
 x18 t63 1
 x18 t84 1
 x18 t87 1
 x18 t90 1
 x18 t111 1
 x18 t114 1
 x18 t117 1
 x18 half 1
 x19 obj 1
 x19 t7 1
 x19 t28 1
 x19 t29 1
 x19 t30 1
 x19 t37 1
 x19 t42 1
 x19 t44 1
 x19 t82 1
 x19 t87 1
 x19 t89 1
 x19 t100 1
 x19 t105 1
 x19 t107 1
 x19 half 1
 x20 obj 1
 x20 t7 1
 x20 t31 1
 x20 t32 1
 x20 t33 1
 x20 t39 1
 x20 t41 1
 x20 t43 1
 x20 t84 1
 x20 t86 1
 x20 t88 1
 x20 t102 1
 x20 t104 1
 x20 t106 1
 x20 half 1
 x21 obj 1
 x21 t7 1
 x21 t34 1
 x21 t35 1
 x21 t36 1
 x21 t38 1
 x21 t40 1
 x21 t45 1
 x21 t83 1
 x21 t85 1
 x21 t90 1
 x21 t101 1
 x21 t103 1
 x21 t108 1
 x21 half 1
 x22 obj 1
 x22 t8 1
 x22 t28 1
 x22 t31 1
 x22 t34 1
 x22 t55 1
 x22 t60 1
 x22 t62 1
 x22 t73 1
 x22 t78 1
 x22 t80 1
 x22 t91 1
 x22 t96 1
 x22 t98 1
 x22 half 1
 x23 obj 1
 x23 t8 1
 x23 t29 1
 x23 t32 1
 x23 t35 1
 x23 t57 1
 x23 t59 1
 x23 t61 1
 x23 t75 1
 x23 t77 1
 x23 t79 1
 x23 t93 1
 x23 t95 1
 x23 t97 1
 x23 half 1
 x24 obj 1
 x24 t8 1
 x24 t30 1
 x24 t33 1
 x24 t36 1
 x24 t56 1
 x24 t58 1
 x24 t63 1
 x24 t74 1
 x24 t76 1
 x24 t81 1
 x24 t92 1
 x24 t94 1
 x24 t99 1
 x24 half 1
 x25 obj 1
 x25 t9 1
 x25 t28 1
 x25 t33 1
 x25 t35 1
 x25 t46 1
 x25 t51 1
 x25 t53 1
 x25 t64 1
 x25 t69 1
 x25 t71 1
 x25 t109 1
 x25 t114 1
 x25 t116 1
 x25 half 1
 x26 obj 1
 x26 t9 1
 x26 t30 1
 x26 t32 1
 x26 t34 1
 x26 t48 1
 x26 t50 1
 x26 t52 1
 x26 t66 1
 x26 t68 1
 x26 t70 1
 x26 t111 1
 x26 t113 1
 x26 t115 1
 x26 half 1
 x27 obj 1
 x27 t9 1
 x27 t29 1
 x27 t31 1
 x27 t36 1
 x27 t47 1
 x27 t49 1
 x27 t54 1
 x27 t65 1
 x27 t67 1
 x27 t72 1
 x27 t110 1
 x27 t112 1
 x27 t117 1
 x27 half 1
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
 RHS t36 1
 RHS t37 1
 RHS t38 1
 RHS t39 1
 RHS t40 1
 RHS t41 1
 RHS t42 1
 RHS t43 1
 RHS t44 1
 RHS t45 1
 RHS t46 1
 RHS t47 1
 RHS t48 1
 RHS t49 1
 RHS t50 1
 RHS t51 1
 RHS t52 1
 RHS t53 1
 RHS t54 1
 RHS t55 1
 RHS t56 1
 RHS t57 1
 RHS t58 1
 RHS t59 1
 RHS t60 1
 RHS t61 1
 RHS t62 1
 RHS t63 1
 RHS t64 1
 RHS t65 1
 RHS t66 1
 RHS t67 1
 RHS t68 1
 RHS t69 1
 RHS t70 1
 RHS t71 1
 RHS t72 1
 RHS t73 1
 RHS t74 1
 RHS t75 1
 RHS t76 1
 RHS t77 1
 RHS t78 1
 RHS t79 1
 RHS t80 1
 RHS t81 1
 RHS t82 1
 RHS t83 1
 RHS t84 1
 RHS t85 1
 RHS t86 1
 RHS t87 1
 RHS t88 1
 RHS t89 1
 RHS t90 1
 RHS t91 1
 RHS t92 1
 RHS t93 1
 RHS t94 1
 RHS t95 1
 RHS t96 1
 RHS t97 1
 RHS t98 1
 RHS t99 1
 RHS t100 1
 RHS t101 1
 RHS t102 1
 RHS t103 1
 RHS t104 1
 RHS t105 1
 RHS t106 1
 RHS t107 1
 RHS t108 1
 RHS t109 1
 RHS t110 1
 RHS t111 1
 RHS t112 1
 RHS t113 1
 RHS t114 1
 RHS t115 1
 RHS t116 1
 RHS t117 1
 RHS half 13
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
ENDATA
