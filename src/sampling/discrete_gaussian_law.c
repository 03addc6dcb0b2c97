#include "sampling/discrete_gaussian_law.h"

#include "base/memory.h"
#include "sampling/law.h"

/* 1/(2 variance) */
static void tau_of(const sc_ratio *variance, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, twice);
    sc_ball_set_ratio(&twice, variance, bits);
    sc_ball_mul_power2(&twice, &twice, 1);
    sc_ball_set_int64(out, 1);
    sc_ball_div(out, out, &twice, bits);
}

/* exp(-tau k^2) */
static void term(const sc_ball *tau, sc_int128 k, long bits, sc_ball *out)
{
    sc_ball_set_int128(out, k);
    sc_ball_mul(out, out, out, bits + 256);
    sc_ball_mul(out, out, tau, bits + 192);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, bits);
}

/* Theta. */

/* weight: the sum of exp(-tau k^2) (order 0) or k^2 exp(-tau k^2) (order 2) over k >= 1,
 * for a tau of at least 1/2. From k = n on, consecutive terms shrink at least by e^-1, so
 * that what is left out is at most twice its first term. */
static void short_sum(const sc_ball *tau, int order, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part, tiny);
    sc_ball_set_int64(&tiny, 1);
    sc_ball_mul_power2(&tiny, &tiny, -bits - 10);
    sc_ball_set_int64(out, 0);
    for (int64_t k = 1;; k++) {
        term(tau, k, bits, &part);
        if (order == 2)
            sc_ball_mul_int64(&part, &part, k * k, bits);
        /* From k = 4 on the ratio of terms is below ((k+1)/k)^2 exp(-(2k+1)/2) < 1/2. */
        if (k >= 4 && (sc_ball_is_less(&part, &tiny) || k > 4096)) {
            sc_ball_mul_power2(&part, &part, 1);
            sc_ball_widen(out, &part);
            break;
        }
        sc_ball_add(out, out, &part, bits);
    }
}

/* pi^2 / tau */
static void dual(const sc_ball *tau, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, square);
    sc_ball_set_pi(&square, bits);
    sc_ball_mul(&square, &square, &square, bits);
    sc_ball_div(out, &square, tau, bits);
}

static bool is_direct(const sc_ball *tau)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    return sc_ball_is_less(&one, tau);
}

void sc_theta(const sc_ball *tau, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, other);
    bool direct = is_direct(tau);
    sc_ball_set(&other, tau);
    if (!direct)
        dual(tau, bits + 32, &other);
    short_sum(&other, 0, bits, out);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_add_int64(out, out, 1, bits);
    if (!direct) { /* sqrt(pi/tau) = sqrt(other/pi) */
        SC_OWN(sc_ball, pi);
        sc_ball_set_pi(&pi, bits + 32);
        sc_ball_div(&other, &other, &pi, bits + 32);
        sc_ball_sqrt(&other, &other, bits + 32);
        sc_ball_mul(out, out, &other, bits);
    }
}

/* Tails. */

void sc_gaussian_tail_by_terms(const sc_ratio *variance, sc_int128 m, long bits,
                               sc_ball *out)
{
    /* A step widens ratio and term by a few parts of 2^-wide, and 2^24 steps are more than it takes. */
    const long wide = bits + 64;
    bool is_enough = false;
    SC_OWN(sc_ball, tau, part, ratio, fall, tiny, rest);
    tau_of(variance, bits + 256, &tau);
    /* Terms shrink from k to k+1 by exp(-tau (2k+1)), and that shrinks by exp(-2 tau): what is left
     * out after a term t with ratio r is at most t r / (1-r). */
    term(&tau, m, wide, &part);
    sc_ball_mul_power2(&tiny, &part, -bits - 10);
    sc_ball_set_int128(&ratio, -(2 * m + 1));
    sc_ball_mul(&ratio, &ratio, &tau, bits + 192);
    sc_ball_exp(&ratio, &ratio, wide);
    sc_ball_mul_int64(&fall, &tau, -2, bits + 192);
    sc_ball_exp(&fall, &fall, wide);
    sc_ball_set(out, &part);
    while (!is_enough) {
        sc_ball_mul(&part, &part, &ratio, wide);
        sc_ball_add(out, out, &part, wide);
        const bool is_zero = !sc_ball_is_positive(&part);
        if (is_zero || sc_ball_is_less(&part, &tiny)) {
            sc_ball_set_int64(&rest, 1);
            sc_ball_sub(&rest, &rest, &ratio, bits);
            sc_ball_div(&rest, &part, &rest, bits);
            is_enough = is_zero || sc_ball_is_less(&rest, &tiny);
        }
        sc_ball_mul(&ratio, &ratio, &fall, wide);
    }
    sc_ball_widen(out, &rest);
}

/* B_2j/(2j)! sigma^-(2j-1) He_(2j-1)(u) summed over j = 1..terms, u = m/sigma; the
 * Hermite polynomials by He_(n+1) = u He_n - n He_(n-1). */
static void corrections(const sc_ball *sigma, const sc_ball *u, uint64_t terms, long bits,
                        sc_ball *out)
{
    SC_OWN(sc_ball, before, now, next, part);
    sc_ball_set_int64(&before, 1); /* He_0 */
    sc_ball_set(&now, u);          /* He_1 */
    sc_ball_set_int64(out, 0);
    for (uint64_t n = 1; n < 2 * terms; n++) {
        if (n % 2 == 1) {
            sc_ball_bernoulli(&part, n + 1, bits);
            sc_ball_mul(&part, &part, &now, bits);
            sc_ball_factorial(&next, n + 1, bits);
            sc_ball_div(&part, &part, &next, bits);
            sc_ball_power(&next, sigma, n, bits);
            sc_ball_div(&part, &part, &next, bits);
            sc_ball_add(out, out, &part, bits);
        }
        sc_ball_mul(&next, u, &now, bits);
        sc_ball_mul_int64(&before, &before, (int64_t)n, bits);
        sc_ball_sub(&next, &next, &before, bits);
        sc_ball_set(&before, &now);
        sc_ball_set(&now, &next);
    }
}

/* 4 (2 pi)^-n sigma^(1-n) sqrt(2 pi n! Q), n = 2 terms, Q the normal tail at u: the
 * remainder of Euler and Maclaurin is at most 2 zeta(n)/(2 pi)^n times the integral of
 * |f^(n)|, and by Cauchy and Schwarz that of |He_n(v)| exp(-v^2/2) over v >= u is at most
 * sqrt(2 pi n!) sqrt(Q). */
static void remainder_bound(const sc_ball *sigma, const sc_ball *normal_tail,
                            uint64_t terms, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, pi, part);
    sc_ball_set_pi(&pi, bits);
    sc_ball_mul_power2(&pi, &pi, 1);
    sc_ball_factorial(out, 2 * terms, bits);
    sc_ball_mul(out, out, normal_tail, bits);
    sc_ball_mul(out, out, &pi, bits);
    sc_ball_sqrt(out, out, bits);
    sc_ball_mul(out, out, sigma, bits);
    sc_ball_mul(&part, &pi, sigma, bits);
    sc_ball_power(&part, &part, 2 * terms, bits);
    sc_ball_div(out, out, &part, bits);
    sc_ball_mul_power2(out, out, 2);
}

void sc_gaussian_tail_by_integral(const sc_ratio *variance, sc_int128 m, long bits,
                                  sc_ball *out)
{
    SC_OWN(sc_ball, sigma, u, part, normal);
    uint64_t terms = 16 + (uint64_t)bits / 16;
    long wide = 2 * bits + 256;
    sc_ball_set_ratio(&sigma, variance, wide);
    sc_ball_sqrt(&sigma, &sigma, wide);
    sc_ball_set_int128(&u, m);
    sc_ball_div(&u, &u, &sigma, wide);

    /* sigma sqrt(pi/2) erfc(u/sqrt 2), and Q = erfc(u/sqrt 2)/2 */
    sc_ball_set_int64(&part, 2);
    sc_ball_sqrt(&part, &part, wide);
    sc_ball_div(&normal, &u, &part, wide);
    sc_ball_erfc(&normal, &normal, wide);
    sc_ball_set_pi(out, wide);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_sqrt(out, out, wide);
    sc_ball_mul(out, out, &sigma, wide);
    sc_ball_mul(out, out, &normal, wide);
    sc_ball_mul_power2(&normal, &normal, -1);

    /* (1/2 + corrections) exp(-u^2/2) */
    SC_OWN(sc_ball, half);
    sc_ball_set_int64(&half, 1);
    sc_ball_mul_power2(&half, &half, -1);
    corrections(&sigma, &u, terms, wide, &part);
    sc_ball_add(&part, &part, &half, wide);
    sc_ball_mul(&u, &u, &u, wide);
    sc_ball_mul_power2(&u, &u, -1);
    sc_ball_neg(&u, &u);
    sc_ball_exp(&u, &u, wide);
    sc_ball_mul(&part, &part, &u, wide);
    sc_ball_add(out, out, &part, bits);
    remainder_bound(&sigma, &normal, terms, 64, &part);
    sc_ball_widen(out, &part);
}

/* The law. */

/* Far out the remainder is large against the tail; more terms make it small again, since
 * sigma is above 64 here and the series falls for some 40 sigma^2 terms. */
static void tail_by_integral(const sc_ratio *variance, sc_int128 m, long bits,
                             sc_ball *out)
{
    for (long more = bits; more <= 64 * bits; more *= 2) {
        sc_gaussian_tail_by_integral(variance, m, more, out);
        if (sc_ball_is_accurate(out, bits - 8))
            break;
    }
}

/* Between its first term t and t/(1-r), r the ratio of the first two: terms shrink ever faster. */
static void tail_by_ends(const sc_ratio *variance, sc_int128 m, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, tau, first, rest);
    tau_of(variance, bits + 256, &tau);
    term(&tau, m, bits, &first);
    sc_ball_set_int128(&rest, -(2 * m + 1));
    sc_ball_mul(&rest, &rest, &tau, bits + 192);
    sc_ball_expm1(&rest, &rest, bits);
    sc_ball_neg(&rest, &rest);
    sc_ball_div(&rest, &first, &rest, bits);
    sc_ball_set_union(out, &first, &rest, bits);
}

/* m >= 256 sigma: the tail is below 10^-14000. */
static bool is_beyond_sense(const sc_ratio *variance, sc_int128 m)
{
    SC_OWN(sc_ratio, square, edge);
    SC_OWN(sc_integer, wide, one);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_int128(&wide, m);
    sc_integer_mul(&wide, &wide, &wide);
    sc_ratio_set_fraction(&square, &wide, &one);
    sc_ratio_set_int64(&edge, 65536);
    sc_ratio_mul(&edge, &edge, variance);
    return sc_ratio_compare(&square, &edge) >= 0;
}

/* By terms where they are few: sigma up to 64, or m so far out that they shrink fast. Where
 * neither terms nor integral are cheap, the ends enclose it. */
static void tail(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    sc_int128 limit;
    SC_OWN(sc_ratio, edge);
    SC_OWN(sc_integer, far);
    sc_ratio_set_int64(&edge, 64);
    sc_ratio_div(&edge, &law->shape, &edge);
    sc_ratio_ceil(&edge, &far);
    bool is_far = sc_integer_get_int128(&far, &limit) && m >= limit;
    if (is_far || sc_ratio_compare_int64(&law->shape, 4096) <= 0)
        sc_gaussian_tail_by_terms(&law->shape, m, bits, out);
    else if (is_beyond_sense(&law->shape, m))
        tail_by_ends(&law->shape, m, bits, out);
    else
        tail_by_integral(&law->shape, m, bits, out);
}

static void normaliser(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, tau);
    tau_of(&law->shape, bits + 64, &tau);
    sc_theta(&tau, bits, out);
}

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    tau_of(&law->shape, bits + 256, &part);
    term(&part, k, bits, out);
    normaliser(law, bits, &part);
    sc_ball_div(out, out, &part, bits);
}

static void at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    tail(law, m, bits, out);
    normaliser(law, bits, &part);
    sc_ball_div(out, out, &part, bits);
}

/* Directly 2 sum k^2 exp(-tau k^2) / theta; for a wide law by Poisson's formula, with
 * w = pi^2/tau and the sums over k >= 1:
 * variance (1 + 2 sum (1 - 2 w k^2) exp(-w k^2)) / (1 + 2 sum exp(-w k^2)). */
static void variance(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, tau, zero, two);
    tau_of(&law->shape, bits + 64, &tau);
    bool direct = is_direct(&tau);
    if (!direct)
        dual(&tau, bits + 64, &tau);
    short_sum(&tau, 0, bits, &zero);
    short_sum(&tau, 2, bits, &two);
    if (direct) {
        sc_ball_set(out, &two);
        sc_ball_mul_power2(out, out, 1);
    } else {
        sc_ball_mul(&two, &two, &tau, bits);
        sc_ball_mul_power2(&two, &two, 1);
        sc_ball_sub(out, &zero, &two, bits);
        sc_ball_mul_power2(out, out, 1);
        sc_ball_add_int64(out, out, 1, bits);
        sc_ball_set_ratio(&two, &law->shape, bits);
        sc_ball_mul(out, out, &two, bits);
    }
    sc_ball_mul_power2(&zero, &zero, 1);
    sc_ball_add_int64(&zero, &zero, 1, bits);
    sc_ball_div(out, out, &zero, bits);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = SC_INT128_MIN;
    *high = SC_INT128_MAX;
}

const sc_law_functions sc_discrete_gaussian_law = {.is_symmetric = true,
                                                   .pmf = pmf,
                                                   .at_least = at_least,
                                                   .variance = variance,
                                                   .support = support};

#define BITS 320L
#define CUT_BITS                                                                         \
    300 /* the law of one draw is cut where less than 2^-CUT_BITS is beyond */
#define KAPPA_PLACES 160
#define LISTED_VARIANCE 4
#define LEAST_PART 16 /* variances of listed sums are at least 1/16 */

bool sc_gaussian_sum_excess(const sc_ratio *sum_variance, uint64_t draws, long bits,
                            sc_ball *out)
{
    SC_OWN(sc_ball, error, half);
    sc_ball_set_pi(&error, bits);
    sc_ball_mul(&error, &error, &error, bits);
    sc_ball_set_ratio(&half, sum_variance, bits);
    sc_ball_mul(&error, &error, &half, bits);
    sc_theta(&error, bits, &error);
    sc_ball_power(&error, &error, draws, bits);
    sc_ball_add_int64(&error, &error, -1, bits);
    sc_ball_set_int64(&half, 1);
    sc_ball_mul_power2(&half, &half, -1);
    const bool is_small = sc_ball_is_less(&error, &half);
    sc_ball_add_int64(out, &error, 1, bits);
    sc_ball_neg(&error, &error);
    sc_ball_add_int64(&error, &error, 1, bits);
    sc_ball_div(out, out, &error, bits);
    return is_small;
}

/* ---- the weights ---- */

/* exp(k^2 / (2 s v)), or with sign = -1 its inverse. */
static void bell(const sc_gaussian_sum *sum, sc_int128 k, int64_t sign, long bits,
                 sc_ball *out)
{
    SC_OWN(sc_ball, twice);
    sc_ball_set_ratio(&twice, &sum->whole.shape, bits + 64);
    sc_ball_mul_power2(&twice, &twice, 1);
    sc_ball_set_int128(out, k);
    sc_ball_mul(out, out, out, bits + 256);
    sc_ball_div(out, out, &twice, bits + 64);
    sc_ball_mul_int64(out, out, sign, bits + 64);
    sc_ball_exp(out, out, bits);
}

/* next(k) = sum over |x| <= radius of one(|x|) last(|k - x|), for k >= 0; last has `places`
 * places. */
static void convolve(const sc_ball *one, size_t radius, const sc_ball *last,
                     size_t places, sc_ball *next)
{
    for (size_t k = 0; k < places + radius; k++) {
        sc_ball_set_int64(&next[k], 0);
        for (size_t x = 0; x <= radius; x++) {
            const size_t near = k > x ? k - x : x - k, far = k + x;
            SC_OWN(sc_ball, part, both);
            if (near < places)
                sc_ball_set(&both, &last[near]);
            if (x > 0 && far < places)
                sc_ball_add(&both, &both, &last[far], BITS);
            sc_ball_mul(&part, &both, &one[x], BITS);
            sc_ball_add(&next[k], &next[k], &part, BITS);
        }
    }
}

/* c(r) = P(S = r) exp(r^2 / (2 s v)) for |r| <= s/2. The draws beyond the cut add at most `missing`. */
static void set_weights(sc_gaussian_sum *sum, const sc_ball *law, const sc_ball *missing)
{
    SC_OWN(sc_ball, end, factor);
    for (uint64_t r = 0; r < sum->draws; r++) {
        const uint64_t near = r <= sum->draws - r ? r : sum->draws - r;
        sc_ball_add(&end, &law[near], missing, BITS);
        sc_ball_set_union(&end, &law[near], &end, BITS);
        bell(sum, (sc_int128)near, 1, BITS, &factor);
        sc_ball_mul(&sum->weights[r], &end, &factor, BITS);
    }
}

static void convolve_all(sc_gaussian_sum *sum, size_t radius, sc_ball *one, sc_ball *law,
                         sc_ball *next)
{
    SC_OWN(sc_ball, missing);
    for (size_t x = 0; x <= radius; x++) {
        sc_law_pmf(&sum->one, (sc_int128)x, BITS, &one[x]);
        sc_ball_set(&law[x], &one[x]);
    }
    for (uint64_t s = 1; s < sum->draws; s++) {
        const size_t places = s * radius + 1;
        convolve(one, radius, law, places, next);
        for (size_t k = 0; k < places + radius; k++)
            sc_ball_set(&law[k], &next[k]);
    }
    sc_law_at_least(&sum->one, (sc_int128)radius + 1, BITS, &missing);
    sc_ball_mul_int64(&missing, &missing, 2 * (int64_t)sum->draws, BITS);
    set_weights(sum, law, &missing);
}

static scrim_status list_weights(sc_gaussian_sum *sum, scrim_error *error)
{
    sc_int128 radius = 0;
    SC_OWN(sc_ratio, beyond);
    SC_OWN(sc_integer, unit);
    sc_integer_set_int128(&unit, 1);
    sc_ratio_set_dyadic(&beyond, &unit, CUT_BITS);
    scrim_status status = sc_law_radius(&sum->one, &beyond, &radius, error);
    if (status != SCRIM_OK)
        return status;
    const size_t room = (size_t)radius * sum->draws + 1;
    sc_ball *one = sc_balls_new((size_t)radius + 1), *law = sc_balls_new(room),
            *next = sc_balls_new(room);
    sum->weights = sc_balls_new(sum->draws);
    if (one == NULL || law == NULL || next == NULL || sum->weights == NULL)
        status = sc_no_memory(error, "a distribution");
    else
        convolve_all(sum, (size_t)radius, one, law, next);
    sc_balls_free(next, room);
    sc_balls_free(law, room);
    sc_balls_free(one, (size_t)radius + 1);
    return status;
}

/* ---- kappa ---- */

/* ln of the largest weight over the smallest: G has the same factor at every k. */
static bool listed_kappa(sc_gaussian_sum *sum)
{
    SC_OWN(sc_ball, ratio, most);
    sc_ball_set_int64(&most, 0);
    for (uint64_t i = 0; i < sum->draws; i++)
        for (uint64_t j = 0; j < sum->draws; j++) {
            sc_ball_div(&ratio, &sum->weights[i], &sum->weights[j], BITS);
            sc_ball_log(&ratio, &ratio, BITS);
            sc_ball_set_upper(&ratio, &ratio, BITS);
            if (sc_ball_is_less(&most, &ratio))
                sc_ball_set(&most, &ratio);
        }
    return sc_ball_round_up(&most, KAPPA_PLACES, &sum->kappa);
}

static bool close_kappa(sc_gaussian_sum *sum)
{
    SC_OWN(sc_ball, kappa);
    if (!sc_gaussian_sum_excess(&sum->one.shape, sum->draws, BITS, &kappa))
        return false;
    sc_ball_log(&kappa, &kappa, BITS);
    return sc_ball_round_up(&kappa, KAPPA_PLACES, &sum->kappa);
}

static bool is_listed(const sc_ratio *sum_variance, uint64_t draws)
{
    SC_OWN(sc_ratio, least);
    sc_ratio_set_quotient(&least, 1, LEAST_PART);
    return draws > 1 && draws <= SC_GAUSSIAN_SUM_LISTED &&
           sc_ratio_compare_int64(sum_variance, LISTED_VARIANCE) <= 0 &&
           sc_ratio_compare(sum_variance, &least) >= 0;
}

static scrim_status find(sc_gaussian_sum *sum, scrim_error *error)
{
    bool is_found = true;
    scrim_status status = SCRIM_OK;
    if (is_listed(&sum->one.shape, sum->draws)) {
        status = list_weights(sum, error);
        is_found = status != SCRIM_OK || listed_kappa(sum);
    } else if (sum->draws > 1) {
        is_found = close_kappa(sum);
    }
    if (!is_found)
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "the variance of a share is too small for a sum of %llu; choose "
                         "a finer grid or a larger variance",
                         (unsigned long long)sum->draws);
    return status;
}

scrim_status sc_gaussian_sum_new(const sc_ratio *sum_variance, uint64_t draws,
                                 sc_gaussian_sum **out, scrim_error *error)
{
    SC_OWN(sc_ratio, all);
    sc_gaussian_sum *sum = sc_allocate(1, sizeof *sum);
    if (sum == NULL)
        return sc_no_memory(error, "a distribution");
    sum->draws = draws;
    sc_ratio_init(&sum->kappa);
    sc_ratio_set_int128(&all, (sc_int128)draws);
    sc_ratio_mul(&all, &all, sum_variance);
    sc_law_init(&sum->one, &sc_discrete_gaussian_law, sum_variance, 0);
    sc_law_init(&sum->whole, &sc_discrete_gaussian_law, &all, 0);
    const scrim_status status = find(sum, error);
    if (status == SCRIM_OK)
        *out = sum;
    else
        sc_gaussian_sum_free(sum);
    return status;
}

void sc_gaussian_sum_free(sc_gaussian_sum *sum)
{
    if (sum == NULL)
        return;
    sc_balls_free(sum->weights, sum->draws);
    sc_law_clear(&sum->whole);
    sc_law_clear(&sum->one);
    sc_ratio_clear(&sum->kappa);
    sc_free(sum);
}

/* ---- the law ---- */

/* All that lies within a factor of exp(kappa) of it. */
static void spread(const sc_gaussian_sum *sum, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, factor, high);
    if (sc_ratio_sign(&sum->kappa) == 0)
        return;
    sc_ball_set_ratio(&factor, &sum->kappa, bits);
    sc_ball_exp(&factor, &factor, bits);
    sc_ball_mul(&high, out, &factor, bits);
    sc_ball_div(out, out, &factor, bits);
    sc_ball_set_union(out, out, &high, bits);
}

/* exp(-k^2 / (2 s v)) c(k), k >= 0. */
static void listed_pmf(const sc_gaussian_sum *sum, sc_int128 k, long bits, sc_ball *out)
{
    bell(sum, k, -1, bits, out);
    sc_ball_mul(out, out, &sum->weights[k % (sc_int128)sum->draws], bits);
}

static void sum_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    const sc_gaussian_sum *sum = law->context;
    if (sum->weights != NULL) {
        listed_pmf(sum, k < 0 ? -k : k, bits, out);
        return;
    }
    sc_law_pmf(&sum->whole, k, bits, out);
    spread(sum, bits, out);
}

/* Terms until the rest, at most exp(kappa) times the tail of G, is less than 2^-bits of them. */
static void listed_tail(const sc_gaussian_sum *sum, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, term, rest, tiny);
    const sc_int128 step = 1 + (sc_int128)sum->draws;
    bool is_enough = false;
    sc_ball_set_int64(out, 0);
    while (!is_enough) {
        for (sc_int128 i = 0; i < step; i++, k++) {
            listed_pmf(sum, k, bits, &term);
            sc_ball_add(out, out, &term, bits);
        }
        sc_law_at_least(&sum->whole, k, 64, &rest);
        spread(sum, 64, &rest);
        sc_ball_mul_power2(&tiny, out, -bits);
        is_enough = sc_ball_is_less(&rest, &tiny);
    }
    sc_ball_add(&rest, &rest, out, bits);
    sc_ball_set_union(out, out, &rest, bits);
}

static void sum_at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    const sc_gaussian_sum *sum = law->context;
    if (sum->weights != NULL) {
        listed_tail(sum, k, bits, out);
        return;
    }
    sc_law_at_least(&sum->whole, k, bits, out);
    spread(sum, bits, out);
}

static void sum_variance(const sc_law *law, long bits, sc_ball *out)
{
    const sc_gaussian_sum *sum = law->context;
    sc_law_variance(&sum->one, bits, out);
    sc_ball_mul_int64(out, out, (int64_t)sum->draws, bits);
}

const sc_law_functions sc_gaussian_sum_law = {.is_symmetric = true,
                                              .pmf = sum_pmf,
                                              .at_least = sum_at_least,
                                              .variance = sum_variance,
                                              .support = support};
