#include "data/source/csv.h"
#include "data/source/csv_index.h"
#include "data/source/csv_pieces.h"
#include "data/source/source_encoding.h"

#include <stdio.h>
#include <stdlib.h>

void sc_csv_header_init(sc_csv_header *header)
{
    *header = (sc_csv_header){0};
    sc_arena_init(&header->arena);
}

void sc_csv_header_clear(sc_csv_header *header)
{
    sc_arena_clear(&header->arena);
    sc_csv_header_init(header);
}

/* The text of a field; a quoted one is written over itself. */
static sc_text unquote(char *start, size_t bytes)
{
    size_t length = 0;
    if (bytes < 2 || start[0] != '"')
        return (sc_text){start, bytes};
    for (size_t i = 1; i + 1 < bytes; i++) {
        start[length++] = start[i];
        i += start[i] == '"';
    }
    return (sc_text){start, length};
}

static int by_text(const void *left, const void *right)
{
    const sc_text a = *(const sc_text *)left, b = *(const sc_text *)right;
    const size_t both = a.bytes < b.bytes ? a.bytes : b.bytes;
    const int order = both > 0 ? memcmp(a.start, b.start, both) : 0;
    return order != 0 ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

/* Columns without a name may be many: nobody can ask for them. */
static scrim_status check_distinct(const sc_csv_header *header, scrim_error *error)
{
    bool is_twice = false;
    sc_text *sorted = sc_allocate(header->count, sizeof *sorted);
    if (sorted == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    memcpy(sorted, header->names, header->count * sizeof *sorted);
    qsort(sorted, header->count, sizeof *sorted, by_text);
    for (size_t i = 1; i < header->count; i++)
        is_twice =
            is_twice || (sorted[i].bytes > 0 && by_text(&sorted[i - 1], &sorted[i]) == 0);
    sc_free(sorted);
    if (is_twice)
        return sc_fail(error, SCRIM_E_INPUT,
                       "the header of the source has two columns of the same name; "
                       "rename one");
    return SCRIM_OK;
}

const char *sc_csv_header_hint(sc_text text, const char *behind, char separator)
{
    static const struct {
        char byte;
        const char *line;
    } all[] = {{';', "separator=;"},
               {'\t', "separator=tab"},
               {'|', "separator=|"},
               {',', "separator=,"}};
    char wanted[8];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const int count = snprintf(wanted, sizeof wanted, "%s%c", behind, all[i].byte);
        if (all[i].byte != separator && text.bytes > 0 &&
            memmem(text.start, text.bytes, wanted, (size_t)count) != NULL)
            return all[i].line;
    }
    return NULL;
}

/* A quote in front of another separator is out of place, too. */
static scrim_status fail_quote(sc_text record, char separator, scrim_error *error)
{
    const char *hint = sc_csv_header_hint(record, "\"", separator);
    if (hint == NULL)
        return sc_fail(error, SCRIM_E_INPUT,
                       "the header of the source has a quote out of place");
    return sc_fail_for(
        error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, hint,
        "the header of the source has a quote out of place, with %s behind "
        "it",
        hint + strlen("separator="));
}

/* Copies the fields that the index has found. */
static scrim_status take_names(char *bytes, const sc_csv_index *index, char separator,
                               sc_csv_header *header, scrim_error *error)
{
    if (index->record_count != 1)
        return sc_fail_for(
            error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, "records",
            "the header of the source has a line break in it; check what ends a "
            "record");
    if (index->bad_count > 0)
        return fail_quote((sc_text){bytes, index->newlines[0]}, separator, error);
    header->count = index->mark_count - 1;
    header->names =
        sc_arena_allocate(&header->arena, header->count, sizeof *header->names);
    if (header->names == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    for (size_t i = 0; i < header->count; i++) {
        const uint32_t from = index->marks[i] + 1, to = index->marks[i + 1];
        header->names[i] = sc_text_trim(unquote(bytes + from, to - from));
    }
    return check_distinct(header, error);
}

scrim_status sc_csv_header_parse(sc_text record, char separator, sc_csv_header *header,
                                 scrim_error *error)
{
    sc_csv_header new;
    sc_csv_index index;
    sc_csv_header_init(&new);
    sc_csv_index_init(&index);
    char *bytes = sc_arena_allocate(&new.arena, record.bytes + 1 + SC_CSV_PADDING, 1);
    scrim_status status = bytes == NULL
                              ? sc_fail(error, SCRIM_E_MEMORY, "no memory")
                              : sc_csv_index_reserve(&index, record.bytes + 1, error);
    if (status == SCRIM_OK) {
        if (record.bytes > 0)
            memcpy(bytes, record.start, record.bytes);
        bytes[record.bytes] = '\n';
        sc_csv_index_build(&index, bytes, record.bytes + 1,
                           (sc_csv_form){SC_RECORD_LF, separator});
        status = take_names(bytes, &index, separator, &new, error);
    }
    sc_csv_index_clear(&index);
    if (status == SCRIM_OK) {
        sc_csv_header_clear(header);
        *header = new;
    } else {
        sc_csv_header_clear(&new);
    }
    return status;
}

/* The names of columns are compared as bytes, and cells of text are UTF-8 or unreadable: a file in
 * another encoding would be half read. Files of other kinds are known by their first bytes. */
static scrim_status check_encoding(sc_text record, scrim_error *error)
{
    static const struct {
        const char *beginning, *name, *parameter;
    } others[] = {{"SQLite format 3", "a SQLite database", "kind=sqlite"},
                  {"PAR1", "a Parquet file", "kind=parquet"},
                  {"PK\003\004", "a spreadsheet or a zip archive", "kind=archive"},
                  {"\x1f\x8b", "a compressed file", "kind=archive"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const size_t bytes = strlen(others[i].beginning);
        if (record.bytes >= bytes &&
            memcmp(record.start, others[i].beginning, bytes) == 0)
            return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_CONFLICT,
                               others[i].parameter, "the source is %s, not a CSV file",
                               others[i].name);
    }
    const char *encoding = sc_source_encoding(record);
    if (encoding == NULL)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_INPUT,
                   "the header of the source is not UTF-8 but likely %s; convert the "
                   "file with iconv -f %s -t UTF-8",
                   encoding, encoding);
}

scrim_status sc_csv_header_read(sc_text path, sc_csv_form form, sc_csv_header *header,
                                scrim_error *error)
{
    sc_csv_pieces *pieces = NULL;
    sc_text record;
    scrim_status status =
        sc_csv_pieces_open(path, form.end, NULL, &pieces, &record, error);
    if (status == SCRIM_OK)
        status = check_encoding(record, error);
    if (status == SCRIM_OK)
        status = sc_csv_header_parse(record, form.separator, header, error);
    sc_csv_pieces_close(pieces);
    return status;
}

size_t sc_csv_header_find(const sc_csv_header *header, sc_text name)
{
    size_t place = 0;
    while (place < header->count && !sc_text_equal(header->names[place], name))
        place++;
    return place;
}
