/* Sixty users who ask one vault at once, each from a process of their own that opens the vault for
 * each question, as the program does; beside one who asks alone. Every transaction excludes all others.
 * Were they served in turn, no question would take longer than sixty questions of one: what is more is
 * time in which nobody had the lock, or somebody had it out of turn. Wall clock. */
#include "bench.h"
#include "scrim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define USERS 60
#define QUESTIONS 5 /* of each */
#define ALONE 30

typedef struct crowd_ground {
    char folder[64], path[96], table[96];
} crowd_ground;

/* In memory that all of them share. */
typedef struct crowd_times {
    double opened[USERS * QUESTIONS], answered[USERS * QUESTIONS];
    double alone[ALONE];
} crowd_times;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void write_table(const char *path)
{
    FILE *file = fopen(path, "w");
    bool is_written = file != NULL && fputs("id,sex\n", file) >= 0;
    for (int i = 0; is_written && i < 1000; i++)
        is_written = fprintf(file, "%d,%s\n", i, i % 2 == 0 ? "F" : "M") > 0;
    if (!is_written || fclose(file) != 0)
        bench_die("no table to ask about");
}

static void begin(crowd_ground *g)
{
    char policy[256];
    scrim_vault *vault = NULL;
    scrim_error error;
    snprintf(g->folder, sizeof g->folder, "/tmp/scrim-bench-XXXXXX");
    if (mkdtemp(g->folder) == NULL)
        bench_die("no folder to measure in");
    snprintf(g->path, sizeof g->path, "%s/scrim.vault", g->folder);
    snprintf(g->table, sizeof g->table, "%s/people.csv", g->folder);
    write_table(g->table);
    snprintf(policy, sizeof policy,
             "csv=%s\nunit=id\nrows-per-unit=1\ncolumn=sex=text\nkeys=sex=F,"
             "M\nneighbours=add-remove\n"
             "budget=epsilon=1000000\n",
             g->table);
    bench_must(scrim_vault_init(g->path, NULL, &error), &error);
    bench_must(scrim_vault_open(g->path, NULL, &vault, &error), &error);
    bench_must(scrim_vault_add_dataset(vault, "people", policy, &error), &error);
    scrim_vault_close(vault);
}

static void end(const crowd_ground *g)
{
    (void)unlink(g->path);
    (void)unlink(g->table);
    (void)rmdir(g->folder);
}

/* Another question each time: the same one would be answered from the ledger. */
static void ask(const crowd_ground *g, int number, double *opened, double *answered)
{
    static const char *const query = "SELECT sex, COUNT(*) GROUP BY sex";
    char epsilon[32];
    scrim_vault *vault = NULL;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_error error;
    snprintf(epsilon, sizeof epsilon, "%d/1000", number + 1);
    const double start = now_ms();
    bench_must(scrim_vault_open(g->path, NULL, &vault, &error), &error);
    *opened = now_ms() - start;
    bench_must(scrim_plan_new(
                   vault, "people", &query, 1,
                   SCRIM_OPTIONS(scrim_query_options, .epsilon = epsilon, .workers = 1),
                   &plan, NULL, &error),
               &error);
    bench_must(scrim_query_run(vault, plan, &result, &error), &error);
    *answered = now_ms() - start;
    scrim_result_free(result);
    scrim_plan_free(plan);
    scrim_vault_close(vault);
}

static void ask_as_one_of_many(const crowd_ground *g, crowd_times *times)
{
    for (int user = 0; user < USERS; user++) {
        const pid_t process = fork();
        if (process < 0)
            bench_die("no process to ask in");
        if (process > 0)
            continue;
        const int first = user * QUESTIONS;
        /* The processes begin at once, and it is not their beginning that is measured. */
        ask(g, ALONE + USERS * QUESTIONS + user, &times->opened[first],
            &times->answered[first]);
        for (int i = first; i < first + QUESTIONS; i++)
            ask(g, ALONE + i, &times->opened[i], &times->answered[i]);
        _exit(0);
    }
    for (int user = 0; user < USERS; user++) {
        int status = 1;
        if (wait(&status) < 0 || status != 0)
            bench_die("a question of many has failed");
    }
}

static double median(const double *samples, size_t count, double *most)
{
    double sorted[USERS * QUESTIONS];
    memcpy(sorted, samples, count * sizeof *samples);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i; k > 0 && sorted[k - 1] > sorted[k]; k--) {
            const double smaller = sorted[k];
            sorted[k] = sorted[k - 1];
            sorted[k - 1] = smaller;
        }
    *most = sorted[count - 1];
    return sorted[count / 2];
}

BENCH(vault_crowd)
{
    static const char alone[] = "vault: a question of one user";
    static const char opens[] = "vault: 60 users at once: open";
    static const char answers[] = "vault: 60 users at once: a question, opening included";
    static const char slowest[] = "vault: 60 users at once: the slowest question";
    crowd_ground g = {.folder = ""};
    double opened, most;
    if (!bench_is_wanted(answers))
        return;
    crowd_times *times = mmap(NULL, sizeof *times, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (times == MAP_FAILED)
        bench_die("out of memory to share");
    begin(&g);
    for (int i = 0; i < ALONE; i++)
        ask(&g, i, &opened, &times->alone[i]);
    ask_as_one_of_many(&g, times);
    const double fair = USERS * median(times->alone, ALONE, &most);
    (void)median(times->answered, (size_t)USERS * QUESTIONS, &most);
    bench_record(alone, BENCH_MILLISECONDS, times->alone, ALONE, 0);
    bench_record(opens, BENCH_MILLISECONDS, times->opened, (size_t)USERS * QUESTIONS, 0);
    bench_record(answers, BENCH_MILLISECONDS, times->answered, (size_t)USERS * QUESTIONS,
                 fair / 2);
    bench_record(slowest, BENCH_MILLISECONDS, &most, 1, fair);
    (void)munmap(times, sizeof *times);
    end(&g);
}
