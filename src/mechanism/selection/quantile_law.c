#include "mechanism/selection/quantile_law.h"

#include "base/memory.h"
#include "base/number/ball.h"

#define WAYS_MAX ((uint64_t)1 << 22)

/* The law of one node on a part: mass[i] of the merged cells from first on. */
typedef struct node_law {
    sc_quantile_part part;
    uint64_t first;
    size_t count;
    sc_ball *mass; /* NULL: none yet */
} node_law;

/* A law that is being listed, node after node. A node's law is found again only when its part
 * has changed. */
typedef struct listing {
    sc_quantile_parts parts;
    node_law laws[SC_QUANTILES_MAX];
    long bits;
    sc_outcomes *out;
} listing;

static bool has_sides(const sc_quantile_node *node)
{
    return node->left != SC_QUANTILE_NONE || node->right != SC_QUANTILE_NONE;
}

/* Cells that differ in what follows: all of them before a cut, else those of different keys. */
static uint64_t merged(const sc_quantile_plan *plan, const sc_quantile_node *node)
{
    return has_sides(node) ? 1 : plan->parts;
}

static scrim_status check_ways(const sc_quantile_plan *plan, scrim_error *error)
{
    uint64_t ways = 1;
    for (size_t i = 0; i < plan->count; i++) {
        uint64_t cells = plan->cells / merged(plan, &plan->nodes[i]);
        if (cells > WAYS_MAX / ways)
            return sc_fail(error, SCRIM_E_LIMIT,
                           "the distribution of these quantiles has too many outcomes; "
                           "choose a coarser grid or fewer quantiles");
        ways *= cells;
    }
    return SCRIM_OK;
}

static void node_law_clear(node_law *law)
{
    for (size_t i = 0; law->mass != NULL && i < law->count; i++)
        sc_ball_clear(&law->mass[i]);
    sc_free(law->mass);
    *law = (node_law){0};
}

static scrim_status node_law_init(node_law *law, const sc_quantile_part *part,
                                  uint64_t merge, scrim_error *error)
{
    law->part = *part;
    law->first = part->first / merge;
    law->count = (size_t)(part->last / merge - law->first + 1);
    law->mass = sc_allocate(law->count, sizeof *law->mass);
    if (law->mass == NULL)
        return sc_no_memory(error, "the law of a quantile");
    for (size_t i = 0; i < law->count; i++)
        sc_ball_init(&law->mass[i]);
    return SCRIM_OK;
}

/* Adds the weight of one cell to each of count cells. Sums of whole weights are exact. */
static void add_cells(node_law *law, uint64_t merge, uint64_t from, uint64_t count,
                      const sc_ball *weight)
{
    for (uint64_t cell = from; cell < from + count; cell++) {
        sc_ball *sum = &law->mass[cell / merge - law->first];
        sc_ball_add(sum, sum, weight, SC_WEIGHT_SUM_BITS);
    }
}

static void fill_node_law(node_law *law, uint64_t merge, const sc_rank_field *field,
                          long bits)
{
    sc_rank_walk walk;
    sc_rank_shell shell;
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ball, weight, total);
    sc_rank_walk_start(&walk, field);
    while (sc_rank_walk_next(&walk, &shell)) {
        if (shell.left + shell.right == 0)
            continue;
        sc_integer_set_uint128(&whole, shell.weight);
        sc_ball_set_integer(&weight, &whole);
        add_cells(law, merge, shell.low, shell.left, &weight);
        add_cells(law, merge, shell.high, shell.right, &weight);
    }
    for (size_t i = 0; i < law->count; i++)
        sc_ball_add(&total, &total, &law->mass[i], SC_WEIGHT_SUM_BITS);
    for (size_t i = 0; i < law->count; i++)
        sc_ball_div(&law->mass[i], &law->mass[i], &total, bits);
}

static bool is_same_part(const sc_quantile_part *a, const sc_quantile_part *b)
{
    return a->first == b->first && a->last == b->last && a->below == b->below &&
           a->count == b->count;
}

static scrim_status find_node_law(listing *l, size_t node, scrim_error *error)
{
    node_law *law = &l->laws[node];
    const sc_quantile_part *part = &l->parts.parts[node];
    const uint64_t merge = merged(l->parts.plan, &l->parts.plan->nodes[node]);
    if (law->mass != NULL && is_same_part(&law->part, part))
        return SCRIM_OK;
    node_law_clear(law);
    SC_TRY(node_law_init(law, part, merge, error));
    if (part->first == part->last) {
        sc_ball_set_int64(&law->mass[0], 1);
        return SCRIM_OK;
    }
    sc_rank_field field;
    SC_TRY(sc_quantile_parts_field(&l->parts, node, &field, error));
    fill_node_law(law, merge, &field, l->bits);
    return SCRIM_OK;
}

static scrim_status add_outcome(listing *l, const sc_ball *mass, scrim_error *error)
{
    int64_t key[SC_QUANTILES_MAX];
    const size_t count = l->parts.plan->count;
    for (size_t i = 0; i < count; i++) {
        int64_t value = (int64_t)((uint64_t)l->parts.rows.low + l->parts.keys[i]);
        size_t j = i;
        for (; j > 0 && key[j - 1] > value; j--)
            key[j] = key[j - 1];
        key[j] = value;
    }
    return sc_outcomes_add(l->out, key, mass, error);
}

/* All outcomes from this node on, of which what came before has the mass so_far. */
static scrim_status list_from(listing *l, size_t node, const sc_ball *so_far,
                              scrim_error *error)
{
    if (node == l->parts.plan->count)
        return add_outcome(l, so_far, error);
    const uint64_t merge = merged(l->parts.plan, &l->parts.plan->nodes[node]);
    SC_OWN(sc_ball, mass);
    scrim_status status = find_node_law(l, node, error);
    const node_law *law = &l->laws[node];
    for (size_t i = 0; status == SCRIM_OK && i < law->count; i++) {
        sc_ball_mul(&mass, &law->mass[i], so_far, l->bits);
        sc_quantile_parts_answer(&l->parts, node, (law->first + i) * merge);
        status = list_from(l, node + 1, &mass, error);
    }
    return status;
}

scrim_status sc_quantile_law(const sc_quantile_plan *plan, const sc_order_rows *rows,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    listing l = {.bits = bits, .out = out};
    scrim_status status = check_ways(plan, error);
    if (status == SCRIM_OK)
        status = sc_quantile_parts_init(&l.parts, plan, rows, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    status = list_from(&l, 0, &one, error);
    if (status == SCRIM_OK)
        status = sc_outcomes_sort(out, bits, error);
    for (size_t i = 0; i < plan->count; i++)
        node_law_clear(&l.laws[i]);
    sc_quantile_parts_clear(&l.parts);
    return status;
}
