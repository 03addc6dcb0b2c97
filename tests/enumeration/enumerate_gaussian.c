/* The acceptance of the discrete Gaussian, enumerated on coins of exp(-n/d) in each width of
 * integers. The proposal is the discrete Laplace law, enumerated one level below; the product of
 * the two, renormalised, must be the discrete Gaussian law. */
#include "bracket.h"
#include "check.h"
#include "oracle.h"
#include "pairs.h"
#include "sampling/discrete_laplace.h"

/* The loops over whole coins of exp(-1) are those of bernoulli_exp.c, enumerated in
 * enumerate_exp.c; here exp(-n/d) is the product of them in one toss for each whole and one for
 * the rest. */
static scrim_status oracle_exp(sc_uint128 n, sc_uint128 d, bool *out)
{
    scrim_status status = SCRIM_OK;
    bool pass = true;
    for (sc_uint128 whole = n / d; status == SCRIM_OK && pass && whole > 0; whole--)
        status = oracle_bernoulli_exp01_64(NULL, 1, 1, &pass, NULL);
    if (status == SCRIM_OK && pass)
        status = oracle_bernoulli_exp01_128(NULL, n % d, d, &pass, NULL);
    if (status == SCRIM_OK)
        *out = pass;
    return status;
}

static scrim_status oracle_exp_64(sc_bits *bits, uint64_t n, uint64_t d, bool *out,
                                  scrim_error *error)
{
    (void)bits;
    (void)error;
    return oracle_exp(n, d, out);
}

static scrim_status oracle_exp_128(sc_bits *bits, sc_uint128 n, sc_uint128 d, bool *out,
                                   scrim_error *error)
{
    (void)bits;
    (void)error;
    return oracle_exp(n, d, out);
}

static scrim_status oracle_exp_integer(sc_bits *bits, const sc_integer *n,
                                       const sc_integer *d, bool *out, scrim_error *error)
{
    sc_uint128 above = 0, below = 0;
    (void)bits;
    (void)error;
    if (!sc_integer_get_uint128(n, &above) || !sc_integer_get_uint128(d, &below))
        return SCRIM_E_INTERNAL;
    return oracle_exp(above, below, out);
}

/* clang-format off: the order of what follows is the point */
#define sc_bernoulli_exp_64 oracle_exp_64
#define sc_bernoulli_exp_128 oracle_exp_128
#define sc_bernoulli_exp_integer oracle_exp_integer
#define sc_gaussian_init trial_gaussian_init
#define sc_gaussian_clear trial_gaussian_clear
#define sc_discrete_gaussian_reference trial_gaussian_reference
#define sc_discrete_gaussian_reference_fill trial_gaussian_reference_fill
#define sc_discrete_gaussian_accept trial_gaussian_accept
/* The code under test, on other primitives. */
#include "sampling/discrete_gaussian.c" /* NOLINT(bugprone-suspicious-include): as said above */
/* clang-format on */

typedef struct trial {
    sc_gaussian gaussian;
    sc_int128 y;
} trial;

static scrim_status run_accept(void *context, bool *decided, int64_t *outcome,
                               scrim_error *error)
{
    const trial *t = context;
    bool side = false;
    scrim_status status = trial_gaussian_accept(NULL, &t->gaussian, t->y, &side, error);
    *decided = true;
    *outcome = side;
    return status;
}

/* laplace(y) accept(y) / gaussian(y) is the same for all y. */
static void enumerate(const sc_ratio *variance, unsigned bits)
{
    trial t;
    trial_gaussian_init(&t.gaussian, variance);
    if (bits < t.gaussian.width || bits == 0)
        t.gaussian.width = bits;
    else if (bits == 128 && t.gaussian.width == 64)
        t.gaussian.width = 128;
    sc_ratio scale;
    sc_ratio_init(&scale);
    sc_ratio_set_fraction(&scale, &t.gaussian.proposal.n, &t.gaussian.proposal.d);
    sc_law gaussian, laplace;
    sc_law_init(&gaussian, &sc_discrete_gaussian_law, variance, 0);
    sc_law_init(&laplace, &sc_discrete_laplace_law, &scale, 0);
    sc_ball factor, first, part, gap;
    sc_ball_init(&factor);
    sc_ball_init(&first);
    sc_ball_init(&part);
    sc_ball_init(&gap);
    sc_ball_set_int64(&gap, 1);
    sc_ball_mul_power2(&gap, &gap, -BRACKET_GAP);
    for (t.y = 0; t.y <= 24; t.y++) {
        oracle_tree *tree = oracle_explore(run_accept, &t, 120);
        oracle_mass(tree, 1, &factor);
        oracle_undecided(tree, &part);
        CHECK(sc_ball_is_less(&part, &gap));
        oracle_free(tree);
        sc_law_pmf(&laplace, t.y, 192, &part);
        sc_ball_mul(&factor, &factor, &part, 192);
        sc_law_pmf(&gaussian, t.y, 192, &part);
        if (!sc_ball_is_less(&gap, &part))
            break; /* outcomes below 2^-30 say nothing at this gap */
        sc_ball_div(&factor, &factor, &part, 192);
        if (t.y == 0)
            sc_ball_set(&first, &factor);
        sc_ball_div(&factor, &factor, &first, 192);
        sc_ball_add_int64(&factor, &factor, -1, 192);
        sc_ball_abs(&factor, &factor);
        if (!sc_ball_is_less(&factor, &gap))
            CHECK_FAIL("the acceptance of %d is not that of the law (width %u)", (int)t.y,
                       bits);
        if (bits == 64 && t.gaussian.width != 64)
            break;
    }
    sc_ball_clear(&factor);
    sc_ball_clear(&first);
    sc_ball_clear(&part);
    sc_ball_clear(&gap);
    sc_law_clear(&gaussian);
    sc_law_clear(&laplace);
    sc_ratio_clear(&scale);
    trial_gaussian_clear(&t.gaussian);
}

TEST(enumerate_discrete_gaussian)
{
    CLAIM("discrete-gaussian.exact");
    size_t count = check_count(PAIRS_QUICK, PAIRS_VARIANCE);
    for (size_t i = 0; i < count; i++) {
        sc_ratio variance, below;
        sc_ratio_init(&variance);
        sc_ratio_init(&below);
        sc_ratio_set_int64(&variance, (int64_t)pairs_variance[i].n);
        sc_ratio_set_int64(&below, (int64_t)pairs_variance[i].d);
        sc_ratio_div(&variance, &variance, &below);
        for (unsigned bits = 0; bits <= 128; bits += 64)
            enumerate(&variance, bits);
        sc_ratio_clear(&variance);
        sc_ratio_clear(&below);
    }
}
