/* Which bits each candidate text sets in each cohort: the design of RAPPOR's decoder (spec 2.3, step 3),
 * as lists of places. Column s has the entry N_c/N at its places of cohort c; the unknown is the number of
 * devices that hold candidate s.
 *
 * Weighted sums over a column need no more than two numbers a place, which the caller keeps:
 *     pull[c][j] = (N_c/N) w_cj r_cj     the weighted residual
 *     mass[c][j] = (N_c/N)^2 w_cj        what a unit of the unknown takes from it
 * Each cohort has bits + 1 of them, of which the last is 0: places that a column does not use.
 */
#ifndef SC_LOCAL_TEXT_DESIGN_H
#define SC_LOCAL_TEXT_DESIGN_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define SC_TEXT_DESIGN_BITS 65535

typedef struct sc_text_design {
    size_t cohorts, bits, columns;
    size_t hashes;    /* places a column has in a cohort, at most */
    uint16_t *places; /* [cohort][column][hash], rising; `bits` where there are fewer */
} sc_text_design;

/* Allocates; every place is unused. */
SCRIM_MUST_USE scrim_status sc_text_design_init(sc_text_design *out, size_t cohorts,
                                                size_t bits, size_t columns,
                                                size_t hashes, scrim_error *error);
void sc_text_design_clear(sc_text_design *design);

/* The bits that a column sets in a cohort; repeats count once. */
void sc_text_design_set(sc_text_design *design, size_t cohort, size_t column,
                        const uint32_t *bits);
/* The places of one column as indexes into pull and mass, hashes x cohorts of them. */
void sc_text_design_column(const sc_text_design *design, size_t column, uint32_t *places);
/* The sum of what `of` has at so many places. */
double sc_text_places_sum(const double *of, const uint32_t *places, size_t count);
/* out[s] = the sum of what `of` has at the places of column s. */
void sc_text_design_sums(const sc_text_design *design, const double *of, double *out);
/* same[s]: the first column with the places of column s in every cohort that has reports; s itself if it
 * is the first. */
SCRIM_MUST_USE scrim_status sc_text_design_same(const sc_text_design *design,
                                                const uint64_t *reports, size_t *same,
                                                scrim_error *error);

#endif
