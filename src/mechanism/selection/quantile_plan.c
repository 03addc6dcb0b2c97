#include "mechanism/selection/quantile_plan.h"

#include "mechanism/selection/rank_shells.h"

/* The most bits of the numerator and denominator of p: a product with a rank fits 128. */
#define P_BITS 62

/* Predictions may fail in one of this many cases. */
#define LIKELY_ODDS 20
/* A recursive plan has 64 cells a step, all of them below 2^62. */
#define RECURSIVE_BITS 56

/* A plan in the making. */
typedef struct draft {
    const sc_quantile_question *question;
    sc_quantile_plan plan;
    sc_ratio steps[SC_QUANTILES_MAX]; /* of the ladders */
    uint64_t tops[SC_QUANTILES_MAX];
    uint64_t likely[SC_QUANTILES_MAX]; /* levels that suffice 19 times out of 20 */
    size_t depth;
} draft;

static void set_uint64(sc_ratio *out, uint64_t value)
{
    SC_OWN(sc_integer, whole, one);
    sc_integer_set_uint128(&whole, value);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_fraction(out, &whole, &one);
}

static void mul_uint64(sc_ratio *out, uint64_t factor)
{
    SC_OWN(sc_ratio, value);
    set_uint64(&value, factor);
    sc_ratio_mul(out, out, &value);
}

static void div_uint64(sc_ratio *out, uint64_t divisor)
{
    SC_OWN(sc_ratio, value);
    set_uint64(&value, divisor);
    sc_ratio_div(out, out, &value);
}

static void set_fraction(sc_ratio *out, uint64_t numerator, uint64_t denominator)
{
    set_uint64(out, numerator);
    div_uint64(out, denominator);
}

/* The tree. */

/* The p that a node has, or the end of the range where there is no node. */
static void bound_of(const draft *d, size_t node, int64_t otherwise, sc_ratio *out)
{
    if (node == SC_QUANTILE_NONE)
        sc_ratio_set_int64(out, otherwise);
    else
        sc_ratio_set(out, &d->question->p[d->plan.nodes[node].index]);
}

/* The share of a node among the items between its bounds: (p - lower)/(upper - lower). */
static bool set_share(draft *d, sc_quantile_node *node)
{
    SC_OWN(sc_ratio, lower, upper, share);
    SC_OWN(sc_integer, part);
    bound_of(d, node->lower, 0, &lower);
    bound_of(d, node->upper, 1, &upper);
    sc_ratio_sub(&upper, &upper, &lower);
    sc_ratio_sub(&share, &d->question->p[node->index], &lower);
    sc_ratio_div(&share, &share, &upper);
    sc_ratio_numerator(&share, &part);
    bool fits = sc_integer_get_uint64(&part, &node->numerator);
    sc_ratio_denominator(&share, &part);
    return fits && sc_integer_bits(&part) <= P_BITS &&
           sc_integer_get_uint64(&part, &node->denominator);
}

static scrim_status p_limit(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT,
                   "p: it has more than %d bits in its numerator or denominator", P_BITS);
}

/* The nodes of the quantiles from .. to-1, at a depth from 1 on. */
static scrim_status plant(draft *d, size_t from, size_t to, size_t depth, size_t lower,
                          size_t upper, size_t *root, scrim_error *error)
{
    *root = SC_QUANTILE_NONE;
    if (from == to)
        return SCRIM_OK;
    const size_t middle = from + (to - from) / 2, at = d->plan.count++;
    sc_quantile_node *node = &d->plan.nodes[at];
    *node = (sc_quantile_node){.index = middle, .lower = lower, .upper = upper};
    if (!set_share(d, node))
        return p_limit(error);
    d->depth = d->depth < depth ? depth : d->depth;
    scrim_status status =
        plant(d, from, middle, depth + 1, lower, at, &node->left, error);
    if (status == SCRIM_OK)
        status = plant(d, middle + 1, to, depth + 1, at, upper, &node->right, error);
    *root = at;
    return status;
}

static scrim_status list_alone(draft *d, scrim_error *error)
{
    for (size_t i = 0; i < d->question->count; i++) {
        sc_quantile_node *node = &d->plan.nodes[i];
        *node = (sc_quantile_node){.index = i,
                                   .lower = SC_QUANTILE_NONE,
                                   .upper = SC_QUANTILE_NONE,
                                   .left = SC_QUANTILE_NONE,
                                   .right = SC_QUANTILE_NONE};
        if (!set_share(d, node))
            return p_limit(error);
    }
    d->plan.count = d->question->count;
    return SCRIM_OK;
}

/* The ladders. */

/* How much a node's score moves, in its own unit of 1/denominator of an item, when one unit's
 * rows change (quantile.md, lemmas 1 and 2). */
static void sensitivity_of(const draft *d, const sc_quantile_node *node, sc_ratio *out)
{
    const sc_quantile_question *q = d->question;
    const uint64_t n = node->numerator, rest = node->denominator - node->numerator;
    if (d->plan.is_by_order) {
        sc_ratio_set_int64(out, 1);
        return;
    }
    if (q->neighbours == SCRIM_ADD_REMOVE || d->plan.is_recursive)
        set_uint64(out, n > rest ? n : rest);
    else
        set_uint64(out, node->denominator);
    if (q->neighbours == SCRIM_REPLACE && d->plan.is_recursive)
        mul_uint64(out, 2); /* what leaves one side may enter another */
    mul_uint64(out, d->plan.parts);
    mul_uint64(out, q->rows);
}

/* 1/(odds * quantiles * cells): what the weight of a level is to that of level 0 when all cells
 * beyond it, of all quantiles, have together a probability of at most 1/odds. */
static void least_weight(const draft *d, uint64_t odds, sc_ratio *out)
{
    sc_ratio_set_int64(out, 1);
    div_uint64(out, odds);
    div_uint64(out, d->question->count);
    div_uint64(out, d->plan.cells);
}

static void set_steps(draft *d)
{
    sc_ratio_set(&d->plan.share, d->question->epsilon);
    div_uint64(&d->plan.share, d->plan.releases);
    for (size_t i = 0; i < d->plan.count; i++) {
        sensitivity_of(d, &d->plan.nodes[i], &d->steps[i]);
        mul_uint64(&d->steps[i], 2);
        sc_ratio_div(&d->steps[i], &d->plan.share, &d->steps[i]);
    }
}

static scrim_status set_tops(draft *d, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, least, likely);
    set_steps(d);
    least_weight(d, (uint64_t)1 << SC_QUANTILE_BETA_BITS, &least);
    least_weight(d, LIKELY_ODDS, &likely);
    for (size_t i = 0; status == SCRIM_OK && i < d->plan.count; i++) {
        status = sc_ladder_top(&d->steps[i], &least, &d->tops[i], NULL);
        if (status == SCRIM_OK)
            status = sc_ladder_top(&d->steps[i], &likely, &d->likely[i], NULL);
    }
    if (status == SCRIM_E_LIMIT)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "epsilon: a quantile's score would have more than %llu levels; "
                       "choose a larger epsilon, a p with a smaller denominator, or "
                       "fewer quantiles",
                       (unsigned long long)SC_LADDER_TOP_MAX);
    return status == SCRIM_OK ? SCRIM_OK
                              : sc_fail(error, status, "a ladder cannot be built");
}

static scrim_status build_ladders(draft *d, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < d->plan.count; i++) {
        sc_quantile_node *node = &d->plan.nodes[i];
        uint64_t denominator = d->plan.is_by_order ? 1 : node->denominator;
        size_t width = sc_rank_field_width(d->tops[i], denominator, d->plan.parts);
        d->plan.width = d->plan.width < width ? width : d->plan.width;
        status = sc_ladder_init(&node->ladder, &d->steps[i], d->tops[i], error);
    }
    return status;
}

/* The error. */

/* The number of rows that a score of `levels` levels stands for. */
static void rows_of(const sc_quantile_plan *plan, const sc_quantile_node *node,
                    uint64_t levels, sc_ratio *out)
{
    set_uint64(out, levels);
    if (!plan->is_by_order)
        div_uint64(out, node->denominator);
    div_uint64(out, plan->parts);
}

/* error = (1 - p') error(lower) + p' error(upper) + own, where the ends of the range have no
 * error; the largest over all nodes (quantile.md, lemma 4). levels are those of each node. */
static void largest_error(const sc_quantile_plan *plan, const uint64_t *levels,
                          sc_ratio *out)
{
    sc_ratio errors[SC_QUANTILES_MAX], weight, part;
    sc_ratio_init(&weight);
    sc_ratio_init(&part);
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < plan->count; i++) {
        const sc_quantile_node *node = &plan->nodes[i];
        sc_ratio_init(&errors[i]);
        rows_of(plan, node, levels[i], &errors[i]);
        if (node->lower != SC_QUANTILE_NONE) {
            set_fraction(&weight, node->denominator - node->numerator, node->denominator);
            sc_ratio_mul(&part, &weight, &errors[node->lower]);
            sc_ratio_add(&errors[i], &errors[i], &part);
        }
        if (node->upper != SC_QUANTILE_NONE) {
            set_fraction(&weight, node->numerator, node->denominator);
            sc_ratio_mul(&part, &weight, &errors[node->upper]);
            sc_ratio_add(&errors[i], &errors[i], &part);
        }
        if (sc_ratio_compare(&errors[i], out) > 0)
            sc_ratio_set(out, &errors[i]);
    }
    for (size_t i = 0; i < plan->count; i++)
        sc_ratio_clear(&errors[i]);
    sc_ratio_clear(&part);
    sc_ratio_clear(&weight);
}

/* The largest weight of every other cell, so that together they have at most beta/quantiles
 * of the weight of one cell on rung 0. */
static sc_uint128 weight_limit(const sc_quantile_plan *plan, const sc_ladder *ladder,
                               const sc_ratio *beta)
{
    sc_uint128 out = 0;
    SC_OWN(sc_ratio, limit);
    SC_OWN(sc_integer, whole, one);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_uint128(&whole, ladder->highest);
    sc_ratio_set_fraction(&limit, &whole, &one);
    sc_ratio_mul(&limit, &limit, beta);
    div_uint64(&limit, plan->count);
    div_uint64(&limit, plan->cells - 1);
    sc_ratio_floor(&limit, &whole);
    (void)sc_integer_get_uint128(&whole, &out); /* it is below highest */
    return out;
}

bool sc_quantile_plan_radius_upper(const sc_quantile_plan *plan, const sc_ratio *beta,
                                   sc_ratio *out)
{
    uint64_t levels[SC_QUANTILES_MAX];
    for (size_t i = 0; i < plan->count; i++) {
        const sc_ladder *ladder = &plan->nodes[i].ladder;
        /* The score is below the first rung that is as light as that. */
        uint64_t rung = sc_ladder_rung(ladder, weight_limit(plan, ladder, beta));
        if (rung > ladder->top)
            return false;
        levels[i] = rung == 0 ? 0 : rung - 1;
    }
    largest_error(plan, levels, out);
    return true;
}

/* Making a plan. */

static void draft_init(draft *d, const sc_quantile_question *question)
{
    *d = (draft){.question = question};
    sc_ratio_init(&d->plan.share);
    for (size_t i = 0; i < SC_QUANTILES_MAX; i++)
        sc_ratio_init(&d->steps[i]);
}

static void draft_clear(draft *d)
{
    for (size_t i = 0; i < SC_QUANTILES_MAX; i++)
        sc_ratio_clear(&d->steps[i]);
    sc_ratio_clear(&d->plan.share);
}

static scrim_status draft_split(draft *d, scrim_error *error)
{
    const sc_quantile_question *q = d->question;
    d->plan.is_by_order = q->neighbours == SCRIM_REPLACE && q->rows == 1;
    d->plan.parts = 1;
    d->plan.cells = q->largest + 1;
    d->plan.releases = q->count;
    scrim_status status = list_alone(d, error);
    return status == SCRIM_OK ? set_tops(d, error) : status;
}

static scrim_status draft_recursive(draft *d, scrim_error *error)
{
    const sc_quantile_question *q = d->question;
    size_t root;
    if (q->largest >= (uint64_t)1 << RECURSIVE_BITS)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "form: a recursive plan has room for ranges below 7.2e16 steps; "
                       "choose a coarser grid, or form=split");
    d->plan.is_recursive = true;
    d->plan.parts = SC_QUANTILE_PARTS;
    d->plan.cells = (q->largest + 1) * SC_QUANTILE_PARTS;
    scrim_status status =
        plant(d, 0, q->count, 1, SC_QUANTILE_NONE, SC_QUANTILE_NONE, &root, error);
    d->plan.releases = d->depth;
    return status == SCRIM_OK ? set_tops(d, error) : status;
}

/* Is the recursive plan predicted to be the better one? */
static bool is_better(const draft *recursive, const draft *split)
{
    SC_OWN(sc_ratio, a, b);
    largest_error(&recursive->plan, recursive->likely, &a);
    largest_error(&split->plan, split->likely, &b);
    return sc_ratio_compare(&a, &b) < 0;
}

static scrim_status finish(draft *d, sc_quantile_plan *plan, scrim_error *error)
{
    scrim_status status = build_ladders(d, error);
    if (status != SCRIM_OK)
        return status;
    *plan = d->plan;
    sc_ratio_init(&plan->share);
    sc_ratio_set(&plan->share, &d->plan.share);
    return SCRIM_OK;
}

static scrim_status check_order(const sc_quantile_question *q, scrim_error *error)
{
    for (size_t i = 1; i < q->count; i++)
        if (sc_ratio_compare(&q->p[i - 1], &q->p[i]) >= 0)
            return sc_fail_parameter(
                error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "p",
                "give several quantiles in increasing order, each once");
    return SCRIM_OK;
}

scrim_status sc_quantile_plan_init(sc_quantile_plan *plan, const sc_quantile_question *q,
                                   scrim_error *error)
{
    draft split, recursive;
    scrim_status status = check_order(q, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_one = q->count == 1;
    draft_init(&split, q);
    draft_init(&recursive, q);
    scrim_status by_split = SCRIM_E_LIMIT, by_recursion = SCRIM_E_LIMIT;
    if (q->form != SC_QUANTILE_RECURSIVE || is_one)
        by_split = draft_split(&split, error);
    if (q->form != SC_QUANTILE_SPLIT && !is_one)
        by_recursion = draft_recursive(&recursive, by_split == SCRIM_OK ? NULL : error);
    if (by_recursion == SCRIM_OK &&
        (by_split != SCRIM_OK || is_better(&recursive, &split)))
        status = finish(&recursive, plan, error);
    else if (by_split == SCRIM_OK)
        status = finish(&split, plan, error);
    else
        status = is_one || q->form == SC_QUANTILE_SPLIT ? by_split : by_recursion;
    draft_clear(&recursive);
    draft_clear(&split);
    return status;
}

void sc_quantile_plan_clear(sc_quantile_plan *plan)
{
    sc_ratio_clear(&plan->share);
}
