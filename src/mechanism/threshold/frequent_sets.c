#include "mechanism/threshold/frequent_sets.h"

#include "base/memory.h"
#include "mechanism/threshold/item_family.h"
#include "mechanism/threshold/item_sets.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/domain.h"

#include <stdlib.h>

#define BITS 256

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-16", "1000",
                     "a rational above 0, from 1.6e-5 to 1000"),
    SC_PARAMETER_SHOWN_DELTA,
    SC_PARAMETERS_TRANSACTION,
    {.name = "size",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "6",
     .domain = "how many items a set may have, an integer from 1 to 6"},
    {.name = "frequent",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^59",
     .domain = "the noisy count from which on a set is frequent, an integer from 1 to "
               "5.7e17"},
    SC_PARAMETER_TRANSACTIONS,
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct state {
    size_t length, items, size;
    unsigned bits; /* of an item */
    int64_t frequent;
    uint64_t rows, sides;
    sc_ratio shares[SC_ITEM_FAMILY_SIZE]; /* of epsilon, by size */
    scrim_measurement *first;             /* the threshold for the items */
    sc_curve noise;                       /* of all sizes together */
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

static const sc_laplace_threshold *first_of(const state *s)
{
    return s->first->state;
}

/* Making one. */

/* epsilon_k = epsilon C(l,k) / (C(l,1) + .. + C(l,s)). */
static void set_shares(const scrim_measurement *m, state *s, bool is_whole)
{
    const uint64_t all = sc_item_sets_of(s->items, s->size);
    SC_OWN(sc_ratio, part);
    for (size_t k = 1; k <= s->size; k++) {
        const uint64_t own =
            sc_item_sets_of(s->items, k) - sc_item_sets_of(s->items, k - 1);
        sc_ratio_set_quotient(&part, is_whole ? 1 : (int64_t)own,
                              is_whole ? 1 : (int64_t)all);
        sc_ratio_mul(&s->shares[k - 1], sc_measurement_get(m, "epsilon"), &part);
    }
}

/* The items: a threshold that is no smaller than frequent, and what it gives away. */
static scrim_status make_first(const scrim_measurement *m, state *s, size_t charged,
                               scrim_error *error)
{
    SC_OWN(sc_ratio, groups);
    sc_ratio_set_int128(&groups, (sc_int128)charged * s->rows);
    const sc_argument list[] = {
        {.name = "epsilon", .values = &s->shares[0]},
        {.name = "delta", .values = sc_measurement_get(m, "delta")},
        {.name = s->rows > 1 ? "max-total" : "max-groups", .values = &groups},
        {.name = "neighbours",
         .word = scrim_neighbours_name(sc_measurement_neighbours(m))}};
    const scrim_status status = sc_measurement_of(
        &sc_threshold_laplace, list, sizeof list / sizeof *list, &s->first, error);
    if (status != SCRIM_OK)
        return status;
    sc_laplace_threshold *first = s->first->state;
    if (first->shown.threshold < s->frequent)
        first->shown.threshold = s->frequent;
    sc_new_groups_mass(&first->own, &first->shown.noise, first->shown.threshold, BITS,
                       &first->mass);
    return SCRIM_OK;
}

scrim_status sc_frequent_sets_make(scrim_measurement *m, bool is_whole, size_t charged,
                                   scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    s->length = (size_t)sc_measurement_integer(m, "length", 1);
    s->items = sc_item_sets_used(m);
    s->size = (size_t)sc_measurement_integer(m, "size", 1);
    s->frequent = sc_measurement_integer(m, "frequent", 1);
    s->rows = (uint64_t)sc_measurement_integer(m, "max-rows", 1);
    s->sides = sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 : 1;
    s->bits = SC_ITEM_PLACE_BITS / (unsigned)s->size;
    s->bits = s->bits < SC_ITEM_BITS ? s->bits : SC_ITEM_BITS;
    for (size_t k = 0; k < SC_ITEM_FAMILY_SIZE; k++)
        sc_ratio_init(&s->shares[k]);
    sc_curve_init(&s->noise);
    sc_curve_set_pure(&s->noise, sc_measurement_get(m, "epsilon"));
    set_shares(m, s, is_whole);
    m->domain.count_min = 0;
    return make_first(m, s, charged, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    return sc_frequent_sets_make(m, false, sc_item_sets_used(m), error);
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    for (size_t k = 0; k < SC_ITEM_FAMILY_SIZE; k++)
        sc_ratio_clear(&s->shares[k]);
    sc_curve_clear(&s->noise);
    scrim_measurement_free(s->first);
    sc_free(s);
}

/* The cost. */

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const state *s = curve->context;
    sc_noisy_threshold_delta(&s->noise, &first_of(s)->mass, epsilon, bits, out);
}

static const sc_curve_functions curve_functions = {.name = "frequent-sets",
                                                   .delta = curve_delta};

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_noisy_threshold_cost(m, &first_of(state_of(m))->mass, &curve_functions, out);
    return SCRIM_OK;
}

/* A set of s items has 2^s - 1 subsets that are shown, each with failures of its own; no later noise is
 * longer than that of the items. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_int128 held = 0, radius = 0;
    (void)count;
    SC_OWN(sc_ratio, part, number);
    sc_ratio_set_int64(&number, ((int64_t)1 << s->size) - 1);
    sc_ratio_div(&part, beta, &number);
    sc_ratio_set_int64(&number, 1);
    sc_ratio_sub(&number, &number, &part);
    SC_TRY(sc_noisy_threshold_units(s->first, &number, &held, error));
    SC_TRY(sc_law_radius(&first_of(s)->shown.noise, beta, &radius, error));
    sc_ratio_set_int128(&number, held);
    sc_certificate_pac(out, &number, beta,
                       "rarer sets, which may be left out; that a count is shown "
                       "only where it is large; items left out of long "
                       "transactions, so that counts are too low; sets beyond the "
                       "256 most frequent items and beyond 32768 candidates");
    sc_ratio_set_int128(&number, radius);
    sc_certificate_add_value_radius(out, &number);
    return SCRIM_OK;
}

/* Counting. */

static size_t row_width(const scrim_measurement *m)
{
    return state_of(m)->length;
}

static int64_t place(const scrim_measurement *m, size_t index, const sc_ratio *value)
{
    (void)index;
    return sc_item_sets_item(value, ((int64_t)1 << state_of(m)->bits) - 1);
}

/* The items alone. */
static sc_item_shape items_of(const state *s)
{
    return (sc_item_shape){.length = s->length, .items = s->items, .size = 1};
}

static void count_candidates(const state *s, const sc_private_input *input,
                             const sc_item_family *family, int64_t *counts)
{
    for (size_t at = 0; at + s->length <= input->count; at += s->length) {
        int64_t items[SC_ITEM_SETS_LENGTH];
        const size_t used =
            sc_item_sets_truncate_among(input->values + at, s->length, s->items,
                                        family->items, family->item_count, items);
        sc_item_family_count(family, items, used, counts);
    }
}

/* The scale of the noise on candidates: D_k / epsilon_k. */
static void scale_of(const state *s, const sc_item_family *family, sc_ratio *out)
{
    const uint64_t most = sc_item_family_most(family, s->items);
    const uint64_t sets =
        s->sides * most < family->count ? s->sides * most : family->count;
    sc_ratio_set_int128(out, (sc_int128)sets * s->rows);
    sc_ratio_div(out, out, &s->shares[family->size - 1]);
}

/* Drawing. */

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    const state *s = state_of(m);
    const size_t items = count / s->length * s->items;
    return 2 * ((items < SC_ITEM_SETS_SHOWN ? items : SC_ITEM_SETS_SHOWN) +
                (s->size - 1) * SC_ITEM_FAMILY_MAX);
}

static scrim_status draw_candidates(const state *s, sc_bits *bits,
                                    const sc_private_input *input,
                                    const sc_item_family *family, sc_draw *out,
                                    scrim_error *error)
{
    sc_blocks blocks;
    int64_t *counts = sc_allocate(family->count, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "sets of items");
    SC_OWN(sc_ratio, scale);
    scale_of(s, family, &scale);
    scrim_status status = sc_blocks_init_shape(
        &blocks, &(sc_blocks_law){.sides = SC_SIDES_BOTH}, &scale, error);
    if (status == SCRIM_OK) {
        count_candidates(s, input, family, counts);
        const sc_item_counts sets = {.blocks = &blocks,
                                     .sets = family->sets,
                                     .counts = counts,
                                     .count = family->count,
                                     .threshold = s->frequent};
        status = sc_item_sets_draw(&sets, bits, out, error);
        sc_blocks_clear(&blocks);
    }
    sc_free_wiped(counts, family->count * sizeof *counts);
    return status;
}

/* The sets that were released last. */

typedef struct shown {
    uint64_t set;
    sc_int128 value;
} shown;

static int by_value(const void *left, const void *right)
{
    const shown *a = left, *b = right;
    return a->value != b->value ? (a->value < b->value ? 1 : -1)
                                : (a->set > b->set) - (a->set < b->set);
}

static int by_set(const void *left, const void *right)
{
    const shown *a = left, *b = right;
    return (a->set > b->set) - (a->set < b->set);
}

/* The candidates made of the released sets out[from ..], which have `size` items each. */
static scrim_status next_family(const state *s, const sc_draw *out, size_t from,
                                size_t size, sc_item_family *family, scrim_error *error)
{
    size_t count = (out->count - from) / 2;
    shown *list = sc_allocate(count, sizeof *list);
    uint64_t *sets = sc_allocate(count, sizeof *sets);
    scrim_status status =
        list == NULL || sets == NULL ? sc_no_memory(error, "sets of items") : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        list[i] =
            (shown){(uint64_t)out->values[from + 2 * i], out->values[from + 2 * i + 1]};
    if (status == SCRIM_OK && size == 1 && count > SC_FREQUENT_ITEMS) {
        qsort(list, count, sizeof *list, by_value);
        count = SC_FREQUENT_ITEMS;
        qsort(list, count, sizeof *list, by_set);
    }
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        sets[i] = list[i].set;
    if (status == SCRIM_OK)
        status = sc_item_family_next(sets, count, size, s->bits, family, error);
    sc_free(list);
    sc_free(sets);
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    const sc_item_shape items = items_of(s);
    size_t from = 0;
    scrim_status status =
        sc_item_sets_draw_all(&items, s->first, bits, input, out, error);
    for (size_t size = 1; status == SCRIM_OK && size < s->size && out->count > from + 2;
         size++) {
        sc_item_family family = {.sets = NULL};
        const size_t before = out->count;
        status = next_family(s, out, from, size, &family, error);
        if (status == SCRIM_OK && family.count > 0)
            status = draw_candidates(s, bits, input, &family, out, error);
        from = before;
        sc_item_family_clear(&family);
    }
    if (status != SCRIM_OK) {
        sc_wipe(out->values, out->count * sizeof *out->values);
        out->count = 0;
    }
    return status;
}

static size_t bar_label(const scrim_measurement *m, uint64_t at, char *text,
                        size_t capacity)
{
    const state *s = state_of(m);
    return at >> (s->bits * s->size) != 0
               ? 0
               : sc_item_sets_label(at, s->bits, text, capacity);
}

/* The law: of one item, of several without pairs, or of two and their pair, a key as in
 * unit_counts.h. With more items it is the law of the number of sets shown. */

static size_t law_width(const scrim_measurement *m, size_t count)
{
    (void)m, (void)count;
    return SC_PLACE_TALLY_WIDTH;
}

/* The candidate of two items: its place, and the law of what is shown of it. */
typedef struct pair_law {
    uint64_t place;
    sc_outcomes values;
} pair_law;

static scrim_status list_pair(const state *s, const sc_private_input *input,
                              const sc_place_tally *t, long bits, pair_law *out,
                              scrim_error *error)
{
    int64_t count = 0;
    sc_law noise;
    sc_item_family family = {.sets = NULL};
    SC_OWN(sc_ratio, scale);
    scrim_status status =
        sc_item_family_next(t->places, t->count, 1, s->bits, &family, error);
    if (status == SCRIM_OK) {
        out->place = family.sets[0];
        count_candidates(s, input, &family, &count);
        scale_of(s, &family, &scale);
        sc_law_init(&noise, &sc_discrete_laplace_law, &scale, 0);
        status = sc_noisy_threshold_list(&noise, s->frequent, count, bits, &out->values,
                                         error);
        sc_law_clear(&noise);
    }
    sc_item_family_clear(&family);
    return status;
}

/* Both items are shown: the pair is a candidate. */
static scrim_status add_pair(const pair_law *pair, const int64_t *items,
                             const sc_ball *mass, long bits, sc_outcomes *out,
                             scrim_error *error)
{
    int64_t key[SC_PLACE_TALLY_WIDTH] = {items[0], items[1], items[2], items[3],
                                         -1,       -1,       -1,       -1};
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, both);
    for (size_t i = 0; status == SCRIM_OK && i < pair->values.count; i++) {
        const int64_t value = pair->values.keys[i];
        const bool is_shown = value != SC_THRESHOLD_UNSEEN;
        key[4] = is_shown ? (int64_t)pair->place : -1;
        key[5] = is_shown ? value : -1;
        sc_ball_mul(&both, mass, &pair->values.mass[i], bits);
        status = sc_outcomes_add(out, key, &both, error);
    }
    return status;
}

static scrim_status add_pairs(const sc_outcomes *items, const pair_law *pair, long bits,
                              sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, more);
    sc_ball_set(&out->rest, &items->rest);
    for (size_t i = 0; status == SCRIM_OK && i < items->count; i++) {
        const int64_t *key = items->keys + i * items->width;
        if (pair != NULL && key[2] >= 0) {
            status = add_pair(pair, key, &items->mass[i], bits, out, error);
            sc_ball_mul(&more, &items->mass[i], &pair->values.rest, bits);
            sc_ball_add(&out->rest, &out->rest, &more, bits);
        } else
            status = sc_outcomes_add(out, key, &items->mass[i], error);
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_place_tally t = {.places = NULL};
    sc_outcomes items;
    pair_law pair = {.place = 0};
    sc_outcomes_init(&items, SC_PLACE_TALLY_WIDTH);
    sc_outcomes_init(&pair.values, 1);
    const sc_item_shape shape = items_of(s);
    scrim_status status = sc_item_sets_tally(&shape, input, &t, error);
    const bool has_pair = s->size > 1 && s->items > 1 && t.count == 2;
    const bool is_listed =
        has_pair
            ? sc_item_sets_is_short(&first_of(s)->shown.noise)
            : sc_item_sets_of(t.count, s->size) <= SC_PLACE_TALLY_LAW &&
                  sc_item_sets_is_listed(&first_of(s)->shown, t.count, (int64_t)s->rows);
    if (status == SCRIM_OK && !is_listed)
        status = sc_item_sets_shown_law(&first_of(s)->shown, &t, bits, out, error);
    if (status == SCRIM_OK && is_listed)
        status = sc_item_sets_law(s->first, &t, bits, &items, error);
    if (status == SCRIM_OK && is_listed && has_pair)
        status = list_pair(s, input, &t, bits, &pair, error);
    if (status == SCRIM_OK && is_listed)
        status = add_pairs(&items, has_pair ? &pair : NULL, bits, out, error);
    sc_outcomes_clear(&pair.values);
    sc_outcomes_clear(&items);
    sc_place_tally_clear(&t);
    return status;
}

/* Neighbours: one transaction more or another one, of two items where noise is short, among equal
 * transactions; and a full one against none, which alone can show all of its items. */

#define PAIRS 5

static size_t room_of(const state *s)
{
    return SC_PAIR_VALUES / s->length;
}

static size_t most_items(const state *s)
{
    return s->length < s->items ? s->length : s->items;
}

static size_t pair_count(const scrim_measurement *m)
{
    const state *s = state_of(m);
    return s->rows > room_of(s) ? 0 : PAIRS + (most_items(s) > 1);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const state *s = state_of(m);
    const bool has_pairs = s->length > 1 && s->items > 1 && s->size > 1;
    const bool is_short = sc_item_sets_is_short(&first_of(s)->shown.noise);
    const size_t spare = room_of(s) - (size_t)s->rows;
    const bool is_last = index == PAIRS;
    sc_item_sets_pair(&(sc_item_pair){.length = s->length,
                                      .items = is_last                 ? most_items(s)
                                               : has_pairs && is_short ? 2
                                                                       : 1,
                                      .others = is_last ? 0 : index * spare / (PAIRS - 1),
                                      .own = (size_t)s->rows,
                                      .replaced = has_pairs || is_last ? 0 : 1,
                                      .is_replace = s->sides == 2},
                      out);
}

const sc_mechanism sc_frequent_sets = {
    .entry = {.name = "frequent-sets",
              .parameters = "epsilon=R delta=R length=N items=N size=N frequent=N "
                            "[max-rows=N]",
              .input = "transactions",
              .claim = "(epsilon, delta)-DP; noisy counts of frequent item sets, of "
                       "larger ones among those whose parts are frequent",
              .does = "Finds frequent sets of items step by step: pairs of frequent "
                      "items, then triples of frequent pairs. One cost covers all "
                      "steps.",
              .example = "epsilon=20 delta=1e-3 length=3 items=2 size=2 frequent=3 "
                         "neighbours=add-remove",
              .example_input = "1,2,\n2,1,\n2,1,3\n1,2,\n1,2,\n",
              .reference = "Zeng, Naughton, Cai: On Differentially Private Frequent "
                           "Itemset Mining, 2012, truncation and candidates by size; "
                           "erratum 160"},
    SC_MECHANISM_PARAMETERS,
    .clamps_itself = true,
    .input_is_rows = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .bar_name = "items",
    .bar_label = bar_label,
    .place = place,
    .row_width = row_width,
    .width = law_width,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
