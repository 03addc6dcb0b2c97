/* The ranks whose values are the ends of a quantile's interval: computed in doubles, from the
 * plan and a released number of rows, before the quantiles are drawn.
 *
 * Let x be a true quantile of N rows: c_<(x) <= p N <= c_<=(x). A draw t at a rank p' < p
 * misses it by at most m rows but for a share of beta: c_<(t) <= p' N + m. Were t > x, then
 * c_<(t) >= c_<=(x) >= p N; so t <= x when N (p - p') > m, which holds for every N >= L when it
 * does for L: the released number of rows less the radius of its noise at a share of beta. In
 * the same way for the upper end.
 *
 * m is what the measurement certifies. It was planned for p, and the draw is made at p': a
 * score moves by max(p, 1-p) of a row when one is added, and m is that times a number that p is
 * not in (quantile.md 5); several quantiles by recursion have at most that number for each
 * depth.
 *
 * m is what holds for every table, and it is reached: by one in which a single value has the
 * rank and all others miss it by just m, so that each of them is as likely as the mechanism
 * allows. Most of m pays for their number, ln(cells) beside ln(1/share). In a table whose rows
 * are spread the nearest values are far likelier and m is hardly ever reached; how rows are
 * spread is what must not be looked at. And where values repeat, as ages do, an end that misses
 * its rank still finds its value. So these intervals are conservative, and stay so: on
 * published tables the ends of ages and incomes had the truth between them in all draws that
 * were made (coverage_test.c has no upper bar for them).
 *
 * A tenth of beta goes to N, which only moves the ranks by the share of rows that are its
 * noise; the rest to both ends, evenly: m grows with the logarithm of 1/share. Ranks are
 * rounded outwards to a power of 1/2, not too small, since the time to draw grows with the
 * denominator; that is at most SC_RANK_PLACES.
 *
 * Claim  rank-interval.coverage  ends that are drawn at these ranks have all true quantiles
 *                                between them with probability at least 1 - beta, for every
 *                                table; often with much more, above all where many rows are
 *                                equal
 * Claim  rank-interval.order     ranks of several quantiles increase as these do, each above 0
 *                                and below 1
 */
#ifndef SC_QUERY_RANK_INTERVAL_H
#define SC_QUERY_RANK_INTERVAL_H

#include "query/noise_sum.h"

#define SC_RANK_PLACES 10

/* Ends of quantiles, as far as they are known before anything is drawn. */
typedef struct sc_rank_setting {
    sc_noise rows;
    double rows_radius; /* N is at least N^ less this */
    double radius;      /* m where max(p, 1-p) is 1; infinite when none is promised */
    bool is_even;       /* m does not depend on p */
    unsigned places;    /* of ranks; 0: no rank can be drawn */
    const sc_ratio *ps; /* of the measurement, in increasing order */
    size_t count;
} sc_rank_setting;

/* ends is the measurement of all lower ends, or of all upper ones; ps are its own. */
void sc_rank_setting_init(sc_rank_setting *out, const scrim_measurement *rows,
                          const scrim_measurement *ends, const sc_ratio *beta);

/* The rank of an end, in units of 2^-places, from 1 to 2^places - 1; false when it is the end
 * of the range. index is that of p among the ps. */
bool sc_rank_below(const sc_rank_setting *setting, double rows, size_t index,
                   int64_t *out);
bool sc_rank_above(const sc_rank_setting *setting, double rows, size_t index,
                   int64_t *out);
/* How far an end lies from p, as a share of the rows, in a group of so many: for predictions.
 * At most 1. */
double sc_rank_distance(const sc_rank_setting *setting, double rows, double p);

#endif
