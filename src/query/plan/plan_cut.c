#include "query/plan/plan_cut.h"

#include "query/plan/auto_bounds.h"
#include "query/plan/kept_words.h"

#include <string.h>

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

/* Are exactly the people cut who have more rows than the total, after WHERE and the listed keys? Then the text of the ladder of
 * these rows tells whether two statements cut the same people, and as much of them. */
static bool cuts_by_total(const sc_planned_statement *s)
{
    return s->cut.kind == SC_CUT_ROWS && s->query->unnest == NULL &&
           s->query->joined_count == 0 && s->said.rows == 0 &&
           sc_auto_tells_cut(s->query, &s->statistics, &s->said);
}

/* Statements that cut the same people have one count, that of the first, with the shares of all. */
static scrim_status share_counts(scrim_plan *plan, sc_planned_statement *statements,
                                 scrim_error *error)
{
    const char *texts[SC_PLAN_STATEMENTS];
    for (size_t i = 0; i < plan->statement_count; i++) {
        sc_planned_statement *s = &statements[i];
        texts[i] = NULL;
        if (!cuts_by_total(s))
            continue;
        const char *text = sc_auto_ladder_text(s->query, &plan->arena);
        if (text == NULL)
            return sc_no_memory(error, "a plan");
        for (size_t k = 0; k < i && s->cut_of == 0; k++)
            if (texts[k] != NULL && strcmp(texts[k], text) == 0 &&
                statements[k].bounds.total == s->bounds.total)
                s->cut_of = k + 1;
        if (s->cut_of == 0)
            texts[i] = text;
        else
            s->cut = (sc_cut_plan){.kind = SC_CUT_NOTHING};
    }
    return SCRIM_OK;
}

/* Counts that are sums of one another have the rows of their source, running totals those of several releases. */
scrim_status sc_plan_cut_set(scrim_plan *plan, sc_planned_statement *statements,
                             scrim_error *error)
{
    const sc_plan_options *options = &plan->options;
    if (sc_ratio_sign(&options->cut_share) == 0 || plan->series.running > 0)
        return SCRIM_OK;
    if (plan->has_sets)
        set_of_sets(plan, statements);
    if (plan->source > 0)
        return SCRIM_OK;
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
    return share_counts(plan, statements, error);
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

bool sc_plan_cut_is_shared(const scrim_plan *plan, size_t statement)
{
    for (size_t i = 0; i < plan->statement_count; i++)
        if (plan->statements[i].cut_of == statement + 1)
            return true;
    return false;
}

void sc_plan_cut_share(const scrim_plan *plan, size_t statement, sc_ratio *out)
{
    const sc_plan_options *options = &plan->options;
    uint64_t own = 0, all = 0;
    sc_ratio_set_int64(out, 0);
    if (!sc_plan_cut_is_counted(&plan->statements[statement]))
        return;
    if (plan->has_sets) {
        sc_ratio_set(out, &options->cut_share);
        return;
    }
    for (size_t i = 0; i < plan->statement_count; i++) {
        const uint64_t share = i < options->share_count ? options->shares[i] : 1;
        all += share;
        if (i == statement || plan->statements[i].cut_of == statement + 1)
            own += share;
    }
    SC_OWN(sc_ratio, part);
    sc_ratio_set_quotient(&part, (int64_t)own, (int64_t)all);
    sc_ratio_mul(out, &options->cut_share, &part);
}
