/* Graphs as JSON texts, as far as tests of the reader vary them. */
#ifndef TESTS_PROBLEM_GRAPH_TEXT_H
#define TESTS_PROBLEM_GRAPH_TEXT_H

#define COSTS(value)                                                                               \
    "\"seconds\": " value ", \"joules\": " value ", \"pagein_joules\": " value                     \
    ", \"pageout_joules\": " value ", \"pagein_seconds\": " value ", \"pageout_seconds\": " value
#define NODE(name, inputs, bytes, more)                                                            \
    "{\"name\": \"" name "\", \"inputs\": [" inputs "], \"bytes\": " bytes ", " more COSTS("2") "}"
#define VIEW(name, inputs) "{\"name\": \"" name "\", \"view\": true, \"inputs\": [" inputs "]}"
#define OUTPUTS(name, inputs, outputs)                                                             \
    "{\"name\": \"" name "\", \"inputs\": [" inputs "], \"outputs\": [" outputs "], " COSTS("2") "}"
/* The outputs of a node. */
#define THREE                                                                                      \
    "{\"name\": \"max\", \"bytes\": 4}, {\"name\": \"index\", \"bytes\": 2}, {\"bytes\": 16}"

#define LIST1(a) a
#define LIST2(a, ...) a ", " LIST1(__VA_ARGS__)
#define LIST3(a, ...) a ", " LIST2(__VA_ARGS__)
#define LIST4(a, ...) a ", " LIST3(__VA_ARGS__)
#define LIST5(a, ...) a ", " LIST4(__VA_ARGS__)
#define LIST6(a, ...) a ", " LIST5(__VA_ARGS__)
#define LIST7(a, ...) a ", " LIST6(__VA_ARGS__)
#define LIST_OF(a, b, c, d, e, f, g, list, ...) list
/* A graph of one to seven nodes. */
#define GRAPH(...)                                                                                 \
    "{\"name\": \"g\", \"nodes\": [" LIST_OF(__VA_ARGS__, LIST7, LIST6, LIST5, LIST4, LIST3,       \
                                             LIST2, LIST1, )(__VA_ARGS__) "]}"

#endif
