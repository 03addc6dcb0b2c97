#include "mechanism/selection/composed_range.h"

/* Releases of one epsilon each, fixed in number and of bounded range: delta as of any pure
 * ones, Renyi divergences as of bounded range. */
static void composed_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                           sc_ball *out)
{
    SC_OWN(sc_curve, pure);
    sc_curve_set_composed(&pure, &curve->epsilon, curve->count);
    sc_curve_delta_upper(&pure, epsilon, bits, out);
}

static void composed_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                           sc_ball *out)
{
    SC_OWN(sc_curve, one);
    sc_curve_set_bounded_range(&one, &curve->epsilon);
    sc_curve_renyi_upper(&one, order, bits, out);
    sc_ball_mul_int64(out, out, (int64_t)curve->count, bits);
}

static const sc_curve_functions composed_range = {
    .name = "composed bounded-range", .delta = composed_delta, .renyi = composed_renyi};

void sc_composed_range_cost(sc_exact_cost *out, const sc_ratio *epsilon,
                            const sc_ratio *each, uint64_t releases)
{
    sc_cost_set_bounded_range(out, epsilon);
    if (releases == 1)
        return;
    SC_OWN(sc_ratio, count);
    sc_ratio_set_int64(&count, (int64_t)releases);
    sc_ratio_div(&out->rho, &out->rho, &count);
    sc_cost_round_up(&out->rho, &out->rho);
    sc_ratio_set(&out->curve.epsilon, each);
    out->curve.count = releases;
    out->curve.functions = &composed_range;
}
