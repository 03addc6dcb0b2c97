/* The interval of a variance that is known from noisy rows, sum and squares: computed in
 * doubles, from released numbers alone.
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
 * weight at its largest. There are so many that this loses less than a hundredth of the width.
 *
 * What is lost beyond that: where the noise of V is a tenth of V or less, intervals have it in
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
#ifndef SC_QUERY_VARIANCE_INTERVAL_H
#define SC_QUERY_VARIANCE_INTERVAL_H

#include "query/estimate/mean_interval.h"

typedef struct sc_variance_setting {
    sc_mean_setting mean;
    const sc_noise *squares;
    double offset;
    bool is_sample; /* divided by N - 1 */
} sc_variance_setting;

/* The largest variance that there can be: of two rows at the ends of the range. */
double sc_variance_most(const sc_variance_setting *setting);
/* In steps squared, rounded outwards. */
sc_real_interval sc_variance_interval(const sc_variance_setting *setting, double sum,
                                      double squares, double rows, double beta);

#endif
