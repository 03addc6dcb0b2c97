#include "check.h"
#include "lab/experiment/survey_bounds.h"

#include <math.h>
#include <string.h>

/* P(X > n (p + e)) of n coins, term by term. */
static double coins_above(int n, double p, double e)
{
    double sum = 0;
    for (int k = 0; k <= n; k++)
        if (k > n * (p + e) + 1e-9)
            sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
                       (n - k) * log(1 - p));
    return sum;
}

static const lab_tail_bound *bound_of(const lab_tail_bounds *bounds, const char *name,
                                      const char *side)
{
    for (size_t i = 0; i < bounds->count; i++)
        if (strcmp(bounds->list[i].name, name) == 0 &&
            strcmp(bounds->list[i].side, side) == 0)
            return &bounds->list[i];
    return NULL;
}

/* Erratum 39's example: the printed bound is 1.1e-29, and 0.0794 is true. */
TEST(tail_bounds_of_erratum_39)
{
    CLAIM("tail-bounds.valid");
    lab_tail_bounds b;
    REQUIRE_OK(lab_tail_bounds_of("terms=100 mean=1/100 deviation=1/100", &b, NULL));
    CHECK_NEAR(bound_of(&b, "exact", "above")->probability, 0.079373202252180336, 1e-15);
    CHECK_NEAR(bound_of(&b, "chernoff-multiplicative", "above")->probability,
               exp(-1.0 / 3), 1e-9);
    CHECK_NEAR(bound_of(&b, "chernoff-multiplicative", "below")->probability, exp(-0.5),
               1e-9);
    CHECK_NEAR(bound_of(&b, "hoeffding", "both")->probability, 1, 1e-15);
    CHECK_NEAR(bound_of(&b, "chernoff-additive", "above")->probability, exp(-0.02), 1e-9);
}

TEST(tail_bounds_are_above_the_truth)
{
    CLAIM("tail-bounds.valid");
    static const struct {
        const char *line;
        int n;
        double p, e;
    } rows[] = {{"terms=20 mean=1/2 deviation=1/5", 20, 0.5, 0.2},
                {"terms=50 mean=3/10 deviation=1/10", 50, 0.3, 0.1},
                {"terms=50 mean=6 width=20 deviation=2", 50, 0.3, 0.1},
                {"terms=400 mean=9/10 deviation=1/20", 400, 0.9, 0.05},
                {"terms=7 mean=1/10 deviation=1/2", 7, 0.1, 0.5},
                {"terms=7 mean=9/10 deviation=1/2", 7, 0.9, 0.5}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        lab_tail_bounds b;
        REQUIRE_OK(lab_tail_bounds_of(rows[i].line, &b, NULL));
        const double above = coins_above(rows[i].n, rows[i].p, rows[i].e);
        const double below = coins_above(rows[i].n, 1 - rows[i].p, rows[i].e);
        CHECK_NEAR(bound_of(&b, "exact", "above")->probability, above, 1e-12);
        CHECK_NEAR(bound_of(&b, "exact", "below")->probability, below, 1e-12);
        for (size_t k = 0; k < b.count; k++) {
            const lab_tail_bound *row = &b.list[k];
            const double truth = strcmp(row->side, "above") == 0   ? above
                                 : strcmp(row->side, "below") == 0 ? below
                                                                   : above + below;
            CHECK(!row->is_known || row->probability >= truth * (1 - 1e-9));
        }
    }
}

/* The deviation of a probability: the bound there is that probability, and the exact one is exceeded
 * with no more than it, and with more if the deviation is a term less. */
TEST(tail_bounds_find_a_deviation)
{
    CLAIM("tail-bounds.valid");
    lab_tail_bounds b;
    REQUIRE_OK(lab_tail_bounds_of("terms=100 mean=3/10 probability=0.01", &b, NULL));
    CHECK(b.finds_deviation);
    CHECK_NEAR(bound_of(&b, "chernoff-additive", "above")->deviation,
               sqrt(log(100) / 200), 1e-9);
    CHECK_NEAR(bound_of(&b, "hoeffding", "both")->deviation, sqrt(log(200) / 200), 1e-9);
    CHECK_NEAR(bound_of(&b, "chernoff-multiplicative", "below")->deviation,
               sqrt(2 * log(100) * 0.3 / 100), 1e-9);
    const double exact = bound_of(&b, "exact", "above")->deviation;
    CHECK(coins_above(100, 0.3, exact) <= 0.01);
    CHECK(coins_above(100, 0.3, exact - 0.01) > 0.01);
    CHECK(bound_of(&b, "chernoff", "above")->deviation >= exact);
    CHECK(bound_of(&b, "chernoff", "above")->deviation <=
          bound_of(&b, "chernoff-additive", "above")->deviation);
}

TEST(tail_bounds_refuse_what_is_no_question)
{
    CLAIM("tail-bounds.valid");
    lab_tail_bounds b;
    static const char *const lines[] = {"terms=0 mean=1/2 deviation=1/4",
                                        "terms=9 mean=1 deviation=1/4",
                                        "terms=9 mean=1/2",
                                        "terms=9 mean=1/2 deviation=1/4 probability=1/2",
                                        "terms=9 mean=1/2 probability=1",
                                        "terms=9 mean=1/2 deviation=0"};
    for (size_t i = 0; i < COUNT(lines); i++)
        CHECK_STATUS(lab_tail_bounds_of(lines[i], &b, NULL), SCRIM_E_PARAM);
}

/* Discrete Laplace noise of scale 1 is beyond 3 with probability 0.0268; randomised response is within
 * Hoeffding's bound. */
TEST(central_error_beside_local_error)
{
    lab_trust t;
    REQUIRE_OK(lab_trust_of("epsilon=1", &t, NULL));
    for (size_t i = 0; i < LAB_TRUST_ROWS; i++) {
        const double n = pow(10, (double)i + 1);
        CHECK_NEAR((double)t.rows[i].people, n, 1e-9);
        CHECK_NEAR(t.rows[i].central, 3 / n, 1e-9);
        CHECK(t.rows[i].local <= t.rows[i].local_printed * (1 + 1e-6) || n < 100);
        CHECK_NEAR(t.rows[i].central_printed, log(20) / n, 1e-9);
    }
    CHECK_NEAR(t.rows[4].local_printed, (exp(1) + 1) / (exp(1) - 1) * sqrt(log(40) / 2e5),
               1e-12);
    CHECK_STATUS(lab_trust_of("epsilon=0", &t, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_trust_of("epsilon=1 confidence=1", &t, NULL), SCRIM_E_PARAM);
}

/* All 2^3 ways in which three transactions of 5 items lose a set of 2: each keeps it with 3 of 10. */
TEST(truncation_by_all_ways)
{
    CLAIM("truncation.exact");
    lab_truncation t;
    REQUIRE_OK(
        lab_truncation_of("size=2 keep=3 lengths=5:3,2:4 gamma=0.1,0.4,1", &t, NULL));
    CHECK_INT(t.transactions, 7);
    CHECK_NEAR(t.kept, (4 + 3 * 0.3) / 7, 1e-12);
    CHECK_INT(t.moved_before, 10);
    CHECK_INT(t.moved_after, 3);
    for (size_t i = 0; i < t.count; i++) {
        double far = 0;
        for (unsigned kept = 0; kept < 8; kept++) {
            double chance = 1;
            for (unsigned j = 0; j < 3; j++)
                chance *= (kept >> j & 1) != 0 ? 0.3 : 0.7;
            if (4 + __builtin_popcount(kept) < 7 * exp(-t.rows[i].gamma))
                far += chance;
        }
        CHECK_NEAR(t.rows[i].beta, far, 1e-12);
    }
    REQUIRE_OK(lab_truncation_of("size=2 keep=5 lengths=5:3,2:4 gamma=0", &t, NULL));
    CHECK_NEAR(t.rows[0].beta, 0, 0);
}

/* Four transactions of 4 items of which 2 are kept: one item survives with 1/2, and the count is doubled. */
TEST(truncation_with_a_scale)
{
    CLAIM("truncation.exact");
    lab_truncation t;
    REQUIRE_OK(
        lab_truncation_of("size=1 keep=2 lengths=4:4 gamma=0.5 scale=yes", &t, NULL));
    CHECK_NEAR(t.scale, 2, 1e-12);
    /* Only the counts 4 and 6 of 0, 2, 4, 6, 8 lie between 4 e^-0.5 and 4 e^0.5. */
    CHECK_NEAR(t.rows[0].beta, 1 - (6 + 4) / 16.0, 1e-12);
    CHECK_STATUS(lab_truncation_of("size=3 keep=2 lengths=4:4", &t, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_truncation_of("size=3 keep=3 lengths=2:4", &t, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_truncation_of("size=1 keep=3 lengths=2:0", &t, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_truncation_of("size=1 keep=3 lengths=2;4", &t, NULL), SCRIM_E_PARAM);
}
