#include "curves.h"
#include "losses.h"

#include <math.h>

static void loss_of_curve(const sc_curve *curve, const char *step, sc_loss *out)
{
    scrim_error error;
    sc_ratio width;
    exact_ratio(step, &width);
    sc_loss_init(out);
    CHECK_STATUS(
        sc_loss_from_curve(curve, &width, SC_LOSS_BITS, LOSSES_TAIL, NULL, out, &error),
        SCRIM_OK);
    sc_ratio_clear(&width);
}

/* A curve that is exact gives what the pair gives: the dots are the same. */
TEST(loss_from_an_exact_curve_is_that_of_the_pair)
{
    CLAIM("loss.upper");
    static const struct {
        const char *kind, *shape, *step;
        uint64_t shift;
    } cases[] = {{"laplace", "2", "1/10", 3},
                 {"laplace", "2", "3/70", 3},
                 {"gaussian", "4", "1/8", 1},
                 {"gaussian", "4", "1/11", 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_curve curve;
        sc_loss_pair pair;
        sc_loss by_curve, by_pair;
        scrim_error error;
        curves_of_noise(cases[i].kind[0] == 'l' ? sc_curve_set_laplace
                                                : sc_curve_set_gaussian,
                        cases[i].shape, cases[i].shift, &curve);
        losses_pair(cases[i].kind, cases[i].shape, cases[i].shift, &pair);
        loss_of_curve(&curve, cases[i].step, &by_curve);
        losses_of(&pair, SC_LOSS_UPPER, cases[i].step, 1, &by_pair);
        for (int k = 1; k <= 3; k += 2) {
            if (k == 3) {
                REQUIRE_OK(sc_loss_power(&by_curve, 3, LOSSES_TAIL, &by_curve, &error));
                REQUIRE_OK(sc_loss_power(&by_pair, 3, LOSSES_TAIL, &by_pair, &error));
            }
            static const char *const epsilons[] = {"-1", "0", "1/3", "1", "2"};
            for (size_t j = 0; j < COUNT(epsilons); j++) {
                const double want = losses_delta(&by_pair, epsilons[j]);
                CHECK(fabs(losses_delta(&by_curve, epsilons[j]) - want) <=
                      1e-15 * want + 1e-30);
            }
        }
        sc_loss_clear(&by_pair);
        sc_loss_clear(&by_curve);
        sc_loss_pair_clear(&pair);
        sc_curve_clear(&curve);
    }
}

/* (epsilon, delta) and pure claims, on a grid of their own and on another. */
TEST(loss_from_a_claim_holds_it)
{
    CLAIM("loss.upper");
    sc_ratio epsilon, delta;
    sc_curve curve;
    sc_loss_pair pair;
    exact_ratio("1/2", &epsilon);
    exact_ratio("1e-5", &delta);
    sc_curve_init(&curve);
    sc_loss_pair_init(&pair);
    sc_curve_set_approximate(&curve, &epsilon, &delta);
    sc_loss_pair_set_approximate(&pair, &epsilon, &delta);
    static const char *const steps[] = {"1/2", "1/6", "1/7"};
    for (size_t i = 0; i < COUNT(steps); i++) {
        scrim_error error;
        sc_loss by_curve, by_pair;
        loss_of_curve(&curve, steps[i], &by_curve);
        losses_of(&pair, SC_LOSS_UPPER, steps[i], 4, &by_pair);
        REQUIRE_OK(sc_loss_power(&by_curve, 4, LOSSES_TAIL, &by_curve, &error));
        CHECK_NEAR(losses_delta(&by_curve, "3/4"), losses_delta(&by_pair, "3/4"), 1e-14);
        CHECK_NEAR(losses_delta(&by_curve, "5"), 1 - pow(1 - 1e-5, 4), 1e-9);
        CHECK(losses_epsilon(&by_curve, "3e-5") == HUGE_VAL);
        sc_loss_clear(&by_pair);
        sc_loss_clear(&by_curve);
    }
    sc_loss_pair_clear(&pair);
    sc_curve_clear(&curve);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

TEST(loss_from_a_curve_without_delta_is_refused)
{
    scrim_error error;
    sc_curve curve;
    sc_ratio step;
    sc_loss loss;
    exact_ratio("1/10", &step);
    sc_loss_init(&loss);
    curves_of(sc_curve_set_concentrated, "1/8", &curve);
    CHECK_STATUS(
        sc_loss_from_curve(&curve, &step, SC_LOSS_BITS, LOSSES_TAIL, NULL, &loss, &error),
        SCRIM_E_INTERNAL);
    sc_loss_clear(&loss);
    sc_curve_clear(&curve);
    sc_ratio_clear(&step);
}
