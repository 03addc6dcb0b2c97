#include "check.h"
#include "faults.h"
#include "lab/experiment/competitors.h"
#include "random/bits_tape.h"
#include "system_calls.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define DELTA "2^-20"

static double number_in(const json_t *row, const char *name)
{
    return strtod(json_string_value(json_object_get(row, name)), NULL);
}

/* Beside the thresholds of the literature: for continuous noise, where a discrete one may lie above
 * by the rounding and by ln(2 / (1 + exp(-epsilon))) / epsilon < 1/2; and for neighbours that
 * replace one element. */
TEST(competitors_have_the_parameters_of_the_vectors)
{
    json_t *rows = vectors_load("flexible-accuracy", "competitor_parameters"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 2);
    json_array_foreach(rows, i, row)
    {
        const double epsilon = number_in(row, "eps"), delta = 0x1p-20;
        const double continuous = number_in(row, "T_add_remove");
        lab_competitors c;
        scrim_error error;
        REQUIRE_OK(lab_competitors_init(
            &c, json_string_value(json_object_get(row, "eps")),
            json_string_value(json_object_get(row, "delta")), &error));
        CHECK_NEAR(continuous, 1 - log(2 * delta) / epsilon, 1e-15);
        CHECK_NEAR(number_in(row, "T_vadhan_substitution"),
                   1 - 2 * log(delta / 2) / epsilon, 1e-15);
        CHECK_NEAR(number_in(row, "PTR_threshold"), -log(delta) / epsilon, 1e-15);
        CHECK((double)c.threshold >= continuous &&
              (double)c.threshold < continuous + 1.5);
        CHECK((double)c.shift < number_in(row, "PTR_threshold") + 1);
        CHECK_INT(c.q, json_integer_value(json_object_get(row, "STLap_q_discrete")));
        CHECK_INT(c.q, (int64_t)number_in(row, "STLap_q_continuous"));
        CHECK_NEAR(c.smooth_decay, number_in(row, "smooth_beta"), 1e-15);
        /* Choosing: delta / R a round, at epsilon / (4 R). */
        CHECK_INT(c.choice_threshold,
                  1 + (int64_t)ceil(log(LAB_CHOOSING_ROUNDS / delta) * 4 *
                                    LAB_CHOOSING_ROUNDS / epsilon));
        lab_competitors_clear(&c);
    }
}

TEST(competitors_have_the_shift_of_the_vectors)
{
    CLAIM("competitors.private");
    json_t *rows = vectors_load("flexible-accuracy", "esa_shift_discrete"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        lab_competitors c;
        scrim_error error;
        REQUIRE_OK(lab_competitors_init(
            &c, json_string_value(json_object_get(row, "eps")),
            json_string_value(json_object_get(row, "delta")), &error));
        CHECK_INT(c.shift, json_integer_value(json_object_get(row, "esa_integer_shift")));
        CHECK_INT(c.threshold,
                  json_integer_value(json_object_get(row, "stability_integer_T")));
        CHECK_NEAR((double)lab_two_sided_at_most(&c.noise, -c.shift),
                   number_in(row, "delta_exact"), 1e-15);
        lab_competitors_clear(&c);
    }
}

SLOW_TEST(competitors_find_the_least_q)
{
    json_t *rows = vectors_load("flexible-accuracy", "q_of_eps_delta"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 35);
    json_array_foreach(rows, i, row)
    {
        lab_competitors c;
        scrim_error error;
        REQUIRE_OK(lab_competitors_init(
            &c, json_string_value(json_object_get(row, "eps")),
            json_string_value(json_object_get(row, "delta")), &error));
        CHECK_INT(c.q, json_integer_value(json_object_get(row, "q_discrete_least")));
        lab_competitors_clear(&c);
    }
}

TEST(competitors_refuse_what_is_no_privacy)
{
    static const struct {
        const char *epsilon, *delta;
        scrim_status status;
    } list[] = {
        {"0", DELTA, SCRIM_E_PARAM},    {"-1", DELTA, SCRIM_E_PARAM},
        {"1", "0", SCRIM_E_PARAM},      {"1", "1", SCRIM_E_PARAM},
        {"x", DELTA, SCRIM_E_PARAM},    {"1", "", SCRIM_E_PARAM},
        {"2^20", DELTA, SCRIM_E_LIMIT}, {"1/1000000000000039", DELTA, SCRIM_E_LIMIT}};
    for (size_t i = 0; i < COUNT(list); i++) {
        lab_competitors c;
        scrim_error error;
        CHECK_STATUS(lab_competitors_init(&c, list[i].epsilon, list[i].delta, &error),
                     list[i].status);
    }
}

TEST(competitors_survive_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        lab_competitors c;
        scrim_error error;
        const scrim_status status = lab_competitors_init(&c, "1/2", "1/100", &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status == SCRIM_OK)
            lab_competitors_clear(&c);
    }
}

/* Draws against the law. A frequency of n draws is beyond 6 deviations and 12 / n with a
 * probability below 2 exp(-18) = 3e-8 (Bernstein); some thousands are looked at. */

static void check_frequency(uint64_t seen, uint64_t draws, double p, const char *what,
                            size_t y)
{
    const double n = (double)draws;
    if (fabs((double)seen / n - p) > 6 * sqrt(p * (1 - p) / n) + 12 / n)
        CHECK_FAIL("%s answers %zu %.6f of the time, not %.6f", what, y, (double)seen / n,
                   p);
}

static void check_draws(const lab_competitors *c, lab_competitor kind,
                        const lab_scene *scene, const long double *law,
                        lab_random *random)
{
    uint64_t seen[LAB_BARS_MAX + 1] = {0};
    const uint64_t draws = check_count(3000, 300000);
    for (uint64_t i = 0; i < draws; i++) {
        const size_t y = lab_competitor_run(c, kind, scene, random);
        REQUIRE(y <= scene->x->count);
        seen[y]++;
    }
    for (size_t y = 0; y <= scene->x->count; y++)
        check_frequency(seen[y], draws, (double)law[y], lab_competitor_name(kind), y);
}

static const lab_bars small[] = {{5, {0, 7, 2, 0, 5, 1}},
                                 {5, {0, 3, 9, 9, 8, 0}},
                                 {6, {0, 40, 40, 39, 38, 41, 2}},
                                 {4, {0, 0, 0, 0, 0}}};
static const lab_bar_statistic statistics[] = {{false, 1}, {false, 3}, {true, 1}};

TEST(competitors_draw_from_their_laws)
{
    CLAIM("competitor-law.exact");
    lab_random *random = NULL;
    scrim_error error;
    sc_entropy_seed(check_seed());
    REQUIRE_OK(lab_random_open(&random, &error));
    for (unsigned e = 0; e < 2; e++) {
        lab_competitors c;
        REQUIRE_OK(lab_competitors_init(&c, e == 0 ? "2/5" : "3/2", "1/20", &error));
        for (size_t i = 0; i < COUNT(small) * COUNT(statistics); i++)
            for (unsigned kind = 0; kind < LAB_COMPETITOR_KINDS; kind++) {
                long double law[LAB_BARS_MAX + 1];
                lab_scene scene;
                if (!lab_competitor_has_law((lab_competitor)kind))
                    continue;
                lab_scene_init(&scene, &statistics[i / COUNT(small)],
                               &small[i % COUNT(small)]);
                lab_competitor_law(&c, (lab_competitor)kind, &scene, law);
                check_draws(&c, (lab_competitor)kind, &scene, law, random);
            }
        lab_competitors_clear(&c);
    }
    lab_random_close(random);
    sc_entropy_release();
}

/* Choosing has no law of its own there; on a few bars it is summed here, over what is chosen. */

typedef struct choices {
    const lab_competitors *c;
    const lab_scene *scene;
    long double law[LAB_BARS_MAX + 1];
} choices;

static long double choice_noise_at_least(const lab_competitors *c, int64_t z)
{
    const long double e = (long double)c->choice_epsilon;
    const long double one = 1 + expl(-e);
    return z >= 1 ? expl(-e * (long double)z) / one
                  : 1 - expl(e * (long double)(z - 1)) / one;
}

/* The largest chosen bar whose noisy count is at least k. */
static void end_choice(choices *t, unsigned chosen, long double p)
{
    const long double e = (long double)t->c->epsilon / 2;
    const long double one = 1 + expl(-e);
    for (size_t v = t->scene->x->count; v > 0; v--) {
        const int64_t z = t->scene->f->k - t->scene->x->at[v];
        const long double reaches = z >= 1 ? expl(-e * (long double)z) / one
                                           : 1 - expl(e * (long double)(z - 1)) / one;
        if ((chosen >> v & 1) == 0)
            continue;
        t->law[v] += p * reaches;
        p *= 1 - reaches;
    }
    t->law[0] += p;
}

static void choose_on(choices *t, unsigned chosen, unsigned round, long double p)
{
    const lab_bars *x = t->scene->x;
    const long double e = (long double)t->c->choice_epsilon;
    long double total = 0;
    int64_t most = 0;
    for (size_t i = 1; i <= x->count; i++)
        if ((chosen >> i & 1) == 0 && x->at[i] > 0) {
            total += expl(e * (long double)x->at[i]);
            most = x->at[i] > most ? x->at[i] : most;
        }
    const long double goes_on =
        round < LAB_CHOOSING_ROUNDS && total > 0
            ? choice_noise_at_least(t->c, t->c->choice_threshold - most)
            : 0;
    end_choice(t, chosen, p * (1 - goes_on));
    for (size_t i = 1; i <= x->count && goes_on > 0; i++)
        if ((chosen >> i & 1) == 0 && x->at[i] > 0)
            choose_on(t, chosen | 1U << i, round + 1,
                      p * goes_on * expl(e * (long double)x->at[i]) / total);
}

TEST(choosing_draws_from_its_law)
{
    CLAIM("competitors.private");
    lab_random *random = NULL;
    scrim_error error;
    sc_entropy_seed(check_seed() + 1);
    REQUIRE_OK(lab_random_open(&random, &error));
    /* A large epsilon shows the noise of the test, a smaller one that of the counts. */
    for (size_t i = 0; i < 4 * COUNT(small); i++) {
        lab_competitors c;
        lab_scene scene;
        choices truth = {.c = &c, .scene = &scene};
        long double total = 0;
        REQUIRE_OK(lab_competitors_init(&c, i % 2 == 0 ? "4" : "20", "1/20", &error));
        c.choice_threshold = 6; /* low, so that it goes on for some rounds */
        lab_scene_init(&scene, &statistics[i / 2 / COUNT(small)],
                       &small[i / 2 % COUNT(small)]);
        choose_on(&truth, 0, 0, 1);
        for (size_t y = 0; y <= scene.x->count; y++)
            total += truth.law[y];
        CHECK_NEAR((double)total, 1, 1e-12);
        check_draws(&c, LAB_COMPETITOR_CHOOSING, &scene, truth.law, random);
        lab_competitors_clear(&c);
    }
    lab_random_close(random);
    sc_entropy_release();
}

/* It stops after its rounds, whatever is left. */
TEST(choosing_stops_after_its_rounds)
{
    const lab_bar_statistic max = {false, 1};
    lab_bars x = {.count = 30};
    lab_competitors c;
    lab_scene scene;
    lab_random *random = NULL;
    scrim_error error;
    uint64_t at_top = 0;
    const uint64_t draws = check_count_whole(2000, 200000);
    for (size_t i = 1; i <= x.count; i++)
        x.at[i] = 1000000;
    sc_entropy_seed(check_seed());
    REQUIRE_OK(lab_random_open(&random, &error));
    REQUIRE_OK(lab_competitors_init(&c, "1", DELTA, &error));
    lab_scene_init(&scene, &max, &x);
    for (uint64_t i = 0; i < draws; i++) {
        at_top += lab_competitor_run(&c, LAB_COMPETITOR_CHOOSING, &scene, random) == 30;
    }
    check_frequency(at_top, draws, 20.0 / 30, "choosing", 30);
    lab_competitors_clear(&c);
    lab_random_close(random);
    sc_entropy_release();
}

/* The system has no random bits. */
static ssize_t no_random(void *buffer, size_t bytes, unsigned flags)
{
    (void)buffer, (void)bytes, (void)flags;
    errno = ENOSYS;
    return -1;
}

/* A source that fails is remembered, and every run ends. */
TEST(competitors_fail_with_their_bits)
{
    const lab_bar_statistic max = {false, 1};
    lab_competitors c;
    lab_scene scene;
    scrim_error error;
    REQUIRE_OK(lab_competitors_init(&c, "1", DELTA, &error));
    lab_scene_init(&scene, &max, &small[0]);
    system_call.getrandom = no_random;
    for (unsigned kind = 0; kind < LAB_COMPETITOR_KINDS; kind++) {
        lab_random *random = NULL;
        lab_competitors fresh;
        /* Distributions keep their source between draws: these have drawn nothing yet. */
        REQUIRE_OK(lab_competitors_init(&fresh, "1", DELTA, &error));
        REQUIRE_OK(lab_random_open(&random, &error));
        (void)lab_competitor_run(&fresh, (lab_competitor)kind, &scene, random);
        CHECK_STATUS(lab_random_check(random, &error), SCRIM_E_ENTROPY);
        lab_random_close(random);
        lab_competitors_clear(&fresh);
    }
    system_call.getrandom = NULL;
    lab_competitors_clear(&c);
}
