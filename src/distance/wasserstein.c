#include "distance/wasserstein.h"

#include "base/checked.h"
#include "base/memory.h"
#include "distance/flow.h"
#include "distance/wasserstein_line.h"

#include <stdlib.h>

/* All distances from a place of p to one of q, row by row. */
static scrim_status list_distances(const sc_transport *t, const sc_ground *ground,
                                   int64_t **out, scrim_error *error)
{
    size_t pairs;
    if (!sc_size_mul(t->p->count, t->q->count, &pairs) || pairs > SC_GROUND_PAIRS)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are more than 1048576 pairs of places; so many can be "
                       "compared only in one dimension");
    int64_t *list = sc_allocate(pairs, sizeof *list);
    if (list == NULL)
        return sc_no_memory(error, "the distances");
    for (size_t i = 0; i < t->p->count; i++)
        for (size_t j = 0; j < t->q->count; j++)
            list[i * t->q->count + j] = ground->between(
                ground->context, t->p->list[i].place, t->q->list[j].place);
    *out = list;
    return SCRIM_OK;
}

/* Source, places of p, places of q, sink; an arc for each pair within b. */
static scrim_status build(const sc_transport *t, const int64_t *distance, int64_t b,
                          bool is_priced, sc_flow_graph *out, scrim_error *error)
{
    const size_t m = t->p->count, n = t->q->count, sink = m + n + 1;
    size_t arcs = m + n;
    for (size_t k = 0; k < m * n; k++)
        arcs += distance[k] <= b;
    scrim_status status = sc_flow_graph_init(out, sink + 1, arcs, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < m; i++)
        sc_flow_graph_add(out, 0, 1 + i, (sc_uint128)t->p->list[i].mass * t->p_unit, 0);
    for (size_t j = 0; j < n; j++)
        sc_flow_graph_add(out, 1 + m + j, sink,
                          (sc_uint128)t->q->list[j].mass * t->q_unit, 0);
    for (size_t k = 0; k < m * n; k++)
        if (distance[k] <= b)
            sc_flow_graph_add(out, 1 + k / n, 1 + m + k % n, t->total,
                              is_priced ? distance[k] : 0);
    return SCRIM_OK;
}

static scrim_status is_enough(const sc_transport *t, const int64_t *distance, int64_t b,
                              bool *out, scrim_error *error)
{
    sc_flow_graph graph;
    const sc_uint128 need = sc_transport_need(t);
    scrim_status status = build(t, distance, b, false, &graph, error);
    if (status != SCRIM_OK)
        return status;
    *out = sc_max_flow(&graph, 0, graph.node_count - 1, need) == need;
    sc_flow_graph_clear(&graph);
    return SCRIM_OK;
}

/* The finite distances, each once, in order. */
static scrim_status sort_distances(const int64_t *distance, size_t pairs, int64_t **out,
                                   size_t *count, scrim_error *error)
{
    int64_t *list = sc_allocate(pairs, sizeof *list);
    size_t kept = 0;
    if (list == NULL)
        return sc_no_memory(error, "the distances");
    for (size_t k = 0; k < pairs; k++)
        if (distance[k] != SC_GROUND_NONE)
            list[kept++] = distance[k];
    qsort(list, kept, sizeof *list, sc_int64_order);
    *count = 0;
    for (size_t k = 0; k < kept; k++)
        if (k == 0 || list[k] != list[k - 1])
            list[(*count)++] = list[k];
    *out = list;
    return SCRIM_OK;
}

/* The first of the distances that is enough; none is infinite. */
static scrim_status search(const sc_transport *t, const int64_t *distance,
                           const int64_t *sorted, size_t count, sc_distance *out,
                           scrim_error *error)
{
    size_t low = 0, high = count;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && low < high) {
        const size_t middle = low + (high - low) / 2;
        bool enough = false;
        status = is_enough(t, distance, sorted[middle], &enough, error);
        if (enough)
            high = middle;
        else
            low = middle + 1;
    }
    if (status == SCRIM_OK)
        *out = (sc_distance){.is_infinite = high == count,
                             .value = high == count ? 0 : (uint64_t)sorted[high]};
    return status;
}

scrim_status sc_wasserstein_radius(const sc_transport *transport, const sc_ground *ground,
                                   sc_distance *out, scrim_error *error)
{
    int64_t *distance = NULL, *sorted = NULL;
    size_t count = 0;
    if (sc_transport_need(transport) == 0) {
        *out = (sc_distance){.value = 0};
        return SCRIM_OK;
    }
    if (ground == NULL) {
        *out = (sc_distance){.value = sc_line_radius(transport)};
        return SCRIM_OK;
    }
    scrim_status status = list_distances(transport, ground, &distance, error);
    if (status == SCRIM_OK)
        status = sort_distances(distance, transport->p->count * transport->q->count,
                                &sorted, &count, error);
    if (status == SCRIM_OK)
        status = search(transport, distance, sorted, count, out, error);
    sc_free(sorted);
    sc_free(distance);
    return status;
}

scrim_status sc_wasserstein_mean(const sc_transport *transport, const sc_ground *ground,
                                 sc_ratio *out, bool *is_infinite, scrim_error *error)
{
    int64_t *distance = NULL;
    sc_flow_graph graph;
    if (ground == NULL) {
        *is_infinite = false;
        return sc_line_mean(transport, out, error);
    }
    scrim_status status = list_distances(transport, ground, &distance, error);
    if (status != SCRIM_OK)
        return status;
    status = build(transport, distance, SC_GROUND_NONE - 1, true, &graph, error);
    sc_free(distance);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, total);
    SC_OWN(sc_integer, whole);
    status = sc_min_cost_flow(&graph, 0, graph.node_count - 1, transport->whole,
                              &transport->part, out, is_infinite, error);
    if (status == SCRIM_OK && !*is_infinite) {
        sc_integer_set_uint128(&whole, transport->total);
        sc_ratio_set_integer(&total, &whole);
        sc_ratio_div(out, out, &total);
    }
    sc_flow_graph_clear(&graph);
    return status;
}
