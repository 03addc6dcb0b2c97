#include "continuous_stlap.h"
#include "exact.h"
#include "mechanism/histogram/stlap_noise.h"
#include "scrim/histogram.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

#define FILE_NAME "flexible-accuracy"

static scrim_status plan_of(scrim_histogram_question question, scrim_histogram_plan *out,
                            scrim_error *error)
{
    question.size = sizeof question;
    if (question.neighbours == SCRIM_NEIGHBOURS_UNSET)
        question.neighbours = SCRIM_ADD_REMOVE;
    return scrim_histogram_plan_find(&question, out, error);
}

/* A decimal or a fraction. */
static double number(const char *text)
{
    const char *line = strchr(text, '/');
    return strtod(text, NULL) / (line == NULL ? 1 : strtod(line + 1, NULL));
}

TEST(stlap_plan_finds_the_printed_ones)
{
    CLAIM("stlap-plan.holds");
    const json_t *rows = vectors_load(FILE_NAME, "planning"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        char elements[32];
        scrim_histogram_plan plan;
        snprintf(elements, sizeof elements, "%llu",
                 (unsigned long long)vectors_number(row, "n"));
        REQUIRE_OK(plan_of((scrim_histogram_question){.epsilon = vectors_text(row, "eps"),
                                                      .delta = vectors_text(row, "delta"),
                                                      .beta = vectors_text(row, "beta"),
                                                      .upper = vectors_text(row, "B"),
                                                      .elements = elements},
                           &plan, NULL));
        CHECK_INT(plan.q, vectors_number(row, "q"));
        CHECK_INT(plan.buckets, vectors_number(row, "t"));
        CHECK_NEAR(number(plan.alpha), number(vectors_text(row, "alpha_decimal")), 1e-15);
        CHECK_NEAR(number(plan.delta), number(vectors_text(row, "delta_exact")), 1e-14);
        /* Backwards: each of the others from the rest. */
        scrim_histogram_plan other;
        REQUIRE_OK(plan_of((scrim_histogram_question){.epsilon = plan.epsilon,
                                                      .alpha = plan.alpha,
                                                      .beta = plan.beta,
                                                      .upper = vectors_text(row, "B"),
                                                      .elements = elements},
                           &other, NULL));
        CHECK_INT(other.q, plan.q);
        CHECK_STR(other.delta, plan.delta);
        REQUIRE_OK(plan_of((scrim_histogram_question){.delta = plan.delta,
                                                      .alpha = plan.alpha,
                                                      .beta = plan.beta,
                                                      .upper = vectors_text(row, "B"),
                                                      .elements = elements},
                           &other, NULL));
        CHECK_INT(other.q, plan.q);
        CHECK_NEAR(number(other.epsilon), number(plan.epsilon), 1e-9);
        REQUIRE_OK(plan_of((scrim_histogram_question){.epsilon = plan.epsilon,
                                                      .delta = vectors_text(row, "delta"),
                                                      .alpha = plan.alpha,
                                                      .upper = vectors_text(row, "B"),
                                                      .elements = elements},
                           &other, NULL));
        CHECK_INT(other.q, plan.q);
        CHECK_INT(other.buckets, plan.buckets);
        CHECK_STR(other.beta, plan.beta);
    }
}

/* A plan keeps its numbers, whichever is looked for, and under replace as well. */
TEST(stlap_plan_keeps_what_it_tells)
{
    CLAIM("stlap-plan.holds");
    static const char *const given[][4] = {{"1/2", "1e-6", NULL, "3"},
                                           {"1/2", NULL, "1/4", "3"},
                                           {NULL, "1e-6", "1/4", "3"},
                                           {"1/2", "1e-6", "1/4", NULL}};
    for (size_t i = 0; i < 2 * COUNT(given); i++) {
        const char *const *g = given[i / 2];
        const unsigned sides = 1 + i % 2;
        scrim_histogram_plan plan;
        REQUIRE_OK(plan_of(
            (scrim_histogram_question){.neighbours =
                                           sides == 2 ? SCRIM_REPLACE : SCRIM_ADD_REMOVE,
                                       .epsilon = g[0],
                                       .delta = g[1],
                                       .alpha = g[2],
                                       .beta = g[3],
                                       .lower = "-20",
                                       .upper = "80",
                                       .elements = "30000"},
            &plan, NULL));
        sc_ratio epsilon, delta, n;
        sc_ball mass, most;
        exact_ratio(plan.epsilon, &epsilon);
        exact_ratio(plan.delta, &delta);
        sc_ball_init(&mass);
        sc_ball_init(&most);
        sc_ratio_init(&n);
        sc_ratio_set_int64(&n, (int64_t)sides);
        sc_ratio_div(&epsilon, &epsilon, &n);
        sc_stlap_delta(&epsilon, plan.q, 1, sides, EXACT_BITS, &mass);
        sc_ball_set_ratio(&most, &delta, EXACT_BITS);
        CHECK(sc_ball_is_less_equal(&mass, &most));
        CHECK_NEAR(number(plan.beta), 50.0 / (double)plan.buckets, 1e-12);
        /* alpha = t q / n, exactly */
        sc_ratio_set_int128(&n, (sc_int128)plan.buckets * (sc_int128)plan.q);
        sc_ratio_clear(&delta);
        exact_ratio(plan.alpha, &delta);
        sc_ratio_set_int64(&epsilon, 30000);
        sc_ratio_div(&n, &n, &epsilon);
        CHECK(sc_ratio_compare(&n, &delta) == 0);
        if (g[2] != NULL)
            CHECK_NEAR(number(plan.alpha), 0.25, 1e-2);
        sc_ratio_clear(&n);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
        sc_ball_clear(&most);
        sc_ball_clear(&mass);
    }
}

/* The ceiling of the buckets that the paper forgot: q is 25, not 30. */
TEST(stlap_plan_counts_whole_buckets)
{
    CLAIM("stlap-plan.holds");
    const json_t *row = json_object_get(vectors_load(FILE_NAME, "errata"), "tau_ceil");
    scrim_histogram_plan plan;
    REQUIRE_OK(plan_of((scrim_histogram_question){.epsilon = "1",
                                                  .alpha = "0.5",
                                                  .beta = "0.3",
                                                  .upper = "1",
                                                  .elements = "100"},
                       &plan, NULL));
    CHECK_INT(plan.q, strtoll(vectors_text(row, "q_algorithm"), NULL, 10));
    static const char *const keys[] = {"algorithm", "theorem"};
    for (int i = 0; i < 2; i++) {
        char name[32];
        sc_ball epsilon, got;
        sc_ratio q;
        snprintf(name, sizeof name, "q_%s", keys[i]);
        exact_ratio(vectors_text(row, name), &q);
        sc_ball_init(&epsilon);
        sc_ball_init(&got);
        sc_ball_set_int64(&epsilon, 1);
        continuous_stlap_delta(&epsilon, &q, EXACT_BITS, &got);
        snprintf(name, sizeof name, "delta_%s", keys[i]);
        CHECK_PRINTED(&got, vectors_text(row, name));
        sc_ball_clear(&got);
        sc_ball_clear(&epsilon);
        sc_ratio_clear(&q);
    }
}

TEST(stlap_plan_refuses_what_has_no_answer)
{
    static const struct {
        scrim_histogram_question question;
        scrim_status status;
        const char *words;
    } list[] = {
        {{.epsilon = "1", .delta = "1e-6", .upper = "1", .elements = "9"},
         SCRIM_E_PARAM,
         "three of"},
        {{.epsilon = "1",
          .delta = "1e-6",
          .alpha = "1/2",
          .beta = "1",
          .upper = "1",
          .elements = "9"},
         SCRIM_E_PARAM,
         "three of"},
        {{.epsilon = "1", .delta = "1e-6", .beta = "1", .upper = "1", .elements = "0"},
         SCRIM_E_PARAM,
         "an element"},
        {{.epsilon = "1", .delta = "1e-6", .beta = "1", .elements = "9"},
         SCRIM_E_PARAM,
         "a length"},
        {{.epsilon = "1",
          .delta = "1e-6",
          .beta = "1",
          .lower = "1",
          .upper = "1",
          .elements = "9"},
         SCRIM_E_PARAM,
         "a length"},
        {{.epsilon = "0", .delta = "1e-6", .beta = "1", .upper = "1", .elements = "9"},
         SCRIM_E_PARAM,
         "must be above 0"},
        {{.epsilon = "1", .delta = "1", .beta = "1", .upper = "1", .elements = "9"},
         SCRIM_E_PARAM,
         "delta less than 1"},
        {{.epsilon = "1", .alpha = "1.01", .beta = "1", .upper = "1", .elements = "9"},
         SCRIM_E_PARAM,
         "alpha"},
        {{.epsilon = "1", .alpha = "0.1", .beta = "1", .upper = "9", .elements = "9"},
         SCRIM_E_PARAM,
         "less than one element"},
        {{.epsilon = "1", .delta = "1e-6", .alpha = "0.1", .upper = "9", .elements = "9"},
         SCRIM_E_PARAM,
         "more than that alpha"},
        {{.delta = "0.4999", .alpha = "0.1", .beta = "9", .upper = "9", .elements = "10"},
         SCRIM_E_PARAM,
         "choose a larger q"},
        {{.epsilon = "1", .delta = "1e-6", .beta = "1", .upper = "1", .elements = "1e30"},
         SCRIM_E_LIMIT,
         "4.6e18 elements"},
        {{.epsilon = "x", .delta = "1e-6", .beta = "1", .upper = "1", .elements = "9"},
         SCRIM_E_SYNTAX,
         "epsilon: "},
        {{.epsilon = "1", .delta = "1e-6", .beta = "1", .upper = "1", .elements = "1/2"},
         SCRIM_E_PARAM,
         "a whole number"},
        {{.neighbours = SCRIM_LOCAL,
          .epsilon = "1",
          .delta = "1e-6",
          .beta = "1",
          .upper = "1",
          .elements = "9"},
         SCRIM_E_PARAM,
         "neighbours"},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_histogram_plan plan = {.q = 77};
        scrim_error error = {.message = ""};
        CHECK_STATUS(plan_of(list[i].question, &plan, &error), list[i].status);
        if (strstr(error.message, list[i].words) == NULL)
            CHECK_STR(error.message, list[i].words);
        CHECK_INT(plan.q, 77);
    }
    scrim_histogram_plan plan;
    CHECK_STATUS(
        scrim_histogram_plan_find(&(scrim_histogram_question){.size = 0}, &plan, NULL),
        SCRIM_E_PARAM);
}
