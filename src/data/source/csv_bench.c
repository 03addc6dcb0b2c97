/* Reading a CSV file of 10^7 rows: what it costs before anything is computed, by the clock on the wall
 * and in processor time of all workers; beside it a pass of one that only counts the lines. */
#include "bench.h"
#include "data/source/csv.h"
#include "data/table/table.h"
#include "user_rows.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROWS 10000000
#define TURNS 7

typedef struct times {
    double wall, processor; /* in milliseconds */
} times;

static double milliseconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static times now(void)
{
    return (times){milliseconds(CLOCK_MONOTONIC), milliseconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static times since(times start)
{
    const times end = now();
    return (times){end.wall - start.wall, end.processor - start.processor};
}

/* A pass that counts lines, as wc -l does. */
static times count_lines(const char *path)
{
    static char buffer[1 << 18];
    const times start = now();
    const int descriptor = open(path, O_RDONLY);
    uint64_t lines = 0;
    for (ssize_t got; (got = read(descriptor, buffer, sizeof buffer)) > 0;)
        for (const char *at = buffer;
             (at = memchr(at, '\n', (size_t)(buffer + got - at))) != NULL; at++)
            lines++;
    close(descriptor);
    bench_keep(&lines);
    return since(start);
}

typedef struct tally {
    uint64_t rows, hashes;
    int64_t sum;
    char apart[64]; /* from the other worker's line of cache */
} tally;

static scrim_status take(void *context, const sc_batch *batch, scrim_error *error)
{
    tally *own = context;
    (void)error;
    uint64_t hashes = 0;
    int64_t sum = 0;
    for (size_t i = 0; i < batch->rows; i++) {
        hashes ^= batch->unit.hashes[i] ^ batch->columns[0].hashes[i];
        sum += batch->columns[1].values[i];
    }
    own->rows += batch->rows;
    own->hashes ^= hashes;
    own->sum += sum;
    return SCRIM_OK;
}

static times scan(const char *path, const char *lines, unsigned workers, uint64_t *rows)
{
    char policy[200];
    static const size_t columns[] = {0, 1};
    tally own[SC_WORKERS_MAX] = {{0}};
    void *contexts[SC_WORKERS_MAX];
    sc_batch_request request = {.columns = columns, .column_count = 2};
    sc_table *table = NULL;
    scrim_error error;
    for (unsigned i = 0; i < workers; i++)
        contexts[i] = &own[i];
    for (size_t i = 0; i < sizeof request.key.words / sizeof *request.key.words; i++)
        bench_must(sc_bits_word(bench_bits(), &request.key.words[i], &error), &error);
    snprintf(policy, sizeof policy,
             "unit=user\ncolumn=key=text\ncolumn=value=decimal[0,100]\ncsv=%s\n%s", path,
             lines);
    const times start = now();
    bench_must(sc_schema_parse(sc_text_of(policy), NULL, &request.schema, &error),
               &error);
    bench_must(sc_table_open(&request, &table, &error), &error);
    bench_must(sc_table_scan(table, workers, take, contexts, &error), &error);
    sc_table_close(table);
    const times time = since(start);
    sc_schema_free(request.schema);
    *rows = 0;
    for (unsigned i = 0; i < workers; i++)
        *rows += own[i].rows;
    return time;
}

/* lines: those of the policy that say how cells are written. */
static void measure(const char *name, user_rows_form form, const char *lines,
                    unsigned workers)
{
    char path[64], titles[3][BENCH_NAME_BYTES];
    double samples[3][TURNS];
    uint64_t rows = 0;
    snprintf(titles[0], sizeof titles[0], "csv %s 10^7 rows, %u workers", name, workers);
    snprintf(titles[1], sizeof titles[1], "csv %s 10^7 rows, %u processor", name,
             workers);
    snprintf(titles[2], sizeof titles[2], "csv %s 10^7 rows, %u lines", name, workers);
    if (!bench_is_wanted(titles[0]))
        return;
    const uint64_t bytes = user_rows_write(path, ROWS, form);
    count_lines(path);
    for (size_t i = 0; i < TURNS; i++) {
        const times time = scan(path, lines, workers, &rows);
        samples[0][i] = time.wall;
        samples[1][i] = time.processor;
        samples[2][i] = count_lines(path).wall;
    }
    unlink(path);
    if (rows == 0 || (form != USER_ROWS_RAGGED && rows != ROWS) || bytes == 0)
        bench_die("rows are missing");
    for (size_t i = 0; i < 3; i++)
        bench_record(titles[i], BENCH_MILLISECONDS, samples[i], TURNS, 0);
}

BENCH(csv)
{
    measure("plain", USER_ROWS_PLAIN, "", 1);
    measure("plain", USER_ROWS_PLAIN, "", 2);
    measure("quoted", USER_ROWS_QUOTED, "", 2);
    measure("ragged", USER_ROWS_RAGGED, "", 2);
    measure("semicolon", USER_ROWS_SEMICOLON, "separator=;\ndecimal=,\n", 2);
    measure("null texts", USER_ROWS_PLAIN, "null=NA,NULL,-\n", 2);
}
