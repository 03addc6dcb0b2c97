#include "check.h"
#include "faults.h"
#include "query/plan/division.h"

#include <math.h>

#define PARTS_MAX 12

static uint64_t found[PARTS_MAX], ratios[PARTS_MAX];

static bool find(const sc_split_problem *p)
{
    uint64_t sum = 0;
    if (!CHECK_STATUS(sc_split_find(p, found, ratios, NULL), SCRIM_OK))
        return false;
    for (size_t i = 0; i < p->part_count; i++) {
        CHECK(found[i] >= 1);
        sum += found[i];
    }
    return CHECK_INT(sum, sc_split_units(p->part_count));
}

TEST(split_shares_nothing_equally)
{
    CLAIM("split.whole");
    CLAIM("split.fair");
    /* Weights say nothing about outputs of one part. */
    const sc_split_output outputs[] = {
        {.sum = SC_SPLIT_ADDED, .terms = {{0, 1}}, .count = 1},
        {.sum = SC_SPLIT_ADDED, .terms = {{1, 1000000}}, .count = 1},
        {.sum = SC_SPLIT_INDEPENDENT, .terms = {{2, (sc_uint128)1 << 100}}, .count = 1}};
    for (int law = SC_SPLIT_BY_SHARE; law <= SC_SPLIT_BY_ROOT; law++) {
        const sc_split_problem p = {.law = (sc_split_law)law,
                                    .part_count = 3,
                                    .outputs = outputs,
                                    .output_count = 3};
        if (find(&p))
            for (size_t i = 0; i < 3; i++) {
                CHECK(found[i] == 333 || found[i] == 334);
                CHECK_NEAR((double)ratios[i] / (1 << 20), law == 1 ? 3 : sqrt(3), 0.01);
            }
    }
}

TEST(split_of_one_output_is_the_best_one)
{
    CLAIM("split.fair");
    /* a / s + b / (1 - s) is smallest at s = sqrt(a) / (sqrt(a) + sqrt(b)); with roots and squares
     * the powers are others. */
    static const struct {
        sc_split_law law;
        sc_split_sum sum;
        double power;
    } cases[] = {{SC_SPLIT_BY_SHARE, SC_SPLIT_ADDED, 1.0 / 2},
                 {SC_SPLIT_BY_SHARE, SC_SPLIT_INDEPENDENT, 2.0 / 3},
                 {SC_SPLIT_BY_ROOT, SC_SPLIT_ADDED, 2.0 / 3},
                 {SC_SPLIT_BY_ROOT, SC_SPLIT_INDEPENDENT, 1}};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (unsigned b = 1; b <= 64; b *= 4) {
            const sc_split_output output = {.sum = cases[i].sum,
                                            .terms = {{0, 3}, {1, (sc_uint128)3 * b}},
                                            .count = 2};
            const sc_split_problem p = {.law = cases[i].law,
                                        .part_count = 2,
                                        .outputs = &output,
                                        .output_count = 1};
            const double second = pow(b, cases[i].power);
            if (find(&p)) {
                CHECK_NEAR((double)found[1], 1000 * second / (1 + second), 0.01);
                CHECK_INT(ratios[0], 1 << 20);
            }
        }
}

/* The largest ratio by another road: doubles, and every division in steps of 1/50. */
static double worst_ratio(const sc_split_problem *p, const double *shares,
                          const double *alone)
{
    double worst = 0;
    for (size_t i = 0; i < p->output_count; i++) {
        const sc_split_output *o = &p->outputs[i];
        double sum = 0;
        for (size_t j = 0; j < o->count; j++) {
            const double share = shares[o->terms[j].part];
            const double e = (double)o->terms[j].weight /
                             (p->law == SC_SPLIT_BY_SHARE ? share : sqrt(share));
            sum += o->sum == SC_SPLIT_ADDED ? e : e * e;
        }
        sum = o->sum == SC_SPLIT_ADDED ? sum : sqrt(sum);
        const double ratio = alone == NULL ? sum : sum / alone[i];
        worst = ratio > worst ? ratio : worst;
    }
    return worst;
}

#define STEPS 50
static double best_by_steps(const sc_split_problem *p, const double *alone)
{
    double best = HUGE_VAL;
    for (int a = 1; a < STEPS; a++)
        for (int b = 1; a + b < STEPS; b++) {
            const double shares[3] = {(double)a / STEPS, (double)b / STEPS,
                                      (double)(STEPS - a - b) / STEPS};
            const double got = worst_ratio(p, shares, alone);
            best = got < best ? got : best;
        }
    return best;
}

SLOW_TEST(split_of_shared_parts_is_near_the_best_one)
{
    CLAIM("split.fair");
    uint64_t seed = 12345;
    const uint64_t count = check_count(30, 3000);
    for (uint64_t round = 0; round < count; round++) {
        sc_split_output outputs[3];
        double alone[3];
        for (size_t i = 0; i < 3; i++) {
            outputs[i] =
                (sc_split_output){.sum = i == 2 ? SC_SPLIT_ADDED : SC_SPLIT_INDEPENDENT};
            for (size_t part = 0; part < 3; part++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                const uint64_t weight = (seed >> 33) % 100;
                if (weight > 40 || part == i)
                    outputs[i].terms[outputs[i].count++] =
                        (sc_split_term){part, weight + 1};
            }
        }
        const sc_split_problem p = {.law =
                                        round % 2 ? SC_SPLIT_BY_SHARE : SC_SPLIT_BY_ROOT,
                                    .part_count = 3,
                                    .outputs = outputs,
                                    .output_count = 3};
        for (size_t i = 0; i < 3; i++) {
            const sc_split_problem one = {
                .law = p.law, .part_count = 3, .outputs = &outputs[i], .output_count = 1};
            uint64_t unused;
            CHECK_STATUS(sc_split_find(&one, found, &unused, NULL), SCRIM_OK);
            double shares[3];
            for (size_t j = 0; j < 3; j++)
                shares[j] = (double)found[j] / 1000;
            alone[i] = worst_ratio(&one, shares, NULL);
        }
        if (!find(&p))
            return;
        double shares[3], largest = 0;
        for (size_t i = 0; i < 3; i++) {
            shares[i] = (double)found[i] / 1000;
            const double r = (double)ratios[i] / (1 << 20);
            largest = r > largest ? r : largest;
        }
        const double got = worst_ratio(&p, shares, alone),
                     best = best_by_steps(&p, alone);
        CHECK_NEAR(got, largest, 0.02);
        if (!CHECK(got <= 1.03 * best))
            CHECK_FAIL("round %llu: %g, but %g can be had", (unsigned long long)round,
                       got, best);
    }
}

TEST(split_of_many_parts_adds_up)
{
    CLAIM("split.whole");
    enum { MANY = 300 };
    static sc_split_output outputs[MANY];
    static uint64_t shares[MANY], all[MANY];
    for (size_t i = 0; i < MANY; i++)
        outputs[i] =
            (sc_split_output){.sum = SC_SPLIT_ADDED, .terms = {{i, i + 1}}, .count = 1};
    const sc_split_problem p = {.law = SC_SPLIT_BY_SHARE,
                                .part_count = MANY,
                                .outputs = outputs,
                                .output_count = MANY};
    REQUIRE_OK(sc_split_find(&p, shares, all, NULL));
    for (size_t i = 0; i < MANY; i++)
        CHECK_INT(shares[i], 10);
    CHECK_INT(sc_split_units(MANY), 3000);
    CHECK_INT(sc_split_units(100), 1000);
}

TEST(split_without_memory)
{
    const sc_split_output output = {.sum = SC_SPLIT_ADDED, .terms = {{0, 1}}, .count = 1};
    const sc_split_problem p = {
        .law = SC_SPLIT_BY_SHARE, .part_count = 1, .outputs = &output, .output_count = 1};
    FAULT_LOOP(fault)
    {
        const scrim_status status = sc_split_find(&p, found, ratios, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
}
