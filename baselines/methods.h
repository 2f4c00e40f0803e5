/* baselines/methods: one function per method, of type baseline_function. The definition of each
 * states its rules, its ties and its adaptations to POET. Internal to the room: other rooms take
 * them from the table in baselines/baseline.h. */
#ifndef BASELINES_METHODS_H
#define BASELINES_METHODS_H

#include "baselines/baseline.h"

baseline_function baseline_checkpoint_all;
baseline_function baseline_chen_sqrtn;
baseline_function baseline_chen_sqrtn_noap;
baseline_function baseline_chen_greedy;
baseline_function baseline_chen_greedy_noap;
baseline_function baseline_revolve;
baseline_function baseline_revolve_ap;
baseline_function baseline_checkmate;
baseline_function baseline_checkmate_lp;
baseline_function baseline_checkmate_lp_random;
baseline_function baseline_dtr;
baseline_function baseline_dtr_eq;
baseline_function baseline_dtr_local;
baseline_function baseline_dtr_simrd;
baseline_function baseline_capuchin;
baseline_function baseline_capuchin_sync;
baseline_function baseline_pofo;
baseline_function baseline_pofo_ap;
baseline_function baseline_anneal;

#endif
