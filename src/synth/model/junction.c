#include "synth/model/junction.h"

#include "base/memory.h"
#include "synth/model/real_functions.h"

#include <math.h>
#include <string.h>

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
    sc_junction_init(junction);
}

/* Of the cliques that are not yet in the tree, and those in it, the pair with most columns in common; the
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
    link_cliques(cliques, &tree);
    name_branches(&tree);
    bool is_there = true;
    for (size_t i = 0; i < tree.count && is_there; i++)
        is_there = allocate_clique(&tree, &tree.list[i]);
    if (!is_there) {
        sc_junction_clear(&tree);
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a model");
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

/* What the parent says of the separator replaces what was sent up. */
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
