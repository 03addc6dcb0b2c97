/* The pass of a statement over a CSV file of users: condition, key and values computed, rows bounded
 * and summed. Time is processor time, of all workers together. */
#include "bench.h"
#include "query/language/validate.h"
#include "query/rows/key_tuple.h"
#include "query/rows/pass.h"
#include "user_rows.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TURNS 5
#define PUBLIC_KEYS 1000
#define KEY_BYTES 8

typedef struct shape {
    const char *name, *query;
    uint64_t rows;
    bool has_keys;
    double target; /* milliseconds */
} shape;

static double milliseconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

/* The tuples of the texts "0" to "999". */
static void list_keys(sc_text *keys, char names[][KEY_BYTES])
{
    for (size_t i = 0; i < PUBLIC_KEYS; i++) {
        snprintf(names[i], KEY_BYTES, "%zu", i);
        keys[i] = (sc_text){names[i], strlen(names[i]) + 1};
    }
}

static double run(const char *path, const shape *s)
{
    static char names[PUBLIC_KEYS][KEY_BYTES];
    static sc_text keys[PUBLIC_KEYS];
    char policy[200];
    const sc_schema *schema = NULL;
    const sc_query *query = NULL;
    sc_statistics statistics;
    sc_arena arena;
    sc_pass *pass = NULL;
    scrim_error error;
    sc_refusal refusal = {.error = &error};
    const sc_pass_options options = {.workers = 2};
    list_keys(keys, names);
    sc_arena_init(&arena);
    snprintf(policy, sizeof policy,
             "unit=user\ncolumn=key=text\ncolumn=value=decimal[0,100]\ncsv=%s\n", path);
    bench_must(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error), &error);
    bench_must(sc_validate(sc_text_of(s->query), sc_text_of("users"), schema, &arena,
                           &query, &refusal),
               &error);
    bench_must(sc_statistics_of(query,
                                &(sc_statistics_plan){.bounds = query->schema->bounds},
                                &arena, &statistics, &error),
               &error);
    const sc_pass_statement asked = {.query = query,
                                     .statistics = &statistics,
                                     .bounds = {1, 1, 0},
                                     .has_keys = s->has_keys,
                                     .keys = keys,
                                     .key_count = PUBLIC_KEYS};
    const double start = milliseconds();
    bench_must(sc_pass_open(schema, &asked, 1, &options, bench_bits(), &pass, &error),
               &error);
    bench_must(sc_pass_run(pass, &error), &error);
    const double end = milliseconds();
    if (sc_pass_groups(pass, 0)->count == 0)
        bench_die("groups are missing");
    sc_pass_close(pass);
    sc_arena_clear(&arena);
    sc_schema_free(schema);
    return end - start;
}

static void measure(const shape *s)
{
    char path[64], title[BENCH_NAME_BYTES];
    double samples[TURNS];
    snprintf(title, sizeof title, "pass %s", s->name);
    if (!bench_is_wanted(title))
        return;
    user_rows_write(path, s->rows, USER_ROWS_PLAIN);
    (void)run(path, s);
    for (size_t i = 0; i < TURNS; i++)
        samples[i] = run(path, s);
    unlink(path);
    bench_record(title, BENCH_MILLISECONDS, samples, TURNS, s->target);
}

BENCH(pass)
{
    static const char plain[] = "SELECT key, COUNT(*), SUM(value) GROUP BY key";
    static const shape shapes[] = {
        {"10^4 rows", plain, 10000, true, 0},
        {"10^7 rows", plain, 10000000, true, 1000},
        {"10^7 rows, keys discovered", plain, 10000000, false, 0},
        {"10^7 rows, no keys", "SELECT COUNT(*), AVG(value)", 10000000, true, 0},
        {"10^7 rows, computed",
         "SELECT BUCKET(value, 10) AS b, SUM(value * 2 + 1) AS s WHERE value > 5 GROUP "
         "BY "
         "BUCKET(value, 10)",
         10000000, false, 0},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        measure(&shapes[i]);
}
