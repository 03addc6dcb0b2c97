/* The interval of a mean that is known from a noisy sum and a noisy number of rows: computed
 * in doubles, from released numbers alone.
 *
 * For the true centred mean mu, S^ - mu N^ = Z_S - mu Z_N: a law without the data in it. All mu
 * within the range at which |S^ - mu N^| is not too far out for that law make a set of exact
 * level (Fieller). It is an interval about S^/N^, since |S^ - mu N^| grows by N^ for each step
 * of mu, and a quantile of the noise by no more than one of Z_N does; where N^ itself is within
 * its noise of 0, everything is possible.
 *
 * Claim  mean-interval.coverage  the true mean is inside with probability at least 1 - beta,
 *                                for every group of at least one row; and with not much more,
 *                                where the range does not cut the interval
 *
 * Reference  spec/mechanisms.md 4.4
 */
#ifndef SC_QUERY_MEAN_INTERVAL_H
#define SC_QUERY_MEAN_INTERVAL_H

#include "query/estimate/noise_sum.h"

/* What is known before anything is released. Numbers are in steps. */
typedef struct sc_mean_setting {
    const sc_noise *sum, *rows;
    double low, high; /* the range of x - centre */
} sc_mean_setting;

typedef struct sc_real_interval {
    double low, high;
    bool is_open; /* everything is possible: low and high are the ends of the range */
} sc_real_interval;

/* Of x - centre, rounded outwards. */
sc_real_interval sc_mean_interval(const sc_mean_setting *setting, double sum, double rows,
                                  double beta);

/* The largest distance from 0 on, up to most, at which a test that gets harder with the distance
 * still says possible; a little more of it. first is where the search begins, above 0. */
double sc_farthest(bool (*is_possible)(const void *context, double distance),
                   const void *context, double first, double most);

#endif
