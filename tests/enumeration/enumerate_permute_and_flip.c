/* Permute-and-flip, enumerated on coins of exp(-x) and uniform integers: both roads, compiled
 * again on the oracle's primitives, the fast one with blocks of two so that several are met. */
#include "base/memory.h"
#include "bracket.h"
#include "check.h"
#include "mechanism/selection/permute_and_flip.h"
#include "mechanism/selection/scores.h"
#include "oracle.h"
#include "sampling/law.h"
#include "sampling/uniform.h"

/* exp(-gap/scale) as a branch. */
static scrim_status branch(const sc_ratio *scale, uint64_t gap, bool *out)
{
    sc_ball side[2];
    uint64_t tails = 0;
    sc_ball_init(&side[0]);
    sc_ball_init(&side[1]);
    sc_decay(scale, gap, 256, &side[0]);
    sc_decay_rest(scale, gap, 256, &side[1]);
    /* A sure coin has one side. */
    scrim_status status = gap == 0 ? SCRIM_OK : oracle_choose(side, 2, &tails);
    *out = tails == 0;
    sc_ball_clear(&side[0]);
    sc_ball_clear(&side[1]);
    return status;
}

static scrim_status flip(sc_bits *bits, const sc_gap_weights *weights, int64_t top,
                         const int64_t *value, unsigned count, uint64_t *heads,
                         scrim_error *error)
{
    sc_ratio scale;
    scrim_status status = SCRIM_OK;
    (void)bits;
    (void)error;
    sc_ratio_init(&scale);
    sc_scores_scale(&weights->rate, &scale);
    *heads = 0;
    for (unsigned i = 0; status == SCRIM_OK && i < count; i++) {
        bool is_head = false;
        status = branch(&scale, (uint64_t)(top - value[i]), &is_head);
        *heads |= (uint64_t)is_head << i;
    }
    sc_ratio_clear(&scale);
    return status;
}

static scrim_status coin(sc_bits *bits, const sc_fraction *g, bool *out,
                         scrim_error *error)
{
    sc_ratio scale;
    (void)bits;
    (void)error;
    sc_ratio_init(&scale);
    if (g->n64 > 0)
        sc_ratio_set_fraction(&scale, &g->d, &g->n);
    scrim_status status = branch(&scale, g->n64 > 0, out);
    sc_ratio_clear(&scale);
    return status;
}

/* clang-format off: the order of what follows is the point */
#define BLOCK 2
#define sc_uniform_64 oracle_uniform_64
#define sc_uniform_fast oracle_uniform_64
#define sc_gap_weights_flip flip
#define sc_scores_coin coin
#define sc_permute_and_flip_probabilities trial_probabilities
#define sc_permute_and_flip_choose trial_choose
#define sc_permute_and_flip_reference trial_reference
#define sc_permute_and_flip_choice trial_choice
#define sc_permute_and_flip trial_mechanism
extern const sc_choice trial_choice;
extern const sc_mechanism trial_mechanism;
scrim_status trial_choose(const sc_scores *state, sc_bits *bits, const int64_t *scores,
                          size_t count, size_t *out, scrim_error *error);
scrim_status trial_reference(sc_bits *bits, const sc_fraction *g, size_t count,
                             uint64_t *order, size_t *out, scrim_error *error);
scrim_status trial_probabilities(const sc_scores *state, const int64_t *scores,
                                 size_t count, long bits, sc_ball *out,
                                 scrim_error *error);
/* The code under test, on other primitives. */
#include "mechanism/selection/permute_and_flip.c" /* NOLINT(bugprone-suspicious-include): as said above */
/* The law is that of the library. */
#undef sc_permute_and_flip_probabilities
/* clang-format on */

#define CUTOFF 60
#define COUNT_MAX 5

typedef struct trial {
    sc_gap_weights weights;
    sc_fraction g[COUNT_MAX];
    const int64_t *scores;
    size_t count;
} trial;

static scrim_status run_choose(void *context, bool *decided, int64_t *outcome,
                               scrim_error *error)
{
    trial *t = context;
    size_t index = 0;
    scrim_status status = trial_choose(&(sc_scores){.prepared = &t->weights}, NULL,
                                       t->scores, t->count, &index, error);
    *decided = true;
    *outcome = (int64_t)index;
    return status;
}

static scrim_status run_reference(void *context, bool *decided, int64_t *outcome,
                                  scrim_error *error)
{
    const trial *t = context;
    uint64_t order[COUNT_MAX];
    size_t index = 0;
    scrim_status status = trial_reference(NULL, t->g, t->count, order, &index, error);
    *decided = true;
    *outcome = (int64_t)index;
    return status;
}

static void enumerate(oracle_run *run, trial *t, const char *name)
{
    sc_ball *exact = sc_balls_new(t->count);
    oracle_tree *tree = oracle_explore(run, t, CUTOFF);
    CHECK_STATUS(sc_permute_and_flip_probabilities(&(sc_scores){.rate = t->weights.rate},
                                                   t->scores, t->count, 192, exact, NULL),
                 SCRIM_OK);
    for (size_t i = 0; i < t->count; i++)
        bracket_probability(tree, (int64_t)i, &exact[i], name);
    oracle_free(tree);
    sc_balls_free(exact, t->count);
}

TEST(enumerate_permute_and_flip)
{
    CLAIM("permute-and-flip.exact");
    static const struct {
        int64_t scores[COUNT_MAX];
        size_t count;
    } cases[] = {
        {{0, 0}, 2},
        {{0, -1}, 2},
        {{-2, 0, 0}, 3},
        {{-1, -3, 0}, 3},
        {{-9, -4, -1, 0}, 4},
        {{0, -1, -1, -2, -2}, 5},
        {{-3, -3, -3, 0}, 4},
        {{-7}, 1},
        {{-1, -1, -5, -2, -1}, 5},
    };
    static trial t;
    sc_ratio rate, exponent;
    sc_ratio_init(&rate);
    sc_ratio_init(&exponent);
    sc_ratio_set_int64(&rate, 1);
    sc_ratio_set_int64(&exponent, 3);
    sc_ratio_div(&rate, &rate, &exponent);
    REQUIRE_OK(sc_gap_weights_init(&t.weights, &rate, NULL));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        t.scores = cases[c].scores;
        t.count = cases[c].count;
        for (size_t i = 0; i < t.count; i++) {
            sc_ratio_set_int64(&exponent,
                               sc_scores_best(t.scores, t.count) - t.scores[i]);
            sc_ratio_mul(&exponent, &exponent, &rate);
            sc_fraction_init(&t.g[i], &exponent);
        }
        enumerate(run_choose, &t, "permute-and-flip, the fast road");
        enumerate(run_reference, &t, "permute-and-flip, the plain road");
        for (size_t i = 0; i < t.count; i++)
            sc_fraction_clear(&t.g[i]);
    }
    sc_gap_weights_clear(&t.weights);
    sc_ratio_clear(&exponent);
    sc_ratio_clear(&rate);
}
