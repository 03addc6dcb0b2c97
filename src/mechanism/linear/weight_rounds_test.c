#include "mechanism/linear/weight_rounds.h"
#include "noise_checks.h"
#include "tape_release.h"

#include <math.h>
#include <stdlib.h>

#define TINY "mwem epsilon=2 bins=2 coefficients=1,0,0,1 total=2 rounds=2 neighbours="

static void law_of(const scrim_measurement *m, const int64_t *x, sc_outcomes *out)
{
    const sc_private_input input = {.values = x, .count = m->domain.count_max};
    sc_outcomes_init(out, m->mechanism->width(m, input.count));
    CHECK_STATUS(m->mechanism->law(m, &input, 128, out, NULL), SCRIM_OK);
}

/* The largest ratio of two laws, as a loss. */
static double loss_of(const sc_outcomes *a, const sc_outcomes *b)
{
    double worst = 0;
    for (size_t i = 0; i < a->count; i++) {
        const double by =
            fabs(log(sc_ball_upper(&a->mass[i]) / sc_ball_upper(&b->mass[i])));
        worst = by > worst ? by : worst;
    }
    return worst;
}

/* Every pair keeps epsilon; and some need more than the values alone, half of it. */
TEST(mwem_keeps_epsilon_on_all_small_tables)
{
    CLAIM("mwem.privacy");
    CLAIM("weight-queries.move");
    for (int relation = 0; relation < 2; relation++) {
        double worst = 0;
        scrim_measurement *m =
            noise_made(relation == 0 ? TINY "add-remove" : TINY "replace");
        REQUIRE(m != NULL);
        for (int64_t i = 0; i < 16; i++) {
            const int64_t x[] = {i / 4, i % 4};
            const int64_t y[] = {i / 4 + 1, relation == 0 ? i % 4 : i % 4 - 1};
            sc_outcomes a, b;
            if (y[1] < 0)
                continue;
            law_of(m, x, &a);
            law_of(m, y, &b);
            CHECK_INT(a.count, 36); /* two queries and three values, twice */
            REQUIRE(b.count == a.count);
            const double loss = loss_of(&a, &b);
            worst = loss > worst ? loss : worst;
            sc_outcomes_clear(&b);
            sc_outcomes_clear(&a);
        }
        CHECK(worst > 1.01 && worst < 2 + 1e-9);
        scrim_measurement_free(m);
    }
}

/* One round by hand: uniform weights answer 1 and 1 of 2; x = (2, 0) is off by 1 in both, so that either query is
 * selected with probability 1/2, and its value has noise of scale 2. */
TEST(mwem_has_the_law_that_it_states)
{
    CLAIM("mwem.exact");
    CLAIM("weight-queries.value");
    const int64_t x[] = {2, 0};
    sc_outcomes law;
    scrim_measurement *m = noise_made("mwem epsilon=1 bins=2 coefficients=1,0,0,1 "
                                      "total=2 rounds=1 neighbours=add-remove");
    REQUIRE(m != NULL);
    law_of(m, x, &law);
    CHECK_INT(law.count, 6);
    const double p = exp(-0.5), one = (1 - p) / (1 + p);
    const double below = p * p / (1 + p), here = one * p, above = 1 / (1 + p);
    const double want[] = {below, here, above, above, here, below};
    for (size_t i = 0; i < law.count && i < 6; i++) {
        CHECK_INT(law.keys[2 * i], (int64_t)i / 3);
        CHECK_INT(law.keys[2 * i + 1], (int64_t)i % 3);
        CHECK(fabs(sc_ball_upper(&law.mass[i]) - want[i] / 2) < 1e-12);
    }
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

/* The tables of the law, by what follows from each of its keys. */
enum { TABLES = 3 };

static void tables_of(const scrim_measurement *m, const sc_outcomes *law, double *out)
{
    for (size_t k = 0; k < law->count; k++) {
        const int64_t *key = &law->keys[law->width * k];
        const sc_weight_round rounds[] = {{(size_t)key[0], key[1]},
                                          {(size_t)key[2], key[3]}};
        int64_t counts[2];
        sc_weight_rounds_counts(m, rounds, 2, counts);
        REQUIRE(counts[0] >= 0 && counts[0] < TABLES);
        out[counts[0]] += sc_ball_upper(&law->mass[k]);
    }
}

/* By the whole road. Of 2 degrees of freedom 27.7 has probability 1e-6. */
TEST(mwem_draws_from_its_law)
{
    CLAIM("mwem.exact");
    const uint64_t runs = check_count(2000, 100000);
    const int64_t x[] = {2, 1};
    double want[TABLES] = {0}, chi = 0;
    uint64_t seen[TABLES] = {0};
    sc_tape *tape = NULL;
    sc_outcomes law;
    scrim_measurement *m = noise_made(TINY "add-remove");
    REQUIRE(m != NULL);
    law_of(m, x, &law);
    tables_of(m, &law, want);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = 0; i < runs; i++) {
        scrim_answer *answer = NULL;
        int64_t first = 0;
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = x, .count = 2}, tape,
                                &answer, NULL, NULL));
        CHECK(scrim_answer_integer(answer, 0, &first));
        REQUIRE(first >= 0 && first < TABLES);
        seen[first]++;
        scrim_answer_free(answer);
    }
    for (size_t i = 0; i < TABLES; i++) {
        const double mean = (double)runs * want[i];
        if (mean > 0)
            chi += ((double)seen[i] - mean) * ((double)seen[i] - mean) / mean;
        else
            CHECK_INT(seen[i], 0);
    }
    CHECK(chi < 27.7);
    sc_tape_free(tape);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

/* With hardly any noise all sums of neighbouring bins are found again. */
TEST(mwem_learns_what_it_measures)
{
    CLAIM("mwem.learns");
    const int64_t x[] = {100, 700, 50, 150};
    sc_tape *tape = NULL;
    scrim_answer *answer = NULL;
    scrim_measurement *m = noise_made("mwem epsilon=1000 bins=4 workload=ranges "
                                      "total=1000 rounds=16 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(tape_release(m, &(scrim_input){.integers = x, .count = 4}, tape, &answer,
                            NULL, NULL));
    for (size_t i = 0; i < 4; i++) {
        int64_t found = 0;
        CHECK(scrim_answer_integer(answer, i, &found));
        CHECK(llabs(found - x[i]) <= 10);
    }
    scrim_answer_free(answer);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* The bound of permute-and-flip, for each round at its part of beta; in rows. */
TEST(mwem_states_how_well_it_selects)
{
    CLAIM("mwem.accuracy");
    SC_OWN(sc_ratio, beta, want);
    sc_certificate c;
    scrim_measurement *m = noise_made("mwem epsilon=1 bins=3 workload=each total=100 "
                                      "rounds=5 grid=1/2 neighbours=replace");
    REQUIRE(m != NULL);
    sc_ratio_set_quotient(&beta, 1, 20);
    sc_certificate_init(&c);
    REQUIRE_OK(m->mechanism->certify(m, &beta, 3, &c, NULL));
    double w = 1;
    int64_t gap = 0;
    for (double miss = 1; miss > 0.01; gap++) {
        w = exp(-(double)(gap + 1) / 40); /* 1/10 over twice 2 steps */
        miss = 1 - (1 - pow(1 - w, 3)) / (3 * w);
    }
    sc_ratio_set_quotient(&want, gap - 1, 2);
    CHECK(sc_ratio_compare(&c.radius, &want) == 0);
    sc_certificate_clear(&c);
    scrim_measurement_free(m);
}

TEST(mwem_refuses_what_it_cannot_do)
{
    noise_refused("mwem epsilon=1 bins=2 coefficients=1,0 rounds=1 neighbours=replace",
                  SCRIM_E_PARAM, "total");
    noise_refused("mwem epsilon=1 bins=2 coefficients=1,0 total=1 neighbours=replace",
                  SCRIM_E_PARAM, "rounds");
    noise_refused("mwem epsilon=1 bins=2 coefficients=1,0 total=1 rounds=65 "
                  "neighbours=replace",
                  SCRIM_E_LIMIT, "rounds");
    noise_refused("mwem epsilon=1 bins=2 coefficients=1,0 total=1 rounds=1 grid=2/3 "
                  "neighbours=replace",
                  SCRIM_E_PARAM, "coefficients");
    noise_refused("mwem epsilon=1 bins=2 workload=each total=1 rounds=1 grid=1/2048 "
                  "neighbours=replace",
                  SCRIM_E_PARAM, "grid");
}
