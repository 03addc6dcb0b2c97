/* A question from the start of the program to its last byte, the sync of the charge included. Each
 * turn asks another question: the same one would be answered from the ledger. */
#include "bench.h"
#include "user_rows.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TURNS 9

extern char **environ;

/* Runs the program with its output thrown away; milliseconds by the wall. */
static double run(char *const *words)
{
    struct timespec start, end;
    posix_spawn_file_actions_t actions;
    pid_t process = -1;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    const bool ran =
        posix_spawn(&process, words[0], &actions, NULL, words, environ) == 0 &&
        waitpid(process, &status, 0) == process && status == 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    posix_spawn_file_actions_destroy(&actions);
    if (!ran)
        bench_die("the question to measure has failed");
    return (double)(end.tv_sec - start.tv_sec) * 1e3 +
           (double)(end.tv_nsec - start.tv_nsec) * 1e-6;
}

/* A vault needs a folder that others cannot write. */
static void make_folder(char folder[64])
{
    const char *place = getenv("TMPDIR");
    snprintf(folder, 64, "%.40s/query_bench.XXXXXX", place == NULL ? "/tmp" : place);
    if (mkdtemp(folder) == NULL)
        bench_die("no folder for the vault of the bench");
}

static void remove_folder(const char *folder, const char *vault)
{
    unlink(vault);
    rmdir(folder);
}

static void measure(const char *name, uint64_t rows, double target)
{
    char path[64], folder[64], vault[80], epsilon[16];
    char *program = bench_program();
    double walls[TURNS];
    if (program == NULL || !bench_is_wanted(name))
        return;
    user_rows_write(path, rows, USER_ROWS_PLAIN);
    make_folder(folder);
    snprintf(vault, sizeof vault, "%s/vault", folder);
    run((char *[]){program, "init", "--vault", vault, "--quiet", NULL});
    run((char *[]){program,
                   "dataset",
                   "add",
                   "rows",
                   "--vault",
                   vault,
                   "--csv",
                   path,
                   "--unit",
                   "user",
                   "--rows-per-unit",
                   "1",
                   "--column",
                   "key=text",
                   "--column",
                   "value=decimal[0,100]",
                   "--budget",
                   "epsilon=100,delta=1e-3",
                   "--max-size",
                   "1GiB",
                   "--quiet",
                   NULL});
    for (size_t i = 0; i < TURNS; i++) {
        snprintf(epsilon, sizeof epsilon, "1.%03zu", i);
        walls[i] = run((char *[]){
            program, "query", "rows",
            "SELECT key, COUNT(*), SUM(value), AVG(value) GROUP BY key", "--epsilon",
            epsilon, "--delta", "1e-6", "--vault", vault, "--quiet", NULL});
    }
    bench_record(name, BENCH_MILLISECONDS, walls, TURNS, target);
    remove_folder(folder, vault);
    unlink(path);
}

BENCH(query)
{
    measure("query: 10^4 rows, from the start of the program", 10000, 50);
    measure("query: 10^7 rows, from the start of the program", 10000000, 0);
}
