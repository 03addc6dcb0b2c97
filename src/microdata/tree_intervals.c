/* Intervals of a tree of counts: of single nodes, and of sums of nodes or cells with weights. */
#include "microdata/count_tree.h"
#include "microdata/noise_weights.h"

#include <math.h>
#include <string.h>

/* The noises of the levels, and behind them those of the queries; one that is not measured has the amount 0. Returns how many. */
static size_t get_noises(const scrim_hierarchy *h, sc_level_noise *noises)
{
    size_t count = 0;
    for (size_t i = 0; i < h->tree.levels; i++)
        noises[count++] = h->tree.level[i].is_measured
                              ? h->tree.level[i].noise
                              : (sc_level_noise){.kind = SC_TREE_LAPLACE};
    for (size_t i = 0; i < h->tree.query_count; i++)
        noises[count++] = h->tree.queries[i].noise;
    return count;
}

/* Nodes of a level that differ. */
static scrim_status set_widths(scrim_hierarchy *h, const sc_level_noise *noises,
                               scrim_error *error)
{
    sc_path_weights weights = {.levels = 0};
    h->widths = sc_allocate(h->facts.nodes, sizeof *h->widths);
    if (h->widths == NULL)
        return sc_no_memory(error, "the tree");
    scrim_status status = sc_path_weights_init(&weights, &h->squares, h->tree.parents,
                                               h->tree.starts, h->tree.levels, error);
    if (status == SCRIM_OK)
        status = sc_path_half_widths(&weights, noises, h->beta, h->widths, error);
    sc_path_weights_clear(&weights);
    return status;
}

static scrim_status set_even_widths(scrim_hierarchy *h, const sc_level_noise *noises,
                                    scrim_error *error)
{
    sc_noise_term *terms = sc_allocate(SC_NOISE_TERMS, sizeof *terms);
    if (terms == NULL)
        return sc_no_memory(error, "the tree");
    for (size_t i = 0; i < h->tree.levels; i++) {
        const sc_combined_noise sum = {
            terms,
            sc_noise_terms(&h->squares, i, terms),
            noises,
        };
        h->half_widths[i] = sc_combined_noise_half_width(&sum, h->beta);
    }
    sc_free(terms);
    return SCRIM_OK;
}

scrim_status sc_count_tree_set_half_widths(scrim_hierarchy *h, scrim_error *error)
{
    sc_level_noise noises[SC_LEVELS_MOST + 1 + SC_TREE_QUERIES];
    const size_t count = get_noises(h, noises);
    h->factor = sc_combined_noise_factor(noises, count, h->beta);
    if (h->tables.count > 0)
        return h->squares.is_even ? sc_tree_tables_widths(&h->tables, &h->squares,
                                                          h->beta, h->half_widths, error)
                                  : SCRIM_OK;
    return h->squares.is_even ? set_even_widths(h, noises, error)
                              : set_widths(h, noises, error);
}

double sc_count_tree_half_width(const scrim_hierarchy *h, size_t level, size_t node)
{
    const double variance = sc_squares_variance(&h->squares, node);
    if (variance <= 0)
        return 0;
    if (h->widths != NULL)
        return h->widths[node];
    return h->half_widths[level] > 0 ? h->half_widths[level] : sqrt(variance) * h->factor;
}

/* Linear functions. */

/* The variance and the half width of a sum of nodes. */
static scrim_status measure_nodes(const scrim_hierarchy *h, const double *weights,
                                  double *variance, double *width, scrim_error *error)
{
    const size_t nodes = h->facts.nodes, inner = h->tree.shape.inner;
    double *all = sc_allocate(nodes, sizeof *all),
           *spare = sc_allocate(nodes, sizeof *spare);
    sc_level_noise noises[SC_LEVELS_MOST + 1 + SC_TREE_QUERIES];
    sc_noise_term *terms =
        sc_allocate((size_t)(SC_LEVELS_MOST + 1) * SC_NOISE_BINS, sizeof *terms);
    const bool is_done = all != NULL && spare != NULL && terms != NULL;
    if (is_done) {
        memcpy(all + inner, weights, (nodes - inner) * sizeof *all);
        *variance = fmax(sc_squares_linear(&h->squares, all, spare), 0);
        *width = sqrt(*variance) * h->factor;
        if (h->tables.count == 0) {
            (void)get_noises(h, noises);
            sc_squares_noise(&h->squares, all, spare);
            const sc_combined_noise sum = {
                terms, sc_noise_collect(spare, h->tree.starts, h->tree.levels, terms),
                noises};
            *width = fmin(*width, sc_combined_noise_half_width(&sum, h->beta));
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
    *width = sqrt(*variance) * h->factor;
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
    *out = (scrim_hierarchy_sum){sum, sqrt(variance), sum - width, sum + width};
    return SCRIM_OK;
}
