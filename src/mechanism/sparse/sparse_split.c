#include "mechanism/sparse/sparse_split.h"

#include "model/curve.h"

#define SHARE_BITS 128
/* Binary places of shares of 1 and of per-run epsilons. */
#define SHARE_PLACES 40
#define PER_RUN_PLACES 60

void sc_sparse_shares_init(sc_sparse_shares *shares)
{
    sc_ratio_init(&shares->threshold);
    sc_ratio_init(&shares->query);
    sc_ratio_init(&shares->value);
}

void sc_sparse_shares_clear(sc_sparse_shares *shares)
{
    sc_ratio_clear(&shares->threshold);
    sc_ratio_clear(&shares->query);
    sc_ratio_clear(&shares->value);
}

/* x^(n/3), x >= 1. */
static void thirds_power(uint64_t x, int64_t n, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, three);
    sc_ball_set_int64(&three, 3);
    sc_ball_set_int128(out, (sc_int128)x);
    sc_ball_log(out, out, bits);
    sc_ball_mul_int64(out, out, n, bits);
    sc_ball_div(out, out, &three, bits);
    sc_ball_exp(out, out, bits);
}

/* Weights become shares of 1. */
static void normalise(sc_ball *weight, size_t count, long bits)
{
    SC_OWN(sc_ball, sum);
    for (size_t i = 0; i < count; i++)
        sc_ball_add(&sum, &sum, &weight[i], bits);
    for (size_t i = 0; i < count; i++)
        sc_ball_div(&weight[i], &weight[i], &sum, bits);
}

void sc_sparse_share(uint64_t count, bool is_monotone, bool is_numeric, long bits,
                     sc_ball share[3])
{
    sc_ball_set_int64(&share[0], 1);
    thirds_power(is_monotone ? count : 2 * count, 2, bits, &share[1]);
    if (is_numeric)
        thirds_power(count, 2, bits, &share[2]);
    else
        sc_ball_set_int64(&share[2], 0);
    normalise(share, 3, bits);
}

/* epsilon times the share rounded down to SHARE_PLACES; a ball around a number with that many
 * places becomes that number. */
static void part_of(const sc_ratio *epsilon, const sc_ball *share, sc_ratio *out)
{
    SC_OWN(sc_integer, whole, one);
    SC_OWN(sc_ball, scaled, half);
    sc_ball_mul_power2(&scaled, share, SHARE_PLACES);
    if (!sc_ball_floor(&scaled, &whole)) {
        sc_ball_set_int64(&half, 1);
        sc_ball_mul_power2(&half, &half, -1);
        sc_ball_add(&scaled, &scaled, &half, SHARE_BITS);
        (void)sc_ball_floor(&scaled, &whole);
    }
    sc_integer_set_int128(&one, (sc_int128)1 << SHARE_PLACES);
    sc_ratio_set_fraction(out, &whole, &one);
    sc_ratio_mul(out, out, epsilon);
}

void sc_sparse_split(const sc_ratio *epsilon, uint64_t count, bool is_monotone,
                     bool is_numeric, sc_sparse_shares *out)
{
    sc_ball share[3];
    for (int i = 0; i < 3; i++)
        sc_ball_init(&share[i]);
    sc_sparse_share(count, is_monotone, is_numeric, SHARE_BITS, share);
    part_of(epsilon, &share[0], &out->threshold);
    sc_ratio_set_int64(&out->value, 0);
    if (is_numeric)
        part_of(epsilon, &share[2], &out->value);
    sc_ratio_sub(&out->query, epsilon, &out->threshold);
    sc_ratio_sub(&out->query, &out->query, &out->value);
    for (int i = 0; i < 3; i++)
        sc_ball_clear(&share[i]);
}

/* AboveThreshold at e compares with variance 2 D^2 (2^2 + 4^2)/e^2, or 2 D^2 (2^2 + 2^2)/e^2
 * when monotone; a value at e has 2 D^2/e^2. */
void sc_sparse_split_run(const sc_ratio *epsilon, bool is_monotone, bool is_numeric,
                         sc_sparse_shares *out)
{
    sc_ratio_set_int64(&out->query, 0);
    sc_ratio_set_int64(&out->value, 0);
    if (is_numeric) {
        sc_ball share[2];
        sc_ball_init(&share[0]);
        sc_ball_init(&share[1]);
        thirds_power(is_monotone ? 8 : 20, 1, SHARE_BITS, &share[0]);
        sc_ball_set_int64(&share[1], 1);
        normalise(share, 2, SHARE_BITS);
        part_of(epsilon, &share[1], &out->value);
        sc_ball_clear(&share[0]);
        sc_ball_clear(&share[1]);
    }
    sc_ratio_sub(&out->threshold, epsilon, &out->value);
}

/* Are count runs of e0 certainly (epsilon, delta)-DP? */
static bool composes(const sc_ratio *e0, const sc_ratio *epsilon, const sc_ratio *delta,
                     uint64_t count)
{
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ball, reached, allowed);
    sc_curve_set_composed(&curve, e0, count);
    sc_curve_delta_upper(&curve, epsilon, SHARE_BITS, &reached);
    sc_ball_set_ratio(&allowed, delta, SHARE_BITS);
    return sc_ball_is_less_equal(&reached, &allowed);
}

/* epsilon n / 2^PER_RUN_PLACES. */
static void fraction_of(const sc_ratio *epsilon, int64_t n, sc_ratio *out)
{
    SC_OWN(sc_ratio, whole);
    sc_ratio_set_int64(out, n);
    sc_ratio_set_int64(&whole, (int64_t)1 << PER_RUN_PLACES);
    sc_ratio_div(out, out, &whole);
    sc_ratio_mul(out, out, epsilon);
}

void sc_sparse_per_run_epsilon(const sc_ratio *epsilon, const sc_ratio *delta,
                               uint64_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor, e0);
    sc_ratio_set_int64(&divisor, (int64_t)count);
    sc_ratio_div(out, epsilon, &divisor);
    if (sc_ratio_sign(delta) > 0 && count > 1) {
        const int64_t whole = (int64_t)1 << PER_RUN_PLACES;
        int64_t yes = whole / (int64_t)count, no = whole + 1;
        while (no - yes > 1) {
            int64_t middle = yes + (no - yes) / 2;
            fraction_of(epsilon, middle, &e0);
            if (composes(&e0, epsilon, delta, count)) {
                yes = middle;
                sc_ratio_set(out, &e0);
            } else {
                no = middle;
            }
        }
    }
}
