/* RAPPOR's regression on candidate texts: debiased counts, the design, and coordinate descent. */
#ifndef SC_LOCAL_TEXT_SYSTEM_H
#define SC_LOCAL_TEXT_SYSTEM_H

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* RAPPOR's counts of report bits, debiased (spec 2.3, steps 1 and 2).
 *
 * A place is a bit of a cohort. `count` of `reports` reports have its bit set; the estimate is unbiased for
 * the number of devices whose signal has it set.
 *
 * Post-processing of reports that are private already: in doubles.
 */

/* Chances that a bit of the report is 1 where that of the signal is 0, 1: p* and q*. */
typedef struct sc_signal_chances {
    double zero, one;
} sc_signal_chances;

/* f, p and q as in spec 2.1. */
sc_signal_chances sc_signal_chances_of(double f, double p, double q);
double sc_signal_estimate(const sc_signal_chances *chances, double count, double reports);
/* The variance of the estimate, of randomisation alone, at the estimate clamped to what is possible. */
double sc_signal_variance(const sc_signal_chances *chances, double estimate,
                          double reports);

/* Which bits each candidate text sets in each cohort: the design of RAPPOR's decoder (spec 2.3, step 3),
 * as lists of places. Column s has the entry N_c/N at its places of cohort c; the unknown is the number of
 * devices that hold candidate s.
 *
 * Weighted sums over a column need no more than two numbers a place, which the caller keeps:
 *     pull[c][j] = (N_c/N) w_cj r_cj     the weighted residual
 *     mass[c][j] = (N_c/N)^2 w_cj        what a unit of the unknown takes from it
 * Each cohort has bits + 1 of them, of which the last is 0: places that a column does not use.
 */

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
/* The sum of of[places[i]] over all `count` places. */
double sc_text_places_sum(const double *of, const uint32_t *places, size_t count);
/* out[s] = the sum of what `of` has at the places of column s. */
void sc_text_design_sums(const sc_text_design *design, const double *of, double *out);
/* same[s]: the first column with the places of column s in every cohort that has reports; s itself if it
 * is the first. */
SCRIM_MUST_USE scrim_status sc_text_design_same(const sc_text_design *design,
                                                const uint64_t *reports, size_t *same,
                                                scrim_error *error);

/* The weighted regression of debiased bit counts on candidate texts, and its coordinate descent under a
 * penalty (spec 2.3, step 4).
 *
 * One column more than the design has stands for all texts that are no candidates: such a text sets each bit
 * with the same chance, so its entry is N_c/N at every place, up to a factor. It has no penalty and may be
 * negative: it also balances what candidates are given or denied wrongly. Without it every candidate would be
 * given a part of the unknown texts.
 */

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
        *mass; /* [place] as sc_signal_estimate has them, but for the part of all other texts, which
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
