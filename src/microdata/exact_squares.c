#include "microdata/exact_squares.h"

#include "base/memory.h"
#include "base/reserve.h"

sc_ratio *sc_ratios_new(size_t count)
{
    sc_ratio *ratios = sc_allocate(count, sizeof *ratios);
    for (size_t i = 0; ratios != NULL && i < count; i++)
        sc_ratio_init(&ratios[i]);
    return ratios;
}

void sc_ratios_free(sc_ratio *ratios, size_t count)
{
    for (size_t i = 0; ratios != NULL && i < count; i++)
        sc_ratio_clear(&ratios[i]);
    sc_free(ratios);
}

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the tree");
}

static bool is_absent(const sc_ratio *variance)
{
    return sc_ratio_sign(variance) < 0;
}

/* a / b, and 0 / 0 is 0. */
static void divide(sc_ratio *out, const sc_ratio *a, const sc_ratio *b)
{
    if (sc_ratio_sign(b) == 0)
        sc_ratio_set_int64(out, 0);
    else
        sc_ratio_div(out, a, b);
}

static void sum_children(const sc_exact_squares *s, size_t v, const sc_ratio *values,
                         sc_ratio *out)
{
    SC_OWN(sc_ratio, sum);
    for (size_t c = s->shape.child[v]; c < s->shape.child[v + 1]; c++)
        sc_ratio_add(&sum, &sum, &values[c]);
    sc_ratio_set(out, &sum);
}

static void set_up(sc_exact_squares *s, size_t v)
{
    SC_OWN(sc_ratio, product, sum);
    if (v >= s->shape.inner) {
        sc_ratio_set(&s->up[v], &s->measured[v]);
        return;
    }
    sum_children(s, v, s->up, &s->below[v]);
    if (is_absent(&s->measured[v])) {
        sc_ratio_set(&s->up[v], &s->below[v]);
        return;
    }
    sc_ratio_mul(&product, &s->measured[v], &s->below[v]);
    sc_ratio_add(&sum, &s->measured[v], &s->below[v]);
    divide(&s->up[v], &product, &sum);
}

static void set_final(sc_exact_squares *s, size_t v)
{
    SC_OWN(sc_ratio, gain, part);
    for (size_t c = s->shape.child[v]; c < s->shape.child[v + 1]; c++) {
        divide(&gain, &s->up[c], &s->below[v]);
        sc_ratio_mul(&part, &gain, &s->final[v]);
        sc_ratio_sub(&part, &part, &s->up[c]);
        sc_ratio_mul(&part, &part, &gain);
        sc_ratio_add(&s->final[c], &s->up[c], &part);
    }
}

scrim_status sc_exact_squares_init(sc_exact_squares *s, const sc_tree_shape *shape,
                                   const sc_ratio *variances, scrim_error *error)
{
    const size_t nodes = shape->child[shape->inner];
    sc_ratio **const arrays[] = {&s->measured, &s->up, &s->below, &s->final};
    *s = (sc_exact_squares){.shape = *shape, .nodes = nodes};
    if (nodes > SC_EXACT_NODES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "exact variances are for trees of at most %d nodes",
                       SC_EXACT_NODES);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if ((*arrays[i] = sc_ratios_new(nodes)) == NULL)
            return no_memory(error);
    for (size_t v = 0; v < nodes; v++) {
        if (v >= shape->inner && is_absent(&variances[v]))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "variance",
                               "every leaf must be measured");
        sc_ratio_set(&s->measured[v], &variances[v]);
    }
    for (size_t v = nodes; v-- > 0 && !sc_reserve_is_low();)
        set_up(s, v);
    sc_ratio_set(&s->final[0], &s->up[0]);
    for (size_t v = 0; v < shape->inner && !sc_reserve_is_low(); v++)
        set_final(s, v);
    return sc_reserve_is_low() ? no_memory(error) : SCRIM_OK;
}

void sc_exact_squares_clear(sc_exact_squares *s)
{
    sc_ratios_free(s->measured, s->nodes);
    sc_ratios_free(s->up, s->nodes);
    sc_ratios_free(s->below, s->nodes);
    sc_ratios_free(s->final, s->nodes);
    *s = (sc_exact_squares){.nodes = 0};
}

/* Linear functions. */

/* be(v) = sum (be(c) + al(c)^2 V'(c)) - t^2/S, al(v) = t/S, t = sum al(c) V'(c). */
static void fold(const sc_exact_squares *s, size_t v, sc_ratio *weights, sc_ratio *rests)
{
    SC_OWN(sc_ratio, sum, rest, part);
    for (size_t c = s->shape.child[v]; c < s->shape.child[v + 1]; c++) {
        sc_ratio_mul(&part, &weights[c], &s->up[c]);
        sc_ratio_add(&sum, &sum, &part);
        sc_ratio_mul(&part, &part, &weights[c]);
        sc_ratio_add(&rest, &rest, &part);
        sc_ratio_add(&rest, &rest, &rests[c]);
    }
    divide(&weights[v], &sum, &s->below[v]);
    sc_ratio_mul(&part, &weights[v], &sum);
    sc_ratio_sub(&rests[v], &rest, &part);
}

scrim_status sc_exact_squares_linear(const sc_exact_squares *s, sc_ratio *weights,
                                     sc_ratio *out, scrim_error *error)
{
    sc_ratio *rests = sc_ratios_new(s->nodes);
    SC_OWN(sc_ratio, sum);
    if (rests == NULL)
        return no_memory(error);
    for (size_t v = s->shape.inner; v-- > 0 && !sc_reserve_is_low();)
        fold(s, v, weights, rests);
    sc_ratio_mul(&sum, &weights[0], &weights[0]);
    sc_ratio_mul(&sum, &sum, &s->up[0]);
    sc_ratio_add(&sum, &sum, &rests[0]);
    sc_ratios_free(rests, s->nodes);
    if (sc_reserve_is_low())
        return no_memory(error);
    sc_ratio_set(out, &sum);
    return SCRIM_OK;
}
