/* The laws of Laplace noise on the integers: whole, clamped, truncated, shifted, and shared. */
#include "sampling/law.h"

/* 1 + p */
static void one_plus(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay(&law->shape, 1, bits, out);
    sc_ball_add_int64(out, out, 1, bits);
}

static void discrete_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_decay(&law->shape, k < 0 ? -k : k, bits, out);
    sc_decay_rest(&law->shape, 1, bits, &part);
    sc_ball_mul(out, out, &part, bits);
    one_plus(law, bits, &part);
    sc_ball_div(out, out, &part, bits);
}

/* p^m / (1+p) */
static void discrete_at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    one_plus(law, bits, &part);
    sc_decay(&law->shape, m, bits, out);
    sc_ball_div(out, out, &part, bits);
}

static void discrete_variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_spread(&law->shape, bits, out);
    sc_ball_mul_power2(out, out, 1);
}

static void discrete_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = SC_INT128_MIN;
    *high = SC_INT128_MAX;
}

const sc_law_functions sc_discrete_laplace_law = {.is_symmetric = true,
                                                  .pmf = discrete_pmf,
                                                  .at_least = discrete_at_least,
                                                  .variance = discrete_variance,
                                                  .support = discrete_support};

/* Inside the bound the law is the discrete Laplace's; an end carries its whole tail. */

static void clamped_at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    sc_discrete_laplace_law.at_least(law, m, bits, out);
}

static void clamped_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    if (k == law->bound || k == -law->bound)
        clamped_at_least(law, law->bound, bits, out);
    else
        sc_discrete_laplace_law.pmf(law, k, bits, out);
}

/* 2 P(0) sum over k < B of k^2 p^k, and B^2 for both ends. */
static void clamped_variance(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part, square);
    sc_decay_sum(&law->shape, law->bound - 1, 2, bits, out);
    sc_discrete_laplace_law.pmf(law, 0, bits, &part);
    sc_ball_mul(out, out, &part, bits);
    sc_ball_set_int128(&square, law->bound);
    sc_ball_mul(&square, &square, &square, bits);
    clamped_at_least(law, law->bound, bits, &part);
    sc_ball_mul(&square, &square, &part, bits);
    sc_ball_add(out, out, &square, bits);
    sc_ball_mul_power2(out, out, 1);
}

static void clamped_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = -law->bound;
    *high = law->bound;
}

const sc_law_functions sc_clamped_laplace_law = {.is_symmetric = true,
                                                 .pmf = clamped_pmf,
                                                 .at_least = clamped_at_least,
                                                 .variance = clamped_variance,
                                                 .support = clamped_support};

/* Z = 1 + 2 (p + .. + p^B) */
static void truncated_normaliser(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_sum(&law->shape, law->bound, 0, bits, out);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_add_int64(out, out, -1, bits);
}

static void truncated_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, z);
    truncated_normaliser(law, bits, &z);
    sc_decay(&law->shape, k < 0 ? -k : k, bits, out);
    sc_ball_div(out, out, &z, bits);
}

/* (p^m + .. + p^B) / Z */
static void truncated_at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_decay_sum(&law->shape, law->bound - m, 0, bits, out);
    sc_decay(&law->shape, m, bits, &part);
    sc_ball_mul(out, out, &part, bits);
    truncated_normaliser(law, bits, &part);
    sc_ball_div(out, out, &part, bits);
}

static void truncated_variance(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, z);
    truncated_normaliser(law, bits, &z);
    sc_decay_sum(&law->shape, law->bound, 2, bits, out);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_div(out, out, &z, bits);
}

static void truncated_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = -law->bound;
    *high = law->bound;
}

const sc_law_functions sc_truncated_laplace_law = {.is_symmetric = true,
                                                   .pmf = truncated_pmf,
                                                   .at_least = truncated_at_least,
                                                   .variance = truncated_variance,
                                                   .support = truncated_support};

/* The shape is epsilon; the decays below take the scale 1/epsilon. With i the distance
 * from the centre (from the nearer of the two centres, for odd q), P ~ exp(-epsilon i), i
 * = 0..m. */

static void scale_of(const sc_law *law, sc_ratio *scale)
{
    sc_ratio_init(scale);
    sc_ratio_set_int64(scale, 1);
    sc_ratio_div(scale, scale, &law->shape);
}

/* The sum of exp(-epsilon i) over both sides. */
static void shifted_normaliser(const sc_law *law, const sc_ratio *scale, long bits,
                               sc_ball *out)
{
    sc_decay_sum(scale, law->bound / 2, 0, bits, out);
    sc_ball_mul_power2(out, out, 1);
    if (law->bound % 2 == 0)
        sc_ball_add_int64(out, out, -1, bits);
}

/* i for the value k. */
static sc_int128 distance(const sc_law *law, sc_int128 k)
{
    sc_int128 m = law->bound / 2, right = k + m;
    return right >= 0 ? right : law->bound % 2 == 0 ? -right : -right - 1;
}

static void shifted_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_ratio scale;
    scale_of(law, &scale);
    SC_OWN(sc_ball, z);
    shifted_normaliser(law, &scale, bits, &z);
    sc_decay(&scale, distance(law, k), bits, out);
    sc_ball_div(out, out, &z, bits);
    sc_ratio_clear(&scale);
}

/* From the centre up a geometric sum, below it the rest of the other side. */
static void shifted_at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_int128 m = law->bound / 2;
    bool is_right = k >= -m;
    sc_int128 first = is_right ? k : -law->bound - (k - 1);
    sc_ratio scale;
    scale_of(law, &scale);
    SC_OWN(sc_ball, part);
    sc_decay_sum(&scale, -first, 0, bits, out);
    sc_decay(&scale, distance(law, first), bits, &part);
    sc_ball_mul(out, out, &part, bits);
    shifted_normaliser(law, &scale, bits, &part);
    sc_ball_div(out, out, &part, bits);
    if (!is_right) {
        sc_ball_set_int64(&part, 1);
        sc_ball_sub(out, &part, out, bits);
    }
    sc_ratio_clear(&scale);
}

static void at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    shifted_at_least(law, -law->bound - k, bits, out);
}

static void mean(const sc_law *law, long bits, sc_ball *out)
{
    (void)bits;
    sc_ball_set_int128(out, -law->bound);
    sc_ball_mul_power2(out, out, -1);
}

/* sum of i^2 exp(-epsilon i) over both sides; for odd q of (i + 1/2)^2 = i^2 + i +
 * 1/4. */
static void shifted_variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_ratio scale;
    scale_of(law, &scale);
    SC_OWN(sc_ball, part);
    sc_int128 m = law->bound / 2;
    sc_decay_sum(&scale, m, 2, bits, out);
    if (law->bound % 2 != 0) {
        sc_decay_sum(&scale, m, 1, bits, &part);
        sc_ball_add(out, out, &part, bits);
        sc_decay_sum(&scale, m, 0, bits, &part);
        sc_ball_mul_power2(&part, &part, -2);
        sc_ball_add(out, out, &part, bits);
    }
    sc_ball_mul_power2(out, out, 1);
    shifted_normaliser(law, &scale, bits, &part);
    sc_ball_div(out, out, &part, bits);
    sc_ratio_clear(&scale);
}

static void shifted_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = -law->bound;
    *high = 0;
}

const sc_law_functions sc_shifted_laplace_law = {.pmf = shifted_pmf,
                                                 .at_most = at_most,
                                                 .at_least = shifted_at_least,
                                                 .mean = mean,
                                                 .variance = shifted_variance,
                                                 .support = shifted_support};

/* The sum of m of h shares: the difference of two negative binomial numbers of r = m/h,
 *
 *     P(k) = (1-x)^2r x^k sum over j of a_j a_(j+k) x^2j,   a_j = product of (r + i - 1)/i, i = 1..j
 *
 * for k >= 0, x = exp(-1/scale). For r = 1 it is discrete Laplace. */

static uint64_t parts_of(const sc_law *law)
{
    return (uint64_t)(law->bound / SC_SHARES_BASE);
}

static uint64_t shares_of(const sc_law *law)
{
    return (uint64_t)(law->bound % SC_SHARES_BASE);
}

static bool is_whole(const sc_law *law)
{
    return parts_of(law) == shares_of(law);
}

/* x (r + i - 1)/i: from a_(i-1) x^(i-1) to a_i x^i. */
static void step(const sc_law *law, const sc_ball *x, uint64_t i, long bits,
                 sc_ball *term)
{
    const uint64_t h = shares_of(law);
    sc_ball_mul(term, term, x, bits);
    sc_ball_mul_int64(term, term, (int64_t)(parts_of(law) + (i - 1) * h), bits);
    sc_ball_div_int64(term, term, (int64_t)(i * h), bits);
}

/* (1-x)^2r. */
static void set_scale(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_rest(&law->shape, 1, bits, out);
    sc_ball_log(out, out, bits);
    sc_ball_mul_int64(out, out, 2 * (int64_t)parts_of(law), bits);
    sc_ball_div_int64(out, out, (int64_t)shares_of(law), bits);
    sc_ball_exp(out, out, bits);
}

/* At least what follows a term of a series whose ratios are at most x (1 + r/j) from here on; false
 * where that is not below 1 yet. */
static bool set_rest(const sc_law *law, const sc_ball *x, uint64_t j, const sc_ball *term,
                     long bits, sc_ball *out)
{
    SC_OWN(sc_ball, ratio, gap);
    sc_ball_set_int64(&ratio, (int64_t)parts_of(law));
    sc_ball_div_int64(&ratio, &ratio, (int64_t)(shares_of(law) * (j + 1)), bits);
    sc_ball_add_int64(&ratio, &ratio, 1, bits);
    sc_ball_mul(&ratio, &ratio, x, bits);
    sc_ball_neg(&gap, &ratio);
    sc_ball_add_int64(&gap, &gap, 1, bits);
    if (!sc_ball_is_positive(&gap))
        return false;
    sc_ball_mul(out, term, &ratio, bits);
    sc_ball_div(out, out, &gap, bits);
    return true;
}

static bool is_negligible(const sc_ball *rest, const sc_ball *sum, long bits)
{
    SC_OWN(sc_ball, tiny);
    sc_ball_mul_power2(&tiny, sum, -bits);
    return sc_ball_is_less(rest, &tiny);
}

/* k >= 0. With f_i = a_i x^i, the sum of f_j f_(j+k). */
static void pmf_part(const sc_law *law, uint64_t k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, x, near, far, term, rest);
    sc_decay(&law->shape, 1, bits, &x);
    sc_ball_set_int64(&near, 1);
    sc_ball_set_int64(&far, 1);
    for (uint64_t i = 1; i <= k; i++)
        step(law, &x, i, bits, &far);
    sc_ball_set(out, &far);
    for (uint64_t j = 1;; j++) {
        step(law, &x, j, bits, &near);
        step(law, &x, j + k, bits, &far);
        sc_ball_mul(&term, &near, &far, bits);
        sc_ball_add(out, out, &term, bits);
        /* f_(j+k) falls from where its ratio is below 1, and the product falls faster */
        if (set_rest(law, &x, j, &term, bits, &rest) && is_negligible(&rest, out, bits)) {
            sc_ball_widen(out, &rest);
            break;
        }
    }
    set_scale(law, bits, &term);
    sc_ball_mul(out, out, &term, bits);
}

static void share_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    if (is_whole(law))
        sc_discrete_laplace_law.pmf(law, k, bits, out);
    else
        pmf_part(law, (uint64_t)(k < 0 ? -k : k), bits, out);
}

/* The sum of f_j (f_(j+k) + f_(j+k+1) + ...), from its end. */
static void tail_part(const sc_law *law, uint64_t k, uint64_t last, const sc_ball *f,
                      const sc_ball *beyond, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, tail, term);
    sc_ball_set(&tail, beyond);
    sc_ball_set_int64(out, 0);
    for (uint64_t i = last + 1; i-- > k;) {
        sc_ball_add(&tail, &tail, &f[i], bits);
        sc_ball_mul(&term, &tail, &f[i - k], bits);
        sc_ball_add(out, out, &term, bits);
    }
    set_scale(law, bits, &term);
    sc_ball_mul(out, out, &term, bits);
}

/* How many f there are until the rest of them weighs less than 2^-bits of the first after k. */
static uint64_t find_last(const sc_law *law, const sc_ball *x, uint64_t k, long bits,
                          sc_ball *beyond)
{
    SC_OWN(sc_ball, f, first);
    uint64_t i = 0;
    sc_ball_set_int64(&f, 1);
    sc_ball_set_int64(&first, 1);
    do {
        step(law, x, ++i, bits, &f);
        if (i == k)
            sc_ball_set(&first, &f);
    } while (i <= k || !set_rest(law, x, i, &f, bits, beyond) ||
             !is_negligible(beyond, &first, bits));
    return i;
}

static void share_at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    if (is_whole(law)) {
        sc_discrete_laplace_law.at_least(law, k, bits, out);
        return;
    }
    SC_OWN(sc_ball, x, beyond, low);
    /* Far out it is below that of the geometric number: f_i <= x^i for r <= 1. */
    sc_decay(&law->shape, 1, bits, &x);
    const uint64_t last = find_last(law, &x, (uint64_t)k, bits, &beyond);
    sc_ball *f = sc_balls_new((size_t)last + 1);
    if (f == NULL) { /* says nothing, but holds */
        sc_ball_set_int64(out, 1);
        sc_ball_set_union(out, out, &low, bits);
        return;
    }
    sc_ball_set_int64(&f[0], 1);
    for (uint64_t i = 1; i <= last; i++) {
        sc_ball_set(&f[i], &f[i - 1]);
        step(law, &x, i, bits, &f[i]);
    }
    tail_part(law, (uint64_t)k, last, f, &low, bits,
              out); /* nothing beyond: a lower end */
    tail_part(law, (uint64_t)k, last, f, &beyond, bits, &low);
    sc_balls_free(f, (size_t)last + 1);
    /* f_j for j beyond last - k, too: at most all of the negative binomial, 1, times beyond */
    sc_ball_add(&low, &low, &beyond, bits);
    sc_ball_set_union(out, out, &low, bits);
    sc_ball_cut_unit(out);
}

/* r times that of discrete Laplace. */
static void share_variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_spread(&law->shape, bits, out);
    sc_ball_mul_int64(out, out, 2 * (int64_t)parts_of(law), bits);
    sc_ball_div_int64(out, out, (int64_t)shares_of(law), bits);
}

static void share_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = SC_INT128_MIN;
    *high = SC_INT128_MAX;
}

const sc_law_functions sc_laplace_share_law = {.is_symmetric = true,
                                               .pmf = share_pmf,
                                               .at_least = share_at_least,
                                               .variance = share_variance,
                                               .support = share_support};
