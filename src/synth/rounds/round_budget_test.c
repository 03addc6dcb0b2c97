#include "exact.h"
#include "mechanism_lines.h"
#include "synth/rounds/rounds.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static scrim_neighbours relation_of(const json_t *row)
{
    return strcmp(vectors_text(row, "relation"), "replace") == 0 ? SCRIM_REPLACE
                                                                 : SCRIM_ADD_REMOVE;
}

/* x/64 as the vector prints it. */
static void check_64ths(uint64_t found, const char *printed)
{
    sc_ratio x, parts;
    sc_ratio_init(&x);
    exact_ratio("64", &parts);
    sc_ratio_set_int128(&x, (sc_int128)found);
    sc_ratio_div(&x, &x, &parts);
    CHECK_RATIO(&x, printed);
    sc_ratio_clear(&parts);
    sc_ratio_clear(&x);
}

/* Is the decimal the number, rounded? */
static void check_decimal(const sc_ratio *x, const char *printed)
{
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, x, EXACT_BITS);
    CHECK_NEAR(sc_ball_upper(&ball), strtod(printed, NULL), 1e-12);
    sc_ball_clear(&ball);
}

/* One row of mst_budget: the variances, the rate and what they cost together. */
static void check_budget(const json_t *row)
{
    const sc_round_unit unit = {relation_of(row), vectors_number(row, "rows_per_unit")};
    const uint64_t k = vectors_number(row, "columns");
    const json_t *shares = json_object_get(row, "shares");
    uint64_t first = 0, rate = 0, last = 0;
    sc_ratio rho, share[3], cost, sum;
    exact_ratio(vectors_text(row, "rho"), &rho);
    sc_ratio_init(&cost);
    sc_ratio_init(&sum);
    for (size_t i = 0; i < 3; i++) {
        exact_ratio(json_string_value(json_array_get(shares, i)), &share[i]);
        sc_ratio_mul(&share[i], &share[i], &rho);
    }
    CHECK_INT(sc_round_move(&unit), vectors_number(row, "D"));
    CHECK_INT(sc_round_square(&unit), vectors_number(row, "D2_squared"));
    CHECK_STATUS(sc_round_variance(&share[0], (sc_uint128)k * sc_round_square(&unit),
                                   &first, NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_round_rate(&share[1], k - 1, sc_round_move(&unit), &rate, NULL),
                 SCRIM_OK);
    rate /= sc_round_move(&unit);
    CHECK_STATUS(sc_round_variance(&share[2],
                                   (sc_uint128)(k - 1) * sc_round_square(&unit), &last,
                                   NULL),
                 SCRIM_OK);
    check_64ths(first, vectors_text(row, "sigma1_squared"));
    CHECK_INT(rate, vectors_number(row, "h_times_2_32"));
    check_64ths(last, vectors_text(row, "sigma2_squared"));
    sc_round_measure_cost((sc_uint128)k * sc_round_square(&unit), first, &sum);
    CHECK(sc_ratio_compare(&sum, &share[0]) <= 0);
    for (uint64_t i = 0; i + 1 < k; i++) {
        sc_round_select_cost(sc_round_move(&unit), rate, &cost);
        sc_ratio_add(&sum, &sum, &cost);
    }
    sc_round_measure_cost((sc_uint128)(k - 1) * sc_round_square(&unit), last, &cost);
    CHECK(sc_ratio_compare(&cost, &share[2]) <= 0);
    sc_ratio_add(&sum, &sum, &cost);
    CHECK(sc_ratio_compare(&sum, &rho) <= 0);
    check_decimal(&sum, vectors_text(row, "charged"));
    for (size_t i = 0; i < 3; i++)
        sc_ratio_clear(&share[i]);
    sc_ratio_clear(&sum);
    sc_ratio_clear(&cost);
    sc_ratio_clear(&rho);
}

TEST(round_budget_is_that_of_the_specification)
{
    CLAIM("round-budget.exact");
    CLAIM("round-budget.within");
    size_t at = 0;
    json_t *row = NULL;
    json_t *list = vectors_load("synthetic", "mst_budget");
    REQUIRE(list != NULL);
    json_array_foreach(list, at, row) check_budget(row);
    CHECK_INT(at, 4);
}

/* All databases of one unit over a few cells, and all small models: how far scores move. */

static int64_t score(const int *x, const int *m, int cells)
{
    int64_t sum = 0;
    for (int i = 0; i < cells; i++)
        sum += abs(x[i] - m[i]);
    return sum;
}

/* Numbers below base in each of cells places. */
static bool count_up(int *digits, int cells, int base)
{
    for (int i = 0; i < cells; i++) {
        if (++digits[i] < base)
            return true;
        digits[i] = 0;
    }
    return false;
}

static int total(const int *x, int cells)
{
    int sum = 0;
    for (int i = 0; i < cells; i++)
        sum += x[i];
    return sum;
}

/* The unit's rows are a, then b, beside others; the model is m. */
static int64_t widest(int cells, int rows, bool is_replace)
{
    int64_t most = 0;
    int others[3] = {0};
    do {
        int m[3] = {0};
        do {
            int a[3] = {0};
            do {
                int b[3] = {0};
                do {
                    if (total(a, cells) > rows || total(b, cells) > rows ||
                        (!is_replace && total(b, cells) > 0))
                        continue;
                    int x[3], y[3];
                    for (int i = 0; i < cells; i++) {
                        x[i] = others[i] + a[i];
                        y[i] = others[i] + b[i];
                    }
                    const int64_t by = score(x, m, cells) - score(y, m, cells);
                    most = by > most ? by : -by > most ? -by : most;
                } while (count_up(b, cells, rows + 1));
            } while (count_up(a, cells, rows + 1));
        } while (count_up(m, cells, 4));
    } while (count_up(others, cells, 2));
    return most;
}

TEST(round_budget_has_the_sensitivity_of_scores)
{
    CLAIM("round-budget.sensitivity");
    CLAIM("rounds.score");
    size_t at = 0;
    json_t *row = NULL;
    json_t *list = vectors_load("synthetic", "score_sensitivity");
    REQUIRE(list != NULL);
    json_array_foreach(list, at, row)
    {
        const sc_round_unit unit = {relation_of(row), vectors_number(row, "rows")};
        const int64_t found = widest((int)vectors_number(row, "cells"), (int)unit.rows,
                                     unit.neighbours == SCRIM_REPLACE);
        CHECK_INT(found, (int64_t)vectors_number(row, "sensitivity"));
        CHECK_INT(found, (int64_t)sc_round_move(&unit));
    }
    CHECK_INT(at, 8);
}

/* floor(n sqrt(2 v/pi) + 1/2) against doubles, away from their errors. */
TEST(round_budget_knows_the_mean_noise)
{
    CLAIM("round-budget.exact");
    static const uint64_t cells[] = {1, 2, 15, 630, 131072},
                          variances[] = {1, 64, 6400, 99736, 1 << 30};
    for (size_t i = 0; i < COUNT(cells); i++)
        for (size_t k = 0; k < COUNT(variances); k++) {
            const double exact =
                (double)cells[i] * sqrt((double)variances[k] / (32 * acos(-1))) + 0.5;
            if (exact - floor(exact) > 1e-6 && exact - floor(exact) < 1 - 1e-6)
                CHECK_INT(sc_round_noise(cells[i], variances[k]), (int64_t)exact);
        }
    CHECK_INT(sc_round_noise(UINT64_MAX, UINT64_MAX), INT64_MAX);
}

/* Pure shares: 2 D h and D1/scale are at most the share, and a step more would be above it. */
TEST(round_budget_spends_pure_shares)
{
    CLAIM("round-budget.within");
    static const char *const shares[] = {"1", "1/20", "1/7", "3"};
    for (size_t i = 0; i < COUNT(shares); i++) {
        uint64_t rate = 0, scale = 0;
        sc_ratio share, spent, other;
        exact_ratio(shares[i], &share);
        sc_ratio_init(&spent);
        sc_ratio_init(&other);
        REQUIRE_OK(sc_round_pure_rate(&share, 3, &rate, NULL));
        REQUIRE_OK(sc_round_scale(&share, 3, &scale, NULL));
        for (uint64_t more = 0; more < 2; more++) {
            sc_ratio_set_quotient(&spent, (int64_t)2 * 3 * (int64_t)(rate + more),
                                  (int64_t)1 << 32);
            CHECK((sc_ratio_compare(&spent, &share) <= 0) == (more == 0));
            sc_ratio_set_quotient(&other, (int64_t)3 * 64, (int64_t)(scale - more));
            CHECK((sc_ratio_compare(&other, &share) <= 0) == (more == 0));
        }
        sc_ratio_clear(&other);
        sc_ratio_clear(&spent);
        sc_ratio_clear(&share);
    }
}

TEST(round_budget_refuses_what_has_no_noise)
{
    uint64_t out = 0;
    sc_ratio none, tiny;
    exact_ratio("0", &none);
    exact_ratio("2^-70", &tiny);
    CHECK_STATUS(sc_round_variance(&none, 1, &out, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_round_rate(&none, 1, 1, &out, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_round_rate(&tiny, 1, 1, &out, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_round_pure_rate(&tiny, 1, &out, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_round_scale(&tiny, 1, &out, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_round_unit_check(&(sc_round_unit){SCRIM_LOCAL, 1}, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_round_unit_check(&(sc_round_unit){SCRIM_REPLACE, 0}, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_round_unit_check(&(sc_round_unit){SCRIM_REPLACE, 1 << 21}, NULL),
                 SCRIM_E_PARAM);
    sc_ratio_clear(&tiny);
    sc_ratio_clear(&none);
}
