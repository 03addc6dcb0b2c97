#include "lab/experiment/competitors.h"

#include "lab/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 80

const char *lab_competitor_name(lab_competitor kind)
{
    static const char *const names[] = {"stlap",     "exponential", "ptr", "smooth",
                                        "stability", "choosing",    "esa"};
    return names[kind];
}

/* Noise on one bar. */

/* P(0) = P(-q) of one-sided noise: the smallest masses; towards -q/2 they grow by e^epsilon a step. */
static long double edge_of(const lab_bar_noise *noise)
{
    const long double e = noise->epsilon;
    const int64_t m = noise->q / 2;
    const long double odd =
        noise->q % 2 == 1 ? expm1l(e * (long double)(m + 1)) : expm1l(e * (long double)m);
    return expm1l(e) / (odd + expm1l(e * (long double)(m + 1)));
}

/* The lower half is a geometric sum, the upper half its mirror image. */
static long double sum_one_sided(const lab_bar_noise *noise, int64_t z)
{
    const long double e = noise->epsilon;
    if (z < -noise->q)
        return 0;
    if (z >= 0)
        return 1;
    if (2 * z >= -noise->q)
        return 1 - sum_one_sided(noise, -noise->q - z - 1);
    return edge_of(noise) * expm1l(e * (long double)(z + noise->q + 1)) / expm1l(e);
}

static long double sum_two_sided(const lab_bar_noise *noise, int64_t z)
{
    const long double e = noise->epsilon, one = 1 + expl(-e);
    return z < 0 ? expl(e * (long double)z) / one
                 : 1 - expl(-e * (long double)(z + 1)) / one;
}

bool lab_bar_noise_init(lab_bar_noise *out, long double epsilon, int64_t q)
{
    const size_t count = 2 * LAB_NOISE_REACH + 1;
    *out = (lab_bar_noise){.epsilon = epsilon, .q = q};
    out->one_sided = lab_allocate(count, sizeof *out->one_sided);
    out->two_sided = lab_allocate(count, sizeof *out->two_sided);
    if (out->one_sided == NULL || out->two_sided == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const int64_t z = (int64_t)i - LAB_NOISE_REACH;
        out->one_sided[i] = sum_one_sided(out, z);
        out->two_sided[i] = sum_two_sided(out, z);
    }
    return true;
}

void lab_bar_noise_clear(lab_bar_noise *noise)
{
    free(noise->one_sided);
    free(noise->two_sided);
    *noise = (lab_bar_noise){0};
}

static bool is_tabulated(int64_t z)
{
    return z >= -LAB_NOISE_REACH && z <= LAB_NOISE_REACH;
}

long double lab_one_sided_at_most(const lab_bar_noise *noise, int64_t z)
{
    return is_tabulated(z) ? noise->one_sided[z + LAB_NOISE_REACH]
                           : sum_one_sided(noise, z);
}

long double lab_two_sided_at_most(const lab_bar_noise *noise, int64_t z)
{
    return is_tabulated(z) ? noise->two_sided[z + LAB_NOISE_REACH]
                           : sum_two_sided(noise, z);
}

/* Differences are taken in the lower half, where sums are small and keep their digits. */

long double lab_one_sided_is(const lab_bar_noise *noise, int64_t z)
{
    const int64_t low = 2 * z > -noise->q ? -noise->q - z : z;
    return lab_one_sided_at_most(noise, low) - lab_one_sided_at_most(noise, low - 1);
}

long double lab_two_sided_is(const lab_bar_noise *noise, int64_t z)
{
    const int64_t low = z > 0 ? -z : z;
    return lab_two_sided_at_most(noise, low) - lab_two_sided_at_most(noise, low - 1);
}

/* Parameters. */

/* q of stlap, by the library, which also checks epsilon and delta. */
static scrim_status find_q(const char *epsilon, const char *delta, int64_t *out,
                           scrim_error *error)
{
    scrim_measurement *stlap = NULL;
    const scrim_status status =
        scrim_measurement_new("stlap",
                              SCRIM_PARAMETERS({"epsilon", epsilon}, {"delta", delta},
                                               {"neighbours", "add-remove"}),
                              &stlap, error);
    if (status == SCRIM_OK)
        *out = (int64_t)scrim_stlap_q(stlap);
    scrim_measurement_free(stlap);
    return status;
}

/* "1/20"; the parts are small, as lab_competitors_init checks. */
static void write_fraction(const lab_quantity *x, char *text, size_t capacity)
{
    (void)snprintf(text, capacity, "%" PRId64 "/%" PRId64,
                   (int64_t)fmpz_get_si(fmpq_numref(x->exact)),
                   (int64_t)fmpz_get_si(fmpq_denref(x->exact)));
}

static bool is_small(const lab_quantity *x)
{
    return fmpz_bits(fmpq_numref(x->exact)) <= 48 &&
           fmpz_bits(fmpq_denref(x->exact)) <= 48;
}

static long double long_double_of(const lab_quantity *x)
{
    return (long double)fmpz_get_d(fmpq_numref(x->exact)) /
           (long double)fmpz_get_d(fmpq_denref(x->exact));
}

/* s, at least 1: one above the quantile of 1 - delta of the noise. */
static scrim_status find_shift(const scrim_distribution *laplace,
                               const lab_quantity *delta, int64_t *out,
                               scrim_error *error)
{
    scrim_wide quantile;
    char text[LINE_BYTES];
    LAB_QUANTITY(rest);
    lab_quantity_set_int64(&rest, 1);
    lab_quantity_sub(&rest, &rest, delta);
    write_fraction(&rest, text, sizeof text);
    const scrim_status status =
        scrim_distribution_quantile(laplace, text, &quantile, error);
    if (status == SCRIM_OK)
        *out = quantile.high < 0 ? 1 : (int64_t)quantile.low + 1;
    return status;
}

/* A distribution, from a line that ends in a number. */
static scrim_status prepare(const char *line, const lab_quantity *number,
                            scrim_distribution **out, scrim_error *error)
{
    char text[LINE_BYTES], whole[2 * LINE_BYTES];
    write_fraction(number, text, sizeof text);
    (void)snprintf(whole, sizeof whole, "%s%s", line, text);
    return scrim_distribution_parse(whole, out, error);
}

/* Discrete Laplace noise of scale factor / epsilon. */
static scrim_status prepare_laplace(const lab_quantity *epsilon, int64_t factor,
                                    scrim_distribution **out, scrim_error *error)
{
    LAB_QUANTITY(scale);
    lab_quantity_set_int64(&scale, factor);
    (void)lab_quantity_div(&scale, &scale, epsilon);
    return prepare("discrete-laplace scale=", &scale, out, error);
}

static scrim_status prepare_all(lab_competitors *c, const lab_quantity *epsilon,
                                const lab_quantity *delta, scrim_error *error)
{
    const int64_t choices = INT64_C(4) * LAB_CHOOSING_ROUNDS;
    char line[LINE_BYTES];
    c->epsilon = (double)long_double_of(epsilon);
    c->choice_epsilon = c->epsilon / (double)choices;
    const double log_delta = log((double)long_double_of(delta));
    c->smooth_decay = c->epsilon / (2 * (log(2) - log_delta));
    c->choice_threshold =
        1 + (int64_t)ceil((log(LAB_CHOOSING_ROUNDS) - log_delta) / c->choice_epsilon);
    (void)snprintf(line, sizeof line, "shifted-laplace q=%" PRId64 " epsilon=", c->q);
    scrim_status status = prepare(line, epsilon, &c->one_sided, error);
    if (status == SCRIM_OK)
        status = prepare_laplace(epsilon, 1, &c->laplace, error);
    if (status == SCRIM_OK)
        status = prepare_laplace(epsilon, choices, &c->choice_noise, error);
    if (status == SCRIM_OK)
        status = prepare_laplace(epsilon, 2, &c->count_noise, error);
    if (status == SCRIM_OK)
        status = find_shift(c->laplace, delta, &c->shift, error);
    c->threshold = c->shift + 1;
    return status;
}

scrim_status lab_competitors_init(lab_competitors *out, const char *epsilon,
                                  const char *delta, scrim_error *error)
{
    lab_competitors c = {.q = 0};
    LAB_QUANTITY(e);
    LAB_QUANTITY(d);
    scrim_status status = find_q(epsilon, delta, &c.q, error);
    if (status == SCRIM_OK && (!lab_quantity_parse(&e, epsilon, strlen(epsilon)) ||
                               !lab_quantity_parse(&d, delta, strlen(delta))))
        status = lab_fail(error, SCRIM_E_LIMIT, "a parameter is too long");
    if (status == SCRIM_OK && (!is_small(&e) || !is_small(&d)))
        status = lab_fail_for(
            error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
            "epsilon and delta may have at most 48 bits above and below the line");
    if (status == SCRIM_OK)
        status = prepare_all(&c, &e, &d, error);
    if (status == SCRIM_OK && !lab_bar_noise_init(&c.noise, long_double_of(&e), c.q))
        status = lab_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
    if (status == SCRIM_OK)
        *out = c;
    else
        lab_competitors_clear(&c);
    return status;
}

void lab_competitors_clear(lab_competitors *c)
{
    scrim_distribution_free(c->one_sided);
    scrim_distribution_free(c->laplace);
    scrim_distribution_free(c->choice_noise);
    scrim_distribution_free(c->count_noise);
    lab_bar_noise_clear(&c->noise);
    memset(c, 0, sizeof *c);
}

/* Runs. */

typedef struct trial {
    const lab_competitors *c;
    const lab_scene *scene;
    lab_random *random;
} trial;

static int64_t draw_one(const trial *t, scrim_distribution *noise)
{
    int64_t draw = 0;
    lab_random_noise(t->random, noise, 1, &draw);
    return draw;
}

/* The height that is shown for a bar of `count` elements with this noise. */
typedef int64_t bar_rule(const lab_competitors *c, int64_t count, int64_t noise);

static int64_t clamp_at_zero(const lab_competitors *c, int64_t count, int64_t noise)
{
    (void)c;
    return count + noise > 0 ? count + noise : 0;
}

static int64_t cut_below_threshold(const lab_competitors *c, int64_t count, int64_t noise)
{
    return count + noise >= c->threshold ? count + noise : 0;
}

static int64_t shift_down(const lab_competitors *c, int64_t count, int64_t noise)
{
    return clamp_at_zero(c, count, noise - c->shift);
}

static size_t release_bars(const trial *t, scrim_distribution *noise, bar_rule *rule)
{
    const lab_scene *scene = t->scene;
    int64_t draws[LAB_BARS_MAX];
    lab_bars shown = {.count = scene->x->count};
    lab_random_noise(t->random, noise, scene->shown_count, draws);
    for (size_t i = 0; i < scene->shown_count; i++) {
        const size_t bar = scene->shown[i];
        shown.at[bar] = rule(t->c, scene->x->at[bar], draws[i]);
    }
    return lab_bars_answer(scene->f, &shown);
}

static size_t pick_uniform(const trial *t)
{
    return (size_t)lab_random_below(t->random, t->scene->x->count) + 1;
}

/* True with probability exp(-x). Always true once the source of random numbers has failed, so that loops end. */
static bool accept(const trial *t, double x)
{
    return lab_random_real(t->random) < exp(-x) ||
           lab_random_check(t->random, NULL) != SCRIM_OK;
}

static size_t run_exponential(const trial *t)
{
    const double bars = (double)t->scene->x->count;
    size_t y;
    do
        y = pick_uniform(t);
    while (!accept(t, t->c->epsilon * lab_scene_raw_error(t->scene, y) / (2 * bars)));
    return y;
}

static size_t run_ptr(const trial *t)
{
    const int64_t noise = draw_one(t, t->c->laplace);
    const bool is_stable =
        t->scene->radius == LAB_ALWAYS_STABLE || t->scene->radius + noise >= t->c->shift;
    return is_stable ? t->scene->value : pick_uniform(t);
}

static size_t run_smooth(const trial *t)
{
    const size_t bars = t->scene->x->count;
    const double size = -log(lab_random_real(t->random));
    const double noise = lab_random_below(t->random, 2) == 0 ? size : -size;
    const double scale =
        2 / t->c->epsilon *
        lab_smooth_sensitivity(t->scene->jump_costs, bars, t->c->smooth_decay);
    const double y = floor((double)t->scene->value + scale * noise + 0.5);
    return (size_t)fmin(fmax(y, 1), (double)bars);
}

static int64_t highest_of(const trial *t, const size_t *left, size_t count)
{
    int64_t highest = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t height = t->scene->x->at[left[i]];
        highest = height > highest ? height : highest;
    }
    return highest;
}

/* Chooses bar i of those left with probability ~ exp(choice_epsilon x(i)); returns its index in left. The highest bar is
 * always accepted, so that an attempt succeeds with probability 1 / count at least. */
static size_t choose_bar(const trial *t, const size_t *left, size_t count,
                         int64_t highest)
{
    size_t place;
    do
        place = (size_t)lab_random_below(t->random, count);
    while (!accept(t, t->c->choice_epsilon *
                          (double)(highest - t->scene->x->at[left[place]])));
    return place;
}

static size_t run_choosing(const trial *t)
{
    size_t left[LAB_BARS_MAX], count = t->scene->shown_count;
    lab_bars shown = {.count = t->scene->x->count};
    memcpy(left, t->scene->shown, count * sizeof *left);
    for (unsigned round = 0; round < LAB_CHOOSING_ROUNDS; round++) {
        const int64_t highest = highest_of(t, left, count);
        /* The test draws its noise even if no bar is left: the number of draws shows nothing. */
        const int64_t noise = draw_one(t, t->c->choice_noise);
        if (highest + noise < t->c->choice_threshold || count == 0)
            break;
        const size_t place = choose_bar(t, left, count, highest);
        shown.at[left[place]] = clamp_at_zero(t->c, t->scene->x->at[left[place]],
                                              draw_one(t, t->c->count_noise));
        left[place] = left[--count];
    }
    return lab_bars_answer(t->scene->f, &shown);
}

size_t lab_competitor_run(const lab_competitors *c, lab_competitor kind,
                          const lab_scene *scene, lab_random *random)
{
    const trial t = {c, scene, random};
    switch (kind) {
    case LAB_COMPETITOR_STLAP:
        return release_bars(&t, c->one_sided, clamp_at_zero);
    case LAB_COMPETITOR_STABILITY:
        return release_bars(&t, c->laplace, cut_below_threshold);
    case LAB_COMPETITOR_ESA:
        return release_bars(&t, c->laplace, shift_down);
    case LAB_COMPETITOR_EXPONENTIAL:
        return run_exponential(&t);
    case LAB_COMPETITOR_PTR:
        return run_ptr(&t);
    case LAB_COMPETITOR_SMOOTH:
        return run_smooth(&t);
    case LAB_COMPETITOR_CHOOSING:
        return run_choosing(&t);
    case LAB_COMPETITOR_KINDS:
        break;
    }
    return 0;
}

/* Distributions of answers. */

long double lab_bar_at_most(const lab_competitors *c, lab_competitor kind, int64_t count,
                            int64_t shown)
{
    if (shown < 0)
        return 0;
    if (count == 0)
        return 1;
    if (kind == LAB_COMPETITOR_STLAP)
        return lab_one_sided_at_most(&c->noise, shown - count);
    if (kind == LAB_COMPETITOR_ESA)
        return lab_two_sided_at_most(&c->noise, shown - count + c->shift);
    return lab_two_sided_at_most(
        &c->noise, (shown < c->threshold ? c->threshold - 1 : shown) - count);
}

static long double bar_is(const lab_competitors *c, lab_competitor kind, int64_t count,
                          int64_t shown)
{
    if (shown == 0 || count == 0)
        return shown == 0 ? lab_bar_at_most(c, kind, count, 0) : 0;
    if (kind == LAB_COMPETITOR_STLAP)
        return lab_one_sided_is(&c->noise, shown - count);
    if (kind == LAB_COMPETITOR_ESA)
        return lab_two_sided_is(&c->noise, shown - count + c->shift);
    return shown < c->threshold ? 0 : lab_two_sided_is(&c->noise, shown - count);
}

/* max_k of released bars is v if bar v reaches k and no bar above it does. */
static void law_of_max(const lab_competitors *c, lab_competitor kind,
                       const lab_scene *scene, long double *law)
{
    long double none_above = 1;
    for (size_t v = scene->x->count; v > 0; v--) {
        const int64_t count = scene->x->at[v], k = scene->f->k;
        /* P(>= k). By symmetry a sum from below, which keeps the digits of a small tail. */
        long double reaches = 1 - lab_bar_at_most(c, kind, count, k - 1);
        if (count > 0 && kind == LAB_COMPETITOR_STLAP)
            reaches = lab_one_sided_at_most(&c->noise, -c->q - (k - count));
        else if (count > 0) {
            const int64_t least = kind == LAB_COMPETITOR_ESA ? k + c->shift
                                  : k < c->threshold         ? c->threshold
                                                             : k;
            reaches = lab_two_sided_at_most(&c->noise, count - least);
        }
        law[v] = reaches * none_above;
        none_above *= lab_bar_at_most(c, kind, count, k - 1);
    }
    law[0] = none_above;
}

/* The mode of released bars, summed over its height: bars before it are lower, bars after it are not
 * higher, since the first of equal bars is the mode. Masses below e^-60 beyond the highest bar are left out. */
typedef struct mode_tables {
    long double below[LAB_BARS_MAX + 2];   /* product over i < v of P(< height) */
    long double no_more[LAB_BARS_MAX + 2]; /* product over i > v of P(<= height) */
} mode_tables;

static void add_height(const lab_competitors *c, lab_competitor kind,
                       const lab_scene *scene, int64_t height, mode_tables *t,
                       long double *law)
{
    const lab_bars *x = scene->x;
    long double least = 0, most = 0;
    t->below[1] = 1;
    for (size_t i = 1; i <= x->count; i++) {
        /* Adjacent bars often have the same height: reuse the probability. */
        if (i == 1 || x->at[i] != x->at[i - 1])
            least = lab_bar_at_most(c, kind, x->at[i], height - 1);
        t->below[i + 1] = t->below[i] * least;
    }
    t->no_more[x->count] = 1;
    for (size_t i = x->count; i > 1; i--) {
        if (i == x->count || x->at[i] != x->at[i + 1])
            most = lab_bar_at_most(c, kind, x->at[i], height);
        t->no_more[i - 1] = t->no_more[i] * most;
    }
    for (size_t v = 1; v <= x->count; v++) {
        const long double others = t->below[v] * t->no_more[v];
        if (others > 0)
            law[v] += bar_is(c, kind, x->at[v], height) * others;
    }
}

static void law_of_mode(const lab_competitors *c, lab_competitor kind,
                        const lab_scene *scene, long double *law)
{
    mode_tables t;
    const int64_t tail =
        kind == LAB_COMPETITOR_STLAP ? 0 : (int64_t)(60 / c->epsilon) + 1;
    const int64_t end = lab_bars_highest(scene->x) + tail;
    law[0] = 1;
    for (size_t i = 1; i <= scene->x->count; i++)
        law[0] *= lab_bar_at_most(c, kind, scene->x->at[i], 0);
    for (int64_t height = 1; height <= end; height++)
        add_height(c, kind, scene, height, &t, law);
}

static void law_of_exponential(const lab_competitors *c, const lab_scene *scene,
                               long double *law)
{
    long double total = 0;
    for (size_t y = 1; y <= scene->x->count; y++) {
        law[y] = expl(-c->noise.epsilon * (long double)lab_scene_raw_error(scene, y) /
                      (long double)(2 * scene->x->count));
        total += law[y];
    }
    for (size_t y = 1; y <= scene->x->count; y++)
        law[y] /= total;
}

static void law_of_ptr(const lab_competitors *c, const lab_scene *scene, long double *law)
{
    const bool is_sure = scene->radius == LAB_ALWAYS_STABLE;
    const long double released = /* P(the true answer is released) */
        is_sure ? 1 : lab_two_sided_at_most(&c->noise, scene->radius - c->shift);
    for (size_t y = 1; y <= scene->x->count; y++)
        law[y] = (1 - released) / (long double)scene->x->count;
    law[scene->value] += released;
}

/* P(Laplace noise of scale 1 <= z). */
static long double real_at_most(long double z)
{
    return z < 0 ? expl(z) / 2 : 1 - expl(-z) / 2;
}

static void law_of_smooth(const lab_competitors *c, const lab_scene *scene,
                          long double *law)
{
    const long double scale = 2 / c->noise.epsilon *
                              (long double)lab_smooth_sensitivity(
                                  scene->jump_costs, scene->x->count, c->smooth_decay);
    const size_t bars = scene->x->count;
    long double before = 0;
    if (!(scale > 0)) { /* a single bar: the value cannot change */
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

bool lab_competitor_has_law(lab_competitor kind)
{
    return kind != LAB_COMPETITOR_CHOOSING && kind < LAB_COMPETITOR_KINDS;
}

void lab_competitor_law(const lab_competitors *c, lab_competitor kind,
                        const lab_scene *scene, long double law[LAB_BARS_MAX + 1])
{
    memset(law, 0, (LAB_BARS_MAX + 1) * sizeof *law);
    if (kind == LAB_COMPETITOR_EXPONENTIAL)
        law_of_exponential(c, scene, law);
    else if (kind == LAB_COMPETITOR_PTR)
        law_of_ptr(c, scene, law);
    else if (kind == LAB_COMPETITOR_SMOOTH)
        law_of_smooth(c, scene, law);
    else if (scene->f->is_mode)
        law_of_mode(c, kind, scene, law);
    else
        law_of_max(c, kind, scene, law);
}

static void expect(const lab_scene *scene, const long double *law, bool is_flexible,
                   lab_expected_error *out)
{
    long double mean = 0, square = 0;
    for (size_t y = 0; y <= scene->x->count; y++) {
        const long double error =
            is_flexible ? scene->flexible_errors[y] : lab_scene_raw_error(scene, y);
        mean += law[y] * error;
        square += law[y] * error * error;
    }
    out->mean = (double)mean;
    out->deviation = (double)sqrtl(fmaxl(square - mean * mean, 0));
}

void lab_expected_errors(const lab_scene *scene, const long double *law,
                         lab_expected_error *raw, lab_expected_error *flexible)
{
    expect(scene, law, false, raw);
    expect(scene, law, true, flexible);
}
