#include "exact.h"
#include "mechanism/linear/marginals.h"
#include "mechanism/noise/additive.h"
#include "mechanism_lines.h"
#include "noise_checks.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

/* The l1 norm is the scale at epsilon 1, the square of the l2 norm the variance at rho 1/2. */
static void check_reach(const char *tables, const char *relation, int64_t sum,
                        int64_t square)
{
    static const char *const costs[] = {"epsilon=1", "rho=1/2"};
    for (size_t i = 0; i < COUNT(costs); i++) {
        char line[200];
        snprintf(line, sizeof line, "marginals %s %s neighbours=%s", tables, costs[i],
                 relation);
        scrim_measurement *m = noise_made(line);
        REQUIRE(m != NULL);
        CHECK_INT(
            sc_ratio_compare_int64(&sc_additive_of(m)->law.shape, i == 0 ? sum : square),
            0);
        scrim_measurement_free(m);
    }
}

TEST(marginals_have_the_sensitivity_of_the_specification)
{
    CLAIM("marginals.sensitivity");
    size_t at = 0;
    json_t *row = NULL;
    json_t *list = vectors_load("synthetic", "marginal_sensitivity");
    REQUIRE(list != NULL);
    json_array_foreach(list, at, row)
    {
        const int64_t rows = (int64_t)vectors_number(row, "rows");
        const int64_t k = (int64_t)vectors_number(row, "marginals");
        char tables[100];
        CHECK_INT(k, 3);
        snprintf(tables, sizeof tables, "tables=2,2,2 max-rows=%d", (int)rows);
        check_reach(tables, "add-remove", k * rows,
                    (int64_t)vectors_number(row, "add_remove_l2_squared"));
        check_reach(tables, "replace", (int64_t)vectors_number(row, "replace_l1"),
                    (int64_t)vectors_number(row, "replace_l2_squared"));
    }
    CHECK_INT(at, 3);
}

/* All units of up to r rows over three binary columns, enumerated: tables by each column. */

enum { COLUMNS = 3, CELLS = 2 * COLUMNS, RECORDS = 8 };

typedef struct unit {
    int64_t counts[CELLS];
} unit;

static void add_row(unit *u, size_t record)
{
    for (size_t i = 0; i < COLUMNS; i++)
        u->counts[2 * i + (record >> i & 1)]++;
}

/* Multisets of at most most rows. */
static size_t list_units(unit *out, int most)
{
    size_t count = 1;
    memset(out, 0, sizeof *out);
    for (size_t first = 0, round = 0; round < (size_t)most; round++) {
        const size_t end = count;
        for (size_t i = first; i < end; i++)
            for (size_t record = 0; record < RECORDS; record++) {
                out[count] = out[i];
                add_row(&out[count++], record);
            }
        first = end;
    }
    return count;
}

static void widen(const unit *a, const unit *b, int64_t *sum, int64_t *square)
{
    int64_t s = 0, q = 0;
    for (size_t i = 0; i < CELLS; i++) {
        const int64_t by = a->counts[i] - b->counts[i];
        s += by < 0 ? -by : by;
        q += by * by;
    }
    *sum = s > *sum ? s : *sum;
    *square = q > *square ? q : *square;
}

TEST(marginals_of_every_small_unit_move_no_further)
{
    CLAIM("marginals.sensitivity");
    static unit units[1 + 8 + 64 + 512];
    for (int rows = 1; rows <= 3; rows++) {
        const size_t count = list_units(units, rows);
        int64_t come_sum = 0, come_square = 0, sum = 0, square = 0;
        char tables[100];
        for (size_t i = 0; i < count; i++) {
            widen(&units[i], &units[0], &come_sum, &come_square);
            for (size_t k = 0; k < i; k++)
                widen(&units[i], &units[k], &sum, &square);
        }
        snprintf(tables, sizeof tables, "tables=2,2,2 max-rows=%d", rows);
        check_reach(tables, "add-remove", come_sum, come_square);
        check_reach(tables, "replace", sum, square);
    }
}

TEST(marginals_cost_what_they_are_given)
{
    CLAIM("marginals.privacy");
    CHECK_STR(noise_cost("marginals tables=2,3 epsilon=1/3 neighbours=replace").epsilon,
              "1/3");
    CHECK_STR(noise_cost("marginals tables=2,3 rho=3/7 neighbours=replace").rho, "3/7");
    CHECK_STR(
        noise_cost("marginals tables=2,3 epsilon=1 delta=1e-3 neighbours=replace").delta,
        "0.001");
    const sc_pair pair = {
        .y = {1, 0, 1, 0, 0}, .x = {0, 1, 0, 0, 1}, .x_count = 5, .y_count = 5};
    noise_check_curve("marginals tables=2,3 epsilon=1/2 neighbours=replace", &pair,
                      false);
}

TEST(marginals_draw_from_their_law)
{
    CLAIM("marginals.accuracy");
    sc_law law;
    exact_law(&sc_discrete_gaussian_law, "4", 0, &law);
    noise_check_draws("marginals tables=1,1 rho=1/4 neighbours=add-remove", &law, 2000);
    sc_law_clear(&law);
    const int64_t x[] = {3, 5, 1000000000000}, y[] = {-3, 6, 1};
    noise_check_shift("marginals tables=2,1 epsilon=1/4 neighbours=add-remove", x, y, 3);
    scrim_certificate found;
    scrim_measurement *m =
        noise_made("marginals tables=2,1 epsilon=2 neighbours=add-remove");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 3, &found, NULL));
    CHECK_STR(found.radius, "3"); /* 2 exp(-4) / (1 + exp(-1)) = 0.027, of 2: 0.073 */
    scrim_measurement_free(m);
}

TEST(marginals_refuse_what_is_no_table)
{
    noise_refused("marginals tables=0 epsilon=1 neighbours=replace", SCRIM_E_PARAM,
                  "tables");
    noise_refused("marginals tables=2,3/2 epsilon=1 neighbours=replace", SCRIM_E_PARAM,
                  "whole numbers");
    noise_refused("marginals tables=16777217 epsilon=1 neighbours=replace", SCRIM_E_LIMIT,
                  "tables");
    noise_refused("marginals tables=2 neighbours=replace", SCRIM_E_PARAM, "epsilon");
    noise_refused("marginals tables=2 epsilon=1 max-rows=0 neighbours=replace",
                  SCRIM_E_PARAM, "max-rows");
    mechanism_check_faults("marginals tables=2,3 rho=1/4 neighbours=replace");
}
