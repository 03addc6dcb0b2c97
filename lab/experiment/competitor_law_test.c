#include "check.h"
#include "exact.h"
#include "goodness.h"
#include "lab/experiment/competitors.h"
#include "random/bits_tape.h"
#include "sampling/law.h"
#include "small_heights.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* e is epsilon, and scale 1 / epsilon. */
static void check_noise(long double e, const char *epsilon, const char *scale, int64_t q)
{
    lab_bar_noise noise;
    sc_law one_sided, two_sided;
    sc_ball value;
    REQUIRE(lab_bar_noise_init(&noise, e, q));
    exact_law(&sc_shifted_laplace_law, epsilon, q, &one_sided);
    exact_law(&sc_discrete_laplace_law, scale, 0, &two_sided);
    sc_ball_init(&value);
    for (int64_t z = -q - 3; z <= 40; z++) {
        sc_law_at_most(&one_sided, z, 100, &value);
        CHECK_NEAR((double)lab_one_sided_at_most(&noise, z), goodness_middle(&value),
                   1e-15);
        sc_law_at_most(&two_sided, z, 100, &value);
        CHECK_NEAR((double)lab_two_sided_at_most(&noise, z), goodness_middle(&value),
                   1e-15);
    }
    for (int64_t z = -q; z <= 0; z++) {
        sc_law_pmf(&one_sided, z, 100, &value);
        CHECK_NEAR((double)lab_one_sided_is(&noise, z), goodness_middle(&value), 1e-13);
        sc_law_pmf(&two_sided, -z, 100, &value);
        CHECK_NEAR((double)lab_two_sided_is(&noise, -z), goodness_middle(&value), 1e-13);
    }
    sc_law_at_most(&two_sided, -LAB_NOISE_REACH - 7, 100, &value);
    CHECK_NEAR((double)lab_two_sided_at_most(&noise, -LAB_NOISE_REACH - 7),
               goodness_middle(&value), 1e-14);
    sc_ball_clear(&value);
    sc_law_clear(&one_sided);
    sc_law_clear(&two_sided);
    lab_bar_noise_clear(&noise);
}

TEST(bar_noise_is_that_of_the_samplers)
{
    CLAIM("bar-noise.exact");
    check_noise(1.0L / 20, "1/20", "20", 554);
    check_noise(1, "1", "1", 27);
    check_noise(1, "1", "1", 28);
    check_noise(2, "2", "1/2", 14);
}

static double number_in(const json_t *row, const char *name)
{
    return strtod(json_string_value(json_object_get(row, name)), NULL);
}

TEST(stability_histogram_has_the_delta_of_the_vectors)
{
    json_t *row = vectors_load("flexible-accuracy", "stability_histogram_discrete");
    lab_competitors c;
    scrim_error error;
    REQUIRE_OK(lab_competitors_init(&c, json_string_value(json_object_get(row, "eps")),
                                    "2^-20", &error));
    c.threshold = json_integer_value(json_object_get(row, "T"));
    /* A bar of one that is shown at all. */
    CHECK_NEAR((double)(1 - lab_bar_at_most(&c, LAB_COMPETITOR_STABILITY, 1, 0)),
               number_in(row, "delta"), 1e-14);
    lab_competitors_clear(&c);
}

/* The expected errors of the experiments. */

static lab_competitor kind_named(const char *name)
{
    unsigned kind = 0;
    while (kind < LAB_COMPETITOR_KINDS &&
           strcmp(lab_competitor_name((lab_competitor)kind), name) != 0)
        kind++;
    return (lab_competitor)kind;
}

static void check_parameter(const json_t *row, lab_competitor kind,
                            const lab_competitors *c, const lab_scene *scene)
{
    const json_int_t want = json_integer_value(json_object_get(row, "param"));
    CHECK_INT(kind == LAB_COMPETITOR_STLAP         ? c->q
              : kind == LAB_COMPETITOR_STABILITY   ? c->threshold
              : kind == LAB_COMPETITOR_EXPONENTIAL ? (int64_t)scene->x->count
                                                   : c->shift,
              want);
    if (kind == LAB_COMPETITOR_PTR) {
        CHECK_INT(scene->radius, json_integer_value(json_object_get(row, "radius")));
        CHECK_NEAR((double)lab_two_sided_at_most(&c->noise, scene->radius - c->shift),
                   number_in(row, "release_probability"), 1e-14);
    }
}

SLOW_TEST(competitor_laws_expect_the_errors_of_the_vectors)
{
    CLAIM("competitor-law.exact");
    json_t *rows = vectors_load("flexible-accuracy", "experiments_exact"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 45);
    json_array_foreach(rows, i, row)
    {
        const lab_experiment_kind *kind = lab_experiment_kind_of(
            (unsigned)json_integer_value(json_object_get(row, "experiment")), false);
        const lab_competitor mechanism =
            kind_named(json_string_value(json_object_get(row, "mechanism")));
        long double law[LAB_BARS_MAX + 1];
        lab_competitors c;
        lab_bars x;
        lab_scene scene;
        lab_expected_error raw, flexible;
        scrim_error error;
        lab_experiment_make(kind, NULL, &x);
        REQUIRE_OK(lab_competitors_init(
            &c, json_string_value(json_object_get(row, "eps")), "2^-20", &error));
        lab_scene_init(&scene, &kind->f, &x);
        CHECK_STR(json_string_value(json_object_get(row, "f")), kind->statistic);
        check_parameter(row, mechanism, &c, &scene);
        lab_competitor_law(&c, mechanism, &scene, law);
        lab_expected_errors(&scene, law, &raw, &flexible);
        CHECK_NEAR(100 * raw.mean / (double)x.count, number_in(row, "mean_error_percent"),
                   1e-14);
        const double told = number_in(row, "mean_flexible_error_percent");
        const double got = 100 * flexible.mean / (double)x.count;
        if (told > 0)
            CHECK_NEAR(got, told, 1e-14);
        else
            CHECK(got >= 0 && got < 1e-20); /* printed as 0 */
        lab_competitors_clear(&c);
    }
}

/* The truth is bar 4, and five of a thousand elements may go: bar 3 is right as well. */
TEST(expected_errors_have_mean_and_deviation)
{
    const lab_bar_statistic max = {false, 1};
    const lab_bars x = {4, {0, 0, 0, 998, 2}};
    const long double law[LAB_BARS_MAX + 1] = {0.25L, 0, 0, 0.25L, 0.5L};
    lab_scene scene;
    lab_expected_error raw, flexible;
    lab_scene_init(&scene, &max, &x);
    lab_expected_errors(&scene, law, &raw, &flexible);
    CHECK_NEAR(raw.mean, 1.25, 1e-15);
    CHECK_NEAR(raw.deviation, sqrt(4.25 - 1.5625), 1e-15);
    CHECK_NEAR(flexible.mean, 0.75, 1e-15);
    CHECK_NEAR(flexible.deviation, sqrt(2.25 - 0.5625), 1e-15);
}

/* docs/flexible-accuracy.md: at epsilon 1 the least q is odd, and the next even one is better than
 * any competitor in experiments 5 and 6. */
static double raw_error_of(const lab_competitors *c, lab_competitor kind,
                           const lab_scene *scene)
{
    long double law[LAB_BARS_MAX + 1];
    lab_expected_error raw, flexible;
    lab_competitor_law(c, kind, scene, law);
    lab_expected_errors(scene, law, &raw, &flexible);
    return 100 * raw.mean / (double)scene->x->count;
}

TEST(competitor_laws_prefer_an_even_q)
{
    lab_competitors odd, even;
    lab_random *random = NULL;
    scrim_error error;
    size_t worse = 0;
    sc_entropy_seed(check_seed());
    REQUIRE_OK(lab_random_open(&random, &error));
    REQUIRE_OK(lab_competitors_init(&odd, "1", "2^-20", &error));
    even = odd;
    CHECK_INT(odd.q, 27);
    even.q = 28;
    REQUIRE(lab_bar_noise_init(&even.noise, odd.noise.epsilon, even.q));
    CHECK_NEAR((double)lab_one_sided_at_most(&odd.noise, -27), 7.14e-7, 1e-3);
    CHECK_NEAR((double)lab_one_sided_at_most(&even.noise, -28), 3.84e-7, 1e-3);
    for (uint64_t set = 0; set < check_count(20, 1000); set++) {
        const lab_experiment_kind *kind = lab_experiment_kind_of(set == 0 ? 6 : 5, false);
        lab_bars x;
        lab_scene scene;
        lab_experiment_make(kind, random, &x);
        lab_scene_init(&scene, &kind->f, &x);
        const double with_odd = raw_error_of(&odd, LAB_COMPETITOR_STLAP, &scene),
                     with_even = raw_error_of(&even, LAB_COMPETITOR_STLAP, &scene),
                     two_sided = raw_error_of(&odd, LAB_COMPETITOR_STABILITY, &scene);
        worse += with_even > two_sided;
        if (set == 0) {
            CHECK_NEAR(with_odd, 0.51835, 1e-5);
            CHECK_NEAR(with_even, 0.50185, 1e-5);
            CHECK_NEAR(two_sided, 0.50196, 1e-5);
        }
    }
    CHECK_INT(worse, 0);
    lab_bar_noise_clear(&even.noise);
    lab_competitors_clear(&odd);
    lab_random_close(random);
    sc_entropy_release();
}

/* The whole law of what a bar is shown as, by enumeration. */

#define SHOWN 90 /* beyond it there is less than 1e-15 */

static void law_by_enumeration(const lab_competitors *c, lab_competitor kind,
                               const lab_scene *scene, long double *law)
{
    static long double mass[3][SHOWN + 1];
    for (size_t i = 0; i < 3; i++)
        for (int64_t s = 0; s <= SHOWN; s++)
            mass[i][s] = lab_bar_at_most(c, kind, scene->x->at[i + 1], s) -
                         lab_bar_at_most(c, kind, scene->x->at[i + 1], s - 1);
    memset(law, 0, (LAB_BARS_MAX + 1) * sizeof *law);
    for (int64_t a = 0; a <= SHOWN; a++)
        for (int64_t b = 0; b <= SHOWN && mass[0][a] > 0; b++)
            for (int64_t s = 0; s <= SHOWN && mass[1][b] > 0; s++) {
                const lab_bars y = {3, {0, a, b, s}};
                if (mass[2][s] > 0)
                    law[lab_bars_answer(scene->f, &y)] +=
                        mass[0][a] * mass[1][b] * mass[2][s];
            }
}

SLOW_TEST(competitor_laws_are_what_enumeration_finds)
{
    CLAIM("competitor-law.exact");
    static const lab_bars list[] = {{3, {0, 5, 4, 6}}, {3, {0, 9, 0, 9}}};
    static const lab_bar_statistic statistics[] = {{false, 1}, {false, 5}, {true, 1}};
    static const lab_competitor kinds[] = {LAB_COMPETITOR_STLAP, LAB_COMPETITOR_STABILITY,
                                           LAB_COMPETITOR_ESA};
    lab_competitors c;
    scrim_error error;
    REQUIRE_OK(lab_competitors_init(&c, "1/2", "1/30", &error));
    for (size_t i = 0; i < COUNT(list); i++)
        for (size_t j = 0; j < COUNT(statistics) * COUNT(kinds); j++) {
            long double law[LAB_BARS_MAX + 1], truth[LAB_BARS_MAX + 1];
            const lab_competitor kind = kinds[j % COUNT(kinds)];
            lab_scene scene;
            lab_scene_init(&scene, &statistics[j / COUNT(kinds)], &list[i]);
            lab_competitor_law(&c, kind, &scene, law);
            law_by_enumeration(&c, kind, &scene, truth);
            for (size_t y = 0; y <= 3; y++)
                CHECK(fabsl(law[y] - truth[y]) < 1e-13L);
        }
    lab_competitors_clear(&c);
}

/* Privacy. */

static long double hockey_stick(const long double *p, const long double *q, size_t count,
                                long double epsilon)
{
    long double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fmaxl(p[i] - expl(epsilon) * q[i], 0);
    return sum;
}

/* Every pair of neighbours on three bars: the answers of all that have a law. */
TEST(competitors_are_private_by_enumeration)
{
    CLAIM("competitors.private");
    static const lab_bar_statistic statistics[] = {{false, 1}, {false, 2}, {true, 1}};
    static const struct {
        const char *epsilon, *delta;
        long double e, d;
    } list[] = {{"1/2", "1/8", 0.5L, 0.125L}, {"2", "1/50", 2, 0.02L}};
    size_t pairs = 0;
    for (size_t l = 0; l < COUNT(list); l++) {
        lab_competitors c;
        scrim_error error;
        long double most[LAB_COMPETITOR_KINDS] = {0};
        REQUIRE_OK(lab_competitors_init(&c, list[l].epsilon, list[l].delta, &error));
        for (size_t j = 0; j < COUNT(statistics) * LAB_COMPETITOR_KINDS; j++) {
            const lab_competitor kind = (lab_competitor)(j % LAB_COMPETITOR_KINDS);
            lab_bars x = {.count = 3};
            if (!lab_competitor_has_law(kind))
                continue;
            do
                for (size_t i = 1; i <= 3; i++) {
                    long double p[LAB_BARS_MAX + 1], q[LAB_BARS_MAX + 1];
                    lab_bars other = x;
                    lab_scene scene, next;
                    other.at[i]++;
                    lab_scene_init(&scene, &statistics[j / LAB_COMPETITOR_KINDS], &x);
                    lab_scene_init(&next, &statistics[j / LAB_COMPETITOR_KINDS], &other);
                    lab_competitor_law(&c, kind, &scene, p);
                    lab_competitor_law(&c, kind, &next, q);
                    most[kind] = fmaxl(most[kind], hockey_stick(p, q, 4, list[l].e));
                    most[kind] = fmaxl(most[kind], hockey_stick(q, p, 4, list[l].e));
                    pairs++;
                }
            while (small_heights_next(&x, 3));
        }
        for (unsigned kind = 0; kind < LAB_COMPETITOR_KINDS; kind++)
            if (most[kind] > list[l].d * (1 + 1e-12L))
                CHECK_FAIL("%s: delta %.3g at epsilon %s",
                           lab_competitor_name((lab_competitor)kind), (double)most[kind],
                           list[l].epsilon);
        CHECK(most[LAB_COMPETITOR_EXPONENTIAL] < 1e-15L);
        CHECK(most[LAB_COMPETITOR_SMOOTH] <= list[l].d / 2);
        lab_competitors_clear(&c);
    }
    CHECK_INT(pairs, 6912); /* 2 targets, 6 laws, 3 statistics, 64 histograms, 3 bars */
}

/* One bar, which all others leave alone: the hockey stick is what is claimed, to the last digit. */
TEST(histogram_competitors_have_their_exact_delta)
{
    CLAIM("competitors.private");
    static const lab_competitor kinds[] = {LAB_COMPETITOR_STLAP, LAB_COMPETITOR_STABILITY,
                                           LAB_COMPETITOR_ESA};
    lab_competitors c;
    scrim_error error;
    REQUIRE_OK(lab_competitors_init(&c, "1/2", "1/100", &error));
    const long double exact[] = {lab_one_sided_at_most(&c.noise, -c.q),
                                 lab_two_sided_at_most(&c.noise, -(c.threshold - 1)),
                                 lab_two_sided_at_most(&c.noise, -c.shift)};
    for (size_t k = 0; k < COUNT(kinds); k++) {
        long double most = 0;
        for (int64_t count = 0; count <= 2 * c.q + 2; count++) {
            static long double p[200], q[200];
            for (int64_t s = 0; s < 200; s++) {
                p[s] = lab_bar_at_most(&c, kinds[k], count, s) -
                       lab_bar_at_most(&c, kinds[k], count, s - 1);
                q[s] = lab_bar_at_most(&c, kinds[k], count + 1, s) -
                       lab_bar_at_most(&c, kinds[k], count + 1, s - 1);
            }
            most = fmaxl(most, hockey_stick(p, q, 200, 0.5L));
            most = fmaxl(most, hockey_stick(q, p, 200, 0.5L));
        }
        CHECK_NEAR((double)most, (double)exact[k], 1e-12);
        CHECK(exact[k] <= 0.01L);
    }
    lab_competitors_clear(&c);
}

/* One round of choosing costs (2 epsilon_c, delta / R): its outcomes are to stop, and each bar. */
static void round_of_choosing(const lab_competitors *c, const lab_bars *x,
                              long double *out)
{
    const long double e = (long double)c->choice_epsilon;
    const int64_t lacks = c->choice_threshold - lab_bars_highest(x);
    const long double one = 1 + expl(-e);
    const long double goes_on = lacks >= 1 ? expl(-e * (long double)lacks) / one
                                           : 1 - expl(e * (long double)(lacks - 1)) / one;
    long double total = 0;
    for (size_t i = 1; i <= x->count; i++)
        total += x->at[i] > 0 ? expl(e * (long double)x->at[i]) : 0;
    out[0] = total > 0 ? 1 - goes_on : 1;
    for (size_t i = 1; i <= x->count; i++)
        out[i] = x->at[i] > 0 ? goes_on * expl(e * (long double)x->at[i]) / total : 0;
}

TEST(a_round_of_choosing_costs_what_is_counted)
{
    CLAIM("competitors.private");
    lab_competitors c;
    scrim_error error;
    long double most = 0;
    lab_bars x = {.count = 3};
    REQUIRE_OK(lab_competitors_init(&c, "40", "1/5", &error)); /* epsilon_c = 1/2 */
    do
        for (size_t i = 1; i <= 3; i++) {
            long double p[4], q[4];
            lab_bars other = x;
            other.at[i]++;
            round_of_choosing(&c, &x, p);
            round_of_choosing(&c, &other, q);
            most = fmaxl(most, hockey_stick(p, q, 4, 1));
            most = fmaxl(most, hockey_stick(q, p, 4, 1));
        }
    while (small_heights_next(&x, 14));
    CHECK(c.choice_threshold > 8 &&
          c.choice_threshold < 14); /* both sides of it are seen */
    CHECK(most > 0 && most <= 0.2L / LAB_CHOOSING_ROUNDS);
    /* Rounds and counts: R times 2 epsilon_c, and half of epsilon for the counts. */
    CHECK_NEAR(c.choice_epsilon * 4 * LAB_CHOOSING_ROUNDS, c.epsilon, 1e-15);
    lab_competitors_clear(&c);
}

/* The second of two bars is the mode only where the first loses all that it can and it loses nothing
 * itself: twice the edge. */
TEST(competitor_laws_keep_the_digits_of_rare_answers)
{
    const lab_bar_statistic mode = {true, 1};
    lab_competitors c;
    lab_scene scene;
    scrim_error error;
    long double law[LAB_BARS_MAX + 1];
    REQUIRE_OK(lab_competitors_init(&c, "1", "2^-40", &error));
    const lab_bars x = {2, {0, 100, 100 - c.q + 1}};
    const long double edge = lab_one_sided_at_most(&c.noise, -c.q);
    lab_scene_init(&scene, &mode, &x);
    lab_competitor_law(&c, LAB_COMPETITOR_STLAP, &scene, law);
    CHECK_NEAR((double)law[2], (double)(edge * edge), 1e-14);
    lab_competitors_clear(&c);
}

TEST(competitor_laws_are_laws)
{
    lab_bars x;
    lab_scene scene;
    lab_competitors c;
    scrim_error error;
    long double law[LAB_BARS_MAX + 1];
    REQUIRE_OK(lab_competitors_init(&c, "0.05", "2^-20", &error));
    for (unsigned number = 2; number <= 6; number += 2)
        for (unsigned kind = 0; kind < LAB_COMPETITOR_KINDS; kind++) {
            const lab_experiment_kind *own = lab_experiment_kind_of(number, false);
            long double total = 0;
            lab_experiment_make(own, NULL, &x);
            lab_scene_init(&scene, &own->f, &x);
            if (!lab_competitor_has_law((lab_competitor)kind))
                continue;
            lab_competitor_law(&c, (lab_competitor)kind, &scene, law);
            for (size_t y = 0; y <= x.count; y++) {
                CHECK(law[y] >= 0);
                total += law[y];
            }
            CHECK_NEAR((double)total, 1, 1e-15);
        }
    lab_competitors_clear(&c);
}
