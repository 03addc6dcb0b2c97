/* The mechanism `body-extension`, and first its score: how far a value is from the quantile of some
 * typical table that is near the one at hand.
 *
 * With a step D, K ranks and a window [lo, hi], a table of n rows is typical when its k-th row lies in the window and
 *
 *     x_(k+i) - x_(k) <= i D  and  x_(k) - x_(k-i) <= i D     for i = 1 .. K
 *
 * by its order statistics, as counts of rows would not do where rows are equal. Moving m <= K rows of a typical table to another
 * typical one moves the k-th by at most m D. The score of t on any table x is
 *
 *     S(t) = max over v in the window of  min(floor(|t - v|/D), K) - moved(v),   and -clip where it would be less,
 *
 * moved(v) the fewest rows of x whose replacement makes it typical with quantile v. It moves by at most 1 with a row of x, for
 * every x, since moved does; on typical tables it is min(floor(|t - x_(k)|/D), K).
 *
 * moved(v) = a(v) + b(v), where a(v) <= s exactly when v >= A_s and b(v) <= s exactly when v <= B_s:
 *
 *     A_s = max over i = 0 .. K of x_(k-s+i) - i D,   B_s = min over i = 0 .. K of x_(k+s-i) + i D
 *
 * as far as these rows exist. The best v is one of A_s, B_s, lo and hi, s <= K + clip. So the values of score at most j are an
 * interval, and a draw visits K + clip + 1 shells without looking at any value.
 *
 * Claim  extension.exact   scores are those of the definition, for every table (all of 38,745 comparisons with enumeration)
 * Claim  extension.stable  replacing a row moves every score by at most 1
 *
 * Reference  spec/floating-body.md 5
 */
#ifndef SC_MECHANISM_BODY_BODY_EXTENSION_H
#define SC_MECHANISM_BODY_BODY_EXTENSION_H

#include "base/status.h"
#include "model/mechanism.h"

#include <stddef.h>
#include <stdint.h>

#define SC_EXTENSION_LEVELS 4096

/* Public. Values are integers below 2^61 in size. */
typedef struct sc_extension_rule {
    int64_t low, high; /* of the window */
    int64_t step;      /* D */
    uint64_t reach;    /* K, from 1 on */
    uint64_t clip;
} sc_extension_rule;

/* Rows that are read on either side of the k-th: K + clip, and K more. */
static inline uint64_t sc_extension_width(const sc_extension_rule *rule)
{
    return 2 * rule->reach + rule->clip;
}

/* The row of a rank, from 1 to count. */
typedef int64_t sc_extension_row(const void *context, uint64_t rank);

typedef struct sc_extension_table {
    const void *context;
    sc_extension_row *row;
    uint64_t count, k; /* reach < k <= count - reach */
} sc_extension_table;

/* One value of the window with how many rows it takes. */
typedef struct sc_extension_place {
    int64_t value;
    uint64_t moved;
} sc_extension_place;

typedef struct sc_extension_score {
    sc_extension_rule rule;
    sc_extension_place *places;
    size_t count;
} sc_extension_score;

/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_extension_score_init(sc_extension_score *score,
                                                    const sc_extension_rule *rule,
                                                    scrim_error *error);
void sc_extension_score_clear(sc_extension_score *score); /* wipes */

void sc_extension_score_find(sc_extension_score *score, const sc_extension_table *table);

/* The values from low - reach D to high + reach D whose score is at most level - clip: first .. last, and none where last <
 * first. level is from 0 to reach + clip. */
void sc_extension_interval(const sc_extension_score *score, uint64_t level,
                           int64_t *first, int64_t *last);

/* The extension of a published mechanism from typical tables to all of them, in one dimension and exactly.
 *
 * Input       rows, each clamped to the range of answers and put on the grid; a unit owns one row, and their number is public
 * Output      a value t of [lower - reach spacing, upper + reach spacing] with probability proportional to w[S(t) + clip], S as
 *             above, and w a ladder of integers of ratio exp(epsilon/2)
 * Neighbours  replace
 * Claim       body-extension.privacy   epsilon-DP and of epsilon-bounded range for every input, no delta
 * Claim       body-extension.accuracy  on a typical table the answer is within the radius of the k-th row, k = ceil(q n), with the
 *                                      confidence; on others nothing is promised
 * Claim       body-extension.total     nothing fails by what the rows are
 * Reference   spec/floating-body.md 5
 *
 * For the quantile of a column use `quantile`: it errs less for every input that was tried. This
 * one is for users who need the published guarantee. It needs more than reach/q rows, and at least
 * reach/(1 - q).
 *
 * Proof. S moves by at most 1 with a row, so that a weight, and the sum of all, changes by a factor of at most exp(epsilon/2). */

extern const sc_mechanism sc_body_extension;

#endif
