/* Tables of counts that add up: what accuracy is possible, and what is not, before asking for it.
 *
 *     scrim_microdata_plan plan;
 *     if (scrim_microdata_plan_find(
 *             SCRIM_OPTIONS(scrim_microdata_question, .neighbours = SCRIM_ADD_REMOVE,
 *                           .cells = 1000, .epsilon = "1"),
 *             &plan, &error) == SCRIM_OK)
 *         printf("%s: cells %s, sum %s\n", plan.sums.text, plan.sums.cell_error,
 *                plan.sums.sum_error);
 *
 * A table has a count for each of d disjoint cells, whole numbers from 0 on, and its total is their
 * sum. No private table has both accurate cells and an accurate total. "point-first" favours the
 * cells, "sum-first" the total; there is no third option. A plan uses no data. An error is the root
 * of the mean squared error of one query, the largest over all data; bounds from above are rounded
 * up, bounds from below are rounded down.
 *
 * Claim  microdata-plan.errors   the errors and radii are those that the two mechanisms promise, and
 *                                other_lower is the bound of the theorem
 * Claim  microdata-plan.inverse  a release at the epsilon that was found has at most the radius that
 *                                was given
 */
#ifndef SCRIM_MICRODATA_H
#define SCRIM_MICRODATA_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_microdata_question {
    size_t size;
    scrim_neighbours neighbours; /* required: SCRIM_ADD_REMOVE or SCRIM_REPLACE */
    uint64_t cells;              /* required: from 1 to 2^27 */
    const char *epsilon, *delta; /* epsilon, perhaps with delta; or rho */
    const char *rho;
    uint64_t max_rows, weight; /* of one unit: rows, and weight of a row; 0: 1 */
    const char *confidence;    /* of the radii, above 0 and below 1; NULL: "0.95" */
} scrim_microdata_question;

/* One side. Numbers are decimals of up to 15 digits. */
typedef struct scrim_microdata_side {
    char text[SCRIM_NUMBER_BYTES * 4]; /* the measurement */
    /* The largest error of each cell, and of the sum. */
    char cell_error[SCRIM_NUMBER_BYTES], sum_error[SCRIM_NUMBER_BYTES];
    /* With the confidence each cell is within cell_radius of the truth; all cells are within
     * all_radius at once; the sum is within sum_radius. */
    char cell_radius[SCRIM_NUMBER_BYTES], all_radius[SCRIM_NUMBER_BYTES],
        sum_radius[SCRIM_NUMBER_BYTES];
    int is_certain; /* 1: the radii always hold */
    /* No private table whose favoured error is as small has a smaller error on the other side: for
     * points that of the sum, for sums that of a cell. "0": nothing is known. */
    char other_lower[SCRIM_NUMBER_BYTES];
} scrim_microdata_side;

typedef struct scrim_microdata_plan {
    scrim_microdata_side points, sums;
    uint64_t bound; /* no noise of sum-first is larger; 0: there is no bound */
} scrim_microdata_plan;

/* SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY; plan is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_microdata_plan_find(const scrim_microdata_question *question,
                          scrim_microdata_plan *plan, scrim_error *error);

/* The smallest epsilon, within 2^-40 of it, at which "sum-first" without a delta has the sum within
 * sum_radius, or all cells within all_radius, with the confidence of the question. One radius is
 * NULL; the question has no epsilon, delta or rho. SCRIM_E_PARAM also if it is not between 1e-12 and
 * 512. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_microdata_epsilon_for(
    const scrim_microdata_question *question, const char *sum_radius,
    const char *all_radius, char epsilon[SCRIM_NUMBER_BYTES], scrim_error *error);

/* Post-processing, free of charge: whole numbers from 0 on with this total, the nearest table to
 * noisy values that have been released. Values lie within +-2^61, total from 0 to 2^61; cells from 1
 * to 2^27. Ties go by a public order that seed chooses; 0: to the first cells. table may be noisy
 * itself. SCRIM_E_PARAM outside; table is then untouched. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_microdata_project(const int64_t *noisy,
                                                              size_t cells, int64_t total,
                                                              uint64_t seed,
                                                              int64_t *table,
                                                              scrim_error *error);

/* Post-processing, free of charge: a table from noisy cells and a noisy sum that were released apart. "squares" is the table
 * of least squares, where the sum counts for as many cells as its weight says: 1 is plain non-negative least squares, and more
 * favours the sum. "largest" has the smallest largest error. "sum" takes the sum first, and then the cells. */
typedef struct scrim_microdata_fit_options {
    size_t size;        /* set by SCRIM_OPTIONS */
    const char *method; /* NULL: "squares" */
    const char *weight; /* of the sum, exact text from 0 on; NULL: "1" */
    uint64_t seed;      /* of ties, as above */
} scrim_microdata_fit_options;

/* Values lie within +-2^60; cells from 1 to 2^27. options may be NULL, and table may be noisy itself. SCRIM_E_PARAM; table is
 * then untouched. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_microdata_fit(
    const int64_t *noisy, size_t cells, int64_t noisy_sum,
    const scrim_microdata_fit_options *options, int64_t *table, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
