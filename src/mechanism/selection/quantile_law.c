#include "mechanism/selection/quantile_law.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/number/ball.h"

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

/* The field of a node, whose bounds are answered. It borrows the slice, so there is one at a
 * time. */
static scrim_status parts_field(sc_quantile_parts *p, size_t node, sc_rank_field *out,
                                scrim_error *error)
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

/* Takes a cell of its part for the node's answer. */
static void parts_answer(sc_quantile_parts *p, size_t node, uint64_t cell)
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
        status = parts_field(p, node, &field, error);
        if (status == SCRIM_OK)
            status = sc_rank_field_draw(bits, &field, &cell, error);
    }
    if (status == SCRIM_OK)
        parts_answer(p, node, cell);
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
    SC_TRY(parts_field(&l->parts, node, &field, error));
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
        parts_answer(&l->parts, node, (law->first + i) * merge);
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

/* The number of multisets of `rows` rows on `points` points: C(rows + points - 1, rows); 2^40 and more is
 * told as 2^40. */
static uint64_t multisets(size_t rows, size_t points)
{
    const uint64_t many = (uint64_t)1 << 40;
    uint64_t count = 1;
    for (size_t i = 1; i < points; i++) {
        count = count * (rows + i) / i; /* C(rows + i, i) at each step */
        if (count > many)
            return many;
    }
    return count;
}

/* Units that x and y may have: one alone under add-remove, two that differ under replace. */
static uint64_t units_on(const sc_quantile_family *f, size_t points)
{
    uint64_t units = multisets(f->unit, points);
    if (f->neighbours != SCRIM_REPLACE || units > SC_QUANTILE_PAIRS_MAX)
        return units;
    return units * (units - 1) / 2;
}

/* As many points as there are, and fewer where units of many rows would make too many pairs. */
static size_t points_of(const sc_quantile_family *f)
{
    uint64_t largest = (uint64_t)f->high - (uint64_t)f->low;
    size_t points =
        largest < SC_QUANTILE_POINTS ? (size_t)largest + 1 : SC_QUANTILE_POINTS;
    while (points > 2 && units_on(f, points) > SC_QUANTILE_PAIRS_MAX / 10)
        points--;
    return points;
}

static int64_t point_at(const sc_quantile_family *f, size_t i)
{
    if (i == 0)
        return f->low;
    uint64_t largest = (uint64_t)f->high - (uint64_t)f->low;
    uint64_t place = (uint64_t)((sc_uint128)largest * i / (points_of(f) - 1));
    return (int64_t)((uint64_t)f->low + place);
}

/* The multiset of a number, from the largest rows down: of those with the largest row at point
 * v there are as many as multisets of one row less on the points up to v. */
static void list_multiset(const sc_quantile_family *f, size_t rows, uint64_t number,
                          int64_t *out)
{
    size_t points = points_of(f);
    for (size_t i = rows; i > 0; i--) {
        size_t v = 0;
        while (v + 1 < points && number >= multisets(i - 1, v + 1))
            number -= multisets(i - 1, ++v);
        out[i - 1] = point_at(f, v);
        points = v + 1;
    }
}

static uint64_t unit_pairs(const sc_quantile_family *f)
{
    return units_on(f, points_of(f));
}

static uint64_t pairs_with(const sc_quantile_family *f, size_t common)
{
    uint64_t tables = multisets(common, points_of(f)), units = unit_pairs(f);
    return tables > SC_QUANTILE_PAIRS_MAX || units > SC_QUANTILE_PAIRS_MAX
               ? (uint64_t)SC_QUANTILE_PAIRS_MAX * SC_QUANTILE_PAIRS_MAX
               : tables * units;
}

size_t sc_quantile_pair_count(const sc_quantile_family *f)
{
    const size_t most = f->rows - f->unit;
    uint64_t count = 0;
    for (size_t common = 0; common <= most; common++) {
        uint64_t more = count + pairs_with(f, common);
        if (more > SC_QUANTILE_PAIRS_MAX)
            break;
        count = more;
    }
    return (size_t)count;
}

/* Two different numbers below units, from the place of the pair. */
static void two_units(uint64_t place, uint64_t *a, uint64_t *b)
{
    *b = 1;
    while (place >= *b)
        place -= (*b)++;
    *a = place;
}

void sc_quantile_pair(const sc_quantile_family *f, size_t index, sc_pair *out)
{
    size_t common = 0;
    uint64_t place = index;
    while (place >= pairs_with(f, common))
        place -= pairs_with(f, common++);
    const uint64_t units = unit_pairs(f);
    list_multiset(f, common, place / units, out->x);
    list_multiset(f, common, place / units, out->y);
    out->x_count = out->y_count = common;
    if (f->neighbours == SCRIM_REPLACE) {
        uint64_t a, b;
        two_units(place % units, &a, &b);
        list_multiset(f, f->unit, a, out->x + common);
        list_multiset(f, f->unit, b, out->y + common);
        out->x_count += f->unit;
    } else {
        list_multiset(f, f->unit, place % units, out->y + common);
    }
    out->y_count += f->unit;
}

/* Releases of one epsilon each, fixed in number and of bounded range: delta as of any pure
 * ones, Renyi divergences as of bounded range. */
static void composed_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                           sc_ball *out)
{
    SC_OWN(sc_curve, pure);
    sc_curve_set_composed(&pure, &curve->epsilon, curve->count);
    sc_curve_delta_upper(&pure, epsilon, bits, out);
}

static void composed_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                           sc_ball *out)
{
    SC_OWN(sc_curve, one);
    sc_curve_set_bounded_range(&one, &curve->epsilon);
    sc_curve_renyi_upper(&one, order, bits, out);
    sc_ball_mul_int64(out, out, (int64_t)curve->count, bits);
}

static const sc_curve_functions composed_range = {
    .name = "composed bounded-range", .delta = composed_delta, .renyi = composed_renyi};

void sc_composed_range_cost(sc_exact_cost *out, const sc_ratio *epsilon,
                            const sc_ratio *each, uint64_t releases)
{
    sc_cost_set_bounded_range(out, epsilon);
    if (releases == 1)
        return;
    SC_OWN(sc_ratio, count);
    sc_ratio_set_int64(&count, (int64_t)releases);
    sc_ratio_div(&out->rho, &out->rho, &count);
    sc_cost_round_up(&out->rho, &out->rho);
    sc_ratio_set(&out->curve.epsilon, each);
    out->curve.count = releases;
    out->curve.functions = &composed_range;
}
