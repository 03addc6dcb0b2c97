#include "local/amplify/binomial_window.h"

#include <math.h>

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
