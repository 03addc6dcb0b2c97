/* The four losses of shifted noise, on the road to every accountant. */
#include "bags.h"
#include "balls.h"
#include "composition/accountant/accountants.h"
#include "loss_truth.h"
#include "mechanism_lines.h"
#include "pair_delta.h"
#include "vectors.h"

#include <stdio.h>

#define FILE_NAME "flexible-accuracy"

/* The two laws side by side, outcome by outcome. */
static bool open_truth(loss_truth *truth, const char *epsilon, int64_t q)
{
    sc_law law;
    exact_law(&sc_shifted_laplace_law, epsilon, q, &law);
    truth->count = (size_t)q + 2;
    truth->p = sc_balls_new(truth->count);
    truth->q = sc_balls_new(truth->count);
    sc_ball_init(&truth->beyond);
    if (!CHECK(truth->p != NULL && truth->q != NULL))
        return false;
    for (int64_t k = -q; k <= 0; k++) {
        sc_law_pmf(&law, k, EXACT_BITS, &truth->q[k + q]);
        sc_law_pmf(&law, k, EXACT_BITS, &truth->p[k + q + 1]);
    }
    sc_law_clear(&law);
    return true;
}

TEST(loss_pair_of_shifted_noise_is_the_sum_over_outcomes)
{
    CLAIM("loss-pair.tails");
    static const char *const epsilons[] = {"-5",  "-1",  "-2/3", "-1/3", "0",
                                           "1/3", "1/2", "2/3",  "1",    "4"};
    static const int64_t qs[] = {1, 2, 3, 6, 9};
    for (size_t i = 0; i < 2 * COUNT(qs); i++) {
        const unsigned copies = 1 + i % 2;
        sc_loss_pair pair;
        sc_ratio epsilon;
        loss_truth truth;
        exact_ratio("1/3", &epsilon);
        sc_loss_pair_init(&pair);
        sc_loss_pair_set_shifted(&pair, &epsilon, (uint64_t)qs[i / 2], copies);
        REQUIRE(open_truth(&truth, "1/3", qs[i / 2]));
        for (size_t k = 0; k < COUNT(epsilons); k++) {
            sc_ratio at;
            sc_ball e, got, want;
            exact_ratio(epsilons[k], &at);
            sc_ball_init(&e);
            sc_ball_init(&got);
            sc_ball_init(&want);
            sc_ball_set_ratio(&e, &at, EXACT_BITS);
            loss_truth_delta(&truth, copies, &at, &want);
            pair_delta(&pair, &e, 200, &got);
            if (!CHECK(ball_overlaps(&got, &want) &&
                       sc_ball_upper(&got) - sc_ball_lower(&got) <=
                           1e-40 + 1e-15 * sc_ball_upper(&got)))
                CHECK_FAIL("q=%d, %u copies, at %s: %.17g, not %.17g", (int)qs[i / 2],
                           copies, epsilons[k], sc_ball_upper(&got),
                           sc_ball_upper(&want));
            sc_ball_clear(&want);
            sc_ball_clear(&got);
            sc_ball_clear(&e);
            sc_ratio_clear(&at);
        }
        loss_truth_close(&truth);
        sc_loss_pair_clear(&pair);
        sc_ratio_clear(&epsilon);
    }
}

/* Both ends of an accountant about a printed delta, and close to it. */
static void check_road(const char *name, const sc_bag *bag, const char *at,
                       const char *printed, double slack)
{
    sc_enclosure e;
    sc_enclosure_init(&e);
    const double want = strtod(printed, NULL);
    if (CHECK(bags_delta(sc_accountant_find(name), bag, at, &e)) && CHECK(e.has_lower)) {
        const double low = sc_ball_lower(&e.lower), high = sc_ball_upper(&e.upper);
        if (low > want * (1 + 1e-14) || high < want * (1 - 1e-14) ||
            high > want * (1 + slack) || low < want * (1 - slack))
            CHECK_FAIL("%s at %s: [%.17g, %.17g], not %s", name, at, low, high, printed);
    }
    sc_enclosure_clear(&e);
}

/* The measurement's cost, as a ledger and `scrim compose` get it. */
TEST(loss_of_stlap_composes_as_printed)
{
    CLAIM("loss.lattice");
    const json_t *rows = vectors_load(FILE_NAME, "composition"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 9);
    json_array_foreach(rows, i, row)
    {
        char line[96];
        sc_bag bag;
        snprintf(line, sizeof line, "epsilon=%s q=%llu", vectors_text(row, "eps"),
                 (unsigned long long)vectors_number(row, "q"));
        scrim_measurement *m = mechanism_model("stlap", line);
        REQUIRE(m != NULL);
        bags_open(&bag);
        REQUIRE_OK(sc_bag_add_cost(&bag, &m->cost, vectors_number(row, "K"), NULL));
        check_road("loss", &bag, vectors_text(row, "eps_prime"),
                   vectors_text(row, "delta"), 1e-12);
        check_road("fast-loss", &bag, vectors_text(row, "eps_prime"),
                   vectors_text(row, "delta"), 1e-4);
        bags_close(&bag);
        scrim_measurement_free(m);
    }
    rows = vectors_load(FILE_NAME, "substitution");
    json_array_foreach(rows, i, row)
    {
        char line[96];
        sc_bag bag;
        snprintf(line, sizeof line, "epsilon=%s q=%llu neighbours=replace",
                 vectors_text(row, "eps_substitution"),
                 (unsigned long long)vectors_number(row, "q"));
        scrim_measurement *m = mechanism_model("stlap", line);
        REQUIRE(m != NULL);
        sc_bag_init(&bag);
        REQUIRE_OK(sc_bag_add_cost(&bag, &m->cost, 1, NULL));
        check_road("loss", &bag, vectors_text(row, "eps_substitution"),
                   vectors_text(row, "delta_substitution"), 1e-12);
        sc_bag_clear(&bag);
        scrim_measurement_free(m);
    }
}
