#include "distance/min_cost_flow.h"

#include "base/memory.h"

#include <string.h>

/* Nodes by how cheap they are to reach: a heap, with the place of each node in it. */
typedef struct frontier {
    sc_int128 *price;
    uint32_t *heap, *place; /* place is SC_FLOW_NONE before and DONE behind */
    size_t count;
} frontier;

#define DONE (SC_FLOW_NONE - 1)

static void clear(frontier *f)
{
    sc_free(f->place);
    sc_free(f->heap);
    sc_free(f->price);
}

static scrim_status init(frontier *f, size_t nodes, scrim_error *error)
{
    memset(f, 0, sizeof *f);
    f->price = sc_allocate(nodes, sizeof *f->price);
    f->heap = sc_allocate(nodes, sizeof *f->heap);
    f->place = sc_allocate(nodes, sizeof *f->place);
    if (f->price != NULL && f->heap != NULL && f->place != NULL)
        return SCRIM_OK;
    clear(f);
    return sc_no_memory(error, "a flow");
}

static void put(frontier *f, size_t at, uint32_t node)
{
    f->heap[at] = node;
    f->place[node] = (uint32_t)at;
}

/* A node that is new or has become cheaper rises to its place. */
static void rise(frontier *f, uint32_t node, sc_int128 price)
{
    size_t at = f->place[node] == SC_FLOW_NONE ? f->count++ : f->place[node];
    f->price[node] = price;
    while (at > 0 && f->price[f->heap[(at - 1) / 2]] > price) {
        put(f, at, f->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(f, at, node);
}

static uint32_t take(frontier *f)
{
    const uint32_t best = f->heap[0], last = f->heap[--f->count];
    size_t at = 0;
    f->place[best] = DONE;
    if (f->count == 0)
        return best;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < f->count &&
            f->price[f->heap[child + 1]] < f->price[f->heap[child]])
            child++;
        if (child >= f->count || f->price[f->heap[child]] >= f->price[last])
            break;
        put(f, at, f->heap[child]);
        at = child;
    }
    put(f, at, last);
    return best;
}

static void relax(const sc_flow_graph *graph, frontier *f, uint32_t node)
{
    for (uint32_t arc = graph->first[node]; arc != SC_FLOW_NONE;
         arc = graph->arcs[arc].next) {
        const sc_flow_arc *a = &graph->arcs[arc];
        if (a->capacity == 0 || f->place[a->to] == DONE)
            continue;
        const sc_int128 price =
            f->price[node] + a->price + graph->potential[node] - graph->potential[a->to];
        if (f->place[a->to] == SC_FLOW_NONE || price < f->price[a->to])
            rise(f, a->to, price);
    }
}

/* Moves the potentials so that the cheapest ways to the sink become tight, and no arc with room
 * has a price below 0; false when there is no way. */
static bool find_cheapest(sc_flow_graph *graph, frontier *f, size_t source, size_t sink)
{
    f->count = 0;
    for (size_t i = 0; i < graph->node_count; i++)
        f->place[i] = SC_FLOW_NONE;
    rise(f, (uint32_t)source, 0);
    while (f->count > 0 && f->place[sink] != DONE)
        relax(graph, f, take(f));
    if (f->place[sink] != DONE)
        return false;
    /* What was not reached before the sink is at least as far. */
    for (size_t i = 0; i < graph->node_count; i++)
        graph->potential[i] += f->place[i] == DONE ? f->price[i] : f->price[sink];
    return true;
}

static void add_cost(sc_ratio *cost, sc_int128 price, sc_uint128 amount)
{
    SC_OWN(sc_integer, a, b);
    SC_OWN(sc_ratio, product);
    sc_integer_set_int128(&a, price);
    sc_integer_set_uint128(&b, amount);
    sc_integer_mul(&a, &a, &b);
    sc_ratio_set_integer(&product, &a);
    sc_ratio_add(cost, cost, &product);
}

static void add_part(sc_ratio *cost, sc_int128 price, const sc_ratio *part)
{
    SC_OWN(sc_ratio, product);
    sc_ratio_set_int128(&product, price);
    sc_ratio_mul(&product, &product, part);
    sc_ratio_add(cost, cost, &product);
}

scrim_status sc_min_cost_flow(sc_flow_graph *graph, size_t source, size_t sink,
                              sc_uint128 whole, const sc_ratio *part, sc_ratio *cost,
                              bool *is_short, scrim_error *error)
{
    frontier f;
    const bool has_part = sc_ratio_sign(part) != 0;
    bool has_way = true;
    scrim_status status = init(&f, graph->node_count, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, sum);
    while (has_way && whole > 0) {
        has_way = find_cheapest(graph, &f, source, sink);
        if (has_way) {
            const sc_uint128 pushed = sc_max_flow(graph, source, sink, whole);
            add_cost(&sum, graph->potential[sink] - graph->potential[source], pushed);
            whole -= pushed;
        }
    }
    if (has_way && has_part && (has_way = find_cheapest(graph, &f, source, sink)))
        add_part(&sum, graph->potential[sink] - graph->potential[source], part);
    *is_short = !has_way;
    if (has_way)
        sc_ratio_set(cost, &sum);
    clear(&f);
    return SCRIM_OK;
}
