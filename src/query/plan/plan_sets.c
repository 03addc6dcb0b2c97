#include "query/plan/plan_sets.h"

#include "query/language/set_query.h"
#include "query/plan/plan_keys.h"

scrim_status sc_plan_sets_refuse(scrim_error *error, const char *where)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "query",
                       "several sets of keys cannot be asked %s; ask with one grouping "
                       "at a time",
                       where);
}

scrim_status sc_plan_sets_check(const scrim_plan *plan, const sc_query *query,
                                size_t queries, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (plan->has_series)
        return sc_plan_sets_refuse(error, "in a series");
    if (queries > 1)
        return sc_plan_sets_refuse(error, "beside other queries of a batch");
    if (sc_ratio_sign(&plan->options.auto_share) > 0)
        return sc_plan_sets_refuse(error, "with bounds that are found");
    for (size_t i = 0; i < query->key_count; i++)
        if (sc_plan_key_count(&query->keys[i]) == 0)
            return sc_fail_for(
                error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "keys",
                "totals need public keys, and those of %s are private; the owner can "
                "list them; or ask with one grouping at a time",
                query->keys[i].column == NULL
                    ? "an expression"
                    : sc_text_quote(query->keys[i].column->name, quote));
    if (sc_plan_keys_count(query) == 0)
        return sc_fail_for(
            error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "query",
            "the keys of all sets together have too many combinations: at most 65536, or "
            "4194304 if all keys are listed");
    return SCRIM_OK;
}

/* The most groups of the source that are one group of a set, or more. */
static uint64_t parts_of(const sc_query *query, uint64_t most)
{
    uint64_t parts = 1;
    for (size_t i = query->key_count; i < query->all_key_count && parts < most; i++)
        if (!sc_uint64_mul(parts, sc_plan_key_count(&query->keys[i]), &parts))
            return most;
    return parts < most ? parts : most;
}

/* A unit is in no more groups than it has in the source, has all of its rows in parts of one, and no more rows in all. */
void sc_plan_set_reach(const sc_planned_statement *source, sc_planned_statement *s)
{
    const sc_bounds *from = &source->bounds;
    const uint64_t parts = parts_of(s->query, from->total);
    uint64_t rows = from->total;
    if (!sc_uint64_mul(parts, from->rows, &rows) || rows > from->total)
        rows = from->total;
    s->said = (sc_bounds){from->groups, rows, from->total};
    s->bounds = sc_bounds_normal(&s->said, sc_plan_groups(s->keys_kind, s->key_count));
}

/* Units are counted once where each is in one group of the source. */
scrim_status sc_plan_sets_check_units(const sc_planned_statement *source,
                                      scrim_error *error)
{
    const sc_query *query = source->query;
    for (size_t i = 0; i < query->aggregate_count; i++)
        if (query->aggregates[i].kind->reads & SC_READS_UNITS &&
            source->bounds.groups > 1)
            return sc_fail_for(
                error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "max-groups",
                "people who are in several groups would count several times in a total; "
                "ask for COUNT(DISTINCT ...) with one grouping at a time, or with "
                "max-groups 1");
    return SCRIM_OK;
}

const char *sc_plan_set_words(const sc_query *query, sc_arena *arena)
{
    sc_text_sink sink;
    char *text = NULL;
    size_t bytes = 0;
    for (int pass = 0; pass < 2; pass++) {
        bool is_first = true;
        sc_text_sink_init(&sink, text, bytes);
        for (size_t i = 0; i < query->output_count; i++) {
            const sc_query_output *output = &query->outputs[i];
            if (!output->is_key || sc_query_output_is_grouping(output) ||
                sc_query_output_is_all(query, output))
                continue;
            sc_text_put(&sink, sc_text_of(is_first ? "" : ", "));
            sc_text_put(&sink, query->columns[i].name);
            is_first = false;
        }
        sc_text_put(&sink, sc_text_of(is_first ? "all rows" : ""));
        bytes = sink.length + 1;
        if (text == NULL && (text = sc_arena_allocate(arena, bytes, 1)) == NULL)
            return NULL;
    }
    return text;
}

/* How many groups of a set are one of the next one, if keys are independent. */
static uint64_t parts_between(const sc_planned_statement *finer,
                              const sc_planned_statement *coarser)
{
    const sc_query *query = finer->query;
    uint64_t parts = 1;
    for (size_t i = 0; i < query->all_key_count; i++)
        if ((finer->source_keys & ~coarser->source_keys) >> i & 1 &&
            !sc_uint64_mul(parts, sc_plan_key_count(&query->keys[query->key_places[i]]),
                           &parts))
            return 0;
    return parts;
}

scrim_status sc_plan_sets_check_consistent(const sc_planned_statement *statements,
                                           size_t count, scrim_error *error)
{
    for (size_t i = 0; statements[0].query->is_consistent && i + 1 < count; i++) {
        uint64_t groups = 0;
        if (!sc_uint64_mul(
                parts_between(&statements[i], &statements[i + 1]),
                sc_plan_groups(statements[i + 1].keys_kind, statements[i + 1].key_count),
                &groups) ||
            groups != statements[i].key_count)
            return sc_fail_for(
                error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "query",
                "consistent totals need keys of different columns, so that "
                "each total has as many parts; leave out WITH CONSISTENT "
                "TOTALS");
    }
    return SCRIM_OK;
}
