#include "sampling/law_sum.h"

#include "base/memory.h"
#include "base/number/own.h"
#include "sampling/law.h"

#define BITS 256L
#define TAIL_BITS 128 /* of one listed noise, 2^-128 lies beyond reach */
#define LISTED 2      /* a Gaussian variance below so much times the copies is listed */

/* The tails of a sum that is listed, P(|S| > a) for a = 0 .. reach - 1; beyond, at most the rest. */
typedef struct list {
    int64_t reach;
    sc_ball *tails;
    sc_ball rest;
} list;

struct sc_law_sum {
    const sc_law *law;
    size_t most;
    sc_ball one_less; /* of Laplace noise: 1 - p */
    sc_ball
        *factors; /* (1-p)^2m c_(m-k), k = 1..m, for m = 1..most one behind the other */
    list *lists;  /* of Gaussian noise that is listed; else NULL */
};

/* Laplace. */

static size_t factors_before(size_t copies)
{
    return copies * (copies - 1) / 2;
}

/* C(n, k) for small numbers. */
static void set_choices(sc_ball *out, uint64_t n, uint64_t k)
{
    sc_ball_set_int64(out, 1);
    for (uint64_t i = 1; i <= k; i++) {
        sc_ball_mul_int64(out, out, (int64_t)(n - k + i), BITS);
        sc_ball_div_int64(out, out, (int64_t)i, BITS);
    }
}

/* c_i of m copies; r = p^2 / q, and 1/q. */
static void set_coefficient(size_t m, size_t i, const sc_ball *r, const sc_ball *inverse,
                            sc_ball *out)
{
    SC_OWN(sc_ball, power, term, choices);
    sc_ball_set_int64(&power, 1);
    sc_ball_set_int64(out, i == 0 ? 1 : 0);
    for (size_t j = 1; j <= m; j++) {
        sc_ball_mul(&power, &power, r, BITS);
        set_choices(&choices, m, j);
        sc_ball_mul(&term, &power, &choices, BITS);
        set_choices(&choices, j - 1 + i, i);
        sc_ball_mul(&term, &term, &choices, BITS);
        sc_ball_add(out, out, &term, BITS);
    }
    sc_ball_power(&power, inverse, i, BITS);
    sc_ball_mul(out, out, &power, BITS);
}

static void set_factors(sc_law_sum *sum)
{
    SC_OWN(sc_ball, r, inverse, scale);
    sc_decay_rest(&sum->law->shape, 1, BITS, &sum->one_less);
    sc_decay_rest(&sum->law->shape, 2, BITS, &inverse); /* 1 - p^2 */
    sc_decay(&sum->law->shape, 2, BITS, &r);
    sc_ball_div(&r, &r, &inverse, BITS);
    sc_ball_set_int64(&scale, 1);
    sc_ball_div(&inverse, &scale, &inverse, BITS);
    for (size_t m = 1; m <= sum->most; m++) {
        sc_ball_power(&scale, &sum->one_less, 2 * m, BITS);
        for (size_t k = 1; k <= m; k++) {
            sc_ball *factor = &sum->factors[factors_before(m) + k - 1];
            set_coefficient(m, m - k, &r, &inverse, factor);
            sc_ball_mul(factor, factor, &scale, BITS);
        }
    }
}

/* 2 P(S >= s), s >= 1. */
static void laplace_tail(const sc_law_sum *sum, size_t m, sc_int128 s, sc_ball *out)
{
    SC_OWN(sc_ball, power, choices, tail, term);
    sc_decay(&sum->law->shape, s, BITS, &power);
    sc_ball_set_int64(&choices, 1); /* C(s+k-2, k-1) */
    sc_ball_set_int64(out, 0);
    for (size_t k = 1; k <= m; k++) {
        sc_ball_mul(&term, &choices, &power, BITS);
        sc_ball_add(&tail, &tail, &term, BITS);
        sc_ball_div(&tail, &tail, &sum->one_less, BITS);
        sc_ball_mul(&term, &tail, &sum->factors[factors_before(m) + k - 1], BITS);
        sc_ball_add(out, out, &term, BITS);
        sc_ball_set_int128(&term, s + (sc_int128)k - 1);
        sc_ball_mul(&choices, &choices, &term, BITS);
        sc_ball_div_int64(&choices, &choices, (int64_t)k, BITS);
    }
    sc_ball_mul_power2(out, out, 1);
}

/* Gaussian, of a variance that is large enough. */

/* E - 1, at most: theta^(m-1) - 1 with theta - 1 <= 2 x / (1 - x), x = exp(-2 pi^2 v / m). */
static void lattice_excess(const sc_ratio *variance, size_t m, sc_ball *out)
{
    SC_OWN(sc_ball, x, y);
    sc_ball_set_pi(&x, BITS);
    sc_ball_mul(&x, &x, &x, BITS);
    sc_ball_set_ratio(&y, variance, BITS);
    sc_ball_mul(&x, &x, &y, BITS);
    sc_ball_mul_int64(&x, &x, -2, BITS);
    sc_ball_div_int64(&x, &x, (int64_t)m, BITS);
    sc_ball_exp(&x, &x, BITS);
    sc_ball_neg(&y, &x);
    sc_ball_add_int64(&y, &y, 1, BITS);
    sc_ball_div(&x, &x, &y, BITS);
    sc_ball_mul_power2(&x, &x, 1);
    sc_ball_log1p(&x, &x, BITS);
    sc_ball_mul_int64(&x, &x, (int64_t)m - 1, BITS);
    sc_ball_expm1(out, &x, BITS);
}

static void lattice_tail(const sc_law_sum *sum, size_t m, sc_int128 a, sc_ball *out)
{
    sc_law one;
    SC_OWN(sc_ratio, variance, copies);
    SC_OWN(sc_ball, excess, part);
    sc_ratio_set_int64(&copies, (int64_t)m);
    sc_ratio_mul(&variance, &sum->law->shape, &copies);
    sc_law_init(&one, &sc_discrete_gaussian_law, &variance, 0);
    sc_law_at_least(&one, a + 1, BITS, out);
    sc_law_clear(&one);
    sc_ball_mul_power2(out, out, 1);
    if (m == 1)
        return;
    /* E/(2-E) - 1 = 2e/(1-e), e = E - 1; (2-E)/E is nearer to 1. */
    lattice_excess(&sum->law->shape, m, &excess);
    sc_ball_neg(&part, &excess);
    sc_ball_add_int64(&part, &part, 1, BITS);
    sc_ball_div(&excess, &excess, &part, BITS);
    sc_ball_mul_power2(&excess, &excess, 1);
    sc_ball_mul(&excess, &excess, out, BITS);
    sc_ball_widen(out, &excess);
}

/* Gaussian, listed. */

/* The least r with r^2 / 2v >= TAIL_BITS ln 2, rounded up. */
static int64_t reach_of(const sc_ratio *variance, size_t copies)
{
    uint64_t reach = 0;
    SC_OWN(sc_ratio, square, factor);
    SC_OWN(sc_integer, root);
    sc_ratio_set_quotient(&factor, INT64_C(1387) * TAIL_BITS * (int64_t)copies, 1000);
    sc_ratio_mul(&square, variance, &factor);
    sc_ratio_ceil(&square, &root);
    sc_integer_sqrt(&root, &root);
    (void)sc_integer_get_uint64(&root, &reach);
    return (int64_t)reach + 2;
}

/* next = law * one, both symmetric, cut to reach. */
static void convolve(const sc_ball *law, int64_t law_reach, const sc_ball *one,
                     int64_t one_reach, sc_ball *next, int64_t reach)
{
    SC_OWN(sc_ball, term);
    for (int64_t s = 0; s <= reach; s++) {
        for (int64_t y = -one_reach; y <= one_reach; y++) {
            const int64_t at = s - y;
            if (at < -law_reach || at > law_reach)
                continue;
            sc_ball_mul(&term, &law[at + law_reach], &one[y + one_reach], BITS);
            sc_ball_add(&next[s + reach], &next[s + reach], &term, BITS);
        }
        if (s > 0)
            sc_ball_set(&next[reach - s], &next[reach + s]);
    }
}

/* Tails of what is listed, and the rest: 1 less all of it. */
static bool keep_tails(const sc_ball *law, int64_t reach, list *out)
{
    SC_OWN(sc_ball, half);
    out->reach = reach;
    out->tails = sc_balls_new((size_t)reach);
    if (out->tails == NULL)
        return false;
    for (int64_t a = reach - 1; a >= 0; a--) {
        sc_ball_add(&half, &half, &law[reach + a + 1], BITS);
        sc_ball_mul_power2(&out->tails[a], &half, 1);
    }
    sc_ball_add(&out->rest, &out->tails[0], &law[reach], BITS);
    sc_ball_neg(&out->rest, &out->rest);
    sc_ball_add_int64(&out->rest, &out->rest, 1, BITS);
    sc_ball_cut_unit(&out->rest);
    return true;
}

static bool fill_lists(sc_law_sum *sum)
{
    const int64_t one_reach = reach_of(&sum->law->shape, 1);
    int64_t reach = one_reach;
    sc_ball *one = sc_balls_new((size_t)(2 * one_reach + 1)), *law = one;
    for (int64_t y = -one_reach; one != NULL && y <= one_reach; y++)
        sc_law_pmf(sum->law, y, BITS, &one[y + one_reach]);
    bool is_kept = one != NULL && keep_tails(one, reach, &sum->lists[0]);
    for (size_t m = 2; is_kept && m <= sum->most; m++) {
        const int64_t wider = reach_of(&sum->law->shape, m);
        sc_ball *next = sc_balls_new((size_t)(2 * wider + 1));
        if (next != NULL)
            convolve(law, reach, one, one_reach, next, wider);
        if (law != one)
            sc_balls_free(law, (size_t)(2 * reach + 1));
        law = next;
        reach = wider;
        is_kept = next != NULL && keep_tails(next, reach, &sum->lists[m - 1]);
    }
    if (law != one && law != NULL)
        sc_balls_free(law, (size_t)(2 * reach + 1));
    if (one != NULL)
        sc_balls_free(one, (size_t)(2 * one_reach + 1));
    return is_kept;
}

static void listed_tail(const list *found, sc_int128 a, sc_ball *out)
{
    SC_OWN(sc_ball, none);
    if (a < found->reach)
        sc_ball_set(out, &found->tails[a]);
    else
        sc_ball_set_int64(out, 0);
    sc_ball_add(&none, out, &found->rest, BITS);
    sc_ball_set_union(out, out, &none, BITS);
}

/* All. */

static bool is_gaussian(const sc_law_sum *sum)
{
    return sum->law->functions == &sc_discrete_gaussian_law;
}

static bool make(sc_law_sum *sum)
{
    if (!is_gaussian(sum)) {
        sum->factors = sc_balls_new(factors_before(sum->most + 1));
        if (sum->factors != NULL)
            set_factors(sum);
        return sum->factors != NULL;
    }
    if (sum->most == 1 ||
        sc_ratio_compare_int64(&sum->law->shape, LISTED * (int64_t)sum->most) >= 0)
        return true;
    sum->lists = sc_allocate(sum->most, sizeof *sum->lists);
    if (sum->lists == NULL)
        return false;
    for (size_t i = 0; i < sum->most; i++)
        sc_ball_init(&sum->lists[i].rest);
    return fill_lists(sum);
}

scrim_status sc_law_sum_new(const sc_law *law, size_t most, sc_law_sum **out,
                            scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    sc_law_sum *sum = sc_allocate(1, sizeof *sum);
    if (sum != NULL) {
        sum->law = law;
        sum->most = most;
        sc_ball_init(&sum->one_less);
    }
    if (sum == NULL || !make(sum)) {
        sc_law_sum_free(sum);
        return sc_no_memory(error, "a sum of noises");
    }
    *out = sum;
    return SCRIM_OK;
}

void sc_law_sum_free(sc_law_sum *sum)
{
    if (sum == NULL)
        return;
    if (sum->factors != NULL)
        sc_balls_free(sum->factors, factors_before(sum->most + 1));
    for (size_t i = 0; sum->lists != NULL && i < sum->most; i++) {
        if (sum->lists[i].tails != NULL)
            sc_balls_free(sum->lists[i].tails, (size_t)sum->lists[i].reach);
        sc_ball_clear(&sum->lists[i].rest);
    }
    sc_free(sum->lists);
    sc_ball_clear(&sum->one_less);
    sc_free(sum);
}

void sc_law_sum_tail(const sc_law_sum *sum, size_t copies, sc_int128 a, sc_ball *out)
{
    if (!is_gaussian(sum))
        laplace_tail(sum, copies, a + 1, out);
    else if (sum->lists != NULL)
        listed_tail(&sum->lists[copies - 1], a, out);
    else
        lattice_tail(sum, copies, a, out);
    sc_ball_cut_unit(out);
}

static bool is_within(const sc_law_sum *sum, const uint64_t *times, const sc_ball *beta,
                      sc_int128 a)
{
    SC_OWN(sc_ball, all, tail);
    for (size_t i = 0; i < sum->most; i++) {
        if (times[i] == 0)
            continue;
        sc_law_sum_tail(sum, i + 1, a, &tail);
        sc_ball_mul_int64(&tail, &tail, (int64_t)times[i], BITS);
        sc_ball_add(&all, &all, &tail, BITS);
    }
    return sc_ball_is_less_equal(&all, beta);
}

scrim_status sc_law_sum_radius(const sc_law_sum *sum, const uint64_t *times,
                               const sc_ratio *beta, sc_int128 *out, scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, limit);
    sc_int128 no = -1, yes = 1;
    sc_ball_set_ratio(&limit, beta, BITS);
    while (!is_within(sum, times, &limit, yes)) {
        if (yes >= (sc_int128)1 << 120)
            return sc_fail_parameter(
                error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "confidence",
                "the error lies beyond 1.3e36; ask for a lower confidence");
        no = yes;
        yes *= 2;
    }
    while (yes - no > 1) {
        const sc_int128 middle = no + (yes - no) / 2;
        *(is_within(sum, times, &limit, middle) ? &yes : &no) = middle;
    }
    *out = yes;
    return SCRIM_OK;
}
