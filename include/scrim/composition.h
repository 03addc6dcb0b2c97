/* The joint cost of many releases: every accountant's bounds on a list of parts.
 *
 *     scrim_composition *parts;
 *     scrim_bounds bounds;
 *     if (scrim_composition_parse("laplace scale=10 x100; gaussian sigma=20 x50", &parts,
 *                                 &error) == SCRIM_OK &&
 *         scrim_composition_epsilon(parts, "1e-6", NULL, &bounds, &error) == SCRIM_OK)
 *         printf("epsilon lies between %s and %s\n", bounds.best.lower, bounds.best.upper);
 *
 * All upper bounds are proven, so the smallest one holds. All lower bounds are proven, so the
 * largest one holds. The true number lies between the two. No data is used, nothing is drawn and
 * nothing is charged. A composition is immutable; several threads may use one.
 */
#ifndef SCRIM_COMPOSITION_H
#define SCRIM_COMPOSITION_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_composition scrim_composition;

/* Parses "[poisson rate=R] MECHANISM key=value ... [xN]", parts separated by ';'.
 * MECHANISM is one of the catalogue, read as by scrim_measurement_parse_model, or
 * continuous-gaussian sigma=R or continuous-laplace scale=R, each with
 * [sensitivity=R], for comparison. In its place a guarantee may be stated, of which
 * nothing else is known: "epsilon=R [delta=R]", "rho=R [xi=R]" (concentrated), "renyi
 * order=R epsilon=R", "gdp mu=R"; bounds are then those of the worst mechanism that has
 * it. poisson: each unit is in a secret sample with
 * probability R. xN: N releases, at most 2^40. All parts have the same neighbours,
 * which are add-remove if there is sampling. Equal parts are merged. The caller frees
 * the result. SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT with a message that names
 * the part, SCRIM_E_MEMORY; out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_composition_parse(const char *text,
                                                              scrim_composition **out,
                                                              scrim_error *error);
/* The same releases against groups of 1 to 2^20 units: what they cost all of a group
 * together. The caller frees it before the composition that it is made from. SCRIM_E_PARAM with the number of the
 * part for a sample, and for a part that promises nothing to such groups; SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_composition_group(const scrim_composition *composition, uint64_t units,
                        scrim_composition **out, scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_composition_free(scrim_composition *composition);

/* One part; texts live as long as the handle. */
typedef struct scrim_composition_part {
    const char *text;              /* canonical, without the count */
    char rate[SCRIM_NUMBER_BYTES]; /* of sampling, rounded up if it is long; "": none */
    uint64_t count;
    scrim_cost cost; /* of one release, before sampling */
} scrim_composition_part;

SCRIM_API size_t scrim_composition_parts(const scrim_composition *composition);
/* index < scrim_composition_parts; SCRIM_E_PARAM above. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_composition_part_at(const scrim_composition *composition, size_t index,
                          scrim_composition_part *out, scrim_error *error);
/* The sum of all counts. */
SCRIM_API uint64_t scrim_composition_releases(const scrim_composition *composition);
SCRIM_API scrim_neighbours
scrim_composition_neighbours(const scrim_composition *composition);

/* The accountants: constant text. */
typedef struct scrim_accountant_entry {
    const char *name;      /* "basic" */
    const char *summary;   /* one line */
    const char *reference; /* who published it, or a page of docs/ */
    /* 1: parameters of a part may depend on earlier answers. 0: all parts must be
     * declared before the first release. */
    int is_adaptive;
} scrim_accountant_entry;

/* The accountant at an index, counted from 0. Returns 1, or 0 past the last. */
SCRIM_API int scrim_accountant_at(size_t index, scrim_accountant_entry *out);

#define SCRIM_SHORT_BYTES 32

/* An enclosure of the true number. Texts are decimals with 20 digits, and with 6 for
 * people; lower bounds are rounded down, and upper bounds up. Doubles are rounded
 * alike. */
typedef struct scrim_bound_pair {
    int has_lower, has_upper; /* 0: nothing is proven; the texts are empty */
    char lower[SCRIM_NUMBER_BYTES], upper[SCRIM_NUMBER_BYTES];
    char lower_short[SCRIM_SHORT_BYTES], upper_short[SCRIM_SHORT_BYTES];
    double lower_view, upper_view; /* 0 and infinite if nothing is proven */
} scrim_bound_pair;

/* The bounds of one accountant. */
typedef struct scrim_bound_row {
    scrim_accountant_entry accountant;
    scrim_bound_pair bounds;
    int is_best; /* its upper bound is the smallest (the first of equals) */
    char remark[SCRIM_MESSAGE_BYTES]; /* why a bound is missing, or ""; no newline */
} scrim_bound_row;

typedef struct scrim_bounds {
    char at[SCRIM_NUMBER_BYTES]; /* the given delta or epsilon, as an upper bound */
    double at_view;
    /* one for each accountant, in the order of scrim_accountant_at */
    scrim_bound_row *rows;
    size_t count;
    /* The largest lower bound, or 0, and the smallest upper bound. */
    scrim_bound_pair best;
    int is_adaptive; /* of the accountant with the smallest upper bound */
} scrim_bounds;

typedef struct scrim_composition_options {
    size_t size;            /* set by SCRIM_OPTIONS */
    const char *accountant; /* use only this one; NULL: all */
    /* Called now and then with the finished and the total number; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_composition_options;

/* The smallest epsilon at a delta in [0, 1), and the smallest delta at an epsilon >=
 * 0; both are exact text. options may be NULL. The remark of an accountant says if it
 * is not applicable, or needs more steps than one accountant, or all of them together,
 * may take: some 1 and 1.6 seconds. Steps are counted, so that the answer is the same
 * on every machine. scrim_bounds_clear frees what out holds. SCRIM_E_SYNTAX,
 * SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY; SCRIM_E_INTERNAL if a lower bound
 * exceeds an upper one, in which case no result can be trusted. out is untouched on
 * failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_composition_epsilon(
    const scrim_composition *composition, const char *delta,
    const scrim_composition_options *options, scrim_bounds *out, scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_composition_delta(
    const scrim_composition *composition, const char *epsilon,
    const scrim_composition_options *options, scrim_bounds *out, scrim_error *error);
SCRIM_API void scrim_bounds_clear(scrim_bounds *bounds);

/* Curves for plots: the best bounds on epsilon at each of count deltas; and at one
 * delta after each of count numbers of releases, each 1 to scrim_composition_releases,
 * with the parts in their order. If the bounds of the fast accountant are within a
 * hundredth of each other, the others are skipped. out has room for count; progress
 * counts points. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_composition_curve(
    const scrim_composition *composition, const char *const *deltas, size_t count,
    const scrim_composition_options *options, scrim_bound_pair *out, scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_composition_growth(
    const scrim_composition *composition, const char *delta, const uint64_t *releases,
    size_t count, const scrim_composition_options *options, scrim_bound_pair *out,
    scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
