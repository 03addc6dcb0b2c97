#include "model/curve.h"
#include "model/shifted_loss.h"

static void delta_of(const sc_curve *curve, uint64_t copies, const sc_ratio *epsilon,
                     long bits, sc_ball *out)
{
    sc_shifted_loss loss;
    sc_shifted_loss_init(&loss, &curve->shape, curve->count, bits + 32);
    sc_shifted_loss_delta(&loss, &curve->shape, copies, epsilon, bits + 32, out);
    sc_shifted_loss_clear(&loss);
}

static void once(const sc_curve *curve, const sc_ratio *epsilon, long bits, sc_ball *out)
{
    delta_of(curve, 1, epsilon, bits, out);
}

static void twice(const sc_curve *curve, const sc_ratio *epsilon, long bits, sc_ball *out)
{
    delta_of(curve, 2, epsilon, bits, out);
}

/* Some of it has an infinite loss, so that no Renyi divergence is finite. */
static const sc_curve_functions shifted = {"shifted-laplace", once, NULL,
                                           SC_CURVE_PAIR_SHIFTED};
static const sc_curve_functions shifted_twice = {"shifted-laplace-twice", twice, NULL,
                                                 SC_CURVE_PAIR_SHIFTED_TWICE};

void sc_curve_set_shifted(sc_curve *curve, const sc_ratio *epsilon, uint64_t q,
                          bool is_twice)
{
    curve->functions = is_twice ? &shifted_twice : &shifted;
    sc_ratio_set(&curve->shape, epsilon);
    curve->count = q;
}
