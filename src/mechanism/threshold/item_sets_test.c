#include "check.h"
#include "exact.h"
#include "item_draws.h"
#include "mechanism/threshold/item_sets.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "random/bits_tape.h"
#include "remains.h"
#include "scrim.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long long number_in(const json_t *row, const char *name)
{
    return json_integer_value(json_object_get(row, name));
}

static size_t size_of(uint64_t place)
{
    return place >> (2 * SC_ITEM_BITS) != 0 ? 3 : place >> SC_ITEM_BITS != 0 ? 2 : 1;
}

/* The sets of one size that a transaction, a set of bits, is counted in. */
static size_t sets_of_bits(unsigned bits, size_t cap, size_t size, uint64_t *out)
{
    int64_t row[8] = {0}, items[SC_ITEM_SETS_LENGTH];
    uint64_t places[SC_ITEM_SETS_OF_ONE];
    size_t found = 0;
    for (int i = 0; i < 8; i++)
        row[i] = bits >> i & 1 ? i + 1 : 0;
    const size_t used = sc_item_sets_truncate(row, 8, cap, items);
    CHECK(used <= cap);
    const size_t count = sc_item_sets_places(items, used, SC_ITEM_SETS_SIZE, places);
    CHECK_INT(count, sc_item_sets_of(used, SC_ITEM_SETS_SIZE));
    for (size_t i = 0; i < count; i++)
        if (size_of(places[i]) == size)
            out[found++] = places[i];
    return found;
}

static size_t common(const uint64_t *a, size_t m, const uint64_t *b, size_t n)
{
    size_t equal = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            equal += a[i] == b[j];
    return equal;
}

/* Every transaction of five items, and every pair of them, against the sensitivities of the
 * specification. */
TEST(item_sets_have_the_sensitivities_of_the_vectors)
{
    CLAIM("item-sets.truncation");
    json_t *rows = vectors_load("synthetic", "itemset_sensitivity"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const size_t cap = (size_t)number_in(row, "cap");
        const size_t size = (size_t)number_in(row, "size");
        const unsigned all = 1u << number_in(row, "items");
        size_t added = 0, replaced = 0;
        for (unsigned a = 0; a < all; a++)
            for (unsigned b = 0; b < all; b++) {
                uint64_t x[SC_ITEM_SETS_OF_ONE], y[SC_ITEM_SETS_OF_ONE];
                const size_t m = sets_of_bits(a, cap, size, x);
                const size_t n = sets_of_bits(b, cap, size, y);
                const size_t moved = m + n - 2 * common(x, m, y, n);
                added = m > added ? m : added;
                replaced = moved > replaced ? moved : replaced;
            }
        CHECK_INT(added, number_in(row, "add_remove_l1"));
        CHECK(replaced <= (size_t)number_in(row, "replace_l1") &&
              number_in(row, "replace_l1") <= 2 * number_in(row, "add_remove_l1"));
        CHECK_INT(sc_item_sets_of(cap, size) - sc_item_sets_of(cap, size - 1),
                  number_in(row, "formula"));
    }
    CHECK_INT(r, 9);
}

/* Which items are used follows from the transaction: not from the order or the number of its cells. */
TEST(item_sets_truncation_is_of_the_set_alone)
{
    CLAIM("item-sets.truncation");
    const int64_t a[] = {9, 3, 0, 3, 77, -5, 12, SC_ITEM_MAX, SC_ITEM_MAX + 1};
    const int64_t b[] = {SC_ITEM_MAX, 12, 3, 9, 77, 77, 77, 0, 0};
    int64_t x[SC_ITEM_SETS_LENGTH], y[SC_ITEM_SETS_LENGTH];
    for (size_t cap = 1; cap <= 6; cap++) {
        const size_t m = sc_item_sets_truncate(a, COUNT(a), cap, x);
        REQUIRE(sc_item_sets_truncate(b, COUNT(b), cap, y) == m);
        CHECK_INT(m, cap < 5 ? cap : 5);
        CHECK(memcmp(x, y, m * sizeof *x) == 0);
    }
}

/* A set of k items in a transaction of t survives as often as the specification says, over
 * transactions of other numbers: within five deviations. */
TEST(item_sets_survive_as_often_as_the_vectors)
{
    CLAIM("item-sets.truncation");
    json_t *rows = vectors_load("synthetic", "itemset_survival"), *row;
    size_t r;
    const int trials = 4000;
    json_array_foreach(rows, r, row)
    {
        const size_t length = (size_t)number_in(row, "length");
        const size_t cap = (size_t)number_in(row, "cap"),
                     size = (size_t)number_in(row, "size");
        const char *text = json_string_value(json_object_get(row, "probability"));
        const char *line = strchr(text, '/');
        const double p = strtod(text, NULL) / (line == NULL ? 1 : strtod(line + 1, NULL));
        int seen = 0;
        for (int i = 0; i < trials; i++) {
            int64_t in[SC_ITEM_SETS_LENGTH] = {0}, out[SC_ITEM_SETS_LENGTH];
            size_t held = 0;
            for (size_t j = 0; j < length; j++)
                in[j] = 1 + (int64_t)j + (int64_t)length * i;
            const size_t kept = sc_item_sets_truncate(in, length, cap, out);
            for (size_t j = 0; j < kept; j++)
                held += out[j] < in[0] + (int64_t)size;
            seen += held == size;
        }
        CHECK(fabs((double)seen / trials - p) <= 5 * sqrt(p * (1 - p) / trials));
    }
    CHECK_INT(r, 5);
}

static scrim_measurement *made(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (scrim_measurement_parse(line, &m, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

/* The cost is that of the threshold with as many groups as a transaction has sets. */
TEST(item_sets_cost_what_their_threshold_costs)
{
    CLAIM("item-sets.privacy");
    static const struct {
        const char *sets, *counts;
    } list[] = {
        {"item-sets epsilon=1 delta=1e-6 length=5 items=3 size=2 neighbours=add-remove",
         "threshold-laplace epsilon=1 delta=1e-6 max-groups=6 neighbours=add-remove"},
        {"item-sets epsilon=1 delta=1e-6 length=5 items=4 size=3 neighbours=replace",
         "threshold-laplace epsilon=1 delta=1e-6 max-groups=14 neighbours=replace"},
        {"item-sets epsilon=1 delta=1e-6 length=5 items=3 size=2 max-rows=4 "
         "neighbours=add-remove",
         "threshold-laplace epsilon=1 delta=1e-6 max-total=24 whole=yes "
         "neighbours=add-remove"},
        /* No transaction has more items than cells. */
        {"item-sets epsilon=1 delta=1e-6 length=3 items=16 size=3 neighbours=add-remove",
         "threshold-laplace epsilon=1 delta=1e-6 max-groups=7 neighbours=add-remove"},
        {"item-sets epsilon=1 delta=1e-6 length=9 items=4 size=2 noise=gaussian "
         "neighbours=add-remove",
         "threshold-gaussian epsilon=1 delta=1e-6 max-groups=10 neighbours=add-remove"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *a = made(list[i].sets), *b = made(list[i].counts);
        scrim_certificate mine, theirs;
        REQUIRE(a != NULL && b != NULL);
        for (int e = 0; e < 4; e++) {
            SC_OWN(sc_ball, x, y);
            SC_OWN(sc_ratio, epsilon);
            sc_ratio_set_quotient(&epsilon, e, 3);
            sc_curve_delta_upper(&a->cost.curve, &epsilon, 128, &x);
            sc_curve_delta_upper(&b->cost.curve, &epsilon, 128, &y);
            CHECK(sc_ball_upper(&x) == sc_ball_upper(&y));
        }
        REQUIRE_OK(scrim_measurement_certify(a, "0.95", 100, &mine, NULL));
        REQUIRE_OK(scrim_measurement_certify(b, "0.95", 100, &theirs, NULL));
        CHECK_STR(mine.radius, theirs.radius);
        scrim_measurement_free(b);
        scrim_measurement_free(a);
    }
}

/* Three sets, of which each may be shown. */
SLOW_TEST(item_sets_are_drawn_by_their_law)
{
    CLAIM("item-sets.exact");
    CLAIM("item-sets.accuracy");
    static const int64_t rows[] = {1, 2, 2, 1, 7, 7, 1, 2, 0, 7, 2, 1};
    item_draws_fit("item-sets epsilon=9 delta=1e-2 length=2 items=2 size=2 "
                   "neighbours=add-remove",
                   rows, COUNT(rows), (unsigned)check_count(20000, 200000));
}

/* ---- noise that is left behind: the sampler leaves its last draw ---- */

enum { WIDE_SETS = 8 };

typedef struct wide_draw {
    sc_blocks blocks;
    sc_bits *bits;
    sc_int128 values[2 * WIDE_SETS];
    sc_mark marks[2 * WIDE_SETS];
} wide_draw;

/* Counts of 0, all of which are shown: the values are the noise. */
static void draw_wide(void *context)
{
    static const uint64_t sets[WIDE_SETS] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const int64_t counts[WIDE_SETS];
    wide_draw *w = context;
    sc_draw out = {
        .values = w->values, .marks = w->marks, .capacity = (size_t)2 * WIDE_SETS};
    const sc_item_counts x = {.blocks = &w->blocks,
                              .sets = sets,
                              .counts = counts,
                              .count = WIDE_SETS,
                              .threshold = INT64_MIN};
    CHECK_STATUS(sc_item_sets_draw(&x, w->bits, &out, NULL), SCRIM_OK);
    CHECK_INT(out.count, (sc_int128)2 * WIDE_SETS);
}

TEST(item_sets_wipe_their_noise)
{
    CLAIM("item-sets.wiped");
    static wide_draw w;
    const sc_blocks_law law = {.sides = SC_SIDES_BOTH};
    sc_tape *tape = NULL;
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int64(&scale, (int64_t)1 << 50);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_blocks_init_shape(&w.blocks, &law, &scale, NULL));
    w.bits = sc_tape_bits_of(tape);
    remains_run(draw_wide, &w);
    for (size_t i = 0; i + 1 < WIDE_SETS; i++) {
        masked noise;
        masked_set(&noise, &w.values[2 * i + 1]);
        CHECK_INT(stack_remains(&noise), 0);
    }
    sc_blocks_clear(&w.blocks);
    sc_tape_free(tape);
}

TEST(item_sets_are_named_by_their_items)
{
    scrim_measurement *m = made("item-sets epsilon=1 delta=1e-2 length=5 items=3 size=2 "
                                "neighbours=add-remove");
    static const int64_t items[] = {3, 17, SC_ITEM_MAX};
    static const char *const names[] = {"3",  "3+17",       "3+1048575",
                                        "17", "17+1048575", "1048575"};
    uint64_t places[SC_ITEM_SETS_OF_ONE];
    REQUIRE(m != NULL);
    REQUIRE(sc_item_sets_places(items, 3, 2, places) == COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++) {
        char text[64];
        CHECK_INT(m->mechanism->bar_label(m, places[i], text, sizeof text),
                  strlen(names[i]));
        CHECK_STR(text, names[i]);
    }
    CHECK_INT(m->mechanism->bar_label(m, 0, NULL, 0), 0);
    CHECK_INT(m->mechanism->bar_label(m, (uint64_t)1 << 40, NULL, 0), 0);
    scrim_measurement_free(m);
}

TEST(item_sets_refuse_what_has_no_bound)
{
    static const struct {
        const char *rest;
        scrim_status status;
    } list[] = {{"length=20 items=16 size=3", SCRIM_E_LIMIT},
                {"length=20 items=17 size=1", SCRIM_E_LIMIT},
                {"length=4 items=2 size=4", SCRIM_E_LIMIT},
                {"length=4 items=0 size=1", SCRIM_E_PARAM},
                {"length=4 items=2", SCRIM_E_PARAM},
                {"length=4 items=2 size=1 noise=gaussian max-rows=2", SCRIM_E_PARAM}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char line[160];
        scrim_measurement *m = NULL;
        snprintf(line, sizeof line,
                 "item-sets epsilon=1 delta=1e-6 %s neighbours=add-remove", list[i].rest);
        CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), list[i].status);
        CHECK(m == NULL);
    }
}
