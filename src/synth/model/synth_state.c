#include "synth/model/synth_state.h"

sc_clique sc_synth_sorted(const sc_synth_model *model, sc_clique clique)
{
    sc_clique sorted = 0;
    for (; clique != 0; clique &= clique - 1)
        sorted |= sc_clique_of(model->sorted[sc_clique_first(clique)]);
    return sorted;
}

static sc_clique outer_of(const sc_synth_model *model, sc_clique clique)
{
    sc_clique outer = 0;
    for (; clique != 0; clique &= clique - 1)
        outer |= sc_clique_of(model->outer[sc_clique_first(clique)]);
    return outer;
}

/* The step of a column in the caller's table of a clique. */
static size_t outer_step(const sc_synth_model *model, sc_clique outer, size_t column)
{
    const sc_clique behind =
        column + 1 == SC_SYNTH_COLUMNS_MAX ? 0 : outer >> (column + 1) << (column + 1);
    return (size_t)sc_clique_cells(&model->given_columns, behind);
}

void sc_synth_places(const sc_synth_model *model, sc_clique sorted, size_t *places)
{
    const sc_clique outer = outer_of(model, sorted);
    size_t filled = 1;
    places[0] = 0;
    /* From the first column to the last: each place becomes as many as the column has values, from the end. */
    for (sc_clique rest = sorted; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest), size = model->columns.sizes[column];
        const size_t step = outer_step(model, outer, model->outer[column]);
        for (size_t i = filled; i-- > 0;)
            for (size_t u = size; u-- > 0;)
                places[i * size + u] = places[i] + u * step;
        filled *= size;
    }
}

void sc_synth_cliques(const sc_synth_model *model, sc_triangulation *out)
{
    *out = model->cliques;
    for (size_t i = 0; i < out->count; i++)
        out->cliques[i] = sc_synth_sorted(model, out->cliques[i]);
}
