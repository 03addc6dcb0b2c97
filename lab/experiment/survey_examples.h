/* Two worked examples of the survey (Das, 2022): the accuracy of linear queries, and a sale.
 *
 * Linear queries: how accurately k linear queries can be answered. The data are n people in N bins. Each
 * query has a coefficient from 0 to 1 for each bin. An error bounds all k sums at once with
 * confidence 1 - beta. Neighbours differ by one person more or less.
 *
 * Errors that are enough for any k queries:
 *   laplace    discrete Laplace noise of scale k/epsilon on each of k integer sums (Theorem 4.2, exactly)
 *   gaussian   discrete Gaussian noise of l2 sensitivity sqrt(k), if there is a delta
 *   smalldb    Theorem 6.11, corrected: alpha n + 2 (ln C(N+m-1, m) + ln(1/beta))/epsilon with
 *              m = floor(ln(2k)/(2 alpha^2)) + 1, for the best of 64 values of alpha (errata 80, 81)
 *   cube-root  Theorem 6.12: a n, a the root of epsilon n a^3 = 16 ln N ln k + 4 a^2 ln(1/beta), with
 *              SmallDB run at a/2 (erratum 82)
 *   nothing    half of the number of people, if that is public: no data are used
 *
 * Limits for the hardest k queries: no mechanism has an error a that violates one of them. d = 2a + 1, delta_d = delta (e^(d epsilon) - 1)/(e^epsilon - 1), the delta of groups of d people:
 *   one count  two tables that differ by d people in one bin have no answer within a of both:
 *              1 - beta <= e^(d epsilon) beta + delta_d
 *   packing    K = min(k, N) tables of d people in one bin each: no answer is within a of two of them, and
 *              all are d people away from the empty one: K e^(-d epsilon) (1 - beta - delta_d) <= 1
 *   rebuild    n' = min(log2 k, N, n) people, each present or not, and a query for each set of them: tables that
 *              agree with all answers within a differ in at most 4a people (Dinur, Nissim 2003), but privacy makes
 *              a guess about each person wrong with probability (1 - delta)/(1 + e^epsilon) at least:
 *              4a + n' beta >= n' (1 - delta)/(1 + e^epsilon)
 *
 * Claim  linear-bounds.enough  an error that is called enough is rounded up
 * Claim  linear-bounds.limit   no mechanism promises an integer error below a limit; limits are rounded down
 */
#ifndef LAB_EXPERIMENT_SURVEY_EXAMPLES_H
#define LAB_EXPERIMENT_SURVEY_EXAMPLES_H

#include "lab/lab.h"

typedef struct lab_linear_bound {
    const char *name; /* constant text */
    bool is_limit;    /* true: no mechanism promises less; false: this error is enough */
    double error;     /* of a sum; infinite if nothing is known */
    const char *source;
} lab_linear_bound;

#define LAB_LINEAR_BOUNDS 8

typedef struct lab_linear_bounds {
    char text[512]; /* the question, with reduced numbers */
    lab_linear_bound list[LAB_LINEAR_BOUNDS];
    size_t count;
} lab_linear_bounds;

/* line is "queries=K bins=N people=N epsilon=R [delta=R] [confidence=R]". SCRIM_E_PARAM, SCRIM_E_LIMIT,
 * SCRIM_E_SYNTAX as for the line of a mechanism. out is untouched on failure. */
SCRIM_MUST_USE scrim_status lab_linear_bounds_of(const char *line, lab_linear_bounds *out,
                                                 scrim_error *error);

/* ln C(N+m-1, m), the logarithm of the number of multisets of m people; rounded up. */
double lab_linear_multisets(uint64_t bins, uint64_t people);
/* The root of Theorem 6.12, rounded up by less than 1e-9. */
double lab_linear_cube_root(uint64_t queries, uint64_t bins, uint64_t people,
                            double epsilon, double beta);

/* The survey's sale (4.1.2): buyers who keep their valuations private, a seller who chooses one price.
 *
 * A buys for at most 1, B for 1.01, C for 3.01: the price 1 earns 3, 1.01 earns 2.02, 3.01 earns 3.01,
 * and 3.02 earns nothing. The exponential mechanism chooses among public prices with the revenue as
 * score. Its sensitivity is the largest price, not 1 (erratum 57): one buyer more raises no revenue by
 * more than that, and lowers none, so scores are monotone.
 *
 * Other prices and valuations may be given, up to LAB_PRICING_MOST of each, in hundredths.
 *
 * For 1, 10, 100 and 1000 times these buyers: the exact distribution of the chosen price, the
 * expected revenue, and the loss, by Theorem 4.5 with the confidence and by the distribution.
 *
 * Claim  pricing.exact  probabilities and expectations are those of the exact distribution, with a
 *                       relative error of at most 1e-12; a probability below 1e-300 is 0
 * Claim  pricing.loss   the loss by the distribution is at most that of the theorem
 */
#define LAB_PRICING_MOST 32
#define LAB_PRICING_CROWDS 4

typedef struct lab_pricing_crowd {
    uint64_t buyers;
    double chance[LAB_PRICING_MOST];
    double best;       /* revenue at the best price */
    double expected;   /* at the price that is chosen */
    double loss_bound; /* by the theorem, with the confidence */
    double loss;       /* the smallest that is not exceeded with the confidence */
    double nothing;    /* probability of a price that nobody pays */
} lab_pricing_crowd;

typedef struct lab_pricing {
    size_t prices, valuations; /* how many */
    double price[LAB_PRICING_MOST];
    unsigned
        buyers[LAB_PRICING_MOST]; /* how many pay the price, of one buyer a valuation */
    double revenue[LAB_PRICING_MOST]; /* from these buyers */
    lab_pricing_crowd crowd[LAB_PRICING_CROWDS];
    /* Probability that noise on the largest valuation gives a price that nobody pays. */
    double overstep;
    char text[256]; /* the line of the mechanism */
} lab_pricing;

/* line is "[prices=R,R,...] [valuations=R,R,...]", "" for the survey's sale; epsilon and confidence are
 * exact text, as for the line of a mechanism. out is untouched on failure. */
SCRIM_MUST_USE scrim_status lab_pricing_of(const char *line, const char *epsilon,
                                           const char *confidence, lab_pricing *out,
                                           scrim_error *error);

#endif
