#include "balls.h"
#include "exact.h"
#include "mechanism/noise/additive.h"
#include "mechanism/noise/truncated.h"
#include "noise_checks.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

static void line_of(const json_t *row, char line[200])
{
    snprintf(line, 200,
             "truncated-laplace sensitivity=%lld scale=%lld/%lld bound=%lld size=1 "
             "neighbours=replace",
             (long long)vectors_number(row, "D"), (long long)vectors_number(row, "t"),
             (long long)vectors_number(row, "s"), (long long)vectors_number(row, "B"));
}

/* (D s/t, delta) with the delta of the vectors, rounded up in the 64th bit; and the bound found
 * from that delta again. */
TEST(truncated_cost_matches_the_vectors)
{
    CLAIM("truncated.privacy");
    json_t *rows = vectors_load("mechanisms", "truncated_discrete_laplace"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 5);
    json_array_foreach(rows, index, row)
    {
        char line[200], want[64];
        scrim_cost cost;
        sc_ratio delta, epsilon;
        sc_ball ours, printed;
        const json_t *pair = json_object_get(row, "epsilon");
        line_of(row, line);
        scrim_measurement *m = noise_made(line);
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        snprintf(want, sizeof want, "%lld/%lld",
                 (long long)json_integer_value(json_array_get(pair, 0)),
                 (long long)json_integer_value(json_array_get(pair, 1)));
        exact_ratio(want, &epsilon);
        sc_ratio_format(&epsilon, want, sizeof want);
        CHECK_STR(cost.epsilon, want);
        CHECK_STR(cost.rho, "");
        exact_ratio(cost.delta, &delta);
        sc_ball_init(&ours);
        sc_ball_init(&printed);
        sc_ball_set_ratio(&ours, &delta, EXACT_BITS);
        REQUIRE(ball_set_text(&printed, json_string_value(json_object_get(row, "delta")),
                              EXACT_BITS));
        CHECK_NEAR(sc_ball_upper(&ours), sc_ball_upper(&printed), 1e-15);
        sc_curve_delta_upper(&m->cost.curve, &epsilon, EXACT_BITS, &printed);
        CHECK_PRINTED(&printed, json_string_value(json_object_get(row, "delta")));
        CHECK(sc_ball_is_less_equal(&printed, &ours));
        sc_ball_clear(&printed);
        sc_ball_clear(&ours);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
        scrim_measurement_free(m);
    }
}

static void radius_of(const char *line, char out[SCRIM_NUMBER_BYTES])
{
    scrim_certificate c = {.excludes = ""};
    scrim_measurement *m = noise_modelled(line);
    if (m != NULL)
        CHECK_STATUS(scrim_measurement_certify(m, "0.5", 1, &c, NULL), SCRIM_OK);
    CHECK_INT(c.form, SCRIM_CERTIFICATE_RANGE);
    CHECK_STR(c.confidence, "1");
    CHECK(strstr(c.excludes, "several") == NULL);
    memcpy(out, c.radius, SCRIM_NUMBER_BYTES);
    scrim_measurement_free(m);
}

/* The smallest bound for a delta: it has at most that, one less has more. */
TEST(truncated_bound_for_a_delta_is_the_smallest)
{
    CLAIM("truncated.privacy");
    static const struct {
        const char *noise, *delta;
        int64_t shift;
    } list[] = {{"scale=1", "1e-6", 1},  {"scale=10", "1e-9", 1},
                {"scale=10", "1e-9", 7}, {"scale=1/3", "1e-40", 2},
                {"scale=5", "1/4", 3},   {"scale=100", "0.9", 5}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char line[200], radius[SCRIM_NUMBER_BYTES];
        snprintf(line, sizeof line,
                 "truncated-laplace sensitivity=%lld %s delta=%s neighbours=replace",
                 (long long)list[i].shift, list[i].noise, list[i].delta);
        radius_of(line, radius);
        int64_t bound = strtoll(radius, NULL, 10);
        sc_ratio delta;
        sc_ball mass, target;
        exact_ratio(list[i].delta, &delta);
        sc_ball_init(&mass);
        sc_ball_init(&target);
        sc_ball_set_ratio(&target, &delta, EXACT_BITS);
        for (int64_t b = bound; b >= bound - 1 && b >= list[i].shift; b--) {
            sc_law law;
            exact_law(&sc_truncated_laplace_law, list[i].noise + strlen("scale="), b,
                      &law);
            /* The mass of the outermost points, point by point. */
            sc_ball_set_int64(&mass, 0);
            for (int64_t k = b; k > b - list[i].shift; k--) {
                sc_ball point;
                sc_ball_init(&point);
                sc_law_pmf(&law, k, EXACT_BITS, &point);
                sc_ball_add(&mass, &mass, &point, EXACT_BITS);
                sc_ball_clear(&point);
            }
            CHECK(sc_ball_is_less_equal(&mass, &target) == (b == bound));
            sc_law_clear(&law);
        }
        /* The given cost is charged. */
        scrim_cost cost;
        scrim_measurement *m = noise_made(line);
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        sc_ratio charged;
        exact_ratio(cost.delta, &charged);
        CHECK(sc_ratio_compare(&charged, &delta) == 0);
        sc_ratio_clear(&charged);
        scrim_measurement_free(m);
        sc_ball_clear(&target);
        sc_ball_clear(&mass);
        sc_ratio_clear(&delta);
    }
}

TEST(truncated_curve_is_that_of_its_law)
{
    CLAIM("truncated.privacy");
    static const struct {
        const char *line;
        sc_pair pair;
        bool is_exact;
    } list[] = {
        {"truncated-laplace scale=1 bound=10 size=1", {{0}, {1}, 1, 1}, true},
        {"truncated-laplace scale=1 bound=10 size=1", {{7}, {6}, 1, 1}, true},
        {"truncated-laplace sensitivity=3 scale=10/3 bound=20 size=1",
         {{0}, {3}, 1, 1},
         true},
        {"truncated-laplace sensitivity=3 scale=10/3 bound=20 size=1",
         {{0}, {1}, 1, 1},
         false},
        {"truncated-laplace sensitivity=4 scale=2 bound=4 size=1",
         {{0}, {4}, 1, 1},
         true},
        {"truncated-laplace sensitivity=0.3 epsilon=1/4 grid=0.1 delta=1e-6",
         {{0}, {3}, 1, 1},
         true},
        {"truncated-laplace sensitivity=2 scale=2 bound=6 size=1 lower=0 upper=9",
         {{0}, {2}, 1, 1},
         false},
        {"truncated-laplace sensitivity=2 scale=2 bound=6 size=1 lower=0 upper=9",
         {{7}, {9}, 1, 1},
         false},
        /* Several values: one that moves by all of it, and each split. */
        {"truncated-laplace sensitivity=3 scale=2 bound=6", {{0}, {3}, 1, 1}, false},
        {"truncated-laplace sensitivity=3 scale=2 bound=6",
         {{0, 0}, {1, 2}, 2, 2},
         false},
        {"truncated-laplace sensitivity=3 scale=2 bound=6",
         {{0, 0, 0}, {1, -1, 1}, 3, 3},
         false},
    };
    for (size_t i = 0; i < COUNT(list); i++)
        noise_check_curve(list[i].line, &list[i].pair, list[i].is_exact);
}

/* The exact curve is proved for one value alone. */
TEST(truncated_curve_of_several_values_is_that_of_any_such_mechanism)
{
    CLAIM("truncated.privacy");
    static const struct {
        const char *line, *curve;
    } list[] = {{"truncated-laplace scale=1 bound=9", "approximate"},
                {"truncated-laplace scale=1 bound=9 size=2", "approximate"},
                {"truncated-laplace scale=1 bound=9 grid=1 size=2", "approximate"},
                {"truncated-laplace scale=1 bound=9 size=1", "truncated-laplace"},
                {"truncated-laplace scale=1 bound=9 grid=1", "truncated-laplace"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = noise_modelled(list[i].line);
        REQUIRE(m != NULL);
        CHECK_STR(m->cost.curve.functions->name, list[i].curve);
        scrim_measurement_free(m);
    }
}

/* Draws. */

TEST(truncated_draws_its_law)
{
    CLAIM("truncated.privacy");
    static const struct {
        const char *scale, *line;
        sc_int128 bound;
    } list[] = {{"1", "truncated-laplace scale=1 bound=4", 4},
                {"25/2", "truncated-laplace scale=25/2 bound=40", 40},
                {"1000", "truncated-laplace scale=1000 bound=1500", 1500}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_law law;
        exact_law(&sc_truncated_laplace_law, list[i].scale, list[i].bound, &law);
        noise_check_draws(list[i].line, &law, check_count(100000, 10000000));
        sc_law_clear(&law);
    }
}

TEST(truncated_noise_does_not_depend_on_the_input)
{
    CLAIM("truncated.privacy");
    static const int64_t zero[4],
        some[4] = {1, -1000000007, INT64_C(1) << 62, -(INT64_C(1) << 62)};
    noise_check_shift("truncated-laplace scale=3 bound=50", zero, some, 4);
    noise_check_shift("truncated-laplace scale=2^60 bound=2^60", zero, some, 4);
}

/* No draw leaves the bound, and both ends are reached. */
TEST(truncated_never_leaves_its_range)
{
    CLAIM("truncated.accuracy");
    enum { DRAWS = 20000 };
    static int64_t input[DRAWS];
    static sc_int128 values[DRAWS];
    static sc_mark marks[DRAWS];
    char radius[SCRIM_NUMBER_BYTES];
    scrim_measurement *m = noise_modelled("truncated-laplace scale=10 bound=7");
    sc_tape *tape = NULL;
    sc_draw room = {.values = values, .marks = marks, .capacity = DRAWS};
    sc_int128 least = 0, most = 0;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_truncated_laplace.draw(
        m, sc_tape_bits_of(tape), &(sc_private_input){.values = input, .count = DRAWS},
        &room, NULL));
    for (size_t i = 0; i < DRAWS; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    CHECK_INT(least, -7);
    CHECK_INT(most, 7);
    radius_of("truncated-laplace scale=10 bound=7", radius);
    CHECK_STR(radius, "7");
    radius_of("truncated-laplace sensitivity=0.05 scale=10 bound=7 grid=0.01", radius);
    CHECK_STR(radius, "0.07");
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(truncated_refuses_what_has_no_noise)
{
    static const struct {
        const char *line;
        scrim_status status;
        const char *part;
    } list[] = {
        {"truncated-laplace sensitivity=1 epsilon=1 neighbours=replace", SCRIM_E_PARAM,
         "bound or delta"},
        {"truncated-laplace sensitivity=1 epsilon=1 bound=5 delta=0.1 neighbours=replace",
         SCRIM_E_PARAM, "bound or delta"},
        {"truncated-laplace sensitivity=1 bound=5 neighbours=replace", SCRIM_E_PARAM,
         "epsilon or scale"},
        {"truncated-laplace sensitivity=1 epsilon=1 bound=0 neighbours=replace",
         SCRIM_E_PARAM, "bound: 0"},
        {"truncated-laplace sensitivity=1 epsilon=1 bound=1.5 neighbours=replace",
         SCRIM_E_PARAM, "not an integer"},
        {"truncated-laplace sensitivity=6 epsilon=1 bound=5 neighbours=replace",
         SCRIM_E_PARAM, "at least the sensitivity, which is 6 steps"},
        {"truncated-laplace sensitivity=1 epsilon=1 bound=5 grid=0.1 neighbours=replace",
         SCRIM_E_PARAM, "which is 10 steps"},
        {"truncated-laplace sensitivity=1 epsilon=1 bound=2^61 neighbours=replace",
         SCRIM_E_LIMIT, "bound"},
        {"truncated-laplace sensitivity=1 epsilon=1 delta=0 neighbours=replace",
         SCRIM_E_PARAM, "delta: 0"},
        {"truncated-laplace sensitivity=1 epsilon=1 delta=1 neighbours=replace",
         SCRIM_E_PARAM, "delta: 1"},
        {"truncated-laplace sensitivity=1 scale=2^60 delta=2^-160 neighbours=replace",
         SCRIM_E_LIMIT, "above 1.1e18 steps"},
        {"truncated-laplace sensitivity=1 epsilon=1 delta=0.1 neighbours=local",
         SCRIM_E_PARAM, "neighbours"},
    };
    for (size_t i = 0; i < COUNT(list); i++)
        noise_refused(list[i].line, list[i].status, list[i].part);
}
