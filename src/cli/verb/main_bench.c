/* The program as a whole: how soon it starts, how fast it prints, how large it is. */
#include "bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STARTS 50
#define PRINTS 5
#define PRINTED "10000000"

extern char **environ;

/* Runs a command to its end with its output thrown away: wall-clock and processor seconds. */
static bool run(char *const *command, double *wall, double *processor)
{
    struct timespec start, end;
    struct rusage usage;
    posix_spawn_file_actions_t actions;
    pid_t process = -1;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    bool ran =
        posix_spawnp(&process, command[0], &actions, NULL, command, environ) == 0 &&
        wait4(process, &status, 0, &usage) == process && status == 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    posix_spawn_file_actions_destroy(&actions);
    if (!ran)
        return false;
    *wall = (double)(end.tv_sec - start.tv_sec) +
            (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    *processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                 (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    return true;
}

static void must_run(char *const *command, double *wall, double *processor)
{
    static const scrim_error failed = {.message = "the program to measure has failed"};
    if (!run(command, wall, processor))
        bench_must(SCRIM_E_INTERNAL, &failed);
}

static void measure_start(const char *name, char *const *command)
{
    double walls[STARTS], processor;
    if (!bench_is_wanted(name))
        return;
    must_run(command, &walls[0], &processor); /* warm: the files are in memory */
    for (size_t i = 0; i < STARTS; i++) {
        must_run(command, &walls[i], &processor);
        walls[i] *= 1e3;
    }
    bench_record(name, BENCH_MILLISECONDS, walls, STARTS, 10);
}

/* Measures the whole program, start and formatting included, by its processor time. */
static void measure_print(const char *name, char *const *command)
{
    double speeds[PRINTS], wall, processor;
    if (!bench_is_wanted(name))
        return;
    for (size_t i = 0; i < PRINTS; i++) {
        must_run(command, &wall, &processor);
        speeds[i] = strtod(PRINTED, NULL) * 1e-6 / processor;
    }
    bench_record(name, BENCH_DRAWS, speeds, PRINTS, 0);
}

BENCH(program)
{
    char *program = bench_program();
    if (program == NULL)
        return;
    measure_start("start: scrim --version", (char *[]){program, "--version", NULL});
    measure_start("start: scrim sample discrete-laplace scale=10",
                  (char *[]){program, "sample", "discrete-laplace", "scale=10", NULL});
    measure_print("print: scrim sample discrete-laplace -n 10^7",
                  (char *[]){program, "sample", "discrete-laplace", "scale=10", "-n",
                             PRINTED, "--quiet", NULL});
    measure_print("print: the same with --binary",
                  (char *[]){program, "sample", "discrete-laplace", "scale=10", "-n",
                             PRINTED, "--quiet", "--binary", NULL});
}

/* Bytes of a file without its symbols; 0 when strip is not installed. */
static double stripped_bytes(char *path)
{
    char copy[] = "/tmp/scrim-bench-XXXXXX";
    struct stat file = {0};
    double wall, processor, bytes = 0;
    int descriptor = mkstemp(copy);
    if (descriptor < 0)
        return 0;
    (void)close(descriptor);
    if (run((char *[]){"strip", "-o", copy, path, NULL}, &wall, &processor) &&
        stat(copy, &file) == 0)
        bytes = (double)file.st_size;
    (void)unlink(copy);
    return bytes;
}

static void measure_size(const char *name, char *path, double limit)
{
    if (path == NULL || !bench_is_wanted(name))
        return;
    double megabytes = stripped_bytes(path) * 1e-6;
    if (megabytes > 0)
        bench_record(name, BENCH_MEGABYTES, &megabytes, 1, limit);
}

BENCH(size)
{
    measure_size("size: program, stripped", bench_program(), 3);
    measure_size("size: library, stripped", bench_library(), 2.7);
}
