/* The engine's part of a query from end to end: a CSV file of users is read, bounded and summed by
 * key, beside a pass that only counts the lines. Each turn is a process of its own, so that its
 * memory can be told. Time is processor time, of all workers together. */
#include "bench.h"
#include "data/table.h"
#include "query/group.h"
#include "user_rows.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define TURNS 7
#define PUBLIC_KEYS 1000

typedef struct shape {
    const char *name;
    uint64_t rows;
    user_rows_form form;
    unsigned workers;
    uint64_t max_groups, max_rows;
    bool has_units, has_keys;
} shape;

/* As wc -l does. */
static void count_lines(const char *path)
{
    static char buffer[1 << 18];
    const int descriptor = open(path, O_RDONLY);
    uint64_t lines = 0;
    for (ssize_t got; (got = read(descriptor, buffer, sizeof buffer)) > 0;)
        for (const char *at = buffer;
             (at = memchr(at, '\n', (size_t)(buffer + got - at))) != NULL; at++)
            lines++;
    close(descriptor);
    bench_keep(&lines);
}

typedef struct own_share {
    sc_grouping *grouping;
    unsigned number;
} own_share;

static scrim_status take(void *context, const sc_batch *batch, scrim_error *error)
{
    const own_share *own = context;
    const int64_t *values[] = {batch->columns[1].values};
    const sc_group_rows rows = {.count = batch->rows,
                                .units = batch->unit.texts,
                                .unit_hashes = batch->unit.hashes,
                                .keys = batch->columns[0].texts,
                                .key_hashes = batch->columns[0].hashes,
                                .values = values};
    return sc_grouping_take(own->grouping, own->number, &rows, error);
}

static void check_groups(const sc_groups *groups, const shape *s)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < groups->count; i++)
        rows += groups->groups[i].rows;
    if (rows == 0 || (s->form != USER_ROWS_RAGGED && groups->count != PUBLIC_KEYS))
        bench_die("groups are missing");
}

static void run(const char *path, const shape *s)
{
    static const size_t columns[] = {0, 1};
    static const sc_group_value value = {.low = 0, .high = 10000, .centre = 5000};
    static char names[PUBLIC_KEYS][16];
    static sc_text keys[PUBLIC_KEYS];
    static own_share own[SC_WORKERS_MAX];
    void *contexts[SC_WORKERS_MAX];
    char policy[200];
    sc_batch_request request = {.columns = columns, .column_count = 2};
    sc_table *table = NULL;
    sc_grouping *grouping = NULL;
    sc_groups groups;
    scrim_error error;
    for (size_t i = 0; i < PUBLIC_KEYS; i++) {
        snprintf(names[i], sizeof names[i], "%zu", i);
        keys[i] = sc_text_of(names[i]);
    }
    for (size_t i = 0; i < sizeof request.key.words / sizeof *request.key.words; i++)
        bench_must(sc_bits_word(bench_bits(), &request.key.words[i], &error), &error);
    snprintf(policy, sizeof policy,
             "unit=%s\ncolumn=key=text\ncolumn=value=decimal[0,100]\ncsv=%s\n",
             s->has_units ? "user" : "row", path);
    bench_must(sc_schema_parse(sc_text_of(policy), NULL, &request.schema, &error),
               &error);
    const sc_group_plan plan = {.has_units = s->has_units,
                                .max_groups = s->max_groups,
                                .max_rows = s->max_rows,
                                .values = &value,
                                .value_count = 1,
                                .has_keys = s->has_keys,
                                .keys = keys,
                                .key_count = s->has_keys ? PUBLIC_KEYS : 0,
                                .hash_key = request.key,
                                .workers = s->workers};
    bench_must(sc_grouping_new(&plan, bench_bits(), &grouping, &error), &error);
    for (unsigned i = 0; i < s->workers; i++) {
        own[i] = (own_share){grouping, i};
        contexts[i] = &own[i];
    }
    bench_must(sc_table_open(&request, &table, &error), &error);
    bench_must(sc_table_scan(table, s->workers, take, contexts, &error), &error);
    sc_table_close(table);
    bench_must(sc_grouping_finish(grouping, &groups, &error), &error);
    check_groups(&groups, s);
    sc_grouping_free(grouping);
    sc_schema_free(request.schema);
}

static double milliseconds(struct timeval time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

/* A turn in a process of its own: its processor time, and the megabytes it needed. Without a
 * shape lines are counted. */
static double run_apart(const char *path, const shape *s, double *megabytes)
{
    struct rusage used;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        if (s == NULL)
            count_lines(path);
        else
            run(path, s);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
        bench_die("a turn of the bench has failed");
    *megabytes = (double)used.ru_maxrss / 1024;
    return milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
}

static void measure(const shape *s)
{
    char path[64], title[BENCH_NAME_BYTES], lines[BENCH_NAME_BYTES],
        memory[BENCH_NAME_BYTES];
    double samples[TURNS], base[TURNS], megabytes[TURNS], none;
    snprintf(title, sizeof title, "group %s, %u workers", s->name, s->workers);
    snprintf(lines, sizeof lines, "group %s, lines counted", s->name);
    snprintf(memory, sizeof memory, "group %s, memory", s->name);
    if (!bench_is_wanted(title))
        return;
    user_rows_write(path, s->rows, s->form);
    for (size_t i = 0; i < TURNS; i++) {
        base[i] = run_apart(path, NULL, &none);
        samples[i] = run_apart(path, s, &megabytes[i]);
    }
    unlink(path);
    bench_record(title, BENCH_MILLISECONDS, samples, TURNS, 0);
    bench_record(lines, BENCH_MILLISECONDS, base, TURNS, 0);
    bench_record(memory, BENCH_MEGABYTES, megabytes, TURNS,
                 s->rows == 10000000 ? 400 : 0);
}

BENCH(group)
{
    static const shape shapes[] = {
        {"10^4 rows", 10000, USER_ROWS_PLAIN, 2, 1, 1, true, true},
        {"10^7 rows", 10000000, USER_ROWS_PLAIN, 2, 1, 1, true, true},
        {"10^7 rows, 8 groups a user", 10000000, USER_ROWS_PLAIN, 2, 8, 8, true, true},
        {"10^7 rows, keys discovered", 10000000, USER_ROWS_PLAIN, 2, 1, 1, true, false},
        {"10^7 rows, rows as units", 10000000, USER_ROWS_PLAIN, 2, 1, 1, false, true},
        {"10^7 quoted rows", 10000000, USER_ROWS_QUOTED, 2, 1, 1, true, true},
        {"10^7 ragged rows", 10000000, USER_ROWS_RAGGED, 2, 1, 1, true, true},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        measure(&shapes[i]);
}
