#include "mechanism/sparse/sparse_cost.h"

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
    sc_sparse_renyi_curve(renyi, &out->curve);
}
