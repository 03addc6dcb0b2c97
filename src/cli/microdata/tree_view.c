#include "cli/microdata/tree_view.h"

#include <math.h>
#include <stdio.h>

void sc_tree_view_init(sc_tree_view *view, scrim_hierarchy *tree)
{
    *view = (sc_tree_view){.tree = tree};
    scrim_hierarchy_describe(tree, &view->facts);
    for (size_t i = 0; i < view->facts.levels; i++)
        scrim_hierarchy_level_at(tree, i, &view->levels[i]);
    for (size_t i = 0; i < view->facts.tables; i++) {
        scrim_hierarchy_table_at(tree, i, &view->tables[i]);
        view->places[i] = view->columns;
        view->columns += view->tables[i].columns;
    }
}

sc_signed_file sc_tree_view_file(const sc_tree_view *view, scrim_vault *vault,
                                 const char *kind, const char *option, const char *path)
{
    return (sc_signed_file){
        .signing = {.vault = vault, .release = view->facts.release, .kind = kind},
        .option = option,
        .path = path,
        .format = SCRIM_FORMAT_CSV};
}

size_t sc_tree_view_keys(const sc_tree_view *view, size_t node,
                         const char *keys[SC_TREE_VIEW_LEVELS])
{
    scrim_hierarchy_node n;
    scrim_hierarchy_node_at(view->tree, node, &n);
    const size_t level = n.level;
    for (size_t i = level; i > 0; i--) {
        keys[i - 1] = n.key;
        scrim_hierarchy_node_at(view->tree, n.parent, &n);
    }
    return level;
}

static int64_t whole(double x)
{
    return x <= 0 ? 0 : x >= 0x1p62 ? (int64_t)1 << 62 : (int64_t)x;
}

void sc_tree_view_interval(const scrim_hierarchy_node *node, int64_t *low, int64_t *high)
{
    *low = whole(ceil(node->low));
    *high = whole(floor(node->high));
    *low = *low > *high ? *high : *low;
}

double sc_tree_view_error(const scrim_hierarchy_node *node)
{
    const double count = node->count < 1 ? 1 : (double)node->count;
    return (node->high - node->low) / 2 / count;
}

const char *sc_tree_view_query(const sc_tree_view *view,
                               const scrim_hierarchy_query *query,
                               char out[SC_TREE_QUERY_BYTES])
{
    const scrim_hierarchy_table *table = &view->tables[query->table];
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < table->columns && at < SC_TREE_QUERY_BYTES; i++)
        if (query->columns >> i & 1)
            at += (size_t)snprintf(out + at, SC_TREE_QUERY_BYTES - at, "%s%s",
                                   at == 0 ? "" : "*", table->names[i]);
    return out;
}
