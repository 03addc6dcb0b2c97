#include "microdata/table_effects.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Cells. */

size_t sc_table_cells(const sc_table_shape *shape, unsigned columns)
{
    size_t cells = 1;
    for (size_t i = 0; i < shape->columns; i++)
        cells *= columns >> i & 1 ? shape->sizes[i] : 1;
    return cells;
}

unsigned sc_table_all(const sc_table_shape *shape)
{
    return (1u << shape->columns) - 1;
}

size_t sc_table_cell_within(const sc_table_shape *shape, size_t cell, unsigned outer,
                            unsigned inner)
{
    size_t out = 0, step = 1;
    for (size_t i = shape->columns; i-- > 0;) {
        if (!(outer >> i & 1))
            continue;
        if (inner >> i & 1) {
            out += cell % shape->sizes[i] * step;
            step *= shape->sizes[i];
        }
        cell /= shape->sizes[i];
    }
    return out;
}

/* For each cell of outer its cell of inner; NULL without memory. */
static uint32_t *make_map(const sc_table_shape *shape, unsigned outer, unsigned inner)
{
    const size_t cells = sc_table_cells(shape, outer);
    uint32_t *map = sc_allocate(cells, sizeof *map);
    for (size_t i = 0; map != NULL && i < cells; i++)
        map[i] = (uint32_t)sc_table_cell_within(shape, i, outer, inner);
    return map;
}

/* Takes the mean along each column of the set off the cells of the set. */
static void centre(const sc_table_shape *shape, unsigned columns, double *cells)
{
    const size_t count = sc_table_cells(shape, columns);
    size_t step = 1;
    for (size_t i = shape->columns; i-- > 0;) {
        if (!(columns >> i & 1))
            continue;
        const size_t size = shape->sizes[i];
        for (size_t from = 0; from < count; from++) {
            double sum = 0;
            if (from / step % size != 0)
                continue;
            for (size_t k = 0; k < size; k++)
                sum += cells[from + k * step];
            for (size_t k = 0; k < size; k++)
                cells[from + k * step] -= sum / (double)size;
        }
        step *= size;
    }
}

/* Variances. */

static bool has(const sc_table_query *query, unsigned effect)
{
    return (query->columns & effect) == effect;
}

/* The variance of the marginal of an effect, by a query that has it. */
static double effect_variance(const sc_table_shape *shape, const sc_table_query *query,
                              unsigned effect)
{
    return query->variance * (double)sc_table_cells(shape, query->columns & ~effect);
}

void sc_table_totals_add(const sc_table_tree *tree, const sc_table_shape *shape,
                         const sc_table_query *queries, size_t count, double *precisions,
                         double *sums)
{
    for (size_t i = 0; i < count; i++) {
        const sc_table_query *q = &queries[i];
        const size_t first = tree->starts[q->level], last = tree->starts[q->level + 1],
                     own = sc_table_cells(shape, q->columns);
        const double precision = 1 / effect_variance(shape, q, 0);
        precisions[q->level] += precision;
        for (size_t v = first; v < last; v++)
            for (size_t k = 0; k < own; k++)
                sums[v] += precision * q->noisy[(v - first) * own + k];
    }
}

static double level_variance(const sc_table_shape *shape, const sc_table_query *queries,
                             size_t count, size_t level, unsigned effect)
{
    double precision = 0;
    for (size_t i = 0; i < count; i++)
        if (queries[i].level == level && has(&queries[i], effect))
            precision += 1 / effect_variance(shape, &queries[i], effect);
    return precision > 0 ? 1 / precision : HUGE_VAL;
}

static scrim_status init_effect(sc_table_squares *s, const sc_table_tree *t,
                                const double *levels, unsigned effect, scrim_error *error)
{
    if (t->fanouts != NULL)
        return sc_squares_init_even(&s->effect[effect], &t->shape, t->fanouts, t->levels,
                                    levels, error);
    double *variances = sc_allocate(t->starts[t->levels], sizeof *variances);
    if (variances == NULL)
        return sc_no_memory(error, "the tables of a tree");
    for (size_t i = 0; i < t->levels; i++)
        for (size_t v = t->starts[i]; v < t->starts[i + 1]; v++)
            variances[v] = levels[i];
    const scrim_status status =
        sc_squares_init(&s->effect[effect], &t->shape, variances, error);
    sc_free(variances);
    return status;
}

scrim_status sc_table_squares_init(sc_table_squares *s, const sc_table_tree *tree,
                                   const sc_table_shape *shape,
                                   const sc_table_query *queries, size_t count,
                                   scrim_error *error)
{
    const unsigned all = sc_table_all(shape);
    scrim_status status = SCRIM_OK;
    *s = (sc_table_squares){.tree = *tree, .shape = *shape};
    s->cells = sc_table_cells(shape, all);
    if (tree->levels == 0 || tree->levels > SC_TREE_LEVELS)
        return sc_fail(error, SCRIM_E_LIMIT, "a tree must have 1 to 64 levels");
    for (unsigned effect = 1; status == SCRIM_OK && effect <= all; effect++) {
        double levels[SC_TREE_LEVELS];
        for (size_t i = 0; i < tree->levels; i++)
            levels[i] = level_variance(shape, queries, count, i, effect);
        if (isinf(levels[tree->levels - 1]))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "queries",
                               "the last level must measure all cells of every table");
        status = init_effect(s, tree, levels, effect, error);
    }
    return status;
}

void sc_table_squares_clear(sc_table_squares *s)
{
    for (size_t i = 0; i < SC_TABLE_EFFECTS; i++)
        sc_squares_clear(&s->effect[i]);
}

/* Estimates. */

/* The information of a query of a level about an effect, added to the cells of the effect of each of the nodes. */
static bool add_query(const sc_table_squares *s, const sc_table_query *q, unsigned effect,
                      double weight, double *cells)
{
    const size_t width = sc_table_cells(&s->shape, effect),
                 own = sc_table_cells(&s->shape, q->columns),
                 first = s->tree.starts[q->level], last = s->tree.starts[q->level + 1];
    uint32_t *map = make_map(&s->shape, q->columns, effect);
    for (size_t v = first; map != NULL && v < last; v++)
        for (size_t i = 0; i < own; i++)
            cells[v * width + map[i]] += weight * q->noisy[(v - first) * own + i];
    sc_free(map);
    return map != NULL;
}

/* The noisy effects of all nodes. */
static bool measure(const sc_table_squares *s, const sc_table_query *queries,
                    size_t count, unsigned effect, double *cells)
{
    const size_t width = sc_table_cells(&s->shape, effect),
                 nodes = s->tree.starts[s->tree.levels];
    memset(cells, 0, nodes * width * sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        if (!has(&queries[i], effect))
            continue;
        const double all =
            level_variance(&s->shape, queries, count, queries[i].level, effect);
        if (!add_query(s, &queries[i], effect,
                       all / effect_variance(&s->shape, &queries[i], effect), cells))
            return false;
    }
    for (size_t v = 0; v < nodes; v++)
        centre(&s->shape, effect, cells + v * width);
    return true;
}

typedef struct room {
    double *values; /* of each node */
    double *noisy;  /* of each node, the cells of an effect */
    uint32_t *map;  /* from cells to those of an effect */
} room;

/* Adds an effect to the cells of all nodes. */
static void add_effect(const sc_table_squares *s, unsigned effect, room *r, double *cells)
{
    const size_t width = sc_table_cells(&s->shape, effect),
                 nodes = s->tree.starts[s->tree.levels];
    const double share = (double)width / (double)s->cells;
    for (size_t a = 0; a < width; a++) {
        for (size_t v = 0; v < nodes; v++)
            r->values[v] = r->noisy[v * width + a];
        sc_squares_estimate(&s->effect[effect], r->values);
        for (size_t v = 0; v < nodes; v++)
            r->noisy[v * width + a] = r->values[v] * share;
    }
    for (size_t v = 0; v < nodes; v++)
        for (size_t i = 0; i < s->cells; i++)
            cells[v * s->cells + i] += r->noisy[v * width + r->map[i]];
}

scrim_status sc_table_squares_estimate(const sc_table_squares *s,
                                       const sc_table_query *queries, size_t count,
                                       const double *totals, double *cells,
                                       scrim_error *error)
{
    const size_t nodes = s->tree.starts[s->tree.levels];
    const unsigned all = sc_table_all(&s->shape);
    room r = {.values = sc_allocate(nodes, sizeof(double)),
              .noisy = sc_allocate(nodes * s->cells, sizeof(double))};
    bool is_done = r.values != NULL && r.noisy != NULL;
    for (size_t v = 0; v < nodes; v++)
        for (size_t i = 0; i < s->cells; i++)
            cells[v * s->cells + i] = totals[v] / (double)s->cells;
    for (unsigned effect = 1; is_done && effect <= all; effect++) {
        r.map = make_map(&s->shape, all, effect);
        is_done = r.map != NULL && measure(s, queries, count, effect, r.noisy);
        if (is_done)
            add_effect(s, effect, &r, cells);
        sc_free(r.map);
    }
    sc_free(r.values);
    sc_free(r.noisy);
    return is_done ? SCRIM_OK : sc_no_memory(error, "the tables of a tree");
}

/* Variances of estimates. */

double sc_table_squares_cell(const sc_table_squares *s, size_t node,
                             double total_variance)
{
    const unsigned all = sc_table_all(&s->shape);
    const double cells = (double)s->cells;
    double sum = total_variance / (cells * cells);
    for (unsigned effect = 1; effect <= all; effect++) {
        double part = sc_squares_variance(&s->effect[effect], node);
        for (size_t i = 0; i < s->shape.columns; i++) {
            const double size = (double)s->shape.sizes[i];
            part *= effect >> i & 1 ? 1 - 1 / size : 1 / (size * size);
        }
        sum += part;
    }
    return sum;
}

typedef struct linear_room {
    double *weights, *spare; /* of each node */
    double *means;           /* of each leaf, over the cells of an effect */
    uint32_t *map;
} linear_room;

/* The part of an effect: one function of the leaves for each of its cells, which are independent but for being centred. */
static double linear_effect(const sc_table_squares *s, const sc_squares *passes,
                            unsigned effect, const double *weights, linear_room *r)
{
    const size_t width = sc_table_cells(&s->shape, effect), inner = s->tree.shape.inner,
                 nodes = s->tree.starts[s->tree.levels];
    double sum = 0;
    memset(r->means, 0, (nodes - inner) * width * sizeof *r->means);
    for (size_t v = 0; v < nodes - inner; v++) {
        for (size_t i = 0; i < s->cells; i++)
            r->means[v * width + r->map[i]] +=
                weights[v * s->cells + i] * (double)width / (double)s->cells;
        centre(&s->shape, effect, r->means + v * width);
    }
    for (size_t a = 0; a < width; a++) {
        for (size_t v = inner; v < nodes; v++)
            r->weights[v] = r->means[(v - inner) * width + a];
        sum += sc_squares_linear(passes, r->weights, r->spare);
    }
    return sum;
}

double sc_table_squares_linear(const sc_table_squares *s, const sc_squares *total,
                               const double *weights)
{
    const size_t nodes = s->tree.starts[s->tree.levels];
    const unsigned all = sc_table_all(&s->shape);
    linear_room r = {.weights = sc_allocate(nodes, sizeof(double)),
                     .spare = sc_allocate(nodes, sizeof(double)),
                     .means = sc_allocate(nodes * s->cells, sizeof(double))};
    bool is_done = r.weights != NULL && r.spare != NULL && r.means != NULL;
    double sum = 0;
    for (unsigned effect = 0; is_done && effect <= all; effect++) {
        r.map = make_map(&s->shape, all, effect);
        is_done = r.map != NULL;
        if (is_done)
            sum += linear_effect(s, effect == 0 ? total : &s->effect[effect], effect,
                                 weights, &r);
        sc_free(r.map);
    }
    sc_free(r.weights);
    sc_free(r.spare);
    sc_free(r.means);
    return is_done ? sum : -1;
}
