#include "microdata/path_weights.h"

#include "base/memory.h"

#include <math.h>

static bool is_leaf(const sc_path_weights *w, size_t node)
{
    return node >= w->squares->shape.inner;
}

static bool is_noisy(const sc_path_weights *w, size_t node)
{
    const double variance = w->squares->measured[node];
    return variance > 0 && !isinf(variance);
}

/* What e of a node takes of its own count; the rest is of the sum of its children. */
static double own_share(const sc_path_weights *w, size_t node)
{
    const double own = w->squares->measured[node], below = w->squares->below[node];
    if (is_leaf(w, node) || own <= 0)
        return 1;
    return isinf(own) ? 0 : below / (own + below);
}

/* What the noise of a node weighs in its e. */
static double own_weight(const sc_path_weights *w, size_t node)
{
    return is_noisy(w, node) ? own_share(w, node) : 0;
}

/* Below. */

static double square_in(const sc_path_weights *w, size_t node, size_t level, size_t at)
{
    const double own = own_weight(w, node), rest = 1 - own_share(w, node);
    if (at == level)
        return own * own;
    return is_leaf(w, node) ? 0 : rest * rest * w->squares_below[node * w->levels + at];
}

static double most_in(const sc_path_weights *w, size_t node, size_t level, size_t at)
{
    if (at == level)
        return own_weight(w, node);
    return is_leaf(w, node)
               ? 0
               : (1 - own_share(w, node)) * w->most_below[node * w->levels + at];
}

static void add_child(sc_path_weights *w, size_t node, size_t child, size_t level)
{
    for (size_t at = level; at < w->levels; at++) {
        const size_t place = node * w->levels + at;
        const double most = most_in(w, child, level, at), before = w->most_below[place];
        w->squares_below[place] += square_in(w, child, level, at);
        w->most_below[place] = fmax(before, most);
        w->next_below[place] = fmax(w->next_below[place], fmin(before, most));
    }
}

scrim_status sc_path_weights_init(sc_path_weights *w, const sc_squares *squares,
                                  const uint32_t *parents, const size_t *starts,
                                  size_t levels, scrim_error *error)
{
    const size_t inner = squares->shape.inner;
    *w = (sc_path_weights){
        .squares = squares, .parents = parents, .starts = starts, .levels = levels};
    if (levels > SC_PATH_LEVELS)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a tree that is not even has at most %d levels", SC_PATH_LEVELS);
    w->squares_below = sc_allocate(inner * levels, sizeof *w->squares_below);
    w->most_below = sc_allocate(inner * levels, sizeof *w->most_below);
    w->next_below = sc_allocate(inner * levels, sizeof *w->next_below);
    if (w->squares_below == NULL || w->most_below == NULL || w->next_below == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the tree");
    for (size_t level = levels; level-- > 1;)
        for (size_t v = starts[level]; v < starts[level + 1]; v++)
            add_child(w, parents[v], v, level);
    return SCRIM_OK;
}

void sc_path_weights_clear(sc_path_weights *w)
{
    sc_free(w->squares_below);
    sc_free(w->most_below);
    sc_free(w->next_below);
    *w = (sc_path_weights){.levels = 0};
}

/* The way from the root. */

/* In the estimate of a node of the way: what its own e weighs, and what the e of its siblings do. */
typedef struct step {
    size_t node;
    double own, beside;
    double gain; /* what the estimate of its parent weighs */
} step;

static void walk(const sc_path_weights *w, size_t node, size_t level, step *steps)
{
    for (size_t i = level + 1; i-- > 0; node = w->parents[node])
        steps[i].node = node;
    steps[0].own = 1;
    for (size_t i = 1; i <= level; i++) {
        const size_t parent = steps[i - 1].node;
        const double below = w->squares->below[parent];
        const double gain = below > 0 ? w->squares->up[steps[i].node] / below : 0;
        /* What each child of the parent weighs in the parent's estimate. */
        const double each = steps[i - 1].own * (1 - own_share(w, parent));
        steps[i].gain = gain;
        steps[i].own = 1 - gain + gain * each;
        steps[i].beside = gain * (each - 1);
    }
}

static void add_term(sc_noise_term *terms, size_t *count, double most, double squares,
                     size_t level)
{
    if (most > 0 && squares > 0)
        terms[(*count)++] = (sc_noise_term){most, squares / (most * most), level};
}

/* What hangs beside a step of the way, with everything below it. */
static void add_beside(const sc_path_weights *w, const step *s, size_t parent,
                       size_t level, double scale, sc_noise_term *terms, size_t *count)
{
    const double weight = fabs(s->beside) * scale;
    for (size_t at = level; at < w->levels; at++) {
        const size_t place = parent * w->levels + at;
        const double all = w->squares_below[place];
        /* The difference is off by some last digits of all. */
        const double rest = fmax(0, all - square_in(w, s->node, level, at)) + all * 1e-14;
        /* The way's own child is not beside it: a large weight of its own would widen the interval for nothing. */
        const bool is_most = most_in(w, s->node, level, at) >= w->most_below[place];
        const double most = is_most ? w->next_below[place] : w->most_below[place];
        add_term(terms, count, weight * most, weight * weight * rest, at);
    }
}

size_t sc_path_terms(const sc_path_weights *w, size_t node, size_t level,
                     sc_noise_term *terms)
{
    step steps[SC_PATH_LEVELS];
    size_t count = 0;
    double scale = 1;
    walk(w, node, level, steps);
    for (size_t at = level; at < w->levels; at++) {
        const double own = fabs(steps[level].own), most = most_in(w, node, level, at);
        add_term(terms, &count, own * most, own * own * square_in(w, node, level, at),
                 at);
    }
    for (size_t i = level; i > 0; i--) {
        const size_t parent = steps[i - 1].node;
        add_beside(w, &steps[i], parent, i, scale, terms, &count);
        scale *= steps[i].gain;
        const double above = fabs(steps[i - 1].own) * own_weight(w, parent) * scale;
        add_term(terms, &count, above, above * above, i - 1);
    }
    return count;
}

/* Half widths. */

/* Leaves of one parent and one variance have the same terms. */
static bool is_like_before(const sc_path_weights *w, size_t node, size_t level)
{
    return node > w->starts[level] && is_leaf(w, node) &&
           w->parents[node] == w->parents[node - 1] &&
           w->squares->measured[node] == w->squares->measured[node - 1];
}

scrim_status sc_path_half_widths(const sc_path_weights *w, const double *rates,
                                 double beta, double *widths, scrim_error *error)
{
    sc_noise_term *terms = sc_allocate(SC_PATH_TERMS, sizeof *terms);
    double slope = 0; /* the best one of the node before, times the deviation */
    if (terms == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the tree");
    for (size_t level = 0; level < w->levels; level++)
        for (size_t v = w->starts[level]; v < w->starts[level + 1]; v++) {
            const double variance = w->squares->final[v];
            widths[v] = 0;
            if (variance <= 0)
                continue;
            if (is_like_before(w, v, level)) {
                widths[v] = widths[v - 1];
                continue;
            }
            const double deviation = sqrt(variance);
            double s = slope / deviation;
            const double width = sc_half_width_laplace_near(
                terms, sc_path_terms(w, v, level, terms), rates, beta, &s);
            slope = s * deviation;
            widths[v] = fmin(width, sc_half_width_any(variance, beta));
        }
    sc_free(terms);
    return SCRIM_OK;
}
