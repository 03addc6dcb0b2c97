#include "mechanism/threshold/item_sets.h"

#include "base/checked.h"
#include "base/hash.h"
#include "base/memory.h"
#include "mechanism/threshold/threshold_gaussian.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/domain.h"

#include <stdlib.h>
#include <string.h>

static const char *const noises[] = {"laplace", "gaussian", NULL};

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SHOWN_EPSILON,
    SC_PARAMETER_SHOWN_DELTA,
    SC_PARAMETERS_TRANSACTION,
    {.name = "size",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "3",
     .domain = "how many items a set may have, 1, 2 or 3"},
    SC_PARAMETER_TRANSACTIONS,
    SC_RULE_WORD("noise", noises, "laplace or gaussian"),
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct state {
    sc_item_shape shape;
    scrim_measurement *counts; /* the threshold that is used */
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Sets. */

size_t sc_item_sets_used(const scrim_measurement *m)
{
    const size_t items = (size_t)sc_measurement_integer(m, "items", 1);
    const size_t length = (size_t)sc_measurement_integer(m, "length", 1);
    return items < length ? items : length;
}

uint64_t sc_item_sets_of(uint64_t items, uint64_t size)
{
    uint64_t sets = 0, choose = 1;
    for (uint64_t k = 1; k <= size && k <= items; k++) {
        choose = choose * (items - k + 1) / k;
        sets += choose;
    }
    return sets;
}

static size_t distinct_items(const int64_t *row, size_t length, int64_t *out)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < length; i++)
        if (row[i] >= 1 && row[i] <= SC_ITEM_MAX)
            out[count++] = row[i];
    if (count > 1)
        qsort(out, count, sizeof *out, sc_int64_order);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || out[kept - 1] != out[i])
            out[kept++] = out[i];
    return kept;
}

/* Which items are used is public arithmetic of the transaction. */
static const sc_hash_key public_key = {0x7363616c65736574, 0x6974656d73657473};

static bool is_among(int64_t item, const int64_t *among, size_t count)
{
    return bsearch(&item, among, count, sizeof *among, sc_int64_order) != NULL;
}

/* Keeps the items with the smallest hashes: of equal ones the smaller items. */
static size_t keep_smallest(const uint64_t *hashes, size_t count, size_t items,
                            int64_t *out)
{
    uint64_t sorted[SC_ITEM_SETS_LENGTH];
    size_t kept = 0;
    if (count <= items)
        return count;
    memcpy(sorted, hashes, count * sizeof *hashes);
    qsort(sorted, count, sizeof *sorted, sc_uint64_order);
    for (size_t i = 0; i < count && kept < items; i++)
        if (hashes[i] <= sorted[items - 1])
            out[kept++] = out[i];
    return kept;
}

/* among NULL: all of them. */
static size_t truncate_row(const int64_t *row, size_t length, size_t items,
                           const int64_t *among, size_t among_count, int64_t *out)
{
    uint64_t hashes[SC_ITEM_SETS_LENGTH];
    const size_t count = distinct_items(row, length, out);
    size_t left = 0;
    if (among == NULL && count <= items)
        return count;
    const sc_hash_half half =
        sc_hash_first(&public_key, sc_hash(&public_key, out, count * sizeof *out));
    for (size_t i = 0; i < count; i++)
        if (among == NULL || is_among(out[i], among, among_count)) {
            hashes[left] = sc_hash_second(&half, (uint64_t)out[i]);
            out[left++] = out[i];
        }
    return keep_smallest(hashes, left, items, out);
}

size_t sc_item_sets_truncate(const int64_t *row, size_t length, size_t items,
                             int64_t *out)
{
    return truncate_row(row, length, items, NULL, 0, out);
}

size_t sc_item_sets_truncate_among(const int64_t *row, size_t length, size_t items,
                                   const int64_t *among, size_t among_count, int64_t *out)
{
    return truncate_row(row, length, items, among, among_count, out);
}

/* Items of SC_ITEM_BITS each, the last one lowest: sets of fewer items come first. */
size_t sc_item_sets_places(const int64_t *items, size_t count, size_t size, uint64_t *out)
{
    size_t places = 0;
    for (size_t a = 0; a < count; a++) {
        out[places++] = (uint64_t)items[a];
        for (size_t b = a + 1; b < count && size > 1; b++) {
            const uint64_t two = (uint64_t)items[a] << SC_ITEM_BITS | (uint64_t)items[b];
            out[places++] = two;
            for (size_t c = b + 1; c < count && size > 2; c++)
                out[places++] = two << SC_ITEM_BITS | (uint64_t)items[c];
        }
    }
    return places;
}

/* Making one. */

scrim_status sc_item_sets_make(scrim_measurement *m, uint64_t changed, uint64_t rows,
                               scrim_error *error)
{
    const bool is_gaussian = sc_parameters_word(&m->parameters, "noise", 0) == 1;
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    s->shape.length = (size_t)sc_measurement_integer(m, "length", 1);
    s->shape.items = sc_item_sets_used(m);
    s->shape.size = (size_t)sc_measurement_integer(m, "size", 1);
    SC_OWN(sc_ratio, groups);
    sc_ratio_set_int128(&groups, (sc_int128)changed * (rows > 0 ? (sc_int128)rows : 1));
    const sc_argument list[] = {
        {.name = "epsilon", .values = sc_measurement_get(m, "epsilon")},
        {.name = "delta", .values = sc_measurement_get(m, "delta")},
        {.name = rows > 0 ? "max-total" : "max-groups", .values = &groups},
        {.name = "neighbours",
         .word = scrim_neighbours_name(sc_measurement_neighbours(m))}};
    scrim_status status =
        sc_measurement_of(is_gaussian ? &sc_threshold_gaussian : &sc_threshold_laplace,
                          list, sizeof list / sizeof *list, &s->counts, error);
    m->domain.count_min = 0;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const uint64_t rows = (uint64_t)sc_measurement_integer(m, "max-rows", 1);
    const uint64_t sets = sc_item_sets_of(sc_item_sets_used(m),
                                          (uint64_t)sc_measurement_integer(m, "size", 1));
    if (sets > SC_ITEM_SETS_OF_ONE)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "items",
                           "item-sets: a transaction would count in more than 256 sets; "
                           "use fewer items or a smaller size");
    if (rows > 1 && sc_parameters_word(&m->parameters, "noise", 0) == 1)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "max-rows",
                           "item-sets: max-rows above 1 needs noise=laplace");
    return sc_item_sets_make(m, sets, rows > 1 ? rows : 0, error);
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    scrim_measurement_free(s->counts);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set(out, &state_of(m)->counts->cost);
    return SCRIM_OK;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    scrim_status status =
        sc_noisy_threshold_certify(state_of(m)->counts, beta, count, out, error);
    out->excludes = "rarer sets, which may be left out; that a count is shown only where "
                    "it is large; items left out of long transactions, so that counts "
                    "are too low, and sets of more items, which never appear";
    return status;
}

/* Counting. */

static size_t row_width(const scrim_measurement *m)
{
    return state_of(m)->shape.length;
}

int64_t sc_item_sets_item(const sc_ratio *value, int64_t max)
{
    sc_int128 item = 0;
    if (value == NULL || !sc_ratio_is_integer(value))
        return 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(value, &whole);
    return sc_integer_get_int128(&whole, &item) && item >= 1 && item <= max
               ? (int64_t)item
               : 0;
}

static int64_t place(const scrim_measurement *m, size_t index, const sc_ratio *value)
{
    (void)m, (void)index;
    return sc_item_sets_item(value, SC_ITEM_MAX);
}

static size_t sets_of_one(const sc_item_shape *s)
{
    return (size_t)sc_item_sets_of(s->items, s->size);
}

scrim_status sc_item_sets_tally(const sc_item_shape *s, const sc_private_input *input,
                                sc_place_tally *t, scrim_error *error)
{
    const size_t rows = input->count / s->length;
    size_t found = 0;
    const scrim_status status = sc_place_tally_init(t, rows * sets_of_one(s), error);
    for (size_t i = 0; status == SCRIM_OK && i < rows; i++) {
        int64_t items[SC_ITEM_SETS_LENGTH];
        const size_t used = sc_item_sets_truncate(input->values + i * s->length,
                                                  s->length, s->items, items);
        found += sc_item_sets_places(items, used, s->size, t->places + found);
    }
    sc_place_tally_count(t, found);
    return status;
}

/* Drawing. */

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    const state *s = state_of(m);
    const size_t sets = count / s->shape.length * sets_of_one(&s->shape);
    return 2 * (sets < SC_ITEM_SETS_SHOWN ? sets : SC_ITEM_SETS_SHOWN);
}

/* Noise for a portion of the sets at a time. */
#define PORTION ((size_t)4096)

static scrim_status draw_portion(const sc_item_counts *x, sc_bits *bits, size_t from,
                                 sc_draw *out, scrim_error *error)
{
    const size_t count = x->count - from < PORTION ? x->count - from : PORTION;
    sc_int128 noise[PORTION];
    const scrim_status status = sc_blocks_fill_wide(bits, x->blocks, count, noise, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_int128 value = noise[i] + x->counts[from + i];
        if (value < x->threshold || out->count + 2 > out->capacity)
            continue;
        out->values[out->count] = (sc_int128)x->sets[from + i];
        out->marks[out->count++] = SC_MARK_INDEX;
        out->values[out->count] = value;
        out->marks[out->count++] = SC_MARK_VALUE;
    }
    sc_wipe(noise, sizeof noise);
    return status;
}

scrim_status sc_item_sets_draw(const sc_item_counts *x, sc_bits *bits, sc_draw *out,
                               scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < x->count; i += PORTION)
        status = draw_portion(x, bits, i, out, error);
    return status;
}

scrim_status sc_item_sets_draw_all(const sc_item_shape *shape,
                                   const scrim_measurement *counts, sc_bits *bits,
                                   const sc_private_input *input, sc_draw *out,
                                   scrim_error *error)
{
    const sc_noisy_threshold *threshold = sc_noisy_threshold_of(counts);
    sc_place_tally t = {.places = NULL};
    out->count = 0;
    scrim_status status = sc_item_sets_tally(shape, input, &t, error);
    if (status == SCRIM_OK)
        status = sc_item_sets_draw(&(sc_item_counts){.blocks = &threshold->blocks,
                                                     .sets = t.places,
                                                     .counts = t.counts,
                                                     .count = t.count,
                                                     .threshold = threshold->threshold},
                                   bits, out, error);
    sc_place_tally_clear(&t);
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    return sc_item_sets_draw_all(&s->shape, s->counts, bits, input, out, error);
}

size_t sc_item_sets_label(uint64_t at, unsigned bits, char *text, size_t capacity)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    sc_text_sink sink;
    char number[SC_RATIO_TEXT_BYTES];
    sc_text_sink_init(&sink, text, capacity);
    SC_OWN(sc_ratio, item);
    for (unsigned i = SC_ITEM_PLACE_BITS / bits; i-- > 0;) {
        const uint64_t one = at >> (bits * i) & mask;
        if (one == 0)
            continue;
        sc_ratio_set_int64(&item, (int64_t)one);
        sc_ratio_format(&item, number, sizeof number);
        sc_text_put(&sink, sc_text_of(sink.length == 0 ? "" : "+"));
        sc_text_put(&sink, sc_text_of(number));
    }
    return sink.length;
}

static size_t bar_label(const scrim_measurement *m, uint64_t at, char *text,
                        size_t capacity)
{
    return at >> (SC_ITEM_BITS * state_of(m)->shape.size) != 0
               ? 0
               : sc_item_sets_label(at, SC_ITEM_BITS, text, capacity);
}

/* Answers that a law lists: those of counts up to `count` that begin at the threshold, or are hidden. */

#define FULL_RADIUS 20 /* of the noise, but for 2^-64 of it */
#define LISTED ((uint64_t)1 << 18)

/* The noise is within this radius, but for a probability of 2^-64; at most 2^30. */
static int64_t radius_of(const sc_law *noise)
{
    const int64_t far = (int64_t)1 << 30;
    sc_int128 radius = 0;
    SC_OWN(sc_integer, one);
    SC_OWN(sc_ratio, beta);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&beta, &one, 64);
    return sc_law_radius(noise, &beta, &radius, NULL) == SCRIM_OK && radius < far
               ? (int64_t)radius
               : far;
}

bool sc_item_sets_is_short(const sc_law *noise)
{
    return radius_of(noise) <= FULL_RADIUS;
}

bool sc_item_sets_is_listed(const sc_noisy_threshold *t, size_t sets, int64_t count)
{
    const int64_t above = radius_of(&t->noise) + count - t->threshold;
    uint64_t outcomes = 1;
    for (size_t i = 0; i < sets && outcomes <= LISTED; i++)
        outcomes *= above > 0 ? (uint64_t)above + 2 : 1;
    return sets < 2 || (sets <= SC_PLACE_TALLY_LAW && outcomes <= LISTED);
}

/* The law: that of the counts, told by the sets that are shown, a place and a count each, filled up
 * with -1. Where there are too many such answers, that of how many sets are shown. */

static size_t law_width(const scrim_measurement *m, size_t count)
{
    (void)m, (void)count;
    return SC_PLACE_TALLY_WIDTH;
}

scrim_status sc_item_sets_law(const scrim_measurement *threshold, const sc_place_tally *t,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_private_input counted = {.values = t->counts, .count = t->count};
    sc_outcomes counts;
    sc_outcomes_init(&counts, t->count);
    scrim_status status =
        sc_noisy_threshold_law(threshold, &counted, bits, &counts, error);
    for (size_t i = 0; status == SCRIM_OK && i < counts.count; i++)
        status = sc_place_tally_list(t, &counts, i, SC_THRESHOLD_UNSEEN, out, error);
    sc_ball_set(&out->rest, &counts.rest);
    sc_outcomes_clear(&counts);
    return status;
}

/* P(a set that `count` transactions hold is hidden). */
static scrim_status hidden_of(const sc_noisy_threshold *t, int64_t count, long bits,
                              sc_ball *hidden, scrim_error *error)
{
    SC_OWN(sc_ball, sum);
    sc_outcomes one;
    sc_outcomes_init(&one, 1);
    const scrim_status status =
        sc_noisy_threshold_list(&t->noise, t->threshold, count, bits, &one, error);
    for (size_t i = 0; i < one.count; i++)
        if (one.keys[i] == SC_THRESHOLD_UNSEEN)
            sc_ball_add(&sum, &sum, &one.mass[i], bits);
    sc_ball_set(hidden, &sum);
    sc_outcomes_clear(&one);
    return status;
}

/* mass[n]: that n of the sets are shown, set by set. */
static scrim_status count_shown(const sc_noisy_threshold *threshold,
                                const sc_place_tally *t, long bits, sc_ball *mass,
                                scrim_error *error)
{
    SC_OWN(sc_ball, hidden, shown, part);
    scrim_status status = SCRIM_OK;
    sc_ball_set_int64(&mass[0], 1);
    for (size_t i = 0; status == SCRIM_OK && i < t->count; i++) {
        if (i == 0 || t->counts[i] != t->counts[i - 1])
            status = hidden_of(threshold, t->counts[i], bits, &hidden, error);
        sc_ball_neg(&shown, &hidden);
        sc_ball_add_int64(&shown, &shown, 1, bits);
        for (size_t n = i + 2; n-- > 0;) {
            sc_ball_mul(&mass[n], &mass[n], &hidden, bits);
            if (n > 0) {
                sc_ball_mul(&part, &mass[n - 1], &shown, bits);
                sc_ball_add(&mass[n], &mass[n], &part, bits);
            }
        }
    }
    return status;
}

scrim_status sc_item_sets_shown_law(const sc_noisy_threshold *threshold,
                                    const sc_place_tally *t, long bits, sc_outcomes *out,
                                    scrim_error *error)
{
    if (t->count > SC_ITEM_SETS_OF_ONE)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many sets to give the probability of each answer");
    sc_ball *mass = sc_balls_new(t->count + 1);
    if (mass == NULL)
        return sc_no_memory(error, "a law");
    scrim_status status = count_shown(threshold, t, bits + 64, mass, error);
    for (size_t n = 0; status == SCRIM_OK && n <= t->count; n++) {
        int64_t key[SC_PLACE_TALLY_WIDTH];
        for (size_t i = 0; i < SC_PLACE_TALLY_WIDTH; i++)
            key[i] = -1;
        if (n > 0) { /* no set has the place 0 */
            key[0] = 0;
            key[1] = (int64_t)n;
        }
        status = sc_outcomes_add(out, key, &mass[n], error);
    }
    sc_balls_free(mass, t->count + 1);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    sc_place_tally t = {.places = NULL};
    const state *s = state_of(m);
    const sc_noisy_threshold *threshold = sc_noisy_threshold_of(s->counts);
    const int64_t own = sc_measurement_integer(m, "max-rows", 1);
    scrim_status status = sc_item_sets_tally(&s->shape, input, &t, error);
    if (status == SCRIM_OK)
        status = sc_item_sets_is_listed(threshold, t.count, own)
                     ? sc_item_sets_law(s->counts, &t, bits, out, error)
                     : sc_item_sets_shown_law(threshold, &t, bits, out, error);
    sc_place_tally_clear(&t);
    return status;
}

/* Neighbours: one transaction more or another one, among equal ones. They are the fullest
 * transactions where their sets are few enough for a law; else they have one item each, and a full
 * one against none, which alone can show all of
 * its sets. Without it nothing is shown, so that the law of how many sets are shown tells as much as all answers. */

#define FULL_SETS 3
#define FULL_PAIRS 4

static bool is_full(const state *s)
{
    return sets_of_one(&s->shape) > 1 && sets_of_one(&s->shape) <= FULL_SETS &&
           sc_item_sets_is_short(&sc_noisy_threshold_of(s->counts)->noise);
}

/* Is there a pair of a full transaction, or as many of them as one unit may have, against none? */
static bool has_first(const state *s)
{
    return sets_of_one(&s->shape) > 1 && !is_full(s);
}

static size_t room_of(const state *s)
{
    return SC_PAIR_VALUES / s->shape.length;
}

static size_t pair_count(const scrim_measurement *m)
{
    const state *s = state_of(m);
    const size_t changed = (size_t)sc_measurement_integer(m, "max-rows", 1);
    if (changed > room_of(s))
        return 0;
    return is_full(s) ? FULL_PAIRS : room_of(s) - changed + 1 + has_first(s);
}

/* Rows of `items` items, from `first` on; 0 items is an empty transaction. */
static void put_rows(size_t length, size_t rows, size_t items, int64_t first,
                     int64_t *out, size_t *count)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < length; i++)
            out[(*count)++] = i < items ? first + (int64_t)i : 0;
}

void sc_item_sets_pair(const sc_item_pair *p, sc_pair *out)
{
    out->x_count = out->y_count = 0;
    put_rows(p->length, p->others, p->items, 1, out->x, &out->x_count);
    put_rows(p->length, p->others + p->own, p->items, 1, out->y, &out->y_count);
    if (p->is_replace)
        put_rows(p->length, p->own, p->replaced, (int64_t)p->items + 1, out->x,
                 &out->x_count);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const state *s = state_of(m);
    const size_t own = (size_t)sc_measurement_integer(m, "max-rows", 1);
    const size_t spare = room_of(s) - own;
    const bool is_first = !is_full(s) && index > spare;
    const size_t used = is_full(s) || is_first ? s->shape.items : 1;
    if (is_first)
        index = 0;
    if (is_full(s)) /* none, one, about the threshold, as many as there is room for */
        index = index < 2 ? index < spare ? index : spare : spare / (FULL_PAIRS - index);
    sc_item_sets_pair(/* from a set of its own, as far as a law has room for it */
                      &(sc_item_pair){
                          .length = s->shape.length,
                          .items = used,
                          .others = index,
                          .own = own,
                          .replaced = sets_of_one(&s->shape) == 1 || used == 1 ? 1 : 0,
                          .is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE},
                      out);
}

const sc_mechanism sc_item_sets = {
    .entry = {.name = "item-sets",
              .parameters = "epsilon=R delta=R length=N items=N size=N [max-rows=N "
                            "noise=laplace|gaussian]",
              .input = "transactions",
              .claim =
                  "(epsilon, delta)-DP; noisy counts of item sets from a threshold on",
              .does = "Counts sets of items that people have together, with noise, and "
                      "shows only frequent sets. Long transactions are cut, so that "
                      "one person changes few counts.",
              .example = "epsilon=20 delta=1e-3 length=3 items=2 size=2 "
                         "neighbours=add-remove",
              .example_input = "1,2,\n2,1,\n2,1,3\n1,2,\n1,2,\n",
              .reference = "Zeng, Naughton, Cai: On Differentially Private Frequent "
                           "Itemset Mining, 2012, truncation; erratum 160"},
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
