#include "microdata/least_squares.h"

#include "base/memory.h"
#include "base/reserve.h"

#include <math.h>

static size_t count_nodes(const sc_tree_shape *shape)
{
    return shape->child[shape->inner];
}

size_t sc_squares_level(const sc_squares *s, size_t node)
{
    size_t level = 0;
    while (node >= s->starts[level + 1])
        level++;
    return level;
}

/* The place of the numbers of a node. Loops visit nodes in order, so that the level is at hand. */
static size_t place(const sc_squares *s, size_t node, size_t level)
{
    return s->is_even ? level : node;
}

static double quotient(double above, double below)
{
    return below > 0 ? above / below : 0;
}

static double join_variance(double own, double below)
{
    if (isinf(own))
        return below;
    return quotient(own * below, own + below);
}

/* One node, whose children begin at child; at is the place of its numbers, next that of its first child. */
static void set_up(sc_squares *s, size_t at, size_t next, size_t children)
{
    double sum = 0;
    for (size_t i = 0; i < children; i++)
        sum += s->up[s->is_even ? next : next + i];
    s->below[at] = sum;
    s->up[at] = join_variance(s->measured[at], sum);
}

static void set_final(sc_squares *s, size_t at, size_t child)
{
    const double gain = quotient(s->up[child], s->below[at]);
    s->final[child] = s->up[child] - gain * s->up[child] + gain * gain * s->final[at];
}

static void pass_even(sc_squares *s)
{
    for (size_t i = s->levels; i-- > 0;) {
        if (i + 1 == s->levels)
            s->up[i] = s->measured[i];
        else
            set_up(s, i, i + 1,
                   (s->starts[i + 2] - s->starts[i + 1]) /
                       (s->starts[i + 1] - s->starts[i]));
    }
    s->final[0] = s->up[0];
    for (size_t i = 0; i + 1 < s->levels; i++)
        set_final(s, i, i + 1);
}

static void pass_any(sc_squares *s)
{
    const uint32_t *child = s->shape.child;
    const size_t nodes = count_nodes(&s->shape);
    for (size_t v = nodes; v-- > 0;) {
        if (v >= s->shape.inner)
            s->up[v] = s->measured[v];
        else
            set_up(s, v, child[v], child[v + 1] - child[v]);
    }
    s->final[0] = s->up[0];
    for (size_t v = 0; v < s->shape.inner; v++)
        for (size_t c = child[v]; c < child[v + 1]; c++)
            set_final(s, v, c);
}

static scrim_status take_memory(sc_squares *s, size_t count, const double *variances,
                                size_t first_leaf, scrim_error *error)
{
    double **const arrays[] = {&s->measured, &s->up, &s->below, &s->final};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if ((*arrays[i] = sc_allocate(count, sizeof(double))) == NULL)
            return sc_no_memory(error, "the tree");
    for (size_t i = 0; i < count; i++) {
        const double v = variances[i];
        if (!(v >= 0) || (i >= first_leaf && isinf(v)))
            return sc_fail_for(
                error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "variance",
                "the variance of a node must be at least 0, and every leaf "
                "must be measured");
        s->measured[i] = v;
    }
    return SCRIM_OK;
}

scrim_status sc_squares_init(sc_squares *s, const sc_tree_shape *shape,
                             const double *variances, scrim_error *error)
{
    *s = (sc_squares){.shape = *shape};
    const scrim_status status =
        take_memory(s, count_nodes(shape), variances, shape->inner, error);
    if (status == SCRIM_OK)
        pass_any(s);
    return status;
}

scrim_status sc_squares_init_even(sc_squares *s, const sc_tree_shape *shape,
                                  const size_t *fanouts, size_t levels,
                                  const double *variances, scrim_error *error)
{
    *s = (sc_squares){.shape = *shape, .is_even = true, .levels = levels};
    if (levels == 0 || levels > SC_TREE_LEVELS)
        return sc_fail(error, SCRIM_E_LIMIT, "a tree must have 1 to 64 levels");
    for (size_t i = 0, width = 1; i < levels; i++) {
        s->starts[i + 1] = s->starts[i] + width;
        width *= i + 1 < levels ? fanouts[i] : 1;
    }
    const scrim_status status = take_memory(s, levels, variances, levels - 1, error);
    if (status == SCRIM_OK)
        pass_even(s);
    return status;
}

void sc_squares_clear(sc_squares *s)
{
    sc_free(s->measured);
    sc_free(s->up);
    sc_free(s->below);
    sc_free(s->final);
    *s = (sc_squares){.levels = 0};
}

/* Estimates. */

static double sum_of(const double *values, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += values[i];
    return sum;
}

static double join_estimate(double noisy, double own, double sum, double below)
{
    if (isinf(own))
        return sum;
    return own > 0 ? (noisy * below + sum * own) / (own + below) : noisy;
}

void sc_squares_estimate(const sc_squares *s, double *values)
{
    const uint32_t *child = s->shape.child;
    size_t level = s->levels > 1 ? s->levels - 2 : 0;
    for (size_t v = s->shape.inner; v-- > 0;) {
        while (s->is_even && v < s->starts[level])
            level--;
        const size_t at = place(s, v, level);
        values[v] = join_estimate(values[v], s->measured[at],
                                  sum_of(values, child[v], child[v + 1]), s->below[at]);
    }
    for (size_t v = 0; v < s->shape.inner; v++) {
        while (s->is_even && v >= s->starts[level + 1])
            level++;
        const size_t at = place(s, v, level);
        const double rest =
            quotient(values[v] - sum_of(values, child[v], child[v + 1]), s->below[at]);
        for (size_t c = child[v]; c < child[v + 1]; c++)
            values[c] += s->up[place(s, c, level + 1)] * rest;
    }
}

double sc_squares_variance(const sc_squares *s, size_t node)
{
    return s->final[s->is_even ? sc_squares_level(s, node) : node];
}

/* Linear functions: al(v) is the weight that v stands for, be(v) what its parts add beside it. */

double sc_squares_linear(const sc_squares *s, double *weights, double *spare)
{
    const uint32_t *child = s->shape.child;
    const size_t nodes = count_nodes(&s->shape);
    size_t level = s->levels > 1 ? s->levels - 2 : 0;
    for (size_t v = s->shape.inner; v < nodes; v++)
        spare[v] = 0;
    for (size_t v = s->shape.inner; v-- > 0;) {
        double first = 0, rest = 0;
        while (s->is_even && v < s->starts[level])
            level--;
        for (size_t c = child[v]; c < child[v + 1]; c++) {
            const double up = s->up[place(s, c, level + 1)];
            first += weights[c] * up;
            rest += spare[c] + weights[c] * weights[c] * up;
        }
        weights[v] = quotient(first, s->below[place(s, v, level)]);
        spare[v] = rest - weights[v] * first;
    }
    return weights[0] * weights[0] * s->up[0] + spare[0];
}

/* The passes, backwards: e of a child weighs what the child stands for beside its parent, and its part of the e of the
 * parent. */
void sc_squares_noise(const sc_squares *s, const double *weights, double *noise)
{
    const uint32_t *child = s->shape.child;
    const size_t nodes = count_nodes(&s->shape);
    size_t level = 0;
    noise[0] = weights[0];
    for (size_t v = 0; v < nodes; v++) {
        while (s->is_even && v >= s->starts[level + 1])
            level++;
        const size_t at = place(s, v, level);
        const double own = s->measured[at];
        double share = 1;
        if (v < s->shape.inner && own > 0)
            share = isinf(own) ? 0 : s->below[at] / (own + s->below[at]);
        for (size_t c = v < s->shape.inner ? child[v] : 0;
             v < s->shape.inner && c < child[v + 1]; c++)
            noise[c] = weights[c] - weights[v] + (1 - share) * noise[v];
        noise[v] = own > 0 && !isinf(own) ? noise[v] * share : 0;
    }
}

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

static void exact_up(sc_exact_squares *s, size_t v)
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

static void exact_final(sc_exact_squares *s, size_t v)
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
            return sc_no_memory(error, "the tree");
    for (size_t v = 0; v < nodes; v++) {
        if (v >= shape->inner && is_absent(&variances[v]))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "variance",
                               "every leaf must be measured");
        sc_ratio_set(&s->measured[v], &variances[v]);
    }
    for (size_t v = nodes; v-- > 0 && !sc_reserve_is_low();)
        exact_up(s, v);
    sc_ratio_set(&s->final[0], &s->up[0]);
    for (size_t v = 0; v < shape->inner && !sc_reserve_is_low(); v++)
        exact_final(s, v);
    return sc_reserve_is_low() ? sc_no_memory(error, "the tree") : SCRIM_OK;
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
        return sc_no_memory(error, "the tree");
    for (size_t v = s->shape.inner; v-- > 0 && !sc_reserve_is_low();)
        fold(s, v, weights, rests);
    sc_ratio_mul(&sum, &weights[0], &weights[0]);
    sc_ratio_mul(&sum, &sum, &s->up[0]);
    sc_ratio_add(&sum, &sum, &rests[0]);
    sc_ratios_free(rests, s->nodes);
    if (sc_reserve_is_low())
        return sc_no_memory(error, "the tree");
    sc_ratio_set(out, &sum);
    return SCRIM_OK;
}

double sc_level_variance(const sc_level_noise *noise)
{
    if (noise->kind == SC_TREE_GAUSSIAN)
        return noise->amount;
    const double below = -expm1(-noise->amount);
    return 2 * exp(-noise->amount) / (below * below);
}

/* sqrt(H^2 + H2), with the harmonic numbers H and H2 of `count` terms: the root mean square of
 * the largest of `count` exponential variables. */
static double largest_rms(size_t count)
{
    double first = 0, second = 0;
    for (size_t i = count; i > 0; i--) {
        first += 1 / (double)i;
        second += 1 / ((double)i * (double)i);
    }
    return sqrt(first * first + second);
}

/* The root of an upper bound of E max z^2 over `count` siblings. */
static double sibling_rms(const sc_level_noise *noise, size_t count)
{
    if (noise->kind == SC_TREE_GAUSSIAN)
        return sqrt(noise->amount * (2 * log(2 * (double)count) + 2));
    return largest_rms(count) / noise->amount + 1.0 / 2;
}

void sc_error_bounds(const sc_level_noise *noise, const size_t *fanouts, size_t levels,
                     double *bounds)
{
    double sum = noise[0].kind == SC_TREE_GAUSSIAN ? sqrt(noise[0].amount)
                                                   : sqrt(2) / noise[0].amount;
    for (size_t i = 0; i < levels; i++) {
        if (i > 0)
            sum += 2 * sibling_rms(&noise[i], fanouts[i - 1]);
        bounds[i] = sum;
    }
}
