/* Intervals of means, quotients and variances of noisy numbers: computed in doubles, from released numbers
 * alone, and rounded outwards.
 *
 * Mean: known from a noisy sum and a noisy number of rows.
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
#ifndef SC_QUERY_MOMENT_INTERVAL_H
#define SC_QUERY_MOMENT_INTERVAL_H

#include "query/estimate/noise_sum.h"

/* Known before anything is released. Numbers are in steps. */
typedef struct sc_mean_setting {
    const sc_noise *sum, *rows;
    double low, high; /* the range of x - centre */
} sc_mean_setting;

typedef struct sc_real_interval {
    double low, high;
    bool is_open; /* everything is possible: low and high are the ends of the range */
} sc_real_interval;

/* The interval of the mean of x - centre, rounded outwards. */
sc_real_interval sc_mean_interval(const sc_mean_setting *setting, double sum, double rows,
                                  double beta);

/* The largest distance in [0, most] at which is_possible holds, rounded up a little. is_possible must not
 * become true again beyond a distance at which it is false. The search begins at first > 0. */
double sc_farthest(bool (*is_possible)(const void *context, double distance),
                   const void *context, double first, double most);

/* Quotient of two sums of noisy numbers.
 *
 * Let A^ and B^ be the noisy sums and t the true quotient. Then A^ - t B^ is the noise of A less t times
 * that of B: a law without the data in it, a number that both sums have collected first. All t at which
 * |A^ - t B^| is not too far out for that law make a set of exact level (Fieller), as for a mean. Where B^ is within its noise of 0, every t is possible.
 *
 * With q = A^/B^ and t = q + d the distance is |d| |B^|, and number i has the weight |v_i - d b_i|, v_i its
 * weight in A - q B and b_i that in B. A number of both sums may weigh less as d grows, and more again:
 * it is given at least |d b_i|. In units of d weights then fall with d, and with them what is possible:
 * the set is an interval about q, and it is not smaller than the exact one.
 *
 * Claim  quotient-interval.coverage  the true quotient is inside with probability at least 1 - beta,
 *                                    wherever the true divisor is not 0
 */

typedef struct sc_quotient_sums {
    const sc_noise *const *noises;
    const double *off;    /* v: the weights of A - q B */
    const double *bottom; /* b */
    size_t count;         /* at most SC_NOISE_SUM_MAX */
    double divisor;       /* |B^| */
} sc_quotient_sums;

/* How far the quotient may be below and above q; false: everything is possible. */
bool sc_quotient_reach(const sc_quotient_sums *sums, double beta, double *below,
                       double *above);

/* Variance: known from noisy rows, sum and squares.
 *
 * Let m be the true centred mean and V the true variance (of the population). Then
 *
 *     Q^ - 2 m S^ + (m^2 - V + K) N^ = Z_Q - 2 m Z_S + (m^2 - V + K) Z_N,
 *
 * K the offset of the squares: without noise the left side is N (A - m^2 - V) = 0, A the true
 * mean of squares. For each pair (m, V) the right side is a law without the data in it, as for
 * the mean. m is not asked for: it gets an interval of its own at a tenth of beta, and a V is
 * possible when it is so with any m of that interval, at the rest of beta. Levels add up, so
 * that the true V is outside with probability beta at most. The left side is N^ (v + (m - m^)^2
 * - V), with m^ = S^/N^ and v = K + Q^/N^ - m^^2: m matters little once N^ is large, and little
 * is lost.
 *
 * The interval of m is cut into cells; in a cell the left side is taken at its least and every
 * weight at its largest. With 32 cells this loses less than a hundredth of the width.
 *
 * Further losses: where the noise of V is a tenth of V or less, intervals have it in
 * them 0.95 to 0.975 of the time at a beta of 0.05; where it is about V, 0.98 to 0.99, since an
 * interval that begins at 0 can miss to one side only (0.975 at least), and since any m that is
 * possible makes V possible. Nearly all of them have it where N^ is no more than a few times its
 * own noise: then almost everything is possible, and no interval that says less is true for all
 * data.
 *
 * V is at most (high - m)(m - low). The variance of a sample is V N/(N - 1), for which N has an
 * interval at a fortieth of beta.
 *
 * Claim  variance-interval.coverage  the true variance is inside with probability at least 1 -
 *                                    beta, for every group of at least one row
 */

typedef struct sc_variance_setting {
    sc_mean_setting mean;
    const sc_noise *squares;
    double offset;
    bool is_sample; /* divided by N - 1 */
} sc_variance_setting;

/* The largest possible variance: of two rows at the ends of the range. */
double sc_variance_most(const sc_variance_setting *setting);
/* In steps squared, rounded outwards. */
sc_real_interval sc_variance_interval(const sc_variance_setting *setting, double sum,
                                      double squares, double rows, double beta);

#endif
