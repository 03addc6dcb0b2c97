#include "mechanism/sparse/sparse_renyi.h"

#include "mechanism/sparse/sparse_law.h"

/* The sum covers this many standard deviations to both sides of its centre. The rest, e^-450 of it,
 * is enclosed by a bound. */
#define DEVIATIONS 30
#define TERMS_MAX ((uint64_t)1 << 18)

/* The terms of the sum. */
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

#define SETUP_BITS 192

/* Setting up. */

/* The curve of noise at a shift, and shift/scale where it is pure. */
static bool noise_curve(const sc_law *law, uint64_t shift, sc_curve *curve,
                        sc_ratio *limit)
{
    sc_curve_init(curve);
    sc_ratio_init(limit);
    if (law->functions == &sc_discrete_gaussian_law) {
        sc_curve_set_gaussian(curve, &law->shape, shift);
        return false;
    }
    sc_curve_set_laplace(curve, &law->shape, shift);
    sc_ratio_set_int64(limit, (int64_t)shift);
    sc_ratio_div(limit, limit, &law->shape);
    return true;
}

void sc_sparse_renyi_init(sc_sparse_renyi *renyi, const sc_law *threshold,
                          const sc_law *query, uint64_t sensitivity)
{
    *renyi = (sc_sparse_renyi){.parts = 0};
    renyi->threshold_is_pure =
        noise_curve(threshold, sensitivity, &renyi->threshold, &renyi->threshold_limit);
    renyi->query_is_pure =
        noise_curve(query, 2 * sensitivity, &renyi->query, &renyi->query_limit);
    sc_curve_init(&renyi->pure);
    sc_curve_init(&renyi->pair);
}

void sc_sparse_renyi_clear(sc_sparse_renyi *renyi)
{
    for (size_t i = 0; i < renyi->parts; i++) {
        sc_sparse_part *part = &renyi->part[i];
        for (size_t j = 0; j < part->holders; j++) {
            sc_ratio_clear(&part->holder[j].g);
            sc_ball_clear(&part->holder[j].log_moment);
        }
        sc_ball_clear(&part->log_outputs);
    }
    sc_curve_clear(&renyi->threshold);
    sc_curve_clear(&renyi->query);
    sc_curve_clear(&renyi->pure);
    sc_curve_clear(&renyi->pair);
    sc_ratio_clear(&renyi->threshold_limit);
    sc_ratio_clear(&renyi->query_limit);
}

void sc_sparse_log_outputs(uint64_t k, uint64_t c, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, term, part);
    if (c >= k) {
        sc_ball_set_int64(out, 2);
        sc_ball_log(out, out, bits);
        sc_ball_set_int128(&part, (sc_int128)k);
        sc_ball_mul(out, out, &part, bits);
    } else {
        sc_ball_set_int64(&term, 1);
        sc_ball_set_int64(out, 1);
        for (uint64_t j = 1; j <= c; j++) {
            sc_ball_set_int128(&part, (sc_int128)k - j + 1);
            sc_ball_mul(&term, &term, &part, bits);
            sc_ball_set_int128(&part, (sc_int128)j);
            sc_ball_div(&term, &term, &part, bits);
            sc_ball_add(out, out, &term, bits);
        }
        sc_ball_log(out, out, bits);
    }
}

/* Adds the bounds for those g from 9/8 to 16 whose E_cg is finite and can be summed. */
static void add_holders(const sc_sparse_renyi *renyi, sc_sparse_part *part, int64_t level)
{
    static const struct {
        int64_t n, d;
    } orders[SC_SPARSE_MOMENTS] = {{9, 8}, {5, 4}, {3, 2}, {2, 1},
                                   {3, 1}, {4, 1}, {8, 1}, {16, 1}};
    SC_OWN(sc_ratio, m, divisor);
    for (size_t i = 0; i < SC_SPARSE_MOMENTS; i++) {
        sc_sparse_holder *holder = &part->holder[part->holders];
        sc_ratio_init(&holder->g);
        sc_ball_init(&holder->log_moment);
        sc_ratio_set_int64(&holder->g, orders[i].n);
        sc_ratio_set_int64(&divisor, orders[i].d);
        sc_ratio_div(&holder->g, &holder->g, &divisor);
        sc_ratio_set_int64(&m, (int64_t)part->count);
        sc_ratio_mul(&m, &m, &holder->g);
        if (sc_sparse_moment(&renyi->threshold.shape, &renyi->query.shape, level, &m,
                             SETUP_BITS, &holder->log_moment)) {
            sc_ball_log(&holder->log_moment, &holder->log_moment, SETUP_BITS);
            part->holders++;
        } else {
            sc_ratio_clear(&holder->g);
            sc_ball_clear(&holder->log_moment);
        }
    }
}

void sc_sparse_renyi_add(sc_sparse_renyi *renyi, uint64_t copies, uint64_t count,
                         uint64_t length, int64_t level)
{
    sc_sparse_part *part = &renyi->part[renyi->parts++];
    part->copies = copies;
    part->count = count;
    part->holders = 0;
    sc_ball_init(&part->log_outputs);
    if (length == 0)
        sc_ball_set_infinite(&part->log_outputs);
    else
        sc_sparse_log_outputs(length, count, SETUP_BITS, &part->log_outputs);
    if (level >= 0 && !renyi->threshold_is_pure && !renyi->query_is_pure)
        add_holders(renyi, part, level);
    SC_OWN(sc_ratio, epsilon);
    if (sc_sparse_renyi_pure(renyi, &epsilon))
        sc_curve_set_pure(&renyi->pure, &epsilon);
}

bool sc_sparse_renyi_is_finite(const sc_sparse_renyi *renyi)
{
    bool is_finite = true;
    for (size_t i = 0; i < renyi->parts; i++)
        is_finite = is_finite && (renyi->query_is_pure || renyi->part[i].holders > 0 ||
                                  sc_ball_is_finite(&renyi->part[i].log_outputs));
    return is_finite;
}

bool sc_sparse_renyi_pure(const sc_sparse_renyi *renyi, sc_ratio *epsilon)
{
    if (!renyi->threshold_is_pure || !renyi->query_is_pure)
        return false;
    SC_OWN(sc_ratio, part, times);
    sc_ratio_set_int64(epsilon, 0);
    for (size_t i = 0; i < renyi->parts; i++) {
        sc_ratio_set_int64(&times, (int64_t)renyi->part[i].count);
        sc_ratio_mul(&part, &renyi->query_limit, &times);
        sc_ratio_add(&part, &part, &renyi->threshold_limit);
        sc_ratio_set_int64(&times, (int64_t)renyi->part[i].copies);
        sc_ratio_mul(&part, &part, &times);
        sc_ratio_add(epsilon, epsilon, &part);
    }
    return true;
}

/* Bounds. */

/* out += c v(order), or c v(inf). */
static void add_queries(const sc_sparse_renyi *renyi, uint64_t count,
                        const sc_ratio *order, bool at_limit, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    if (at_limit)
        sc_ball_set_ratio(&part, &renyi->query_limit, bits);
    else
        sc_curve_renyi_upper(&renyi->query, order, bits, &part);
    sc_ball_mul_int64(&part, &part, (int64_t)count, bits);
    sc_ball_add(out, out, &part, bits);
}

/* out += x / (times (order - 1)). */
static void add_over_order(const sc_ball *x, const sc_ratio *times, const sc_ratio *order,
                           long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, below);
    SC_OWN(sc_ball, part);
    sc_ratio_set_int64(&below, 1);
    sc_ratio_sub(&below, order, &below);
    if (times != NULL)
        sc_ratio_mul(&below, &below, times);
    sc_ball_set_ratio(&part, &below, bits);
    sc_ball_div(&part, x, &part, bits);
    sc_ball_add(out, out, &part, bits);
}

static void holder_bound(const sc_sparse_renyi *renyi, const sc_sparse_part *part,
                         const sc_sparse_holder *holder, const sc_ratio *order, long bits,
                         sc_ball *out)
{
    SC_OWN(sc_ratio, further, one, below);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_mul(&further, &holder->g, order);
    sc_ratio_sub(&further, &further, &one);
    sc_ratio_sub(&below, &holder->g, &one);
    sc_ratio_div(&further, &further, &below);
    sc_curve_renyi_upper(&renyi->threshold, &further, bits, out);
    add_queries(renyi, part->count, order, false, bits, out);
    add_over_order(&holder->log_moment, &holder->g, order, bits, out);
}

void sc_sparse_renyi_part(const sc_sparse_renyi *renyi, const sc_sparse_part *part,
                          const sc_ratio *order, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, threshold, other);
    sc_curve_renyi_upper(&renyi->threshold, order, bits, &threshold);
    sc_ball_set_infinite(out);
    if (renyi->query_is_pure) {
        sc_ball_set(out, &threshold);
        add_queries(renyi, part->count, order, true, bits, out);
    }
    if (sc_ball_is_finite(&part->log_outputs)) {
        sc_ball_set(&other, &threshold);
        add_queries(renyi, part->count, order, false, bits, &other);
        add_over_order(&part->log_outputs, NULL, order, bits, &other);
        sc_ball_take_smaller(out, &other);
    }
    for (size_t i = 0; i < part->holders; i++) {
        holder_bound(renyi, part, &part->holder[i], order, bits, &other);
        sc_ball_take_smaller(out, &other);
    }
}

void sc_sparse_renyi_bound(const sc_sparse_renyi *renyi, const sc_ratio *order, long bits,
                           sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < renyi->parts; i++) {
        sc_sparse_renyi_part(renyi, &renyi->part[i], order, bits, &part);
        sc_ball_mul_int64(&part, &part, (int64_t)renyi->part[i].copies, bits);
        sc_ball_add(out, out, &part, bits);
    }
    if (renyi->pure.functions != NULL) {
        sc_curve_renyi_upper(&renyi->pure, order, bits, &part);
        sc_ball_take_smaller(out, &part);
    }
}

/* Curves. */

static void whole_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                        sc_ball *out)
{
    sc_sparse_renyi_bound(curve->context, order, bits, out);
}

static void part_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                       sc_ball *out)
{
    const sc_sparse_renyi *renyi = curve->context;
    sc_sparse_renyi_part(renyi, &renyi->part[0], order, bits, out);
}

static const sc_curve_functions order_curve = {.name = "sparse-orders",
                                               .renyi = whole_renyi};
static const sc_curve_functions one_part = {.name = "sparse-part", .renyi = part_renyi};

void sc_sparse_renyi_orders(const sc_sparse_renyi *renyi, sc_curve *out)
{
    out->functions = &order_curve;
    out->context = renyi;
}

void sc_sparse_renyi_part_curve(const sc_sparse_renyi *renyi, sc_curve *out)
{
    out->functions = &one_part;
    out->context = renyi;
}

/* The least of what follows from the orders, from a pure epsilon, from a pair. */
static void whole_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const sc_sparse_renyi *renyi = curve->context;
    const sc_curve *const others[] = {&renyi->pure, &renyi->pair};
    SC_OWN(sc_curve, by_orders);
    SC_OWN(sc_ball, other);
    sc_sparse_renyi_orders(renyi, &by_orders);
    sc_curve_delta_upper(&by_orders, epsilon, bits, out);
    for (size_t i = 0; i < 2; i++) {
        sc_curve_delta_upper(others[i], epsilon, bits, &other);
        sc_ball_take_smaller(out, &other);
    }
}

static const sc_curve_functions whole = {
    .name = "sparse", .delta = whole_delta, .renyi = whole_renyi};

/* The curve of all that is proved; it keeps a pointer to renyi. */
static void set_curve(const sc_sparse_renyi *renyi, sc_curve *out)
{
    const bool has_more = renyi->pure.functions != NULL || renyi->pair.functions != NULL;
    out->functions = has_more ? &whole : &order_curve;
    out->context = renyi;
}

/* More stages are not composed one by one. */
#define STAGES_MAX 1024

/* The smaller of two that may not be there. */
static bool take_smaller(bool has, sc_ratio *out, bool found, const sc_ratio *other)
{
    if (found && (!has || sc_ratio_compare(other, out) < 0))
        sc_ratio_set(out, other);
    return has || found;
}

/* delta 2^-share is shared by the stages, the rest is the composition's. */
static bool compose_stages(const sc_sparse_renyi *renyi, uint64_t stages,
                           const sc_ratio *delta, int share, sc_ratio *out)
{
    SC_OWN(sc_ratio, part, rest, stage);
    SC_OWN(sc_curve, curve);
    sc_ratio_set_int64(&part, (int64_t)1 << share);
    sc_ratio_div(&part, delta, &part);
    sc_ratio_sub(&rest, delta, &part);
    sc_ratio_set_int64(&stage, (int64_t)stages);
    sc_ratio_div(&part, &part, &stage);
    sc_sparse_renyi_part_curve(renyi, &curve);
    bool found = sc_curve_epsilon_upper(&curve, &part, &stage);
    if (found) {
        sc_curve_set_composed(&curve, &stage, stages);
        found = sc_curve_epsilon_upper(&curve, &rest, out);
    }
    return found;
}

/* A last stage that is shorter costs no more than the others. */
static bool sparse_cost_by_stages(const sc_sparse_renyi *renyi, const sc_ratio *delta,
                                  sc_ratio *out)
{
    static const int shares[] = {1, 3, 6, 9};
    uint64_t stages = 0;
    bool has = false;
    for (size_t i = 0; i < renyi->parts; i++)
        stages += renyi->part[i].copies;
    if (stages < 2 || stages > STAGES_MAX)
        return false;
    SC_OWN(sc_ratio, other);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        has = take_smaller(
            has, out, compose_stages(renyi, stages, delta, shares[i], &other), &other);
    return has;
}

/* A little below delta, so that balls can tell the two apart. */
static void just_below(const sc_ratio *delta, sc_ratio *out)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(&part, (int64_t)1 << 60);
    sc_ratio_div(&part, delta, &part);
    sc_ratio_sub(out, delta, &part);
}

bool sc_sparse_cost_settle(sc_sparse_renyi *renyi, const sc_ratio *delta)
{
    SC_OWN(sc_curve, orders);
    SC_OWN(sc_ratio, below, epsilon, other);
    just_below(delta, &below);
    sc_sparse_renyi_orders(renyi, &orders);
    bool has = sc_curve_epsilon_upper(&orders, &below, &epsilon);
    has = take_smaller(has, &epsilon,
                       sc_curve_epsilon_upper(&renyi->pure, &below, &other), &other);
    has =
        take_smaller(has, &epsilon, sparse_cost_by_stages(renyi, &below, &other), &other);
    if (has)
        sc_curve_set_approximate(&renyi->pair, &epsilon, &below);
    return has;
}

void sc_sparse_cost_set(const sc_sparse_renyi *renyi, const sc_ratio *delta,
                        sc_exact_cost *out)
{
    if (renyi->pure.functions != NULL)
        sc_cost_set_pure(out, &renyi->pure.epsilon);
    if (delta != NULL) {
        out->has_epsilon = true;
        sc_cost_round_up(&renyi->pair.epsilon, &out->epsilon);
        sc_cost_round_up(delta, &out->delta);
    }
    set_curve(renyi, &out->curve);
}
