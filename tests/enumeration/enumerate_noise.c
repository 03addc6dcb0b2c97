/* Geometric, discrete Laplace and cut geometric numbers, enumerated on uniform integers and coins
 * of exp(-n/d): the code of the samplers, compiled again on the oracle's primitives. */
#include "bracket.h"
#include "check.h"
#include "oracle.h"
#include "pairs.h"
#include "sampling/bernoulli.h"
#include "sampling/bernoulli_exp.h"

/* clang-format off: the order of what follows is the point */
#define sc_uniform_64 oracle_uniform_64
#define sc_uniform_integer oracle_uniform_integer
#define sc_bernoulli_exp01_64 oracle_bernoulli_exp01_64
#define sc_bernoulli_exp01_integer oracle_bernoulli_exp01_integer
#define sc_bits_take oracle_bits_take
#define sc_coin_run trial_coin_run
#define sc_coin_runs_init trial_coin_runs_init
#define sc_geometric_turn trial_geometric_turn
#define sc_geometric_reference trial_geometric_reference
#define sc_discrete_laplace_turn trial_laplace_turn
#define sc_discrete_laplace_reference trial_laplace_reference
#define sc_discrete_laplace_reference_fill trial_laplace_reference_fill
#define sc_cut_geometric_reference trial_cut_geometric_reference
/* The code under test, on other primitives. */
#include "sampling/coin_runs.c" /* NOLINT(bugprone-suspicious-include): as said above */
#include "sampling/discrete_laplace.c" /* NOLINT(bugprone-suspicious-include): as said above */
#include "sampling/geometric.c" /* NOLINT(bugprone-suspicious-include): as said above */
/* clang-format on */

#define CUTOFF 46

typedef struct trial {
    sc_fraction scale;
    bool in_words;
    uint64_t cells;
} trial;

static void trial_init(trial *t, pair scale)
{
    sc_integer n, d;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_set_uint128(&n, scale.n);
    sc_integer_set_uint128(&d, scale.d);
    sc_fraction_init_integers(&t->scale, &n, &d);
    sc_integer_clear(&n);
    sc_integer_clear(&d);
}

static void law_init(sc_law *law, const sc_law_functions *functions, pair scale,
                     sc_int128 bound)
{
    sc_ratio shape, below;
    sc_ratio_init(&shape);
    sc_ratio_init(&below);
    sc_ratio_set_int64(&shape, (int64_t)scale.n);
    sc_ratio_set_int64(&below, (int64_t)scale.d);
    sc_ratio_div(&shape, &shape, &below);
    sc_law_init(law, functions, &shape, bound);
    sc_ratio_clear(&shape);
    sc_ratio_clear(&below);
}

static scrim_status run_geometric(void *context, bool *decided, int64_t *outcome,
                                  scrim_error *error)
{
    const trial *t = context;
    if (t->in_words) {
        uint64_t value = 0;
        scrim_status status = trial_geometric_turn(NULL, t->scale.n64, t->scale.d64,
                                                   decided, &value, error);
        *outcome = (int64_t)value;
        return status;
    }
    sc_int128 value = 0;
    scrim_status status = turn_integer(NULL, &t->scale, decided, &value, error);
    *outcome = (int64_t)value;
    return status;
}

TEST(enumerate_geometric)
{
    CLAIM("geometric.exact");
    size_t count = check_count(PAIRS_QUICK, PAIRS_SCALE);
    for (size_t i = 0; i < count; i++)
        for (int words = 0; words < 2; words++) {
            trial t = {.in_words = words};
            sc_law law;
            trial_init(&t, pairs_scale[i]);
            law_init(&law, &sc_geometric_law, pairs_scale[i], 0);
            oracle_tree *tree = oracle_explore(run_geometric, &t, CUTOFF);
            bracket_law(tree, &law, 0, 60, "geometric");
            oracle_free(tree);
            sc_law_clear(&law);
            sc_fraction_clear(&t.scale);
        }
}

static scrim_status run_laplace(void *context, bool *decided, int64_t *outcome,
                                scrim_error *error)
{
    const trial *t = context;
    return trial_laplace_turn(NULL, t->scale.n64, t->scale.d64, decided, outcome, error);
}

TEST(enumerate_discrete_laplace)
{
    CLAIM("discrete-laplace.exact");
    size_t count = check_count(PAIRS_QUICK, PAIRS_SCALE);
    for (size_t i = 0; i < count; i++) {
        trial t;
        sc_law law;
        trial_init(&t, pairs_scale[i]);
        law_init(&law, &sc_discrete_laplace_law, pairs_scale[i], 0);
        oracle_tree *tree = oracle_explore(run_laplace, &t, CUTOFF);
        bracket_law(tree, &law, -60, 60, "discrete Laplace");
        oracle_free(tree);
        sc_law_clear(&law);
        sc_fraction_clear(&t.scale);
    }
}

static scrim_status run_cut(void *context, bool *decided, int64_t *outcome,
                            scrim_error *error)
{
    const trial *t = context;
    if (t->in_words) {
        uint64_t value = 0;
        scrim_status status = turn_small(NULL, t->scale.n64, t->scale.d64, t->cells,
                                         decided, &value, error);
        *outcome = (int64_t)value;
        return status;
    }
    sc_integer cells, limit, value, whole;
    sc_integer_init(&cells);
    sc_integer_init(&limit);
    sc_integer_init(&value);
    sc_integer_init(&whole);
    sc_integer_set_uint128(&cells, t->cells);
    sc_integer_mul(&limit, &cells, &t->scale.d);
    bool is_short = sc_integer_compare(&limit, &t->scale.n) < 0;
    scrim_status status =
        is_short ? turn_short(NULL, &t->scale, &cells, decided, &value, error)
                 : turn_long(NULL, &t->scale, &limit, decided, &value, error);
    sc_integer_divide(&whole, NULL, &value, &t->scale.d);
    sc_int128 i = 0;
    if (status == SCRIM_OK && *decided)
        CHECK(sc_integer_get_int128(is_short ? &value : &whole, &i));
    *outcome = (int64_t)i;
    sc_integer_clear(&cells);
    sc_integer_clear(&limit);
    sc_integer_clear(&value);
    sc_integer_clear(&whole);
    return status;
}

/* P(i) ~ exp(-i/scale) on 0..m is the law of the truncated Laplace number's magnitude, with half
 * of the mass at 0 twice; here the ratio of neighbours and the sum say it directly: it is the
 * geometric law, renormalised. */
static void check_cut(const trial *t, const oracle_tree *tree, const sc_law *geometric)
{
    sc_ball mass, decided, undecided, exact, whole, gap;
    sc_ball_init(&mass);
    sc_ball_init(&decided);
    sc_ball_init(&undecided);
    sc_ball_init(&exact);
    sc_ball_init(&whole);
    sc_ball_init(&gap);
    oracle_decided(tree, &decided);
    oracle_undecided(tree, &undecided);
    sc_law_at_most(geometric, (sc_int128)t->cells - 1, 192, &whole);
    sc_ball_set_int64(&gap, 1);
    sc_ball_mul_power2(&gap, &gap, -BRACKET_GAP);
    CHECK(sc_ball_is_less(&undecided, &gap));
    for (uint64_t i = 0; i < t->cells; i++) {
        oracle_mass(tree, (int64_t)i, &mass);
        sc_ball_div(&mass, &mass, &decided, 192);
        sc_law_pmf(geometric, i, 192, &exact);
        sc_ball_div(&exact, &exact, &whole, 192);
        sc_ball_sub(&mass, &mass, &exact, 192);
        sc_ball_abs(&mass, &mass);
        CHECK(sc_ball_is_less(&mass, &gap));
    }
    sc_ball_clear(&mass);
    sc_ball_clear(&decided);
    sc_ball_clear(&undecided);
    sc_ball_clear(&exact);
    sc_ball_clear(&whole);
    sc_ball_clear(&gap);
}

TEST(enumerate_cut_geometric)
{
    CLAIM("cut-geometric.exact");
    size_t count = check_count(PAIRS_QUICK, PAIRS_SCALE);
    const uint64_t cells[] = {1, 2, 3, 7, 20};
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
            for (int words = 0; words < 2; words++) {
                trial t = {.in_words = words, .cells = cells[c]};
                sc_law law;
                trial_init(&t, pairs_scale[i]);
                law_init(&law, &sc_geometric_law, pairs_scale[i], 0);
                oracle_tree *tree = oracle_explore(run_cut, &t, CUTOFF);
                check_cut(&t, tree, &law);
                oracle_free(tree);
                sc_law_clear(&law);
                sc_fraction_clear(&t.scale);
            }
}
