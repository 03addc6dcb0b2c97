/* From released numbers to shown values with their intervals. Nothing here sees data, so it costs nothing
 * and may compute in doubles. Ends are rounded outwards, the value to the nearest.
 *
 * An estimator is made once for an aggregate, from the measurements that its numbers are drawn
 * by, and used for every group. Intervals hold at the confidence, for the rows kept after
 * bounding and clamping (spec/mechanisms.md 4.4).
 *
 * Claim  estimate.exact    of counts and sums: the half-width is the smallest number of steps
 *                          that the noise exceeds with probability at most 1 - confidence; or,
 *                          WITH RANGE, its bound. The value is as it was drawn, the interval is
 *                          cut at 0 where nothing that is counted or summed is on the other
 *                          side, and reaches to the value where that is
 * Claim  estimate.predict  a prediction for AVG, VAR, STDDEV or a quantile is within a tenth of the mean
 *                          half-width of groups that are as guessed, of VAR while it is below
 *                          the value and of STDDEV while it is below a fifth of it; of AVG,
 *                          VAR and STDDEV, without a guess of the column, it is not below nine tenths of that where the
 *                          mean is no farther than half way from the centre to an end and the
 *                          deviation no smaller than a quarter of the radius
 * Claim  estimate.outward  ends are rounded outwards to the digits, which are a public number
 */
#ifndef SC_QUERY_ESTIMATE_H
#define SC_QUERY_ESTIMATE_H

#include "model/measurement.h"
#include "query/estimate/column_guess.h"
#include "query/rows/statistic.h"

/* The measurements that draw the numbers of an aggregate; NULL for a number that it does not use. */
typedef struct sc_estimate_sources {
    const scrim_measurement *units, *rows, *sum, *squares, *quantiles, *around;
    const scrim_measurement *missing; /* of the cell that is added to the rows */
    /* Each number is the sum of this many draws, each with its own noise; 0 means 1. More than 1 only for
     * sums (sc_estimate_form_of), and not WITH RANGE. */
    uint64_t draws;
} sc_estimate_sources;

/* The numbers of one group, in steps; those that the aggregate does not use are ignored. */
typedef struct sc_estimate_numbers {
    sc_int128 units, rows, sum,
        squares;                /* rows: of both cells, where they are so counted */
    const sc_int128 *quantiles; /* all that were drawn together, */
    size_t p;                   /* of which this is the one, */
    const sc_int128 *around;    /* and the rows in the rings about them */
} sc_estimate_numbers;

typedef struct sc_estimate {
    sc_ratio value, low, high; /* in the unit of the column */
    bool is_open; /* the interval is all that is possible: the group may be empty */
    /* For counts and sums: noise took the value beyond 0, where the truth cannot be. */
    bool is_beyond;
} sc_estimate;

void sc_estimate_init(sc_estimate *estimate);
void sc_estimate_clear(sc_estimate *estimate);

typedef struct sc_estimator sc_estimator;

/* The form of an aggregate in its numbers, for arithmetic on aggregates. */
typedef enum sc_estimate_form {
    SC_ESTIMATE_APART, /* neither: it enters with an interval of its own */
    SC_ESTIMATE_SUM,   /* a sum of them */
    SC_ESTIMATE_MEAN   /* such a sum over the rows */
} sc_estimate_form;

/* How an aggregate follows from numbers with noise. */
typedef struct sc_estimate_rule {
    sc_estimate_form form;
    /* Takes the noise of its numbers; intervals are missed with probability beta. */
    scrim_status (*prepare)(sc_estimator *estimator, const sc_estimate_sources *sources,
                            const sc_ratio *beta, scrim_error *error);
    scrim_status (*estimate)(const sc_estimator *estimator,
                             const sc_estimate_numbers *numbers, sc_estimate *out,
                             scrim_error *error);
    /* For sc_estimator_predict. */
    double (*half_width)(const sc_estimator *estimator, double rows,
                         const sc_column_guess *guess);
    unsigned (*digits)(const sc_estimator *estimator);
} sc_estimate_rule;

extern const sc_estimate_rule sc_rows_rule, sc_units_rule, sc_sum_rule;
extern const sc_estimate_rule sc_mean_rule, sc_variance_rule, sc_quantile_rule;

/* WITH RANGE and aggregates that are made of bars are SC_ESTIMATE_APART. */
sc_estimate_form sc_estimate_form_of(const sc_query_aggregate *aggregate);
/* May each number be the sum of several draws, of rows that are apart? Every output is a key or a sum, and none is WITH RANGE; numbers
 * of different values do not add up, as two may have the same ones. */
bool sc_estimate_is_summed(const sc_query *query);
/* The measurements of an aggregate's numbers among those of all statistics. */
sc_estimate_sources sc_estimate_sources_of(const sc_statistic_use *use,
                                           const scrim_measurement *const *measurements);

/* aggregate lives as long as the estimator.
 * sum_statistic: the centre of the sum that a SUM or AVG is computed from; NULL without one.
 * SCRIM_E_PARAM for a confidence outside (0, 1), SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_estimator_new(const sc_query_aggregate *aggregate,
                                             const sc_group_statistic *sum_statistic,
                                             const sc_estimate_sources *sources,
                                             const sc_ratio *confidence,
                                             sc_estimator **out, scrim_error *error);
void sc_estimator_free(sc_estimator *estimator); /* NULL is allowed */
/* Quantiles that were drawn together have the same noise around them, so tables of it are computed once
 * and shared. Does nothing for other aggregates. */
void sc_estimator_share(sc_estimator *estimator, sc_estimator *with);

/* Any numbers give an estimate; only memory can fail. */
SCRIM_MUST_USE scrim_status sc_estimate_of(const sc_estimator *estimator,
                                           const sc_estimate_numbers *numbers,
                                           sc_estimate *out, scrim_error *error);

/* A count or a sum that was computed from others (consistent.h), in steps, with half of its interval: ends are cut as those of
 * estimates are, and nothing is rounded. */
void sc_estimate_whole(const sc_estimator *estimator, sc_int128 value, sc_int128 half,
                       sc_estimate *out);
/* The digits that show every such number. */
unsigned sc_estimator_whole_digits(const sc_estimator *estimator);
/* A count or a sum, in steps, is the rows and the sum that were drawn with these weights. */
void sc_estimator_weights(const sc_estimator *estimator, int64_t *rows, int64_t *sum);

/* A group as it is guessed. */
typedef struct sc_group_guess {
    const sc_ratio *rows;
    const sc_column_guess
        *column; /* of the values; NULL: the default of column_guess.h */
} sc_group_guess;

/* Half of the width that the interval is expected to have in a group as guessed: what `explain`
 * shows. In the unit of the column, rounded up to three digits. It is the half-width itself for
 * counts and sums; for AVG and the variances that of numbers without noise. For quantiles it is the
 * mean half-width where rows are spread as the normal law of the guessed mean and deviation, or
 * evenly over the range where there is no such guess: a hundredth of a step at least, and off by as
 * much as the guessed density is. */
SCRIM_MUST_USE scrim_status sc_estimator_predict(const sc_estimator *estimator,
                                                 const sc_group_guess *guess,
                                                 sc_ratio *out, scrim_error *error);

/* How many digits behind the point values of this aggregate are shown with: a public number, from
 * the step of the column and what the noise leaves of it. */
unsigned sc_estimator_digits(const sc_estimator *estimator);

#endif
