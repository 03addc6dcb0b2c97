#include "mechanism/selection/quantile_parts.h"

#include "base/memory.h"

scrim_status sc_quantile_parts_init(sc_quantile_parts *p, const sc_quantile_plan *plan,
                                    const sc_order_rows *rows, scrim_error *error)
{
    if (plan->is_by_order && rows->count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "neighbours",
                           "quantile: with neighbours=replace the number of rows is "
                           "public and must be at least 1");
    *p = (sc_quantile_parts){.plan = plan, .rows = *rows};
    for (size_t i = 0; i < plan->count; i++)
        p->parts[i] = (sc_quantile_part){.last = plan->cells - 1,
                                         .count = (uint64_t)rows->count * plan->parts};
    return sc_order_slice_init(&p->slice, plan->width, error);
}

void sc_quantile_parts_clear(sc_quantile_parts *p)
{
    sc_order_slice_clear(&p->slice);
    sc_wipe(p->parts, sizeof p->parts);
    sc_wipe(p->keys, sizeof p->keys);
}

scrim_status sc_quantile_parts_field(sc_quantile_parts *p, size_t node,
                                     sc_rank_field *out, scrim_error *error)
{
    const sc_quantile_node *n = &p->plan->nodes[node];
    const sc_quantile_part *part = &p->parts[node];
    uint64_t first, last;
    *out = (sc_rank_field){.first = part->first,
                           .last = part->last,
                           .parts = p->plan->parts,
                           .below = part->below,
                           .count = part->count,
                           .ladder = &n->ladder,
                           .slice = &p->slice};
    if (p->plan->is_by_order)
        sc_rank_field_set_order(out, n->numerator, n->denominator);
    else
        sc_rank_field_set_share(out, n->numerator, n->denominator);
    if (!sc_rank_field_rows(out, &first, &last))
        return SCRIM_OK;
    return sc_order_slice_find(&p->slice, &p->rows, first, last, error);
}

/* The items in cells up to one. */
static uint64_t items_upto(const sc_quantile_parts *p, uint64_t cell)
{
    const uint64_t parts = p->plan->parts, key = cell / parts;
    uint64_t below = 0, equal = 0;
    if (!sc_order_slice_locate(&p->slice, key, &below, &equal))
        sc_order_count(&p->rows, key, &below, &equal);
    return below * parts + equal * (cell % parts + 1);
}

void sc_quantile_parts_answer(sc_quantile_parts *p, size_t node, uint64_t cell)
{
    const sc_quantile_node *n = &p->plan->nodes[node];
    const sc_quantile_part *part = &p->parts[node];
    p->keys[n->index] = cell / p->plan->parts;
    if (n->left == SC_QUANTILE_NONE && n->right == SC_QUANTILE_NONE)
        return;
    const bool is_last = cell == part->last;
    const uint64_t upto = is_last ? part->below + part->count : items_upto(p, cell);
    const sc_quantile_part left = {.first = part->first,
                                   .last = cell,
                                   .below = part->below,
                                   .count = upto - part->below};
    const sc_quantile_part right = {.first = is_last ? cell : cell + 1,
                                    .last = part->last,
                                    .below = upto,
                                    .count = part->below + part->count - upto};
    if (n->left != SC_QUANTILE_NONE)
        p->parts[n->left] = left;
    if (n->right != SC_QUANTILE_NONE)
        p->parts[n->right] = right;
}

/* Answers of a split plan need not increase; in that order they are no less near. */
static void sort_keys(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && keys[j - 1] > keys[j]; j--) {
            uint64_t key = keys[j];
            keys[j] = keys[j - 1];
            keys[j - 1] = key;
        }
}

static scrim_status draw_node(sc_quantile_parts *p, sc_bits *bits, size_t node,
                              scrim_error *error)
{
    uint64_t cell = p->parts[node].first;
    scrim_status status = SCRIM_OK;
    if (p->parts[node].last > cell) { /* of a single cell there is nothing to draw */
        sc_rank_field field;
        status = sc_quantile_parts_field(p, node, &field, error);
        if (status == SCRIM_OK)
            status = sc_rank_field_draw(bits, &field, &cell, error);
    }
    if (status == SCRIM_OK)
        sc_quantile_parts_answer(p, node, cell);
    return status;
}

scrim_status sc_quantile_parts_draw(sc_quantile_parts *p, sc_bits *bits,
                                    scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < p->plan->count; i++)
        status = draw_node(p, bits, i, error);
    sort_keys(p->keys, p->plan->count);
    return status;
}
