#include "composition/accountant/renyi.h"

#include "base/memory.h"
#include "composition/loss/bag_parts.h"
#include "model/measurement.h"
#include "model/renyi_conversion.h"

#include <string.h>

/* The binomial weight p(j), and e(j) = exp(j (j-1) rho) - 1. As y(j) = exp(2 j rho) - 1 becomes
 * y Y + (Y - 1), with Y = exp(2 rho), e becomes e (y + 1) + y: nothing is subtracted. */
typedef struct recurrence {
    sc_ball weight, odds;
    sc_ball e, y, factor, less; /* Y and Y - 1 */
    sc_ball sum, work;
} recurrence;

static void recurrence_init(recurrence *r)
{
    sc_ball *const all[] = {&r->weight, &r->odds, &r->e,   &r->y,
                            &r->factor, &r->less, &r->sum, &r->work};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_init(all[i]);
}

static void recurrence_clear(recurrence *r)
{
    sc_ball *const all[] = {&r->weight, &r->odds, &r->e,   &r->y,
                            &r->factor, &r->less, &r->sum, &r->work};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_clear(all[i]);
}

static void start(recurrence *r, const sc_ratio *rho, const sc_ratio *rate, uint64_t a,
                  long bits)
{
    sc_ball_set_ratio(&r->odds, rate, bits);
    sc_ball_neg(&r->work, &r->odds);
    sc_ball_log1p(&r->weight, &r->work, bits);
    sc_ball_add_int64(&r->work, &r->work, 1, bits);
    sc_ball_div(&r->odds, &r->odds, &r->work, bits);
    sc_ball_mul_int64(&r->weight, &r->weight, (int64_t)a, bits);
    sc_ball_exp(&r->weight, &r->weight, bits); /* (1 - q)^a */
    sc_ball_set_ratio(&r->work, rho, bits);
    sc_ball_mul_power2(&r->work, &r->work, 1);
    sc_ball_exp(&r->factor, &r->work, bits);
    sc_ball_expm1(&r->less, &r->work, bits);
    sc_ball_set_int64(&r->e, 0);
    sc_ball_set_int64(&r->y, 0);
    sc_ball_set_int64(&r->sum, 0);
}

/* ln of the sum for an integer order: as the weights sum to 1, log1p of the sum of p(j) e(j). */
static void log_sum(const sc_ratio *rho, const sc_ratio *rate, uint64_t a, long bits,
                    sc_ball *out)
{
    recurrence r;
    recurrence_init(&r);
    start(&r, rho, rate, a, bits);
    for (uint64_t j = 0; j < a; j++) {
        sc_ball_mul(&r.work, &r.e, &r.y, bits);
        sc_ball_add(&r.e, &r.e, &r.work, bits);
        sc_ball_add(&r.e, &r.e, &r.y, bits);
        sc_ball_mul(&r.y, &r.y, &r.factor, bits);
        sc_ball_add(&r.y, &r.y, &r.less, bits);
        sc_ball_mul(&r.weight, &r.weight, &r.odds, bits);
        sc_ball_mul_int64(&r.weight, &r.weight, (int64_t)(a - j), bits);
        sc_ball_div_int64(&r.weight, &r.weight, (int64_t)(j + 1), bits);
        sc_ball_mul(&r.work, &r.weight, &r.e, bits);
        sc_ball_add(&r.sum, &r.sum, &r.work, bits);
    }
    sc_ball_log1p(out, &r.sum, bits);
    recurrence_clear(&r);
}

/* The chord of (a - 1) D_a at an order from a to a + 1, divided by order - 1. */
static void chord(const sc_ratio *rho, const sc_ratio *rate, uint64_t a,
                  const sc_ratio *order, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, part, one);
    SC_OWN(sc_ball, next, weight);
    sc_ratio_set_int128(&one, (sc_int128)a);
    sc_ratio_sub(&part, order, &one);
    sc_ball_set_int64(out, 0);
    if (a > 1)
        log_sum(rho, rate, a, bits, out);
    if (sc_ratio_sign(&part) > 0) {
        log_sum(rho, rate, a + 1, bits, &next);
        sc_ball_set_ratio(&weight, &part, bits);
        sc_ball_mul(&next, &next, &weight, bits);
        sc_ratio_set_int64(&one, 1);
        sc_ratio_sub(&part, &one, &part);
        sc_ball_set_ratio(&weight, &part, bits);
        sc_ball_mul(out, out, &weight, bits);
        sc_ball_add(out, out, &next, bits);
    }
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&part, order, &one);
    sc_ball_set_ratio(&weight, &part, bits);
    sc_ball_div(out, out, &weight, bits);
}

void sc_sampled_gaussian_renyi(const sc_ratio *rho, const sc_ratio *rate,
                               const sc_ratio *order, uint64_t most, long bits,
                               sc_ball *out)
{
    uint64_t a = 0;
    SC_OWN(sc_ratio, line);
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ball, other);
    sc_ratio_mul(&line, rho, order);
    sc_ball_set_ratio(out, &line, bits);
    sc_ratio_floor(order, &whole);
    if (sc_ratio_compare_int64(rate, 1) < 0 && sc_integer_get_uint64(&whole, &a) &&
        a < most) {
        chord(rho, rate, a, order, bits, &other);
        if (sc_ball_is_finite(&other))
            sc_ball_take_smaller(out, &other);
    }
}

#define BITS 128L

static const char no_divergence[] = "some part has no finite Renyi divergence";
static const char no_rho[] = "some part has neither rho nor epsilon";
static const char no_delta[] = "the deltas of the parts use up that delta";
static const char no_order[] = "no order gives a finite bound";

/* A part with the bounds of it that count. */
typedef struct term {
    const sc_part *part;
    bool has_curve, has_line, has_pure, is_aside, is_gaussian_sample;
    sc_ratio rho, xi; /* of the line */
    sc_curve pure;    /* of the epsilon, amplified by sampling */
} term;

struct sc_renyi_sum {
    sc_curve curve;
    sc_claims aside; /* the events that the divergences leave out */
    uint64_t most;   /* terms to sum for one order of a sample */
    size_t count;
    term terms[];
};

/* Gaussian noise, of one integer or of many. */
static bool is_gaussian(const sc_part *part)
{
    const sc_curve_functions *functions = part->cost.curve.functions;
    if (functions != NULL && (functions->pair == SC_CURVE_PAIR_GAUSSIAN ||
                              functions->pair == SC_CURVE_PAIR_CONTINUOUS_GAUSSIAN))
        return true;
    return part->measurement != NULL &&
           strcmp(part->measurement->mechanism->entry.name, "gaussian") == 0;
}

/* Divergences grow with their order, so one that is finite anywhere is finite at the smallest order that is converted. */
static bool has_finite_curve(const sc_exact_cost *cost)
{
    SC_OWN(sc_ratio, order);
    SC_OWN(sc_ball, value);
    sc_renyi_smallest_order(&order);
    sc_curve_renyi_upper(&cost->curve, &order, BITS, &value);
    return sc_ball_is_finite(&value);
}

/* epsilon^2 / 2. */
static void half_square(const sc_ratio *epsilon, sc_ratio *out)
{
    SC_OWN(sc_ratio, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_mul(out, epsilon, epsilon);
    sc_ratio_div(out, out, &two);
}

/* The epsilon of the part, amplified; its delta is left aside if count_delta says so. */
static void set_pure(term *t, sc_claims *aside, bool count_delta)
{
    const sc_part *part = t->part;
    SC_OWN(sc_ratio, delta, epsilon);
    sc_ratio_set(&delta, &part->cost.delta);
    sc_ratio_set(&epsilon, &part->cost.epsilon);
    if (part->is_sampled) {
        sc_claims_amplify(&part->cost.epsilon, &part->rate, &epsilon);
        sc_ratio_mul(&delta, &delta, &part->rate);
    }
    sc_curve_set_pure(&t->pure, &epsilon);
    if (count_delta)
        sc_claims_join(aside, &delta, part->count);
}

/* (xi, rho) of the part; where only lines count, the smaller of it and of what the epsilon gives. */
static void set_line(term *t, bool is_concentrated)
{
    SC_OWN(sc_ratio, other);
    const sc_exact_cost *cost = &t->part->cost;
    sc_ratio_set(&t->rho, t->is_aside ? &cost->aside_rho : &cost->rho);
    if (t->has_line)
        sc_ratio_set(&t->xi, &cost->xi);
    if (is_concentrated && t->has_pure) {
        half_square(&t->pure.epsilon, &other);
        if (!t->has_line || (sc_ratio_compare(&other, &t->rho) < 0)) {
            sc_ratio_set(&t->rho, &other);
            sc_ratio_set_int64(&t->xi, 0);
        }
        t->has_line = true;
    }
}

/* False when nothing finite is known of the part. */
static bool set_term(term *t, const sc_part *part, bool is_concentrated, sc_claims *aside)
{
    const sc_exact_cost *cost = &part->cost;
    const bool is_pure = sc_claims_has(part) && sc_ratio_sign(&cost->delta) == 0;
    t->part = part;
    t->has_curve = !is_concentrated && has_finite_curve(cost);
    t->has_line = cost->has_rho;
    t->is_aside = cost->has_aside && !t->has_curve && !t->has_line && !is_pure;
    t->has_pure =
        is_pure || (sc_claims_has(part) && !t->has_curve && !t->has_line && !t->is_aside);
    if (t->has_pure)
        set_pure(t, aside, !is_pure);
    if (t->is_aside)
        sc_claims_join(aside, &cost->aside, part->count);
    t->is_gaussian_sample = part->is_sampled && t->has_line &&
                            sc_ratio_sign(&cost->xi) == 0 && is_gaussian(part);
    set_line(t, is_concentrated);
    t->has_line = t->has_line || t->is_aside;
    return t->has_curve || t->has_line || t->has_pure;
}

static void take(const sc_ball *value, bool *any, sc_ball *out)
{
    if (!sc_ball_is_finite(value))
        return;
    if (*any)
        sc_ball_take_smaller(out, value);
    else
        sc_ball_set(out, value);
    *any = true;
}

/* The least that is known of one part, times its count. */
static void term_renyi(const sc_renyi_sum *sum, const term *t, const sc_ratio *order,
                       long bits, sc_ball *value, sc_ball *out)
{
    bool any = false;
    SC_OWN(sc_ratio, line);
    if (t->is_gaussian_sample) {
        sc_sampled_gaussian_renyi(&t->rho, &t->part->rate, order, sum->most, bits, value);
        take(value, &any, out);
    } else if (t->has_line) {
        sc_ratio_mul(&line, &t->rho, order);
        sc_ratio_add(&line, &line, &t->xi);
        sc_ball_set_ratio(value, &line, bits);
        take(value, &any, out);
    }
    if (t->has_curve && !t->is_gaussian_sample) {
        sc_curve_renyi_upper(&t->part->cost.curve, order, bits, value);
        take(value, &any, out);
    }
    if (t->has_pure) {
        sc_curve_renyi_upper(&t->pure, order, bits, value);
        take(value, &any, out);
    }
    if (!any)
        sc_ball_set_infinite(out);
    sc_ball_mul_int64(out, out, (int64_t)t->part->count, bits);
}

static void sum_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                      sc_ball *out)
{
    const sc_renyi_sum *sum = curve->context;
    SC_OWN(sc_ball, one, work, total);
    for (size_t i = 0; i < sum->count; i++) {
        term_renyi(sum, &sum->terms[i], order, bits, &work, &one);
        sc_ball_add(&total, &total, &one, bits);
    }
    sc_ball_set(out, &total);
}

static const sc_curve_functions sum_functions = {.name = "sum", .renyi = sum_renyi};

static void term_init(term *t)
{
    sc_ratio_init(&t->rho);
    sc_ratio_init(&t->xi);
    sc_curve_init(&t->pure);
}

static void term_clear(term *t)
{
    sc_curve_clear(&t->pure);
    sc_ratio_clear(&t->xi);
    sc_ratio_clear(&t->rho);
}

void sc_renyi_sum_free(sc_renyi_sum *sum)
{
    if (sum == NULL)
        return;
    for (size_t i = 0; i < sum->count; i++)
        term_clear(&sum->terms[i]);
    sc_claims_clear(&sum->aside);
    sc_curve_clear(&sum->curve);
    sc_free(sum);
}

/* One line is the sum of all. */
static void add_lines(sc_renyi_sum *sum)
{
    SC_OWN(sc_ratio, rho, xi, count, part);
    for (size_t i = 0; i < sum->count; i++) {
        sc_ratio_set_int128(&count, (sc_int128)sum->terms[i].part->count);
        sc_ratio_mul(&part, &count, &sum->terms[i].rho);
        sc_claims_add(&rho, &part);
        sc_ratio_mul(&part, &count, &sum->terms[i].xi);
        sc_claims_add(&xi, &part);
    }
    sc_curve_set_line(&sum->curve, &xi, &rho);
}

/* Orders of samples are summed up to this one, or less where there are many. */
#define ORDER_MOST 4096
#define ORDERS_OF_ALL 32768

scrim_status sc_renyi_sum_new(const sc_bag *bag, bool is_concentrated, sc_renyi_sum **out,
                              scrim_error *error)
{
    sc_renyi_sum *sum = sc_allocate(1, sizeof *sum + bag->count * sizeof(term));
    bool is_finite = true;
    if (sum == NULL)
        return sc_no_memory(error, "the parts' curves");
    sc_curve_init(&sum->curve);
    sc_claims_init(&sum->aside);
    size_t samples = 1;
    for (size_t i = 0; is_finite && i < bag->count; i++) {
        term *t = &sum->terms[sum->count++];
        term_init(t);
        is_finite = set_term(t, &bag->parts[i], is_concentrated, &sum->aside);
        samples += t->is_gaussian_sample;
    }
    sum->most =
        ORDERS_OF_ALL / samples < ORDER_MOST ? ORDERS_OF_ALL / samples : ORDER_MOST;
    sum->curve.functions = &sum_functions;
    sum->curve.context = sum;
    if (is_concentrated)
        add_lines(sum);
    if (!is_finite) {
        sc_renyi_sum_free(sum);
        sum = NULL;
    }
    *out = sum;
    return SCRIM_OK;
}

const sc_curve *sc_renyi_sum_curve(const sc_renyi_sum *sum)
{
    return &sum->curve;
}

/* Sets the upper bound of a number that is known to be at least 0. */
static void set_upper(sc_enclosure *out, const sc_ball *value)
{
    out->has_upper = true;
    sc_ball_set_upper(&out->upper, value, BITS);
    if (!sc_ball_is_positive(&out->upper))
        sc_ball_set_int64(&out->upper, 0);
}

static void convert_epsilon(const sc_renyi_sum *sum, const sc_ratio *delta,
                            sc_enclosure *out, const char **remark)
{
    SC_OWN(sc_ball, rest, value);
    if (!sc_claims_rest(&sum->aside, delta, &rest) || !sc_ball_is_positive(&rest)) {
        *remark = no_delta;
    } else {
        sc_ball_log(&rest, &rest, BITS);
        if (sc_renyi_epsilon(&sum->curve, &rest, BITS, &value))
            set_upper(out, &value);
        else
            *remark = no_order;
    }
}

static void convert_delta(const sc_renyi_sum *sum, const sc_ratio *epsilon,
                          sc_enclosure *out, const char **remark)
{
    SC_OWN(sc_ball, value);
    if (sc_renyi_delta(&sum->curve, epsilon, BITS, &value)) {
        SC_OWN(sc_ball, one);
        sc_ball_set_int64(&one, 1);
        sc_ball_take_smaller(&one, &value);
        sc_ball_cut_unit(&one);
        sc_claims_total(&sum->aside, &one, &value);
        set_upper(out, &value);
    } else {
        *remark = no_order;
    }
}

/* The filter: orders that are fixed beforehand, and delta divided among them. */

static const int64_t filter_orders[] = {2,  3,  4,  5,  6,  8,  10,  12,
                                        16, 20, 24, 32, 48, 64, 128, 256};
#define FILTER_ORDERS ((int64_t)(sizeof filter_orders / sizeof filter_orders[0]))

/* The sum of the parts at an order, and ln(1 - 1/order). */
static void filter_sum(const sc_renyi_sum *sum, int64_t a, sc_ball *spent, sc_ball *rest)
{
    SC_OWN(sc_ratio, order, one);
    sc_ratio_set_int64(&order, a);
    sc_curve_renyi_upper(&sum->curve, &order, BITS, spent);
    sc_ratio_set_int64(&one, -1);
    sc_ratio_div(&one, &one, &order);
    sc_ball_set_ratio(rest, &one, BITS);
    sc_ball_log1p(rest, rest, BITS);
}

/* At one order S + ln(1 - 1/a) - (ln(delta/count) + ln a)/(a - 1). */
static void filter_epsilon(const sc_renyi_sum *sum, const sc_ratio *delta,
                           sc_enclosure *out, const char **remark)
{
    bool any = false;
    SC_OWN(sc_ball, rest, spent, least, share, loga);
    if (!sc_claims_rest(&sum->aside, delta, &rest) || !sc_ball_is_positive(&rest)) {
        *remark = no_delta;
        return;
    }
    sc_ball_div_int64(&rest, &rest, FILTER_ORDERS, BITS);
    sc_ball_log(&rest, &rest, BITS);
    for (int64_t i = 0; i < FILTER_ORDERS; i++) {
        filter_sum(sum, filter_orders[i], &spent, &share);
        sc_ball_add(&spent, &spent, &share, BITS);
        sc_ball_set_int64(&loga, filter_orders[i]);
        sc_ball_log(&loga, &loga, BITS);
        sc_ball_add(&share, &rest, &loga, BITS);
        sc_ball_div_int64(&share, &share, filter_orders[i] - 1, BITS);
        sc_ball_sub(&spent, &spent, &share, BITS);
        take(&spent, &any, &least);
    }
    if (any)
        set_upper(out, &least);
    else
        *remark = no_order;
}

/* At one order count exp((a - 1)(S - epsilon + ln(1 - 1/a)))/a. */
static void filter_delta(const sc_renyi_sum *sum, const sc_ratio *epsilon,
                         sc_enclosure *out, const char **remark)
{
    bool any = false;
    SC_OWN(sc_ball, given, spent, least, share, one);
    sc_ball_set_ratio(&given, epsilon, BITS);
    for (int64_t i = 0; i < FILTER_ORDERS; i++) {
        filter_sum(sum, filter_orders[i], &spent, &share);
        sc_ball_add(&spent, &spent, &share, BITS);
        sc_ball_sub(&spent, &spent, &given, BITS);
        sc_ball_mul_int64(&spent, &spent, filter_orders[i] - 1, BITS);
        sc_ball_exp(&spent, &spent, BITS);
        sc_ball_mul_int64(&spent, &spent, FILTER_ORDERS, BITS);
        sc_ball_div_int64(&spent, &spent, filter_orders[i], BITS);
        take(&spent, &any, &least);
    }
    if (!any) {
        *remark = no_order;
        return;
    }
    sc_ball_set_int64(&one, 1);
    sc_ball_take_smaller(&one, &least);
    sc_ball_cut_unit(&one);
    sc_claims_total(&sum->aside, &one, &least);
    set_upper(out, &least);
}

/* How a sum of curves is turned into a bound; deltas that are left out are added up where parameters may follow from
 * answers. */
typedef struct conversion {
    bool is_concentrated, is_adaptive;
    void (*epsilon)(const sc_renyi_sum *sum, const sc_ratio *delta, sc_enclosure *out,
                    const char **remark);
    void (*delta)(const sc_renyi_sum *sum, const sc_ratio *epsilon, sc_enclosure *out,
                  const char **remark);
} conversion;

static const conversion at_best = {.epsilon = convert_epsilon, .delta = convert_delta};
static const conversion by_line = {.is_concentrated = true,
                                   .is_adaptive = true,
                                   .epsilon = convert_epsilon,
                                   .delta = convert_delta};
static const conversion by_filter = {
    .is_adaptive = true, .epsilon = filter_epsilon, .delta = filter_delta};

static scrim_status bound(const sc_bag *bag, const conversion *by, bool for_epsilon,
                          const sc_ratio *at, sc_enclosure *out, const char **remark,
                          scrim_error *error)
{
    sc_renyi_sum *sum = NULL;
    scrim_status status = sc_renyi_sum_new(bag, by->is_concentrated, &sum, error);
    if (status == SCRIM_OK && sum == NULL)
        *remark = by->is_concentrated ? no_rho : no_divergence;
    if (sum != NULL && by->is_adaptive)
        sc_claims_add_up(&sum->aside);
    if (status == SCRIM_OK && sum != NULL)
        (for_epsilon ? by->epsilon : by->delta)(sum, at, out, remark);
    sc_renyi_sum_free(sum);
    return status;
}

static scrim_status renyi_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                  sc_enclosure *out, const char **remark,
                                  scrim_error *error)
{
    return bound(bag, &at_best, true, delta, out, remark, error);
}

static scrim_status renyi_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                sc_enclosure *out, const char **remark,
                                scrim_error *error)
{
    return bound(bag, &at_best, false, epsilon, out, remark, error);
}

static scrim_status concentrated_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                         sc_enclosure *out, const char **remark,
                                         scrim_error *error)
{
    return bound(bag, &by_line, true, delta, out, remark, error);
}

static scrim_status concentrated_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                       sc_enclosure *out, const char **remark,
                                       scrim_error *error)
{
    return bound(bag, &by_line, false, epsilon, out, remark, error);
}

static scrim_status filtered_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                     sc_enclosure *out, const char **remark,
                                     scrim_error *error)
{
    return bound(bag, &by_filter, true, delta, out, remark, error);
}

static scrim_status filtered_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                   sc_enclosure *out, const char **remark,
                                   scrim_error *error)
{
    return bound(bag, &by_filter, false, epsilon, out, remark, error);
}

const sc_accountant sc_accountant_renyi = {
    .name = "renyi",
    .summary = "Renyi curves add up; the best order is converted",
    .reference = "Mironov 2017; Canonne, Kamath, Steinke 2020",
    .epsilon = renyi_epsilon,
    .delta = renyi_delta,
};

const sc_accountant sc_accountant_renyi_filter = {
    .name = "renyi-filter",
    .summary = "Renyi curves add up at 16 orders that are fixed beforehand",
    .reference = "Feldman, Zrnic 2021; Lecuyer 2021",
    .is_adaptive = true,
    .epsilon = filtered_epsilon,
    .delta = filtered_delta,
};

const sc_accountant sc_accountant_concentrated = {
    .name = "concentrated",
    .summary = "rhos add up; one line for all orders",
    .reference = "Bun, Steinke 2016; Canonne, Kamath, Steinke 2020",
    .is_adaptive = true,
    .epsilon = concentrated_epsilon,
    .delta = concentrated_delta,
};
