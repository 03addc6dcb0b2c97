#include "cli/microdata/tree_view.h"

#include <math.h>

void sc_tree_view_init(sc_tree_view *view, scrim_hierarchy *tree)
{
    *view = (sc_tree_view){.tree = tree};
    scrim_hierarchy_describe(tree, &view->facts);
    for (size_t i = 0; i < view->facts.levels; i++)
        scrim_hierarchy_level_at(tree, i, &view->levels[i]);
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
