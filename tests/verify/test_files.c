/* Certificate files: those that are kept hold, others are refused with file and line. This runner
 * links with no part of the solver: the checker needs none. */
#include <string.h>

#include "certificate/verify.h"
#include "tests/certificate/owned.h"
#include "tests/suite.h"

SUITE("files", .seconds = 120);

static char *kept(const char *name)
{
    char path[256];
    base_error error;
    size_t size;
    snprintf(path, sizeof path, "tests/data/certificates/%s", name);
    char *text = base_file_read(path, 1 << 26, &size, &error);
    ck_assert_msg(text != NULL, "%s", error.text);
    return text;
}

/* Verdict on the text, which is freed. */
static certificate_verdict judge(char *text, certificate_report *report, base_error *error)
{
    certificate_verdict verdict =
        certificate_verify_text("file", text, strlen(text), report, error);
    base_free(text);
    return verdict;
}

static const struct {
    const char *name;
    bool infeasible;
    long nodes;
} files[] = {{"linear.cert", false, 1}, {"tree.cert", false, 3},   {"infeasible.cert", true, 1},
             {"cases.cert", false, 2},  {"rounded.cert", true, 1}, {"totals.cert", false, 6},
             {"away.cert", false, 5}};

LOOP_TEST(kept_files_hold, LENGTH(files))
{
    char path[256];
    base_error error;
    OWNED(certificate_report) report;
    snprintf(path, sizeof path, "tests/data/certificates/%s", files[_i].name);
    certificate_verdict verdict = certificate_verify(path, &report, &error);
    ck_assert_msg(verdict == CERTIFICATE_HOLDS, "%s", error.text);
    ck_assert_int_eq(report.infeasible, files[_i].infeasible);
    ck_assert_int_eq(report.optimal, !files[_i].infeasible);
    ck_assert_int_ge(report.nodes, files[_i].nodes);
    ck_assert_int_gt(report.steps, 0);
}

/* The line that begins with a word is replaced by another. */
static char *with_line(char *text, const char *word, const char *as)
{
    char *at = strstr(text, word);
    ck_assert_ptr_nonnull(at);
    char *end = strchr(++at, '\n');
    size_t size = strlen(text) + strlen(as) + 1;
    char *changed = base_malloc(size, 1);
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, as, end);
    base_free(text);
    return changed;
}

typedef struct change {
    const char *word, *as;
    certificate_verdict verdict;
    const char *message; /* a part of it */
} change;

static const change lines[] = {
    {"\nbound", "bound", CERTIFICATE_MALFORMED, "number of words"},
    {"\nbound", "bound 1 2", CERTIFICATE_MALFORMED, "number of words"},
    {"\nbound", "bound x", CERTIFICATE_MALFORMED, "a finite number"},
    {"\nbound", "bound inf", CERTIFICATE_MALFORMED, "a finite number"},
    {"\nbound", "bound 1", CERTIFICATE_WRONG, "above the schedule's overhead"},
    {"\nbound", "claim 1", CERTIFICATE_MALFORMED, "\"bound\" or \"infeasible\""},
    {"\nscale", "scale 0", CERTIFICATE_MALFORMED, "a positive scale"},
    {"\nscale", "reduce 0 0", CERTIFICATE_MALFORMED, "\"scale\""},
    {"\nscale", "scale  1", CERTIFICATE_MALFORMED, "one space"},
    {"\nscale", "", CERTIFICATE_MALFORMED, "one space"},
    {"\nevent", "evnt 1 1 0 0", CERTIFICATE_MALFORMED, "no step"},
    {"\nevent", "event 20 20 32 4 0 32", CERTIFICATE_MALFORMED, "number of words"},
    {"\nevent", "event 99 20 32 1 0 32", CERTIFICATE_MALFORMED, "0 to 26"},
    {"\nevent", "event 20 21 32 1 0 32", CERTIFICATE_WRONG, "out of range"},
    {"\nevent", "event 20 20 31 4 0 32 1 16 3 16 5 16", CERTIFICATE_WRONG, "does not hold"},
    {"\nevent", "event 20 20 32 2 0 1 0 1", CERTIFICATE_WRONG, "comes twice"},
    {"\nevent", "event 20 20 32 1 20 1", CERTIFICATE_WRONG, "out of range"},
    {"\nevent", "event 20 20 32 1 19 1", CERTIFICATE_WRONG, "live for certain"},
    {"\nevent", "event 20 20 32 1 0 9999999999999999", CERTIFICATE_WRONG, "too large"},
    {"\nevent", "event 20 20 if 32 1 0 1", CERTIFICATE_WRONG, "out of range"},
    {"\nevent", "source 20 20 21 19", CERTIFICATE_WRONG, "stages"},
    {"\nevent", "source 10 12 30 9", CERTIFICATE_MALFORMED, "0 to 26"},
    {"\nevent", "source 10 12 14 8", CERTIFICATE_WRONG, "does not follow inputs"},
    {"\nevent", "source 10 12 14", CERTIFICATE_MALFORMED, "longer line"},
    {"\nevent", "source 10 12 14 kept", CERTIFICATE_MALFORMED, "longer line"},
    {"\nevent", "source 10 12 14 out 9", CERTIFICATE_MALFORMED, "0 to 26"},
    {"\nevent", "source 10 12 14 kept 9 out kept", CERTIFICATE_MALFORMED, "0 to 26"},
    {"\nevent", "source 10 12 14 kept 9 out 9 out", CERTIFICATE_WRONG, "does not follow inputs"},
    {"\nreduce", "reduce 1 76", CERTIFICATE_MALFORMED, "0 to 0"},
    {"\nreduce", "reduce 0 75", CERTIFICATE_MALFORMED, "no step"},
    {"\nreduce", "reduce 0 77", CERTIFICATE_MALFORMED, "finite number"},
    {"\nreduce", "reduce 0 -1", CERTIFICATE_MALFORMED, "0 to"},
    {"\nreduce", "reduce 0 99999999999999999999", CERTIFICATE_MALFORMED, "0 to"},
    {"\n0x1p-48", "0x1p-48 sourcery 19 0", CERTIFICATE_MALFORMED, "no row"},
    {"\n0x1p-48", "0x1p-48 source_c 19", CERTIFICATE_MALFORMED, "longer line"},
    {"\n0x1p-48", "0x1p-48 source_c 19 0 0", CERTIFICATE_MALFORMED, "number of words"},
    {"\n0x1p-48", "0x1p-48 source_c 19 27", CERTIFICATE_MALFORMED, "0 to 26"},
    {"\n0x1p-48", "0x1p-48 source_c 0 19", CERTIFICATE_WRONG, "no such row"},
    {"\n0x1p-48", "0x1p-48 input 20 0 19", CERTIFICATE_WRONG, "no such row"},
    {"\n0x1p-48", "0x1p-48 deadline", CERTIFICATE_WRONG, "no such row"},
    {"\n0x1p-48", "0x1p-48 cut 6", CERTIFICATE_MALFORMED, "0 to 5"},
    {"\n0x1p-48", "0x1p-300 source_c 19 0", CERTIFICATE_MALFORMED, "2^-200"},
    {"\n0x1p-48", "-0x1p-48 source_c 19 0", CERTIFICATE_WRONG, "negative multiplier"},
    {"\n0x1p-48", "leaf 0 0", CERTIFICATE_MALFORMED, "finite number"},
    {"\nend", "leaf 0 0\nend", CERTIFICATE_HOLDS, ""}, /* idle: the node is closed */
    {"\nend", "branch 0 R 3 4\nend", CERTIFICATE_MALFORMED, "0 to 2"},
    {"\nend", "branch 0 X 3 2\nend", CERTIFICATE_MALFORMED, "R, C, P, In or Out"},
    {"\nend", "end 1", CERTIFICATE_MALFORMED, "number of words"},
    {"\nend", "end\n", CERTIFICATE_MALFORMED, "nothing after"},
    {"\n\"ram_budget", "\"ram_budget_bytes\": 1000,", CERTIFICATE_WRONG, "breaks a rule"},
    {"\n\"deadline", "\"deadline_seconds\": 1e-9,", CERTIFICATE_WRONG, "breaks a rule"},
    {"\n\"method", "\"methods\": 1,", CERTIFICATE_MALFORMED, "methods"},
};

static void check_change(const char *file, const change *c)
{
    base_error error = {""};
    OWNED(certificate_report) report;
    char *text = with_line(kept(file), c->word, c->as);
    certificate_verdict verdict = judge(text, &report, &error);
    ck_assert_msg(verdict == c->verdict && strstr(error.text, c->message) != NULL, "\"%s\": %d, %s",
                  c->as, (int)verdict, error.text);
    ck_assert_msg(verdict == CERTIFICATE_HOLDS || strncmp(error.text, "file: ", 6) == 0, "%s",
                  error.text);
}

LOOP_TEST(a_changed_line, LENGTH(lines))
{
    check_change("linear.cert", &lines[_i]);
}

/* The same in a proof by cases. */
static const change cases[] = {
    {"\nnext", "leaf 0 0", CERTIFICATE_WRONG, "not complete: the second case is missing"},
    {"\nnext", "next\nnext", CERTIFICATE_WRONG, "not complete: nothing closes node 0"},
    {"\nnext", "cases 0", CERTIFICATE_WRONG, "cases come once"},
    {"\nnext", "next 1", CERTIFICATE_MALFORMED, "number of words"},
    {"\nleaf", "next\nleaf 0 59", CERTIFICATE_WRONG, "not complete: nothing closes node 0"},
    {"\nleaf", "propagate 0 case\nleaf 0 59", CERTIFICATE_WRONG, "no such row"},
    {"\nleaf", "branch 0 Out 2 1\nleaf 1 59", CERTIFICATE_WRONG, "node 2, made in line"},
    {"\ncases", "next", CERTIFICATE_WRONG, "nothing closes node 0"},
    {"\ncases", "branch 0 R 9 3\ncases 411", CERTIFICATE_WRONG, "before node 0 is branched"},
    {"\ncases", "cases 410", CERTIFICATE_MALFORMED, "no step"},
    {"\ncases", "cases 412", CERTIFICATE_MALFORMED, "R, C, P, In or Out"},
    {"\ncases", "cases -1", CERTIFICATE_MALFORMED, "0 to"},
    {"\nreduce", "reduce 0 0\nreduce 0 79", CERTIFICATE_HOLDS, ""},
    {"\nreduce", "next", CERTIFICATE_WRONG, "nothing closes node 0"},
};

LOOP_TEST(a_changed_line_of_cases, LENGTH(cases))
{
    check_change("cases.cert", &cases[_i]);
}

/* A file that ends too early, anywhere, is refused. */
TEST(cut_off)
{
    OWNED(char) *text = kept("tree.cert");
    size_t size = strlen(text);
    for (size_t length = 0; length + 1 < size; length += 1 + length / 40) {
        base_error error = {""};
        OWNED(certificate_report) report;
        char *shorter = base_malloc(length + 1, 1);
        memcpy(shorter, text, length);
        shorter[length] = '\0';
        ck_assert_int_eq(judge(shorter, &report, &error), CERTIFICATE_MALFORMED);
        ck_assert_contains(error.text, "file: ");
    }
}

TEST(no_certificate)
{
    static const char *const paths[] = {"tests/data/certificates", "tests/data/no-such-file",
                                        "tests/data/networks.txt", "/dev/null"};
    for (int k = 0; k < 4; k++) {
        base_error error = {""};
        OWNED(certificate_report) report;
        ck_assert_int_eq(certificate_verify(paths[k], &report, &error), CERTIFICATE_MALFORMED);
        ck_assert_contains(error.text, paths[k]);
    }
    base_error error = {""};
    certificate_report report;
    char binary[] = "poetbnb certificate 2\n{\0}";
    ck_assert_int_eq(certificate_verify_text("file", binary, sizeof binary - 1, &report, &error),
                     CERTIFICATE_MALFORMED);
}

/* The claim of infeasibility does not hold with a budget that a schedule meets. */
TEST(feasible_after_all)
{
    check_change("infeasible.cert", &(change){"\n\"ram_budget", "\"ram_budget_bytes\": 1000000,",
                                              CERTIFICATE_WRONG, "line "});
}
