#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "faults.h"
#include "mechanism/selection/exponential.h"
#include "mechanism/selection/permute_and_flip.h"
#include "mechanism/selection/top_k.h"
#include "random/bits_tape.h"

#include <math.h>

/* The law of a list is a product: of the first choice among all, and of the next among the rest
 * at half of epsilon. */
TEST(top_k_law_is_that_of_choices_one_after_the_other)
{
    CLAIM("top-k.exact");
    const int64_t all[] = {4, 2, 1}, key[] = {1, 0}, rest[] = {4, 1};
    const int64_t second = 1, first = 0;
    const struct {
        const char *whole, *part;
    } cases[] = {
        {"top-k k=2 epsilon=2 sensitivity=1 neighbours=replace",
         "permute-and-flip epsilon=1 sensitivity=1 neighbours=replace"},
        {"top-k k=2 epsilon=2 sensitivity=1 method=exponential neighbours=replace",
         "exponential epsilon=1 sensitivity=1 neighbours=replace"},
        {"top-k k=2 epsilon=2 sensitivity=1 monotone=yes neighbours=add-remove",
         "permute-and-flip epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scrim_measurement *whole = choices_new(cases[i].whole);
        scrim_measurement *part = choices_new(cases[i].part);
        sc_outcomes lists, one, two;
        sc_ball mass, p, q;
        REQUIRE(whole != NULL && part != NULL);
        REQUIRE(choices_law(whole, all, 3, 200, &lists));
        REQUIRE(choices_law(part, all, 3, 200, &one));
        REQUIRE(choices_law(part, rest, 2, 200, &two));
        CHECK_INT(lists.count, 6);
        choices_check_total(&lists, 190);
        sc_ball_init(&mass);
        sc_ball_init(&p);
        sc_ball_init(&q);
        outcomes_mass(&lists, key, &mass);
        outcomes_mass(&one, &second, &p);
        outcomes_mass(&two, &first, &q);
        sc_ball_mul(&p, &p, &q, 200);
        CHECK_SAME(&mass, &p, 180);
        sc_ball_clear(&q);
        sc_ball_clear(&p);
        sc_ball_clear(&mass);
        sc_outcomes_clear(&two);
        sc_outcomes_clear(&one);
        sc_outcomes_clear(&lists);
        scrim_measurement_free(part);
        scrim_measurement_free(whole);
    }
}

SLOW_TEST(top_k_frequencies_fit_the_law)
{
    CLAIM("top-k.exact");
    static const int64_t four[] = {3, 1, 4, 4};
    const uint64_t draws = check_count(100000, 1000000);
    choices_fit("top-k k=2 epsilon=3 sensitivity=1 neighbours=replace", four, 4, draws);
    choices_fit("top-k k=3 epsilon=3 sensitivity=1 method=exponential monotone=yes "
                "neighbours=add-remove",
                four, 4, draws);
    choices_fit("top-k k=4 epsilon=4 sensitivity=1 neighbours=replace", four, 4, draws);
    choices_fit("top-k k=1 epsilon=1 sensitivity=1 neighbours=replace", four, 4, draws);
}

TEST(top_k_costs_its_parts)
{
    CLAIM("top-k.privacy");
    scrim_cost cost;
    scrim_measurement *m =
        choices_new("top-k k=4 epsilon=2 sensitivity=1 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.epsilon, "2");
    CHECK_STR(cost.delta, "0");
    CHECK_STR(cost.rho, "0.5"); /* four times (1/2)^2 / 2 */
    double delta = 0;
    REQUIRE_OK(scrim_measurement_delta_at(m, "1", &delta, NULL));
    /* Among the losses of four releases of 1/2 at epsilon = 1 only that of 2 is above it. */
    CHECK_NEAR(delta, (exp(2) - exp(1)) / pow(1 + exp(0.5), 4), 1e-12);
    CHECK(delta < 0.32); /* what one release of 2 has there */
    scrim_measurement_free(m);
    m = choices_new(
        "top-k k=4 epsilon=2 sensitivity=1 method=exponential neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.rho, "0.125");
    scrim_measurement_free(m);
}

TEST(top_k_refuses_what_is_not_private)
{
    choices_check_refusals("top-k", "k=2");
    choices_check_refusals("top-k", "k=2 method=exponential");
    choices_refused("top-k epsilon=1 sensitivity=1 neighbours=replace", SCRIM_E_PARAM,
                    "k");
    choices_refused("top-k k=0 epsilon=1 sensitivity=1 neighbours=replace", SCRIM_E_PARAM,
                    "k");
    choices_refused("top-k k=2^20 epsilon=1 sensitivity=1 method=noisy-max "
                    "neighbours=replace",
                    SCRIM_E_PARAM, "method");
    choices_refused("top-k k=1048577 epsilon=1 sensitivity=1 neighbours=replace",
                    SCRIM_E_LIMIT, "k");
    scrim_measurement *m = NULL;
    CHECK_STATUS(
        scrim_measurement_parse_model("top-k k=4 epsilon=1 candidates=3", &m, NULL),
        SCRIM_E_PARAM);
}

TEST(top_k_takes_at_least_k_candidates)
{
    scrim_certificate few, three;
    scrim_measurement *m =
        choices_new("top-k k=3 epsilon=1 sensitivity=1 neighbours=replace");
    REQUIRE(m != NULL);
    CHECK_INT(m->domain.count_min, 3);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &few, NULL));
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 3, &three, NULL));
    CHECK_STR(few.radius, three.radius);
    scrim_measurement_free(m);
}

TEST(top_k_fails_closed_without_bits)
{
    static const int64_t scores[] = {3, 0, -4, 3};
    choices_check_entropy("top-k k=3 epsilon=1 sensitivity=1 neighbours=replace", scores,
                          4);
}

TEST(top_k_fails_closed_without_memory)
{
    static const int64_t scores[] = {3, 0, -4, 3};
    sc_tape *tape = NULL;
    scrim_measurement *m =
        choices_new("top-k k=2 epsilon=1 sensitivity=1 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    FAULT_LOOP(fault)
    {
        sc_int128 answer[2];
        scrim_status status =
            choices_draw(m, sc_tape_bits_of(tape), scores, 4, answer, 2);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* Every entry of a list is within the radius of the best that was left, but for beta. */
TEST(top_k_accuracy_holds)
{
    CLAIM("top-k.accuracy");
    const char *const lines[] = {
        "top-k k=2 epsilon=4 sensitivity=1 neighbours=replace",
        "top-k k=2 epsilon=4 sensitivity=1 method=exponential neighbours=replace",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = choices_new(lines[i]);
        scrim_certificate certificate;
        sc_ratio radius, beta;
        sc_outcomes law;
        sc_ball good, rest;
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_measurement_certify(m, "0.9", 5, &certificate, NULL));
        exact_ratio(certificate.radius, &radius);
        exact_ratio("0.9", &beta);
        sc_ball_init(&good);
        sc_ball_init(&rest);
        int64_t gap = 1;
        while (sc_ratio_compare_int64(&radius, gap) >= 0)
            gap++;
        /* Two good candidates and three that lose one step too much. */
        const int64_t scores[] = {0, 0, 0, gap, gap};
        REQUIRE(choices_law(m, scores, 5, 128, &law));
        const int64_t either[][2] = {{3, 4}, {4, 3}};
        for (int j = 0; j < 2; j++) {
            outcomes_mass(&law, either[j], &rest);
            sc_ball_add(&good, &good, &rest, 128);
        }
        sc_ball_set_ratio(&rest, &beta, 128);
        CHECK(sc_ball_is_less_equal(&rest, &good));
        sc_outcomes_clear(&law);
        sc_ball_clear(&rest);
        sc_ball_clear(&good);
        sc_ratio_clear(&beta);
        sc_ratio_clear(&radius);
        scrim_measurement_free(m);
    }
}
