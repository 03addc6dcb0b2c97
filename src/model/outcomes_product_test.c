#include "balls.h"
#include "exact.h"
#include "faults.h"
#include "finite_law.h"
#include "model/outcomes.h"

/* Two of two and of three outcomes, with something in front. */
TEST(outcomes_product_multiplies)
{
    CLAIM("outcomes-product.exact");
    static const int64_t a[] = {1, 3}, b[] = {1, 2, 5};
    static const int64_t lead[] = {7};
    sc_outcomes parts[2], out;
    sc_ball half, mass, total;
    sc_ball_init(&half);
    sc_ball_init(&mass);
    sc_ball_init(&total);
    sc_ball_set_int64(&half, 1);
    sc_ball_mul_power2(&half, &half, -1);
    finite_law_weights(&parts[0], a, 2, 4);
    finite_law_weights(&parts[1], b, 3, 8);
    finite_law_hide(&parts[1], 1); /* 1/4 of it is not listed */
    sc_outcomes_init(&out, 3);
    REQUIRE_OK(sc_outcomes_product(parts, 2, &(sc_outcomes_prefix){lead, 1, &half}, 128,
                                   &out, NULL));
    REQUIRE_OK(sc_outcomes_sort(&out, 128, NULL));
    CHECK_INT(out.count, 4);
    const int64_t key[] = {7, 1, 2};
    outcomes_mass(&out, key, &mass);
    CHECK_NEAR(sc_ball_upper(&mass), 0.5 * 0.75 * 0.625, 1e-15);
    CHECK_NEAR(sc_ball_upper(&out.rest), 0.5 * 0.25, 1e-15);
    sc_outcomes_total(&out, 128, &total);
    CHECK_NEAR(sc_ball_upper(&total), 0.5, 1e-15);
    sc_outcomes_clear(&out);
    /* Without parts there is one answer, which is certain. */
    sc_outcomes_init(&out, 0);
    REQUIRE_OK(sc_outcomes_product(parts, 0, NULL, 128, &out, NULL));
    CHECK_INT(out.count, 1);
    CHECK_NEAR(sc_ball_upper(&out.mass[0]), 1, 0);
    sc_outcomes_clear(&out);
    for (int i = 0; i < 2; i++)
        sc_outcomes_clear(&parts[i]);
    sc_ball_clear(&total);
    sc_ball_clear(&mass);
    sc_ball_clear(&half);
}

TEST(outcomes_product_has_an_end)
{
    static int64_t weights[1025];
    sc_outcomes parts[2], out;
    for (size_t i = 0; i < COUNT(weights); i++)
        weights[i] = 1;
    for (int i = 0; i < 2; i++)
        finite_law_weights(&parts[i], weights, COUNT(weights), COUNT(weights));
    sc_outcomes_init(&out, 2);
    scrim_error error = {.message = ""};
    CHECK_STATUS(sc_outcomes_product(parts, 2, NULL, 64, &out, &error), SCRIM_E_LIMIT);
    CHECK_INT(out.count, 0);
    FAULT_LOOP(fault)
    {
        sc_outcomes small;
        sc_outcomes_init(&small, 1);
        scrim_status status = sc_outcomes_product(parts, 1, NULL, 64, &small, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_outcomes_clear(&small);
    }
    sc_outcomes_clear(&out);
    for (int i = 0; i < 2; i++)
        sc_outcomes_clear(&parts[i]);
}
