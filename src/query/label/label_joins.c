/* The public tables that questions join, by their digests: those of the owner from the policy of the version, those
 * that a question brings from its record. */
#include "query/label/label_joins.h"

#include "query/language/lookup.h"
#include "query/language/person.h"

#include <stdio.h>
#include <string.h>

/* Is it a line with a column or the cells of the table? */
static bool is_line_of(sc_text key, sc_text value, sc_text table)
{
    sc_text name, rest;
    return (sc_text_is(key, "join-column") || sc_text_is(key, "join-cells")) &&
           sc_text_split(value, '=', &name, &rest) &&
           sc_text_equal(sc_text_trim(name), table);
}

static void put_lines(sc_text_sink *sink, const char *policy, sc_text table)
{
    sc_text rest = sc_text_of(policy), line, key, value;
    while (sc_schema_line(&rest, &line, &key, &value))
        if (is_line_of(key, value, table)) {
            sc_text_put(sink, line);
            sc_text_put(sink, sc_text_of("\n"));
        }
}

/* As if the table had come with a question, so that one table has one digest. */
static scrim_status digest_of(sc_label_maker *m, sc_text table,
                              char out[SC_PUBLIC_DIGEST_BYTES], scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_lines(&sink, m->source->policy, table);
    const size_t bytes = sink.length + 1;
    char *lines = sc_arena_allocate(&m->arena, bytes, 1);
    if (lines == NULL)
        return sc_label_no_memory(error);
    sc_text_sink_init(&sink, lines, bytes);
    put_lines(&sink, m->source->policy, table);
    return sc_public_table_digest(table, (sc_text){lines, bytes - 1}, out, error);
}

static scrim_status put_join(sc_label_maker *m, size_t number, size_t statement,
                             const sc_joined *joined, scrim_error *error)
{
    char key[SC_LABEL_KEY_BYTES], digest[SC_PUBLIC_DIGEST_BYTES];
    const sc_public_table *table = joined->table;
    const bool is_brought = table->digest.bytes > 0;
    if (!is_brought)
        SC_TRY(digest_of(m, table->name, digest, error));
    sc_label_put_number(m->label, sc_label_key(key, "joined", number, "question"),
                        sc_label_question(m, statement));
    sc_label_put(m->label, sc_label_key(key, "joined", number, "table"), table->name);
    sc_label_put(m->label, sc_label_key(key, "joined", number, "by"), joined->as->name);
    sc_label_put(m->label, sc_label_key(key, "joined", number, "key"),
                 joined->key->column.name);
    sc_label_put(m->label, sc_label_key(key, "joined", number, "digest"),
                 is_brought ? table->digest : sc_text_of(digest));
    sc_label_put(
        m->label, sc_label_key(key, "joined", number, "from"),
        sc_text_of(is_brought ? "brought by the question" : "declared by the owner"));
    sc_label_put(m->label, sc_label_key(key, "joined", number, "unmatched"),
                 sc_text_of(joined->is_left
                                ? "rows without a match have NULL in its columns"
                                : "rows without a match are left out"));
    return SCRIM_OK;
}

scrim_status sc_label_put_joins(sc_label_maker *m, const sc_planned_statement *statements,
                                scrim_error *error)
{
    size_t number = 0;
    for (size_t i = 0; i < m->record.statement_count; i++) {
        const sc_joined *joins;
        const size_t count = sc_query_joins(statements[i].query, &joins);
        for (size_t k = 0; k < count; k++)
            SC_TRY(put_join(m, ++number, i, &joins[k], error));
    }
    return SCRIM_OK;
}
