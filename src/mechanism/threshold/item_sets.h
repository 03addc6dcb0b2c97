/* Frequent item sets: how many transactions hold each set of items, shown where that reaches a
 * threshold.
 *
 * Input       rows of `length` cells: a transaction, its items as integers from 1 to
 *             SC_ITEM_MAX; other cells hold none. Of its distinct items at most l are used (items, or
 *             length where that is smaller): those with the smallest public hash of the transaction and
 *             the item
 * Output      of each set of 1 to s items (size) that some transaction holds, by size and then by its
 *             items, the number of transactions plus noise where that is at least T; at most
 *             SC_ITEM_SETS_SHOWN sets
 * Neighbours  one unit is one transaction, or at most r of them (max-rows), added, removed or replaced
 * Claim       item-sets.truncation  one transaction holds at most M = C(l,1) + .. + C(l,s) sets that
 *                                   are counted, and which ones follows from that transaction alone
 * Claim       item-sets.privacy     (epsilon, delta)-DP: the cost is that of threshold-laplace, or of
 *                                   threshold-gaussian (noise), with max-groups = M, and with
 *                                   max-total = r M where r is given
 * Claim       item-sets.exact       the law is exactly that
 * Claim       item-sets.accuracy    a set of the stated number of counted transactions or more is shown
 *                                   with the stated probability; its count is within the radius of
 *                                   values
 * Claim       item-sets.wiped       of the noise at most the last draw stays on the stack
 * Time        depends on the number of sets and on the noise
 * Reference   Zeng, Naughton, Cai 2012, for truncation; spec/synthetic.md 8; spec/thresholding.md 3, 8
 *
 * Proof. A transaction is mapped alone, so that one more or one less changes the counts of at most M
 * sets by 1 each: the units of a group are the transactions of a set. Truncation by frequencies in the
 * data has no such bound: of 50 transactions {a,b} and three of each item alone, l = 1, one more {b}
 * moves the counts from (53, 3) to (3, 54). Sets beyond SC_ITEM_SETS_SHOWN are cut from the release.
 *
 * Counts are those of truncated transactions: a set of k items in one of t > l items is counted with
 * probability C(t-k, l-k) / C(t, l) over the hashes.
 */
#ifndef SC_MECHANISM_ITEMS_ITEM_SETS_H
#define SC_MECHANISM_ITEMS_ITEM_SETS_H

#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/measurement.h"
#include "sampling/blocks.h"

#define SC_ITEM_PLACE_BITS 60 /* of a set, in all */
#define SC_ITEM_BITS 20       /* of an item */
#define SC_ITEM_MAX (((int64_t)1 << SC_ITEM_BITS) - 1)
#define SC_ITEM_SETS_LENGTH 64     /* cells of a row */
#define SC_ITEM_SETS_ITEMS 16      /* used of a transaction */
#define SC_ITEM_SETS_SIZE 3        /* items of a set */
#define SC_ITEM_SETS_OF_ONE 256    /* sets of one transaction */
#define SC_ITEM_SETS_SHOWN 1048576 /* sets of an answer */

/* The parameters of transactions, for the lists. */
#define SC_PARAMETERS_TRANSACTION                                                        \
    {.name = "length",                                                                   \
     .kind = SC_PARAMETER_INTEGER,                                                       \
     .at_least = "1",                                                                    \
     .limit_high = "64",                                                                 \
     .domain = "how many cells a row has, an integer from 1 to 64"},                     \
    {                                                                                    \
        .name = "items", .kind = SC_PARAMETER_INTEGER, .at_least = "1",                  \
        .limit_high = "16",                                                              \
        .domain =                                                                        \
            "how many items of a transaction are used, an integer from 1 to 16; no "     \
            "more than length count"                                                     \
    }
#define SC_PARAMETER_TRANSACTIONS                                                        \
    SC_RULE_COUNT("max-rows", "2^20",                                                    \
                  "how many transactions one unit may have, an integer from 1 to "       \
                  "1048576")

extern const sc_mechanism sc_item_sets;

/* Cells of a row, items that are used of a transaction, and the most items of a set. */
typedef struct sc_item_shape {
    size_t length, items, size;
} sc_item_shape;

/* The items of a transaction that are used: the parameter items, but no more than its cells (length). */
size_t sc_item_sets_used(const scrim_measurement *m);
/* The number of sets of 1 to size items among `items` items. */
uint64_t sc_item_sets_of(uint64_t items, uint64_t size);
/* The distinct items of a row, in order, at most `items` of them; returns their number. out has room for
 * SC_ITEM_SETS_LENGTH. The second form leaves out those that are not among a list in order, and hashes
 * the same: an item that the first form uses stays in use wherever it is in the list. */
size_t sc_item_sets_truncate(const int64_t *row, size_t length, size_t items,
                             int64_t *out);
size_t sc_item_sets_truncate_among(const int64_t *row, size_t length, size_t items,
                                   const int64_t *among, size_t among_count,
                                   int64_t *out);
/* The places of the sets of up to size items of a transaction that is in order; returns how many. out
 * has room for SC_ITEM_SETS_OF_ONE. */
size_t sc_item_sets_places(const int64_t *items, size_t count, size_t size,
                           uint64_t *out);

/* An item from 1 to max, or 0 for none; value may be NULL. */
int64_t sc_item_sets_item(const sc_ratio *value, int64_t max);
/* "3+17": the items of a place, `bits` bits each; as snprintf. 0: there is no such place. */
size_t sc_item_sets_label(uint64_t place, unsigned bits, char *text, size_t capacity);

/* How many transactions hold each set of up to size items, at most 3; cleared in any case.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_item_sets_tally(const sc_item_shape *shape,
                                               const sc_private_input *input,
                                               sc_place_tally *tally, scrim_error *error);

/* Sets in order, their counts, the noise, and from where on they are shown. */
typedef struct sc_item_counts {
    const sc_blocks *blocks;
    const uint64_t *sets;
    const int64_t *counts;
    size_t count;
    int64_t threshold;
} sc_item_counts;

/* Appends a place and a value for each set that is shown, as far as there is room. */
SCRIM_MUST_USE scrim_status sc_item_sets_draw(const sc_item_counts *counts, sc_bits *bits,
                                              sc_draw *out, scrim_error *error);
/* All sets of a tally, by a measurement that begins with an sc_noisy_threshold: drawn into out, and their
 * law (unit_counts.h). */
SCRIM_MUST_USE scrim_status sc_item_sets_draw_all(const sc_item_shape *shape,
                                                  const scrim_measurement *threshold,
                                                  sc_bits *bits,
                                                  const sc_private_input *input,
                                                  sc_draw *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_item_sets_law(const scrim_measurement *threshold,
                                             const sc_place_tally *tally, long bits,
                                             sc_outcomes *out, scrim_error *error);

/* Neighbours: equal transactions of a number of items, and beside them those of one unit. */
typedef struct sc_item_pair {
    size_t length; /* cells of a row */
    size_t items, others, own;
    size_t
        replaced; /* items that the unit's transactions have in x; 0 under add-remove */
    bool is_replace;
} sc_item_pair;
void sc_item_sets_pair(const sc_item_pair *rows, sc_pair *out);
/* Is the noise, but for 2^-64 of it, short enough for the law of three counts? */
bool sc_item_sets_is_short(const sc_law *noise);
/* Does the law list every answer about `sets` sets, each held by at most `count` transactions? */
bool sc_item_sets_is_listed(const sc_noisy_threshold *threshold, size_t sets,
                            int64_t count);
/* Else it is that of how many sets are shown: of n > 0 the key has the place 0, which no set has, and n. Against
 * an input of which nothing is shown it has all divergences of the answers. */
SCRIM_MUST_USE scrim_status sc_item_sets_shown_law(const sc_noisy_threshold *threshold,
                                                   const sc_place_tally *tally, long bits,
                                                   sc_outcomes *out, scrim_error *error);

/* Makes the state for counts of which one unit changes at most `changed`, or rows times that in all where
 * rows is not 0: .check passes what is true. */
SCRIM_MUST_USE scrim_status sc_item_sets_make(scrim_measurement *measurement,
                                              uint64_t changed, uint64_t rows,
                                              scrim_error *error);

#endif
