/* The plain road of the exponential mechanism, enumerated on uniform integers and coins of
 * exp(-x): its code, compiled again on the oracle's primitives. Of two candidates, since every
 * further one multiplies the paths of a loop that rejects. */
#include "bracket.h"
#include "check.h"
#include "mechanism/selection/by_weight.h"
#include "mechanism/selection/exponential.h"
#include "mechanism/selection/scores.h"
#include "oracle.h"
#include "sampling/law.h"
#include "sampling/uniform.h"

/* exp(-g) as a branch; a sure coin has one side. */
static scrim_status coin(sc_bits *bits, const sc_fraction *g, bool *out,
                         scrim_error *error)
{
    sc_ball side[2];
    sc_ratio scale;
    uint64_t tails = 0;
    scrim_status status = SCRIM_OK;
    (void)bits;
    (void)error;
    sc_ball_init(&side[0]);
    sc_ball_init(&side[1]);
    sc_ratio_init(&scale);
    if (g->n64 > 0) {
        sc_ratio_set_fraction(&scale, &g->d, &g->n);
        sc_decay(&scale, 1, 256, &side[0]);
        sc_decay_rest(&scale, 1, 256, &side[1]);
        status = oracle_choose(side, 2, &tails);
    }
    *out = tails == 0;
    sc_ratio_clear(&scale);
    sc_ball_clear(&side[1]);
    sc_ball_clear(&side[0]);
    return status;
}

/* clang-format off: the order of what follows is the point */
#define sc_uniform_64 oracle_uniform_64
#define sc_scores_coin coin
#define sc_exponential_probabilities trial_exponential_probabilities
#define sc_exponential_choose trial_exponential_choose
#define sc_exponential_reference trial_exponential_reference
#define sc_exponential_choice trial_exponential_choice
#define sc_exponential trial_exponential_mechanism
extern const sc_choice trial_exponential_choice;
extern const sc_mechanism trial_exponential_mechanism;
scrim_status trial_exponential_choose(const sc_scores *state, sc_bits *bits,
                                      const int64_t *scores, size_t count, size_t *out,
                                      scrim_error *error);
scrim_status trial_exponential_reference(sc_bits *bits, const sc_fraction *g,
                                         size_t count, size_t *out, scrim_error *error);
scrim_status trial_exponential_probabilities(const sc_scores *state,
                                             const int64_t *scores, size_t count,
                                             long bits, sc_ball *out, scrim_error *error);
/* The code under test, on other primitives. */
#include "mechanism/selection/exponential.c" /* NOLINT(bugprone-suspicious-include): as said above */
/* The law is that of the library. */
#undef sc_exponential_probabilities
/* clang-format on */

#define CUTOFF 46

static scrim_status run(void *context, bool *decided, int64_t *outcome,
                        scrim_error *error)
{
    size_t index = 0;
    scrim_status status = trial_exponential_reference(NULL, context, 2, &index, error);
    *decided = true;
    *outcome = (int64_t)index;
    return status;
}

TEST(enumerate_exponential)
{
    CLAIM("exponential.exact");
    const int64_t gaps[] = {0, 1, 2, 7, 30};
    sc_ratio rate, exponent;
    sc_ratio_init(&rate);
    sc_ratio_init(&exponent);
    sc_ratio_set_int64(&rate, 1);
    sc_ratio_set_int64(&exponent, 3);
    sc_ratio_div(&rate, &rate, &exponent);
    for (size_t c = 0; c < sizeof gaps / sizeof *gaps; c++) {
        const int64_t scores[] = {-gaps[c], 0};
        sc_fraction g[2];
        sc_ball *exact = sc_balls_new(2);
        for (size_t i = 0; i < 2; i++) {
            sc_ratio_set_int64(&exponent, -scores[i]);
            sc_ratio_mul(&exponent, &exponent, &rate);
            sc_fraction_init(&g[i], &exponent);
        }
        oracle_tree *tree = oracle_explore(run, g, CUTOFF);
        CHECK_STATUS(sc_exponential_probabilities(&(sc_scores){.rate = rate}, scores, 2,
                                                  192, exact, NULL),
                     SCRIM_OK);
        for (int64_t i = 0; i < 2; i++)
            bracket_probability(tree, i, &exact[i], "the exponential mechanism");
        oracle_free(tree);
        sc_balls_free(exact, 2);
        sc_fraction_clear(&g[0]);
        sc_fraction_clear(&g[1]);
    }
    sc_ratio_clear(&exponent);
    sc_ratio_clear(&rate);
}
