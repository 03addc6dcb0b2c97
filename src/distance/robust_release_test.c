#include "balls.h"
#include "distance/robust_release.h"
#include "exact.h"
#include "mass_lists.h"
#include "vectors.h"

#include <string.h>

static const char *member(const json_t *entry, const char *name)
{
    return json_string_value(json_object_get(entry, name));
}

/* Printed with more digits than a ball of 256 bits has. */
TEST(robust_release_meets_the_vectors)
{
    CLAIM("robust.mean");
    CLAIM("robust.radius");
    size_t index;
    json_t *entry;
    sc_ratio one, gamma;
    sc_ball ball;
    exact_ratio("1", &one);
    sc_ball_init(&ball);
    json_array_foreach(vectors_load("flexible-accuracy", "m_rob_beta"), index, entry)
    {
        const char *radius = member(entry, "beta_infinity_over_b");
        exact_ratio(member(entry, "gamma"), &gamma);
        CHECK_STATUS(sc_robust_mean(&one, &gamma, EXACT_BITS, &ball, NULL), SCRIM_OK);
        CHECK_PRINTED(&ball, member(entry, "beta_tight_over_b"));
        CHECK_STATUS(sc_robust_radius(&one, &gamma, EXACT_BITS, &ball, NULL), SCRIM_OK);
        if (strcmp(radius, "inf") == 0)
            CHECK(!sc_ball_is_finite(&ball));
        else
            CHECK_PRINTED(&ball, radius);
        sc_ratio_clear(&gamma);
    }
    CHECK_INT(index, 13);
    exact_ratio("1.1", &gamma);
    CHECK_STATUS(sc_robust_mean(&one, &gamma, EXACT_BITS, &ball, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_robust_radius(&one, &gamma, EXACT_BITS, &ball, NULL), SCRIM_E_PARAM);
    sc_ratio_clear(&gamma);
    sc_ball_clear(&ball);
    sc_ratio_clear(&one);
}

/* acosh(exp(epsilon)) = epsilon + ln(1 + sqrt(1 - exp(-2 epsilon))): no proof can get below it. */
static void output_lower(const sc_ratio *epsilon, sc_ball *out)
{
    sc_ball root;
    sc_ball_init(&root);
    sc_ball_set_ratio(out, epsilon, EXACT_BITS);
    sc_ball_mul_int64(&root, out, -2, EXACT_BITS);
    sc_ball_expm1(&root, &root, EXACT_BITS);
    sc_ball_neg(&root, &root);
    sc_ball_sqrt(&root, &root, EXACT_BITS);
    sc_ball_log1p(&root, &root, EXACT_BITS);
    sc_ball_add(out, out, &root, EXACT_BITS);
    sc_ball_clear(&root);
}

TEST(robust_release_of_outputs_meets_the_vectors)
{
    CLAIM("robust.output");
    size_t index;
    json_t *entry;
    sc_ball ball;
    sc_ball_init(&ball);
    json_array_foreach(vectors_load("flexible-accuracy", "output_robustness_bounds"),
                       index, entry)
    {
        sc_ratio epsilon;
        exact_ratio(member(entry, "eps"), &epsilon);
        sc_robust_output_epsilon(&epsilon, EXACT_BITS, &ball);
        CHECK_PRINTED(&ball, member(entry, "upper_2acosh_e_half_eps"));
        output_lower(&epsilon, &ball);
        CHECK_PRINTED(&ball, member(entry, "lower_acosh_e_eps"));
        sc_ratio_clear(&epsilon);
    }
    CHECK_INT(index, 5);
    sc_ball_clear(&ball);
}

/* ln cosh 1, which is where the outputs of the counterexample are. */
static void log_cosh_one(sc_ball *out)
{
    sc_ball e;
    sc_ball_init(&e);
    sc_ball_set_int64(&e, 1);
    sc_ball_exp(out, &e, EXACT_BITS);
    sc_ball_set_int64(&e, -1);
    sc_ball_exp(&e, &e, EXACT_BITS);
    sc_ball_add(out, out, &e, EXACT_BITS);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_log(out, out, EXACT_BITS);
    sc_ball_clear(&e);
}

/* E23: inputs 0 and -1 or 1, noise of scale 1. With p the density of Lap(1) and p' its mixture, the
 * hockey stick at e^c, c = ln cosh 1, is that of the interval where p > e^c p', which ends at t with
 * e^-t = e^c (e^(t-1) + e^(-t-1)) / 2 for 0 < t < 1: then e^(2t) = 2 e^(1-c) - 1. Its mass under p is
 * 1 - e^-t, under p' it is (1/2)(e^(t-1) - e^(-t-1)). */
TEST(robust_release_of_outputs_is_not_what_was_claimed)
{
    CLAIM("robust.output");
    const json_t *printed = json_object_get(vectors_load("flexible-accuracy", "errata"),
                                            "000_lemma1_counterexample");
    sc_ball c, t, p, q, one;
    sc_ball_init(&c);
    sc_ball_init(&t);
    sc_ball_init(&p);
    sc_ball_init(&q);
    sc_ball_init(&one);
    log_cosh_one(&c);
    CHECK_PRINTED(&c, member(printed, "eps"));
    CHECK_PRINTED(&c, member(printed, "W_inf_outputs"));
    /* t */
    sc_ball_neg(&t, &c);
    sc_ball_add_int64(&t, &t, 1, EXACT_BITS);
    sc_ball_exp(&t, &t, EXACT_BITS);
    sc_ball_mul_power2(&t, &t, 1);
    sc_ball_add_int64(&t, &t, -1, EXACT_BITS);
    sc_ball_log(&t, &t, EXACT_BITS);
    sc_ball_mul_power2(&t, &t, -1);
    sc_ball_set_int64(&one, 1);
    CHECK(sc_ball_is_positive(&t) && sc_ball_is_less(&t, &one));
    /* 1 - e^-t */
    sc_ball_neg(&p, &t);
    sc_ball_expm1(&p, &p, EXACT_BITS);
    sc_ball_neg(&p, &p);
    /* (e^(t-1) - e^(-t-1)) / 2 = e^-1 sinh(t) */
    sc_ball_sinh(&q, &t, EXACT_BITS);
    sc_ball_neg(&one, &one);
    sc_ball_exp(&one, &one, EXACT_BITS);
    sc_ball_mul(&q, &q, &one, EXACT_BITS);
    sc_ball_exp(&c, &c, EXACT_BITS);
    sc_ball_mul(&q, &q, &c, EXACT_BITS);
    sc_ball_sub(&p, &p, &q, EXACT_BITS);
    CHECK_PRINTED(&p, member(printed, "delta_true"));
    CHECK(sc_ball_is_positive(&p));
    CHECK_STR(member(printed, "delta_claimed"), "0");
    sc_ball_clear(&one);
    sc_ball_clear(&q);
    sc_ball_clear(&p);
    sc_ball_clear(&t);
    sc_ball_clear(&c);
}
