#include "cli/microdata/tree_files.h"

#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"

#include <inttypes.h>
#include <stdlib.h>

typedef void writer(sc_output *output, const sc_tree_view *view);

static scrim_status write_file(const sc_tree_view *view, const char *option,
                               const char *path, writer *write, scrim_error *error)
{
    sc_file_writer file;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = sc_file_writer_open(&file, option, path, error);
    if (status == SCRIM_OK) {
        sc_output_init(output, file.descriptor);
        write(output, view);
        status = sc_file_writer_close(&file, output, error);
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

static void write_records(sc_output *output, const sc_tree_view *view)
{
    const scrim_hierarchy_level *last = &view->levels[view->facts.levels - 1];
    put_header(output, view, "");
    sc_output_text(output, "\n");
    for (size_t v = last->first; v < last->first + last->count; v++) {
        const char *keys[SC_TREE_VIEW_LEVELS];
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(view->tree, v, &node);
        const size_t level = sc_tree_view_keys(view, v, keys);
        for (int64_t i = 0; i < node.count; i++) {
            put_keys(output, view, keys, level);
            sc_output_text(output, "\n");
        }
    }
}

static void write_measurements(sc_output *output, const sc_tree_view *view)
{
    put_header(output, view, "level");
    sc_output_text(output, ",noisy,variance,measurement\n");
    for (size_t v = 0; v < view->facts.nodes; v++) {
        const char *keys[SC_TREE_VIEW_LEVELS];
        char variance[SC_BOUND_BYTES];
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(view->tree, v, &node);
        if (!node.is_measured)
            continue;
        const scrim_hierarchy_level *level = &view->levels[node.level];
        sc_bound_format_exact(level->noise * level->noise, variance);
        sc_output_format(output, "%zu,", node.level);
        put_keys(output, view, keys, sc_tree_view_keys(view, v, keys));
        sc_output_format(output, ",%" PRId64 ",%s,", node.noisy, variance);
        sc_output_csv_text(output, level->measurement);
        sc_output_text(output, "\n");
    }
}

scrim_status sc_tree_records_write(const sc_tree_view *view, const char *path,
                                   scrim_error *error)
{
    return write_file(view, "--records", path, write_records, error);
}

scrim_status sc_tree_measurements_write(const sc_tree_view *view, const char *path,
                                        scrim_error *error)
{
    return write_file(view, "--measurements", path, write_measurements, error);
}
