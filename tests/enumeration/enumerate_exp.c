/* The coin of exp(-n/d), enumerated on Bernoulli trials of rational probability, in each width
 * of integers: the code of bernoulli_exp.c, compiled again on the oracle's trials. */
#include "bracket.h"
#include "check.h"
#include "oracle.h"
#include "pairs.h"
#include "sampling/bernoulli.h"
#include "sampling/threshold_table.h"

/* clang-format off: the order of what follows is the point */
#define sc_bernoulli_64 oracle_bernoulli_64
#define sc_bernoulli_128 oracle_bernoulli_128
#define sc_bernoulli_integer oracle_bernoulli_integer
#define sc_bernoulli_exp01_64 trial_exp01_64
#define sc_bernoulli_exp_64 trial_exp_64
#define sc_bernoulli_exp_128 trial_exp_128
#define sc_bernoulli_exp_integer trial_exp_integer
#define sc_bernoulli_exp01_integer trial_exp01_integer
#define sc_exp_coin_init trial_exp_coin_init
#define sc_exp_coin_clear trial_exp_coin_clear
#define sc_exp_coin_toss trial_exp_coin_toss
/* The code under test, on other primitives. */
#include "sampling/bernoulli_exp.c" /* NOLINT(bugprone-suspicious-include): as said above */
/* clang-format on */

typedef struct width {
    pair exponent;
    int bits; /* 64, 128, or 0 for big integers */
} width;

static scrim_status run_coin(void *context, bool *decided, int64_t *outcome,
                             scrim_error *error)
{
    const width *w = context;
    bool side = false;
    scrim_status status;
    if (w->bits == 64) {
        status = trial_exp_64(NULL, w->exponent.n, w->exponent.d, &side, error);
    } else if (w->bits == 128) {
        status = trial_exp_128(NULL, w->exponent.n, w->exponent.d, &side, error);
    } else {
        sc_integer n, d;
        sc_integer_init(&n);
        sc_integer_init(&d);
        sc_integer_set_uint128(&n, w->exponent.n);
        sc_integer_set_uint128(&d, w->exponent.d);
        status = trial_exp_integer(NULL, &n, &d, &side, error);
        sc_integer_clear(&n);
        sc_integer_clear(&d);
    }
    *decided = true;
    *outcome = side;
    return status;
}

TEST(enumerate_bernoulli_exp)
{
    CLAIM("bernoulli-exp.exact");
    size_t count = check_count(PAIRS_QUICK, PAIRS_EXPONENT);
    sc_ball exact, miss;
    sc_ball_init(&exact);
    sc_ball_init(&miss);
    for (size_t i = 0; i < count; i++)
        for (int bits = 0; bits <= 128; bits += 64) {
            width w = {pairs_exponent[i], bits};
            oracle_tree *tree = oracle_explore(run_coin, &w, 45);
            sc_ball_set_int128(&exact, w.exponent.n);
            sc_ball_set_int128(&miss, w.exponent.d);
            sc_ball_div(&exact, &exact, &miss, 192);
            sc_ball_neg(&exact, &exact);
            sc_ball_exp(&exact, &exact, 192);
            sc_ball_neg(&miss, &exact);
            sc_ball_add_int64(&miss, &miss, 1, 192);
            bracket_probability(tree, 1, &exact, "exp coin, heads");
            bracket_probability(tree, 0, &miss, "exp coin, tails");
            oracle_free(tree);
        }
    sc_ball_clear(&exact);
    sc_ball_clear(&miss);
}
