/* COUNT(*) and COUNT(DISTINCT unit). */
#include "query/aggregate/aggregates.h"
#include "query/estimate/estimate.h"
#include "query/language/refusal.h"
#include "query/language/typing.h"
#include "query/plan/division.h"
#include "query/plan/plan_select.h"

static scrim_status read_count(sc_typing *typing, const sc_node *node,
                               const sc_call_form *form, sc_query_aggregate *out,
                               size_t *count)
{
    const sc_text unit = typing->schema->unit;
    const sc_node *argument = node->list[0];
    char quote[SC_TEXT_QUOTE_BYTES];
    (void)form;
    (void)count;
    if (argument->kind == SC_NODE_STAR)
        return SCRIM_OK;
    if (!node->distinct)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "write COUNT(*): no value is NULL, so that every row counts");
    if (unit.bytes == 0)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "each row is a person of its own here; write COUNT(*)");
    if (argument->kind != SC_NODE_NAME || !sc_text_equal(argument->text, unit))
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_POLICY,
            "distinct values are not counted; COUNT(DISTINCT %s) counts "
            "people, and SELECT x, COUNT(*) GROUP BY x finds the values of x",
            sc_text_quote(unit, quote));
    out->kind = &sc_aggregate_count_units;
    return SCRIM_OK;
}

/* Units that the selection of keys shows have no part of their own. */
static void weigh_counts(const sc_weighing *w)
{
    const size_t counts =
        w->use->units != SC_STATISTIC_NONE ? w->use->units : w->use->rows;
    const bool is_shown =
        w->statement->statistics.list[counts].kind == SC_STATISTIC_UNITS &&
        sc_plan_select_shows(w->statement);
    sc_weigh(w, is_shown ? SC_STATISTIC_NONE : counts, 1);
}

const sc_aggregate sc_aggregate_count = {
    .name = "COUNT",
    .forms = {{"COUNT", 1, 1, "COUNT(*) or COUNT(DISTINCT unit)", NULL}},
    .reads = SC_READS_ROWS,
    .takes_distinct = true,
    .takes_range = true,
    .read = read_count,
    .weigh = weigh_counts,
    .numbers = &sc_rows_rule,
};

const sc_aggregate sc_aggregate_count_units = {
    .name = "COUNT DISTINCT",
    .reads = SC_READS_UNITS,
    .read = read_count,
    .weigh = weigh_counts,
    .numbers = &sc_units_rule,
};
