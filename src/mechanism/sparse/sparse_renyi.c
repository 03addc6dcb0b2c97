#include "mechanism/sparse/sparse_renyi.h"

#include "mechanism/sparse/sparse_moment.h"

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

/* Those of g = 9/8 .. 16 for which E_cg is finite and summed. */
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

static const sc_curve_functions orders = {.name = "sparse-orders", .renyi = whole_renyi};
static const sc_curve_functions one_part = {.name = "sparse-part", .renyi = part_renyi};

void sc_sparse_renyi_orders(const sc_sparse_renyi *renyi, sc_curve *out)
{
    out->functions = &orders;
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

void sc_sparse_renyi_curve(const sc_sparse_renyi *renyi, sc_curve *out)
{
    const bool has_more = renyi->pure.functions != NULL || renyi->pair.functions != NULL;
    out->functions = has_more ? &whole : &orders;
    out->context = renyi;
}
