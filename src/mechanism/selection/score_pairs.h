/* The neighbours on which the audit looks at a choice by score.
 *
 * All candidates but the first and the last have one score; those two stand from 3 D below it to
 * 3 D above. The first, the last and all others together each fall by D, stay or rise by D; of
 * monotone scores each stays or rises. For up to three candidates these are, up to a common
 * shift that no choice sees, all scores in steps of D within that box and all corners of what one
 * unit can do. The first and the last differ where ties go to the lowest index.
 */
#ifndef SC_MECHANISM_SELECTION_SCORE_PAIRS_H
#define SC_MECHANISM_SELECTION_SCORE_PAIRS_H

#include "mechanism/selection/scores.h"

#define SC_SCORE_PAIRS_CANDIDATES 3 /* unless candidates=N says otherwise */

/* Members of descriptors. */
size_t sc_score_pairs_count(const scrim_measurement *measurement);
void sc_score_pairs_at(const scrim_measurement *measurement, size_t index, sc_pair *out);

/* What the descriptors of this family share, after their own parameters, check and cost; and
 * what those share that choose one candidate. */
#define SC_SCORES_MEMBERS                                                                \
    .parameters = parameters, .parameter_count = sizeof parameters / sizeof *parameters, \
    .audit_count = 1, .discard = sc_scores_discard, .certify = sc_scores_certify,        \
    .answer_count = sc_scores_rounds, .width = sc_scores_rounds,                         \
    .pair_count = sc_score_pairs_count, .pair = sc_score_pairs_at,                       \
    .change = sc_scores_change
#define SC_SCORES_MEMBERS_ONE .draw = sc_scores_draw_one, .law = sc_scores_law_one

#endif
