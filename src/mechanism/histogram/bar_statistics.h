/* Statistics of a released histogram: first a finding, its value and the statements that hold of it.
 *
 * Two things are said of each. The statement holds on every run, without any probability, of the
 * histogram x of the data in their buckets: it is given as numbers and as a sentence. The triple is
 * the flexible accuracy of the statistic as a function of the data: up to alpha of them left out,
 * the value is within beta of that of the rest. Where no beta can be promised, the triple says so,
 * and the drop-move form remains.
 *
 * These numbers hold no private fact (the size of x, how much of it was left out, how many places it
 * has): a finding is a function of the released bars and of public facts.
 *
 * Reference  spec/flexible-accuracy.md 10, 11
 */
#ifndef SC_MECHANISM_HISTOGRAM_BAR_STATISTICS_H
#define SC_MECHANISM_HISTOGRAM_BAR_STATISTICS_H

#include "mechanism/histogram/buckets.h"

typedef enum sc_finding_kind {
    SC_FINDING_MAX,
    SC_FINDING_MIN,
    SC_FINDING_RANGE,    /* the number max - min */
    SC_FINDING_INTERVAL, /* [min, max] */
    SC_FINDING_SUPPORT,  /* the places that are shown */
    SC_FINDING_QUANTILE,
    SC_FINDING_MODE,
    SC_FINDING_MAX_K, /* the last place that is shown with at least k */
    SC_FINDING_TOTAL
} sc_finding_kind;

typedef struct sc_exact_finding {
    sc_finding_kind kind;
    bool is_empty;  /* EMPTY: no bar is shown, or none with k; there is no value */
    uint64_t place; /* of the value, where it is one; else 0 */
    /* The number: a centre (of the first axis), a difference, how many places, how many
     * elements. */
    sc_ratio value;
    sc_ratio low,
        high; /* of SC_FINDING_INTERVAL and _RANGE: the ends; else both the value */

    /* True on every run. */
    uint64_t
        here_least; /* elements of x at the place of the value (of an interval, at each end), at
                          * least; for the support, in each of its places */
    /* No bar of x holds more: above the value (max, max_k), below it (min), outside of both ends
     * (range, interval), at a place that is not shown (support), anywhere at all (mode, total, and
     * whatever is EMPTY). */
    uint64_t bar_most;
    /* Elements of x in those bars together, at most; for the total, left out of all. */
    sc_uint128 beyond_most;
    /* Quantile: the value has a rank in x, 1 for the smallest, from the one to the other. Total:
     * the size of x is from the one to the other. Else both are 0. */
    uint64_t rank_low;
    sc_uint128 rank_high;

    bool has_flexible; /* false for the total */
    sc_flexible_claim flexible;
    /* The drop-move form, which any statistic has: the value is exactly that of data of which at
     * most dropped_most elements were left out, and the others moved by at most the error of the
     * buckets. */
    sc_uint128 dropped_most;
} sc_exact_finding;

void sc_finding_clear(sc_exact_finding *finding);

/* "max", "min", "range", "interval", "support", "quantile", "mode", "max-k", "total". */
const char *sc_finding_name(sc_finding_kind kind);
/* The statement as a sentence, with numbers that are exact where they are short and rounded so
 * that it stays true where they are not. As snprintf; SC_FINDING_TEXT_BYTES is enough. */
#define SC_FINDING_TEXT_BYTES 2048
size_t sc_finding_statement(const sc_exact_finding *finding, const sc_bars *bars,
                            char *text, size_t capacity);

/* Ends of a released histogram: maximum, minimum, range, support; and its total.
 *
 * Input       a released histogram y of x, with 0 <= x(g) - y(g) <= q, one axis (support and
 *             total: any number)
 * Output      a finding; EMPTY where no bar is shown (the support is then the empty set, the
 *             total 0)
 * Claim       extremes.run   on every run max_{1+q}(x) <= max(y) <= max(x), where max_k is the
 *                            last place that holds at least k; the mirror image for the minimum;
 *                            {x > q} is in the support of y, and that in the support of x;
 *                            |x| - q t <= |y| <= |x| for t places that are not empty
 * Claim       extremes.flexible  (alpha, beta, 0) for drop: beta is the error of the buckets for
 *                            maximum, minimum, interval and support (Hausdorff), twice that for the
 *                            range as a number; alpha what was left out
 * Time        linear in the bars shown at most
 * Reference   spec/flexible-accuracy.md 10
 */

/* Each initialises out, which the caller clears, unless it fails. SCRIM_E_PARAM where places have
 * no order: there is more than one axis. */
SCRIM_MUST_USE scrim_status sc_bars_max(const sc_bars *bars, sc_exact_finding *out,
                                        scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bars_min(const sc_bars *bars, sc_exact_finding *out,
                                        scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bars_range(const sc_bars *bars, sc_exact_finding *out,
                                          scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bars_interval(const sc_bars *bars, sc_exact_finding *out,
                                             scrim_error *error);
/* The value is how many places are shown; the places are those of bars. */
void sc_bars_support(const sc_bars *bars, sc_exact_finding *out);
void sc_bars_total(const sc_bars *bars, sc_exact_finding *out);

/* Statistics of a released histogram that look at heights: mode, and max_k, the last place that
 * holds at least k elements (not the k-th largest element).
 *
 * Input       a released histogram y of x; max_k: of one axis
 * Output      a finding; the first place of the largest count. EMPTY where no bar is shown, or
 *             none with k
 * Claim       mode.run    on every run x(mode(y)) >= max_g x(g) - q
 * Claim       mode.max-k  on every run max_{k+q}(x) <= max_k(y) <= max_k(x), where no such place is
 *                         below every place
 * Claim       mode.flexible  (alpha, 0, 0) for drop where places are single numbers. In buckets no
 *                         beta can be promised (for k = 1, the maximum, it can): moving elements by
 *                         any distance above 0 may move the value across the whole range. What
 *                         remains is the drop-move form
 * Time        linear in the bars shown
 * Reference   spec/flexible-accuracy.md 10, with the counterexamples
 */

void sc_bars_mode(const sc_bars *bars, sc_exact_finding *out);
/* SCRIM_E_PARAM for k = 0 or more than one axis, SCRIM_E_LIMIT above SC_BARS_COUNT_MAX; else the
 * caller clears out. */
SCRIM_MUST_USE scrim_status sc_bars_max_k(const sc_bars *bars, uint64_t k,
                                          sc_exact_finding *out, scrim_error *error);

/* Quantiles of a released histogram by the lower convention, inf {v : F(v) >= phi}: the place of
 * rank r = ceil(phi |y|), 1 for the smallest. The median is the quantile 1/2.
 *
 * Input       a released histogram y of x on one axis, phi rational in (0, 1]
 * Output      a finding; EMPTY where no bar is shown
 * Claim       bar-quantile.run  on every run the value is an element of x (in its bucket) that has
 *                            a rank there from r to r + q p, for at most p places below the value
 *                            that are not empty
 * Claim       bar-quantile.flexible  (alpha, beta, 0) for drop, beta the error of the buckets
 * Time        linear in the bars shown
 * Reference   spec/flexible-accuracy.md 10
 */

/* SCRIM_E_PARAM for a phi outside of (0, 1], or more than one axis. Else the caller clears out. */
SCRIM_MUST_USE scrim_status sc_bars_quantile(const sc_bars *bars, const sc_ratio *phi,
                                             sc_exact_finding *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bars_median(const sc_bars *bars, sc_exact_finding *out,
                                           scrim_error *error);

#endif
