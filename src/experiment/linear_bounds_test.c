#include "check.h"
#include "experiment/linear_bounds.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double bound(const char *line, const char *name)
{
    scrim_linear_bounds bounds;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_linear_bounds_of(line, &bounds, &error), SCRIM_OK)) {
        CHECK_STR(error.message, line);
        return (double)NAN;
    }
    for (size_t i = 0; i < bounds.count; i++)
        if (strcmp(bounds.list[i].name, name) == 0)
            return bounds.list[i].error;
    CHECK_FAIL("%s: no %s", line, name);
    return (double)NAN;
}

/* v:smalldb_accuracy */
TEST(linear_bounds_of_smalldb_are_those_of_the_vectors)
{
    CLAIM("linear-bounds.enough");
    json_t *rows = vectors_load("mechanisms", "smalldb_accuracy"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) >= 3);
    json_array_foreach(rows, index, row)
    {
        char line[200];
        sc_ball choices;
        const uint64_t bins = vectors_number(row, "universe");
        const uint64_t queries = vectors_number(row, "queries");
        const uint64_t people = vectors_number(row, "n");
        const double epsilon = strtod(vectors_text(row, "epsilon"), NULL);
        const double beta = strtod(vectors_text(row, "beta"), NULL);
        const double root = strtod(vectors_text(row, "alpha_root"), NULL);
        sc_ball_init(&choices);
        sc_linear_multisets(bins, vectors_number(row, "m"), &choices);
        CHECK_NEAR(sc_ball_upper(&choices),
                   strtod(vectors_text(row, "ln_multisets"), NULL), 1e-12);
        sc_ball_clear(&choices);
        const double found = sc_linear_cube_root(queries, bins, people, epsilon, beta);
        CHECK(found >= root);
        CHECK_NEAR(found, root, 1e-9);
        snprintf(line, sizeof line,
                 "queries=%llu bins=%llu people=%llu epsilon=%g confidence=%g",
                 (unsigned long long)queries, (unsigned long long)bins,
                 (unsigned long long)people, epsilon, 1 - beta);
        /* with fewer rows and the best alpha it is smaller than with the survey's */
        CHECK(bound(line, "smalldb") <
              1.001 * (double)people *
                  strtod(vectors_text(row, "error_bound_exact_count"), NULL));
        CHECK_NEAR(bound(line, "cube-root"), root * (double)people, 1e-9);
    }
}

/* spec/papers-additions.md 6: the radii of 10 and of 1000 answers at once. */
TEST(linear_bounds_of_laplace_noise_are_radii_at_once)
{
    CLAIM("linear-bounds.enough");
    CHECK_INT((int64_t)bound("queries=10 bins=2 people=9 epsilon=10", "laplace"), 5);
    CHECK_INT((int64_t)bound("queries=1000 bins=2 people=9 epsilon=500", "laplace"), 20);
    CHECK_INT((int64_t)bound("queries=1 bins=2 people=9 epsilon=1", "laplace"), 3);
}

/* One count: the limit is where e^((2a+1) epsilon) reaches (1-beta)/beta, and Laplace noise is never
 * below it. */
TEST(linear_limits_are_never_above_what_is_enough)
{
    CLAIM("linear-bounds.limit");
    static const char *const epsilons[] = {"0.01", "0.1", "1/3", "1", "3"};
    static const char *const deltas[] = {"0", "1e-6", "0.01"};
    for (size_t i = 0; i < COUNT(epsilons); i++)
        for (size_t k = 0; k < COUNT(deltas); k++) {
            char line[200];
            snprintf(line, sizeof line,
                     "queries=1 bins=2 people=100000 epsilon=%s delta=%s", epsilons[i],
                     deltas[k]);
            const double limit = bound(line, "one count");
            CHECK(limit <= bound(line, "laplace"));
            CHECK(limit <= bound(line, "nothing"));
            snprintf(line, sizeof line,
                     "queries=4096 bins=64 people=100000 epsilon=%s delta=%s",
                     epsilons[i], deltas[k]);
            CHECK(bound(line, "packing") <= bound(line, "laplace"));
            CHECK(bound(line, "rebuild") <= bound(line, "smalldb"));
        }
    /* (1-beta)/beta = 19, ln 19 = 2.944: at epsilon 1/10 2a + 1 >= 29.4 */
    CHECK_INT((int64_t)bound("queries=1 bins=2 people=1000 epsilon=1/10", "one count"),
              15);
    /* ln(64 * 0.95)/0.1 = 41.08 */
    CHECK_INT((int64_t)bound("queries=64 bins=64 people=1000 epsilon=1/10", "packing"),
              21);
    /* 30 people, wrong with 1/(1+e^0.1) - 0.05 = 0.42502: 30 * 0.42502 / 4 = 3.19 */
    CHECK_INT(
        (int64_t)bound("queries=1073741824 bins=64 people=1000 epsilon=1/10", "rebuild"),
        4);
}

TEST(linear_bounds_refuse_what_is_no_question)
{
    CLAIM("linear-bounds.limit");
    scrim_linear_bounds bounds;
    static const char *const lines[] = {
        "queries=0 bins=2 people=9 epsilon=1",
        "queries=1 bins=1 people=9 epsilon=1",
        "queries=1 bins=2 epsilon=1",
        "queries=1 bins=2 people=9 epsilon=0",
        "queries=1 bins=2 people=9 epsilon=1 confidence=1/2",
        "queries=1 bins=2 people=9 epsilon=1 delta=1"};
    for (size_t i = 0; i < COUNT(lines); i++)
        CHECK_STATUS(scrim_linear_bounds_of(lines[i], &bounds, NULL), SCRIM_E_PARAM);
}
