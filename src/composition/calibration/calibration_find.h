/* The candidate that meets a wish with the least noise, or the most: one of the places of
 * decimal_grid.h, or the exact number of simple composition.
 *
 * Claim  calibration-find.tried  the candidate that is found was tried, and held; the next one was
 *                                tried, and did not
 */
#ifndef SC_COMPOSITION_CALIBRATION_FIND_H
#define SC_COMPOSITION_CALIBRATION_FIND_H

#include "composition/calibration/calibration_attempt.h"

/* For a search (base/work_limit.h): about a second. */
#define SC_CALIBRATION_WORK UINT64_C(1200000000)
/* SCRIM_E_LIMIT, and what to do about it. */
scrim_status sc_calibration_refuse_time(scrim_error *error);

/* One candidate that holds. */
typedef struct sc_candidate {
    sc_ratio value;
    bool has_delta; /* each release has one of its own */
    sc_ratio delta_each;
    bool is_exact;
    bool has_next; /* the next candidate was tried, and missed */
    sc_ratio next;
} sc_candidate;

void sc_candidate_init(sc_candidate *candidate);
void sc_candidate_clear(sc_candidate *candidate);
/* SCRIM_E_PARAM when nothing legal meets the wish, SCRIM_E_LIMIT when the time limit of the caller
 * is over. out, which is initialised, is untouched then. */
SCRIM_MUST_USE scrim_status sc_calibration_find(const sc_wish *wish, sc_candidate *out,
                                                scrim_error *error);

#endif
