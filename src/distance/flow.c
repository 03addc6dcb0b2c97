#include "distance/flow.h"

#include "base/memory.h"

#include <string.h>

scrim_status sc_flow_graph_init(sc_flow_graph *out, size_t nodes, size_t arcs,
                                scrim_error *error)
{
    memset(out, 0, sizeof *out);
    if (nodes > INT32_MAX || arcs > INT32_MAX)
        return sc_fail(error, SCRIM_E_LIMIT, "the graph is beyond 2147483648 arcs");
    out->node_count = nodes;
    out->arc_capacity = 2 * arcs;
    out->arcs = sc_allocate(2 * arcs, sizeof *out->arcs);
    out->first = sc_allocate(nodes, sizeof *out->first);
    out->level = sc_allocate(nodes, sizeof *out->level);
    out->current = sc_allocate(nodes, sizeof *out->current);
    out->path = sc_allocate(nodes, sizeof *out->path);
    out->potential = sc_allocate(nodes, sizeof *out->potential);
    if (out->arcs == NULL || out->first == NULL || out->level == NULL ||
        out->current == NULL || out->path == NULL || out->potential == NULL) {
        sc_flow_graph_clear(out);
        return sc_no_memory(error, "a graph");
    }
    for (size_t i = 0; i < nodes; i++)
        out->first[i] = SC_FLOW_NONE;
    return SCRIM_OK;
}

void sc_flow_graph_clear(sc_flow_graph *graph)
{
    sc_free(graph->potential);
    sc_free(graph->path);
    sc_free(graph->current);
    sc_free(graph->level);
    sc_free(graph->first);
    sc_free(graph->arcs);
    memset(graph, 0, sizeof *graph);
}

static void put_arc(sc_flow_graph *graph, size_t from, size_t to, sc_uint128 capacity,
                    int64_t price)
{
    const uint32_t arc = (uint32_t)graph->arc_count++;
    graph->arcs[arc] = (sc_flow_arc){.to = (uint32_t)to,
                                     .capacity = capacity,
                                     .price = price,
                                     .next = graph->first[from]};
    graph->first[from] = arc;
}

void sc_flow_graph_add(sc_flow_graph *graph, size_t from, size_t to, sc_uint128 capacity,
                       int64_t price)
{
    put_arc(graph, from, to, capacity, price);
    put_arc(graph, to, from, 0, -price);
}

static bool is_open(const sc_flow_graph *graph, size_t from, uint32_t arc)
{
    const sc_flow_arc *a = &graph->arcs[arc];
    return a->capacity != 0 &&
           a->price + graph->potential[from] - graph->potential[a->to] == 0;
}

/* Levels by steps from the source over open arcs; is the sink among them? path is the queue. */
static bool set_levels(sc_flow_graph *graph, size_t source, size_t sink)
{
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < graph->node_count; i++)
        graph->level[i] = SC_FLOW_NONE;
    graph->level[source] = 0;
    graph->path[tail++] = (uint32_t)source;
    while (head < tail) {
        const uint32_t node = graph->path[head++];
        for (uint32_t arc = graph->first[node]; arc != SC_FLOW_NONE;
             arc = graph->arcs[arc].next) {
            const uint32_t to = graph->arcs[arc].to;
            if (graph->level[to] == SC_FLOW_NONE && is_open(graph, node, arc)) {
                graph->level[to] = graph->level[node] + 1;
                graph->path[tail++] = to;
            }
        }
    }
    return graph->level[sink] != SC_FLOW_NONE;
}

/* Pushes along the path of `length` arcs; returns how many of them stay before the first that is
 * full. */
static size_t push_path(sc_flow_graph *graph, size_t length, sc_uint128 limit,
                        sc_uint128 *pushed)
{
    sc_uint128 least = limit;
    size_t stays = length;
    for (size_t i = 0; i < length; i++)
        if (graph->arcs[graph->path[i]].capacity < least)
            least = graph->arcs[graph->path[i]].capacity;
    for (size_t i = length; i-- > 0;) {
        graph->arcs[graph->path[i]].capacity -= least;
        graph->arcs[graph->path[i] ^ 1].capacity += least;
        if (graph->arcs[graph->path[i]].capacity == 0)
            stays = i;
    }
    *pushed += least;
    return stays;
}

/* One open arc to the next level, from where the last search of this node stood. */
static bool step(sc_flow_graph *graph, size_t node)
{
    for (; graph->current[node] != SC_FLOW_NONE;
         graph->current[node] = graph->arcs[graph->current[node]].next) {
        const uint32_t arc = graph->current[node];
        if (graph->level[graph->arcs[arc].to] == graph->level[node] + 1 &&
            is_open(graph, node, arc))
            return true;
    }
    return false;
}

/* Fills the level graph. The search keeps its own path: it can be as long as there are nodes. */
static sc_uint128 fill_levels(sc_flow_graph *graph, size_t source, size_t sink,
                              sc_uint128 limit)
{
    sc_uint128 pushed = 0;
    size_t length = 0, node = source;
    memcpy(graph->current, graph->first, graph->node_count * sizeof *graph->current);
    while (pushed < limit) {
        if (node == sink) {
            length = push_path(graph, length, limit - pushed, &pushed);
            node = length == 0 ? source : graph->arcs[graph->path[length - 1]].to;
        } else if (step(graph, node)) {
            graph->path[length++] = graph->current[node];
            node = graph->arcs[graph->current[node]].to;
        } else if (length == 0) {
            break;
        } else {
            graph->level[node] = SC_FLOW_NONE;
            node = graph->arcs[graph->path[--length] ^ 1].to;
        }
    }
    return pushed;
}

sc_uint128 sc_max_flow(sc_flow_graph *graph, size_t source, size_t sink, sc_uint128 limit)
{
    sc_uint128 pushed = 0;
    while (pushed < limit && set_levels(graph, source, sink))
        pushed += fill_levels(graph, source, sink, limit - pushed);
    return pushed;
}

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
    /* Nodes that were not reached before the sink are at least as far. */
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
