#include "check.h"
#include "exact.h"
#include "experiment/competitor_law.h"
#include "experiment/value_stability.h"
#include "faults.h"
#include "random/bits_tape.h"
#include "vectors.h"

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
        sc_competitors c;
        scrim_error error;
        REQUIRE_OK(sc_competitors_init(&c, json_string_value(json_object_get(row, "eps")),
                                       json_string_value(json_object_get(row, "delta")),
                                       &error));
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
                  1 + (int64_t)ceil(log(SC_CHOOSING_ROUNDS / delta) * 4 *
                                    SC_CHOOSING_ROUNDS / epsilon));
        sc_competitors_clear(&c);
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
        sc_competitors c;
        scrim_error error;
        REQUIRE_OK(sc_competitors_init(&c, json_string_value(json_object_get(row, "eps")),
                                       json_string_value(json_object_get(row, "delta")),
                                       &error));
        CHECK_INT(c.shift, json_integer_value(json_object_get(row, "esa_integer_shift")));
        CHECK_INT(c.threshold,
                  json_integer_value(json_object_get(row, "stability_integer_T")));
        CHECK_NEAR((double)sc_two_sided_at_most(&c.noise, -c.shift),
                   number_in(row, "delta_exact"), 1e-15);
        sc_competitors_clear(&c);
    }
}

TEST(competitors_find_the_least_q)
{
    json_t *rows = vectors_load("flexible-accuracy", "q_of_eps_delta"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 35);
    json_array_foreach(rows, i, row)
    {
        sc_competitors c;
        scrim_error error;
        REQUIRE_OK(sc_competitors_init(&c, json_string_value(json_object_get(row, "eps")),
                                       json_string_value(json_object_get(row, "delta")),
                                       &error));
        CHECK_INT(c.q, json_integer_value(json_object_get(row, "q_discrete_least")));
        sc_competitors_clear(&c);
    }
}

TEST(competitors_refuse_what_is_no_privacy)
{
    static const struct {
        const char *epsilon, *delta;
        scrim_status status;
    } list[] = {{"0", DELTA, SCRIM_E_PARAM},        {"-1", DELTA, SCRIM_E_PARAM},
                {"1", "0", SCRIM_E_PARAM},          {"1", "1", SCRIM_E_PARAM},
                {"x", DELTA, SCRIM_E_SYNTAX},       {"1", "", SCRIM_E_SYNTAX},
                {"2^20", DELTA, SCRIM_E_LIMIT},     {"2^-20", DELTA, SCRIM_E_LIMIT},
                {"1/2000003", DELTA, SCRIM_E_LIMIT}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_competitors c;
        scrim_error error;
        CHECK_STATUS(sc_competitors_init(&c, list[i].epsilon, list[i].delta, &error),
                     list[i].status);
    }
}

TEST(competitors_survive_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        sc_competitors c;
        scrim_error error;
        const scrim_status status = sc_competitors_init(&c, "1/2", "1/100", &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status == SCRIM_OK)
            sc_competitors_clear(&c);
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

static void check_draws(const sc_competitors *c, sc_competitor kind,
                        const sc_scene *scene, const long double *law, sc_bits *bits)
{
    uint64_t seen[SC_HEIGHTS_MAX + 1] = {0};
    const uint64_t draws = check_count(3000, 300000);
    scrim_error error;
    for (uint64_t i = 0; i < draws; i++) {
        size_t y = SC_HEIGHTS_MAX;
        REQUIRE_OK(sc_competitor_run(c, kind, scene, bits, &y, &error));
        REQUIRE(y <= scene->x->bars);
        seen[y]++;
    }
    for (size_t y = 0; y <= scene->x->bars; y++)
        check_frequency(seen[y], draws, (double)law[y], sc_competitor_name(kind), y);
}

static const sc_heights small[] = {{5, {0, 7, 2, 0, 5, 1}},
                                   {5, {0, 3, 9, 9, 8, 0}},
                                   {6, {0, 40, 40, 39, 38, 41, 2}},
                                   {4, {0, 0, 0, 0, 0}}};
static const sc_height_statistic statistics[] = {{false, 1}, {false, 3}, {true, 1}};

TEST(competitors_draw_from_their_laws)
{
    CLAIM("competitor-law.exact");
    sc_tape *tape = NULL;
    scrim_error error;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    for (unsigned e = 0; e < 2; e++) {
        sc_competitors c;
        REQUIRE_OK(sc_competitors_init(&c, e == 0 ? "2/5" : "3/2", "1/20", &error));
        for (size_t i = 0; i < COUNT(small) * COUNT(statistics); i++)
            for (unsigned kind = 0; kind < SC_COMPETITOR_KINDS; kind++) {
                long double law[SC_HEIGHTS_MAX + 1];
                sc_scene scene;
                if (!sc_competitor_has_law((sc_competitor)kind))
                    continue;
                sc_scene_init(&scene, &statistics[i / COUNT(small)],
                              &small[i % COUNT(small)]);
                REQUIRE_OK(
                    sc_competitor_law(&c, (sc_competitor)kind, &scene, law, &error));
                check_draws(&c, (sc_competitor)kind, &scene, law, sc_tape_bits_of(tape));
            }
        sc_competitors_clear(&c);
    }
    sc_tape_free(tape);
}

/* Choosing has no law of its own there; on a few bars it is summed here, over what is chosen. */

typedef struct choices {
    const sc_competitors *c;
    const sc_scene *scene;
    long double law[SC_HEIGHTS_MAX + 1];
} choices;

static long double choice_noise_at_least(const sc_competitors *c, int64_t z)
{
    const long double e = (long double)c->n / (long double)c->choice_d;
    const long double one = 1 + expl(-e);
    return z >= 1 ? expl(-e * (long double)z) / one
                  : 1 - expl(e * (long double)(z - 1)) / one;
}

/* The largest chosen bar whose noisy count is at least k. */
static void end_choice(choices *t, unsigned chosen, long double p)
{
    const long double e = (long double)t->c->n / (long double)(2 * t->c->d);
    const long double one = 1 + expl(-e);
    for (size_t v = t->scene->x->bars; v > 0; v--) {
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
    const sc_heights *x = t->scene->x;
    const long double e = (long double)t->c->n / (long double)t->c->choice_d;
    long double total = 0;
    int64_t most = 0;
    for (size_t i = 1; i <= x->bars; i++)
        if ((chosen >> i & 1) == 0 && x->at[i] > 0) {
            total += expl(e * (long double)x->at[i]);
            most = x->at[i] > most ? x->at[i] : most;
        }
    const long double goes_on =
        round < SC_CHOOSING_ROUNDS && total > 0
            ? choice_noise_at_least(t->c, t->c->choice_threshold - most)
            : 0;
    end_choice(t, chosen, p * (1 - goes_on));
    for (size_t i = 1; i <= x->bars && goes_on > 0; i++)
        if ((chosen >> i & 1) == 0 && x->at[i] > 0)
            choose_on(t, chosen | 1U << i, round + 1,
                      p * goes_on * expl(e * (long double)x->at[i]) / total);
}

TEST(choosing_draws_from_its_law)
{
    CLAIM("competitors.private");
    sc_tape *tape = NULL;
    scrim_error error;
    REQUIRE_OK(sc_tape_seeded(check_seed() + 1, &tape, &error));
    /* A large epsilon shows the noise of the test, a smaller one that of the counts. */
    for (size_t i = 0; i < 4 * COUNT(small); i++) {
        sc_competitors c;
        sc_scene scene;
        choices truth = {.c = &c, .scene = &scene};
        long double total = 0;
        REQUIRE_OK(sc_competitors_init(&c, i % 2 == 0 ? "4" : "20", "1/20", &error));
        c.choice_threshold = 6; /* low, so that it goes on for some rounds */
        sc_scene_init(&scene, &statistics[i / 2 / COUNT(small)],
                      &small[i / 2 % COUNT(small)]);
        choose_on(&truth, 0, 0, 1);
        for (size_t y = 0; y <= scene.x->bars; y++)
            total += truth.law[y];
        CHECK_NEAR((double)total, 1, 1e-12);
        check_draws(&c, SC_COMPETITOR_CHOOSING, &scene, truth.law, sc_tape_bits_of(tape));
        sc_competitors_clear(&c);
    }
    sc_tape_free(tape);
}

/* It stops after its rounds, whatever is left. */
TEST(choosing_stops_after_its_rounds)
{
    const sc_height_statistic max = {false, 1};
    sc_heights x = {.bars = 30};
    sc_competitors c;
    sc_scene scene;
    sc_tape *tape = NULL;
    scrim_error error;
    uint64_t at_top = 0;
    const uint64_t draws = check_count_whole(2000, 200000);
    for (size_t i = 1; i <= x.bars; i++)
        x.at[i] = 1000000;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    REQUIRE_OK(sc_competitors_init(&c, "1", DELTA, &error));
    sc_scene_init(&scene, &max, &x);
    for (uint64_t i = 0; i < draws; i++) {
        size_t y = 0;
        REQUIRE_OK(sc_competitor_run(&c, SC_COMPETITOR_CHOOSING, &scene,
                                     sc_tape_bits_of(tape), &y, &error));
        at_top += y == 30;
    }
    check_frequency(at_top, draws, 20.0 / 30, "choosing", 30);
    sc_competitors_clear(&c);
    sc_tape_free(tape);
}

/* A source that fails, or never ends a loop, is an error and no answer. */
TEST(competitors_fail_with_their_bits)
{
    const sc_height_statistic max = {false, 1};
    sc_competitors c;
    sc_scene scene;
    scrim_error error;
    REQUIRE_OK(sc_competitors_init(&c, "1", DELTA, &error));
    sc_scene_init(&scene, &max, &small[0]);
    for (unsigned kind = 0; kind < SC_COMPETITOR_KINDS; kind++) {
        sc_tape *tape = NULL;
        size_t y = 0;
        REQUIRE_OK(sc_tape_words(NULL, 0, &tape, &error));
        CHECK_STATUS(sc_competitor_run(&c, (sc_competitor)kind, &scene,
                                       sc_tape_bits_of(tape), &y, &error),
                     SCRIM_E_ENTROPY);
        sc_tape_free(tape);
    }
    sc_competitors_clear(&c);
}
