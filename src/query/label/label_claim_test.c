#include "check.h"
#include "query/label/label_claim.h"

#include <string.h>

#define LAPLACE "laplace sensitivity=1 epsilon=1/2 neighbours=add-remove"
#define GAUSSIAN "gaussian sensitivity=1 rho=1/100 size=3 neighbours=add-remove"

static scrim_status claim_of(size_t count, const char *epsilon, const char *delta,
                             sc_label_claim *out, scrim_error *error)
{
    static const sc_claim_part parts[] = {{LAPLACE, 1}, {GAUSSIAN, 1}};
    return sc_claim_of(SCRIM_ADD_REMOVE, parts, count,
                       &(sc_claimed_cost){epsilon, delta, ""}, out, error);
}

TEST(claim_of_parts_is_what_they_cost)
{
    CLAIM("claim.recomputed");
    sc_label_claim claim;
    REQUIRE_OK(claim_of(1, "7", "0", &claim, NULL));
    CHECK_STR(claim.cost.epsilon, "0.5");
    CHECK_STR(claim.of_two.epsilon, "1");
    REQUIRE_OK(claim_of(2, "2", "1e-6", &claim, NULL));
    CHECK_STR(claim.cost.epsilon, "2");
    CHECK_STR(claim.cost.delta, "0.000001");
}

/* Something of epsilon and of delta must be left for the part that has a rho. */
TEST(claim_leaves_some_of_both_for_what_is_concentrated)
{
    CLAIM("claim.recomputed");
    static const char *const claimed[][2] = {
        {"2", "0"}, {"0.5", "1e-6"}, {"0.4", "1e-6"}};
    sc_label_claim claim;
    for (size_t i = 0; i < 3; i++) {
        scrim_error error = {.message = ""};
        CHECK_STATUS(claim_of(2, claimed[i][0], claimed[i][1], &claim, &error),
                     SCRIM_E_CHECK);
        CHECK(strstr(error.message, "they cost more") != NULL);
    }
}

static scrim_status total_of(size_t first, size_t count, const scrim_cost *total,
                             sc_label_claim *out)
{
    static const sc_claim_part parts[] = {{LAPLACE, 1}, {GAUSSIAN, 2}};
    return sc_claim_of_total(SCRIM_ADD_REMOVE, parts + first, count, total, out, NULL);
}

/* A total says what was charged, of which the parts may leave some. */
TEST(claim_of_a_total_is_what_was_charged)
{
    CLAIM("claim.recomputed");
    sc_label_claim claim;
    REQUIRE_OK(total_of(0, 1, &(scrim_cost){.epsilon = "0.5", .delta = "0"}, &claim));
    CHECK_STR(claim.cost.rho, "0.125");
    REQUIRE_OK(total_of(0, 1, &(scrim_cost){.epsilon = "1", .delta = "0", .rho = "0.01"},
                        &claim));
    CHECK_STR(claim.cost.epsilon, "1");
    CHECK_STR(claim.cost.rho, "0.5");
    CHECK_STR(claim.guess, "0.732");
    CHECK_STR(claim.of_two.epsilon, "2");
    REQUIRE_OK(total_of(0, 2, &(scrim_cost){.epsilon = "2", .delta = "1e-6"}, &claim));
    CHECK_STR(claim.cost.delta, "0.000001");
    CHECK_STR(claim.cost.rho, "");
    REQUIRE_OK(total_of(
        1, 1, &(scrim_cost){.epsilon = "2", .delta = "1e-6", .rho = "0.03"}, &claim));
    CHECK_STR(claim.cost.rho, "0.03");
    CHECK_STATUS(total_of(0, 1, &(scrim_cost){.epsilon = "0.4", .delta = "0"}, &claim),
                 SCRIM_E_CHECK);
    CHECK_STATUS(total_of(1, 1,
                          &(scrim_cost){.epsilon = "2", .delta = "1e-6", .rho = "0.019"},
                          &claim),
                 SCRIM_E_CHECK);
    CHECK_STATUS(total_of(1, 1,
                          &(scrim_cost){.epsilon = "0.1", .delta = "1e-6", .rho = "0.02"},
                          &claim),
                 SCRIM_E_CHECK);
    CHECK_STATUS(total_of(0, 2, &(scrim_cost){.epsilon = "0.5", .delta = "1e-6"}, &claim),
                 SCRIM_E_CHECK);
}
