#include "mechanism/microdata/cell_counts.h"

#include "mechanism/threshold/unit_counts.h"

#define BITS 256L

/* exp(-k w). */
static void decay(const sc_ratio *rate, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, times);
    sc_ball_set_ratio(out, rate, bits);
    sc_ball_set_int128(&times, -k);
    sc_ball_mul(out, out, &times, bits);
    sc_ball_exp(out, out, bits);
}

/* x y + max(0, 1 - (1-x) y^2). */
static void share_of(const sc_ball *x, const sc_ball *y, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, near, zero, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_sub(&near, &one, x, bits);
    sc_ball_mul(&near, &near, y, bits);
    sc_ball_mul(&near, &near, y, bits);
    sc_ball_sub(&near, &one, &near, bits);
    sc_ball_mul(out, x, y, bits);
    if (sc_ball_is_less(&near, &zero))
        return;
    if (!sc_ball_is_positive(&near))
        sc_ball_set_union(&near, &near, &zero, bits);
    sc_ball_add(out, out, &near, bits);
}

/* x^B/(1+x), times a sum of shares. */
static void scale(const sc_ratio *rate, int64_t bound, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, x);
    decay(rate, bound, bits, &x);
    sc_ball_mul(out, out, &x, bits);
    decay(rate, 1, bits, &x);
    sc_ball_add_int64(&x, &x, 1, bits);
    sc_ball_div(out, out, &x, bits);
}

void sc_truncation_delta(const sc_ratio *rate, int64_t bound, uint64_t shift, long bits,
                         sc_ball *out)
{
    SC_OWN(sc_ball, x, y);
    decay(rate, 1, bits, &x);
    decay(rate, -(sc_int128)shift, bits, &y);
    share_of(&x, &y, bits, out);
    scale(rate, bound, bits, out);
}

static void take_larger(sc_ball *most, const sc_ball *other)
{
    if (!sc_ball_is_less_equal(other, most))
        sc_ball_set(most, other);
}

/* The rule's sum of shares, which no bound is in. */
static void rule_shares(const sc_truncation_rule *rule, const sc_ratio *rate, long bits,
                        sc_ball *out)
{
    const uint64_t reach = rule->rows * rule->weight;
    const bool adds_sum = rule->has_sum && !(rule->is_replace && rule->weight == 1);
    SC_OWN(sc_ball, x, step, y, share, most, most_each);
    decay(rate, 1, bits, &x);
    decay(rate, -1, bits, &step);
    sc_ball_set_int64(&y, 1);
    for (uint64_t s = 1; s <= reach; s++) {
        const uint64_t rows = (s - 1) / rule->weight + 1;
        sc_ball_mul(&y, &y, &step, bits);
        share_of(&x, &y, bits, &share);
        take_larger(&most, &share);
        sc_ball_div_int64(&share, &share, (int64_t)rows, bits);
        take_larger(&most_each, &share);
    }
    sc_ball_mul_int64(out, &most_each, (int64_t)(rule->rows * (rule->is_replace ? 2 : 1)),
                      bits);
    if (adds_sum)
        sc_ball_add(out, out, &most, bits);
}

void sc_truncation_rule_delta(const sc_truncation_rule *rule, const sc_ratio *rate,
                              int64_t bound, long bits, sc_ball *out)
{
    rule_shares(rule, rate, bits, out);
    scale(rate, bound, bits, out);
}

/* B >= ln(shares/(delta (1+x)))/w: the shares do not depend on B. */
static bool first_guess(const sc_ball *shares, const sc_ratio *rate,
                        const sc_ratio *delta, int64_t *out)
{
    sc_int128 whole = 0;
    SC_OWN(sc_ball, quotient, part);
    SC_OWN(sc_integer, below);
    decay(rate, 1, BITS, &part);
    sc_ball_add_int64(&part, &part, 1, BITS);
    sc_ball_div(&quotient, shares, &part, BITS);
    sc_ball_set_ratio(&part, delta, BITS);
    sc_ball_div(&quotient, &quotient, &part, BITS);
    sc_ball_log(&quotient, &quotient, BITS);
    sc_ball_set_ratio(&part, rate, BITS);
    sc_ball_div(&quotient, &quotient, &part, BITS);
    if (!sc_ball_floor(&quotient, &below) || !sc_integer_get_int128(&below, &whole) ||
        whole >= SC_TRUNCATION_BOUND)
        return false;
    *out = whole < 0 ? 0 : (int64_t)whole;
    return true;
}

bool sc_truncation_bound(const sc_truncation_rule *rule, const sc_ratio *rate,
                         const sc_ratio *delta, int64_t *out)
{
    int64_t bound = 0;
    SC_OWN(sc_ball, shares, mass, target);
    if (rule->rows > SC_TRUNCATION_REACH || rule->weight > SC_TRUNCATION_REACH ||
        rule->rows * rule->weight > SC_TRUNCATION_REACH)
        return false;
    rule_shares(rule, rate, BITS, &shares);
    if (!first_guess(&shares, rate, delta, &bound))
        return false;
    const int64_t reach = (int64_t)(rule->rows * rule->weight);
    bound = bound < reach ? reach : bound;
    sc_ball_set_ratio(&target, delta, BITS);
    for (;; bound++) {
        sc_truncation_rule_delta(rule, rate, bound, BITS, &mass);
        if (sc_ball_is_less_equal(&mass, &target))
            break;
    }
    *out = bound;
    return bound <= SC_TRUNCATION_BOUND;
}

int64_t sc_cell_reach(const scrim_measurement *m)
{
    return sc_measurement_integer(m, "max-rows", 1) *
           sc_measurement_integer(m, "weight", 1);
}

bool sc_cell_is_replace(const scrim_measurement *m)
{
    return sc_measurement_neighbours(m) == SCRIM_REPLACE;
}

scrim_status sc_cell_domain(scrim_measurement *m, scrim_error *error)
{
    const scrim_status status = sc_unit_counts_elements(m, error);
    m->domain.count_min = 1;
    m->domain.count_max = SC_PROJECTION_CELLS;
    return status;
}

scrim_status sc_cell_width_check(const scrim_measurement *m, const sc_ratio *shape,
                                 bool is_variance, scrim_error *error)
{
    if (sc_ratio_exponent(shape) <= (is_variance ? 80 : 40))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LIMIT,
                   "%s: the noise is wider than 1.1e12; choose a higher cost",
                   m->mechanism->entry.name);
}

size_t sc_cell_answers(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

/* Listing. A key stands for the values first..last. */

typedef struct span {
    int64_t first, last, key;
} span;

static bool is_clamped(const sc_law *law)
{
    return law->functions == &sc_clamped_laplace_law;
}

/* Between the atoms of all counts and the counts themselves the ratios are constant. */
static bool folds_inside(const sc_cell_listing *l)
{
    return is_clamped(l->law) && l->law->bound > 2 * (sc_int128)l->high + 1;
}

static scrim_status add_span(const sc_law *law, int64_t x, span s, long bits,
                             sc_outcomes *out, scrim_error *error)
{
    SC_OWN(sc_ball, mass);
    sc_law_between(law, (sc_int128)s.first - x, (sc_int128)s.last - x, bits, &mass);
    return sc_outcomes_add(out, &s.key, &mass, error);
}

static scrim_status add_each(const sc_law *law, int64_t x, int64_t first, int64_t last,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (int64_t k = first; status == SCRIM_OK && k <= last; k++)
        status = add_span(law, x, (span){k, k, k}, bits, out, error);
    return status;
}

/* -B..high-B, folded to 0, 1..high-1, folded to B-1, B..B+high. */
static scrim_status list_clamped(const sc_cell_listing *l, int64_t x, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    const int64_t bound = (int64_t)l->law->bound, high = l->high;
    if (!folds_inside(l))
        return add_each(l->law, x, x - bound, x + bound, bits, out, error);
    scrim_status status = add_each(l->law, x, x - bound, high - bound, bits, out, error);
    if (status == SCRIM_OK)
        status = add_span(l->law, x, (span){high - bound + 1, 0, 0}, bits, out, error);
    if (status == SCRIM_OK)
        status = add_each(l->law, x, 1, high - 1, bits, out, error);
    if (status == SCRIM_OK)
        status =
            add_span(l->law, x, (span){high, bound - 1, bound - 1}, bits, out, error);
    return status == SCRIM_OK ? add_each(l->law, x, bound, x + bound, bits, out, error)
                              : status;
}

/* Below 0 and above high the ratios are constant. */
static scrim_status list_laplace(const sc_cell_listing *l, int64_t x, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    const int64_t low = 0;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    sc_law_at_most(l->law, -(sc_int128)x, bits, &mass);
    status = sc_outcomes_add(out, &low, &mass, error);
    if (status == SCRIM_OK)
        status = add_each(l->law, x, 1, l->high - 1, bits, out, error);
    sc_law_at_least(l->law, (sc_int128)l->high - x, bits, &mass);
    return status == SCRIM_OK ? sc_outcomes_add(out, &l->high, &mass, error) : status;
}

static scrim_status window_of(const sc_law *law, long bits, int64_t *out,
                              scrim_error *error)
{
    sc_int128 radius = 0;
    SC_OWN(sc_ratio, beta);
    SC_OWN(sc_integer, one);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&beta, &one, (unsigned)bits / 2);
    const scrim_status status = sc_law_radius(law, &beta, &radius, error);
    if (status == SCRIM_OK && radius > (sc_int128)SC_OUTCOMES_MAX / 2)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the distribution has too many outcomes to list; choose a higher "
                       "cost");
    *out = (int64_t)radius;
    return status;
}

static scrim_status list_gaussian(const sc_cell_listing *l, int64_t x, long bits,
                                  sc_outcomes *out, scrim_error *error)
{
    int64_t radius = 0;
    scrim_status status = window_of(l->law, bits, &radius, error);
    if (status == SCRIM_OK)
        status = add_each(l->law, x, x - radius, x + radius, bits, out, error);
    if (status != SCRIM_OK)
        return status;
    sc_law_at_least(l->law, (sc_int128)radius + 1, bits, &out->rest);
    sc_ball_mul_power2(&out->rest, &out->rest, 1);
    return SCRIM_OK;
}

scrim_status sc_cell_list(const void *context, int64_t x, long bits, sc_outcomes *out,
                          scrim_error *error)
{
    const sc_cell_listing *l = context;
    if (x < 0 || x > l->high)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many rows to give the probability of each answer");
    if (is_clamped(l->law))
        return list_clamped(l, x, bits, out, error);
    if (l->law->functions == &sc_discrete_laplace_law)
        return list_laplace(l, x, bits, out, error);
    return list_gaussian(l, x, bits, out, error);
}

/* A window of a Gaussian leaves some 2^-96: at most sqrt(160 variance) on each side. */
static size_t gaussian_length(const sc_ratio *variance)
{
    uint64_t radius = 0;
    SC_OWN(sc_ratio, square);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&square, 160);
    sc_ratio_mul(&square, &square, variance);
    sc_ratio_ceil(&square, &whole);
    sc_integer_sqrt(&whole, &whole);
    if (!sc_integer_get_uint64(&whole, &radius) || radius > SC_OUTCOMES_MAX)
        return SIZE_MAX;
    return 2 * (size_t)radius + 3;
}

size_t sc_cell_list_length(const sc_cell_listing *l)
{
    const size_t high = (size_t)l->high;
    if (folds_inside(l))
        return 3 * high + 4;
    if (is_clamped(l->law))
        return (size_t)(2 * l->law->bound + 1);
    if (l->law->functions == &sc_discrete_laplace_law)
        return high + 1;
    return gaussian_length(&l->law->shape);
}

/* Pairs, the ones with few cells first. */

enum { ONE_CELL, BESIDE_A_ROW, LEAVES, SPREAD, KINDS };

static size_t spread_of(const scrim_measurement *m)
{
    const int64_t rows = sc_measurement_integer(m, "max-rows", 1);
    return rows < 3 ? (size_t)rows : 3;
}

static size_t kind_cells(const scrim_measurement *m, size_t kind)
{
    const size_t each = kind == SPREAD ? spread_of(m) : 1;
    return sc_cell_is_replace(m) && kind != LEAVES ? 2 * each : each;
}

static bool has_kind(const scrim_measurement *m, size_t kind)
{
    if (kind == SPREAD)
        return spread_of(m) > 1;
    return kind != LEAVES || sc_cell_is_replace(m);
}

static size_t kind_at(const scrim_measurement *m, size_t place)
{
    for (size_t kind = 0; kind < KINDS; kind++)
        if (has_kind(m, kind) && place-- == 0)
            return kind;
    return KINDS;
}

size_t sc_cell_pair_count(const scrim_measurement *m, const sc_cell_listing *l,
                          size_t extra)
{
    const size_t length = sc_cell_list_length(l);
    size_t count = 0;
    for (size_t kind; (kind = kind_at(m, count)) < KINDS; count++)
        if (sc_size_power(length, kind_cells(m, kind) + extra) > SC_CELL_OUTCOMES)
            break;
    return count;
}

void sc_cell_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const size_t kind = kind_at(m, index), cells = kind_cells(m, kind);
    const bool is_moved = sc_cell_is_replace(m) && kind != LEAVES;
    const int64_t by =
        kind == SPREAD ? sc_measurement_integer(m, "weight", 1) : sc_cell_reach(m);
    out->x_count = out->y_count = cells;
    for (size_t i = 0; i < cells; i++) {
        out->x[i] = out->y[i] = kind == BESIDE_A_ROW && i == 0 ? 1 : 0;
        if (is_moved && i >= cells / 2)
            out->x[i] += by;
        else
            out->y[i] += by;
    }
}

int64_t sc_cell_pair_high(const scrim_measurement *m)
{
    return sc_cell_reach(m) + 1;
}
