#include "base/number/ball.h"
#include "check.h"
#include "model/at_once.h"
#include "model/measurement.h"

#include <stdio.h>

#define BITS 4096L

/* (1 - each)^count >= 1 - beta, and no longer with 2^-190 of each more. */
static void check_share(const char *beta_text, uint64_t count)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ratio, beta, each, more, one);
    SC_OWN(sc_ball, all, wanted);
    SC_OWN(sc_integer, unit);
    REQUIRE_OK(sc_ratio_parse(sc_text_of(beta_text), &beta, NULL));
    sc_at_once_each(&beta, count, &each);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&more, &one, &beta);
    sc_ball_set_ratio(&wanted, &more, BITS);
    sc_ratio_sub(&more, &one, &each);
    sc_ball_set_ratio(&all, &more, BITS);
    sc_ball_power(&all, &all, count, BITS);
    CHECK(sc_ball_is_less_equal(&wanted, &all) || count == 1);
    sc_integer_set_int128(&unit, 1);
    sc_ratio_set_dyadic(&more, &unit, 190);
    sc_ratio_add(&more, &more, &one);
    sc_ratio_mul(&each, &each, &more);
    sc_ratio_sub(&more, &one, &each);
    sc_ball_set_ratio(&all, &more, BITS);
    sc_ball_power(&all, &all, count, BITS);
    CHECK(sc_ball_is_less(&all, &wanted));
}

TEST(at_once_each_is_the_share_of_one)
{
    static const uint64_t counts[] = {1, 2, 7, 1000, UINT64_C(1) << 30};
    static const char *const betas[] = {"1/20", "1e-9", "0.999", "1e-40"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t j = 0; j < sizeof betas / sizeof *betas; j++)
            check_share(betas[j], counts[i]);
}

TEST(at_once_each_of_hardly_anything_is_its_part)
{
    SC_OWN(sc_ratio, beta, each, part);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("2^-2000"), &beta, NULL));
    REQUIRE_OK(sc_ratio_parse(sc_text_of("2^-2003"), &part, NULL));
    sc_at_once_each(&beta, 8, &each);
    CHECK(sc_ratio_compare(&each, &part) == 0);
}

/* P(one of count values is farther than radius). */
static double failure(const sc_law *noise, uint64_t count, sc_int128 radius)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, all, one);
    sc_ball_set_int64(&one, 1);
    sc_law_between(noise, -radius, radius, BITS, &all);
    sc_ball_power(&all, &all, count, BITS);
    sc_ball_sub(&all, &one, &all, BITS);
    return sc_ball_upper(&all);
}

typedef struct several {
    const char *line;
    uint64_t count;
    const char *confidence, *radius;
    double there, below;
} several;

TEST(at_once_of_several_values_is_the_table)
{
    static const several table[] = {
        {"laplace scale=1", 10, "19/20", "5", 0.03565686163610037, 0.09426197180203732},
        {"laplace scale=10", 100, "99/100", "92", 0.009553695190928819,
         0.01055319947329983},
        {"laplace scale=2", 1000, "19/20", "20", 0.0337002834249458, 0.05495318884777769},
        {"laplace scale=100", 7, "999/1000", "885", 0.000998226518248935,
         0.001008254524820835},
        {"gaussian variance=1", 10, "19/20", "3", 0.00270316675137298,
         0.08767880866958539},
        {"gaussian variance=100", 100, "99/100", "39", 0.007731833486795696,
         0.01166678490583797},
        {"gaussian variance=25", 1000, "19/20", "20", 0.03932140104801572,
         0.08939953110032232}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const several *row = &table[i];
        char line[128];
        scrim_measurement *m = NULL;
        scrim_certificate certificate;
        snprintf(line, sizeof line, "%s sensitivity=1 neighbours=replace", row->line);
        REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
        REQUIRE_OK(scrim_measurement_certify(m, row->confidence, row->count, &certificate,
                                             NULL));
        CHECK_STR(certificate.radius_all, row->radius);
        const sc_law *noise = m->mechanism->noise(m);
        uint64_t radius = 0;
        REQUIRE(sc_text_uint64(sc_text_of(row->radius), &radius));
        CHECK_NEAR(failure(noise, row->count, radius), row->there, 1e-14);
        CHECK_NEAR(failure(noise, row->count, radius - 1), row->below, 1e-14);
        REQUIRE_OK(scrim_measurement_certify(m, row->confidence, 1, &certificate, NULL));
        CHECK_STR(certificate.radius_all, "");
        scrim_measurement_free(m);
    }
}
