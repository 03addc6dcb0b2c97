/* A question about 10^7 rows that are pushed, whole numbers and a dictionary, beside the same question about the
 * CSV file of the same rows. Time is processor time, of all workers together, from the plan to the answer. */
#include "bench.h"
#include "scrim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROWS 10000000
#define KEYS 1000
#define BATCH 1000000
#define TURNS 5

/* A user has at most eight rows. */
typedef struct ground {
    char folder[32], path[64], table[64];
    scrim_vault *vault;
    int64_t *users, *values;
    int16_t *keys;
    char names[4 * KEYS]; /* of the keys, "0" to "999" */
    int32_t ends[KEYS + 1];
    unsigned asked;
} ground;

static double milliseconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        bench_die("no memory for the rows of the bench");
    return memory;
}

static void make_rows(ground *g)
{
    uint64_t state = 1;
    FILE *file = fopen(g->table, "w");
    if (file == NULL || fputs("user,key,value\n", file) < 0)
        bench_die("no file for the rows of the bench");
    for (size_t i = 0; i < ROWS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        g->users[i] = (int64_t)(i * 7 % (ROWS / 8 + 1));
        g->keys[i] = (int16_t)((state >> 33) % KEYS);
        g->values[i] = (int64_t)((state >> 45) % 10000);
        fprintf(file, "%" PRId64 ",%d,%" PRId64 "\n", g->users[i], g->keys[i],
                g->values[i]);
    }
    if (fclose(file) != 0)
        bench_die("the rows of the bench cannot be written");
}

static void add_datasets(ground *g)
{
    static const char lines[] = "unit=user\nmax-groups=1\nmax-rows=1\ncolumn=key=text\n"
                                "column=value=int[0,10000]\nneighbours=add-remove\n"
                                "budget=epsilon=1000000\nmax-size=1GiB\nkeys=key=0";
    char policy[8000];
    scrim_error error;
    int length = snprintf(policy, sizeof policy, "%s", lines);
    for (int i = 1; i < KEYS; i++)
        length += snprintf(policy + length, sizeof policy - (size_t)length, ",%d", i);
    snprintf(policy + length, sizeof policy - (size_t)length, "\ncsv=%s\n", g->table);
    bench_must(scrim_vault_init(g->path, NULL, &error), &error);
    bench_must(scrim_vault_open(g->path, NULL, &g->vault, &error), &error);
    bench_must(scrim_vault_add_dataset(g->vault, "file", policy, &error), &error);
    snprintf(policy + length, sizeof policy - (size_t)length, "\nlive=yes\n");
    bench_must(scrim_vault_add_dataset(g->vault, "live", policy, &error), &error);
}

static void begin(ground *g)
{
    *g = (ground){.users = room(ROWS, sizeof *g->users),
                  .values = room(ROWS, sizeof *g->values),
                  .keys = room(ROWS, sizeof *g->keys)};
    snprintf(g->folder, sizeof g->folder, "/tmp/scrim-bench-XXXXXX");
    if (mkdtemp(g->folder) == NULL)
        bench_die("no folder to measure in");
    snprintf(g->path, sizeof g->path, "%s/scrim.vault", g->folder);
    snprintf(g->table, sizeof g->table, "%s/rows.csv", g->folder);
    for (int i = 0; i < KEYS; i++)
        g->ends[i + 1] =
            g->ends[i] + sprintf(g->names + g->ends[i], "%d", i); // NOLINT: it fits
    make_rows(g);
    add_datasets(g);
}

static void end(ground *g)
{
    scrim_vault_close(g->vault);
    (void)unlink(g->path);
    (void)unlink(g->table);
    (void)rmdir(g->folder);
    free(g->users);
    free(g->values);
    free(g->keys);
}

static void keep_schema(struct ArrowSchema *schema)
{
    (void)schema;
}

static void keep_array(struct ArrowArray *array)
{
    (void)array;
}

static void push(const ground *g, const scrim_plan *plan, scrim_result **out)
{
    struct ArrowSchema text = {.format = "u"},
                       types[] = {{.format = "l", .name = "user"},
                                  {.format = "s", .name = "key", .dictionary = &text},
                                  {.format = "l", .name = "value"}},
                       *typed[] = {&types[0], &types[1], &types[2]},
                       schema = {.format = "+s",
                                 .n_children = 3,
                                 .children = typed,
                                 .release = keep_schema};
    const void *none[] = {NULL}, *users[] = {NULL, g->users}, *keys[] = {NULL, g->keys},
               *values[] = {NULL, g->values}, *names[] = {NULL, g->ends, g->names};
    struct ArrowArray dictionary = {.length = KEYS, .n_buffers = 3, .buffers = names},
                      arrays[] = {{.length = ROWS, .n_buffers = 2, .buffers = users},
                                  {.length = ROWS,
                                   .n_buffers = 2,
                                   .buffers = keys,
                                   .dictionary = &dictionary},
                                  {.length = ROWS, .n_buffers = 2, .buffers = values}},
                      *columns[] = {&arrays[0], &arrays[1], &arrays[2]},
                      batch = {.length = BATCH,
                               .n_buffers = 1,
                               .n_children = 3,
                               .buffers = none,
                               .children = columns,
                               .release = keep_array};
    scrim_feed *feed = NULL;
    scrim_error error;
    bench_must(scrim_feed_begin(g->vault, plan, &schema, &feed, &error), &error);
    for (; batch.offset < ROWS; batch.offset += BATCH)
        bench_must(scrim_feed_put(feed, &batch, &error), &error);
    bench_must(scrim_feed_end(feed, out, &error), &error);
}

/* Another question each time: the same one would be answered from the ledger. */
static double ask(ground *g, bool is_pushed)
{
    static const char *const query = "SELECT key, COUNT(*), SUM(value) GROUP BY key";
    char epsilon[32];
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_error error;
    snprintf(epsilon, sizeof epsilon, "%u/1000", ++g->asked);
    const double start = milliseconds();
    bench_must(scrim_plan_new(
                   g->vault, is_pushed ? "live" : "file", &query, 1,
                   SCRIM_OPTIONS(scrim_query_options, .epsilon = epsilon, .workers = 2),
                   &plan, NULL, &error),
               &error);
    if (is_pushed)
        push(g, plan, &result);
    else
        bench_must(scrim_query_run(g->vault, plan, &result, &error), &error);
    const double took = milliseconds() - start;
    scrim_result_free(result);
    scrim_plan_free(plan);
    return took;
}

BENCH(feed)
{
    static const char own[] = "feed 10^7 rows", rival[] = "query 10^7 rows of CSV";
    double pushed[TURNS], read[TURNS];
    ground g;
    if (!bench_is_wanted(own))
        return;
    begin(&g);
    (void)ask(&g, false);
    (void)ask(&g, true);
    for (size_t i = 0; i < TURNS; i++) {
        read[i] = ask(&g, false);
        pushed[i] = ask(&g, true);
    }
    end(&g);
    bench_record_beside(own, BENCH_MILLISECONDS, pushed, TURNS, rival, read, 1 / 0.9);
}
