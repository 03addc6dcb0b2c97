/* The weighted regression of debiased bit counts on candidate texts, and its coordinate descent under a
 * penalty (spec 2.3, step 4).
 *
 * One column more than the design has stands for all texts that are no candidates: such a text sets each bit
 * with the same chance, so its entry is N_c/N at every place, up to a factor. It has no penalty and may be
 * negative: it also balances what candidates are given or denied wrongly. Without it every candidate would be
 * given a part of the unknown texts.
 */
#ifndef SC_LOCAL_TEXT_SYSTEM_H
#define SC_LOCAL_TEXT_SYSTEM_H

#include "base/memory.h"
#include "local/texts/signal_counts.h"
#include "local/texts/text_design.h"

#include <stdbool.h>

typedef struct sc_text_system {
    const sc_text_design *design;
    const size_t
        *same; /* sc_text_design_same: columns that have another one there take no part */
    size_t places;      /* cohorts x (bits + 1) */
    double *target;     /* [place] the debiased counts */
    double *weight;     /* [place] 1/variance; 0 without reports */
    double *share;      /* [cohort] N_c/N */
    uint32_t **columns; /* [column] its places, once somebody asked; in the arena */
    sc_arena arena;
} sc_text_system;

/* ones: [cohort][bit], how many reports have it set. */
SCRIM_MUST_USE scrim_status sc_text_system_init(sc_text_system *out,
                                                const sc_text_design *design,
                                                const size_t *same,
                                                const sc_signal_chances *chances,
                                                const uint64_t *reports,
                                                const uint64_t *ones, scrim_error *error);
void sc_text_system_clear(sc_text_system *system);
/* cohorts x hashes places of a column; NULL without memory. */
const uint32_t *sc_text_system_column(sc_text_system *system, size_t column);

/* Values of all unknowns, on the cohorts that are not of a fold. */
typedef struct sc_text_descent {
    sc_text_system *system;
    size_t fold,
        folds; /* cohorts c with c % folds = fold are held back; fold = folds: none */
    double *pull,
        *mass; /* [place] as text_design.h has them, but for the part of all other texts, which
                          * is mass x others */
    double all_pull, all_mass; /* their sums */
    double *values;            /* [column] */
    double others;             /* the value of all other texts */
    double *norms;             /* [column] sums of mass */
    double *gradients; /* [column] sums of pull when it was last looked at all of them */
    size_t *working;   /* columns that may be positive */
    size_t works;
    double penalty; /* of the last fit; INFINITY before */
} sc_text_descent;

SCRIM_MUST_USE scrim_status sc_text_descent_init(sc_text_descent *out,
                                                 sc_text_system *system, size_t fold,
                                                 size_t folds, scrim_error *error);
void sc_text_descent_clear(sc_text_descent *descent);
/* Moves the values to the minimum under the penalty, which must not be above the last one. */
SCRIM_MUST_USE scrim_status sc_text_descent_fit(sc_text_descent *descent, double penalty,
                                                scrim_error *error);
/* The smallest penalty at which no candidate is positive. */
double sc_text_descent_largest(const sc_text_descent *descent);
/* The mean over the places held back of the squared error, in units of their variance. room: [place]. */
double sc_text_descent_error(const sc_text_descent *descent, double *room);

#endif
