#include "composition/accountant/gaussian_merge.h"

#include "base/number/ratio.h"
#include "mechanism/noise/gaussian_calibration.h"

#define BITS 256L

bool sc_gaussian_merge_is(const sc_loss_items *items)
{
    return items->count == 1 && items->list[0].pair != NULL &&
           items->list[0].count == 1 && !items->list[0].pair->is_sampled &&
           items->list[0].pair->kind == &sc_loss_kind_continuous_gaussian;
}

/* mu, with the bits that sc_analytic_gaussian_delta may ask for. */
static void set_mu(const sc_loss_items *items, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, square);
    sc_ratio_set_int64(&square, 1);
    sc_ratio_div(&square, &square, &items->list[0].pair->shape);
    sc_ball_set_ratio(out, &square, bits);
    sc_ball_sqrt(out, out, bits);
}

static void delta_at(const sc_loss_items *items, const sc_ratio *epsilon, sc_ball *out)
{
    SC_OWN(sc_ball, mu);
    set_mu(items, 16 * (BITS + 64), &mu);
    sc_analytic_gaussian_delta(epsilon, &mu, BITS, out);
}

/* Is delta at this epsilon at most the wanted one, certainly; and is it possibly? */
typedef struct question {
    const sc_loss_items *items;
    sc_ball delta;
    bool is_certain;
} question;

static bool meets(const void *context, const sc_ratio *epsilon)
{
    const question *q = context;
    SC_OWN(sc_ball, found);
    delta_at(q->items, epsilon, &found);
    return q->is_certain ? sc_ball_is_less_equal(&found, &q->delta)
                         : !sc_ball_is_less(&q->delta, &found);
}

/* 20 + STEPS bits behind the point of a power of 2 below 2^20: less than 1e-12, and less than 2^-60 of
 * epsilon. */
#define NEAR (-200)
#define FAR 20
#define STEPS 62

/* The end below which it does not hold, and the one from which it holds. */
static bool turn(const question *q, sc_ratio *low, sc_ratio *high)
{
    const bool found = sc_ratio_bracket(meets, q, NEAR, FAR, low, high);
    if (found)
        sc_ratio_bisect(meets, q, STEPS, low, high);
    return found;
}

bool sc_gaussian_merge_epsilon(const sc_loss_items *items, const sc_ratio *delta,
                               sc_enclosure *out)
{
    bool found = true;
    question q = {.items = items, .is_certain = true};
    SC_OWN(sc_ratio, low, high, zero);
    sc_ball_init(&q.delta);
    sc_ball_set_ratio(&q.delta, delta, BITS);
    if (!meets(&q, &zero)) {
        found = turn(&q, &zero, &high);
        q.is_certain = false;
        found = found && turn(&q, &low, &zero);
    }
    if (found) {
        out->has_lower = out->has_upper = true;
        sc_ball_set_ratio(&out->lower, &low, BITS);
        sc_ball_set_ratio(&out->upper, &high, BITS);
    }
    sc_ball_clear(&q.delta);
    return found;
}

void sc_gaussian_merge_delta(const sc_loss_items *items, const sc_ratio *epsilon,
                             sc_enclosure *out)
{
    delta_at(items, epsilon, &out->upper);
    sc_ball_set(&out->lower, &out->upper);
    out->has_lower = out->has_upper = true;
}
