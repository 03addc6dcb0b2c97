/* The engine's part of a query from end to end: a CSV file of users is read, bounded and summed by
 * key, by the clock on the wall and in processor time of all workers together. Beside it are a pass
 * of one thread that finds the lines one by one, and wc -l of this machine, which may count them by
 * vectors as fast as memory is copied. Each turn is a process of its own, so that its memory can be
 * told. */
#include "bench.h"
#include "data/table/table.h"
#include "query/rows/group.h"
#include "user_rows.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TURNS 7
#define ROWS 10000000
/* At most five times as long as the lines take to count. */
#define RATIO_TARGET 0.2
#define PUBLIC_KEYS 1000

typedef struct shape {
    const char *name;
    uint64_t rows;
    user_rows_form form;
    unsigned workers;
    uint64_t max_groups, max_rows;
    bool has_units, has_keys;
} shape;

/* As a plain wc -l does. */
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
                                .bounds = {s->max_groups, s->max_rows, 0},
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

typedef enum work { GROUP_ROWS, COUNT_LINES, RUN_WC } work;

typedef struct cost {
    double wall, processor, megabytes; /* times in milliseconds */
} cost;

static double milliseconds(struct timeval time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

static double wall_milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void run_wc(const char *path)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
        execlp("wc", "wc", "-l", path, (char *)NULL);
    _exit(1);
}

/* A turn in a process of its own. */
static cost run_apart(const char *path, work what, const shape *s)
{
    struct rusage used;
    int status;
    const double start = wall_milliseconds();
    const pid_t child = fork();
    if (child == 0) {
        if (what == GROUP_ROWS)
            run(path, s);
        else if (what == COUNT_LINES)
            count_lines(path);
        else
            run_wc(path);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
        bench_die("a turn of the bench has failed");
    return (cost){wall_milliseconds() - start,
                  milliseconds(used.ru_utime) + milliseconds(used.ru_stime),
                  (double)used.ru_maxrss / 1024};
}

static void record(const shape *s, const char *what, double *samples, double target)
{
    char name[BENCH_NAME_BYTES];
    snprintf(name, sizeof name, "group %s, %s", s->name, what);
    bench_record(name, target > 0 ? BENCH_MEGABYTES : BENCH_MILLISECONDS, samples, TURNS,
                 target);
}

static void record_beside(const shape *s, const char *what, const double *samples,
                          const char *rival, const double *rival_samples, double target)
{
    char name[BENCH_NAME_BYTES];
    double sorted[TURNS];
    memcpy(sorted, samples, sizeof sorted);
    snprintf(name, sizeof name, "group %s, %s", s->name, what);
    bench_record_beside(name, BENCH_MILLISECONDS, sorted, TURNS, rival, rival_samples,
                        target);
}

static void measure(const shape *s)
{
    char path[64], title[BENCH_NAME_BYTES];
    double wall[TURNS], processor[TURNS], megabytes[TURNS], lines[TURNS], wc[TURNS];
    snprintf(title, sizeof title, "group %s", s->name);
    if (!bench_is_wanted(title))
        return;
    user_rows_write(path, s->rows, s->form);
    run_apart(path, COUNT_LINES, s);
    for (size_t i = 0; i < TURNS; i++) {
        const cost own = run_apart(path, GROUP_ROWS, s);
        lines[i] = run_apart(path, COUNT_LINES, s).wall;
        wc[i] = run_apart(path, RUN_WC, s).wall;
        wall[i] = own.wall;
        processor[i] = own.processor;
        megabytes[i] = own.megabytes;
    }
    unlink(path);
    /* The bar is five times a count that looks for one line after the other, which is what wc -l
     * took where the bar was set; Debian's looks at 32 bytes at once by now. */
    record_beside(s, "on the wall", wall, "lines counted", lines, RATIO_TARGET);
    record_beside(s, "on the wall again", wall, "wc -l", wc, 0);
    record(s, "processor", processor, 0);
    record(s, "lines counted", lines, 0);
    record(s, "wc -l", wc, 0);
    record(s, "memory", megabytes, 400);
}

/* The cost of a row, with few and with many: the same, if time is linear. Memory is that of units, of
 * which there are an eighth as many as rows, up to what a plan lets rows take. */
static void measure_growth(const char *name, uint64_t rows)
{
    const shape s = {name, rows, USER_ROWS_PLAIN, 2, 1, 1, true, true};
    char path[64], title[BENCH_NAME_BYTES], memory[BENCH_NAME_BYTES];
    double nanoseconds[TURNS], megabytes[TURNS];
    snprintf(title, sizeof title, "group growth, %s, each", name);
    snprintf(memory, sizeof memory, "group growth, %s, memory", name);
    if (!bench_is_wanted(title))
        return;
    user_rows_write(path, rows, USER_ROWS_PLAIN);
    run_apart(path, COUNT_LINES, &s);
    for (size_t i = 0; i < TURNS; i++) {
        const cost own = run_apart(path, GROUP_ROWS, &s);
        nanoseconds[i] = own.wall * 1e6 / (double)rows;
        megabytes[i] = own.megabytes;
    }
    unlink(path);
    bench_record(title, BENCH_NANOSECONDS, nanoseconds, TURNS, 0);
    bench_record(memory, BENCH_MEGABYTES, megabytes, TURNS, 0);
}

BENCH(group)
{
    static const shape shapes[] = {
        {"10^7 rows", ROWS, USER_ROWS_PLAIN, 2, 1, 1, true, true},
        {"10^7 rows, 8 groups a user", ROWS, USER_ROWS_PLAIN, 2, 8, 8, true, true},
        {"10^7 rows, keys discovered", ROWS, USER_ROWS_PLAIN, 2, 1, 1, true, false},
        {"10^7 rows, rows as units", ROWS, USER_ROWS_PLAIN, 2, 1, 1, false, true},
        {"10^7 quoted rows", ROWS, USER_ROWS_QUOTED, 2, 1, 1, true, true},
        {"10^7 ragged rows", ROWS, USER_ROWS_RAGGED, 2, 1, 1, true, true},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        measure(&shapes[i]);
    measure_growth("10^5 rows", 100000);
    measure_growth("10^6 rows", 1000000);
    measure_growth("10^7 rows", ROWS);
    if (bench_is_large())
        measure_growth("10^8 rows", 100000000);
}
