/* What a statistic of a released histogram found, and what is true of it.
 *
 * Two things are said of each. The statement holds on every run, without any probability, of the
 * histogram x of the data in their buckets: it is given as numbers and as a sentence. The triple is
 * the flexible accuracy of the statistic as a function of the data: up to alpha of them left out,
 * the value is within beta of that of the rest. Where no beta can be promised, the triple says so,
 * and the drop-move form remains.
 *
 * What is private (the size of x, how much of it was left out, how many places it has) is in none
 * of these numbers: a finding is a function of the released bars and of public facts.
 *
 * Reference  spec/flexible-accuracy.md 10, 11
 */
#ifndef SC_MECHANISM_HISTOGRAM_FINDING_H
#define SC_MECHANISM_HISTOGRAM_FINDING_H

#include "mechanism/histogram/bars.h"

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

    bool has_flexible; /* the total has none */
    sc_flexible_claim flexible;
    /* The drop-move form, which any statistic has: the value is exactly that of data of which at
     * most so many elements were left out, and the others moved by at most the error of the
     * buckets. */
    sc_uint128 dropped_most;
} sc_exact_finding;

/* Empty, with the certificates that the bars have. */
void sc_finding_init(sc_exact_finding *finding, sc_finding_kind kind,
                     const sc_bars *bars);
void sc_finding_clear(sc_exact_finding *finding);
/* The value is the centre of this place. */
void sc_finding_set_place(sc_exact_finding *finding, const sc_bars *bars,
                          const sc_bar *bar);
/* Nothing is shown at all: each bar of x holds at most q, and alpha is 1, all of it. */
void sc_finding_set_empty(sc_exact_finding *finding, const sc_bars *bars);

/* "max", "min", "range", "interval", "support", "quantile", "mode", "max-k", "total". */
const char *sc_finding_name(sc_finding_kind kind);
/* The statement as a sentence, with numbers that are exact where they are short and rounded so
 * that it stays true where they are not. As snprintf; SC_FINDING_TEXT_BYTES is enough. */
#define SC_FINDING_TEXT_BYTES 2048
size_t sc_finding_statement(const sc_exact_finding *finding, const sc_bars *bars,
                            char *text, size_t capacity);

#endif
