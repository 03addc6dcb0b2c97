#include "microdata/table_terms.h"

#include "base/memory.h"

#include <math.h>

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
    const double nodes = sc_noise_nodes(w->total, w->level, i, q->level);
    const double cells = w->table == NULL ? 1 : (double)w->table->cells;
    const double base = w->total->measured[q->level] > 0
                            ? w->weights[0].weight[i][q->level] *
                                  share_of(w->total, q, (double)q->cells) / cells
                            : 0;
    if (w->table == NULL || !q->is_own)
        return put(w->out, (sc_noise_term){base, nodes * (double)q->cells, place});
    for (unsigned agree = 0; agree <= q->columns; agree++)
        if ((agree & q->columns) == agree &&
            !put(w->out, (sc_noise_term){base + cell_weight(w, q, i, agree),
                                         nodes * count_agreeing(w, q, agree), place}))
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
        sc_noise_table_find(e == 0 ? total : &table->effect[e], level, &w.weights[e]);
    for (size_t q = 0; is_done && q < count; q++)
        for (size_t i = 0; is_done && i <= level && i <= queries[q].level; i++)
            is_done = put_query(&w, &queries[q], q, i);
    sc_free(w.weights);
    return is_done;
}
