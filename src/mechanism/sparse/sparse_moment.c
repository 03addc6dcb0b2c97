#include "mechanism/sparse/sparse_moment.h"

#include "mechanism/sparse/law_sequence.h"

/* The sum covers so many standard deviations to both sides of its centre: what is left out is
 * e^-450 of it, and enclosed. */
#define DEVIATIONS 30
#define TERMS_MAX ((uint64_t)1 << 18)

/* What the sum is made of. */
typedef struct moment {
    sc_law threshold, query;
    int64_t level;
    const sc_ratio *m;
    long bits;
    uint64_t left, right; /* z goes from -left to right */
    sc_ball *pmf;         /* P(R = k), k = 0 .. max(left, right) + 1 */
    sc_ball *tail;        /* P(N >= y), y = 1 .. tails */
    uint64_t tails;
    sc_ball exponent; /* -m */
} moment;

/* DEVIATIONS sqrt(variance), rounded up; false when it is too large. */
static bool far_of(const sc_ratio *variance, uint64_t *out)
{
    SC_OWN(sc_ratio, square);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&square, (int64_t)DEVIATIONS * DEVIATIONS);
    sc_ratio_mul(&square, &square, variance);
    sc_ratio_ceil(&square, &whole);
    sc_integer_sqrt(&whole, &whole);
    bool fits = sc_integer_get_uint64(&whole, out) && *out < TERMS_MAX;
    if (fits)
        *out += 1;
    return fits;
}

/* The terms are largest at z = m T / u, u = variance(N)/variance(R) - m > 0, and fall from
 * there with variance(N)/u. */
static bool choose_ends(moment *s)
{
    uint64_t centre = 0, width = 0;
    SC_OWN(sc_ratio, u, part);
    SC_OWN(sc_integer, whole);
    sc_ratio_div(&u, &s->query.shape, &s->threshold.shape);
    sc_ratio_sub(&u, &u, s->m);
    bool is_finite = sc_ratio_sign(&u) > 0 && far_of(&s->threshold.shape, &s->left);
    if (is_finite) {
        sc_ratio_set_int64(&part, s->level);
        sc_ratio_mul(&part, &part, s->m);
        sc_ratio_div(&part, &part, &u);
        sc_ratio_ceil(&part, &whole);
        is_finite = sc_integer_get_uint64(&whole, &centre) && centre < TERMS_MAX;
        sc_ratio_div(&part, &s->query.shape, &u);
        is_finite = is_finite && far_of(&part, &width);
        s->right = centre + width;
    }
    return is_finite && s->level < (int64_t)TERMS_MAX;
}

/* x^-m, x > 0. */
static void inverse_power(const moment *s, sc_ball *x)
{
    sc_ball_log(x, x, s->bits);
    sc_ball_mul(x, x, &s->exponent, s->bits);
    sc_ball_exp(x, x, s->bits);
}

/* P(N >= y)^-m. */
static void tail_power(const moment *s, int64_t y, sc_ball *out)
{
    if (y >= 1) {
        sc_ball_set(out, &s->tail[y - 1]);
    } else {
        sc_ball_neg(out, &s->tail[-y]);
        sc_ball_add_int64(out, out, 1, s->bits);
    }
    inverse_power(s, out);
}

static void sum_terms(const moment *s, sc_ball *out)
{
    SC_OWN(sc_ball, term);
    sc_ball_set_int64(out, 0);
    for (int64_t z = -(int64_t)s->left; z <= (int64_t)s->right; z++) {
        tail_power(s, s->level + z, &term);
        sc_ball_mul(&term, &term, &s->pmf[z < 0 ? -z : z], s->bits);
        sc_ball_add(out, out, &term, s->bits);
    }
}

/* P(R < -left) P(N >= T - left)^-m. */
static void left_rest(const moment *s, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    tail_power(s, s->level - (int64_t)s->left, out);
    sc_law_at_least(&s->threshold, (sc_int128)s->left + 1, s->bits, &part);
    sc_ball_mul(out, out, &part, s->bits);
}

/* P(R = z) P(N = T + z)^-m, which is at least the term. */
static void bound_at(const moment *s, int64_t z, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_law_pmf(&s->query, (sc_int128)s->level + z, s->bits, out);
    inverse_power(s, out);
    sc_law_pmf(&s->threshold, z, s->bits, &part);
    sc_ball_mul(out, out, &part, s->bits);
}

/* b (1 + q + q^2 + ...) where b bounds the first term that was left out and q its ratio to the
 * next; ratios fall. Not finite when q is not certainly below 1. */
static void right_rest(const moment *s, sc_ball *out)
{
    const int64_t z = (int64_t)s->right + 1;
    SC_OWN(sc_ball, next);
    bound_at(s, z, out);
    bound_at(s, z + 1, &next);
    sc_ball_div(&next, &next, out, s->bits);
    sc_ball_neg(&next, &next);
    sc_ball_add_int64(&next, &next, 1, s->bits);
    sc_ball_div(out, out, &next, s->bits);
    if (!sc_ball_is_positive(&next))
        sc_ball_log(out, &next, s->bits);
}

static bool add_all(moment *s, sc_ball *out)
{
    uint64_t farther = s->left > s->right ? s->left : s->right;
    s->tails = farther + (uint64_t)s->level + 1;
    s->pmf = sc_balls_new(farther + 2);
    s->tail = sc_balls_new(s->tails);
    bool have = s->pmf != NULL && s->tail != NULL &&
                sc_law_tail_sequence(&s->query, s->tails, s->bits, s->tail);
    if (have) {
        SC_OWN(sc_ball, rest);
        sc_law_pmf_sequence(&s->threshold, farther + 2, s->bits, s->pmf);
        sum_terms(s, out);
        left_rest(s, &rest);
        sc_ball_add_rest(out, &rest, s->bits);
        right_rest(s, &rest);
        sc_ball_add_rest(out, &rest, s->bits);
    }
    sc_balls_free(s->pmf, farther + 2);
    sc_balls_free(s->tail, s->tails);
    return have && sc_ball_is_finite(out);
}

bool sc_sparse_moment(const sc_ratio *threshold, const sc_ratio *query, int64_t level,
                      const sc_ratio *m, long bits, sc_ball *out)
{
    moment s = {.level = level, .m = m, .bits = bits + SC_SEQUENCE_GUARD};
    sc_law_init(&s.threshold, &sc_discrete_gaussian_law, threshold, 0);
    sc_law_init(&s.query, &sc_discrete_gaussian_law, query, 0);
    sc_ball_init(&s.exponent);
    sc_ball_set_ratio(&s.exponent, m, s.bits);
    sc_ball_neg(&s.exponent, &s.exponent);
    bool found = choose_ends(&s) && add_all(&s, out);
    sc_ball_clear(&s.exponent);
    sc_law_clear(&s.query);
    sc_law_clear(&s.threshold);
    return found;
}
