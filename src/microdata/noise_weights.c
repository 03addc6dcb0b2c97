#include "microdata/noise_weights.h"

#include "base/memory.h"

#include <math.h>

/* Weights. */

/* The share of its own noise in e of a node, and that of the sum of its children. */
static double own_share(const sc_squares *s, size_t level)
{
    const double own = s->measured[level], below = s->below[level];
    if (level + 1 == s->levels || own <= 0)
        return 1;
    return isinf(own) ? 0 : below / (own + below);
}

/* The weight in e of a node of level from that a node of level to below it has. */
static double up_weight(const sc_squares *s, size_t from, size_t to)
{
    double weight = own_share(s, to);
    for (size_t i = from; i < to; i++)
        weight *= 1 - own_share(s, i);
    return weight;
}

/* From the node of level - 1 on the way to the one of level. */
static void step_down(const sc_squares *s, size_t level, sc_noise_table *out)
{
    double(*const table)[SC_TREE_LEVELS] = out->weight;
    const double below = s->below[level - 1];
    const double gain = below > 0 ? s->up[level] / below : 0;
    for (size_t i = 0; i < level; i++)
        for (size_t k = i; k < s->levels; k++)
            table[i][k] *= gain;
    for (size_t k = level; k < s->levels; k++) {
        const double up = up_weight(s, level, k);
        table[level][k] = table[level - 1][k] + (1 - gain) * up;
        table[level - 1][k] -= gain * up;
    }
}

static double children_of(const sc_squares *s, size_t level)
{
    return (double)(s->starts[level + 2] - s->starts[level + 1]) /
           (double)(s->starts[level + 1] - s->starts[level]);
}

/* How many nodes of level k have ways that part at level i from that of a node of a level. */
static double noise_nodes(const sc_squares *s, size_t level, size_t i, size_t k)
{
    double count = 1;
    for (size_t at = i; at < k; at++)
        count *= children_of(s, at) - (at == i && i < level ? 1 : 0);
    return count;
}

/* The weights in the estimate of a node of a level of an even tree. */
static void noise_table_find(const sc_squares *s, size_t level, sc_noise_table *out)
{
    for (size_t k = 0; k < s->levels; k++)
        out->weight[0][k] = up_weight(s, 0, k);
    for (size_t at = 1; at <= level; at++)
        step_down(s, at, out);
}

size_t sc_noise_terms(const sc_squares *s, size_t level, sc_noise_term *terms)
{
    sc_noise_table table;
    size_t count = 0;
    noise_table_find(s, level, &table);
    for (size_t i = 0; i <= level; i++)
        for (size_t k = i; k < s->levels; k++) {
            const double nodes = noise_nodes(s, level, i, k);
            if (nodes > 0 && table.weight[i][k] != 0 && s->measured[k] > 0)
                terms[count++] = (sc_noise_term){table.weight[i][k], nodes, k, 0};
        }
    return count;
}

/* Bins. */

#define BINS_OF_OCTAVE 8

size_t sc_noise_collect(const double *weights, const size_t *starts, size_t levels,
                        sc_noise_term *terms)
{
    size_t count = 0;
    for (size_t l = 0; l < levels; l++) {
        double most = 0, squares[SC_NOISE_BINS] = {0}, largest[SC_NOISE_BINS] = {0},
               noises[SC_NOISE_BINS] = {0};
        for (size_t v = starts[l]; v < starts[l + 1]; v++)
            most = fmax(most, fabs(weights[v]));
        for (size_t v = starts[l]; v < starts[l + 1]; v++) {
            const double weight = fabs(weights[v]);
            if (weight <= 0)
                continue;
            const double place = floor(log2(most / weight) * BINS_OF_OCTAVE);
            const size_t bin =
                place < SC_NOISE_BINS - 1 ? (size_t)place : SC_NOISE_BINS - 1;
            squares[bin] += weight * weight;
            largest[bin] = fmax(largest[bin], weight);
            noises[bin]++;
        }
        for (size_t i = 0; i < SC_NOISE_BINS; i++)
            if (largest[i] > 0)
                terms[count++] = (sc_noise_term){
                    largest[i], squares[i] / (largest[i] * largest[i]), l, noises[i]};
    }
    return count;
}

static bool is_leaf(const sc_path_weights *w, size_t node)
{
    return node >= w->squares->shape.inner;
}

static bool is_noisy(const sc_path_weights *w, size_t node)
{
    const double variance = w->squares->measured[node];
    return variance > 0 && !isinf(variance);
}

/* The share of a node's own count in its e; the rest is that of the sum of its children. */
static double path_share(const sc_path_weights *w, size_t node)
{
    const double own = w->squares->measured[node], below = w->squares->below[node];
    if (is_leaf(w, node) || own <= 0)
        return 1;
    return isinf(own) ? 0 : below / (own + below);
}

/* The weight of a node's noise in its e. */
static double own_weight(const sc_path_weights *w, size_t node)
{
    return is_noisy(w, node) ? path_share(w, node) : 0;
}

/* Below. */

static double square_in(const sc_path_weights *w, size_t node, size_t level, size_t at)
{
    const double own = own_weight(w, node), rest = 1 - path_share(w, node);
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
               : (1 - path_share(w, node)) * w->most_below[node * w->levels + at];
}

static uint32_t noises_in(const sc_path_weights *w, size_t node, size_t level, size_t at)
{
    if (at == level)
        return is_noisy(w, node) ? 1 : 0;
    return is_leaf(w, node) ? 0 : w->noises_below[node * w->levels + at];
}

static void add_child(sc_path_weights *w, size_t node, size_t child, size_t level)
{
    for (size_t at = level; at < w->levels; at++) {
        const size_t place = node * w->levels + at;
        const double most = most_in(w, child, level, at), before = w->most_below[place];
        w->squares_below[place] += square_in(w, child, level, at);
        w->noises_below[place] += noises_in(w, child, level, at);
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
    w->noises_below = sc_allocate(inner * levels, sizeof *w->noises_below);
    if (w->squares_below == NULL || w->most_below == NULL || w->next_below == NULL ||
        w->noises_below == NULL)
        return sc_no_memory(error, "the tree");
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
    sc_free(w->noises_below);
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
        /* The weight of each child in the estimate of its parent. */
        const double each = steps[i - 1].own * (1 - path_share(w, parent));
        steps[i].gain = gain;
        steps[i].own = 1 - gain + gain * each;
        steps[i].beside = gain * (each - 1);
    }
}

static void add_term(sc_noise_term *terms, size_t *count, double most, double squares,
                     size_t level, uint32_t noises)
{
    if (most > 0 && squares > 0)
        terms[(*count)++] = (sc_noise_term){most, squares / (most * most), level, noises};
}

/* The subtree that hangs beside a step of the way. */
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
        add_term(terms, count, weight * most, weight * weight * rest, at,
                 w->noises_below[place] - noises_in(w, s->node, level, at));
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
        add_term(terms, &count, own * most, own * own * square_in(w, node, level, at), at,
                 noises_in(w, node, level, at));
    }
    for (size_t i = level; i > 0; i--) {
        const size_t parent = steps[i - 1].node;
        add_beside(w, &steps[i], parent, i, scale, terms, &count);
        scale *= steps[i].gain;
        const double above = fabs(steps[i - 1].own) * own_weight(w, parent) * scale;
        add_term(terms, &count, above, above * above, i - 1, 1);
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

/* Not counting those that are like the one before. */
static size_t nodes_that_differ(const sc_path_weights *w)
{
    size_t count = 0;
    for (size_t level = 0; level < w->levels; level++)
        for (size_t v = w->starts[level]; v < w->starts[level + 1]; v++)
            count += w->squares->final[v] > 0 && !is_like_before(w, v, level) ? 1 : 0;
    return count;
}

/* Up to as many nodes the law of each is looked at, which takes a millisecond. */
#define NODES_BY_LAW 512

scrim_status sc_path_half_widths(const sc_path_weights *w, const sc_level_noise *noises,
                                 double beta, double *widths, scrim_error *error)
{
    sc_noise_term *terms = sc_allocate(SC_PATH_TERMS, sizeof *terms);
    double slope = 0; /* the best one of the node before, times the deviation */
    if (terms == NULL)
        return sc_no_memory(error, "the tree");
    const double factor = sc_combined_noise_factor(noises, w->levels, beta);
    const bool is_small = nodes_that_differ(w) <= NODES_BY_LAW;
    for (size_t level = 0; level < w->levels; level++)
        for (size_t v = w->starts[level]; v < w->starts[level + 1]; v++) {
            const double deviation = sqrt(fmax(w->squares->final[v], 0));
            widths[v] = 0;
            if (deviation <= 0)
                continue;
            if (is_like_before(w, v, level)) {
                widths[v] = widths[v - 1];
                continue;
            }
            const sc_combined_noise sum = {terms, sc_path_terms(w, v, level, terms),
                                           noises};
            double s = slope / deviation;
            widths[v] =
                fmin(sc_combined_noise_chernoff_near(&sum, beta, &s), factor * deviation);
            slope = s * deviation;
            if (is_small)
                widths[v] = sc_combined_noise_at_most(&sum, widths[v], beta);
        }
    sc_free(terms);
    return SCRIM_OK;
}

typedef struct work {
    const sc_squares *total;
    const sc_table_squares *table;
    size_t level;
    sc_noise_table *weights; /* of each effect */
    sc_term_list *out;
} work;

static bool put(sc_term_list *out, sc_noise_term term)
{
    if (term.weight == 0 || term.count <= 0)
        return true;
    if (!sc_make_room(&out->terms, out->count, &out->capacity, sizeof *out->terms))
        return false;
    out->terms[out->count++] = term;
    return true;
}

static double share_of(const sc_squares *effect, const sc_term_query *q, double cells)
{
    const double variance = effect->measured[q->level];
    return isinf(variance) ? 0 : variance / (q->variance * cells);
}

/* The weight of a noisy cell that agrees with the cell in question in some columns. */
static double cell_weight(const work *w, const sc_term_query *q, size_t i, unsigned agree)
{
    const sc_table_shape *shape = &w->table->shape;
    double sum = 0;
    for (unsigned effect = 1; effect <= q->columns; effect++) {
        if ((effect & q->columns) != effect)
            continue;
        double part = w->weights[effect].weight[i][q->level] *
                      share_of(&w->table->effect[effect], q,
                               (double)sc_table_cells(shape, q->columns & ~effect));
        for (size_t m = 0; m < shape->columns; m++) {
            const double size = (double)shape->sizes[m];
            part *= !(effect >> m & 1) ? 1 / size
                    : agree >> m & 1   ? 1 - 1 / size
                                       : -1 / size;
        }
        sum += part;
    }
    return sum;
}

/* How many cells of a query agree with one in exactly these columns. */
static double count_agreeing(const work *w, const sc_term_query *q, unsigned agree)
{
    double count = 1;
    for (size_t m = 0; m < w->table->shape.columns; m++)
        if ((q->columns & ~agree) >> m & 1)
            count *= (double)w->table->shape.sizes[m] - 1;
    return count;
}

static bool put_query(const work *w, const sc_term_query *q, size_t place, size_t i)
{
    const double nodes = noise_nodes(w->total, w->level, i, q->level);
    const double cells = w->table == NULL ? 1 : (double)w->table->cells;
    const double base = w->total->measured[q->level] > 0
                            ? w->weights[0].weight[i][q->level] *
                                  share_of(w->total, q, (double)q->cells) / cells
                            : 0;
    if (w->table == NULL || !q->is_own)
        return put(w->out, (sc_noise_term){base, nodes * (double)q->cells, place, 0});
    for (unsigned agree = 0; agree <= q->columns; agree++)
        if ((agree & q->columns) == agree &&
            !put(w->out, (sc_noise_term){base + cell_weight(w, q, i, agree),
                                         nodes * count_agreeing(w, q, agree), place, 0}))
            return false;
    return true;
}

bool sc_table_terms(const sc_squares *total, const sc_table_squares *table,
                    const sc_term_query *queries, size_t count, size_t level,
                    sc_term_list *out)
{
    const size_t effects = table == NULL ? 1 : (size_t)sc_table_all(&table->shape) + 1;
    work w = {.total = total,
              .table = table,
              .level = level,
              .weights = sc_allocate(effects, sizeof *w.weights),
              .out = out};
    bool is_done = w.weights != NULL;
    *out = (sc_term_list){.terms = NULL};
    for (size_t e = 0; is_done && e < effects; e++)
        noise_table_find(e == 0 ? total : &table->effect[e], level, &w.weights[e]);
    for (size_t q = 0; is_done && q < count; q++)
        for (size_t i = 0; is_done && i <= level && i <= queries[q].level; i++)
            is_done = put_query(&w, &queries[q], q, i);
    sc_free(w.weights);
    return is_done;
}
