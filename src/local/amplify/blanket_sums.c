#include "local/amplify/blanket_sums.h"

#include "base/number/ball_double.h"

#include <math.h>
#include <stdlib.h>

#define LOG_BITS (SC_AMPLIFY_BITS + 64)

void sc_binomial_window_init(sc_binomial_window *window)
{
    window->first = 0;
    window->count = 0;
    window->mass = NULL;
    sc_ball_init(&window->below);
    sc_ball_init(&window->above);
}

void sc_binomial_window_clear(sc_binomial_window *window)
{
    sc_balls_free(window->mass, window->count);
    sc_ball_clear(&window->above);
    sc_ball_clear(&window->below);
}

/* The window of Bernstein's inequality. Only its size depends on these doubles. */
static void find_ends(uint64_t trials, double w, double depth, uint64_t *first,
                      uint64_t *last)
{
    const double mean = (double)trials * w, variance = mean * (1 - w);
    const double radius = depth / 3 + sqrt(depth * depth / 9 + 2 * depth * variance) + 1;
    *first = mean > radius ? (uint64_t)(mean - radius) : 0;
    *last = mean + radius < (double)trials ? (uint64_t)(mean + radius) : trials;
    *first = *first < *last ? *first : *last;
}

/* C(trials, k) w^k (1 - w)^(trials - k), 0 < w < 1. */
static void set_mass(sc_ball *out, uint64_t trials, uint64_t k, const sc_ball *w)
{
    SC_OWN(sc_ball, term, sum, rest);
    sc_ball_log_factorial(&sum, trials, LOG_BITS);
    sc_ball_log_factorial(&term, k, LOG_BITS);
    sc_ball_sub(&sum, &sum, &term, LOG_BITS);
    sc_ball_log_factorial(&term, trials - k, LOG_BITS);
    sc_ball_sub(&sum, &sum, &term, LOG_BITS);
    sc_ball_log(&term, w, LOG_BITS);
    sc_ball_mul_int64(&term, &term, (int64_t)k, LOG_BITS);
    sc_ball_add(&sum, &sum, &term, LOG_BITS);
    sc_ball_neg(&rest, w);
    sc_ball_log1p(&rest, &rest, LOG_BITS);
    sc_ball_mul_int64(&rest, &rest, (int64_t)(trials - k), LOG_BITS);
    sc_ball_add(&sum, &sum, &rest, LOG_BITS);
    sc_ball_exp(out, &sum, SC_AMPLIFY_BITS);
}

/* out = x above / below. */
static void scale(sc_ball *out, const sc_ball *x, uint64_t above, uint64_t below)
{
    sc_ball_mul_int64(out, x, (int64_t)above, SC_AMPLIFY_BITS);
    sc_ball_div_int64(out, out, (int64_t)below, SC_AMPLIFY_BITS);
}

/* At least the sum of first + first ratio + ..., where ratios fall; all of it unless ratio < 1. */
static void set_rest(sc_ball *out, const sc_ball *first, const sc_ball *ratio)
{
    SC_OWN(sc_ball, gap, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_sub(&gap, &one, ratio, SC_AMPLIFY_BITS);
    sc_ball_set(out, &one);
    if (!sc_ball_is_positive(&gap))
        return;
    sc_ball_div(&gap, first, &gap, SC_AMPLIFY_BITS);
    sc_ball_take_smaller(out, &gap);
}

/* Fills the masses from the one at `peak`, by the ratios of neighbours. */
static void fill(sc_binomial_window *window, uint64_t trials, size_t peak,
                 const sc_ball *odds)
{
    SC_OWN(sc_ball, ratio, next, inverse);
    const uint64_t first = window->first;
    sc_ball_set_int64(&inverse, 1);
    sc_ball_div(&inverse, &inverse, odds, SC_AMPLIFY_BITS);
    for (size_t i = peak; i + 1 < window->count; i++) {
        sc_ball_mul(&next, &window->mass[i], odds, SC_AMPLIFY_BITS);
        scale(&window->mass[i + 1], &next, trials - first - i, first + i + 1);
    }
    for (size_t i = peak; i > 0; i--) {
        sc_ball_mul(&next, &window->mass[i], &inverse, SC_AMPLIFY_BITS);
        scale(&window->mass[i - 1], &next, first + i, trials - first - i + 1);
    }
    const uint64_t last = first + window->count - 1;
    sc_ball_set_int64(&window->below, 0);
    sc_ball_set_int64(&window->above, 0);
    if (last < trials) {
        scale(&ratio, odds, trials - last, last + 1);
        sc_ball_mul(&next, &window->mass[window->count - 1], &ratio, SC_AMPLIFY_BITS);
        set_rest(&window->above, &next, &ratio);
    }
    if (first > 0) {
        scale(&ratio, &inverse, first, trials - first + 1);
        sc_ball_mul(&next, &window->mass[0], &ratio, SC_AMPLIFY_BITS);
        set_rest(&window->below, &next, &ratio);
    }
}

scrim_status sc_binomial_window_set(sc_binomial_window *window, uint64_t trials,
                                    const sc_ball *w, double depth, scrim_error *error)
{
    SC_OWN(sc_ball, odds, one);
    const bool is_sure = !sc_ball_is_positive(w); /* w is 0 */
    const double near = is_sure ? 0 : sc_ball_upper(w);
    uint64_t first = 0, last = 0;
    if (!is_sure)
        find_ends(trials, near, depth, &first, &last);
    const size_t count = (size_t)(last - first) + 1;
    sc_ball *mass = sc_balls_new(count);
    if (mass == NULL)
        return sc_no_memory(error, "probabilities");
    sc_balls_free(window->mass, window->count);
    window->mass = mass;
    window->count = count;
    window->first = first;
    sc_ball_set_int64(&one, 1);
    if (is_sure) {
        sc_ball_set(&mass[0], &one);
        sc_ball_set_int64(&window->below, 0);
        sc_ball_set_int64(&window->above, 0);
        return SCRIM_OK;
    }
    const double middle = (double)trials * near - (double)first;
    const size_t peak = middle < 0                   ? 0
                        : middle < (double)count - 1 ? (size_t)middle
                                                     : count - 1;
    sc_ball_sub(&odds, &one, w, SC_AMPLIFY_BITS);
    sc_ball_div(&odds, w, &odds, SC_AMPLIFY_BITS);
    set_mass(&mass[peak], trials, first + peak, w);
    fill(window, trials, peak, &odds);
    return SCRIM_OK;
}

#define BITS SC_AMPLIFY_BITS
#define HALF_LOG_BITS (BITS + 64)

void sc_half_tail_init(sc_half_tail *tail)
{
    tail->s = tail->j = 0;
    sc_ball_init(&tail->mass);
    sc_ball_init(&tail->tail);
}

void sc_half_tail_clear(sc_half_tail *tail)
{
    sc_ball_clear(&tail->tail);
    sc_ball_clear(&tail->mass);
}

static void half_scale(sc_ball *x, uint64_t above, uint64_t below)
{
    sc_ball_mul_int64(x, x, (int64_t)above, BITS);
    sc_ball_div_int64(x, x, (int64_t)below, BITS);
}

void sc_half_tail_mass_below(sc_ball *mass, uint64_t s, uint64_t j)
{
    half_scale(mass, j, s - j + 1);
}

static void set_half_mass(sc_half_tail *tail)
{
    SC_OWN(sc_ball, sum, term);
    sc_ball_log_factorial(&sum, tail->s, HALF_LOG_BITS);
    sc_ball_log_factorial(&term, tail->j, HALF_LOG_BITS);
    sc_ball_sub(&sum, &sum, &term, HALF_LOG_BITS);
    sc_ball_log_factorial(&term, tail->s - tail->j, HALF_LOG_BITS);
    sc_ball_sub(&sum, &sum, &term, HALF_LOG_BITS);
    sc_ball_exp(&sum, &sum, BITS);
    sc_ball_mul_power2(&tail->mass, &sum, -(long)tail->s);
}

/* Adds up masses from j on. They end, or, past the middle, fall at least as fast as a geometric
 * series; the rest of that widens the ball. */
static void set_tail(sc_half_tail *tail)
{
    SC_OWN(sc_ball, mass, rest, tiny);
    sc_ball_set(&mass, &tail->mass);
    sc_ball_set(&tail->tail, &tail->mass);
    for (uint64_t j = tail->j; j < tail->s; j++) {
        half_scale(&mass, tail->s - j, j + 1);
        sc_ball_add(&tail->tail, &tail->tail, &mass, BITS);
        if (2 * (j + 1) <= tail->s || j + 2 > tail->s)
            continue;
        /* the ratio from j + 1 on is at most (s - j - 1)/(j + 2) */
        sc_ball_set(&rest, &mass);
        half_scale(&rest, tail->s - j - 1, 2 * j + 3 - tail->s);
        sc_ball_mul_power2(&tiny, &tail->tail, -BITS);
        if (sc_ball_is_less(&rest, &tiny)) {
            sc_ball_widen(&tail->tail, &rest);
            return;
        }
    }
}

static void up_s(sc_half_tail *tail)
{
    SC_OWN(sc_ball, below);
    sc_ball_set(&below, &tail->mass);
    sc_half_tail_mass_below(&below, tail->s, tail->j);
    sc_ball_mul_power2(&below, &below, -1);
    sc_ball_add(&tail->tail, &tail->tail, &below, BITS);
    tail->s++;
    half_scale(&tail->mass, tail->s, 2 * (tail->s - tail->j));
}

static void up_j(sc_half_tail *tail)
{
    sc_ball_sub(&tail->tail, &tail->tail, &tail->mass, BITS);
    half_scale(&tail->mass, tail->s - tail->j, tail->j + 1);
    tail->j++;
}

static void down_j(sc_half_tail *tail)
{
    sc_half_tail_mass_below(&tail->mass, tail->s, tail->j);
    tail->j--;
    sc_ball_add(&tail->tail, &tail->tail, &tail->mass, BITS);
}

void sc_half_tail_move(sc_half_tail *tail, uint64_t s, uint64_t j)
{
    const uint64_t to = j < s ? j : s;
    if (tail->s == 0) {
        tail->s = s;
        tail->j = to;
        set_half_mass(tail);
        set_tail(tail);
    }
    while (tail->s < s)
        up_s(tail);
    while (tail->j < to)
        up_j(tail);
    while (tail->j > to)
        down_j(tail);
}

/* The sum of i mass_i over i > j is s/2 tail_{s-1}(j), and tail_{s-1}(j) = tail_s(j + 1) + mass_s(j + 1)
 * (j + 1)/s, where mass_s(j + 1)(j + 1) = mass_s(j)(s - j). */
void sc_half_tail_above(const sc_half_tail *tail, sc_ball *mass, sc_ball *mean)
{
    SC_OWN(sc_ball, next);
    sc_ball_sub(mass, &tail->tail, &tail->mass, BITS);
    sc_ball_mul_int64(&next, &tail->mass, (int64_t)(tail->s - tail->j), BITS);
    sc_ball_mul_int64(mean, mass, (int64_t)tail->s, BITS);
    sc_ball_add(mean, mean, &next, BITS);
    sc_ball_mul_power2(mean, mean, -1);
}

#define POINTS_LIMIT ((size_t)1 << 20)
/* Up to this many trials the distribution of d is computed exactly, given c. */
#define EXACT_TRIALS 512
/* Covers the rounding of sums, and of interpolating between them. */
#define ROUNDING (1 + 0x1p-30)
/* At least the mass that is too small for a double. */
#define UNDERFLOW 0x1p-900

void sc_common_part_init(sc_common_part *part)
{
    sc_ball_init(&part->start);
    sc_ball_init(&part->step);
    sc_ball_init(&part->lost);
    part->count = 0;
    part->below = part->call = NULL;
}

void sc_common_part_clear(sc_common_part *part)
{
    free(part->call);
    free(part->below);
    sc_ball_clear(&part->lost);
    sc_ball_clear(&part->step);
    sc_ball_clear(&part->start);
}

double sc_common_part_call(const sc_common_part *part, double t)
{
    if (!(t > 0))
        return 0;
    const size_t i = t < (double)part->count ? (size_t)t : part->count - 1;
    return (part->call[i] + (t - (double)i) * part->below[i]) * ROUNDING;
}

static void set_step(sc_common_part *part, double wanted)
{
    sc_ball_set_int64(&part->step, 1);
    if (wanted >= 1)
        sc_ball_set_int64(&part->step, (int64_t)fmin(wanted, 0x1p60));
    else
        sc_ball_div_int64(&part->step, &part->step,
                          (int64_t)fmin(ceil(1 / wanted), 0x1p60), BITS);
}

/* Where an atom lies on the grid: at i + share, not above its place, start + x. */
typedef struct placement {
    size_t i;
    double share;
} placement;

/* x >= 0; x and per_step = 1 / step may be too large by a few roundings, which the factor below takes back. */
static placement place(double per_step, double x)
{
    const double t = x * per_step * (1 - 0x1p-50), whole = floor(t);
    return (placement){(size_t)whole, t - whole};
}

static void put(double *masses, placement at, double mass)
{
    masses[at.i] += mass * (1 - at.share);
    masses[at.i + 1] += mass * at.share;
}

/* Mass above a window goes to its last point, which is lower. */
static void fold_above(sc_binomial_window *window)
{
    sc_ball *last = &window->mass[window->count - 1];
    sc_ball_add(last, last, &window->above, BITS);
}

/* Allocates the grid for atoms of up to `widest`. */
static scrim_status make_room(sc_common_part *part, double per_step, double widest,
                              scrim_error *error)
{
    const double last = widest * per_step;
    if (!(last < POINTS_LIMIT))
        return sc_fail(error, SCRIM_E_LIMIT, "amplification: the grid is too fine");
    const size_t i = (size_t)last;
    part->count = i + 3;
    part->below = calloc(part->count, sizeof *part->below);
    part->call = calloc(part->count, sizeof *part->call);
    if (part->below == NULL || part->call == NULL)
        return sc_no_memory(error, "a grid");
    return SCRIM_OK;
}

/* Turns the masses in `below` into cumulative sums, and fills `call` with the sums of these. */
static void add_up(sc_common_part *part)
{
    part->below[0] *= ROUNDING;
    for (size_t k = 1; k < part->count; k++) {
        part->below[k] = part->below[k] * ROUNDING + part->below[k - 1];
        part->call[k] = part->call[k - 1] + part->below[k - 1];
    }
}

/* The input of filling: the window of c, and the probability of d for a trial that is not in c. */
typedef struct filling {
    sc_common_part *part;
    const sc_common_law *law;
    uint64_t trials;
    double depth, per_step;
    sc_ball w;
    sc_binomial_window c, d;
} filling;

/* d given c, for each c. */
static scrim_status fill_exactly(filling *f, scrim_error *error)
{
    SC_OWN(sc_ball, mass);
    sc_common_part *part = f->part;
    const double p = sc_ball_lower(&f->law->p), all = (double)f->trials;
    sc_ball_mul_int64(&part->start, &f->law->p, (int64_t)f->c.first, BITS);
    scrim_status status =
        make_room(part, f->per_step, p * (double)f->c.count + all, error);
    for (size_t i = 0; status == SCRIM_OK && i < f->c.count; i++) {
        status = sc_binomial_window_set(&f->d, f->trials - f->c.first - i, &f->w,
                                        f->depth, error);
        if (status != SCRIM_OK)
            break;
        fold_above(&f->d);
        sc_ball_mul(&mass, &f->d.below, &f->c.mass[i], BITS);
        sc_ball_add(&part->lost, &part->lost, &mass, BITS);
        const double of_c = sc_ball_upper(&f->c.mass[i]), x = p * (double)i;
        for (size_t j = 0; j < f->d.count; j++)
            put(part->below, place(f->per_step, x + (double)(f->d.first + j)),
                of_c * sc_ball_upper(&f->d.mass[j]));
    }
    return status;
}

/* The masses of d - d.first, spread on the grid. */
static scrim_status spread_d(filling *f, double **out, size_t *count, scrim_error *error)
{
    *count = place(f->per_step, (double)f->d.count).i + 2;
    *out = calloc(*count, sizeof **out);
    if (*out == NULL)
        return sc_no_memory(error, "a grid");
    for (size_t j = 0; j < f->d.count; j++)
        put(*out, place(f->per_step, (double)j), sc_ball_upper(&f->d.mass[j]));
    return SCRIM_OK;
}

static void convolve(filling *f, double by_c, const double *spread, size_t count)
{
    for (size_t i = 0; i < f->c.count; i++) {
        placement at = place(f->per_step, by_c * (double)i);
        const double mass = sc_ball_upper(&f->c.mass[i]);
        for (size_t k = 0; k < count; k++, at.i++)
            put(f->part->below, at, mass * spread[k]);
    }
}

/* p c + d is spread to p c.first + d.first + (p - w)(c - c.first) + (d' - d.first), d' being d of
 * c.first, and independent of c. */
static scrim_status fill_independently(filling *f, scrim_error *error)
{
    SC_OWN(sc_ball, slope);
    sc_common_part *part = f->part;
    double *spread = NULL;
    size_t count = 0;
    scrim_status status =
        sc_binomial_window_set(&f->d, f->trials - f->c.first, &f->w, f->depth, error);
    if (status != SCRIM_OK)
        return status;
    fold_above(&f->d);
    sc_ball_add(&part->lost, &part->lost, &f->d.below, BITS);
    sc_ball_mul_int64(&part->start, &f->law->p, (int64_t)f->c.first, BITS);
    sc_ball_add_int64(&part->start, &part->start, (int64_t)f->d.first, BITS);
    sc_ball_sub(&slope, &f->law->p, &f->w, BITS);
    const double by_c = sc_ball_lower(&slope);
    status = spread_d(f, &spread, &count, error);
    if (status == SCRIM_OK)
        status = make_room(part, f->per_step,
                           by_c * (double)f->c.count + (double)f->d.count + 2, error);
    if (status == SCRIM_OK)
        convolve(f, by_c, spread, count);
    free(spread);
    return status;
}

static scrim_status fill_common(filling *f, scrim_error *error)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&f->w, &one, &f->part->step, BITS);
    f->per_step = sc_ball_lower(&f->w);
    sc_ball_sub(&f->w, &one, &f->law->w11, BITS);
    sc_ball_div(&f->w, &f->law->w10, &f->w, BITS);
    scrim_status status =
        sc_binomial_window_set(&f->c, f->trials, &f->law->w11, f->depth, error);
    if (status != SCRIM_OK)
        return status;
    fold_above(&f->c);
    sc_ball_set_double(&f->part->lost, UNDERFLOW);
    sc_ball_add(&f->part->lost, &f->part->lost, &f->c.below, BITS);
    return (f->trials <= EXACT_TRIALS ? fill_exactly : fill_independently)(f, error);
}

scrim_status sc_common_part_set(sc_common_part *part, uint64_t trials,
                                const sc_common_law *law, double step, double depth,
                                scrim_error *error)
{
    filling f = {.part = part, .law = law, .trials = trials, .depth = depth};
    sc_ball_init(&f.w);
    sc_binomial_window_init(&f.c);
    sc_binomial_window_init(&f.d);
    set_step(part, step);
    const scrim_status status = fill_common(&f, error);
    if (status == SCRIM_OK)
        add_up(part);
    sc_binomial_window_clear(&f.d);
    sc_binomial_window_clear(&f.c);
    sc_ball_clear(&f.w);
    return status;
}
