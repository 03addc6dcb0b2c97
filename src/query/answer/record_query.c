/* The questions of a record: their schema, their sets of keys and their contribution bounds. */
#include "mechanism/linear/counter.h"
#include "query/answer/record.h"
#include "query/language/set_query.h"
#include "query/plan/asked_bounds.h"

scrim_status sc_record_schema(const sc_record *record, const sc_schema **schema,
                              scrim_error *error)
{
    const scrim_status status = sc_schema_parse(record->schema, NULL, schema, error);
    if (status == SCRIM_OK && record->drops_missing)
        sc_schema_drop_missing(*schema);
    return status;
}

/* Ladders are behind the statements of a question; only those of a batch say which ladder has found their bounds. */
size_t sc_record_asked(const sc_record *record)
{
    size_t ladder = 0;
    for (size_t i = 0; i < record->statement_count; i++) {
        const size_t own = record->statements[i].found_by;
        if (own > 0 && (ladder == 0 || own < ladder))
            ladder = own;
    }
    return ladder > 0 ? ladder - 1 : record->finds_bounds ? 1 : record->statement_count;
}

uint64_t sc_record_draws(const sc_record *record)
{
    return record->is_running ? sc_counter_nodes(record->release) : 1;
}

sc_bounds sc_record_said(const sc_record_statement *s, const sc_schema *schema)
{
    (void)s;
    return schema->unit.bytes == 0 ? (sc_bounds){1, 1, 0} : schema->bounds;
}

sc_bounds sc_record_bounds(const sc_record_statement *s, const sc_schema *schema)
{
    const sc_bounds said = sc_record_said(s, schema);
    return sc_bounds_normal(&said, sc_plan_groups(s->keys_kind, s->row_count));
}

/* All statements are the sets of one question, in their order. */
static bool are_sets(const sc_record *record, const sc_query *query)
{
    bool are = query->set_count == record->statement_count && !record->finds_bounds;
    for (size_t i = 0; i < record->statement_count; i++)
        are = are && record->statements[i].set == i + 1 &&
              sc_text_equal(record->statements[i].text, record->statements[0].text);
    return are;
}

scrim_status sc_record_query(const sc_record *record, const sc_record_statement *s,
                             const sc_schema *schema, sc_arena *arena,
                             const sc_query **out, const sc_schema **bounded,
                             sc_refusal *refusal)
{
    SC_TRY(
        sc_asked_query(s->text, record->dataset, schema, arena, out, bounded, refusal));
    if ((*out)->set_count == 0 && s->set == 0)
        return SCRIM_OK;
    if (!are_sets(record, *out))
        return sc_fail(refusal->error, SCRIM_E_LEDGER,
                       "the record of a query has other sets of keys than the query");
    *out = sc_query_of_set(*out, s->set, arena);
    return *out == NULL ? sc_refuse_memory(refusal) : SCRIM_OK;
}

sc_kept_keys sc_record_kept_keys(const sc_record_statement *s)
{
    return (sc_kept_keys){s->keys_kind == SC_PLAN_PUBLIC_KEYS, s->uses_ranges,
                          s->rows_of > 0 && s->set > 0 ? SC_ROWS_OF_KEYS : s->rows_of};
}

sc_kept_bounds sc_record_kept_bounds(const sc_record *record,
                                     const sc_record_statement *s,
                                     const sc_schema *schema)
{
    const sc_record_statement *source = s->rows_of == 0 || s->rows_of == SC_ROWS_OF_ALL
                                            ? s
                                            : &record->statements[s->rows_of - 1];
    const sc_bounds said = sc_record_said(source, schema),
                    own = s->rows_of == SC_ROWS_OF_ALL
                              ? sc_bounds_normal(&said, s->groups_of_all)
                              : sc_record_bounds(source, schema);
    return (sc_kept_bounds){said, own.groups, NULL};
}
