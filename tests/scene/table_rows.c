#include "table_rows.h"

#include "data/source/arrow_rows.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The lines of one worker. */
typedef struct worker_lines {
    const sc_schema *schema;
    char **lines;
    size_t count, capacity;
} worker_lines;

static void put_column(sc_text_sink *sink, const sc_batch_column *column, size_t row)
{
    char number[32];
    if (column->texts != NULL) {
        sc_text_put(sink, sc_text_is_null(column->texts[row]) ? sc_text_of("<null>")
                                                              : column->texts[row]);
    } else {
        if (column->values[row] == SC_NULL)
            snprintf(number, sizeof number, "<null>");
        else
            snprintf(number, sizeof number, "%lld", (long long)column->values[row]);
        sc_text_put(sink, sc_text_of(number));
    }
}

static void put_row(sc_text_sink *sink, const worker_lines *own, const sc_batch *batch,
                    size_t row)
{
    if (own->schema->unit.bytes > 0)
        sc_text_put(sink, batch->unit.texts[row]);
    for (size_t i = 0; i < own->schema->column_count; i++) {
        if (i > 0 || own->schema->unit.bytes > 0)
            sc_text_put(sink, sc_text_of("|"));
        put_column(sink, &batch->columns[i], row);
    }
}

static bool push(worker_lines *own, const char *text, size_t bytes)
{
    if (own->count == own->capacity) {
        const size_t capacity = 2 * own->capacity + 16;
        char **lines = realloc(own->lines, capacity * sizeof *lines);
        if (lines == NULL)
            return false;
        own->lines = lines;
        own->capacity = capacity;
    }
    char *line = malloc(bytes + 1);
    if (line == NULL)
        return false;
    memcpy(line, text, bytes);
    line[bytes] = '\0';
    own->lines[own->count++] = line;
    return true;
}

static scrim_status take(void *context, const sc_batch *batch, scrim_error *error)
{
    worker_lines *own = context;
    char text[20000];
    for (size_t row = 0; row < batch->rows; row++) {
        sc_text_sink sink;
        sc_text_sink_init(&sink, text, sizeof text);
        put_row(&sink, own, batch, row);
        const size_t bytes = sink.length < sizeof text ? sink.length : sizeof text - 1;
        if (!push(own, text, bytes)) {
            snprintf(error->message, sizeof error->message,
                     "out of memory for the lines");
            return error->status = SCRIM_E_MEMORY;
        }
    }
    return SCRIM_OK;
}

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void gather(table_rows *rows, worker_lines *own, unsigned workers)
{
    for (unsigned w = 0; w < workers; w++) {
        char **lines =
            realloc(rows->lines, (rows->count + own[w].count + 1) * sizeof *lines);
        if (CHECK(lines != NULL)) {
            rows->lines = lines;
            for (size_t i = 0; i < own[w].count; i++)
                rows->lines[rows->count++] = own[w].lines[i];
        }
        free(own[w].lines);
    }
    qsort(rows->lines, rows->count, sizeof *rows->lines, by_line);
}

/* All columns of the policy, and some key. */
static bool request_all(table_rows *rows, const char *policy, size_t columns[64],
                        sc_batch_request *request)
{
    *rows = (table_rows){.error = {.message = ""}};
    *request = (sc_batch_request){.columns = columns};
    for (size_t i = 0; i < sizeof request->key.words / sizeof *request->key.words; i++)
        request->key.words[i] = i * UINT64_C(0x9e3779b97f4a7c15) + 1;
    rows->status =
        sc_schema_parse(sc_text_of(policy), NULL, &request->schema, &rows->error);
    if (rows->status != SCRIM_OK)
        return false;
    for (size_t i = 0; i < request->schema->column_count; i++)
        columns[request->column_count++] = i;
    return true;
}

void table_rows_of_batch(table_rows *rows, const char *policy,
                         const struct ArrowSchema *schema, const struct ArrowArray *batch,
                         unsigned workers)
{
    worker_lines all = {NULL};
    size_t columns[64];
    sc_batch_request request;
    sc_arrow_rows *pushed = NULL;
    const sc_batch *block = NULL;
    if (!request_all(rows, policy, columns, &request))
        return;
    all.schema = request.schema;
    rows->status = sc_arrow_rows_new(schema, &request, workers, &pushed, &rows->error);
    if (rows->status == SCRIM_OK)
        rows->status = sc_arrow_rows_open(pushed, batch, &rows->error);
    for (size_t i = 0; rows->status == SCRIM_OK && i < sc_arrow_rows_blocks(pushed);
         i++) {
        rows->status =
            sc_arrow_rows_block(pushed, (unsigned)(i % workers), i, &block, &rows->error);
        if (rows->status == SCRIM_OK)
            rows->status = take(&all, block, &rows->error);
    }
    sc_arrow_rows_free(pushed);
    sc_schema_free(request.schema);
    gather(rows, &all, 1);
}

void table_rows_read(table_rows *rows, const char *policy, unsigned workers)
{
    worker_lines own[SC_WORKERS_MAX] = {{0}};
    void *contexts[SC_WORKERS_MAX];
    size_t columns[64];
    sc_batch_request request;
    sc_table *table = NULL;
    if (!request_all(rows, policy, columns, &request))
        return;
    for (unsigned w = 0; w < workers; w++) {
        own[w].schema = request.schema;
        contexts[w] = &own[w];
    }
    rows->status = sc_table_open(&request, &table, &rows->error);
    if (rows->status == SCRIM_OK)
        rows->status = sc_table_scan(table, workers, take, contexts, &rows->error);
    sc_table_close(table);
    sc_schema_free(request.schema);
    gather(rows, own, workers);
}

void table_rows_of_csv(table_rows *rows, const char *policy, const char *bytes,
                       size_t count, unsigned workers)
{
    char path[] = "/tmp/table_rows.XXXXXX", whole[4000];
    const int descriptor = mkstemp(path);
    CHECK(descriptor >= 0);
    for (size_t done = 0; done < count;) {
        const ssize_t wrote = write(descriptor, bytes + done, count - done);
        if (!CHECK(wrote > 0))
            break;
        done += (size_t)wrote;
    }
    close(descriptor);
    snprintf(whole, sizeof whole, "%s\ncsv=%s", policy, path);
    table_rows_read(rows, whole, workers);
    unlink(path);
}

void table_rows_of_stream(table_rows *rows, const char *policy, const char *bytes,
                          size_t count, unsigned workers)
{
    char whole[4000];
    int ends[2];
    const int before = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    if (!CHECK(pipe(ends) == 0))
        return;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        for (size_t done = 0; done < count;) {
            const ssize_t wrote = write(ends[1], bytes + done, count - done);
            if (wrote <= 0)
                _exit(1);
            done += (size_t)wrote;
        }
        _exit(0);
    }
    close(ends[1]);
    CHECK(dup2(ends[0], STDIN_FILENO) >= 0);
    close(ends[0]);
    snprintf(whole, sizeof whole, "%s\ncsv=-", policy);
    table_rows_read(rows, whole, workers);
    if (before >= 0) {
        CHECK(dup2(before, STDIN_FILENO) >= 0);
        close(before);
    } else {
        close(STDIN_FILENO);
    }
    waitpid(child, NULL, 0);
}

void table_rows_clear(table_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->lines[i]);
    free(rows->lines);
    *rows = (table_rows){0};
}

void table_rows_join(const table_rows *rows, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    for (size_t i = 0; i < rows->count; i++) {
        sc_text_put(&sink, sc_text_of(rows->lines[i]));
        sc_text_put(&sink, sc_text_of(";"));
    }
}

bool table_rows_equal(const table_rows *a, const table_rows *b)
{
    if (a->status != b->status || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->lines[i], b->lines[i]) != 0)
            return false;
    return true;
}
