#include "experiment/competitors.h"
#include "experiment/experiment_data.h"
#include "experiment/value_stability.h"
#include "sampling/bernoulli_exp.h"
#include "sampling/distribution.h"

#include <math.h>
#include <string.h>

typedef struct trial {
    const sc_competitors *c;
    const sc_scene *scene;
    sc_bits *bits;
} trial;

static scrim_status draw_one(const trial *t, const scrim_distribution *noise,
                             int64_t *out, scrim_error *error)
{
    return sc_distribution_fill(noise, t->bits, 1, out, error);
}

/* Histograms that are released, and then asked. */

/* What a bar of so many, with so much noise, is shown as. */
typedef int64_t bar_rule(const sc_competitors *c, int64_t count, int64_t noise);

static int64_t cut_at_zero(const sc_competitors *c, int64_t count, int64_t noise)
{
    (void)c;
    return count + noise > 0 ? count + noise : 0;
}

static int64_t cut_at_threshold(const sc_competitors *c, int64_t count, int64_t noise)
{
    return count + noise >= c->threshold ? count + noise : 0;
}

static int64_t cut_when_shifted(const sc_competitors *c, int64_t count, int64_t noise)
{
    return cut_at_zero(c, count, noise - c->shift);
}

static scrim_status release_bars(const trial *t, const scrim_distribution *noise,
                                 bar_rule *rule, size_t *answer, scrim_error *error)
{
    const sc_scene *scene = t->scene;
    int64_t draws[SC_HEIGHTS_MAX];
    sc_heights shown;
    scrim_status status =
        sc_distribution_fill(noise, t->bits, scene->shown_count, draws, error);
    if (status != SCRIM_OK)
        return status;
    shown.bars = scene->x->bars;
    memset(shown.at, 0, (shown.bars + 1) * sizeof *shown.at);
    for (size_t i = 0; i < scene->shown_count; i++) {
        const size_t bar = scene->shown[i];
        shown.at[bar] = rule(t->c, scene->x->at[bar], draws[i]);
    }
    *answer = sc_heights_answer(scene->f, &shown);
    return SCRIM_OK;
}

/* The value with noise, or a choice among values. */

static scrim_status pick_uniform(const trial *t, size_t *answer, scrim_error *error)
{
    uint64_t place = 0;
    scrim_status status = sc_uniform_64(t->bits, t->scene->x->bars, &place, error);
    *answer = (size_t)place + 1;
    return status;
}

static scrim_status run_exponential(const trial *t, size_t *answer, scrim_error *error)
{
    const uint64_t bars = t->scene->x->bars;
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        size_t y = 0;
        bool is_kept = false;
        scrim_status status = pick_uniform(t, &y, error);
        if (status == SCRIM_OK)
            status =
                sc_bernoulli_exp_64(t->bits, t->c->n * sc_scene_raw_error(t->scene, y),
                                    t->c->d * 2 * bars, &is_kept, error);
        if (status != SCRIM_OK)
            return status;
        if (is_kept) {
            *answer = y;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

static scrim_status run_ptr(const trial *t, size_t *answer, scrim_error *error)
{
    int64_t noise = 0;
    scrim_status status = draw_one(t, t->c->laplace, &noise, error);
    if (status != SCRIM_OK)
        return status;
    if (t->scene->radius == SC_STABLE_FOR_EVER ||
        t->scene->radius + noise >= t->c->shift) {
        *answer = t->scene->value;
        return SCRIM_OK;
    }
    return pick_uniform(t, answer, error);
}

static scrim_status run_smooth(const trial *t, size_t *answer, scrim_error *error)
{
    const double bars = (double)t->scene->x->bars;
    double u = 0;
    uint64_t sign = 0;
    scrim_status status = sc_real_uniform(t->bits, &u, error);
    if (status == SCRIM_OK)
        status = sc_bits_take(t->bits, 1, &sign, error);
    if (status != SCRIM_OK)
        return status;
    const double noise = sign != 0 ? log(u) : -log(u);
    const double scale = 2 / t->c->epsilon *
                         sc_smooth_sensitivity(t->scene->jump_costs, t->scene->x->bars,
                                               t->c->smooth_decay);
    const double y = floor((double)t->scene->value + scale * noise + 0.5);
    *answer = (size_t)fmin(fmax(y, 1), bars);
    return SCRIM_OK;
}

/* Choosing. */

/* One of so many bars, P ~ exp(epsilon_c x(i)): uniform, and kept by what it lacks of the highest.
 * The highest is always kept, so that a turn ends with probability 1 / count at least. */
static scrim_status choose_bar(const trial *t, const size_t *left, size_t count,
                               int64_t most, size_t *out, scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE * SC_HEIGHTS_MAX; turn++) {
        uint64_t place = 0;
        bool is_kept = false;
        scrim_status status = sc_uniform_64(t->bits, count, &place, error);
        if (status != SCRIM_OK)
            return status;
        const uint64_t lacks = (uint64_t)(most - t->scene->x->at[left[place]]);
        status = sc_bernoulli_exp_64(t->bits, t->c->n * lacks, t->c->choice_d, &is_kept,
                                     error);
        if (status != SCRIM_OK)
            return status;
        if (is_kept) {
            *out = (size_t)place;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

static int64_t most_of(const trial *t, const size_t *left, size_t count)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = t->scene->x->at[left[i]] > most ? t->scene->x->at[left[i]] : most;
    return most;
}

static scrim_status run_choosing(const trial *t, size_t *answer, scrim_error *error)
{
    size_t left[SC_HEIGHTS_MAX], count = t->scene->shown_count;
    sc_heights shown = {.bars = t->scene->x->bars};
    scrim_status status = SCRIM_OK;
    memcpy(left, t->scene->shown, count * sizeof *left);
    for (unsigned round = 0; round < SC_CHOOSING_ROUNDS && status == SCRIM_OK; round++) {
        const int64_t most = most_of(t, left, count);
        int64_t noise = 0;
        size_t place = 0;
        status = draw_one(t, t->c->choice_noise, &noise, error);
        if (status != SCRIM_OK || most + noise < t->c->choice_threshold || count == 0)
            break;
        status = choose_bar(t, left, count, most, &place, error);
        if (status == SCRIM_OK)
            status = draw_one(t, t->c->count_noise, &noise, error);
        if (status == SCRIM_OK) {
            shown.at[left[place]] =
                cut_at_zero(t->c, t->scene->x->at[left[place]], noise);
            left[place] = left[--count];
        }
    }
    *answer = sc_heights_answer(t->scene->f, &shown);
    return status;
}

scrim_status sc_competitor_run(const sc_competitors *c, sc_competitor kind,
                               const sc_scene *scene, sc_bits *bits, size_t *answer,
                               scrim_error *error)
{
    const trial t = {c, scene, bits};
    switch (kind) {
    case SC_COMPETITOR_STLAP:
        return release_bars(&t, c->one_sided, cut_at_zero, answer, error);
    case SC_COMPETITOR_STABILITY:
        return release_bars(&t, c->laplace, cut_at_threshold, answer, error);
    case SC_COMPETITOR_ESA:
        return release_bars(&t, c->laplace, cut_when_shifted, answer, error);
    case SC_COMPETITOR_EXPONENTIAL:
        return run_exponential(&t, answer, error);
    case SC_COMPETITOR_PTR:
        return run_ptr(&t, answer, error);
    case SC_COMPETITOR_SMOOTH:
        return run_smooth(&t, answer, error);
    case SC_COMPETITOR_CHOOSING:
        return run_choosing(&t, answer, error);
    case SC_COMPETITOR_KINDS:
        break;
    }
    return sc_fail(error, SCRIM_E_INTERNAL, "the mechanism of the experiment is unknown");
}
