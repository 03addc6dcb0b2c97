#include "data/table/source_header.h"

#include "data/source/csv.h"
#include "data/source/sources.h"
#include "data/table/table.h"

#include <string.h>

/* NULL where rows come from a stream, or nothing was said. */
static const sc_source *file_source(const sc_schema *schema)
{
    const sc_source *source = NULL;
    return sc_text_is(schema->path, "-") ||
                   sc_source_of(schema, &source, NULL) != SCRIM_OK
               ? NULL
               : source;
}

/* What may have been meant; empty when nothing is near. */
static sc_text nearest(const sc_csv_header *header, sc_text name)
{
    sc_text found = {NULL, 0};
    size_t shortest = 3 < name.bytes ? 3 : name.bytes;
    for (size_t i = 0; i < header->count; i++) {
        const size_t distance = sc_text_distance(name, header->names[i]);
        if (distance < shortest) {
            shortest = distance;
            found = header->names[i];
        }
    }
    return found;
}

/* Is the first line "sep=;", which spreadsheets write and read before the header? */
static bool is_spreadsheet_line(const sc_csv_header *header)
{
    const sc_text first = header->names[0];
    const bool is_cut = header->count == 2 && header->names[1].bytes == 0;
    return first.bytes >= 4 && memcmp(first.start, "sep=", 4) == 0 &&
           (is_cut ? first.bytes == 4 : header->count == 1 && first.bytes == 5);
}

static scrim_status want(const sc_csv_header *header, char separator, sc_text name,
                         scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], near[SC_TEXT_QUOTE_BYTES];
    if (sc_csv_header_find(header, name) < header->count)
        return SCRIM_OK;
    const char *hint =
        header->count == 1 ? sc_csv_header_hint(header->names[0], "", separator) : NULL;
    if (header->count > 0 && is_spreadsheet_line(header))
        return sc_fail_for(
            error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, hint == NULL ? "csv" : hint,
            "the first line of the source is sep=%s, as spreadsheets write it, and not "
            "the header; delete that line",
            hint == NULL ? (char[2]){separator, '\0'} : hint + strlen("separator="));
    if (hint != NULL)
        return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, hint,
                           "the header of the source has no column '%s', but one with %s "
                           "in it",
                           sc_text_quote(name, quote), hint + strlen("separator="));
    const sc_text meant = nearest(header, name);
    if (meant.bytes > 0)
        return sc_fail(error, SCRIM_E_INPUT,
                       "the header of the source has no column '%s'; did you mean '%s'?",
                       sc_text_quote(name, quote), sc_text_quote(meant, near));
    return sc_fail(error, SCRIM_E_INPUT, "the header of the source has no column '%s'",
                   sc_text_quote(name, quote));
}

/* A table is opened, and no row of it is read. */
static scrim_status check_database(const sc_schema *schema, scrim_error *error)
{
    const sc_batch_request request = {.schema = schema};
    sc_table *table = NULL;
    const scrim_status status = sc_table_open(&request, &table, error);
    sc_table_close(table);
    return status;
}

scrim_status sc_source_header_check(const sc_schema *schema, scrim_error *error)
{
    sc_csv_header header;
    const sc_source *source = file_source(schema);
    if (source == NULL)
        return SCRIM_OK;
    if (source->header_read == NULL)
        return check_database(schema, error);
    sc_csv_header_init(&header);
    scrim_status status = source->header_read(schema, &header, error);
    if (status == SCRIM_OK && schema->unit.bytes > 0)
        status = want(&header, schema->csv.separator, schema->unit, error);
    for (size_t i = 0; i < schema->column_count && status == SCRIM_OK; i++)
        status = want(&header, schema->csv.separator, schema->columns[i].name, error);
    sc_csv_header_clear(&header);
    return status;
}

/* A name that breaks its line, or that no policy can say, is not among them. */
static void put_names(const sc_csv_header *header, sc_text_sink *sink)
{
    for (size_t i = 0; i < header->count; i++) {
        if (!sc_column_is_name(header->names[i]))
            continue;
        sc_text_put(sink, header->names[i]);
        sc_text_put(sink, sc_text_of("\n"));
    }
}

scrim_status sc_source_header_names(const sc_schema *schema, char **out,
                                    scrim_error *error)
{
    sc_csv_header header;
    sc_text_sink sink;
    char *names = NULL;
    const sc_source *source = file_source(schema);
    if (source != NULL && source->names_read != NULL)
        return source->names_read(schema, out, error);
    if (source == NULL || source->header_read == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "source",
                           "only a file has columns to look at");
    sc_csv_header_init(&header);
    scrim_status status = source->header_read(schema, &header, error);
    if (status == SCRIM_OK) {
        sc_text_sink_init(&sink, NULL, 0);
        put_names(&header, &sink);
        names = sc_allocate(sink.length + 1, 1);
        if (names == NULL)
            status = sc_no_memory(error, "a header");
    }
    if (status == SCRIM_OK) {
        sc_text_sink_init(&sink, names, sink.length + 1);
        put_names(&header, &sink);
        *out = names;
    }
    sc_csv_header_clear(&header);
    return status;
}

scrim_status sc_source_header_tables(const sc_schema *schema, char **out,
                                     scrim_error *error)
{
    const sc_source *source = file_source(schema);
    if (source == NULL || source->tables_read == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "source",
                           "only a database has tables");
    return source->tables_read(schema, out, error);
}
