/* What other programs print, as the comparisons read it. */
#include <math.h>
#include <string.h>

#include "benchmarks/solvers.h"
#include "tests/benchmarks/suites.h"

START_TEST(clp_optimal)
{
    bench_answer a = bench_answer_clp("Coin LP version 1.17.6\n"
                                      "Optimal - objective value 49.744144\n"
                                      "Presolved model was optimal, full model needs cleaning up\n"
                                      "Optimal - objective value 49.744144\n"
                                      "Optimal objective 49.74414425 - 4211 iterations time 1.082, "
                                      "Presolve 0.19\n",
                                      "");
    ck_assert_str_eq(a.status, "optimal");
    ck_assert_double_eq(a.objective, 49.74414425);
    ck_assert_int_eq(a.iterations, 4211);
    ck_assert_double_eq(a.seconds, 1.082);
}
END_TEST

START_TEST(clp_without_optimum)
{
    bench_answer a = bench_answer_clp("\nPrimal infeasible - objective value 0.0067707882\n"
                                      "PrimalInfeasible objective 0.006770788184 - 5 iterations "
                                      "time 0.002\n",
                                      "");
    ck_assert_str_eq(a.status, "infeasible");
    ck_assert(isnan(a.objective));
    ck_assert_int_eq(a.iterations, 5);
    a = bench_answer_clp("x\nStopped objective 7.909896177 - 12 iterations time 3.242, Presolve "
                         "1.69\n",
                         "");
    ck_assert_str_eq(a.status, "time limit");
    ck_assert(isnan(a.objective));
    ck_assert_int_eq(a.iterations, 12);
    a = bench_answer_clp("24905  Obj 13.157379 Primal inf 3270.3122 (2314)\n"
                         "25536  Obj 12.215065 Dual inf 4.0347667 (538)\n"
                         "Stopped - objective value 12.215065\n"
                         "0  Obj 12.215065 Dual inf 4.0347667 (538)\n"
                         "\nStopped objective 12.21506507 - 0 iterations time 60.762\n",
                         "");
    ck_assert_int_eq(a.iterations, 25536);
    a = bench_answer_clp("", "");
    ck_assert_str_eq(a.status, "unknown");
    ck_assert_int_eq(a.iterations, -1);
}
END_TEST

START_TEST(glpk_answers)
{
    const char *log = "Constructing initial basis...\n"
                      "      0: obj =   4.973613091e+01 inf =   1.127e+03 (159)\n"
                      "Perturbing LP to avoid stalling [225]...\n"
                      "*   647: obj =   4.976108022e+01 inf =   1.312e-13 (303) 1\n"
                      "#  5481: sum =   9.223308695e-08 inf =   9.223e-08 (0) 11\n"
                      "OPTIMAL LP SOLUTION FOUND\n"
                      "Time used:   23.0 secs\n";
    bench_answer a = bench_answer_glpk(log, "c Status: OPTIMAL\nc\n"
                                            "s bas 5798 2375 f f 0.00659318366062294\ni 1 s 0 0\n");
    ck_assert_str_eq(a.status, "optimal");
    ck_assert_double_eq(a.objective, 0.00659318366062294);
    ck_assert_int_eq(a.iterations, 5481);
    a = bench_answer_glpk("#    12: obj = 1 inf = 1 (2)\nTIME LIMIT EXCEEDED; SEARCH TERMINATED\n",
                          "s bas 5 5 u f 3\n");
    ck_assert_str_eq(a.status, "time limit");
    ck_assert(isnan(a.objective));
    a = bench_answer_glpk("      3: obj = 1 inf = 1 (2)\n*    14: obj = 1 inf = 0 (2)\n", "");
    ck_assert_int_eq(a.iterations, 14);
    a = bench_answer_glpk("LP HAS NO PRIMAL FEASIBLE SOLUTION\n", "s bas 5 5 u u 0\n");
    ck_assert_str_eq(a.status, "infeasible");
}
END_TEST

START_TEST(cbc_answers)
{
    bench_answer a = bench_answer_cbc("Continuous objective value is 0.00659318 - 0.04 seconds\n"
                                      "\nResult - Optimal solution found\n\n"
                                      "Objective value:                14.65108206\n"
                                      "Enumerated nodes:               16\n"
                                      "Total iterations:               2210\n"
                                      "Time (CPU seconds):             1.20\n"
                                      "Time (Wallclock seconds):       3.80\n\n"
                                      "Total time (CPU seconds):       1.31   (Wallclock)\n",
                                      "");
    ck_assert_str_eq(a.status, "optimal");
    ck_assert_double_eq(a.objective, 14.65108206);
    ck_assert_double_eq(a.bound, a.objective);
    ck_assert_double_eq(a.seconds, 1.20);
    ck_assert_int_eq(a.iterations, 2210);
    ck_assert_int_eq(a.nodes, 16);
    a = bench_answer_cbc("\nResult - Stopped on time limit\n\nNo feasible solution found\n"
                         "Lower bound:                    3.443\nEnumerated nodes:  0\n",
                         "");
    ck_assert_str_eq(a.status, "time limit");
    ck_assert(isnan(a.objective));
    ck_assert_double_eq(a.bound, 3.443);
    a = bench_answer_cbc("\nResult - Stopped on time limit\n\nObjective value:  5.5\n"
                         "Lower bound:                    3.443\nGap: 0.6\n",
                         "");
    ck_assert_double_eq(a.objective, 5.5);
    ck_assert_double_eq(a.bound, 3.443);
    a = bench_answer_cbc("\nResult - Problem proven infeasible\n\nNo feasible solution found\n",
                         "");
    ck_assert_str_eq(a.status, "infeasible");
}
END_TEST

START_TEST(json_answers)
{
    bench_answer a = bench_answer_json("{\"status\": \"optimal\", \"objective\": 2.5, \"bound\": "
                                       "null, \"iterations\": 7, \"nodes\": 0, \"seconds\": 1}",
                                       "");
    ck_assert_str_eq(a.status, "optimal");
    ck_assert_double_eq(a.objective, 2.5);
    ck_assert(isnan(a.bound));
    ck_assert_int_eq(a.iterations, 7);
    ck_assert_double_eq(a.seconds, 1);
    ck_assert_str_eq(bench_answer_json("", "").status, "unknown");
}
END_TEST

START_TEST(programs_have_commands)
{
    static const char *const names[] = {"poetbnb", "clp", "glpk", "mip", "cbc", "highs"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const bench_solver *solver = bench_solver_find(names[k]);
        bench_command c = {0};
        ck_assert_ptr_nonnull(solver);
        solver->solve(&c, "some.mps", 12.5);
        bool file = false;
        for (int w = 0; w < c.count; w++)
            file = file || !strcmp(c.words[w], "some.mps");
        ck_assert(file);
        bench_command_clear(&c);
    }
    ck_assert_ptr_null(bench_solver_find("none such"));
}
END_TEST

TCase *solvers_case(void)
{
    TCase *t = tcase_create("solvers");
    tcase_add_test(t, clp_optimal);
    tcase_add_test(t, clp_without_optimum);
    tcase_add_test(t, glpk_answers);
    tcase_add_test(t, cbc_answers);
    tcase_add_test(t, json_answers);
    tcase_add_test(t, programs_have_commands);
    return t;
}
