/* A small problem for tests of single steps. */
#include "tests/certificate/chain.h"

#include <check.h>
#include <string.h>

void chain_make(chain *c, double slack, bool impossible, double target)
{
    graph_node node[CHAIN_NODES];
    const int before[CHAIN_NODES] = {0, 0, 1, 2, 3};
    base_error error;
    for (int k = 0; k < CHAIN_NODES; k++)
        node[k] = (graph_node){.name = "node",
                               .inputs = &before[k],
                               .input_count = k > 0,
                               .bytes = 1,
                               .seconds = 1,
                               .joules = 1,
                               .pagein_joules = 1,
                               .pageout_joules = 1};
    c->g = graph_create("chain", node, CHAIN_NODES, &error);
    ck_assert_msg(c->g != NULL, "%s", error.text);
    c->problem = problem_make(c->g, 3);
    c->problem.deadline_seconds = CHAIN_NODES + slack;
    c->proof = cert_proof_create(&c->problem, CERT_RULES, impossible, target, 1, &error);
    ck_assert_msg(c->proof != NULL, "%s", error.text);
}

void chain_drop(chain *c)
{
    cert_proof_free(c->proof);
    graph_free(c->g);
}

int chain_cell(const chain *c, cert_kind kind, int t, int i)
{
    return cert_cell(c->proof->m, kind, t, i);
}

cert_multiplier chain_times(double y, double slack, cert_row_kind kind, int t, int i, int k)
{
    return (cert_multiplier){-1, {kind, t, i, k}, number_of(y), number_of(slack)};
}

const char *chain_round(chain *c, double divisor, double rhs, cert_multiplier y, int terms,
                        const cert_round_term *term)
{
    cert_round_term copy[8];
    const char *fault;
    for (int k = 0; k < terms; k++)
        copy[k] = term[k];
    cert_proof_round(c->proof, &(cert_round){divisor, rhs, 1, &y, terms, copy}, &fault);
    return fault;
}

void chain_taken(const char *fault)
{
    ck_assert_msg(fault == NULL, "%s", fault);
}

void chain_refused(const char *fault, const char *why)
{
    ck_assert_ptr_nonnull(fault);
    ck_assert_msg(strstr(fault, why) != NULL, "%s", fault);
}
