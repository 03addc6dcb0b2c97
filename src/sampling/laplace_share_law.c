/* The sum of m of h shares: the difference of two negative binomial numbers of r = m/h,
 *
 *     P(k) = (1-x)^2r x^k sum over j of a_j a_(j+k) x^2j,   a_j = product of (r + i - 1)/i, i = 1..j
 *
 * for k >= 0, x = exp(-1/scale). For r = 1 it is discrete Laplace. */
#include "sampling/decay.h"
#include "sampling/law.h"

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

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
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

static void at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
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
static void variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_spread(&law->shape, bits, out);
    sc_ball_mul_int64(out, out, 2 * (int64_t)parts_of(law), bits);
    sc_ball_div_int64(out, out, (int64_t)shares_of(law), bits);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = SC_INT128_MIN;
    *high = SC_INT128_MAX;
}

const sc_law_functions sc_laplace_share_law = {.is_symmetric = true,
                                               .pmf = pmf,
                                               .at_least = at_least,
                                               .variance = variance,
                                               .support = support};
