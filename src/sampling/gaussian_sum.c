#include "sampling/gaussian_sum.h"

#include "base/memory.h"
#include "sampling/discrete_gaussian_law.h"

#define BITS 320L
#define CUT_BITS                                                                         \
    300 /* the law of one draw is cut where less than 2^-CUT_BITS is beyond */
#define KAPPA_PLACES 160
#define LISTED_VARIANCE 4
#define LEAST_PART 16 /* variances of listed sums are at least 1/16 */

bool sc_gaussian_sum_excess(const sc_ratio *variance, uint64_t draws, long bits,
                            sc_ball *out)
{
    SC_OWN(sc_ball, error, half);
    sc_ball_set_pi(&error, bits);
    sc_ball_mul(&error, &error, &error, bits);
    sc_ball_set_ratio(&half, variance, bits);
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

/* next(k) = sum over |x| <= radius of one(|x|) last(|k - x|), for k >= 0; last has so many places. */
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

static bool is_listed(const sc_ratio *variance, uint64_t draws)
{
    SC_OWN(sc_ratio, least);
    sc_ratio_set_quotient(&least, 1, LEAST_PART);
    return draws > 1 && draws <= SC_GAUSSIAN_SUM_LISTED &&
           sc_ratio_compare_int64(variance, LISTED_VARIANCE) <= 0 &&
           sc_ratio_compare(variance, &least) >= 0;
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

scrim_status sc_gaussian_sum_new(const sc_ratio *variance, uint64_t draws,
                                 sc_gaussian_sum **out, scrim_error *error)
{
    SC_OWN(sc_ratio, all);
    sc_gaussian_sum *sum = sc_allocate(1, sizeof *sum);
    if (sum == NULL)
        return sc_no_memory(error, "a distribution");
    sum->draws = draws;
    sc_ratio_init(&sum->kappa);
    sc_ratio_set_int128(&all, (sc_int128)draws);
    sc_ratio_mul(&all, &all, variance);
    sc_law_init(&sum->one, &sc_discrete_gaussian_law, variance, 0);
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

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
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

static void at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    const sc_gaussian_sum *sum = law->context;
    if (sum->weights != NULL) {
        listed_tail(sum, k, bits, out);
        return;
    }
    sc_law_at_least(&sum->whole, k, bits, out);
    spread(sum, bits, out);
}

static void variance(const sc_law *law, long bits, sc_ball *out)
{
    const sc_gaussian_sum *sum = law->context;
    sc_law_variance(&sum->one, bits, out);
    sc_ball_mul_int64(out, out, (int64_t)sum->draws, bits);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = SC_INT128_MIN;
    *high = SC_INT128_MAX;
}

const sc_law_functions sc_gaussian_sum_law = {.is_symmetric = true,
                                              .pmf = pmf,
                                              .at_least = at_least,
                                              .variance = variance,
                                              .support = support};
