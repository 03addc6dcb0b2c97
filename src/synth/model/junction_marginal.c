#include "synth/model/junction_marginal.h"

#include "base/memory.h"

#include <string.h>

/* A question to a junction tree. */
typedef struct elimination {
    const sc_junction *junction;
    sc_clique asked;
    scrim_error *error;
} elimination;

typedef struct part {
    sc_clique columns;
    double *table;
} part;

static scrim_status allocate_part(const elimination *e, sc_clique columns, part *out)
{
    const uint64_t cells = sc_clique_cells(&e->junction->columns, columns);
    if (cells > SC_SYNTH_CELLS_MAX)
        return sc_fail(e->error, SCRIM_E_LIMIT,
                       "a marginal of the model needs more than %llu cells",
                       (unsigned long long)SC_SYNTH_CELLS_MAX);
    out->columns = columns;
    out->table = sc_allocate((size_t)cells, sizeof *out->table);
    if (out->table == NULL)
        return sc_fail(e->error, SCRIM_E_MEMORY, "out of memory for a model");
    return SCRIM_OK;
}

/* a times b, summed onto the columns that are kept; takes a's place. */
static scrim_status contract(const elimination *e, part *a, const part *b, sc_clique kept)
{
    const sc_clique beside[] = {a->columns, b->columns, kept};
    const sc_synth_columns *columns = &e->junction->columns;
    const sc_clique all = a->columns | b->columns;
    part product;
    if (sc_clique_cells(columns, all) > SC_SYNTH_CELLS_MAX)
        return allocate_part(e, all, &product);
    const scrim_status status = allocate_part(e, kept, &product);
    if (status != SCRIM_OK)
        return status;
    sc_table_axes axes;
    sc_table_axes_set(columns, all, beside, SC_TABLE_BESIDE_MAX, &axes);
    sc_table_contract(&axes, a->table, b->table, product.table,
                      (size_t)sc_clique_cells(columns, kept));
    sc_free(a->table);
    *a = product;
    return SCRIM_OK;
}

static bool is_linked(const sc_junction *junction, size_t a, size_t b)
{
    return a != b && (junction->list[a].parent == b || junction->list[b].parent == a);
}

static sc_clique separator_of(const sc_junction *junction, size_t a, size_t b)
{
    return junction->list[a].columns & junction->list[b].columns;
}

/* The asked columns of the branch that begins at a clique, seen from its neighbour. */
static sc_clique asked_in(const elimination *e, size_t at, size_t from)
{
    const sc_junction_clique *list = e->junction->list;
    const bool is_down = list[at].parent == from;
    return e->asked & (is_down ? list[at].below : list[from].beyond);
}

/* The columns that a clique must keep for the branches from a neighbour on. */
static sc_clique needed_from(const elimination *e, size_t at, size_t from, size_t first)
{
    sc_clique needed = 0;
    for (size_t next = first; next < e->junction->count; next++)
        if (next != from && is_linked(e->junction, at, next) &&
            (asked_in(e, next, at) & ~e->junction->list[at].columns) != 0)
            needed |= separator_of(e->junction, at, next);
    return needed;
}

/* Divides a table by its own marginal of the separator: the rest given the separator. */
static scrim_status condition(const elimination *e, part *table, sc_clique separator)
{
    sc_table_fold fold;
    part sums;
    const scrim_status status = allocate_part(e, separator, &sums);
    if (status != SCRIM_OK)
        return status;
    sc_table_fold_set(&e->junction->columns, table->columns, separator, &fold);
    sc_table_sum(&fold, table->table, sums.table);
    for (size_t i = 0; i < fold.small; i++)
        sums.table[i] = sums.table[i] > SC_TABLE_TINY ? 1 / sums.table[i] : 0;
    sc_table_multiply(&fold, sums.table, table->table);
    sc_free(sums.table);
    return SCRIM_OK;
}

static scrim_status collect(const elimination *e, size_t at, size_t from, part *out);

/* Multiplies the branch of a neighbour in, if it has asked columns that the clique lacks. */
static scrim_status take_branch(const elimination *e, size_t at, size_t from, size_t next,
                                part *table)
{
    const sc_clique own = e->junction->list[at].columns;
    if (next == from || !is_linked(e->junction, at, next) ||
        (asked_in(e, next, at) & ~own) == 0)
        return SCRIM_OK;
    part branch;
    scrim_status status = collect(e, next, at, &branch);
    if (status != SCRIM_OK)
        return status;
    const sc_clique separator = separator_of(e->junction, at, next);
    sc_clique kept = (table->columns | branch.columns) & e->asked;
    kept |= table->columns & needed_from(e, at, from, next + 1);
    if (from != e->junction->count)
        kept |= separator_of(e->junction, at, from);
    status = condition(e, &branch, separator);
    if (status == SCRIM_OK)
        status = contract(e, table, &branch, kept);
    sc_free(branch.table);
    return status;
}

/* The joint marginal of a branch: of its asked columns and the separator to where it hangs. */
static scrim_status collect(const elimination *e, size_t at, size_t from, part *out)
{
    const sc_junction_clique *clique = &e->junction->list[at];
    sc_clique kept = clique->columns & e->asked;
    kept |= needed_from(e, at, from, 0);
    if (from != e->junction->count)
        kept |= separator_of(e->junction, at, from);
    part table;
    scrim_status status = allocate_part(e, kept, &table);
    if (status != SCRIM_OK)
        return status;
    sc_table_fold fold;
    sc_table_fold_set(&e->junction->columns, clique->columns, kept, &fold);
    sc_table_sum(&fold, clique->table, table.table);
    for (size_t next = 0; next < e->junction->count && status == SCRIM_OK; next++)
        status = take_branch(e, at, from, next, &table);
    if (status == SCRIM_OK)
        *out = table;
    else
        sc_free(table.table);
    return status;
}

/* Begins where most of the asked columns are. */
static size_t begin_of(const sc_junction *junction, sc_clique asked)
{
    size_t best = 0;
    for (size_t i = 1; i < junction->count; i++)
        if (sc_clique_count(junction->list[i].columns & asked) >
            sc_clique_count(junction->list[best].columns & asked))
            best = i;
    return best;
}

scrim_status sc_junction_marginal(const sc_junction *junction, sc_clique clique,
                                  double *out, scrim_error *error)
{
    const size_t inside = sc_junction_find(junction, clique);
    if (inside != junction->count) {
        sc_table_fold fold;
        sc_table_fold_set(&junction->columns, junction->list[inside].columns, clique,
                          &fold);
        sc_table_sum(&fold, junction->list[inside].table, out);
        return SCRIM_OK;
    }
    const elimination e = {junction, clique, error};
    part table;
    const scrim_status status =
        collect(&e, begin_of(junction, clique), junction->count, &table);
    if (status != SCRIM_OK)
        return status;
    memcpy(out, table.table,
           (size_t)sc_clique_cells(&junction->columns, clique) * sizeof *out);
    sc_free(table.table);
    return SCRIM_OK;
}
