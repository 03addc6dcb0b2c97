/* COUNT(*), COUNT(x), COUNT(DISTINCT unit) and COUNT(DISTINCT x). */
#include "query/aggregate/aggregates.h"
#include "query/estimate/estimate.h"
#include "query/language/refusal.h"
#include "query/language/typed.h"
#include "query/plan/division.h"
#include "query/plan/plan_select.h"

static scrim_status refuse_null(const sc_typing *typing, const sc_node *node)
{
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "this is NULL in every row; leave it out");
}

/* COUNT(x) counts the rows in which x is present: all of them where it is never NULL. */
static scrim_status read_present(sc_typing *typing, const sc_node *node,
                                 const sc_typed **out)
{
    const sc_typed one = {
        .operation = SC_OP_PRESENT, .type = SC_TYPE_NUMBER, .extent = {1, 1, {1, 1}}};
    const sc_typed *value;
    const scrim_status status = sc_typed_row(typing, node, &value);
    if (status != SCRIM_OK || !value->is_nullable)
        return status;
    if (sc_typed_is_null(value))
        return refuse_null(typing, node);
    return sc_typing_operation(typing, one, value, NULL, out);
}

/* COUNT(DISTINCT x) counts values, of any type that GROUP BY takes. */
static scrim_status read_values(sc_typing *typing, const sc_node *node,
                                sc_query_aggregate *out)
{
    const sc_typed *value;
    SC_TRY(sc_typed_row(typing, node, &value));
    if (sc_typed_is_null(value))
        return refuse_null(typing, node);
    SC_TRY(sc_typing_check_varies(typing, node, value));
    out->kind = &sc_aggregate_count_values;
    out->present = value;
    return SCRIM_OK;
}

static bool is_unit(const sc_typing *typing, const sc_node *node)
{
    const sc_text unit = typing->schema->unit;
    return unit.bytes > 0 && node->kind == SC_NODE_NAME && node->table.bytes == 0 &&
           sc_text_equal(node->text, unit);
}

static scrim_status read_count(sc_typing *typing, const sc_node *node,
                               const sc_call_form *form, sc_query_aggregate *out,
                               size_t *count)
{
    const sc_node *argument = node->list[0];
    (void)form;
    (void)count;
    if (argument->kind == SC_NODE_STAR)
        return SCRIM_OK;
    if (!node->distinct)
        return read_present(typing, argument, &out->present);
    if (!is_unit(typing, argument))
        return read_values(typing, argument, out);
    out->kind = &sc_aggregate_count_units;
    return SCRIM_OK;
}

/* Units that the selection of keys shows have no part of their own. */
static void weigh_counts(const sc_weighing *w)
{
    const size_t counts =
        w->use->units != SC_STATISTIC_NONE ? w->use->units : w->use->rows;
    const bool is_shown = sc_statistic_is_units(&w->statement->statistics.list[counts]) &&
                          sc_plan_select_shows(w->statement);
    sc_weigh(w, is_shown ? SC_STATISTIC_NONE : counts, 1);
}

const sc_aggregate sc_aggregate_count = {
    .name = "COUNT",
    .forms = {{"COUNT", 1, 1,
               "COUNT(*), COUNT(x), COUNT(DISTINCT unit) or COUNT(DISTINCT x)", NULL}},
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

const sc_aggregate sc_aggregate_count_values = {
    .name = "COUNT DISTINCT x",
    .reads = SC_READS_VALUES,
    .note = "of all values there are at least as many as the lower end says",
    .read = read_count,
    .weigh = weigh_counts,
    .numbers = &sc_rows_rule,
};
