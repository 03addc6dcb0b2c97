#include "query/plan/plan_model.h"

#include "mechanism/linear/counter.h"

uint64_t sc_plan_levels(const scrim_plan *plan)
{
    return plan->series.running == 0 ? 1 : sc_counter_levels(plan->series.running);
}

bool sc_plan_is_sum(const scrim_plan *plan, size_t statement)
{
    return plan->source != 0 && plan->source != statement + 1;
}

const sc_planned_statement *sc_plan_source(const scrim_plan *plan)
{
    return plan->unreleased != NULL ? plan->unreleased
                                    : &plan->statements[plan->source - 1];
}

sc_text sc_plan_text(const scrim_plan *plan, size_t statement)
{
    return plan->series.running == 0 ? plan->statements[statement].query->canonical
                                     : plan->series.total;
}

bool sc_plan_rows_are_units(const sc_schema *schema, sc_plan_keys keys)
{
    return keys == SC_PLAN_DISCOVERED &&
           (schema->unit.bytes == 0 || schema->max_rows == 1);
}

const sc_schema *sc_plan_schema_of(const scrim_plan *plan,
                                   const sc_query_aggregate *aggregate)
{
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_query *query = plan->statements[i].query;
        for (size_t j = 0; j < query->aggregate_count; j++)
            if (&query->aggregates[j] == aggregate)
                return query->schema;
    }
    return plan->schema;
}

size_t sc_plan_part_of(const sc_planned_statement *statement, size_t statistic)
{
    for (size_t i = 0; i < statement->part_count; i++)
        if (statement->parts[i].statistic == statistic)
            return i;
    return SC_STATISTIC_NONE;
}
