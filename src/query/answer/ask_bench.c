/* Whole questions about a CSV file, by one worker: the charge, the pass over the rows, the draws and the record. Each turn
 * asks another question, since the same one would be answered from the ledger; its epsilon differs so little that the work is
 * the same. */
#include "bench.h"
#include "scrim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROWS 20000
#define NAME "query of 20,000 rows, keys and sums"

typedef struct ground {
    char folder[64], path[96], table[96];
    scrim_vault *vault;
    uint64_t asked;
} ground;

static void write_table(const char *path)
{
    FILE *file = fopen(path, "w");
    bool is_written = file != NULL && fputs("person,city,amount\n", file) >= 0;
    for (int i = 0; is_written && i < ROWS; i++)
        is_written = fprintf(file, "%d,city%d,%d\n", i / 2, i % 7, i % 100) > 0;
    if (!is_written || fclose(file) != 0)
        bench_die("no table to ask about");
}

static void begin(ground *g)
{
    char policy[512];
    scrim_error error;
    snprintf(g->folder, sizeof g->folder, "/tmp/scrim-bench-XXXXXX");
    if (mkdtemp(g->folder) == NULL)
        bench_die("no folder to measure in");
    snprintf(g->path, sizeof g->path, "%s/scrim.vault", g->folder);
    snprintf(g->table, sizeof g->table, "%s/people.csv", g->folder);
    write_table(g->table);
    snprintf(policy, sizeof policy,
             "csv=%s\nunit=person\nmax-groups=2\nmax-rows=2\ncolumn=city=text\n"
             "keys=city=city0,city1,city2,city3,city4,city5\ncolumn=amount=int[0,100]\n"
             "neighbours=add-remove\nbudget=epsilon=1000000\n",
             g->table);
    bench_must(scrim_vault_init(g->path, NULL, &error), &error);
    bench_must(scrim_vault_open(g->path, NULL, &g->vault, &error), &error);
    bench_must(scrim_vault_add_dataset(g->vault, "people", policy, &error), &error);
}

static void end(const ground *g)
{
    scrim_vault_close(g->vault);
    (void)unlink(g->path);
    (void)unlink(g->table);
    (void)rmdir(g->folder);
}

static void ask(void *context, uint64_t operations)
{
    static const char *const query =
        "SELECT city, COUNT(*) AS n, SUM(amount) AS s WHERE amount > 10 GROUP BY city";
    ground *g = context;
    scrim_error error;
    for (; operations > 0; operations--) {
        char epsilon[32];
        scrim_plan *plan = NULL;
        scrim_result *result = NULL;
        snprintf(epsilon, sizeof epsilon, "0.1%08" PRIu64, ++g->asked);
        bench_must(scrim_plan_new(g->vault, "people", &query, 1,
                                  SCRIM_OPTIONS(scrim_query_options, .epsilon = epsilon,
                                                .workers = 1),
                                  &plan, NULL, &error),
                   &error);
        bench_must(scrim_query_run(g->vault, plan, &result, &error), &error);
        bench_keep(result);
        scrim_result_free(result);
        scrim_plan_free(plan);
    }
}

BENCH(ask)
{
    ground g = {.vault = NULL};
    begin(&g);
    bench_measure(&(bench_case){.name = NAME,
                                .unit = BENCH_MILLISECONDS,
                                .body = ask,
                                .context = &g,
                                .counted = 1});
    end(&g);
}
