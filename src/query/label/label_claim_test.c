#include "check.h"
#include "query/label/label_claim.h"

#include <string.h>

#define LAPLACE "laplace sensitivity=1 epsilon=1/2 neighbours=add-remove"
#define GAUSSIAN "gaussian sensitivity=1 rho=1/100 size=3 neighbours=add-remove"

static scrim_status claim_of(size_t count, const char *epsilon, const char *delta,
                             sc_label_claim *out, scrim_error *error)
{
    static const sc_claim_part parts[] = {{LAPLACE, 1}, {GAUSSIAN, 1}};
    return sc_claim_of(SCRIM_ADD_REMOVE, parts, count, epsilon, delta, "", out, error);
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
