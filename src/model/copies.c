#include "model/copies.h"

#include "base/work_limit.h"

#include <math.h>

typedef struct copies {
    const sc_ratio *epsilon;
    uint64_t count;
    double approximate; /* epsilon, for choices that cost time only */
} copies;

static copies copies_of(const sc_ratio *epsilon, uint64_t count)
{
    SC_OWN(sc_ball, x);
    sc_ball_set_ratio(&x, epsilon, 64);
    return (copies){epsilon, count, sc_ball_upper(&x)};
}

/* (count - 2 l) epsilon. */
static void loss_at(const copies *c, uint64_t l, sc_ratio *out)
{
    sc_ratio_set_int128(out, (sc_int128)c->count - 2 * (sc_int128)l);
    sc_ratio_mul(out, out, c->epsilon);
}

/* The sum from l downwards, of p(i) g(i) and of p(i) x(i), x(i) = exp(e - loss of i) and g = 1 - x.
 * Going down by one multiplies x by w = exp(-2 epsilon), so g becomes g w + (1 - w), and p(i) by
 * i exp(epsilon) / (count - i + 1): nothing is ever subtracted. */
typedef struct summing {
    uint64_t i, terms;
    sc_ball p, g, x;
    sc_ball w, v; /* v = 1 - w */
    sc_ball grow; /* exp(epsilon) */
    sc_ball above, below;
    sc_ball work, ratio;
} summing;

static void summing_init(summing *s)
{
    sc_ball *const all[] = {&s->p,    &s->g,     &s->x,     &s->w,    &s->v,
                            &s->grow, &s->above, &s->below, &s->work, &s->ratio};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_init(all[i]);
}

static void summing_clear(summing *s)
{
    sc_ball *const all[] = {&s->p,    &s->g,     &s->x,     &s->w,    &s->v,
                            &s->grow, &s->above, &s->below, &s->work, &s->ratio};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_clear(all[i]);
}

/* The binomial has less than 2^-bits farther than this above its mean, or below. */
static double spread(const copies *c, long bits, double *mean)
{
    const double p = 1 / (1 + exp(c->approximate));
    const double third = ((double)bits * 0.6931471805599453 + 2) / 3;
    *mean = (double)c->count * p;
    return third + sqrt(third * third + 6 * third * *mean * (1 - p));
}

/* Where to begin at or below l. False when too many terms would follow. */
static bool find_start(const copies *c, uint64_t l, long bits, uint64_t *start)
{
    double mean;
    const double wide = spread(c, bits, &mean), top = mean + wide;
    *start = top < (double)l ? (uint64_t)ceil(top) : l;
    return (double)*start <= mean || (double)*start - mean < (double)SC_COPIES_TERMS;
}

/* ln p(i) = ln C(count, i) - i epsilon - count ln(1 + exp(-epsilon)). */
static void set_mass(const copies *c, uint64_t i, long bits, sc_ball *out)
{
    const long wide = bits + 96; /* the logarithms may have 2^60 before the point */
    SC_OWN(sc_ball, part, epsilon);
    sc_ball_set_ratio(&epsilon, c->epsilon, wide);
    sc_ball_log_factorial(out, c->count, wide);
    sc_ball_log_factorial(&part, i, wide);
    sc_ball_sub(out, out, &part, wide);
    sc_ball_log_factorial(&part, c->count - i, wide);
    sc_ball_sub(out, out, &part, wide);
    sc_ball_mul_int64(&part, &epsilon, (int64_t)i, wide);
    sc_ball_sub(out, out, &part, wide);
    sc_ball_neg(&part, &epsilon);
    sc_ball_exp(&part, &part, wide);
    sc_ball_log1p(&part, &part, wide);
    sc_ball_mul_int64(&part, &part, (int64_t)c->count, wide);
    sc_ball_sub(out, out, &part, wide);
    sc_ball_exp(out, out, bits);
}

/* Starts at i, with the loss there so much above e. */
static void summing_start(summing *s, const copies *c, uint64_t i, const sc_ratio *gap,
                          long bits)
{
    s->i = i;
    s->terms = 0;
    set_mass(c, i, bits, &s->p);
    sc_ball_set_ratio(&s->work, gap, bits);
    sc_ball_neg(&s->work, &s->work);
    sc_ball_exp(&s->x, &s->work, bits);
    sc_ball_expm1(&s->g, &s->work, bits);
    sc_ball_neg(&s->g, &s->g);
    sc_ball_set_ratio(&s->work, c->epsilon, bits);
    sc_ball_exp(&s->grow, &s->work, bits);
    sc_ball_mul_power2(&s->work, &s->work, 1);
    sc_ball_neg(&s->work, &s->work);
    sc_ball_exp(&s->w, &s->work, bits);
    sc_ball_expm1(&s->v, &s->work, bits);
    sc_ball_neg(&s->v, &s->v);
    sc_ball_set_int64(&s->above, 0);
    sc_ball_set_int64(&s->below, 0);
}

/* With t = i + 1 - mean, the probability of more than i is at most exp(-t^2 / (2 (variance +
 * t/3))) (Bernstein); g and x are no larger there than at i. */
static void add_higher(summing *s, const copies *c, long bits)
{
    SC_OWN(sc_ball, p, t, variance);
    sc_ball_set_int64(&t, 1);
    sc_ball_add_int64(&p, &s->grow, 1, bits);
    sc_ball_div(&p, &t, &p, bits);
    sc_ball_mul_int64(&variance, &p, (int64_t)c->count, bits); /* the mean so far */
    sc_ball_set_int64(&t, (int64_t)s->i + 1);
    sc_ball_sub(&t, &t, &variance, bits);
    sc_ball_mul(&p, &p, &variance, bits);
    sc_ball_sub(&variance, &variance, &p, bits);
    sc_ball_div_int64(&p, &t, 3, bits);
    sc_ball_add(&p, &p, &variance, bits);
    sc_ball_mul_power2(&p, &p, 1);
    sc_ball_mul(&variance, &t, &t, bits);
    sc_ball_div(&p, &variance, &p, bits);
    sc_ball_neg(&p, &p);
    sc_ball_exp(&p, &p, bits);
    sc_ball_mul(&t, &p, &s->g, bits);
    sc_ball_widen(&s->above, &t);
    sc_ball_mul(&t, &p, &s->x, bits);
    sc_ball_widen(&s->below, &t);
}

/* Is part below 2^-bits of the whole? */
static bool is_small(const sc_ball *part, const sc_ball *whole, long bits, sc_ball *work)
{
    sc_ball_mul_power2(work, whole, -bits);
    return sc_ball_is_less(part, work);
}

/* With r = p(i-1)/p(i) < 1, p(i-n) <= p(i) r^n and g(i-n) <= g(i) + n v: what is left of the first
 * sum is at most p (r/(1-r)) (g + v/(1-r)), of the second p x r/(1-r). True when both are small;
 * they are then added to the balls. */
static bool ends_here(summing *s, const copies *c, long bits)
{
    const double i = (double)s->i;
    if (i * exp(c->approximate) >= 0.999 * ((double)c->count - i + 1))
        return false;
    bool ends = false;
    SC_OWN(sc_ball, tail, other);
    sc_ball_mul_int64(&s->ratio, &s->grow, (int64_t)s->i, bits);
    sc_ball_div_int64(&s->ratio, &s->ratio, (int64_t)(c->count - s->i + 1), bits);
    sc_ball_neg(&other, &s->ratio);
    sc_ball_add_int64(&other, &other, 1, bits);
    if (sc_ball_is_positive(&other)) {
        sc_ball_div(&tail, &s->v, &other, bits);
        sc_ball_add(&tail, &tail, &s->g, bits);
        sc_ball_div(&other, &s->ratio, &other, bits);
        sc_ball_mul(&other, &other, &s->p, bits);
        sc_ball_mul(&tail, &tail, &other, bits);
        sc_ball_mul(&other, &other, &s->x, bits);
        ends = is_small(&tail, &s->above, bits, &s->work) &&
               is_small(&other, &s->below, bits, &s->work);
    }
    if (ends) {
        sc_ball_widen(&s->above, &tail);
        sc_ball_widen(&s->below, &other);
    }
    return ends;
}

#define LOOK_EVERY 8

static bool sum_down(summing *s, const copies *c, long bits)
{
    for (;; s->terms++) {
        sc_ball_mul(&s->work, &s->p, &s->g, bits);
        sc_ball_add(&s->above, &s->above, &s->work, bits);
        sc_ball_mul(&s->work, &s->p, &s->x, bits);
        sc_ball_add(&s->below, &s->below, &s->work, bits);
        if (s->i == 0 ||
            (s->terms % LOOK_EVERY == LOOK_EVERY - 1 && ends_here(s, c, bits)))
            return true;
        if (s->terms >= SC_COPIES_TERMS || sc_work_limit_is_over())
            return false;
        sc_ball_mul_int64(&s->p, &s->p, (int64_t)s->i, bits);
        sc_ball_mul(&s->p, &s->p, &s->grow, bits);
        sc_ball_div_int64(&s->p, &s->p, (int64_t)(c->count - s->i + 1), bits);
        sc_ball_mul(&s->g, &s->g, &s->w, bits);
        sc_ball_add(&s->g, &s->g, &s->v, bits);
        sc_ball_mul(&s->x, &s->x, &s->w, bits);
        s->i--;
    }
}

/* Both sums from l downwards, at an e that lies gap below the loss of l. */
static bool sums(const copies *c, uint64_t l, const sc_ratio *gap, long bits,
                 sc_ball *above, sc_ball *below)
{
    const long wide = bits + 32; /* for the rounding of all terms together */
    uint64_t start;
    summing s;
    if (!find_start(c, l, bits, &start))
        return false;
    summing_init(&s);
    SC_OWN(sc_ratio, farther);
    sc_ratio_set_int128(&farther, 2 * (sc_int128)(l - start));
    sc_ratio_mul(&farther, &farther, c->epsilon);
    sc_ratio_add(&farther, &farther, gap);
    summing_start(&s, c, start, &farther, wide);
    if (start < l)
        add_higher(&s, c, wide);
    const bool done = sum_down(&s, c, wide);
    sc_ball_set(above, &s.above);
    sc_ball_set(below, &s.below);
    summing_clear(&s);
    return done;
}

/* Nothing is lost by nothing; what is too large is refused. */
static bool is_nothing(const sc_ratio *epsilon, uint64_t count)
{
    return count == 0 || sc_ratio_sign(epsilon) == 0;
}

bool sc_copies_delta(const sc_ratio *epsilon, uint64_t count, const sc_ratio *at,
                     long bits, sc_ball *out)
{
    copies c = copies_of(epsilon, count);
    uint64_t l = 0;
    bool done = true;
    SC_OWN(sc_ratio, gap, twice);
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ball, below);
    loss_at(&c, 0, &gap);
    sc_ratio_sub(&gap, &gap, at);
    sc_ball_set_int64(out, 0);
    if (!is_nothing(epsilon, count) && sc_ratio_sign(&gap) > 0) {
        /* The largest l with (count - 2 l) epsilon >= at. */
        sc_ratio_add(&twice, epsilon, epsilon);
        sc_ratio_div(&gap, &gap, &twice);
        sc_ratio_floor(&gap, &whole);
        done = sc_ratio_compare_int64(epsilon, SC_COPIES_EPSILON) <= 0 &&
               sc_integer_get_uint64(&whole, &l);
        loss_at(&c, l, &gap);
        sc_ratio_sub(&gap, &gap, at);
        done = done && sums(&c, l, &gap, bits, out, &below);
    }
    return done;
}

/* The inverse. */

#define SEARCH_BITS 64L

/* sqrt(-ln delta): nearly a line in l, which makes it quick to search by. */
static double depth_of(const sc_ball *delta)
{
    SC_OWN(sc_ball, x);
    sc_ball_log(&x, delta, SEARCH_BITS);
    const double log_delta = sc_ball_upper(&x);
    return sqrt(log_delta < 0 ? -log_delta : 0);
}

static bool depth_at(const copies *c, uint64_t l, double *out)
{
    SC_OWN(sc_ratio, gap);
    SC_OWN(sc_ball, above, below);
    const bool done = sums(c, l, &gap, SEARCH_BITS, &above, &below);
    *out = depth_of(&above);
    return done;
}

/* About the largest l whose loss has a delta of at most the wanted one: l = 0 has delta 0, l =
 * count/2 has more than is wanted. A wrong l costs tightness, never soundness. */
static bool search(const copies *c, double wanted, uint64_t *out)
{
    uint64_t low = 1, high = c->count / 2 + 1;
    double low_depth, high_depth = 0;
    *out = 0;
    if (high <= low)
        return true;
    if (!depth_at(c, low, &low_depth))
        return false;
    if (!(low_depth >= wanted))
        return true;
    for (unsigned step = 0; high - low > 1; step++) {
        double part = (low_depth - wanted) / (low_depth - high_depth);
        if (!(part > 0 && part < 1) || step % 4 == 3)
            part = 0.5;
        uint64_t middle = low + (uint64_t)(part * (double)(high - low));
        middle = middle <= low ? low + 1 : middle >= high ? high - 1 : middle;
        double depth;
        if (!depth_at(c, middle, &depth))
            return false;
        if (depth >= wanted) {
            low = middle;
            low_depth = depth;
        } else {
            high = middle;
            high_depth = depth;
        }
    }
    *out = low;
    return true;
}

/* From the loss e_l of l down to the next, delta(e_l - s) = above + (1 - exp(-s)) below. That line
 * lies below delta everywhere, so what it gives is a lower bound of e; it is e where the line
 * holds, and e is at most the larger of it and the next loss where delta(e_l) <= delta. False when
 * that is not certain. */
static bool solve(const copies *c, uint64_t l, const sc_ball *delta, long bits,
                  sc_ball *out, bool *is_certain)
{
    SC_OWN(sc_ratio, gap, loss);
    SC_OWN(sc_ball, above, below, next);
    const bool done = sums(c, l, &gap, bits, &above, &below);
    *is_certain = sc_ball_is_less_equal(&above, delta);
    sc_ball_sub(&above, &above, delta, bits);
    sc_ball_div(&above, &above, &below, bits);
    sc_ball_log1p(&above, &above, bits); /* -s */
    loss_at(c, l, &loss);
    sc_ball_set_ratio(out, &loss, bits);
    sc_ball_add(out, out, &above, bits);
    loss_at(c, l + 1, &loss);
    sc_ball_set_ratio(&next, &loss, bits);
    if (!sc_ball_is_finite(out))
        sc_ball_set_int64(out, 0);
    if (!sc_ball_is_less_equal(&next, out))
        sc_ball_set_union(out, out, &next, bits);
    return done;
}

/* For numbers that are known not to be negative. */
static void cut_negative(sc_ball *x, long bits)
{
    SC_OWN(sc_ball, zero);
    if (sc_ball_is_less(x, &zero)) {
        sc_ball_set(x, &zero);
    } else if (!sc_ball_is_less_equal(&zero, x)) {
        sc_ball_set_upper(x, x, bits);
        sc_ball_set_union(x, x, &zero, bits);
    }
}

bool sc_copies_epsilon(const sc_ratio *epsilon, uint64_t count, const sc_ball *delta,
                       long bits, sc_ball *out)
{
    copies c = copies_of(epsilon, count);
    uint64_t l = 0;
    SC_OWN(sc_ratio, zero);
    bool done = sc_copies_delta(epsilon, count, &zero, bits, out);
    if (done && sc_ball_is_less_equal(out, delta)) {
        sc_ball_set_int64(out, 0);
        return true;
    }
    if (done && sc_ball_is_positive(delta))
        done = search(&c, depth_of(delta), &l);
    for (bool is_certain = false; done && !is_certain; l--) {
        done = solve(&c, l, delta, bits, out, &is_certain);
        if (l == 0)
            break;
    }
    cut_negative(out, bits);
    return done;
}
