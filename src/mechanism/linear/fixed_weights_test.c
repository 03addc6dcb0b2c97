#include "mechanism/linear/weight_queries.h"
#include "noise_checks.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The weight of a bin as a number. */
static double weight_of(const sc_fixed_weights *w, size_t bin)
{
    return (double)w->total * (double)w->weights[bin] / (double)w->sum;
}

static bool load(const char *line, sc_linear_matrix *out)
{
    scrim_measurement *m = noise_made(line);
    const bool is_read = m != NULL && sc_linear_matrix_load(m, out) > 0;
    scrim_measurement_free(m);
    return CHECK(is_read);
}

/* v:mwem_update */
TEST(fixed_weights_step_as_the_specification_does)
{
    CLAIM("fixed-weights.update");
    json_t *row = vectors_load("mechanisms", "mwem_update");
    char line[200] = "linear-queries epsilon=1 neighbours=replace bins=4 coefficients=";
    static sc_linear_matrix matrix;
    static sc_fixed_weights w;
    REQUIRE(row != NULL);
    const json_t *query = json_object_get(row, "query"),
                 *after = json_object_get(row, "weights_after");
    REQUIRE(json_array_size(query) == 4 && json_array_size(after) == 4);
    for (size_t i = 0; i < 4; i++) {
        const size_t at = strlen(line);
        snprintf(line + at, sizeof line - at, "%s%d", i > 0 ? "," : "",
                 json_integer_value(json_array_get(query, i)) == 1);
    }
    REQUIRE(load(line, &matrix));
    sc_fixed_weights_start(&w, 4, (int64_t)vectors_number(row, "n"), 1);
    sc_fixed_weights_learn(&w, &matrix, 0, (int64_t)vectors_number(row, "measurement"));
    for (size_t i = 0; i < 4; i++)
        CHECK(fabs(weight_of(&w, i) -
                   strtod(json_string_value(json_array_get(after, i)), NULL)) < 1e-7);
    CHECK_INT(sc_fixed_weights_answer(&w, &matrix, 0), 52); /* 52.4979 */
    CHECK_INT(sc_fixed_weights_count(&w, 0), 26);
    CHECK_INT(sc_fixed_weights_count(&w, 1), 24);
}

/* Against doubles, over many steps; of fractions of a row too. */
TEST(fixed_weights_keep_close_to_real_ones)
{
    CLAIM("fixed-weights.update");
    static sc_linear_matrix matrix;
    static sc_fixed_weights w;
    double logs[3] = {0, 0, 0};
    REQUIRE(load("linear-queries epsilon=1 neighbours=replace bins=3 grid=1/4 "
                 "coefficients=1,1/4,0,0,3/4,1,1/2,1/2,1",
                 &matrix));
    sc_fixed_weights_start(&w, 3, 1000, 4);
    for (int turn = 0; turn < 300; turn++) {
        const size_t q = (size_t)turn % 3;
        const int64_t y = 4000 * (turn % 7) / 6;
        double sum = 0, answer = 0;
        for (size_t i = 0; i < 3; i++)
            sum += exp(logs[i]);
        for (size_t i = 0; i < 3; i++)
            answer += 1000 * (double)sc_linear_matrix_at(&matrix, q, i) / 4 *
                      exp(logs[i]) / sum;
        for (size_t i = 0; i < 3; i++)
            logs[i] += (double)sc_linear_matrix_at(&matrix, q, i) / 4 *
                       ((double)y / 4 - answer) / 2000;
        CHECK(fabs(4 * answer - (double)sc_fixed_weights_answer(&w, &matrix, q)) < 0.51);
        sc_fixed_weights_learn(&w, &matrix, q, y);
    }
}

/* A bin may lose all its weight, and get it back. */
TEST(fixed_weights_go_to_nothing_and_back)
{
    static sc_linear_matrix matrix;
    static sc_fixed_weights w;
    REQUIRE(load("linear-queries epsilon=1 neighbours=replace bins=2 coefficients=1,0",
                 &matrix));
    sc_fixed_weights_start(&w, 2, (int64_t)1 << 31, 1);
    sc_fixed_weights_step(&w, &matrix, 0, (int64_t)100 << 32);
    CHECK_INT(sc_fixed_weights_count(&w, 1), 0);
    CHECK_INT(sc_fixed_weights_count(&w, 0), (int64_t)1 << 31);
    sc_fixed_weights_step(&w, &matrix, 0, -((int64_t)100 << 32));
    CHECK_INT(sc_fixed_weights_count(&w, 0), (int64_t)1 << 30);
    CHECK_INT(sc_fixed_weights_count(&w, 1), (int64_t)1 << 30);
}
