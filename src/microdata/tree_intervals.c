/* Intervals of a tree of counts: of single nodes, and of sums of nodes or cells with weights. */
#include "microdata/count_tree.h"
#include "microdata/noise_weights.h"

#include <math.h>
#include <string.h>

static bool have_all(const scrim_hierarchy *h, sc_tree_noise kind)
{
    for (size_t i = 0; i < h->tree.levels; i++)
        if (h->tree.level[i].is_measured && h->tree.level[i].noise.kind != kind)
            return false;
    for (size_t i = 0; i < h->tree.query_count; i++)
        if (h->tree.queries[i].noise.kind != kind)
            return false;
    return true;
}

static void get_rates(const scrim_hierarchy *h, double *rates)
{
    for (size_t i = 0; i < h->tree.levels; i++)
        rates[i] = h->tree.level[i].noise.amount;
}

/* Nodes of a level that differ. */
static scrim_status set_widths(scrim_hierarchy *h, scrim_error *error)
{
    double rates[SC_LEVELS_MOST + 1];
    sc_path_weights weights = {.levels = 0};
    h->widths = sc_allocate(h->facts.nodes, sizeof *h->widths);
    if (h->widths == NULL)
        return sc_no_memory(error, "the tree");
    get_rates(h, rates);
    scrim_status status = sc_path_weights_init(&weights, &h->squares, h->tree.parents,
                                               h->tree.starts, h->tree.levels, error);
    if (status == SCRIM_OK)
        status = sc_path_half_widths(&weights, rates, h->beta, h->widths, error);
    sc_path_weights_clear(&weights);
    return status;
}

/* The smaller of two bounds that hold. */
scrim_status sc_count_tree_set_half_widths(scrim_hierarchy *h, scrim_error *error)
{
    double rates[SC_LEVELS_MOST + 1];
    h->is_gaussian = have_all(h, SC_TREE_GAUSSIAN);
    h->is_laplace = have_all(h, SC_TREE_LAPLACE);
    if (!h->is_laplace)
        return SCRIM_OK;
    if (!h->squares.is_even)
        return h->tables.count > 0 ? SCRIM_OK : set_widths(h, error);
    if (h->tables.count > 0)
        return sc_tree_tables_widths(&h->tables, &h->squares, h->beta, h->half_widths,
                                     error);
    sc_noise_term *terms = sc_allocate(SC_NOISE_TERMS, sizeof *terms);
    if (terms == NULL)
        return sc_no_memory(error, "the tree");
    get_rates(h, rates);
    for (size_t i = 0; i < h->tree.levels; i++) {
        const size_t count = sc_noise_terms(&h->squares, i, terms);
        h->half_widths[i] = fmin(sc_half_width_laplace(terms, count, rates, h->beta),
                                 sc_half_width_any(h->squares.final[i], h->beta));
    }
    sc_free(terms);
    return SCRIM_OK;
}

double sc_count_tree_half_width(const scrim_hierarchy *h, size_t level, size_t node)
{
    const double variance = sc_squares_variance(&h->squares, node);
    if (variance <= 0)
        return 0;
    if (h->is_gaussian)
        return sc_half_width_gaussian(variance, h->beta);
    if (h->widths != NULL)
        return h->widths[node];
    return h->half_widths[level] > 0 ? h->half_widths[level]
                                     : sc_half_width_any(variance, h->beta);
}

/* Linear functions. */

/* The variance and the half width of a sum of nodes. */
static scrim_status measure_nodes(const scrim_hierarchy *h, const double *weights,
                                  double *variance, double *width, scrim_error *error)
{
    const size_t nodes = h->facts.nodes, inner = h->tree.shape.inner;
    double *all = sc_allocate(nodes, sizeof *all),
           *spare = sc_allocate(nodes, sizeof *spare), rates[SC_LEVELS_MOST + 1];
    sc_noise_term *terms =
        sc_allocate((size_t)(SC_LEVELS_MOST + 1) * SC_NOISE_BINS, sizeof *terms);
    const bool is_done = all != NULL && spare != NULL && terms != NULL;
    if (is_done) {
        memcpy(all + inner, weights, (nodes - inner) * sizeof *all);
        *variance = fmax(sc_squares_linear(&h->squares, all, spare), 0);
        *width = sc_half_width_any(*variance, h->beta);
        if (h->is_laplace && h->tables.count == 0) {
            get_rates(h, rates);
            sc_squares_noise(&h->squares, all, spare);
            const size_t count =
                sc_noise_collect(spare, h->tree.starts, h->tree.levels, terms);
            *width = fmin(*width, sc_half_width_laplace(terms, count, rates, h->beta));
        }
    }
    sc_free(terms);
    sc_free(all);
    sc_free(spare);
    return is_done ? SCRIM_OK : sc_no_memory(error, "the tree");
}

static scrim_status measure_cells(const scrim_hierarchy *h, size_t table,
                                  const double *weights, double *variance, double *width,
                                  scrim_error *error)
{
    *variance =
        sc_table_squares_linear(&h->tables.tables[table].squares, &h->squares, weights);
    if (*variance < 0)
        return sc_no_memory(error, "the tree");
    *width = sc_half_width_any(*variance, h->beta);
    return SCRIM_OK;
}

scrim_status scrim_hierarchy_linear(const scrim_hierarchy *h, size_t table,
                                    const double *weights, scrim_hierarchy_sum *out,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "hierarchy weights out", h, weights, out);
    const bool is_cells = table != SC_NO_TABLE;
    if (is_cells && table >= h->tree.table_count)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "table",
                           "there is no table %zu", table);
    const size_t cells = is_cells ? h->tables.tables[table].squares.cells : 1;
    const double *estimates = is_cells ? h->tables.tables[table].estimates : h->estimates;
    const size_t inner = h->tree.shape.inner, leaves = h->facts.nodes - inner;
    double sum = 0, variance = 0, width = 0;
    const scrim_status status =
        is_cells ? measure_cells(h, table, weights, &variance, &width, error)
                 : measure_nodes(h, weights, &variance, &width, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < leaves * cells; i++)
        sum += weights[i] * estimates[inner * cells + i];
    if (h->is_gaussian)
        width = sc_half_width_gaussian(variance, h->beta);
    *out = (scrim_hierarchy_sum){sum, sqrt(variance), sum - width, sum + width};
    return SCRIM_OK;
}
