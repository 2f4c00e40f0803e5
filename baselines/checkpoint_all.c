/* Checkpoint-all: compute everything once and keep each tensor until its last
 * reader. Its peak is the reference in which budgets are quoted. O(n^2). */
#include "baselines/methods.h"
#include "baselines/policy.h"

schedule *baseline_checkpoint_all(const problem *p, const baseline_options *o,
                                  char reason[BASELINE_REASON])
{
    (void)o;
    return policy_accept(p, schedule_checkpoint_all(p->graph), reason);
}
