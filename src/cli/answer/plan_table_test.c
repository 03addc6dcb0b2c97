#include "check.h"
#include "cli/answer/plan_view.h"

#include <stdio.h>
#include <string.h>

static bool is_above(const char *cap, const char *cap_delta, uint64_t repeats)
{
    static scrim_dataset dataset;
    const scrim_plan_facts facts = {
        .repeats = repeats, .amount = "1/2", .amount_delta = "0.001"};
    memset(&dataset, 0, sizeof dataset);
    snprintf(dataset.cap, sizeof dataset.cap, "%s", cap);
    snprintf(dataset.cap_delta, sizeof dataset.cap_delta, "%s", cap_delta);
    return sc_plan_is_above_cap(&dataset, &facts);
}

/* A question that is answered from the ledger costs nothing, so no cap refuses it. */
TEST(plan_is_above_the_cap_of_what_is_charged)
{
    CHECK(is_above("0.4", "", 0) && is_above("", "0.0009", 0));
    CHECK(is_above("1", "0.0009", 0) && is_above("0.4", "1", 0));
    CHECK(!is_above("", "", 0) && !is_above("0.5", "0.001", 0));
    CHECK(!is_above("0.4", "0.0009", 3));
}
