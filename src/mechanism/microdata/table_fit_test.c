#include "check.h"
#include "mechanism/microdata/table_fit.h"
#include "scrim/microdata.h"

#include <stdlib.h>

#define CELLS 3
#define MOST 9

static int64_t below(uint64_t *state, int64_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((*state >> 33) % (uint64_t)limit);
}

static int64_t squares_of(const int64_t *a, const int64_t *t, int64_t sum, int64_t n,
                          int64_t m)
{
    int64_t cells = 0, total = 0;
    for (size_t i = 0; i < CELLS; i++) {
        cells += (t[i] - a[i]) * (t[i] - a[i]);
        total += t[i];
    }
    return m * cells + n * (total - sum) * (total - sum);
}

static int64_t largest_of(const int64_t *a, const int64_t *t, int64_t sum)
{
    int64_t most = 0, total = 0;
    for (size_t i = 0; i < CELLS; i++) {
        most = llabs(t[i] - a[i]) > most ? llabs(t[i] - a[i]) : most;
        total += t[i];
    }
    return llabs(total - sum) > most ? llabs(total - sum) : most;
}

typedef int64_t cost_fn(const int64_t *a, const int64_t *t, int64_t sum, int64_t n,
                        int64_t m);

static int64_t largest_cost(const int64_t *a, const int64_t *t, int64_t sum, int64_t n,
                            int64_t m)
{
    (void)n;
    (void)m;
    return largest_of(a, t, sum);
}

/* The least cost over all tables. */
static int64_t least(const int64_t *a, int64_t sum, int64_t n, int64_t m, cost_fn *cost)
{
    int64_t best = INT64_MAX, t[CELLS];
    for (t[0] = 0; t[0] <= (int64_t)2 * MOST; t[0]++)
        for (t[1] = 0; t[1] <= (int64_t)2 * MOST; t[1]++)
            for (t[2] = 0; t[2] <= (int64_t)2 * MOST; t[2]++) {
                const int64_t now = cost(a, t, sum, n, m);
                best = now < best ? now : best;
            }
    return best;
}

/* Against all tables of few and small cells. */
TEST(table_fits_are_the_best_of_all_tables)
{
    CLAIM("table-fit.squares");
    CLAIM("table-fit.largest");
    static const struct {
        const char *text;
        int64_t n, m;
    } weights[] = {
        {NULL, 1, 1}, {"0", 0, 1}, {"1/3", 1, 3}, {"20", 20, 1}, {"1e6", 1000000, 1}};
    uint64_t state = check_seed();
    for (uint64_t k = 0; k < check_count(300, 3000); k++) {
        int64_t a[CELLS], t[CELLS];
        const size_t w = (size_t)(k % COUNT(weights));
        for (size_t i = 0; i < CELLS; i++)
            a[i] = below(&state, MOST + 6) - 6;
        const int64_t sum = below(&state, 2 * MOST + 5) - 5;
        REQUIRE_OK(
            scrim_microdata_fit(a, CELLS, sum,
                                SCRIM_OPTIONS(scrim_microdata_fit_options,
                                              .weight = weights[w].text, .seed = k % 3),
                                t, NULL));
        CHECK(t[0] >= 0 && t[1] >= 0 && t[2] >= 0);
        CHECK_INT(squares_of(a, t, sum, weights[w].n, weights[w].m),
                  least(a, sum, weights[w].n, weights[w].m, squares_of));
        REQUIRE_OK(scrim_microdata_fit(
            a, CELLS, sum,
            SCRIM_OPTIONS(scrim_microdata_fit_options, .method = "largest"), t, NULL));
        int64_t error = 0;
        (void)sc_fit_largest(a, CELLS, sum, &error);
        CHECK(t[0] >= 0 && t[1] >= 0 && t[2] >= 0);
        CHECK_INT(largest_of(a, t, sum), error);
        CHECK_INT(error, least(a, sum, 0, 0, largest_cost));
        REQUIRE_OK(scrim_microdata_fit(
            a, CELLS, sum, SCRIM_OPTIONS(scrim_microdata_fit_options, .method = "sum"), t,
            NULL));
        CHECK_INT(t[0] + t[1] + t[2], sum < 0 ? 0 : sum);
    }
}

/* Without a weight of the sum every cell is its own, and a large weight gives the noisy sum. */
TEST(table_fits_have_their_limits)
{
    CLAIM("table-fit.squares");
    const int64_t a[] = {5, -3, 0, 12, 1}, want[] = {5, 0, 0, 12, 1};
    int64_t t[5], far[] = {SC_FIT_VALUE, -SC_FIT_VALUE, SC_FIT_VALUE};
    REQUIRE_OK(scrim_microdata_fit(
        a, 5, 40, SCRIM_OPTIONS(scrim_microdata_fit_options, .weight = "0"), t, NULL));
    CHECK_BYTES(t, want, sizeof want);
    REQUIRE_OK(scrim_microdata_fit(
        a, 5, 40, SCRIM_OPTIONS(scrim_microdata_fit_options, .weight = "2147483648"), t,
        NULL));
    CHECK_INT(t[0] + t[1] + t[2] + t[3] + t[4], 40);
    int64_t error = 0;
    CHECK_INT(sc_fit_largest(far, 3, -SC_FIT_VALUE, &error), 0);
    CHECK_INT(error, SC_FIT_VALUE);
    /* The cells ask for twice the sum; what stays of it is 2^60 over some weight. */
    const int64_t total = sc_fit_squares(far, 3, SC_FIT_VALUE, SC_FIT_WEIGHT, 1);
    CHECK(total > SC_FIT_VALUE && total - SC_FIT_VALUE < (int64_t)1 << 30);
    CHECK(sc_fit_squares(far, 3, -SC_FIT_VALUE, 1, SC_FIT_WEIGHT) > SC_FIT_VALUE);
}

TEST(table_fits_refuse_what_is_none)
{
    const int64_t a[] = {1, 2}, far[] = {SC_FIT_VALUE + 1};
    int64_t t[2] = {7, 7};
    scrim_error error;
#define FIT(...) SCRIM_OPTIONS(scrim_microdata_fit_options, __VA_ARGS__)
    CHECK_STATUS(scrim_microdata_fit(a, 2, 3, FIT(.method = "best"), t, &error),
                 SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown method 'best'; use squares, largest or sum");
    CHECK_STATUS(scrim_microdata_fit(a, 2, 3, FIT(.weight = "-1"), t, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_fit(a, 2, 3, FIT(.weight = "x"), t, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_fit(a, 0, 3, NULL, t, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_fit(far, 1, 3, NULL, t, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_fit(a, 2, SC_FIT_VALUE + 1, NULL, t, &error),
                 SCRIM_E_PARAM);
    CHECK_INT(t[0], 7);
}
