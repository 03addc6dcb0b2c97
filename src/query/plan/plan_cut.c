#include "query/plan/plan_cut.h"

#include "query/plan/auto_bounds.h"
#include "query/plan/kept_words.h"

/* Can a unit be in a group that contribution bounds leave out? */
static bool can_lose_groups(const sc_planned_statement *s)
{
    const uint64_t groups = sc_plan_groups(s->keys_kind, s->key_count);
    return groups != 1 && (groups == 0 || s->bounds.groups < groups || s->said.total > 0);
}

/* Everything here is declared or asked for: whether people are counted does not depend on rows. */
static sc_cut_kind cut_kind(const scrim_plan *plan, const sc_planned_statement *s,
                            bool has_totals)
{
    const sc_query *query = s->query;
    if (query->schema->unit.bytes == 0 || query->person != NULL ||
        (plan->has_single_rows && query->unnest == NULL))
        return SC_CUT_NOTHING;
    if (sc_query_counts_rows(query, &s->statistics))
        return SC_CUT_ROWS;
    return has_totals || can_lose_groups(s) ? SC_CUT_GROUPS : SC_CUT_NOTHING;
}

/* The ladder by which a question finds its total tells how many people were cut. */
static bool tells_ladder(const scrim_plan *plan, const sc_planned_statement *s)
{
    return (plan->is_found || sc_plan_finds(plan, s)) &&
           sc_auto_tells_cut(s->query, &s->statistics, &s->said);
}

/* All sets count the rows of the source: one of them, or the first where it is not released, counts who is cut there. */
static void set_of_sets(const scrim_plan *plan, sc_planned_statement *statements)
{
    const sc_planned_statement *source = sc_plan_source(plan);
    const size_t place = plan->unreleased != NULL ? 0 : plan->source - 1;
    statements[place].cut =
        sc_cut_plan_of(cut_kind(plan, source, false), false, source->bounds.total);
}

/* Counts that are sums of one another have the rows of their source, running totals those of several releases. */
void sc_plan_cut_set(const scrim_plan *plan, sc_planned_statement *statements)
{
    const sc_plan_options *options = &plan->options;
    if (sc_ratio_sign(&options->cut_share) == 0 || plan->series.running > 0)
        return;
    if (plan->has_sets)
        set_of_sets(plan, statements);
    if (plan->source > 0)
        return;
    for (size_t i = 0; i < plan->statement_count; i++) {
        sc_planned_statement *s = &statements[i];
        bool has_totals = false;
        if (tells_ladder(plan, s))
            continue;
        for (size_t k = 0; k < s->statistics.count; k++)
            has_totals |= s->statistics.list[k].kind == SC_STATISTIC_TOTAL;
        s->cut =
            sc_cut_plan_of(cut_kind(plan, s, has_totals), has_totals, s->bounds.total);
    }
}

bool sc_plan_cut_is_counted(const sc_planned_statement *statement)
{
    return statement->cut.kind != SC_CUT_NOTHING;
}

bool sc_plan_cut_is_any(const scrim_plan *plan)
{
    for (size_t i = 0; i < plan->statement_count; i++)
        if (sc_plan_cut_is_counted(&plan->statements[i]))
            return true;
    return false;
}

void sc_plan_cut_share(const scrim_plan *plan, size_t statement, sc_ratio *out)
{
    const sc_plan_options *options = &plan->options;
    uint64_t own = 1, all = options->share_count > 0 ? 0 : plan->statement_count;
    sc_ratio_set_int64(out, 0);
    if (!sc_plan_cut_is_counted(&plan->statements[statement]))
        return;
    if (plan->has_sets) {
        sc_ratio_set(out, &options->cut_share);
        return;
    }
    for (size_t i = 0; i < options->share_count; i++)
        all += options->shares[i];
    if (statement < options->share_count)
        own = options->shares[statement];
    SC_OWN(sc_ratio, part);
    sc_ratio_set_quotient(&part, (int64_t)own, (int64_t)all);
    sc_ratio_mul(out, &options->cut_share, &part);
}
