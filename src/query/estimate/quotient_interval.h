/* The interval of a quotient of two sums of noisy numbers: computed in doubles, from released numbers
 * alone.
 *
 * Let A^ and B^ be the noisy sums and t the true quotient. Then A^ - t B^ is the noise of A less t times
 * that of B: a law without the data in it, a number that both sums have collected first. All t at which
 * |A^ - t B^| is not too far out for that law make a set of exact level (Fieller), as for a mean
 * (mean_interval.h). Where B^ is within its noise of 0, every t is possible.
 *
 * With q = A^/B^ and t = q + d the distance is |d| |B^|, and number i has the weight |v_i - d b_i|, v_i its
 * weight in A - q B and b_i that in B. A number of both sums may weigh less as d grows, and more again:
 * it is given at least |d b_i|. In units of d weights then fall with d, and with them what is possible:
 * the set is an interval about q, and it is not smaller than the exact one.
 *
 * Claim  quotient-interval.coverage  the true quotient is inside with probability at least 1 - beta,
 *                                    wherever the true divisor is not 0
 */
#ifndef SC_QUERY_QUOTIENT_INTERVAL_H
#define SC_QUERY_QUOTIENT_INTERVAL_H

#include "query/estimate/noise_sum.h"

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

#endif
