#include "synth/model/junction.h"

#include "base/checked.h"
#include "base/memory.h"
#include "synth/model/real_functions.h"

#include <math.h>
#include <string.h>

void sc_clique_graph_add(sc_clique_graph *graph, sc_clique clique)
{
    for (sc_clique rest = clique; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest);
        graph->joined[column] |= clique & ~sc_clique_of(column);
    }
}

/* Twice the number of edges that eliminating a column adds. */
static unsigned fill_of(const sc_clique_graph *graph, size_t column)
{
    const sc_clique around = graph->joined[column];
    unsigned missing = 0;
    for (sc_clique rest = around; rest != 0; rest &= rest - 1) {
        const size_t other = sc_clique_first(rest);
        missing += sc_clique_count(around & ~graph->joined[other] & ~sc_clique_of(other));
    }
    return missing;
}

static size_t choose(const sc_synth_columns *columns, const sc_clique_graph *graph,
                     sc_clique left)
{
    size_t best = SC_SYNTH_COLUMNS_MAX;
    unsigned best_fill = 0;
    uint64_t best_cells = 0;
    for (sc_clique rest = left; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest);
        const unsigned fill = fill_of(graph, column);
        if (best != SC_SYNTH_COLUMNS_MAX && fill > best_fill)
            continue;
        const uint64_t cells =
            sc_clique_cells(columns, graph->joined[column] | sc_clique_of(column));
        if (best != SC_SYNTH_COLUMNS_MAX && fill == best_fill && cells >= best_cells)
            continue;
        best = column;
        best_fill = fill;
        best_cells = cells;
    }
    return best;
}

/* A clique that eliminating makes is maximal unless an earlier one holds it: a later one lacks the
 * eliminated column. */
static void keep_clique(const sc_synth_columns *columns, sc_clique clique,
                        sc_triangulation *out)
{
    if (sc_triangulation_holds(out, clique))
        return;
    out->cliques[out->count++] = clique;
    if (!sc_uint64_add(out->cells, sc_clique_cells(columns, clique), &out->cells))
        out->cells = UINT64_MAX;
}

void sc_triangulate(const sc_synth_columns *columns, const sc_clique_graph *graph,
                    sc_triangulation *out)
{
    sc_clique_graph work = *graph;
    sc_clique left = sc_synth_columns_all(columns);
    out->count = 0;
    out->cells = 0;
    while (left != 0) {
        const size_t column = choose(columns, &work, left);
        const sc_clique around = work.joined[column];
        keep_clique(columns, around | sc_clique_of(column), out);
        sc_clique_graph_add(&work, around);
        for (sc_clique rest = around; rest != 0; rest &= rest - 1)
            work.joined[sc_clique_first(rest)] &= ~sc_clique_of(column);
        left &= ~sc_clique_of(column);
    }
}

bool sc_triangulation_holds(const sc_triangulation *triangulation, sc_clique clique)
{
    for (size_t i = 0; i < triangulation->count; i++)
        if (sc_clique_is_inside(clique, triangulation->cliques[i]))
            return true;
    return false;
}

void sc_junction_init(sc_junction *junction)
{
    memset(junction, 0, sizeof *junction);
}

void sc_junction_clear(sc_junction *junction)
{
    for (size_t i = 0; i < junction->count; i++) {
        sc_free(junction->list[i].table);
        sc_free(junction->list[i].message);
        sc_free(junction->list[i].ratio);
    }
    sc_free(junction->list);
    sc_junction_init(junction);
}

/* Among the cliques that are not yet in the tree, and those in it, the pair with most columns in common; the
 * first of them, and of these the first in the tree. */
static void next_link(const sc_triangulation *cliques, const bool *is_in,
                      const sc_junction *tree, size_t *next, size_t *parent)
{
    unsigned best = 0;
    *next = cliques->count;
    for (size_t i = 0; i < cliques->count; i++)
        for (size_t j = 0; !is_in[i] && j < tree->count; j++) {
            const unsigned common =
                sc_clique_count(cliques->cliques[i] & tree->list[j].columns);
            if (*next != cliques->count && common <= best)
                continue;
            best = common;
            *next = i;
            *parent = j;
        }
}

static void put_clique(sc_junction *tree, sc_clique columns, size_t parent)
{
    sc_junction_clique *clique = &tree->list[tree->count];
    clique->columns = columns;
    clique->parent = parent;
    clique->separator = parent == tree->count ? 0 : columns & tree->list[parent].columns;
    clique->cells = (size_t)sc_clique_cells(&tree->columns, columns);
    tree->count++;
}

/* The tree begins at the last clique of the elimination. */
static void link_cliques(const sc_triangulation *cliques, sc_junction *tree)
{
    bool is_in[SC_SYNTH_COLUMNS_MAX] = {false};
    size_t next = cliques->count - 1, parent = 0;
    while (next != cliques->count) {
        is_in[next] = true;
        put_clique(tree, cliques->cliques[next], parent);
        next_link(cliques, is_in, tree, &next, &parent);
    }
}

/* Which columns each clique's branch has, and which the rest of the tree. */
static void name_branches(sc_junction *tree)
{
    for (size_t i = tree->count; i-- > 0;) {
        sc_junction_clique *clique = &tree->list[i];
        clique->below |= clique->columns;
        if (i > 0)
            tree->list[clique->parent].below |= clique->below;
    }
    for (size_t i = 1; i < tree->count; i++) {
        const size_t parent = tree->list[i].parent;
        sc_clique beyond = tree->list[parent].beyond | tree->list[parent].columns;
        for (size_t j = 1; j < tree->count; j++)
            if (j != i && tree->list[j].parent == parent)
                beyond |= tree->list[j].below;
        tree->list[i].beyond = beyond;
    }
}

static bool allocate_clique(sc_junction *tree, sc_junction_clique *clique)
{
    const sc_synth_columns *columns = &tree->columns;
    const sc_junction_clique *parent = &tree->list[clique->parent];
    sc_table_fold_set(columns, clique->columns, clique->separator, &clique->own);
    sc_table_fold_set(columns, parent->columns, clique->separator, &clique->above);
    clique->table = sc_allocate(clique->cells, sizeof *clique->table);
    clique->message = sc_allocate(clique->own.small, sizeof *clique->message);
    clique->ratio = sc_allocate(clique->own.small, sizeof *clique->ratio);
    return clique->table != NULL && clique->message != NULL && clique->ratio != NULL;
}

scrim_status sc_junction_build(const sc_synth_columns *columns,
                               const sc_triangulation *cliques, sc_junction *out,
                               scrim_error *error)
{
    if (cliques->cells > SC_SYNTH_CELLS_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a model may have at most %llu cells; measure fewer marginals",
                       (unsigned long long)SC_SYNTH_CELLS_MAX);
    sc_junction tree;
    sc_junction_init(&tree);
    tree.columns = *columns;
    tree.list = sc_allocate(cliques->count, sizeof *tree.list);
    bool is_there = tree.list != NULL;
    if (is_there) {
        link_cliques(cliques, &tree);
        name_branches(&tree);
    }
    for (size_t i = 0; i < tree.count && is_there; i++)
        is_there = allocate_clique(&tree, &tree.list[i]);
    if (!is_there) {
        sc_junction_clear(&tree);
        return sc_no_memory(error, "a model");
    }
    sc_junction_clear(out);
    *out = tree;
    return SCRIM_OK;
}

size_t sc_junction_find(const sc_junction *junction, sc_clique clique)
{
    size_t best = junction->count;
    for (size_t i = 0; i < junction->count; i++)
        if (sc_clique_is_inside(clique, junction->list[i].columns) &&
            (best == junction->count ||
             junction->list[i].cells < junction->list[best].cells))
            best = i;
    return best;
}

static void exponentiate(sc_junction_clique *clique)
{
    const double largest = sc_table_largest(clique->table, clique->cells);
    if (largest == -(double)INFINITY)
        memset(clique->table, 0, clique->cells * sizeof *clique->table);
    else
        sc_real_exp_all(clique->table, clique->cells, largest);
}

/* Sends the sum over all other columns to the parent, scaled so that its largest cell is 1. */
static void send_up(sc_junction *junction, sc_junction_clique *clique)
{
    sc_table_sum(&clique->own, clique->table, clique->message);
    clique->scale = sc_table_largest(clique->message, clique->own.small);
    if (clique->scale > 0)
        sc_table_rescale(clique->message, clique->own.small, clique->scale, 1);
    sc_table_multiply(&clique->above, clique->message,
                      junction->list[clique->parent].table);
}

/* The parent's table of the separator replaces the one that was sent up. */
static void send_down(sc_junction *junction, sc_junction_clique *clique)
{
    const sc_junction_clique *parent = &junction->list[clique->parent];
    sc_table_sum(&clique->above, parent->table, clique->ratio);
    for (size_t i = 0; i < clique->own.small; i++) {
        const double sent = clique->message[i] * clique->scale;
        clique->ratio[i] = sent > SC_TABLE_TINY ? clique->ratio[i] / sent : 0;
    }
    sc_table_multiply(&clique->own, clique->ratio, clique->table);
}

bool sc_junction_calibrate(sc_junction *junction, double total)
{
    for (size_t i = 0; i < junction->count; i++)
        exponentiate(&junction->list[i]);
    for (size_t i = junction->count; i-- > 1;)
        send_up(junction, &junction->list[i]);
    sc_junction_clique *root = &junction->list[0];
    const double mass = sc_table_total(root->table, root->cells);
    if (!(mass > 0))
        return false;
    sc_table_rescale(root->table, root->cells, mass, total);
    for (size_t i = 1; i < junction->count; i++)
        send_down(junction, &junction->list[i]);
    return true;
}

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
