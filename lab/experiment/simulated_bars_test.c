#include "check.h"
#include "lab/experiment/simulated_bars.h"
#include "random/bits_tape.h"
#include "small_heights.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

TEST(heights_have_statistics)
{
    static const struct {
        lab_bars x;
        size_t max, max_2, mode, answer;
        int64_t total, most;
    } list[] = {{{4, {0, 4, 2, 2, 4}}, 4, 4, 1, 1, 12, 4},
                {{4, {0, 1, 3, 1, 0}}, 3, 2, 2, 2, 5, 3},
                {{4, {0, 0, 1, 1, 1}}, 4, 0, 2, 2, 3, 1},
                {{4, {0, 0, 0, 0, 0}}, 0, 0, 1, 0, 0, 0},
                {{1, {0, 2}}, 1, 1, 1, 1, 2, 2}};
    const lab_bar_statistic max = {false, 1}, max_2 = {false, 2}, mode = {true, 1};
    for (size_t i = 0; i < COUNT(list); i++) {
        const lab_bars *x = &list[i].x;
        CHECK_INT(lab_bars_value(&max, x), list[i].max);
        CHECK_INT(lab_bars_answer(&max, x), list[i].max);
        CHECK_INT(lab_bars_value(&max_2, x), list[i].max_2);
        CHECK_INT(lab_bars_value(&mode, x), list[i].mode);
        CHECK_INT(lab_bars_answer(&mode, x), list[i].answer); /* EMPTY counts as 0 */
        CHECK_INT(lab_bars_total(x), list[i].total);
        CHECK_INT(lab_bars_highest(x), list[i].most);
    }
}

TEST(scene_knows_its_data)
{
    const lab_bar_statistic max = {false, 1};
    lab_bars x = {.count = 5, .at = {0, 900, 0, 200, 4, 0}};
    lab_scene scene;
    lab_scene_init(&scene, &max, &x);
    CHECK_INT(scene.value, 4);
    CHECK_INT(scene.shown_count, 3);
    CHECK_INT(scene.shown[0], 1);
    CHECK_INT(scene.shown[1], 3);
    CHECK_INT(scene.shown[2], 4);
    CHECK_INT(scene.allowance, 5);
    CHECK_INT(scene.radius, lab_stability_radius(&max, &x));
    CHECK_INT(scene.radius, 0);
    CHECK_INT(scene.jump_costs[1], 0);
    CHECK_INT(lab_scene_raw_error(&scene, 5), 1);
    CHECK_INT(lab_scene_raw_error(&scene, 1), 3);
    CHECK_INT(scene.flexible_errors[5], 1);
    CHECK_INT(scene.flexible_errors[3], 0); /* four elements may go */
    CHECK_INT(scene.flexible_errors[1], 2);
}

TEST(experiments_are_six)
{
    CHECK(lab_experiment_kind_of(0, false) == NULL);
    CHECK(lab_experiment_kind_of(7, false) == NULL);
    for (unsigned number = 1; number <= LAB_EXPERIMENTS; number++) {
        const lab_experiment_kind *kind = lab_experiment_kind_of(number, false);
        CHECK_INT(kind->number, number);
        CHECK_INT(lab_experiment_kind_of(number, true) == kind, number != 6);
    }
}

/* How often a bar of height h stands from first to last. */
static void check_block(const lab_bars *x, size_t first, size_t last, int64_t height)
{
    for (size_t i = first; i <= last; i++)
        CHECK_INT(x->at[i], height);
}

TEST(experiment_data_that_are_not_drawn)
{
    lab_bars x;
    lab_experiment_make(lab_experiment_kind_of(2, false), NULL, &x);
    CHECK_INT(x.count, 100);
    check_block(&x, 1, 50, 1000);
    check_block(&x, 51, 100, 1);
    lab_experiment_make(lab_experiment_kind_of(4, true), NULL, &x);
    CHECK_INT(x.count, 100);
    check_block(&x, 1, 50, 540);
    check_block(&x, 51, 100, 490);
    lab_experiment_make(lab_experiment_kind_of(6, false), NULL, &x);
    CHECK_INT(x.count, 300);
    check_block(&x, 1, 120, 130);
    check_block(&x, 121, 125, 200);
    check_block(&x, 126, 210, 185);
    check_block(&x, 211, 220, 190);
    check_block(&x, 221, 300, 130);
}

/* The Cauchy law about 45 with scale 4: P(X < e) = 1/2 + atan((e - 45)/4)/pi. A bar is as high as
 * its part of 10^6 draws within six deviations, and the quarters hold what they must. */
TEST(experiment_data_of_cauchy_draws)
{
    const uint64_t sets = check_count_whole(20, 1000);
    double sums[101] = {0};
    lab_random *random = NULL;
    scrim_error error;
    sc_entropy_seed(check_seed());
    REQUIRE_OK(lab_random_open(&random, &error));
    for (uint64_t set = 0; set < sets; set++)
        for (unsigned number = 1; number <= 3; number += 2) {
            lab_bars x;
            lab_experiment_make(lab_experiment_kind_of(number, false), random, &x);
            CHECK_INT(x.count, 100);
            CHECK(lab_bars_total(&x) < 10000 && lab_bars_total(&x) > 9000);
            if (number == 1)
                check_block(&x, 91, 100, 0);
            for (size_t i = 1; number == 3 && i <= 100; i++)
                sums[i] += (double)x.at[i];
        }
    for (int i = 1; i <= 100; i++) {
        const double pi = acos(-1);
        const double p = (atan((i + 0.5 - 45) / 4) - atan((i - 0.5 - 45) / 4)) / pi;
        const double draws = 10000 * (double)sets;
        CHECK(fabs(sums[i] - draws * p) <= 6 * sqrt(draws * p));
    }
    lab_random_close(random);
    sc_entropy_release();
}

/* Mean and variance of a Poisson number are the same; heights of all the bars of experiments 5
 * and 6. */
TEST(experiment_data_of_poisson_bars)
{
    const uint64_t sets = check_count_whole(100, 2000);
    lab_random *random = NULL;
    scrim_error error;
    sc_entropy_seed(check_seed());
    REQUIRE_OK(lab_random_open(&random, &error));
    for (unsigned number = 5; number <= 6; number++) {
        double sum = 0, squares = 0, count = 0;
        lab_bars x = {.count = 0}, about;
        lab_experiment_make(lab_experiment_kind_of(6, false), NULL, &about);
        for (uint64_t set = 0; set < sets; set++) {
            lab_experiment_make(lab_experiment_kind_of(number, true), random, &x);
            for (size_t i = 1; i <= x.count; i++) {
                const double mean = number == 5 ? 250 : (double)about.at[i];
                const double z = ((double)x.at[i] - mean) / sqrt(mean);
                sum += z;
                squares += z * z;
                count++;
            }
        }
        CHECK_INT(x.count, number == 5 ? 30 : 300);
        CHECK(fabs(sum) <= 6 * sqrt(count));
        CHECK(fabs(squares - count) <= 6 * sqrt(2.1 * count));
    }
    lab_random_close(random);
    sc_entropy_release();
}

static void read_heights(const json_t *list, lab_bars *out)
{
    out->count = json_array_size(list);
    for (size_t i = 0; i < out->count; i++)
        out->at[i + 1] = json_integer_value(json_array_get(list, i));
}

TEST(flexible_error_is_that_of_the_vectors)
{
    CLAIM("flexible-error.least");
    static const struct {
        const char *name;
        lab_bar_statistic f;
    } statistics[] = {{"max", {false, 1}},
                      {"max_2", {false, 2}},
                      {"max_3", {false, 3}},
                      {"mode", {true, 1}}};
    json_t *rows = vectors_load("flexible-accuracy", "flexible_error"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 12);
    json_array_foreach(rows, i, row)
    {
        lab_bars x;
        uint32_t errors[LAB_BARS_MAX + 1];
        read_heights(json_object_get(row, "x"), &x);
        for (size_t j = 0; j < COUNT(statistics); j++) {
            lab_flexible_errors(&statistics[j].f, &x,
                                json_integer_value(json_object_get(row, "D")), errors);
            CHECK_INT(errors[json_integer_value(json_object_get(row, "y"))],
                      json_integer_value(json_object_get(row, statistics[j].name)));
        }
    }
}

/* "positions 44..50 (41 drops per bar)". */
static void check_range(const char *text, const bool *reach, size_t bars)
{
    char *end = NULL;
    const size_t first = strtoul(strchr(text, ' '), &end, 10);
    const size_t last = strtoul(end + 2, NULL, 10);
    for (size_t v = 0; v <= bars; v++)
        CHECK_INT(reach[v], v >= first && v <= last);
}

TEST(flexible_error_of_the_experiments_is_that_of_the_vectors)
{
    json_t *rows = vectors_load("flexible-accuracy", "flexible_error_experiments"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 2);
    json_array_foreach(rows, i, row)
    {
        const lab_experiment_kind *kind = lab_experiment_kind_of(
            (unsigned)json_integer_value(json_object_get(row, "experiment")), false);
        const char *name = kind->f.k == 1 ? "reachable_max" : "reachable_max_500";
        lab_bars x;
        bool reach[LAB_BARS_MAX + 1];
        lab_experiment_make(kind, NULL, &x);
        CHECK_INT(lab_bars_total(&x), json_integer_value(json_object_get(row, "n")));
        CHECK_INT(lab_flexible_allowance(&x),
                  json_integer_value(json_object_get(row, "D")));
        CHECK_INT(lab_bars_value(&kind->f, &x),
                  json_integer_value(json_object_get(row, "f")));
        lab_flexible_reach(&kind->f, &x, lab_flexible_allowance(&x), reach);
        check_range(json_string_value(json_object_get(row, name)), reach, x.count);
    }
}

/* Which values are taken by the histograms below x, tried one by one. */
static void try_all(const lab_bar_statistic *f, const lab_bars *x, int64_t allowance,
                    bool *reach)
{
    lab_bars y = {.count = x->count};
    memset(reach, 0, (LAB_BARS_MAX + 1) * sizeof *reach);
    do {
        bool is_below = true;
        for (size_t i = 1; i <= x->count; i++)
            is_below = is_below && y.at[i] <= x->at[i];
        if (is_below && lab_bars_total(x) - lab_bars_total(&y) <= allowance)
            reach[lab_bars_value(f, &y)] = true;
    } while (small_heights_next(&y, 3));
}

TEST(flexible_error_is_the_least_by_enumeration)
{
    CLAIM("flexible-error.least");
    static const lab_bar_statistic list[] = {
        {false, 1}, {false, 2}, {false, 3}, {true, 1}};
    size_t wrong = 0, tried = 0;
    lab_bars x = {.count = 3};
    do {
        for (size_t j = 0; j < COUNT(list); j++)
            for (int64_t allowance = 0; allowance <= 6; allowance++) {
                bool truth[LAB_BARS_MAX + 1], reach[LAB_BARS_MAX + 1];
                uint32_t errors[LAB_BARS_MAX + 1];
                try_all(&list[j], &x, allowance, truth);
                lab_flexible_reach(&list[j], &x, allowance, reach);
                lab_flexible_errors(&list[j], &x, allowance, errors);
                for (size_t y = 0; y <= x.count; y++) {
                    size_t least = LAB_BARS_MAX;
                    for (size_t v = 0; v <= x.count; v++) {
                        const size_t far = v < y ? y - v : v - y;
                        least = truth[v] && far < least ? far : least;
                    }
                    wrong += truth[y] != reach[y] || errors[y] != least;
                    tried++;
                }
            }
    } while (small_heights_next(&x, 3));
    CHECK_INT(tried, 7168); /* 64 histograms, 4 statistics, 7 allowances, 4 answers */
    CHECK_INT(wrong, 0);
}

static const lab_bar_statistic statistics[] = {
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
        const lab_bar_statistic f = {strcmp(name, "mode") == 0, name[3] - '0'};
        int64_t costs[LAB_BARS_MAX + 1];
        lab_bars x = {.count = json_array_size(list)};
        for (size_t j = 0; j < x.count; j++)
            x.at[j + 1] = json_integer_value(json_array_get(list, j));
        CHECK_INT(lab_stability_radius(&f, &x),
                  json_integer_value(json_object_get(row, "stability_radius")));
        lab_jump_costs(&f, &x, costs);
        CHECK_NEAR(
            lab_smooth_sensitivity(
                costs, x.count,
                strtod(json_string_value(json_object_get(row, "beta")), NULL)),
            strtod(json_string_value(json_object_get(row, "smooth_sensitivity")), NULL),
            1e-14);
    }
}

/* How far a value jumps by one element more or less, at most REACH of a bar: the truth about jumps
 * is a list of all histograms. */
#define REACH 6

typedef struct jump_list {
    lab_bars at[2048];
    bool jumps[2048][4]; /* [i][d]: list i can jump by d bars */
    size_t count;
} jump_list;

static void list_jumps(const lab_bar_statistic *f, size_t bars, jump_list *out)
{
    lab_bars z = {.count = bars};
    out->count = 0;
    do {
        const size_t value = lab_bars_value(f, &z);
        memset(out->jumps[out->count], 0, sizeof out->jumps[0]);
        for (size_t i = 1; i <= bars; i++)
            for (int64_t step = -1; step <= 1; step += 2) {
                lab_bars other = z;
                other.at[i] += step;
                if (other.at[i] < 0)
                    continue;
                const size_t next = lab_bars_value(f, &other);
                out->jumps[out->count][next < value ? value - next : next - value] = true;
            }
        out->at[out->count++] = z;
    } while (small_heights_next(&z, REACH));
}

static int64_t steps_between(const lab_bars *x, const lab_bars *z)
{
    int64_t steps = 0;
    for (size_t i = 1; i <= x->count; i++)
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
            lab_bars x = {.count = bars};
            list_jumps(&statistics[s], bars, &list);
            do {
                int64_t costs[LAB_BARS_MAX + 1], radius = LAB_ALWAYS_STABLE;
                lab_jump_costs(&statistics[s], &x, costs);
                for (size_t d = 1; d <= bars; d++) {
                    int64_t least = LAB_ALWAYS_STABLE;
                    for (size_t i = 0; i < list.count; i++)
                        if (list.jumps[i][d] && steps_between(&x, &list.at[i]) < least)
                            least = steps_between(&x, &list.at[i]);
                    radius = least < radius ? least : radius;
                    wrong += costs[d] != least;
                    tried++;
                }
                wrong += lab_stability_radius(&statistics[s], &x) != radius;
            } while (small_heights_next(&x, 3));
        }
    CHECK_INT(tried, 896); /* 4 statistics, 16 of two bars, 64 of three */
    CHECK_INT(wrong, 0);
}

TEST(value_stability_of_one_bar)
{
    const lab_bar_statistic mode = {true, 1};
    const lab_bars x = {1, {0, 5}};
    int64_t costs[LAB_BARS_MAX + 1];
    CHECK_INT(lab_stability_radius(&mode, &x), LAB_ALWAYS_STABLE);
    lab_jump_costs(&mode, &x, costs);
    CHECK_INT(costs[1], LAB_ALWAYS_STABLE);
    CHECK(lab_smooth_sensitivity(costs, 1, 0.5) == 0);
}

/* spec/flexible-accuracy.md 13.3 as it is written: the minimum over every height. */
static int64_t plus(int64_t x)
{
    return x > 0 ? x : 0;
}

static int64_t cost_as_written(const lab_bars *x, size_t a, size_t b)
{
    int64_t least = LAB_ALWAYS_STABLE;
    for (int64_t level = 0; level <= lab_bars_highest(x) + 1; level++) {
        int64_t one = llabs(x->at[a] - level + 1) + llabs(x->at[b] - level);
        int64_t two = llabs(x->at[a] - level) + llabs(x->at[b] - level);
        for (size_t i = 1; i <= x->count; i++) {
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
    const lab_bar_statistic mode = {true, 1};
    lab_random *random = NULL;
    scrim_error error;
    size_t wrong = 0;
    sc_entropy_seed(check_seed());
    REQUIRE_OK(lab_random_open(&random, &error));
    const uint64_t rounds = check_count(300, 20000);
    for (uint64_t round = 0; round < rounds; round++) {
        lab_bars x = {.count = 1 + round % 9};
        int64_t costs[LAB_BARS_MAX + 1], truth[LAB_BARS_MAX + 1] = {0};
        for (size_t i = 1; i <= x.count; i++) {
            x.at[i] = (int64_t)lab_random_below(random, 1 + round % 23);
            truth[i] = LAB_ALWAYS_STABLE;
        }
        for (size_t a = 1; a <= x.count; a++)
            for (size_t b = a + 1; b <= x.count; b++) {
                const int64_t cost = cost_as_written(&x, a, b);
                truth[b - a] = cost < truth[b - a] ? cost : truth[b - a];
            }
        lab_jump_costs(&mode, &x, costs);
        for (size_t d = 1; d < x.count; d++)
            wrong += costs[d] != truth[d];
    }
    CHECK_INT(wrong, 0);
    lab_random_close(random);
    sc_entropy_release();
}
