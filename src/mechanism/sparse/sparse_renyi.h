/* How long a run of non-negative queries can be, on average.
 *
 * Queries that are never below 0 are above a threshold T + z with probability at least
 * P(N >= T + z) each, so that the expected number of answers of a run is at most 1/P(N >= T + z)
 * given the threshold's noise z. Its moments over z,
 *
 *     E_m = sum over z of P(R = z) P(N >= T + z)^-m,
 *
 * are finite for Gaussian R and N when m < variance(N) / variance(R), and stand in the Renyi
 * curve of a run without a length.
 *
 * Claim  sparse-moment.encloses  the answer is a ball that holds E_m: a finite sum, on the right
 *                                the rest by P(N >= y) >= P(N = y) and a ratio test, on the left
 *                                by P(N >= y) not increasing
 *
 * Reference  spec/local-and-accounting.md 7.2
 */
#ifndef SC_MECHANISM_SPARSE_SPARSE_RENYI_H
#define SC_MECHANISM_SPARSE_SPARSE_RENYI_H

#include "base/number/ball.h"
#include "base/status.h"
#include "mechanism/sparse/sparse_run.h"
#include "model/cost.h"
#include "model/curve.h"

/* threshold and query are the variances, level >= 0 is T, m > 0. False when E_m is infinite, or
 * when the sum has too many terms, or without memory: then nothing is proved. */
bool sc_sparse_moment(const sc_ratio *threshold, const sc_ratio *query, int64_t level,
                      const sc_ratio *m, long bits, sc_ball *out);

/* The Renyi curve of a sparse vector run with any noise.
 *
 * Let r(a) be the divergence of order a of the threshold's noise at a shift of D, and v(a) that
 * of the query's noise at 2D: the threshold absorbs one D, and the query that crosses moves
 * against it by another. A part is what is answered under one threshold, at most c answers above;
 * each line below bounds it, and the least counts:
 *
 *     v(inf) finite         r(a) + c v(inf)
 *     at most k queries     r(a) + c v(a) + ln(sum over j <= c of C(k,j)) / (a-1)
 *     queries at least 0    r((g a - 1)/(g - 1)) + c v(a) + ln(E_cg) / (g (a-1)),   any g > 1
 *
 * and where both noises are pure a part is (r(inf) + c v(inf))-DP. A run is the sum of its parts.
 *
 * Claim  sparse-renyi.bounds  the curve is never below the Renyi divergence of the answers'
 *                             laws on neighbours, in either order
 *
 * The first line needs the queries' noise to be pure, not the threshold's; charging the queries
 * at D, leaving the "1 +" out of the count, or the survey's constant for E_2 are refuted
 * (spec/local-and-accounting.md E14, E19, E21).
 *
 * Reference  Zhu, Wang 2020, corrected; spec/local-and-accounting.md 7.2, 7.3
 */

/* Orders g for which a moment is kept. */
#define SC_SPARSE_MOMENTS 8

/* A bound that holds for runs of non-negative queries. */
typedef struct sc_sparse_holder {
    sc_ratio g;
    sc_ball log_moment; /* ln E_cg */
} sc_sparse_holder;

/* copies of a part with at most count answers above. */
typedef struct sc_sparse_part {
    uint64_t copies, count;
    sc_ball
        log_outputs; /* ln of how many outputs there are; not finite without a length */
    size_t holders;
    sc_sparse_holder holder[SC_SPARSE_MOMENTS];
} sc_sparse_part;

typedef struct sc_sparse_renyi {
    sc_curve threshold; /* at a shift of D */
    sc_curve query;     /* at a shift of 2 D */
    bool threshold_is_pure, query_is_pure;
    sc_ratio threshold_limit, query_limit; /* r(inf) and v(inf), where pure */
    size_t parts;
    sc_sparse_part part[2]; /* stages, and a last one that is shorter */
    sc_curve pure;          /* what follows from epsilon alone, where all is pure */
    sc_curve pair;          /* what follows from an (epsilon, delta) proved otherwise */
} sc_sparse_renyi;

/* The noises' shapes; sensitivity is D, from 1 to 2^60. */
void sc_sparse_renyi_init(sc_sparse_renyi *renyi, const sc_law *threshold,
                          const sc_law *query, uint64_t sensitivity);
void sc_sparse_renyi_clear(sc_sparse_renyi *renyi);

/* Adds copies of a part. length is the most queries that it answers, 0 for any number; of
 * queries at least 0, level is the threshold, else it is below 0. */
void sc_sparse_renyi_add(sc_sparse_renyi *renyi, uint64_t copies, uint64_t count,
                         uint64_t length, int64_t level);
/* Is there a finite bound for every part? */
bool sc_sparse_renyi_is_finite(const sc_sparse_renyi *renyi);
/* True, with r(inf) + c v(inf) of all parts together, where both noises are pure. */
bool sc_sparse_renyi_pure(const sc_sparse_renyi *renyi, sc_ratio *epsilon);

/* The bound of order > 1 for one copy of a part, and for all. */
void sc_sparse_renyi_part(const sc_sparse_renyi *renyi, const sc_sparse_part *part,
                          const sc_ratio *order, long bits, sc_ball *out);
void sc_sparse_renyi_bound(const sc_sparse_renyi *renyi, const sc_ratio *order, long bits,
                           sc_ball *out);

/* The curve of the orders alone, and that of one copy of the first part. The curve keeps a pointer to renyi. */
void sc_sparse_renyi_orders(const sc_sparse_renyi *renyi, sc_curve *out);
void sc_sparse_renyi_part_curve(const sc_sparse_renyi *renyi, sc_curve *out);

/* ln of the sum over j <= c of C(k, j). */
void sc_sparse_log_outputs(uint64_t k, uint64_t c, long bits, sc_ball *out);

/* From the Renyi curve of a run to what is charged.
 *
 * Without a delta the curve is all there is, and a pure epsilon where both noises are pure. With
 * one, (epsilon, delta) is charged: the least epsilon that follows from the orders by Canonne,
 * Kamath and Steinke, from the pure epsilon, or, for S > 1 stages, from each stage as an
 * (e', delta')-DP part and their optimal composition with S delta' taken off delta.
 *
 * Claim  sparse-cost.upper  a run is (epsilon, delta)-DP for the pair that is charged
 *
 * Reference  spec/local-and-accounting.md 5, 7.2, 7.3; spec/mechanisms.md 8.3
 */

/* Finds the pair for a delta and keeps it in renyi. False when no epsilon follows. */
bool sc_sparse_cost_settle(sc_sparse_renyi *renyi, const sc_ratio *delta);

/* Sets everything but neighbours; delta as it was settled, or NULL. renyi is kept. */
void sc_sparse_cost_set(const sc_sparse_renyi *renyi, const sc_ratio *delta,
                        sc_exact_cost *out);

#endif
