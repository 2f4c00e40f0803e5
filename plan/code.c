/* Plans as C, for the runtime of devices. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "plan/draft.h"

/* Identifiers of a file. Texts are owned. */
typedef struct names {
    char *small, *large; /* name of the graph, in lower and upper case */
    char **node;         /* enumerators, extent n */
} names;

static bool is_word(int c)
{
    return c < 128 && isalnum(c);
}

/* Letters and digits of a text, in upper or lower case, and _ for all else. */
static char *identifier(const char *text, bool upper)
{
    char *word = base_strdup(text);
    for (char *c = word; *c; c++) {
        const int letter = (unsigned char)*c;
        *c = (char)(!is_word(letter) ? '_' : upper ? toupper(letter) : tolower(letter));
    }
    return word;
}

static char *join(const char *first, const char *second)
{
    text_buffer text = {0};
    text_print(&text, "%s_%s", first, second);
    return text.data;
}

/* True if an enumerator has the name of an earlier one, or of a macro of the file. */
static bool is_taken(const names *x, int count, const char *word)
{
    static const char *const macro[] = {"NODES",        "ARENA_BYTES",  "PEAK_BYTES", "REGISTERS",
                                        "STORED_BYTES", "BUDGET_BYTES", "PLAN_H"};
    const char *rest = word + strlen(x->large) + 1;
    for (size_t k = 0; k < sizeof macro / sizeof *macro; k++)
        if (strcmp(rest, macro[k]) == 0)
            return true;
    for (int i = 0; i < count; i++)
        if (strcmp(x->node[i], word) == 0)
            return true;
    return false;
}

/* The enumerator of node i: its name, with its number where that is taken. */
static char *node_name(const names *x, const graph *g, int i)
{
    char number[32];
    const bool named = g->node_name[i][0] != '\0';
    char *own = identifier(named ? g->node_name[i] : "node", true);
    char *word = join(x->large, own);
    base_free(own);
    for (int again = 0; is_taken(x, i, word) || (!named && again == 0); again++) {
        snprintf(number, sizeof number, "%d", i);
        char *longer = join(word, number);
        base_free(word);
        word = longer;
    }
    return word;
}

static names names_make(const graph *g)
{
    const unsigned char first = (unsigned char)g->name[0];
    names x = {.node = base_calloc((size_t)g->n, sizeof *x.node)};
    char *name = is_word(first) && !isdigit(first) ? base_strdup(g->name) : join("net", g->name);
    if (g->name[0] == '\0')
        name[strlen("net")] = '\0';
    x.small = identifier(name, false);
    x.large = identifier(name, true);
    base_free(name);
    for (int i = 0; i < g->n; i++)
        x.node[i] = node_name(&x, g, i);
    return x;
}

/* Prints a text inside a comment, so that it neither begins nor ends one. */
static void print_comment(const char *text, FILE *out)
{
    for (; *text; text++) {
        fputc(*text, out);
        if ((text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*'))
            fputc(' ', out);
    }
}

static void print_constants(const names *name, const graph *g, const plan *x, FILE *out)
{
    fputs("/* Plan of ", out);
    print_comment(g->name[0] ? g->name : "a graph", out);
    fprintf(out, ", written by poetbnb. Executed by poet_runtime.c. */\n");
    fprintf(out, "#ifndef %s_PLAN_H\n#define %s_PLAN_H\n\n#include \"poet_runtime.h\"\n\n",
            name->large, name->large);
    fprintf(out, "#define %s_BUDGET_BYTES %" PRId64 "u\n", name->large, x->budget_bytes);
    fprintf(out, "#define %s_ARENA_BYTES %" PRId64 "u /* largest end of an address */\n",
            name->large, x->arena_bytes);
    fprintf(out, "#define %s_PEAK_BYTES %" PRId64 "u /* largest sum of bytes in use */\n",
            name->large, x->peak_bytes);
    fprintf(out, "#define %s_REGISTERS %d\n", name->large, x->register_count);
    fprintf(out, "#define %s_STORED_BYTES %d\n\n", name->large, (g->n + 7) / 8);
}

static void print_nodes(const names *name, const graph *g, FILE *out)
{
    fputs("enum {\n", out);
    for (int i = 0; i < g->n; i++)
        fprintf(out, "    %s = %d,\n", name->node[i], i);
    fprintf(out, "    %s_NODES = %d\n};\n\n", name->large, g->n);
    fprintf(out, "static const uint16_t %s_inputs[] = {", name->small);
    for (int e = 0; e < g->edge_count; e++)
        fprintf(out, "%s%d,", e % 16 ? " " : "\n    ", g->input[e]);
    fprintf(out, "%s\n};\n\n", g->edge_count ? "" : "\n    0,");
    fprintf(out, "/* bytes, workspace, inputs */\nstatic const poet_node %s_nodes[%s_NODES] = {\n",
            name->small, name->large);
    for (int i = 0; i < g->n; i++) {
        fprintf(out, "    {%" PRId64 "u, %" PRId64 "u, %s_inputs + %d, %d}, /* ", g->bytes[i],
                g->workspace[i], name->small, g->input_start[i],
                g->input_start[i + 1] - g->input_start[i]);
        print_comment(g->node_name[i], out);
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++) {
            fputs(e > g->input_start[i] ? ", " : ": ", out);
            print_comment(g->node_name[g->input[e]], out);
        }
        fputs(" */\n", out);
    }
    fputs("};\n\n", out);
}

static void print_bytes(const uint8_t *data, size_t begin, size_t end, FILE *out)
{
    enum { LINE = 16 };
    for (size_t k = begin; k < end; k++)
        fprintf(out, "%s0x%02x,",
                (k - begin) % LINE ? " "
                : k > begin        ? "\n    "
                                   : "    ",
                data[k]);
}

static void print_step_comment(const graph *g, const plan *x, const int *holder, int k, FILE *out)
{
    char text[4096] = "";
    FILE *line = fmemopen(text, sizeof text, "w"); /* a longer step is cut off */
    if (line) {
        plan_print_step(g, x, holder, k, line);
        fclose(line);
    }
    text[sizeof text - 1] = '\0';
    fputs(" /* ", out);
    print_comment(text, out);
    fputs(" */\n", out);
}

static void print_plan(const names *name, const graph *g, const plan *x, FILE *out)
{
    size_t size;
    size_t *mark = base_malloc((size_t)x->step_count + 1, sizeof *mark);
    int *holder = base_calloc((size_t)x->n, sizeof *holder);
    uint8_t *data = plan_write_binary(g, x, &size, mark);
    fprintf(out, "static const uint8_t %s_plan[] = {\n", name->small);
    print_bytes(data, 0, mark[0], out);
    fputs(" /* header, addresses */\n", out);
    for (int k = 0; k < x->step_count; k++) {
        const plan_step *step = &x->step[k];
        print_bytes(data, mark[k], mark[k + 1], out);
        print_step_comment(g, x, holder, k, out);
        if (step->op == PLAN_COMPUTE || step->op == PLAN_PAGEIN)
            holder[x->buffer[step->buffer].node] = step->buffer;
    }
    print_bytes(data, mark[x->step_count], size, out);
    fputs(" /* checksum */\n};\n\n#endif\n", out);
    base_free_all(data, holder, mark);
}

/* 0 when all sizes and addresses fit into 32 bits. */
static int check_sizes(const graph *g, const plan *x, base_error *error)
{
    if (x->arena_bytes > UINT32_MAX)
        return base_fail(error,
                         "the arena of %" PRId64 " bytes is too large for the runtime of "
                         "devices: expected less than 4 GiB",
                         x->arena_bytes);
    for (int i = 0; i < g->n; i++)
        if (g->bytes[i] > UINT32_MAX || g->workspace[i] > UINT32_MAX)
            return base_fail(error, "node %d (%s) is too large for the runtime of devices", i,
                             g->node_name[i]);
    return 0;
}

int plan_print_c(const graph *g, const plan *x, FILE *out, base_error *error)
{
    if (check_sizes(g, x, error) != 0)
        return -1;
    names name = names_make(g);
    print_constants(&name, g, x, out);
    print_nodes(&name, g, out);
    print_plan(&name, g, x, out);
    for (int i = 0; i < g->n; i++)
        base_free(name.node[i]);
    base_free_all(name.node, name.small, name.large);
    return 0;
}
