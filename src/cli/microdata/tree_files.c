#include "cli/microdata/tree_files.h"

#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <stdlib.h>

typedef scrim_status writer(sc_output *output, const sc_tree_view *view);

static scrim_status write_file(const sc_tree_view *view, sc_signed_file *file,
                               writer *write, scrim_error *error)
{
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = sc_signed_file_open(file, output, error);
    if (status == SCRIM_OK) {
        status = write(output, view);
        if (status != SCRIM_OK)
            status = sc_complaint_fill(error, status, "out of memory");
        status = sc_signed_file_close(file, status, error);
    }
    free(output);
    return status;
}

static void put_header(sc_output *output, const sc_tree_view *view, const char *first)
{
    sc_output_text(output, first);
    for (size_t i = 1; i < view->facts.levels; i++) {
        sc_output_text(output, i > 1 || first[0] != '\0' ? "," : "");
        sc_output_csv_text(output, view->levels[i].name);
    }
}

static void put_table_header(sc_output *output, const sc_tree_view *view)
{
    for (size_t t = 0; t < view->facts.tables; t++)
        for (size_t i = 0; i < view->tables[t].columns; i++) {
            sc_output_text(output, ",");
            sc_output_csv_text(output, view->tables[t].names[i]);
        }
}

/* Keys of all levels; those that a node does not have are empty. */
static void put_keys(sc_output *output, const sc_tree_view *view, const char **keys,
                     size_t level)
{
    for (size_t i = 1; i < view->facts.levels; i++) {
        sc_output_text(output, i > 1 ? "," : "");
        if (i <= level && keys[i - 1] != NULL)
            sc_output_csv_text(output, keys[i - 1]);
    }
}

static void put_cell_keys(sc_output *output, const sc_tree_view *view, size_t table,
                          const char *const *keys)
{
    for (size_t i = 0; i < view->tables[table].columns; i++) {
        sc_output_text(output, ",");
        if (keys[i] != NULL)
            sc_output_csv_text(output, keys[i]);
    }
}

/* Records. A person of a node has a cell in each table. Tables do not say which cells go together: people of a table are put
 * beside those of the first one in steps that are public and mix them. */

/* A walk through the people of a node in a table, one cell after another, from some place on. */
typedef struct cell_walk {
    size_t cell;
    int64_t left; /* people of the cell */
    scrim_hierarchy_cell now;
} cell_walk;

static void load_cell(const sc_tree_view *view, size_t table, size_t v, size_t cell,
                      cell_walk *w)
{
    w->cell = cell;
    scrim_hierarchy_cell_at(view->tree, table, v, cell, &w->now);
    w->left = w->now.count;
}

/* The next person; there is one. */
static void step_cell(const sc_tree_view *view, size_t table, size_t v, cell_walk *w)
{
    while (w->left == 0)
        load_cell(view, table, v, (w->cell + 1) % view->tables[table].cells, w);
    w->left--;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A step through so many people that meets each once and jumps from cell to cell: near the golden section, further for each
 * table. */
static uint64_t mixing_step(int64_t count, size_t table)
{
    uint64_t step = (uint64_t)((double)count * (table % 2 ? 0.6180339887 : 0.4142135624));
    step = step / (table / 2 + 1) + 1;
    while (common_divisor((uint64_t)count, step) != 1)
        step++;
    return step;
}

static scrim_status write_mixed(sc_output *output, const sc_tree_view *view, size_t v,
                                int64_t count, const char **keys, size_t level)
{
    const size_t tables = view->facts.tables;
    uint32_t *cells = calloc((size_t)count * tables, sizeof *cells);
    if (cells == NULL)
        return SCRIM_E_MEMORY;
    for (size_t t = 0; t < tables; t++) {
        const uint64_t step = t == 0 ? 1 : mixing_step(count, t);
        uint64_t at = 0;
        cell_walk w;
        load_cell(view, t, v, 0, &w);
        for (int64_t i = 0; i < count; i++, at = (at + step) % (uint64_t)count) {
            step_cell(view, t, v, &w);
            cells[at * tables + t] = (uint32_t)w.cell;
        }
    }
    for (size_t i = 0; i < (size_t)count; i++) {
        put_keys(output, view, keys, level);
        for (size_t t = 0; t < tables; t++) {
            scrim_hierarchy_cell cell;
            scrim_hierarchy_cell_at(view->tree, t, v, cells[i * tables + t], &cell);
            put_cell_keys(output, view, t, cell.keys);
        }
        sc_output_text(output, "\n");
    }
    free(cells);
    return SCRIM_OK;
}

static scrim_status write_records(sc_output *output, const sc_tree_view *view)
{
    const scrim_hierarchy_level *last = &view->levels[view->facts.levels - 1];
    scrim_status status = SCRIM_OK;
    put_header(output, view, "");
    put_table_header(output, view);
    sc_output_text(output, "\n");
    for (size_t v = last->first; status == SCRIM_OK && v < last->first + last->count;
         v++) {
        const char *keys[SC_TREE_VIEW_LEVELS];
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(view->tree, v, &node);
        const size_t level = sc_tree_view_keys(view, v, keys);
        if (view->facts.tables > 0 && node.count > 0)
            status = write_mixed(output, view, v, node.count, keys, level);
        for (int64_t i = 0; view->facts.tables == 0 && i < node.count; i++) {
            put_keys(output, view, keys, level);
            sc_output_text(output, "\n");
        }
    }
    return status;
}

/* Noisy counts. */

static void put_measured(sc_output *output, int64_t noisy, double noise,
                         const char *measurement)
{
    char variance[SC_BOUND_BYTES];
    sc_bound_format_exact(noise * noise, variance);
    sc_output_format(output, ",%" PRId64 ",%s,", noisy, variance);
    sc_output_csv_text(output, measurement);
    sc_output_text(output, "\n");
}

static void write_query(sc_output *output, const sc_tree_view *view, size_t place)
{
    scrim_hierarchy_query query;
    char name[SC_TREE_QUERY_BYTES];
    scrim_hierarchy_query_at(view->tree, place, &query);
    const scrim_hierarchy_level *level = &view->levels[query.level];
    (void)sc_tree_view_query(view, &query, name);
    for (size_t v = level->first; v < level->first + level->count; v++)
        for (size_t i = 0; i < query.cells; i++) {
            const char *keys[SC_TREE_VIEW_LEVELS], *cell[SCRIM_TABLE_COLUMNS];
            const int64_t noisy = scrim_hierarchy_noisy_at(view->tree, place, v, i, cell);
            sc_output_format(output, "%zu,", query.level);
            put_keys(output, view, keys, sc_tree_view_keys(view, v, keys));
            sc_output_text(output, ",");
            sc_output_csv_text(output, name);
            for (size_t t = 0; t < view->facts.tables; t++)
                for (size_t k = 0; k < view->tables[t].columns; k++) {
                    sc_output_text(output, ",");
                    if (t == query.table && cell[k] != NULL)
                        sc_output_csv_text(output, cell[k]);
                }
            put_measured(output, noisy, query.noise, query.measurement);
        }
}

static scrim_status write_measurements(sc_output *output, const sc_tree_view *view)
{
    const bool has_tables = view->facts.tables > 0;
    put_header(output, view, "level");
    sc_output_text(output, has_tables ? ",query" : "");
    put_table_header(output, view);
    sc_output_text(output, ",noisy,variance,measurement\n");
    for (size_t v = 0; v < view->facts.nodes; v++) {
        const char *keys[SC_TREE_VIEW_LEVELS];
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(view->tree, v, &node);
        if (!node.is_measured)
            continue;
        const scrim_hierarchy_level *level = &view->levels[node.level];
        sc_output_format(output, "%zu,", node.level);
        put_keys(output, view, keys, sc_tree_view_keys(view, v, keys));
        sc_output_text(output, has_tables ? ",total" : "");
        for (size_t i = 0; i < view->columns; i++)
            sc_output_text(output, ",");
        put_measured(output, node.noisy, level->noise, level->measurement);
    }
    for (size_t i = 0; i < view->facts.queries; i++)
        write_query(output, view, i);
    return SCRIM_OK;
}

scrim_status sc_tree_records_write(const sc_tree_view *view, scrim_vault *vault,
                                   const char *path, scrim_error *error)
{
    sc_signed_file file = sc_tree_view_file(view, vault, "records", "--records", path);
    return write_file(view, &file, write_records, error);
}

scrim_status sc_tree_measurements_write(const sc_tree_view *view, scrim_vault *vault,
                                        const char *path, scrim_error *error)
{
    sc_signed_file file =
        sc_tree_view_file(view, vault, "measurements", "--measurements", path);
    return write_file(view, &file, write_measurements, error);
}
