/* Shifted and truncated Laplace numbers, enumerated on cut geometric numbers and fair bits; and
 * clamped ones, on discrete Laplace numbers. */
#include "bracket.h"
#include "check.h"
#include "oracle.h"
#include "pairs.h"
#include "sampling/discrete_laplace.h"
#include "sampling/geometric.h"
#include "sampling/law.h"

static scrim_status oracle_cut(sc_bits *bits, const sc_fraction *scale, sc_int128 m,
                               sc_int128 *out, scrim_error *error);

static scrim_status oracle_laplace(sc_bits *bits, const sc_fraction *scale,
                                   sc_int128 *out, scrim_error *error);

/* clang-format off: the order of what follows is the point */
#define sc_cut_geometric_reference oracle_cut
#define sc_bits_take oracle_bits_take
#define sc_shifted_laplace_reference trial_shifted_laplace_reference
#define sc_truncated_laplace_reference trial_truncated_laplace_reference
#define sc_discrete_laplace_reference oracle_laplace
#define sc_clamped_laplace_reference trial_clamped_laplace_reference
/* The code under test, on other primitives. */
#include "sampling/bounded_laplace.c" /* NOLINT(bugprone-suspicious-include): as said above */
/* clang-format on */

#define CELLS_MAX 64

/* P(i) = exp(-i/scale) / sum, i = 0..m. */
static scrim_status oracle_cut(sc_bits *bits, const sc_fraction *scale, sc_int128 m,
                               sc_int128 *out, scrim_error *error)
{
    (void)bits;
    (void)error;
    sc_ball p[CELLS_MAX], sum;
    sc_ratio exact;
    sc_ratio_init(&exact);
    sc_ratio_set_fraction(&exact, &scale->n, &scale->d);
    sc_ball_init(&sum);
    sc_decay_sum(&exact, m, 0, 192, &sum);
    for (sc_int128 i = 0; i <= m; i++) {
        sc_ball_init(&p[i]);
        sc_decay(&exact, i, 192, &p[i]);
        sc_ball_div(&p[i], &p[i], &sum, 192);
    }
    uint64_t chosen = 0;
    scrim_status status = oracle_choose(p, (uint64_t)m + 1, &chosen);
    if (status == SCRIM_OK)
        *out = chosen;
    for (sc_int128 i = 0; i <= m; i++)
        sc_ball_clear(&p[i]);
    sc_ball_clear(&sum);
    sc_ratio_clear(&exact);
    return status;
}

/* The discrete Laplace law on -30..30, what lies beyond at the ends: every bound is below. */
static scrim_status oracle_laplace(sc_bits *bits, const sc_fraction *scale,
                                   sc_int128 *out, scrim_error *error)
{
    enum { FAR = 30 };
    sc_ball p[2 * FAR + 1];
    sc_ratio exact;
    sc_law law;
    (void)bits;
    (void)error;
    sc_ratio_init(&exact);
    sc_ratio_set_fraction(&exact, &scale->n, &scale->d);
    sc_law_init(&law, &sc_discrete_laplace_law, &exact, 0);
    for (int k = -FAR; k <= FAR; k++) {
        sc_ball_init(&p[k + FAR]);
        if (k == -FAR || k == FAR)
            sc_law_at_least(&law, FAR, 192, &p[k + FAR]);
        else
            sc_law_pmf(&law, k, 192, &p[k + FAR]);
    }
    uint64_t chosen = 0;
    scrim_status status = oracle_choose(p, 2 * FAR + 1, &chosen);
    if (status == SCRIM_OK)
        *out = (sc_int128)chosen - FAR;
    for (int k = 0; k <= 2 * FAR; k++)
        sc_ball_clear(&p[k]);
    sc_law_clear(&law);
    sc_ratio_clear(&exact);
    return status;
}

typedef enum form { SHIFTED, TRUNCATED, CLAMPED } form;

typedef struct trial {
    sc_fraction scale;
    sc_int128 bound;
    form form;
} trial;

static scrim_status run_bounded(void *context, bool *decided, int64_t *outcome,
                                scrim_error *error)
{
    const trial *t = context;
    sc_int128 value = 0;
    scrim_status status = SCRIM_OK;
    if (t->form == SHIFTED)
        status =
            trial_shifted_laplace_reference(NULL, &t->scale, t->bound, &value, error);
    else if (t->form == TRUNCATED)
        status =
            trial_truncated_laplace_reference(NULL, &t->scale, t->bound, &value, error);
    else
        status =
            trial_clamped_laplace_reference(NULL, &t->scale, t->bound, &value, error);
    *decided = true;
    *outcome = (int64_t)value;
    return status;
}

static void enumerate(pair scale, int64_t bound, form f)
{
    static const sc_law_functions *const laws[] = {
        &sc_shifted_laplace_law, &sc_truncated_laplace_law, &sc_clamped_laplace_law};
    static const char *const names[] = {"shifted", "truncated", "clamped"};
    trial t = {.bound = bound, .form = f};
    sc_ratio shape, other;
    sc_ratio_init(&shape);
    sc_ratio_init(&other);
    sc_ratio_set_int64(&shape, (int64_t)scale.n);
    sc_ratio_set_int64(&other, (int64_t)scale.d);
    sc_ratio_div(&shape, &shape, &other);
    sc_fraction_init(&t.scale, &shape);
    if (f == SHIFTED) { /* its shape is epsilon = 1/scale */
        sc_ratio_set_int64(&other, 1);
        sc_ratio_div(&shape, &other, &shape);
    }
    sc_law law;
    sc_law_init(&law, laws[f], &shape, bound);
    oracle_tree *tree = oracle_explore(run_bounded, &t, 48);
    bracket_law(tree, &law, -bound - 2, bound + 2, names[f]);
    oracle_free(tree);
    sc_law_clear(&law);
    sc_fraction_clear(&t.scale);
    sc_ratio_clear(&shape);
    sc_ratio_clear(&other);
}

SLOW_TEST(enumerate_shifted_laplace)
{
    CLAIM("shifted-laplace.exact");
    size_t count = check_count(PAIRS_QUICK, PAIRS_SCALE);
    const int64_t qs[] = {1, 2, 3, 4, 9, 14};
    for (size_t i = 0; i < count; i++)
        for (size_t q = 0; q < sizeof qs / sizeof *qs; q++)
            enumerate(pairs_scale[i], qs[q], SHIFTED);
}

SLOW_TEST(enumerate_truncated_laplace)
{
    CLAIM("truncated-laplace.exact");
    size_t count = check_count(PAIRS_QUICK, PAIRS_SCALE);
    const int64_t bounds[] = {1, 2, 5, 12};
    for (size_t i = 0; i < count; i += check_every(3))
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
            enumerate(pairs_scale[i], bounds[b], TRUNCATED);
}

SLOW_TEST(enumerate_clamped_laplace)
{
    CLAIM("clamped-laplace.exact");
    size_t count = check_count(PAIRS_QUICK, PAIRS_SCALE);
    const int64_t bounds[] = {1, 2, 5, 12};
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
            enumerate(pairs_scale[i], bounds[b], CLAMPED);
}
