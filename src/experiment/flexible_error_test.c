#include "check.h"
#include "experiment/experiment_data.h"
#include "experiment/flexible_error.h"
#include "small_heights.h"
#include "vectors.h"

#include <string.h>

static void read_heights(const json_t *list, sc_heights *out)
{
    out->bars = json_array_size(list);
    for (size_t i = 0; i < out->bars; i++)
        out->at[i + 1] = json_integer_value(json_array_get(list, i));
}

TEST(flexible_error_is_that_of_the_vectors)
{
    CLAIM("flexible-error.least");
    static const struct {
        const char *name;
        sc_height_statistic f;
    } statistics[] = {{"max", {false, 1}},
                      {"max_2", {false, 2}},
                      {"max_3", {false, 3}},
                      {"mode", {true, 1}}};
    json_t *rows = vectors_load("flexible-accuracy", "flexible_error"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 12);
    json_array_foreach(rows, i, row)
    {
        sc_heights x;
        uint32_t errors[SC_HEIGHTS_MAX + 1];
        read_heights(json_object_get(row, "x"), &x);
        for (size_t j = 0; j < COUNT(statistics); j++) {
            sc_flexible_errors(&statistics[j].f, &x,
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
        const sc_experiment_kind *kind = sc_experiment_kind_of(
            (unsigned)json_integer_value(json_object_get(row, "experiment")), false);
        const char *name = kind->f.k == 1 ? "reachable_max" : "reachable_max_500";
        sc_heights x;
        bool reach[SC_HEIGHTS_MAX + 1];
        REQUIRE_OK(sc_experiment_make(kind, NULL, &x, NULL));
        CHECK_INT(sc_heights_total(&x), json_integer_value(json_object_get(row, "n")));
        CHECK_INT(sc_flexible_allowance(&x),
                  json_integer_value(json_object_get(row, "D")));
        CHECK_INT(sc_heights_value(&kind->f, &x),
                  json_integer_value(json_object_get(row, "f")));
        sc_flexible_reach(&kind->f, &x, sc_flexible_allowance(&x), reach);
        check_range(json_string_value(json_object_get(row, name)), reach, x.bars);
    }
}

/* Which values are taken by the histograms below x, tried one by one. */
static void try_all(const sc_height_statistic *f, const sc_heights *x, int64_t allowance,
                    bool *reach)
{
    sc_heights y = {.bars = x->bars};
    memset(reach, 0, (SC_HEIGHTS_MAX + 1) * sizeof *reach);
    do {
        bool is_below = true;
        for (size_t i = 1; i <= x->bars; i++)
            is_below = is_below && y.at[i] <= x->at[i];
        if (is_below && sc_heights_total(x) - sc_heights_total(&y) <= allowance)
            reach[sc_heights_value(f, &y)] = true;
    } while (small_heights_next(&y, 3));
}

TEST(flexible_error_is_the_least_by_enumeration)
{
    CLAIM("flexible-error.least");
    static const sc_height_statistic list[] = {
        {false, 1}, {false, 2}, {false, 3}, {true, 1}};
    size_t wrong = 0, tried = 0;
    sc_heights x = {.bars = 3};
    do {
        for (size_t j = 0; j < COUNT(list); j++)
            for (int64_t allowance = 0; allowance <= 6; allowance++) {
                bool truth[SC_HEIGHTS_MAX + 1], reach[SC_HEIGHTS_MAX + 1];
                uint32_t errors[SC_HEIGHTS_MAX + 1];
                try_all(&list[j], &x, allowance, truth);
                sc_flexible_reach(&list[j], &x, allowance, reach);
                sc_flexible_errors(&list[j], &x, allowance, errors);
                for (size_t y = 0; y <= x.bars; y++) {
                    size_t least = SC_HEIGHTS_MAX;
                    for (size_t v = 0; v <= x.bars; v++) {
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
