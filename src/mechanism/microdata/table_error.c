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

/* About how many N each pass tries. */
#define TRIED 256

typedef struct question {
    sc_ball epsilon, loss; /* loss: delta/epsilon */
    sc_ball cells;         /* d - 1 */
    const sc_ball *given;  /* the error of the other query */
    bool is_cell;          /* C is wanted */
    long bits;
} question;

/* q (d-1). */
static void weight_of(const question *ask, uint64_t n, sc_ball *out)
{
    SC_OWN(sc_ball, count);
    sc_ball_set_int128(&count, (sc_int128)n * -2);
    sc_ball_mul(out, &ask->epsilon, &count, ask->bits);
    sc_ball_exp(out, out, ask->bits);
    sc_ball_mul_power2(out, out, -2);
    sc_ball_sub(out, out, &ask->loss, ask->bits);
    sc_ball_mul(out, out, &ask->cells, ask->bits);
}

/* With w = q (d-1):  C >= (N w - 2D - N)/(2 + 2w),  D >= (N w - N - C (2 + 2w))/2. */
static bool bound_at(const question *ask, uint64_t n, sc_ball *out)
{
    const long bits = ask->bits;
    SC_OWN(sc_ball, w, count, part);
    weight_of(ask, n, &w);
    if (!sc_ball_is_positive(&w))
        return false;
    sc_ball_set_int128(&count, (sc_int128)n);
    sc_ball_mul(out, &count, &w, bits);
    sc_ball_sub(out, out, &count, bits);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_add_int64(&w, &w, 1, bits);
    if (ask->is_cell) {
        sc_ball_sub(out, out, ask->given, bits);
        sc_ball_div(out, out, &w, bits);
    } else {
        sc_ball_mul(&part, &w, ask->given, bits);
        sc_ball_sub(out, out, &part, bits);
    }
    return true;
}

/* Is q (d-1) above 1 at n? Beyond, no bound is positive. */
static bool is_useful(const question *ask, uint64_t n)
{
    SC_OWN(sc_ball, w, one);
    sc_ball_set_int64(&one, 1);
    weight_of(ask, n, &w);
    const bool is_above = sc_ball_is_less(&one, &w);
    return is_above;
}

static uint64_t last_useful(const question *ask)
{
    uint64_t low = 0, high = 1;
    while (high < (uint64_t)1 << 50 && is_useful(ask, high)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (is_useful(ask, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The best of first, first + step, ... up to last. */
static void try_range(const question *ask, uint64_t first, uint64_t last, uint64_t step,
                      sc_ball *out, uint64_t *best)
{
    SC_OWN(sc_ball, found);
    for (uint64_t n = first; n <= last; n += step)
        if (bound_at(ask, n, &found) && sc_ball_is_less(out, &found)) {
            sc_ball_set(out, &found);
            *best = n;
        }
}

static void search(const question *ask, sc_ball *out, uint64_t *best)
{
    const uint64_t last = last_useful(ask);
    uint64_t step = last / TRIED + 1, at = 0;
    if (last == 0)
        return;
    try_range(ask, 1, last, step, out, &at);
    while (step > 1 && at > 0) {
        const uint64_t low = at > step ? at - step : 1,
                       high = at + step < last ? at + step : last;
        step = step / TRIED + 1;
        try_range(ask, low, high, step, out, &at);
    }
    *best = at > 0 ? at : *best;
}

/* epsilon = rho + 2 sqrt(rho ln 1/delta), delta = 2^-k. */
static void set_concentrated(question *ask, const sc_ratio *rho, long k)
{
    SC_OWN(sc_ball, part);
    sc_ball_set_ratio(&ask->epsilon, rho, ask->bits);
    sc_ball_set_int64(&part, 2);
    sc_ball_log(&part, &part, ask->bits);
    sc_ball_mul_int64(&part, &part, k, ask->bits);
    sc_ball_mul(&part, &part, &ask->epsilon, ask->bits);
    sc_ball_sqrt(&part, &part, ask->bits);
    sc_ball_mul_power2(&part, &part, 1);
    sc_ball_add(&ask->epsilon, &ask->epsilon, &part, ask->bits);
    sc_ball_set_int64(&ask->loss, 1);
    sc_ball_mul_power2(&ask->loss, &ask->loss, -k);
    sc_ball_div(&ask->loss, &ask->loss, &ask->epsilon, ask->bits);
}

static void find(const sc_table_privacy *p, question *ask, sc_ball *out, uint64_t *best)
{
    sc_ball_set_int64(out, 0);
    if (p->rho != NULL) {
        for (long k = 4; k <= 120; k += 4) {
            set_concentrated(ask, p->rho, k);
            search(ask, out, best);
        }
        return;
    }
    sc_ball_set_ratio(&ask->epsilon, p->epsilon, ask->bits);
    if (p->delta != NULL) {
        sc_ball_set_ratio(&ask->loss, p->delta, ask->bits);
        sc_ball_div(&ask->loss, &ask->loss, &ask->epsilon, ask->bits);
    }
    search(ask, out, best);
}

static void answer(const sc_table_privacy *p, uint64_t cells, const sc_ball *given,
                   bool is_cell, long bits, sc_ball *out, uint64_t *best)
{
    uint64_t n = 0;
    SC_OWN(sc_ball, upper);
    question ask = {.given = &upper, .is_cell = is_cell, .bits = bits};
    sc_ball_init(&ask.epsilon);
    sc_ball_init(&ask.loss);
    sc_ball_init(&ask.cells);
    sc_ball_set_upper(&upper, given, bits);
    sc_ball_set_int128(&ask.cells, (sc_int128)cells - 1);
    find(p, &ask, out, &n);
    sc_ball_clear(&ask.cells);
    sc_ball_clear(&ask.loss);
    sc_ball_clear(&ask.epsilon);
    if (best != NULL)
        *best = n;
}

void sc_cell_error_lower(const sc_table_privacy *p, uint64_t cells,
                         const sc_ball *sum_error, long bits, sc_ball *out,
                         uint64_t *best)
{
    answer(p, cells, sum_error, true, bits, out, best);
}

void sc_sum_error_lower(const sc_table_privacy *p, uint64_t cells,
                        const sc_ball *cell_error, long bits, sc_ball *out,
                        uint64_t *best)
{
    answer(p, cells, cell_error, false, bits, out, best);
}
