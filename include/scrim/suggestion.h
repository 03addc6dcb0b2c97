/* Contribution bounds and ranges from private histograms, for an analyst who may not look at the
 * data.
 *
 *     scrim_suggestion *suggestion = NULL;
 *     scrim_suggested_bound bound;
 *     if (scrim_suggestion_new(vault, "orders",
 *                              SCRIM_OPTIONS(scrim_suggestion_options, .epsilon = "1",
 *                                            .columns = "amount", .by = "shop"),
 *                              &suggestion, &error) == SCRIM_OK &&        // plans; opens no data
 *         scrim_suggestion_run(vault, suggestion, &error) == SCRIM_OK)    // charges, and answers
 *         for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++)
 *             printf("%s %s %s to %s\n", bound.bound, bound.column, bound.low, bound.high);
 *     scrim_suggestion_free(suggestion);
 *
 * A suggestion is a batch of queries with one row per person (scrim-query(5)). Each is about one
 * quantity: the rows of a person, their number of groups, the rows in the largest group, the largest and
 * smallest total of each column in a group, and the value in one row that is chosen at random. A query
 * counts the people on each rung of a ladder: a person stands on the first rung that is not below
 * their number, or on the last rung if their number is larger. It is planned, charged, recorded, replayed and
 * labelled like any batch.
 *
 * Tails, quantiles and bounds are computed from these counts and cost nothing more. Each bound is the
 * rung with the smallest predicted error, bias and noise together, for a count or sum at an epsilon.
 * A bound is always found, and the share of people beyond it has an interval. All rungs are public, and
 * none comes from the data.
 *
 * Values are counted once per person, not once per row. If each row is a unit, there is nothing to bound, and only
 * values are suggested.
 */
#ifndef SCRIM_SUGGESTION_H
#define SCRIM_SUGGESTION_H

#include "scrim/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_suggestion_options {
    size_t size;         /* set by SCRIM_OPTIONS */
    const char *epsilon; /* required, exact text: the cost of all quantities together */
    const char *columns; /* number and date columns, separated by commas; NULL: none */
    /* The keys that later questions group by, separated by commas: columns, or expressions of the query
     * language such as MONTH(day); NULL: all rows are one group. */
    const char *by;
    const char *confidence; /* of intervals; NULL: 0.95 */
    unsigned workers;       /* 0: one per processor */
    size_t memory_bytes;    /* 0: a quarter of 2^30 */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* epsilon of one later question, exact text; bounds have the smallest error at it. It changes
     * neither the counts nor their cost. NULL: the same as epsilon. */
    const char *question_epsilon;
    uint64_t rows_upper; /* of rows that are pushed: as in scrim_query_options */
} scrim_suggestion_options;

typedef struct scrim_suggestion scrim_suggestion;

/* Plans; opens no data and spends nothing. SCRIM_E_PARAM: an unknown column, a column
 * without a range, a timestamp in by (each second would be a group), or nothing to suggest; else as scrim_plan_new. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_suggestion_new(
    scrim_vault *vault, const char *dataset, const scrim_suggestion_options *options,
    scrim_suggestion **out, scrim_error *error);
SCRIM_API void scrim_suggestion_free(scrim_suggestion *suggestion); /* NULL is allowed */

/* The plan of its queries and, after the run, their result; both live as long as the
 * suggestion. The result is NULL before the run. */
SCRIM_API const scrim_plan *scrim_suggestion_plan(const scrim_suggestion *suggestion);
SCRIM_API const scrim_result *scrim_suggestion_result(const scrim_suggestion *suggestion);

/* Charges and answers, or repeats the recorded answer, as scrim_query_run does. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_suggestion_run(scrim_vault *vault,
                                                           scrim_suggestion *suggestion,
                                                           scrim_error *error);

/* The same for rows that a program pushes: the result of its plan by scrim_feed_end (scrim/feed.h), which
 * the suggestion takes. SCRIM_E_PARAM, and it is not taken: the result is not that of this plan. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_suggestion_take(scrim_suggestion *suggestion,
                                                            scrim_result *result,
                                                            scrim_error *error);

/* After the run: how many people there seem to be, from the released counts of the first quantity,
 * which have noise; at least 0. It costs nothing more. 0 before the run. */
SCRIM_API uint64_t scrim_suggestion_people(const scrim_suggestion *suggestion);

/* A rung of a quantity's ladder. Texts live as long as the suggestion; before the run those of people are "". */
typedef struct scrim_suggested_rung {
    /* "rows" (in all), "groups", "rows of a group" (the largest), "largest total", "smallest total" (its
     * distance below 0), "value" */
    const char *quantity;
    const char *column; /* "": about rows */
    const char *rung;   /* "20" */
    int is_last;        /* everybody beyond it stands on it, too */
    const char *people, *people_low, *people_high; /* on it */
    const char *above, *above_low, *above_high;    /* on the rungs above it */
    /* Also known before the run: the interval of `above` reaches at most this many people to
     * each side. */
    uint64_t error;
} scrim_suggested_rung;
/* By quantity, in increasing order. 0 past the last. */
SCRIM_API int scrim_suggestion_rung_at(const scrim_suggestion *suggestion, size_t index,
                                       scrim_suggested_rung *out);

/* The rung that a quantile over people is on. Texts live as long as the suggestion. */
typedef struct scrim_suggested_quantile {
    const char *quantity, *column; /* as above */
    const char *p;                 /* "0.95" */
    /* A rung, and those that it lies between with the confidence; "" before the run. */
    const char *value, *low, *high;
    int is_last; /* the value is the last rung: it may be more */
    /* With about this many people the rung holds a rank within 0.02 of p, with the confidence. */
    uint64_t people;
} scrim_suggested_quantile;
/* 0 past the last. */
SCRIM_API int scrim_suggestion_quantile_at(const scrim_suggestion *suggestion,
                                           size_t index, scrim_suggested_quantile *out);

typedef struct scrim_suggested_bound {
    const char
        *bound; /* "max-total-rows", "max-groups", "max-rows", "max-total", "clamp" */
    const char *column;     /* "": about rows */
    const char *low, *high; /* low is "" for bounds of rows and groups */
    /* The share of people above the bound, among those with a number, and its confidence
     * interval; from 0 to 1 in 4 digits. */
    const char *beyond, *beyond_low, *beyond_high;
    int is_sure; /* that share is known to 0.02, to each side */
} scrim_suggested_bound;
/* After the run; 0 past the last. */
SCRIM_API int scrim_suggestion_bound_at(const scrim_suggestion *suggestion, size_t index,
                                        scrim_suggested_bound *out);

/* The question of a charge, in few words: the text of a query, "suggest amount by city" of a suggestion,
 * else the measurement itself. As snprintf, writes at most bytes with the terminator and returns
 * the length it needs without it. */
SCRIM_API size_t scrim_charge_asked(const char *measurement, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
