#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "mechanism/histogram/private_size_stlap.h"
#include "mechanism/histogram/stlap_noise.h"
#include "mechanism_lines.h"
#include "random/bits_tape.h"
#include "scrim.h"

#include <stdio.h>

#define FILE_NAME "flexible-accuracy"
#define LINE                                                                             \
    "private-size-stlap size-epsilon=1/2 size-delta=0.1 bar-epsilon=0.7 bar-delta=0.1 "  \
    "tau=1/4 neighbours=add-remove"

/* Deltas that are just those of a q: 1e-9 of it more. */
static void delta_text(const char *epsilon, uint64_t q, char text[64])
{
    sc_ratio e, delta;
    sc_ball mass;
    sc_ball_init(&mass);
    sc_ratio_init(&delta);
    exact_ratio(epsilon, &e);
    sc_stlap_delta(&e, q, 1, 1, EXACT_BITS, &mass);
    CHECK(sc_ball_round_up(&mass, 30, &delta));
    sc_ratio_format(&delta, text, 64);
    sc_ratio_clear(&e);
    sc_ratio_clear(&delta);
    sc_ball_clear(&mass);
}

/* The hockey-stick of two inputs, by their laws. */
static double divergence(const scrim_measurement *m, const int64_t *x, const int64_t *y,
                         size_t count, const char *epsilon)
{
    sc_outcomes p, q;
    sc_ratio e;
    sc_ball odds, mass, sum;
    exact_ratio(epsilon, &e);
    sc_ball_init(&odds);
    sc_ball_init(&mass);
    sc_ball_init(&sum);
    sc_ball_set_ratio(&odds, &e, 192);
    sc_ball_exp(&odds, &odds, 192);
    if (choices_law(m, x, count, 128, &p)) {
        if (choices_law(m, y, count, 128, &q)) {
            for (size_t i = 0; i < p.count; i++) {
                outcomes_mass(&q, p.keys + i * (count + 1), &mass);
                sc_ball_mul(&mass, &mass, &odds, 192);
                sc_ball_sub(&mass, &p.mass[i], &mass, 192);
                if (sc_ball_lower(&mass) > 1e-40)
                    sc_ball_add(&sum, &sum, &mass, 192);
            }
            sc_outcomes_clear(&q);
        }
        sc_outcomes_clear(&p);
    }
    const double result = sc_ball_upper(&sum);
    sc_ball_clear(&sum);
    sc_ball_clear(&mass);
    sc_ball_clear(&odds);
    sc_ratio_clear(&e);
    return result;
}

/* Instances of two and three bars: never above the sum of both deltas, and near it. */
TEST(private_size_stlap_is_private)
{
    CLAIM("private-size-stlap.privacy");
    const json_t *row = vectors_load(FILE_NAME, "private_size_variant");
    char first[64], second[64], text[512];
    delta_text(vectors_text(row, "eps1"), vectors_number(row, "q1"), first);
    delta_text(vectors_text(row, "eps2"), vectors_number(row, "q_min"), second);
    snprintf(text, sizeof text,
             "size-epsilon=%s size-delta=%s bar-epsilon=%s bar-delta=%s tau=%s",
             vectors_text(row, "eps1"), first, vectors_text(row, "eps2"), second,
             vectors_text(row, "tau"));
    scrim_measurement *m = mechanism_model("private-size-stlap", text);
    REQUIRE(m != NULL);
    CHECK_INT(sc_private_size_stlap_least(m), vectors_number(row, "q_min"));
    const double bound = strtod(vectors_text(row, "bound"), NULL);
    sc_ball charge;
    sc_ball_init(&charge);
    sc_ball_set_ratio(&charge, &m->cost.delta, EXACT_BITS);
    CHECK_NEAR(sc_ball_upper(&charge), bound, 1e-7);
    double worst = 0;
    static const int64_t list[][3] = {{0, 0, 0},  {6, 7, 0}, {12, 12, 0}, {15, 8, 0},
                                      {3, 20, 0}, {4, 5, 6}, {9, 9, 1},   {23, 0, 0}};
    for (size_t i = 0; i < COUNT(list); i++) {
        const size_t bars = list[i][2] > 0 ? 3 : 2;
        const int64_t more[3] = {list[i][0] + 1, list[i][1], list[i][2]};
        const double up = divergence(m, more, list[i], bars, "1.2"),
                     down = divergence(m, list[i], more, bars, "1.2");
        CHECK(up <= bound && down <= bound);
        worst = up > worst ? up : worst;
        worst = down > worst ? down : worst;
    }
    CHECK(worst > 0.15);
    sc_ball_clear(&charge);
    scrim_measurement_free(m);
}

TEST(private_size_stlap_takes_q_from_the_estimate)
{
    CLAIM("private-size-stlap.accuracy");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    const uint64_t least = sc_private_size_stlap_least(m);
    CHECK(least >= 2 && least < 40);
    CHECK_INT(scrim_private_size_stlap_q(m, 0), least);
    CHECK_INT(scrim_private_size_stlap_q(m, 4 * least + 3), least);
    CHECK_INT(scrim_private_size_stlap_q(m, 4 * least + 4), least + 1);
    CHECK_INT(scrim_private_size_stlap_q(m, 4003), 1000);
    CHECK_INT(scrim_private_size_stlap_q(m, UINT64_C(1) << 62), INT32_MAX);
    scrim_certificate c;
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 2, &c, NULL));
    CHECK_INT(c.form, SCRIM_CERTIFICATE_FLEXIBLE);
    CHECK_STR(c.alpha, "0.5");
    CHECK_STR(c.beta, "0");
    CHECK_STR(c.gamma, "0");
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 9, &c, NULL));
    CHECK_STR(c.alpha, "1");
    scrim_measurement_free(m);
}

/* On every run: the estimate is not above the size, and each bar is within q of it. */
TEST(private_size_stlap_only_ever_drops)
{
    CLAIM("private-size-stlap.accuracy");
    scrim_measurement *m = choices_new(LINE);
    sc_tape *tape = NULL;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    static const int64_t far = INT64_C(1) << 62;
    for (uint64_t turn = 0; turn < check_count(500, 20000); turn++) {
        const int64_t x[4] = {(int64_t)(turn % 31), (int64_t)(turn * 13), 0,
                              turn % 7 == 0 ? INT64_MAX - 5 : -3};
        sc_int128 y[5], sum = 0;
        REQUIRE_OK(choices_draw(m, sc_tape_bits_of(tape), x, 4, y, 5));
        for (size_t i = 0; i < 4; i++)
            sum += x[i] < 0 ? 0 : x[i];
        const sc_int128 size = sum > far ? far : sum;
        if (!CHECK(y[0] >= 0 && y[0] <= size))
            break;
        const int64_t q = (int64_t)sc_private_size_stlap_q(m, (uint64_t)y[0]);
        for (size_t i = 0; i < 4; i++) {
            const int64_t there = x[i] > far ? far : x[i] < 0 ? 0 : x[i];
            CHECK(y[i + 1] <= there && y[i + 1] >= there - q && y[i + 1] >= 0);
        }
    }
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(private_size_stlap_draws_fit_the_law)
{
    CLAIM("private-size-stlap.exact");
    static const int64_t x[2] = {9, 2};
    choices_fit(LINE, x, 2, check_count(20000, 1000000));
    choices_check_entropy(LINE, x, 2);
}

TEST(private_size_stlap_refuses)
{
    static const struct {
        const char *parameters;
        scrim_status status;
    } list[] = {
        {"size-epsilon=1 size-delta=0.1 bar-epsilon=1 bar-delta=0.1", SCRIM_E_PARAM},
        {"size-epsilon=1 size-delta=0.1 bar-epsilon=1 bar-delta=0.1 tau=2",
         SCRIM_E_PARAM},
        {"size-epsilon=1 size-delta=0.5 bar-epsilon=1 bar-delta=0.1 tau=1",
         SCRIM_E_PARAM},
        {"size-epsilon=1 size-delta=0.1 bar-epsilon=1 bar-delta=0.1 tau=1 "
         "neighbours=replace",
         SCRIM_E_PARAM},
        {"size-epsilon=2^-31 size-delta=2^-100 bar-epsilon=1 bar-delta=0.1 tau=1",
         SCRIM_E_LIMIT},
        {"size-epsilon=1 size-delta=0.1 bar-epsilon=1 bar-delta=0.1 tau=1", SCRIM_OK}};
    for (size_t i = 0; i < COUNT(list); i++)
        mechanism_check_status("private-size-stlap", list[i].parameters, list[i].status);
    mechanism_check_faults(LINE);
}
