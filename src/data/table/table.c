#include "data/table/table.h"

#include "data/source/arrow_frame.h"
#include "data/source/csv.h"
#include "data/source/source.h"
#include "random/private_pages.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

struct sc_table {
    const sc_source *source;
    sc_batch_request request;
    size_t *columns;
    void *state;
    void *workers[SC_WORKERS_MAX]; /* that were made beforehand */
    bool is_scanned;
    sc_process_mark here;
};

/* The source that is read, or the frame in its place. */
static scrim_status find_source(const sc_batch_request *request, const sc_source **out,
                                scrim_error *error)
{
    if (request->frame == NULL)
        return sc_source_of(request->schema, out, error);
    *out = &sc_frame_source;
    return sc_source_want_pushed(request->schema, error);
}

scrim_status sc_table_open(const sc_batch_request *request, sc_table **table,
                           scrim_error *error)
{
    const sc_source *source = NULL;
    scrim_status status = find_source(request, &source, error);
    if (status != SCRIM_OK)
        return status;
    const size_t count = request->column_count;
    sc_table *new = sc_allocate(1, sizeof *new);
    size_t *columns = sc_allocate(count, sizeof *columns);
    if (new == NULL || columns == NULL) {
        sc_free(new);
        sc_free(columns);
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    }
    if (count > 0)
        memcpy(columns, request->columns, count * sizeof *columns);
    *new = (sc_table){.source = source, .request = *request, .columns = columns};
    new->request.columns = columns;
    status = sc_process_mark_init(&new->here)
                 ? source->state_new(&new->request, &new->state, error)
                 : sc_fail(error, SCRIM_E_MEMORY, "no memory");
    if (status == SCRIM_OK)
        *table = new;
    else
        sc_table_close(new);
    return status;
}

void sc_table_close(sc_table *table)
{
    if (table == NULL)
        return;
    /* A child leaves the source alone: its threads are the parent's, and so are its locks. */
    const bool is_here = sc_process_mark_is_here(&table->here);
    for (size_t i = 0; is_here && i < SC_WORKERS_MAX; i++)
        table->source->worker_free(table->workers[i]);
    if (is_here && table->state != NULL)
        table->source->state_free(table->state);
    sc_process_mark_clear(&table->here);
    sc_free(table->columns);
    sc_free_wiped(table, sizeof *table);
}

size_t sc_table_piece_bytes(const sc_table *table)
{
    return table->source->piece_bytes;
}

sc_source_stamp sc_table_stamp(const sc_table *table)
{
    return table->source->stamp(table->state);
}

sc_source_content sc_table_content(const sc_table *table)
{
    return table->source->content(table->state);
}

uint64_t sc_table_read_bytes(const sc_table *table)
{
    return table->source->read_bytes == NULL ? 0
                                             : table->source->read_bytes(table->state);
}

unsigned sc_table_workers(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1                ? 1
           : processors > SC_WORKERS_MAX ? SC_WORKERS_MAX
                                         : (unsigned)processors;
}

/* Shared by the workers of a scan. */
typedef struct scan {
    sc_table *table;
    sc_table_take *take;
    void *const *contexts;
    atomic_bool is_over; /* somebody has failed */
} scan;

/* A child has a copy of a descriptor whose place in the file moves for both, and of locks that it does
 * not hold. */
static scrim_status check_process(const sc_table *table, scrim_error *error)
{
    if (sc_process_mark_is_here(&table->here))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_STATE,
                   "a source is read by the process that opened it; open it again");
}

static scrim_status work(void *context, unsigned number, scrim_error *error)
{
    scan *shared = context;
    const sc_source *source = shared->table->source;
    const sc_batch *batch = NULL;
    void *worker = shared->table->workers[number];
    scrim_status status = worker != NULL
                              ? SCRIM_OK
                              : source->worker_new(shared->table->state, &worker, error);
    shared->table->workers[number] = NULL;
    while (status == SCRIM_OK && !atomic_load(&shared->is_over)) {
        status = source->next(worker, &batch, error);
        if (status != SCRIM_OK || batch == NULL)
            break;
        status = shared->take(shared->contexts[number], batch, error);
        if (status == SCRIM_OK) /* what it calls may have forked */
            status = check_process(shared->table, error);
    }
    if (status != SCRIM_OK)
        atomic_store(&shared->is_over, true);
    source->worker_free(worker);
    return status;
}

scrim_status sc_table_prepare(sc_table *table, unsigned workers, scrim_error *error)
{
    scrim_status status = check_process(table, error);
    if (workers < 1 || workers > SC_WORKERS_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workers",
                                 "from 1 to %d", SC_WORKERS_MAX);
    for (unsigned i = 0; status == SCRIM_OK && i < workers; i++)
        if (table->workers[i] == NULL)
            status = table->source->worker_new(table->state, &table->workers[i], error);
    return status;
}

scrim_status sc_table_scan(sc_table *table, unsigned workers, sc_table_take *take,
                           void *const *contexts, scrim_error *error)
{
    scan shared = {.table = table, .take = take, .contexts = contexts};
    if (workers < 1 || workers > SC_WORKERS_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workers",
                                 "from 1 to %d", SC_WORKERS_MAX);
    if (table->is_scanned)
        return sc_fail(error, SCRIM_E_STATE, "a table is scanned once; open it again");
    const scrim_status status = check_process(table, error);
    if (status != SCRIM_OK)
        return status;
    table->is_scanned = true;
    return sc_workers_run(workers, work, &shared, error);
}

/* NULL where rows come from a stream, or nothing was said. */
static const sc_source *file_source(const sc_schema *schema)
{
    const sc_source *source = NULL;
    return sc_text_is(schema->path, "-") ||
                   sc_source_of(schema, &source, NULL) != SCRIM_OK
               ? NULL
               : source;
}

/* The name that may have been meant; empty when nothing is near. */
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
        return sc_fail_for(
            error, SCRIM_E_INPUT, SCRIM_REASON_MISSPELT, "column",
            "the header of the source has no column '%s'; did you mean '%s'?",
            sc_text_quote(name, quote), sc_text_quote(meant, near));
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_UNKNOWN, "column",
                       "the header of the source has no column '%s'",
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
