#include "mechanism/microdata/top_down.h"

void sc_top_down(const sc_tree_shape *shape, const sc_hash_key *key, int64_t *values)
{
    values[0] = values[0] < 0 ? 0 : values[0];
    for (size_t v = 0; v < shape->inner; v++) {
        const size_t first = shape->child[v];
        sc_tie_order order = {.first = first};
        if (key != NULL)
            order.key = *key;
        sc_project_integer(values + first, shape->child[v + 1] - first, values[v],
                           key == NULL ? NULL : &order);
    }
}
