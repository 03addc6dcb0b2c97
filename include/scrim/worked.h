/* How accurate k linear queries can be answered: errors that are enough, by the survey's mechanisms with
 * their noise as it is run, and errors that no mechanism of the same cost can promise.
 *
 * The data are people in bins, each query has a coefficient from 0 to 1 for each bin, and an error bounds
 * all k sums at once with the confidence 1 - beta. Neighbours differ by one person more or less.
 *
 * Enough, for every k queries:
 *   laplace    discrete Laplace noise of scale k/epsilon on each of k integer sums (Theorem 4.2, exactly)
 *   gaussian   discrete Gaussian noise of l2 sensitivity sqrt(k), if there is a delta
 *   smalldb    Theorem 6.11, corrected: alpha n + 2 (ln C(N+m-1, m) + ln(1/beta))/epsilon with
 *              m = floor(ln(2k)/(2 alpha^2)) + 1, for the best of 64 values of alpha (errata 80, 81)
 *   cube-root  Theorem 6.12: a n, a the root of epsilon n a^3 = 16 ln N ln k + 4 a^2 ln(1/beta), with
 *              SmallDB run at a/2 (erratum 82)
 *   nothing    half of the number of people, if that is public: no data are used
 *
 * Limits of the hardest k queries, d = 2a + 1, delta_d = delta (e^(d epsilon) - 1)/(e^epsilon - 1):
 *   one count  two tables that differ by d people in one bin have no answer within a of both:
 *              1 - beta <= e^(d epsilon) beta + delta_d
 *   packing    K = min(k, N) tables of d people in one bin each: no answer is within a of two of them, and
 *              all are d people away from the empty one: K e^(-d epsilon) (1 - beta - delta_d) <= 1
 *   rebuild    n' = min(log2 k, N, n) people, each present or not, and all sets of them: tables that agree
 *              with all answers within a differ in at most 4a people (Dinur, Nissim 2003); privacy leaves
 *              each person wrong with probability (1 - delta)/(1 + e^epsilon) at least:
 *              4a + n' beta >= n' (1 - delta)/(1 + e^epsilon)
 *
 * Claim  linear-bounds.enough  an error that is called enough is rounded up
 * Claim  linear-bounds.limit   no mechanism promises an integer error below a limit, which is rounded down
 *
 * These functions take no data, no ledger and no vault.
 */
#ifndef SCRIM_WORKED_H
#define SCRIM_WORKED_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_linear_bound {
    const char *name;   /* constant text */
    int is_limit;       /* 1: no mechanism promises less; 0: the error is enough */
    double error;       /* of a sum; infinite: none */
    const char *source; /* constant text */
} scrim_linear_bound;

#define SCRIM_LINEAR_BOUNDS 8

typedef struct scrim_linear_bounds {
    char text[512]; /* the question, in its one spelling */
    scrim_linear_bound list[SCRIM_LINEAR_BOUNDS];
    size_t count;
} scrim_linear_bounds;

/* line is "queries=K bins=N people=N epsilon=R [delta=R] [confidence=R]". SCRIM_E_PARAM, SCRIM_E_LIMIT,
 * SCRIM_E_SYNTAX as for the line of a mechanism. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_linear_bounds_of(const char *line,
                                                             scrim_linear_bounds *out,
                                                             scrim_error *error);

/* The survey's sale (4.1.2): buyers who keep their valuations private, a seller who chooses one price.
 *
 * A sells for 1, B for 1.01, C for 3.01 at most: 1 earns 3, 1.01 earns 2.02, 3.01 earns 3.01, and 3.02
 * earns nothing. Noise on a valuation oversteps; the exponential mechanism chooses among public prices
 * with the revenue as score. Its sensitivity is the largest price, not 1 (erratum 57): a buyer more
 * raises the revenue of no price by more, and lowers none, so scores are monotone.
 *
 * For 1, 10, 100 and 1000 times these three buyers, the exact distribution of the chosen price, the
 * expected revenue, and what is lost: by Theorem 4.5 with the confidence, and by the distribution.
 *
 * Claim  pricing.exact  probabilities and expectations are those of the exact distribution, correct to
 *                       1e-12 of themselves; a probability below 1e-300 is 0
 * Claim  pricing.loss   the loss of the distribution is at most that of the theorem
 */
#define SCRIM_PRICING_PRICES 11
#define SCRIM_PRICING_CROWDS 4

typedef struct scrim_pricing_crowd {
    uint64_t buyers;
    double chance[SCRIM_PRICING_PRICES];
    double best;       /* revenue at the best price */
    double expected;   /* at the price that is chosen */
    double loss_bound; /* of the theorem, with the confidence */
    double loss;       /* the smallest that is not exceeded with the confidence */
    double nothing;    /* chance of a price that nobody pays */
} scrim_pricing_crowd;

typedef struct scrim_pricing {
    double price[SCRIM_PRICING_PRICES];
    unsigned buyers[SCRIM_PRICING_PRICES]; /* of three, who pay the price */
    double revenue[SCRIM_PRICING_PRICES];  /* of three buyers */
    scrim_pricing_crowd crowd[SCRIM_PRICING_CROWDS];
    double
        overstep; /* chance that noise on the largest valuation makes a price that nobody pays */
    char text[256]; /* the line of the mechanism */
} scrim_pricing;

/* epsilon and confidence as exact text, as for the line of a mechanism. out is untouched if they are refused. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_pricing_of(const char *epsilon,
                                                       const char *confidence,
                                                       scrim_pricing *out,
                                                       scrim_error *error);

/* Two routes to the centre of a floating body of two columns, on simulated Gaussian rows with centre 0: quantiles in public
 * directions, which scrim offers (route B), and a private test that one row moves the centre little, then noise (route C),
 * which it does not offer. Both cost the same epsilon and delta. Errors are medians over the runs. */
#define SCRIM_BODY_ROUTES_ROWS 3

typedef struct scrim_body_routes_row {
    uint64_t units;
    double plain;     /* error of the centre that is not private */
    double quantiles; /* of route B */
    double noise;     /* of route C, of its answers; not a number where there are none */
    double answered;  /* share of the runs in which route C answers */
    double sigma;     /* the most that one row may move the centre, in route C */
} scrim_body_routes_row;

typedef struct scrim_body_routes {
    uint64_t runs;
    double epsilon, delta;
    scrim_body_routes_row row[SCRIM_BODY_ROUTES_ROWS];
} scrim_body_routes;

/* runs from 1 to 1000. SCRIM_E_PARAM, SCRIM_E_MEMORY, SCRIM_E_ENTROPY; then out is untouched. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_body_routes_of(uint64_t runs,
                                                           scrim_body_routes *out,
                                                           scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
