#include "distance/flexible.h"
#include "exact.h"
#include "scrim/accuracy.h"

#include <string.h>

static void set(sc_ratio *out, const char *text)
{
    sc_ratio_clear(out);
    exact_ratio(text, out);
}

static void make(sc_flexible_claim *out, const char *alpha, const char *beta,
                 const char *gamma, const char *metric)
{
    sc_flexible_init(out);
    set(&out->alpha, alpha);
    set(&out->beta, beta);
    set(&out->gamma, gamma);
    out->metric = metric;
}

static const char *shown(const sc_flexible_claim *x)
{
    static char text[SC_FLEXIBLE_TEXT_BYTES];
    sc_flexible_format(x, text, sizeof text);
    return text;
}

/* 2 at: the range as a number. */
static bool twice(const void *context, const sc_ratio *at, sc_ratio *out)
{
    (void)context;
    sc_ratio_add(out, at, at);
    return true;
}

static const sc_modulus modulus_twice = {.bound = twice, .is_linear = true};

/* Bucketing then STLap, then a statistic: the rows of the table of statistics. */
TEST(flexible_composition_of_a_statistic)
{
    CLAIM("flexible-composition.triple");
    sc_flexible_claim first, out;
    const sc_flexible_statistic maximum = {SC_METRIC_MOVE, SC_METRIC_ABSOLUTE,
                                           &sc_modulus_same};
    const sc_flexible_statistic range = {SC_METRIC_MOVE, SC_METRIC_ABSOLUTE,
                                         &modulus_twice};
    const sc_flexible_statistic mode = {SC_METRIC_MOVE, SC_METRIC_ABSOLUTE,
                                        &sc_modulus_unbounded};
    make(&first, "0.054", "0.25", "1/100", SC_METRIC_MOVE);
    sc_flexible_init(&out);
    CHECK_STATUS(sc_flexible_apply(&first, &maximum, &out, NULL), SCRIM_OK);
    CHECK_STR(shown(&out), "alpha=0.054 beta=0.25 gamma=0.01 distortion=drop "
                           "metric=absolute case=worst");
    CHECK_STATUS(sc_flexible_apply(&first, &range, &out, NULL), SCRIM_OK);
    CHECK_STR(shown(&out), "alpha=0.054 beta=0.5 gamma=0.01 distortion=drop "
                           "metric=absolute case=worst");
    CHECK_STATUS(sc_flexible_apply(&first, &mode, &out, NULL), SCRIM_OK);
    CHECK_STR(shown(&out), "alpha=0.054 beta=unbounded gamma=0.01 distortion=drop "
                           "metric=absolute case=worst");
    set(&first.beta, "0");
    CHECK_STATUS(sc_flexible_apply(&first, &mode, &first, NULL), SCRIM_OK);
    CHECK_STR(shown(&first), "alpha=0.054 beta=0 gamma=0.01 distortion=drop "
                             "metric=absolute case=worst");
    /* Every statistic of an unbounded law is unbounded. */
    first.metric = SC_METRIC_MOVE;
    first.is_beta_unbounded = true;
    CHECK_STATUS(sc_flexible_apply(&first, &maximum, &first, NULL), SCRIM_OK);
    CHECK(first.is_beta_unbounded);
    sc_flexible_clear(&out);
    sc_flexible_clear(&first);
}

static sc_flexible_stage stage_of(const sc_flexible_claim *second)
{
    return (sc_flexible_stage){.second = second,
                               .input_metric = SC_METRIC_MOVE,
                               .growth = &sc_modulus_same,
                               .sigma = &sc_modulus_same,
                               .sigma_from = second->distortion,
                               .sigma_to = second->distortion};
}

TEST(flexible_composition_of_two_stages)
{
    CLAIM("flexible-composition.triple");
    sc_flexible_claim first, second, out;
    sc_ratio loss, omega;
    make(&first, "1/10", "1/2", "1/100", SC_METRIC_MOVE);
    make(&second, "1/5", "3", "1/50", SC_METRIC_ABSOLUTE);
    exact_ratio("1/20", &loss);
    exact_ratio("2", &omega);
    sc_flexible_init(&out);
    sc_flexible_stage stage = stage_of(&second);
    /* A drop after a drop: 1 - 0.9 * 0.8, and not 0.3. */
    CHECK_STATUS(sc_flexible_then(&first, &stage, &out, NULL), SCRIM_OK);
    CHECK_STR(shown(&out), "alpha=0.28 beta=3.5 gamma=0.03 distortion=drop "
                           "metric=absolute case=worst");
    /* A relaxed sigma: its loss joins gamma, its omega goes through the growth. */
    stage.sigma_gamma = &loss;
    stage.omega = &omega;
    stage.growth = &modulus_twice;
    CHECK_STATUS(sc_flexible_then(&first, &stage, &out, NULL), SCRIM_OK);
    CHECK_STR(shown(&out), "alpha=0.28 beta=8 gamma=0.08 distortion=drop "
                           "metric=absolute case=worst");
    /* Moves add up, and so do counts. */
    stage = stage_of(&second);
    first.distortion = second.distortion = SC_DISTORTION_MOVE;
    stage.sigma_from = stage.sigma_to = SC_DISTORTION_MOVE;
    CHECK_STATUS(sc_flexible_then(&first, &stage, &out, NULL), SCRIM_OK);
    CHECK_STR(shown(&out), "alpha=0.3 beta=3.5 gamma=0.03 distortion=move "
                           "metric=absolute case=worst");
    first.distortion = second.distortion = SC_DISTORTION_DROP;
    first.is_count = second.is_count = true;
    set(&first.alpha, "27");
    set(&second.alpha, "3");
    stage = stage_of(&second);
    CHECK_STATUS(sc_flexible_then(&first, &stage, &out, NULL), SCRIM_OK);
    CHECK_STR(shown(&out), "dropped=30 beta=3.5 gamma=0.03 distortion=drop "
                           "metric=absolute case=worst");
    /* More than everything cannot vanish, nor happen. */
    first.is_count = second.is_count = false;
    set(&first.gamma, "0.99");
    CHECK_STATUS(sc_flexible_then(&first, &stage, &out, NULL), SCRIM_OK);
    CHECK_STR(shown(&out), "alpha=1 beta=3.5 gamma=1 distortion=drop metric=absolute "
                           "case=worst");
    sc_flexible_clear(&out);
    sc_ratio_clear(&omega);
    sc_ratio_clear(&loss);
    sc_flexible_clear(&second);
    sc_flexible_clear(&first);
}

static bool grows_in_squares(const void *context, const sc_ratio *at, sc_ratio *out)
{
    (void)context;
    sc_ratio_mul(out, at, at);
    return true;
}

/* One thing that does not fit at a time. */
TEST(flexible_composition_refuses_what_does_not_fit)
{
    CLAIM("flexible-composition.types");
    const sc_modulus square = {.bound = grows_in_squares};
    for (int wrong = 0; wrong < 12; wrong++) {
        sc_flexible_claim first, second, out;
        scrim_error error = {.status = SCRIM_OK};
        make(&first, "1/10", "1/2", "1/100", SC_METRIC_MOVE);
        make(&second, "1/5", "3", "1/50", SC_METRIC_ABSOLUTE);
        sc_flexible_init(&out);
        sc_flexible_stage stage = stage_of(&second);
        switch (wrong) {
        case 1:
            stage.input_metric = SC_METRIC_HAUSDORFF;
            break;
        case 2:
            stage.input_metric = NULL;
            break;
        case 3:
            stage.sigma_from = SC_DISTORTION_MOVE;
            break;
        case 4:
            stage.sigma_to = SC_DISTORTION_DROP_MOVE;
            break;
        case 5:
            first.is_average = true;
            break;
        case 6:
            first.is_count = true;
            set(&first.alpha, "3");
            break;
        case 7:
            stage.sigma = &sc_modulus_unbounded;
            break;
        case 8:
            first.is_average = second.is_average = true;
            stage.growth = &square;
            break;
        case 9:
            set(&second.gamma, "1.5");
            break;
        case 10:
            set(&first.beta, "-1");
            break;
        case 11:
            first.distortion = second.distortion = SC_DISTORTION_DROP_MOVE;
            stage.sigma_from = stage.sigma_to = SC_DISTORTION_DROP_MOVE;
            set(&first.eta, "1");
            set(&second.eta, "2");
            break;
        default:
            break;
        }
        const scrim_status status = sc_flexible_then(&first, &stage, &out, &error);
        if (!CHECK_STATUS(status, wrong == 0 ? SCRIM_OK : SCRIM_E_PARAM))
            CHECK_FAIL("number %d: %s", wrong, error.message);
        if (wrong != 0)
            CHECK_STR(shown(&out), "alpha=0 beta=0 gamma=0 distortion=drop "
                                   "metric=absolute case=worst");
        sc_flexible_clear(&out);
        sc_flexible_clear(&second);
        sc_flexible_clear(&first);
    }
    sc_flexible_claim first;
    const sc_flexible_statistic statistic = {SC_METRIC_SUP, SC_METRIC_ABSOLUTE,
                                             &sc_modulus_same};
    const sc_flexible_statistic squared = {SC_METRIC_MOVE, SC_METRIC_ABSOLUTE, &square};
    make(&first, "1/10", "1/2", "1/100", SC_METRIC_MOVE);
    CHECK_STATUS(sc_flexible_apply(&first, &statistic, &first, NULL), SCRIM_E_PARAM);
    first.is_average = true;
    CHECK_STATUS(sc_flexible_apply(&first, &squared, &first, NULL), SCRIM_E_PARAM);
    sc_flexible_clear(&first);
}

/* spec/flexible-accuracy.md 11: what dropped elements and then moved the others by beta is within alpha + eta beta. */
TEST(flexible_distort_makes_moves_a_distortion)
{
    CLAIM("flexible-composition.distort");
    sc_flexible_claim first, out;
    scrim_error error;
    SC_OWN(sc_ratio, eta);
    set(&eta, "2");
    make(&first, "1/10", "1/4", "1/100", SC_METRIC_MOVE);
    sc_flexible_init(&out);
    REQUIRE_OK(sc_flexible_distort(&first, &eta, "labels", &out, NULL));
    CHECK_STR(shown(&out), "alpha=0.6 beta=0 gamma=0.01 distortion=drop-move eta=2 "
                           "metric=labels case=worst");
    /* Once more, with moves of the result: the eta must be the same. */
    out.metric = SC_METRIC_MOVE_L2;
    set(&out.beta, "1");
    REQUIRE_OK(sc_flexible_distort(&out, &eta, "labels", &out, NULL));
    CHECK_STR(shown(&out), "alpha=2.6 beta=0 gamma=0.01 distortion=drop-move eta=2 "
                           "metric=labels case=worst");
    /* Attained: of 10 elements 1 is dropped, and each other one moves by 1/4. */
    static const scrim_place before[] = {{"0", "9"}, {"5", "1"}},
                             after[] = {{"1/4", "9"}};
    scrim_distance apart;
    REQUIRE_OK(scrim_distance_between(
        "drop-move", before, 2, after, 1,
        &(scrim_distance_options){.size = sizeof(scrim_distance_options), .eta = "2"},
        &apart, NULL));
    CHECK_STR(apart.exact, "0.6");
    for (int wrong = 1; wrong <= 6; wrong++) {
        sc_flexible_claim bad;
        make(&bad, "1/10", "1/4", "0", SC_METRIC_MOVE);
        set(&eta, wrong == 1 ? "0" : "2");
        bad.metric = wrong == 2 ? SC_METRIC_ABSOLUTE : SC_METRIC_MOVE;
        bad.is_average = wrong == 3;
        bad.is_count = wrong == 4;
        if (wrong == 4)
            set(&bad.alpha, "3");
        if (wrong == 5)
            bad.distortion = SC_DISTORTION_MOVE;
        if (wrong == 6) {
            bad.distortion = SC_DISTORTION_DROP_MOVE;
            set(&bad.eta, "1");
        }
        CHECK_STATUS(sc_flexible_distort(&bad, &eta, "labels", &out, &error),
                     SCRIM_E_PARAM);
        sc_flexible_clear(&bad);
    }
    sc_flexible_clear(&out);
    sc_flexible_clear(&first);
}
