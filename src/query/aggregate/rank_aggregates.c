/* MEDIAN(x) and QUANTILE(x, p): the quantile of 1/2 is the median, however it is written. */
#include "query/aggregate/aggregates.h"
#include "query/estimate/estimate.h"
#include "query/language/select_list.h"
#include "query/language/typed.h"
#include "query/plan/division.h"
#include "query/plan/plan_measure.h"

#define QUANTILES 64

static scrim_status read_p(sc_typing *typing, const sc_node *node, sc_value_step *out)
{
    sc_extent p;
    const scrim_status status =
        sc_typed_constant(typing, node, "the second part of QUANTILE(x, p)", &p);
    if (status != SCRIM_OK)
        return status;
    if (p.low <= 0 || !sc_extent_constant_step(&p, out) ||
        out->numerator >= out->denominator)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "the p of QUANTILE(x, p) must be between 0 and 1, as in QUANTILE(x, 0.9)");
    return SCRIM_OK;
}

static scrim_status read_quantiles(sc_typing *typing, const sc_node *node,
                                   const sc_call_form *form, sc_query_aggregate *out,
                                   size_t *count)
{
    const sc_value_step half = {1, 2};
    const sc_typed *value;
    scrim_status status = sc_typed_row(typing, node->list[0], &value);
    if (status == SCRIM_OK && !sc_type_is_time(value->type) &&
        value->type != SC_TYPE_RUNG)
        status = sc_typing_check_number(typing, node->list[0], form->name, value);
    if (status == SCRIM_OK)
        status = sc_typing_check_varies(typing, node->list[0], value);
    if (status == SCRIM_OK && value->type == SC_TYPE_RUNG && value->texts != NULL)
        return sc_refuse(typing->refusal, node->list[0]->span, SCRIM_E_PARAM,
                         "a LADDER with listed rungs is for GROUP BY; %s takes LADDER(x)",
                         form->name);
    *count = node->count > 1 ? node->count - 1 : 1;
    for (size_t i = 0; status == SCRIM_OK && i < *count; i++) {
        out[i] = (sc_query_aggregate){.value = value, .p = half};
        if (node->count > 1)
            status = read_p(typing, node->list[i + 1], &out[i].p);
        out[i].kind =
            sc_step_equal(out[i].p, half) ? &sc_aggregate_median : &sc_aggregate_quantile;
        for (size_t j = 0; status == SCRIM_OK && j < i; j++)
            if (sc_step_equal(out[i].p, out[j].p))
                return sc_refuse(typing->refusal, node->list[i + 1]->span, SCRIM_E_PARAM,
                                 "duplicate quantile; name it once");
    }
    return status;
}

/* How often it can be halved: how deep a recursion goes. */
static unsigned bits_of(uint64_t x)
{
    unsigned bits = 0;
    for (; x > 0; x >>= 1)
        bits++;
    return bits;
}

/* At most as many as there are rings, and few of them. */
static uint64_t root_of(uint64_t x)
{
    uint64_t root = 0;
    while ((root + 1) * (root + 1) <= x)
        root++;
    return root;
}

/* In tenths of a row, for the median: of the draw 2 r / epsilon ln(1 / 0.05) half rows, over the copies
 * and the depth; of the rings half of 2 root 2 root(rings) scales. */
static void weigh_quantile(const sc_weighing *w)
{
    const sc_reach reach = sc_plan_reach(w->statement, w->plan->neighbours);
    const sc_charged_rows charged = sc_sensitivity_rows(&reach);
    const sc_group_statistic *list = w->statement->statistics.list;
    sc_weigh(w, w->use->quantiles,
             (sc_uint128)30 * charged.copies * charged.rows *
                 bits_of(list[w->use->quantiles].count));
    sc_weigh(w, w->use->around,
             (sc_uint128)14 * root_of(list[w->use->around].count) *
                 sc_weigh_reach(w, w->use->around));
}

#define RANK                                                                             \
    .reads = SC_READS_RANKS, .span = SC_SPAN_VALUE, .read = read_quantiles,              \
    .weigh = weigh_quantile, .numbers = &sc_quantile_rule

const sc_aggregate sc_aggregate_median = {
    .name = "MEDIAN",
    .forms = {{"MEDIAN", 1, 1, "MEDIAN(x)", NULL}},
    RANK,
};

const sc_aggregate sc_aggregate_quantile = {
    .name = "QUANTILE",
    .forms = {{"QUANTILE", 2, 1 + QUANTILES, "QUANTILE(x, p)", "quantiles of one value"}},
    RANK,
};
