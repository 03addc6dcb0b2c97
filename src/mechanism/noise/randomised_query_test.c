#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "mechanism/noise/randomised_query.h"
#include "mechanism_lines.h"
#include "scrim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "robust-release"
#define LAWS "places=0,50,1,90 masses=9/10,1/10,9/10,1/10 sizes=2,2"
#define LINE "randomised-query " LAWS " epsilon=1 theta=1/10 neighbours=replace"

/* The laws of the vectors as parameters. */
static void write_laws(const json_t *laws, char text[512])
{
    static const char *const names[] = {"f", "g"}, *const keys[] = {"places", "masses"};
    size_t used = 0;
    for (size_t part = 0; part < 2; part++) {
        used += (size_t)snprintf(text + used, 512 - used, "%s=", keys[part]);
        for (size_t i = 0; i < 2; i++) {
            const json_t *row;
            size_t j;
            json_array_foreach(json_object_get(laws, names[i]), j, row)
            {
                used += (size_t)snprintf(text + used, 512 - used, "%s%s",
                                         i + j == 0 ? "" : ",",
                                         json_string_value(json_array_get(row, part)));
            }
        }
        used += (size_t)snprintf(text + used, 512 - used, " ");
    }
    snprintf(text + used, 512 - used, "sizes=2,2");
}

static void hockey(const scrim_measurement *m, int64_t x, int64_t y, sc_ball *out)
{
    sc_outcomes p, q;
    sc_ball odds, mass;
    sc_ball_init(&odds);
    sc_ball_init(&mass);
    sc_ball_set_ratio(&odds, sc_measurement_get(m, "epsilon"), EXACT_BITS);
    sc_ball_exp(&odds, &odds, EXACT_BITS);
    sc_ball_set_int64(out, 0);
    if (choices_law(m, &x, 1, EXACT_BITS, &p)) {
        if (choices_law(m, &y, 1, EXACT_BITS, &q)) {
            for (size_t i = 0; i < p.count; i++) {
                outcomes_mass(&q, &p.keys[i], &mass);
                sc_ball_mul(&mass, &mass, &odds, EXACT_BITS);
                sc_ball_sub(&mass, &p.mass[i], &mass, EXACT_BITS);
                if (sc_ball_lower(&mass) > 0)
                    sc_ball_add(out, out, &mass, EXACT_BITS);
            }
            sc_outcomes_clear(&q);
        }
        sc_outcomes_clear(&p);
    }
    sc_ball_clear(&mass);
    sc_ball_clear(&odds);
}

/* The noise is that of laplace with this sensitivity and epsilon 1; "0": no noise. */
static void check_sensitivity(const scrim_measurement *m, const char *sensitivity)
{
    char line[64];
    scrim_certificate a, b = {.radius = "0"};
    if (strcmp(sensitivity, "0") != 0) {
        snprintf(line, sizeof line, "laplace sensitivity=%s epsilon=1", sensitivity);
        scrim_measurement *laplace = choices_model(line);
        REQUIRE(laplace != NULL);
        CHECK_STATUS(scrim_measurement_certify(laplace, "0.999999", 1, &b, NULL),
                     SCRIM_OK);
        scrim_measurement_free(laplace);
    }
    REQUIRE_OK(scrim_measurement_certify(m, "0.999999", 1, &a, NULL));
    CHECK_STR(a.radius, b.radius);
}

TEST(randomised_query_has_the_printed_deltas)
{
    CLAIM("randomised-query.privacy");
    const json_t *all = vectors_load(FILE_NAME, "theta_sensitivity"), *row;
    char laws[512], line[600];
    size_t i;
    write_laws(json_object_get(all, "laws"), laws);
    json_array_foreach(json_object_get(all, "steps"), i, row)
    {
        snprintf(line, sizeof line, "%s epsilon=%s theta=%s", laws,
                 vectors_text(all, "epsilon"), json_string_value(json_array_get(row, 0)));
        scrim_measurement *m = mechanism_model("randomised-query", line);
        REQUIRE(m != NULL);
        check_sensitivity(m, json_string_value(json_array_get(row, 1)));
        if (i == 1) {
            sc_ball delta;
            sc_ball_init(&delta);
            hockey(m, 0, 1, &delta);
            CHECK_NEAR(sc_ball_upper(&delta), strtod(vectors_text(all, "delta"), NULL),
                       5e-12);
            hockey(m, 1, 0, &delta);
            CHECK_NEAR(sc_ball_upper(&delta),
                       strtod(vectors_text(all, "delta_back"), NULL), 5e-12);
            CHECK_RATIO(&m->cost.delta, "1/10");
            CHECK_RATIO(&m->cost.epsilon, vectors_text(all, "epsilon"));
            sc_ball_clear(&delta);
        } else {
            CHECK_RATIO(&m->cost.delta, "0");
        }
        scrim_measurement_free(m);
    }
}

/* Pairs that are not neighbours need no noise; laws that are the same but for theta need none. */
TEST(randomised_query_is_about_its_neighbours)
{
    CLAIM("randomised-query.privacy");
    static const struct {
        const char *parameters, *sensitivity, *epsilon;
    } list[] = {
        {"places=0,1,9 masses=1,1,1 sizes=1,1,1 epsilon=1", "9", "1"},
        {"places=0,1,9 masses=1,1,1 sizes=1,1,1 pairs=0,1 epsilon=1", "1", "1"},
        {"places=0,1,9 masses=1,1,1 sizes=1,1,1 pairs=0,1,2,1 epsilon=1", "8", "1"},
        {"places=0,9,0 masses=3/4,1/4,1 sizes=2,1 theta=1/4 epsilon=1", "0", "0"},
        {"places=0,9,0 masses=3/4,1/4,1 sizes=2,1 theta=0.2 epsilon=1", "9", "1"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = mechanism_model("randomised-query", list[i].parameters);
        REQUIRE(m != NULL);
        check_sensitivity(m, list[i].sensitivity);
        CHECK_RATIO(&m->cost.epsilon, list[i].epsilon);
        scrim_measurement_free(m);
    }
}

TEST(randomised_query_draws_fit_the_law)
{
    CLAIM("randomised-query.exact");
    static const char *const lines[] = {
        LINE,
        "randomised-query places=-3,4,-3,4,0 masses=1/3,2/3,1/2,1/2,1 sizes=2,2,1 "
        "epsilon=2 neighbours=replace",
        "randomised-query places=0,9,0 masses=3/4,1/4,1 sizes=2,1 theta=1/4 epsilon=1 "
        "neighbours=replace"};
    for (size_t i = 0; i < COUNT(lines); i++)
        for (int64_t x = 0; x < 2; x++)
            choices_fit(lines[i], &x, 1, check_count(10000, 1000000));
    static const int64_t x = 1;
    choices_check_entropy(LINE, &x, 1);
}

TEST(randomised_query_is_accurate_about_what_was_drawn)
{
    CLAIM("randomised-query.accuracy");
    scrim_measurement *m = choices_new(LINE);
    scrim_measurement *laplace =
        choices_new("laplace sensitivity=1 epsilon=1 neighbours=replace");
    scrim_certificate a, b;
    REQUIRE(m != NULL && laplace != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &a, NULL));
    REQUIRE_OK(scrim_measurement_certify(laplace, "0.95", 1, &b, NULL));
    CHECK_STR(a.radius, b.radius);
    CHECK_INT(a.form, SCRIM_CERTIFICATE_INTERVAL);
    CHECK(strstr(a.excludes, "draw") != NULL);
    scrim_measurement_free(laplace);
    scrim_measurement_free(m);
}

TEST(randomised_query_refuses)
{
    static const struct {
        const char *parameters;
        scrim_status status;
    } list[] = {{"epsilon=1", SCRIM_E_PARAM},
                {LAWS, SCRIM_E_PARAM},
                {LAWS " epsilon=0", SCRIM_E_PARAM},
                {LAWS " epsilon=1 theta=1", SCRIM_E_PARAM},
                {LAWS " epsilon=1 pairs=0", SCRIM_E_PARAM},
                {LAWS " epsilon=1 pairs=0,2", SCRIM_E_PARAM},
                {LAWS " epsilon=1 pairs=1,1", SCRIM_E_PARAM},
                {LAWS " epsilon=1 neighbours=add-remove", SCRIM_E_PARAM},
                {"places=0,1/2 masses=1,1 sizes=1,1 epsilon=1", SCRIM_E_PARAM},
                {"places=0,1 masses=1 sizes=1,1 epsilon=1", SCRIM_E_PARAM},
                {"places=0,1 masses=1,1 sizes=1 epsilon=1", SCRIM_E_PARAM},
                {"places=0,1 masses=1,1 sizes=2,1 epsilon=1", SCRIM_E_PARAM},
                {"places=0,1 masses=1,1 sizes=1/2,3/2 epsilon=1", SCRIM_E_PARAM},
                {"places=0,1 masses=1,1/2 sizes=1,1 epsilon=1", SCRIM_E_PARAM},
                {"places=0,1 masses=1/2,1/2 sizes=2 epsilon=1", SCRIM_E_PARAM},
                {"places=0,2^60 masses=1,1 sizes=1,1 epsilon=1", SCRIM_E_PARAM},
                {"places=0,1,2 masses=2^-63,0.5,1 sizes=2,1 epsilon=1", SCRIM_E_LIMIT},
                {LAWS " epsilon=1", SCRIM_OK}};
    for (size_t i = 0; i < COUNT(list); i++)
        mechanism_check_status("randomised-query", list[i].parameters, list[i].status);
    mechanism_check_faults(LINE);
}
