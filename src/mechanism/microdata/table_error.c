#include "mechanism/microdata/table_error.h"

/* Sums up to here one by one, the rest by the formula of Euler and Maclaurin. */
#define ONE_BY_ONE 4096

static void set_inverse(uint64_t n, unsigned power, int64_t times, int64_t under,
                        long bits, sc_ball *out)
{
    SC_OWN(sc_ball, base);
    sc_ball_set_int128(&base, (sc_int128)n);
    sc_ball_power(&base, &base, power, bits);
    sc_ball_set_int64(out, times);
    sc_ball_div(out, out, &base, bits);
    sc_ball_div_int64(out, out, under, bits);
}

static void sum_first_terms(uint64_t d, unsigned power, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, term);
    sc_ball_set_int64(out, 0);
    for (uint64_t i = 1; i <= d && i <= ONE_BY_ONE; i++) {
        set_inverse(i, power, 1, 1, bits, &term);
        sc_ball_add(out, out, &term, bits);
    }
}

/* Adds times/(under d^power) and takes away the same at n. */
static void add_ends(uint64_t d, unsigned power, int64_t times, int64_t under, long bits,
                     sc_ball *out)
{
    SC_OWN(sc_ball, term);
    set_inverse(d, power, times, under, bits, &term);
    sc_ball_add(out, out, &term, bits);
    set_inverse(ONE_BY_ONE, power, times, under, bits, &term);
    sc_ball_sub(out, out, &term, bits);
}

/* ln(d/n) + 1/(2d) - 1/(2n) - 1/(12 d^2) + 1/(12 n^2), off by at most 1/(120 n^4). */
void sc_harmonic(uint64_t d, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part, n);
    sum_first_terms(d, 1, bits, out);
    if (d <= ONE_BY_ONE)
        return;
    sc_ball_set_int128(&part, (sc_int128)d);
    sc_ball_div_int64(&part, &part, ONE_BY_ONE, bits);
    sc_ball_log(&part, &part, bits);
    sc_ball_add(out, out, &part, bits);
    add_ends(d, 1, 1, 2, bits, out);
    add_ends(d, 2, -1, 12, bits, out);
    set_inverse(ONE_BY_ONE, 4, 1, 120, bits, &n);
    sc_ball_widen(out, &n);
}

/* -1/d + 1/n + 1/(2 d^2) - 1/(2 n^2) - 1/(6 d^3) + 1/(6 n^3), off by at most 1/(30 n^5). */
void sc_harmonic_square(uint64_t d, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, n);
    sum_first_terms(d, 2, bits, out);
    if (d <= ONE_BY_ONE)
        return;
    add_ends(d, 1, -1, 1, bits, out);
    add_ends(d, 2, 1, 2, bits, out);
    add_ends(d, 3, -1, 6, bits, out);
    set_inverse(ONE_BY_ONE, 5, 1, 30, bits, &n);
    sc_ball_widen(out, &n);
}

static bool is_gaussian(const sc_law *law)
{
    return law->functions == &sc_discrete_gaussian_law;
}

/* 2 ln 2d. */
static void twice_log(uint64_t d, long bits, sc_ball *out)
{
    sc_ball_set_int128(out, (sc_int128)d * 2);
    sc_ball_log(out, out, bits);
    sc_ball_mul_power2(out, out, 1);
}

void sc_noise_max_moments(const sc_law *law, uint64_t d, long bits, sc_ball *first,
                          sc_ball *second)
{
    SC_OWN(sc_ball, scale, harmonic, part);
    sc_ball_set_ratio(&scale, &law->shape, bits);
    if (is_gaussian(law)) {
        twice_log(d, bits, &part);
        sc_ball_mul(first, &part, &scale, bits);
        sc_ball_sqrt(first, first, bits);
        sc_ball_add_int64(&part, &part, 2, bits);
        sc_ball_mul(second, &part, &scale, bits);
        return;
    }
    sc_harmonic(d, bits, &harmonic);
    sc_ball_mul(first, &scale, &harmonic, bits); /* b H */
    sc_ball_mul(second, first, first, bits);
    sc_harmonic_square(d, bits, &part);
    sc_ball_mul(&part, &part, &scale, bits);
    sc_ball_mul(&part, &part, &scale, bits);
    sc_ball_add(second, second, &part, bits);
    sc_ball_add(second, second, first, bits);
    sc_ball_set_int64(&part, 1);
    sc_ball_mul_power2(&part, &part, -1);
    sc_ball_add(first, first, &part, bits);
    sc_ball_mul_power2(&part, &part, -1);
    sc_ball_add(second, second, &part, bits);
}

static void take_bound(const sc_law *law, int64_t times, sc_ball *out)
{
    SC_OWN(sc_ball, square);
    if (law->functions != &sc_clamped_laplace_law)
        return;
    sc_ball_set_int128(&square, law->bound * law->bound * times);
    sc_ball_take_smaller(out, &square);
}

void sc_table_error_init(sc_table_error *x)
{
    sc_ball_init(&x->cell);
    sc_ball_init(&x->sum);
}

void sc_table_error_clear(sc_table_error *x)
{
    sc_ball_clear(&x->sum);
    sc_ball_clear(&x->cell);
}

/* E max(0, z), at most: x/(1 - x^2) of Laplace noise, half the root of the variance of Gaussian. */
static void bias_of(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    if (is_gaussian(law)) {
        sc_ball_set_ratio(out, &law->shape, bits);
        sc_ball_sqrt(out, out, bits);
        sc_ball_mul_power2(out, out, -1);
        return;
    }
    /* x/(1 - x^2) = 1/(2 sinh w) */
    sc_ball_set_ratio(&part, &law->shape, bits);
    sc_ball_set_int64(out, 1);
    sc_ball_div(&part, out, &part, bits);
    sc_ball_sinh(&part, &part, bits);
    sc_ball_div(out, out, &part, bits);
    sc_ball_mul_power2(out, out, -1);
}

void sc_point_first_error(const sc_law *law, uint64_t d, long bits, sc_table_error *out)
{
    SC_OWN(sc_ball, cells, bias);
    sc_law_variance(law, bits, &out->cell);
    bias_of(law, bits, &bias);
    sc_ball_mul(&bias, &bias, &bias, bits);
    sc_ball_set_int128(&cells, (sc_int128)d - 1);
    sc_ball_mul(&bias, &bias, &cells, bits);
    sc_ball_add(&out->sum, &out->cell, &bias, bits);
    sc_ball_add_int64(&cells, &cells, 1, bits);
    sc_ball_mul(&out->sum, &out->sum, &cells, bits);
}

/* E z^2 + 4 E|z| E max|z| + 4 E max z^2, and 4 E|z| E max|z| <= 4 b (b H + 1/2). */
void sc_sum_first_error(const sc_law *law, uint64_t d, long bits, sc_table_error *out)
{
    SC_OWN(sc_ball, scale, first, second);
    sc_law_variance(law, bits, &out->sum);
    take_bound(law, 1, &out->sum);
    sc_noise_max_moments(law, d, bits, &first, &second);
    sc_ball_set_ratio(&scale, &law->shape, bits);
    if (is_gaussian(law)) {
        sc_ball_set(&out->cell, &scale);
        sc_ball_sqrt(&scale, &scale, bits);
    } else {
        sc_ball_mul(&out->cell, &scale, &scale, bits);
        sc_ball_mul_power2(&out->cell, &out->cell, 1);
    }
    sc_ball_mul(&first, &first, &scale, bits);
    sc_ball_add(&first, &first, &second, bits);
    sc_ball_mul_power2(&first, &first, 2);
    sc_ball_add(&out->cell, &out->cell, &first, bits);
    take_bound(law, 9, &out->cell);
}
