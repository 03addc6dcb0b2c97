#include "bags.h"

#include "balls.h"

#include <string.h>

void bags_open(sc_bag *bag)
{
    sc_bag_init(bag);
}

void bags_close(sc_bag *bag)
{
    sc_bag_clear(bag);
}

static sc_part *put(sc_bag *bag, sc_exact_cost *cost, uint64_t count)
{
    cost->neighbours = SCRIM_ADD_REMOVE;
    const scrim_status status = sc_bag_add_cost(bag, cost, count, NULL);
    sc_cost_clear(cost);
    if (!CHECK_STATUS(status, SCRIM_OK))
        exit(1);
    return &bag->parts[bag->count - 1];
}

sc_part *bags_add(sc_bag *bag, const char *epsilon, const char *delta, uint64_t count)
{
    sc_exact_cost cost;
    sc_cost_init(&cost);
    sc_ratio e, d;
    exact_ratio(epsilon, &e);
    exact_ratio(delta, &d);
    cost.has_epsilon = true;
    sc_ratio_set(&cost.epsilon, &e);
    sc_ratio_set(&cost.delta, &d);
    sc_curve_set_approximate(&cost.curve, &e, &d);
    cost.curve.is_attained = true;
    sc_ratio_clear(&d);
    sc_ratio_clear(&e);
    return put(bag, &cost, count);
}

void bags_begin(sc_bag *bag, sc_enclosure *e)
{
    bags_open(bag);
    sc_enclosure_init(e);
}

void bags_begin_with(sc_bag *bag, sc_enclosure *e, const char *epsilon, const char *delta,
                     uint64_t count)
{
    bags_begin(bag, e);
    bags_add(bag, epsilon, delta, count);
}

void bags_end(sc_bag *bag, sc_enclosure *e)
{
    sc_enclosure_clear(e);
    bags_close(bag);
}

sc_part *bags_add_rho(sc_bag *bag, const char *rho, uint64_t count)
{
    sc_exact_cost cost;
    sc_cost_init(&cost);
    sc_ratio r;
    exact_ratio(rho, &r);
    cost.has_rho = true;
    sc_ratio_set(&cost.rho, &r);
    sc_curve_set_concentrated(&cost.curve, &r);
    sc_ratio_clear(&r);
    return put(bag, &cost, count);
}

sc_part *bags_add_gaussian(sc_bag *bag, const char *variance, uint64_t count)
{
    sc_exact_cost cost;
    sc_cost_init(&cost);
    sc_ratio v, half;
    exact_ratio(variance, &v);
    exact_ratio("1/2", &half);
    cost.has_rho = true;
    sc_ratio_div(&cost.rho, &half, &v);
    sc_curve_set_gaussian(&cost.curve, &v, 1);
    cost.curve.is_attained = true;
    sc_ratio_clear(&half);
    sc_ratio_clear(&v);
    return put(bag, &cost, count);
}

sc_part *bags_sample(sc_part *part, const char *rate)
{
    sc_ratio q;
    exact_ratio(rate, &q);
    part->is_sampled = true;
    sc_ratio_set(&part->rate, &q);
    sc_ratio_clear(&q);
    return part;
}

typedef scrim_status question(const sc_bag *bag, const sc_ratio *at, sc_enclosure *out,
                              const char **remark, scrim_error *error);

/* No upper bound has a remark instead; an upper bound is finite. */
static bool ask(question *of, const sc_bag *bag, const char *at, sc_enclosure *out)
{
    sc_ratio x;
    const char *remark = NULL;
    scrim_error error = {0};
    exact_ratio(at, &x);
    out->has_lower = out->has_upper = false;
    const scrim_status status = of(bag, &x, out, &remark, &error);
    CHECK(status == SCRIM_OK || (status == SCRIM_E_LIMIT && error.message[0] != '\0'));
    if (status == SCRIM_OK && !out->has_upper)
        CHECK(remark != NULL);
    if (out->has_upper)
        CHECK(sc_ball_is_finite(&out->upper));
    if (out->has_lower)
        CHECK(sc_ball_is_finite(&out->lower));
    if (out->has_lower && out->has_upper)
        CHECK(!sc_ball_is_less(&out->upper, &out->lower));
    sc_ratio_clear(&x);
    return status == SCRIM_OK && out->has_upper;
}

bool bags_epsilon(const sc_accountant *by, const sc_bag *bag, const char *delta,
                  sc_enclosure *out)
{
    return ask(by->epsilon, bag, delta, out);
}

bool bags_delta(const sc_accountant *by, const sc_bag *bag, const char *epsilon,
                sc_enclosure *out)
{
    return ask(by->delta, bag, epsilon, out);
}

bool bags_check_upper(const sc_ball *ball, const char *printed, const char *text,
                      const char *file, int line)
{
    sc_ball end, least, most;
    char got[64];
    sc_ball_init(&end);
    sc_ball_init(&least);
    sc_ball_init(&most);
    bool held = ball_set_text(&least, printed, EXACT_BITS) &&
                ball_set_text(&most, "1e-15", EXACT_BITS);
    sc_ball_mul(&most, &most, &least, EXACT_BITS);
    sc_ball_sub(&least, &least, &most, EXACT_BITS);
    sc_ball_mul_int64(&most, &most, 1000000, EXACT_BITS);
    sc_ball_add(&most, &least, &most, EXACT_BITS);
    sc_ball_set_upper(&end, ball, EXACT_BITS);
    held =
        held && sc_ball_is_less_equal(&least, &end) && sc_ball_is_less_equal(&end, &most);
    check_saw(true, text, file, line);
    if (!held) {
        sc_ball_format(ball, 30, got, sizeof got);
        check_fail(file, line, "%s is %s, not just above %s", text, got, printed);
    }
    sc_ball_clear(&most);
    sc_ball_clear(&least);
    sc_ball_clear(&end);
    return held;
}
