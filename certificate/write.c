#include "certificate/write.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "certificate/record.h"
#include "certificate/verify.h"
#include "problem/json.h"

const char *certificate_unsupported(unsigned features)
{
    const unsigned needed = FORMULATION_RELEASE | FORMULATION_ORIGIN | FORMULATION_ROUND;
    if ((features & needed) != needed)
        return "a certificate needs the features release, origin and round";
    if ((features & FORMULATION_CANONICAL) && !(features & FORMULATION_REACH))
        return "a certificate with canonical rows needs the feature reach";
    if (features & (FORMULATION_TOTALS | FORMULATION_UNITS))
        return "a certificate cannot tell of integer totals";
    return NULL;
}

/* ---- the claim --------------------------------------------------------------------------- */

/* A bound that is within the gap of the overhead in exact arithmetic, and no more than the run
 * will prove. */
static double claimed_bound(double overhead, double gap)
{
    return overhead * (1 - gap * (1 - 1e-6));
}

static void write_claim(FILE *out, const problem *p, const exact_result *result, double gap,
                        cert_trust trust)
{
    static char method[] = "poetbnb";
    schedule *none = schedule_create(p->graph->n);
    bool infeasible = result->status == EXACT_INFEASIBLE;
    schedule_file file = {.graph = (graph *)p->graph, /* only read */
                          .problem = *p,
                          .schedule = infeasible ? none : result->schedule,
                          .method = method,
                          .energy_joules = NAN,
                          .overhead_joules = NAN,
                          .lower_bound_overhead_joules = NAN,
                          .compute_seconds = NAN,
                          .peak_bytes = -1};
    fputs("poetbnb certificate 2\n", out);
    schedule_file_print(&file, out);
    fprintf(out, "\nrows %s\n", cert_trust_word[trust]);
    if (infeasible)
        fputs("infeasible\n", out);
    else
        fprintf(out, "bound %a\n", claimed_bound(result->validation.overhead_joules, gap));
    fprintf(out, "scale %a\n", formulation_default_scale(p->graph));
    if (!infeasible) /* the engine begins so, without telling */
        fputs("propagate 0 overhead\n", out);
    schedule_free(none);
}

/* ---- the proof --------------------------------------------------------------------------- */

static certificate_outcome prove(const problem *p, const exact_params *params, cert_trust trust,
                                 const exact_result *result, FILE *out, base_error *error)
{
    recorder r;
    exact_params again = *params;
    const schedule *start[1] = {result->schedule};
    const char *name[1] = {"the schedule to be proven"};
    recorder_init(&r, out);
    again.gap_relative = fmax(params->gap_relative, 1e-9);
    again.proof = &r.hooks;
    if (trust == CERT_RULES)
        again.features &= ~(unsigned)FORMULATION_CANONICAL;
    again.heuristics = false;
    again.starts = start;
    again.start_names = name;
    again.start_count = result->schedule ? 1 : 0;
    again.threads = 1;
    write_claim(out, p, result, again.gap_relative, trust);
    exact_result proven = exact_solve(p, &again);
    fputs("end\n", out);
    certificate_outcome outcome = CERTIFICATE_WRITTEN;
    bool limit = proven.status == EXACT_LIMIT &&
                 (proven.stop != BASE_GO || proven.nodes >= params->node_limit);
    if (limit) {
        outcome = CERTIFICATE_LIMIT;
    } else if (r.fault || proven.status != result->status) {
        base_fail(error, "no certificate: %s",
                  r.fault ? r.fault : "the proof could not be done again");
        outcome = CERTIFICATE_FAILED;
    }
    exact_result_clear(&proven);
    recorder_clear(&r);
    return outcome;
}

/* ---- files ------------------------------------------------------------------------------- */

/* The whole of a stream as text; NULL with an error. */
static char *read_back(FILE *stream, size_t *size, base_error *error)
{
    long length = fflush(stream) == 0 ? ftell(stream) : -1; /* what lies behind was taken back */
    char *text = NULL;
    if (length >= 0) {
        rewind(stream);
        text = base_malloc((size_t)length + 1, 1);
        *size = fread(text, 1, (size_t)length, stream);
        text[*size] = '\0';
    }
    if (text && !ferror(stream) && *size == (size_t)length)
        return text;
    base_free(text);
    base_fail(error, "the temporary file of the certificate: %s", strerror(errno));
    return NULL;
}

static int copy_out(const char *path, const char *text, size_t size, base_error *error)
{
    base_output *output = base_output_open(path, error);
    if (!output)
        return -1;
    fwrite(text, 1, size, base_output_stream(output));
    return base_output_commit(output, error);
}

/* Verifies the certificate in the stream, and writes it if it holds. */
static certificate_outcome publish(const char *path, FILE *stream, base_error *error)
{
    size_t size;
    certificate_report report;
    char *text = read_back(stream, &size, error);
    if (!text)
        return CERTIFICATE_UNWRITABLE;
    char *copy = base_malloc(size + 1, 1);
    memcpy(copy, text, size + 1);
    base_error why;
    certificate_verdict verdict = certificate_verify_text(path, copy, size, &report, &why);
    certificate_report_clear(&report);
    base_free(copy);
    certificate_outcome outcome = CERTIFICATE_WRITTEN;
    if (verdict != CERTIFICATE_HOLDS) {
        base_fail(error, "internal check failed: the certificate does not hold: %s", why.text);
        outcome = CERTIFICATE_FAILED;
    } else if (copy_out(path, text, size, error) != 0) {
        outcome = CERTIFICATE_UNWRITABLE;
    }
    base_free(text);
    return outcome;
}

/* The proof with that trust, into a file if it is done. */
static certificate_outcome attempt(const char *path, const problem *p, const exact_params *params,
                                   cert_trust trust, const exact_result *result, base_error *error)
{
    FILE *stream = tmpfile();
    if (!stream) {
        base_fail(error, "the temporary file of the certificate: %s", strerror(errno));
        return CERTIFICATE_UNWRITABLE;
    }
    certificate_outcome outcome = prove(p, params, trust, result, stream, error);
    if (outcome == CERTIFICATE_WRITTEN)
        outcome = publish(path, stream, error);
    fclose(stream);
    return outcome;
}

certificate_outcome certificate_write(const char *path, const problem *p,
                                      const exact_params *params, cert_trust trust,
                                      const exact_result *result, base_error *error)
{
    const char *unsupported = certificate_unsupported(params->features);
    if (unsupported) {
        base_fail(error, "%s", unsupported);
        return CERTIFICATE_FAILED;
    }
    if (result->status != EXACT_OPTIMAL && result->status != EXACT_INFEASIBLE) {
        base_fail(error, "nothing is proven");
        return CERTIFICATE_FAILED;
    }
    certificate_outcome outcome = CERTIFICATE_FAILED;
    if (trust == CERT_CANONICAL && (params->features & FORMULATION_CANONICAL))
        outcome = attempt(path, p, params, CERT_CANONICAL, result, error);
    /* Where the canonical optimum rests on a release that the rules do not grant, they decide. */
    return outcome == CERTIFICATE_FAILED ? attempt(path, p, params, CERT_RULES, result, error)
                                         : outcome;
}
