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
#ifndef SC_COMPOSITION_PLACE_SEARCH_H
#define SC_COMPOSITION_PLACE_SEARCH_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
