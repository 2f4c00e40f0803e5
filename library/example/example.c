/* The schedule of VGG16 with half the memory, on a Raspberry Pi:
 *     cc example.c $(pkg-config --cflags --libs poetbnb) && ./a.out */
#include <poetbnb.h>
#include <stdio.h>

int main(void)
{
    poetbnb_error error = {""};
    poetbnb_result *result = NULL;
    poetbnb_graph *graph = poetbnb_graph_builtin("vgg16_cifar", "a72", NULL, &error);
    poetbnb_solver *solver = graph ? poetbnb_solver_create(graph, &error) : NULL;
    if (solver && poetbnb_set(solver, "ram-budget", "50%", &error) == 0)
        result = poetbnb_solve(solver, &error);
    if (result) {
        poetbnb_figures f;
        poetbnb_result_figures(result, &f);
        printf("%s: %.6g J of overhead\n", poetbnb_result_status_name(result), f.overhead_joules);
    }
    const int failed = !result;
    if (failed)
        fprintf(stderr, "%s\n", error.text);
    poetbnb_result_free(result);
    poetbnb_solver_free(solver);
    poetbnb_graph_free(graph);
    return failed;
}
