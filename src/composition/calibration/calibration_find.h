/* The search of calibration: numbers of six digits, a search over their places, and the candidate
 * that it finds. */
#ifndef SC_COMPOSITION_CALIBRATION_FIND_H
#define SC_COMPOSITION_CALIBRATION_FIND_H

#include "base/number/ratio.h"
#include "base/status.h"
#include "composition/calibration/calibration_attempt.h"

#include <stdbool.h>
#include <stdint.h>

/* Positive numbers of six significant decimal digits, in order: what calibration chooses from.
 *
 * Each has a place, an integer, so that the next number is the next place: m 10^(e-5) with m from
 * 100000 to 999999 stands at 900000 e + (m - 100000). Two neighbours differ by a part of 10^-5 at
 * most, and by one of 10^-6 at least.
 *
 * Claim  decimal-grid.order  a place that is one more is the next number of six digits
 */

/* Places from one power of ten to the next. */
#define SC_PLACE_DECADE 900000
/* Numbers from 10^-FAR on and below 10^FAR have places. */
#define SC_PLACE_FAR 60

/* The place of the largest number that is not above x > 0; the nearest place for an x outside of
 * all places. */
int64_t sc_place_floor(const sc_ratio *x);
/* The place of the smallest number that is not below x. */
int64_t sc_place_ceil(const sc_ratio *x);
void sc_place_value(int64_t place, sc_ratio *out);

/* Where a question about the integers turns from no to yes, when each answer is dear.
 *
 * An answer comes with a number that says by how much it misses: above 0 for no, at most 0 for yes,
 * infinite where nothing is known of it. The places to ask at are chosen by it, a straight line
 * between the nearest no and the nearest yes, and never decide anything. The question need not turn
 * once only: what is found was asked, and so was the place before it.
 *
 * Claim  place-search.asked  the place that is found was answered yes, the one before it no, unless
 *                            it is the first of all
 */

typedef struct sc_place_question {
    void *context;
    scrim_status (*answer)(void *context, int64_t place, bool *holds, double *miss,
                           scrim_error *error);
} sc_place_question;

typedef struct sc_place_range {
    int64_t first, last; /* the places there are; first <= last */
    int64_t start;       /* asked first; brought among them */
    int64_t step;        /* >= 1: to the second; doubled from then on */
} sc_place_range;

typedef struct sc_place_found {
    bool found;      /* false: no at every place that was asked, the last among them */
    int64_t place;   /* the first yes */
    bool has_before; /* the place before it was asked, and answered no */
} sc_place_found;

/* The status of the first question that fails, else SCRIM_OK. */
SCRIM_MUST_USE scrim_status sc_place_search(const sc_place_question *question,
                                            const sc_place_range *range,
                                            sc_place_found *out, scrim_error *error);

/* The candidate that meets a target with the least noise, or the most: one of the
 * places above, or the exact number of simple composition.
 *
 * Claim  calibration-find.tried  the candidate that is found was tried, and held; the next one was
 *                                tried, and did not
 */

/* For a search (base/work_limit.h): about a second. */
#define SC_CALIBRATION_WORK UINT64_C(1200000000)
/* A factor of it for samples, of which each candidate is composed from curves. */
#define SC_CALIBRATION_SAMPLED 4
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

/* SCRIM_E_PARAM when nothing legal meets the target, SCRIM_E_LIMIT when the time limit of the caller
 * is over. out, which is initialised, is untouched then. */
SCRIM_MUST_USE scrim_status sc_calibration_find(const sc_target *target,
                                                sc_candidate *out, scrim_error *error);

#endif
