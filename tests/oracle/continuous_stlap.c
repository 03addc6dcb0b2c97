#include "continuous_stlap.h"

static void set_int64_ratio(sc_ratio *out, int64_t above, int64_t below)
{
    sc_ratio divisor;
    sc_ratio_init(&divisor);
    sc_ratio_set_int64(&divisor, below);
    sc_ratio_set_int64(out, above);
    sc_ratio_div(out, out, &divisor);
    sc_ratio_clear(&divisor);
}

/* expm1(epsilon x). */
static void expm1_of(const sc_ball *epsilon, const sc_ball *x, long bits, sc_ball *out)
{
    sc_ball_mul(out, epsilon, x, bits);
    sc_ball_expm1(out, out, bits);
}

/* expm1(epsilon x) / (2 expm1(epsilon q/2)): the mass of an end of length x, up to q/2. */
static void end_mass(const sc_ball *epsilon, const sc_ball *q, const sc_ball *x,
                     long bits, sc_ball *out)
{
    sc_ball half, below;
    sc_ball_init(&half);
    sc_ball_init(&below);
    sc_ball_mul_power2(&half, q, -1);
    expm1_of(epsilon, &half, bits, &below);
    sc_ball_mul_power2(&below, &below, 1);
    expm1_of(epsilon, x, bits, out);
    sc_ball_div(out, out, &below, bits);
    sc_ball_clear(&below);
    sc_ball_clear(&half);
}

/* From the nearer end: z + q of the lower one, -z of the upper. */
void continuous_stlap_at_most(const sc_ball *epsilon, const sc_ratio *q,
                              const sc_ratio *z, long bits, sc_ball *out)
{
    sc_ratio low, high;
    sc_ball length, x;
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    sc_ball_init(&length);
    sc_ball_init(&x);
    sc_ratio_add(&low, z, q);
    sc_ratio_sub(&high, &high, z);
    const bool is_lower = sc_ratio_compare(&low, &high) <= 0;
    if (sc_ratio_sign(&low) <= 0 || sc_ratio_sign(&high) <= 0) {
        sc_ball_set_int64(out, sc_ratio_sign(&low) > 0);
    } else {
        sc_ball_set_ratio(&length, q, bits);
        sc_ball_set_ratio(&x, is_lower ? &low : &high, bits);
        end_mass(epsilon, &length, &x, bits, out);
        if (!is_lower) {
            sc_ball_neg(out, out);
            sc_ball_add_int64(out, out, 1, bits);
        }
    }
    sc_ball_clear(&x);
    sc_ball_clear(&length);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
}

void continuous_stlap_rounded(const sc_ball *epsilon, const sc_ratio *q, uint64_t lost,
                              long bits, sc_ball *out)
{
    sc_ratio edge, one;
    sc_ball below;
    sc_ratio_init(&edge);
    sc_ratio_init(&one);
    sc_ball_init(&below);
    set_int64_ratio(&edge, 1 - 2 * (int64_t)lost, 2);
    sc_ratio_set_int64(&one, 1);
    continuous_stlap_at_most(epsilon, q, &edge, bits, out);
    sc_ratio_sub(&edge, &edge, &one);
    continuous_stlap_at_most(epsilon, q, &edge, bits, &below);
    sc_ball_sub(out, out, &below, bits);
    sc_ball_clear(&below);
    sc_ratio_clear(&one);
    sc_ratio_clear(&edge);
}

void continuous_stlap_delta(const sc_ball *epsilon, const sc_ratio *q, long bits,
                            sc_ball *out)
{
    sc_ratio edge;
    sc_ratio_init(&edge);
    if (sc_ratio_compare_int64(q, 2) >= 0) { /* P(Z > -1), from its own end */
        sc_ball length;
        sc_ball_init(&length);
        sc_ball_set_ratio(&length, q, bits);
        continuous_stlap_formula(epsilon, &length, bits, out);
        sc_ball_clear(&length);
    } else {
        sc_ratio_set_int64(&edge, -1);
        continuous_stlap_at_most(epsilon, q, &edge, bits, out);
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 1, bits);
    }
    sc_ratio_clear(&edge);
}

void continuous_stlap_formula(const sc_ball *epsilon, const sc_ball *q, long bits,
                              sc_ball *out)
{
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    end_mass(epsilon, q, &one, bits, out);
    sc_ball_clear(&one);
}

/* (2/epsilon) log1p(expm1(epsilon) / (2 delta)). */
void continuous_stlap_q(const sc_ball *epsilon, const sc_ball *delta, long bits,
                        sc_ball *out)
{
    sc_ball_expm1(out, epsilon, bits);
    sc_ball_div(out, out, delta, bits);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_log1p(out, out, bits);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_div(out, out, epsilon, bits);
}

void continuous_stlap_published(uint64_t q, long bits, sc_ball *epsilon, sc_ball *delta)
{
    sc_ball root;
    sc_ball_init(&root);
    sc_ball_set_int128(&root, (sc_int128)q);
    sc_ball_sqrt(&root, &root, bits);
    sc_ball_set_int64(epsilon, 1);
    sc_ball_div(epsilon, epsilon, &root, bits);
    sc_ball_mul_power2(delta, &root, -1);
    sc_ball_neg(delta, delta);
    sc_ball_exp(delta, delta, bits);
    sc_ball_mul_power2(delta, delta, 2);
    sc_ball_mul(delta, delta, epsilon, bits);
    sc_ball_clear(&root);
}

/* ln((1 - e^(-epsilon q/2)) / (1 - e^(-epsilon q'/2))). */
static void centre_loss(const sc_ball *epsilon, const sc_ball *q, const sc_ball *smaller,
                        long bits, sc_ball *out)
{
    sc_ball below;
    sc_ball_init(&below);
    sc_ball_mul_power2(out, q, -1);
    sc_ball_neg(out, out);
    expm1_of(epsilon, out, bits, out);
    sc_ball_mul_power2(&below, smaller, -1);
    sc_ball_neg(&below, &below);
    expm1_of(epsilon, &below, bits, &below);
    sc_ball_div(out, out, &below, bits);
    sc_ball_log(out, out, bits);
    sc_ball_clear(&below);
}

/* With t bars, alpha = tau t, q' = tau n and q = q' + tau:
 * epsilon' = epsilon (1 - tau + alpha/2) + t centre_loss,
 * delta' = delta(q') + (t-1) expm1(epsilon tau) / (2 expm1(epsilon q/2)). */
void continuous_stlap_corrected(const sc_ball *epsilon, const sc_ratio *tau, uint64_t n,
                                uint64_t bars, long bits, sc_ball *epsilon_out,
                                sc_ball *delta_out)
{
    sc_ball part, smaller, q, x;
    sc_ball_init(&part);
    sc_ball_init(&smaller);
    sc_ball_init(&q);
    sc_ball_init(&x);
    sc_ball_set_ratio(&part, tau, bits);
    sc_ball_mul_int64(&smaller, &part, (int64_t)n, bits);
    sc_ball_add(&q, &smaller, &part, bits);
    centre_loss(epsilon, &q, &smaller, bits, epsilon_out);
    sc_ball_mul_int64(epsilon_out, epsilon_out, (int64_t)bars, bits);
    sc_ball_mul_int64(&x, &part, (int64_t)bars - 2, bits);
    sc_ball_mul_power2(&x, &x, -1);
    sc_ball_add_int64(&x, &x, 1, bits);
    sc_ball_mul(&x, &x, epsilon, bits);
    sc_ball_add(epsilon_out, epsilon_out, &x, bits);
    continuous_stlap_formula(epsilon, &smaller, bits, delta_out);
    end_mass(epsilon, &q, &part, bits, &x);
    sc_ball_mul_int64(&x, &x, (int64_t)bars - 1, bits);
    sc_ball_add(delta_out, delta_out, &x, bits);
    sc_ball_clear(&x);
    sc_ball_clear(&q);
    sc_ball_clear(&smaller);
    sc_ball_clear(&part);
}
