/* Item sets whose sensitivity is taken to be smaller than it is. */
#include "audit/broken.h"
#include "mechanism/threshold/frequent_sets.h"
#include "mechanism/threshold/item_sets.h"
#include "mechanism/threshold/threshold_laplace.h"

/* A transaction is charged for its items, and counts in their sets as well. */

static scrim_status narrow_check(scrim_measurement *m, scrim_error *error)
{
    return sc_item_sets_make(m, (uint64_t)sc_measurement_integer(m, "items", 1), 0,
                             error);
}

static sc_mechanism narrow;

__attribute__((constructor)) static void make_narrow(void)
{
    narrow = sc_item_sets;
    narrow.entry.name = "item-sets-broken";
    narrow.check = narrow_check;
    narrow.draw = broken_draw;
}

BROKEN(item_sets_charged_for_items,
       .wrong = "a transaction of two items is charged for two counts, not for three",
       .mechanism = &narrow, .line = "epsilon=9 delta=1e-3 length=2 items=2 size=2",
       .kind = BROKEN_DELTA, .at = "9", .size = "0.956653141487869",
       .source = "three counts with noise of rate 9/2 that all move by 1; "
                 "spec/synthetic.md 8")

/* The same with long noise: of one item alone no pair shows it, only a full transaction against none. */
BROKEN(item_sets_charged_for_items_long_noise,
       .wrong = "a transaction of four items is charged for four counts, not for ten",
       .mechanism = &narrow, .line = "epsilon=1 delta=1e-3 length=4 items=4 size=2",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.002418896324969", .claimed = "0.001",
       .source = "1 - (1 - p)^10, p = q^(T-1)/(1+q), q = exp(-1/4), T = 32 the least "
                 "with 1 - (1 - p)^4 <= 0.001")

/* From each transaction the item that most transactions hold is used: one of two, which others decide. */

static scrim_status often_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    int64_t holds[2] = {0, 0}, counts[2] = {0, 0};
    for (size_t i = 0; i + 1 < input->count; i += 2)
        for (int k = 0; k < 2; k++)
            holds[k] += input->values[i + (size_t)k];
    const int often = holds[1] > holds[0];
    for (size_t i = 0; i + 1 < input->count; i += 2)
        if (input->values[i + (size_t)often] > 0)
            counts[often]++;
        else if (input->values[i + (size_t)!often] > 0)
            counts[!often]++;
    const sc_private_input counted = {.values = counts, .count = 2};
    return sc_threshold_laplace.law(m, &counted, bits, out, error);
}

static size_t two(const scrim_measurement *m, size_t count)
{
    (void)m, (void)count;
    return 2;
}

/* Three transactions {a,b} and one of each alone; one more {b}: (4, 1) becomes (1, 5). */
static void often_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m, (void)index;
    *out = (sc_pair){.x = {1, 1, 1, 1, 1, 1, 1, 0, 0, 1},
                     .y = {1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 1},
                     .x_count = 10,
                     .y_count = 12};
}

static sc_mechanism often;

__attribute__((constructor)) static void make_often(void)
{
    often = sc_threshold_laplace;
    often.entry.name = "truncation-by-data-broken";
    often.input_is_rows = true;
    often.draw = broken_draw;
    often.width = two;
    often.law = often_law;
    often.pair_count = broken_one_pair;
    often.pair = often_pair;
    often.change = NULL;
}

BROKEN(item_sets_truncated_by_data,
       .wrong = "transactions keep the items that are frequent in the data",
       .mechanism = &often, .line = "epsilon=1 delta=1e-2", .kind = BROKEN_DELTA,
       .at = "1", .size = "0.255551616437297",
       .source = "counts (4, 1) and (1, 5); spec/synthetic.md 8, "
                 "v:itemset_truncation_by_data")

/* Each size has all of epsilon, and they are charged as one. */

static scrim_status whole_check(scrim_measurement *m, scrim_error *error)
{
    return sc_frequent_sets_make(m, true, (size_t)sc_measurement_integer(m, "items", 1),
                                 error);
}

static sc_mechanism whole;

__attribute__((constructor)) static void make_whole(void)
{
    whole = sc_frequent_sets;
    whole.entry.name = "frequent-sets-broken";
    whole.check = whole_check;
    whole.draw = broken_draw;
}

BROKEN(frequent_sets_charged_once,
       .wrong = "items and pairs have epsilon each, and epsilon is charged",
       .mechanism = &whole,
       .line = "epsilon=9 delta=1e-3 length=2 items=2 size=2 frequent=3",
       .kind = BROKEN_DELTA, .at = "9", .size = "0.977905431621",
       .source = "two counts with noise of rate 9/2 and one of rate 9 that all move by 1")

/* The items of a transaction are charged as one. */

static scrim_status one_check(scrim_measurement *m, scrim_error *error)
{
    return sc_frequent_sets_make(m, false, 1, error);
}

static sc_mechanism one_item;

__attribute__((constructor)) static void make_one_item(void)
{
    one_item = sc_frequent_sets;
    one_item.entry.name = "frequent-sets-of-one";
    one_item.check = one_check;
    one_item.draw = broken_draw;
}

BROKEN(frequent_sets_charged_for_one_item,
       .wrong = "a transaction of three items is charged for one", .mechanism = &one_item,
       .line = "epsilon=1 delta=1e-3 length=3 items=3 size=2 frequent=3",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.00280486275128", .claimed = "0.001",
       .source = "1 - (1 - p)^3, p = q^(T-1)/(1+q), q = exp(-1/2), T = 14 the least "
                 "with p <= 0.001")
