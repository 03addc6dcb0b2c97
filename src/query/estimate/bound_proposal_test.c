#include "check.h"
#include "query/estimate/bound_proposal.h"

static int64_t end_of(size_t count, double p50, double p90, double p95, double p99,
                      bool is_row)
{
    const sc_proposal_points points = {{p50, p90, p95, p99}, count};
    sc_ratio epsilon;
    sc_proposal proposal = {.people = 3000, .keys = 1, .epsilon = &epsilon};
    sc_ratio_init(&epsilon);
    sc_ratio_set_int64(&epsilon, 1);
    sc_proposal_rows(&proposal, NULL, &sc_proposal_ones);
    const int64_t end =
        sc_proposal_end(&proposal, &points, is_row, (sc_value_step){1, 1}, SC_EXTENT_MAX);
    sc_ratio_clear(&epsilon);
    return end;
}

/* Quantiles that are all 0 say nothing of what lies beyond the last of them. */
TEST(proposal_needs_a_quantile_that_is_not_0)
{
    CHECK_INT(end_of(1, 0, 0, 0, 0, false), SC_PROPOSAL_NONE);
    CHECK_INT(end_of(3, 0, 0, 0, 0, false), SC_PROPOSAL_NONE);
    CHECK_INT(end_of(4, 0, 0, 0, 0, false), 0);
    CHECK(end_of(2, 0, 40, 0, 0, false) > 0);
}

TEST(proposal_stays_near_the_quantiles)
{
    const int64_t end = end_of(4, 20, 40, 50, 60, false),
                  alone = end_of(1, 20, 40, 50, 60, false);
    CHECK(end >= 50 && end <= 120);
    CHECK(alone >= 20 && alone <= 100);
}

/* What lies below 0 moves no upper end of values; of totals the signs are left out. */
TEST(proposal_of_values_looks_above_0_alone)
{
    const int64_t signed_end = end_of(4, -80, 16, 18, 20, true);
    CHECK(signed_end >= 10 && signed_end <= 40);
    CHECK_INT(end_of(4, -80, -80, -80, -80, true), 0);
    CHECK_INT(end_of(4, -20, -40, -50, -60, false), end_of(4, 20, 40, 50, 60, false));
}
