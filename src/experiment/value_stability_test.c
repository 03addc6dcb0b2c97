#include "check.h"
#include "experiment/value_stability.h"
#include "random/bits_tape.h"
#include "sampling/uniform.h"
#include "small_heights.h"
#include "vectors.h"

#include <string.h>

static const sc_height_statistic statistics[] = {
    {false, 1}, {false, 2}, {false, 3}, {true, 1}};

TEST(value_stability_is_that_of_the_vectors)
{
    CLAIM("value-stability.radius");
    CLAIM("value-stability.cost");
    json_t *rows = vectors_load("flexible-accuracy", "radius_smooth"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 24);
    json_array_foreach(rows, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "f"));
        const json_t *list = json_object_get(row, "x");
        const sc_height_statistic f = {strcmp(name, "mode") == 0, name[3] - '0'};
        int64_t costs[SC_HEIGHTS_MAX + 1];
        sc_heights x = {.bars = json_array_size(list)};
        for (size_t j = 0; j < x.bars; j++)
            x.at[j + 1] = json_integer_value(json_array_get(list, j));
        CHECK_INT(sc_stability_radius(&f, &x),
                  json_integer_value(json_object_get(row, "stability_radius")));
        sc_jump_costs(&f, &x, costs);
        CHECK_NEAR(
            sc_smooth_sensitivity(
                costs, x.bars,
                strtod(json_string_value(json_object_get(row, "beta")), NULL)),
            strtod(json_string_value(json_object_get(row, "smooth_sensitivity")), NULL),
            1e-14);
    }
}

/* How far a value jumps by one element more or less, at most REACH of a bar: the truth about jumps
 * is a list of all histograms. */
#define REACH 6

typedef struct jump_list {
    sc_heights at[2048];
    bool jumps[2048][4]; /* by so many bars */
    size_t count;
} jump_list;

static void list_jumps(const sc_height_statistic *f, size_t bars, jump_list *out)
{
    sc_heights z = {.bars = bars};
    out->count = 0;
    do {
        const size_t value = sc_heights_value(f, &z);
        memset(out->jumps[out->count], 0, sizeof out->jumps[0]);
        for (size_t i = 1; i <= bars; i++)
            for (int64_t step = -1; step <= 1; step += 2) {
                sc_heights other = z;
                other.at[i] += step;
                if (other.at[i] < 0)
                    continue;
                const size_t next = sc_heights_value(f, &other);
                out->jumps[out->count][next < value ? value - next : next - value] = true;
            }
        out->at[out->count++] = z;
    } while (small_heights_next(&z, REACH));
}

static int64_t steps_between(const sc_heights *x, const sc_heights *z)
{
    int64_t steps = 0;
    for (size_t i = 1; i <= x->bars; i++)
        steps += x->at[i] < z->at[i] ? z->at[i] - x->at[i] : x->at[i] - z->at[i];
    return steps;
}

TEST(value_stability_is_what_enumeration_finds)
{
    CLAIM("value-stability.radius");
    CLAIM("value-stability.cost");
    static jump_list list;
    size_t wrong = 0, tried = 0;
    for (size_t s = 0; s < COUNT(statistics); s++)
        for (size_t bars = 2; bars <= 3; bars++) {
            sc_heights x = {.bars = bars};
            list_jumps(&statistics[s], bars, &list);
            do {
                int64_t costs[SC_HEIGHTS_MAX + 1], radius = SC_STABLE_FOR_EVER;
                sc_jump_costs(&statistics[s], &x, costs);
                for (size_t d = 1; d <= bars; d++) {
                    int64_t least = SC_STABLE_FOR_EVER;
                    for (size_t i = 0; i < list.count; i++)
                        if (list.jumps[i][d] && steps_between(&x, &list.at[i]) < least)
                            least = steps_between(&x, &list.at[i]);
                    radius = least < radius ? least : radius;
                    wrong += costs[d] != least;
                    tried++;
                }
                wrong += sc_stability_radius(&statistics[s], &x) != radius;
            } while (small_heights_next(&x, 3));
        }
    CHECK_INT(tried, 896); /* 4 statistics, 16 of two bars, 64 of three */
    CHECK_INT(wrong, 0);
}

TEST(value_stability_of_one_bar)
{
    const sc_height_statistic mode = {true, 1};
    const sc_heights x = {1, {0, 5}};
    int64_t costs[SC_HEIGHTS_MAX + 1];
    CHECK_INT(sc_stability_radius(&mode, &x), SC_STABLE_FOR_EVER);
    sc_jump_costs(&mode, &x, costs);
    CHECK_INT(costs[1], SC_STABLE_FOR_EVER);
    CHECK(sc_smooth_sensitivity(costs, 1, 0.5) == 0);
}

/* spec/flexible-accuracy.md 13.3 as it is written: the minimum over every height. */
static int64_t plus(int64_t x)
{
    return x > 0 ? x : 0;
}

static int64_t cost_as_written(const sc_heights *x, size_t a, size_t b)
{
    int64_t least = SC_STABLE_FOR_EVER;
    for (int64_t level = 0; level <= sc_heights_most(x) + 1; level++) {
        int64_t one = llabs(x->at[a] - level + 1) + llabs(x->at[b] - level);
        int64_t two = llabs(x->at[a] - level) + llabs(x->at[b] - level);
        for (size_t i = 1; i <= x->bars; i++) {
            if (i == a || i == b)
                continue;
            one += plus(x->at[i] - level + (i < b ? 1 : 0));
            two += plus(x->at[i] - level + (i < a ? 1 : 0));
        }
        if (level >= 1 && one < least)
            least = one;
        if ((level >= 1 || a == 1) && two < least)
            least = two;
    }
    return least;
}

TEST(value_stability_of_the_mode_needs_no_search)
{
    CLAIM("value-stability.cost");
    const sc_height_statistic mode = {true, 1};
    sc_tape *tape = NULL;
    scrim_error error;
    size_t wrong = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    const uint64_t rounds = check_count(300, 20000);
    for (uint64_t round = 0; round < rounds; round++) {
        sc_heights x = {.bars = 1 + round % 9};
        int64_t costs[SC_HEIGHTS_MAX + 1], truth[SC_HEIGHTS_MAX + 1] = {0};
        for (size_t i = 1; i <= x.bars; i++) {
            uint64_t height = 0;
            CHECK_STATUS(
                sc_uniform_64(sc_tape_bits_of(tape), 1 + round % 23, &height, &error),
                SCRIM_OK);
            x.at[i] = (int64_t)height;
            truth[i] = SC_STABLE_FOR_EVER;
        }
        for (size_t a = 1; a <= x.bars; a++)
            for (size_t b = a + 1; b <= x.bars; b++) {
                const int64_t cost = cost_as_written(&x, a, b);
                truth[b - a] = cost < truth[b - a] ? cost : truth[b - a];
            }
        sc_jump_costs(&mode, &x, costs);
        for (size_t d = 1; d < x.bars; d++)
            wrong += costs[d] != truth[d];
    }
    CHECK_INT(wrong, 0);
    sc_tape_free(tape);
}
