#include "experiment/competitor_law.h"

#include "base/memory.h"
#include "base/status.h"
#include "experiment/value_stability.h"

#include <math.h>
#include <string.h>

/* Noise on one bar. */

long double sc_bar_at_most(const sc_competitors *c, sc_competitor kind, int64_t count,
                           int64_t shown)
{
    if (shown < 0)
        return 0;
    if (count == 0)
        return 1;
    if (kind == SC_COMPETITOR_STLAP)
        return sc_one_sided_at_most(&c->noise, shown - count);
    if (kind == SC_COMPETITOR_ESA)
        return sc_two_sided_at_most(&c->noise, shown - count + c->shift);
    return sc_two_sided_at_most(
        &c->noise, (shown < c->threshold ? c->threshold - 1 : shown) - count);
}

static long double bar_is(const sc_competitors *c, sc_competitor kind, int64_t count,
                          int64_t shown)
{
    if (shown == 0 || count == 0)
        return shown == 0 ? sc_bar_at_most(c, kind, count, 0) : 0;
    if (kind == SC_COMPETITOR_STLAP)
        return sc_one_sided_is(&c->noise, shown - count);
    if (kind == SC_COMPETITOR_ESA)
        return sc_two_sided_is(&c->noise, shown - count + c->shift);
    return shown < c->threshold ? 0 : sc_two_sided_is(&c->noise, shown - count);
}

/* max_k of released bars: v when v has k and none above it. */
static void law_of_max(const sc_competitors *c, sc_competitor kind, const sc_scene *scene,
                       long double *law)
{
    long double none_above = 1;
    for (size_t v = scene->x->bars; v > 0; v--) {
        const int64_t count = scene->x->at[v], k = scene->f->k;
        /* P(>= k), of a tail by its own sum: by symmetry a sum from below. */
        long double reaches = 1 - sc_bar_at_most(c, kind, count, k - 1);
        if (count > 0 && kind == SC_COMPETITOR_STLAP)
            reaches = sc_one_sided_at_most(&c->noise, -c->q - (k - count));
        else if (count > 0) {
            const int64_t least = kind == SC_COMPETITOR_ESA ? k + c->shift
                                  : k < c->threshold        ? c->threshold
                                                            : k;
            reaches = sc_two_sided_at_most(&c->noise, count - least);
        }
        law[v] = reaches * none_above;
        none_above *= sc_bar_at_most(c, kind, count, k - 1);
    }
    law[0] = none_above;
}

/* The mode of released bars, over its height: the bars before it are lower, those behind it no
 * higher. Masses below e^-60 beyond the highest bar are left out. */
typedef struct mode_tables {
    long double below[SC_HEIGHTS_MAX + 2];   /* product over i < v of P(< height) */
    long double no_more[SC_HEIGHTS_MAX + 2]; /* product over i > v of P(<= height) */
} mode_tables;

static void add_height(const sc_competitors *c, sc_competitor kind, const sc_scene *scene,
                       int64_t height, mode_tables *t, long double *law)
{
    const sc_heights *x = scene->x;
    long double least = 0, most = 0;
    t->below[1] = 1;
    for (size_t i = 1; i <= x->bars; i++) {
        /* Neighbouring bars are often of one height. */
        if (i == 1 || x->at[i] != x->at[i - 1])
            least = sc_bar_at_most(c, kind, x->at[i], height - 1);
        t->below[i + 1] = t->below[i] * least;
    }
    t->no_more[x->bars] = 1;
    for (size_t i = x->bars; i > 1; i--) {
        if (i == x->bars || x->at[i] != x->at[i + 1])
            most = sc_bar_at_most(c, kind, x->at[i], height);
        t->no_more[i - 1] = t->no_more[i] * most;
    }
    for (size_t v = 1; v <= x->bars; v++) {
        const long double others = t->below[v] * t->no_more[v];
        if (others > 0)
            law[v] += bar_is(c, kind, x->at[v], height) * others;
    }
}

static scrim_status law_of_mode(const sc_competitors *c, sc_competitor kind,
                                const sc_scene *scene, long double *law,
                                scrim_error *error)
{
    mode_tables *t = sc_allocate(1, sizeof *t);
    const int64_t tail =
        kind == SC_COMPETITOR_STLAP ? 0 : (int64_t)(60 * c->d / c->n) + 1;
    const int64_t end = sc_heights_most(scene->x) + tail;
    if (t == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the law of a mode");
    long double none = 1;
    for (size_t i = 1; i <= scene->x->bars; i++)
        none *= sc_bar_at_most(c, kind, scene->x->at[i], 0);
    law[0] = none;
    for (int64_t height = 1; height <= end; height++)
        add_height(c, kind, scene, height, t, law);
    sc_free(t);
    return SCRIM_OK;
}

/* Values with noise. */

static void law_of_exponential(const sc_competitors *c, const sc_scene *scene,
                               long double *law)
{
    long double total = 0;
    for (size_t y = 1; y <= scene->x->bars; y++) {
        law[y] = expl(-c->noise.epsilon * (long double)sc_scene_raw_error(scene, y) /
                      (long double)(2 * scene->x->bars));
        total += law[y];
    }
    for (size_t y = 1; y <= scene->x->bars; y++)
        law[y] /= total;
}

static void law_of_ptr(const sc_competitors *c, const sc_scene *scene, long double *law)
{
    const bool is_sure = scene->radius == SC_STABLE_FOR_EVER;
    const long double told =
        is_sure ? 1 : sc_two_sided_at_most(&c->noise, scene->radius - c->shift);
    for (size_t y = 1; y <= scene->x->bars; y++)
        law[y] = (1 - told) / (long double)scene->x->bars;
    law[scene->value] += told;
}

/* P(Laplace noise of scale 1 <= z). */
static long double real_at_most(long double z)
{
    return z < 0 ? expl(z) / 2 : 1 - expl(-z) / 2;
}

static void law_of_smooth(const sc_competitors *c, const sc_scene *scene,
                          long double *law)
{
    const long double scale = 2 / c->noise.epsilon *
                              (long double)sc_smooth_sensitivity(
                                  scene->jump_costs, scene->x->bars, c->smooth_decay);
    const size_t bars = scene->x->bars;
    long double before = 0;
    if (!(scale > 0)) { /* one bar: nothing can change */
        law[scene->value > 0 ? scene->value : 1] = 1;
        return;
    }
    for (size_t y = 1; y <= bars; y++) {
        const long double edge = (long double)y + 0.5L - (long double)scene->value;
        const long double upto = y == bars ? 1 : real_at_most(edge / scale);
        law[y] = upto - before;
        before = upto;
    }
}

bool sc_competitor_has_law(sc_competitor kind)
{
    return kind != SC_COMPETITOR_CHOOSING && kind < SC_COMPETITOR_KINDS;
}

scrim_status sc_competitor_law(const sc_competitors *c, sc_competitor kind,
                               const sc_scene *scene, long double law[SC_HEIGHTS_MAX + 1],
                               scrim_error *error)
{
    if (!sc_competitor_has_law(kind))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "the choice has no listed distribution here; draw from it");
    memset(law, 0, (SC_HEIGHTS_MAX + 1) * sizeof *law);
    if (kind == SC_COMPETITOR_EXPONENTIAL)
        law_of_exponential(c, scene, law);
    else if (kind == SC_COMPETITOR_PTR)
        law_of_ptr(c, scene, law);
    else if (kind == SC_COMPETITOR_SMOOTH)
        law_of_smooth(c, scene, law);
    else if (scene->f->is_mode)
        return law_of_mode(c, kind, scene, law, error);
    else
        law_of_max(c, kind, scene, law);
    return SCRIM_OK;
}

static void expect(const sc_scene *scene, const long double *law, bool is_flexible,
                   sc_expected_error *out)
{
    long double mean = 0, square = 0;
    for (size_t y = 0; y <= scene->x->bars; y++) {
        const long double error =
            is_flexible ? scene->flexible_errors[y] : sc_scene_raw_error(scene, y);
        mean += law[y] * error;
        square += law[y] * error * error;
    }
    out->mean = (double)mean;
    out->deviation = (double)sqrtl(fmaxl(square - mean * mean, 0));
}

void sc_expected_errors(const sc_scene *scene, const long double *law,
                        sc_expected_error *raw, sc_expected_error *flexible)
{
    expect(scene, law, false, raw);
    expect(scene, law, true, flexible);
}
