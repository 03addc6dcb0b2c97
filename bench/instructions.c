#include "instructions.h"

#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNTS_MAX 256
#define ARGUMENTS_MAX 32
/* The function that callgrind counts in, and after which it writes a part of its file. */
#define COUNTED "instructions_counted"

typedef struct count {
    char name[BENCH_NAME_BYTES];
    double each;
} count;

static count counts[COUNTS_MAX];
static size_t count_count;

extern char **environ;

double instructions_of(const char *name)
{
    for (size_t i = 0; i < count_count; i++)
        if (strcmp(counts[i].name, name) == 0)
            return counts[i].each;
    return BENCH_UNKNOWN;
}

/* In the process that is counted. */

void instructions_counted(const bench_case *c, uint64_t operations);

__attribute__((noinline)) void instructions_counted(const bench_case *c,
                                                    uint64_t operations)
{
    c->body(c->context, operations);
    bench_keep(c); /* no tail call: callgrind must see this function return */
}

void instructions_run(const bench_case *c)
{
    c->body(c->context, c->counted);
    instructions_counted(c, c->counted);
    instructions_counted(c, 2 * c->counted);
    printf("%" PRIu64 " %s\n", c->counted, c->name);
}

/* In the process that asks. */

/* What callgrind has counted up to its n-th part; -1 when there is none. */
static double part_total(const char *folder, size_t n)
{
    char path[256], line[512];
    double total = -1;
    (void)snprintf(path, sizeof path, "%s/out.%zu", folder, n);
    FILE *part = fopen(path, "r");
    if (part == NULL)
        return -1;
    while (fgets(line, sizeof line, part) != NULL)
        if (strncmp(line, "summary: ", 9) == 0)
            total = strtod(line + 9, NULL);
    (void)fclose(part);
    (void)unlink(path);
    return total;
}

/* Each line that the counted process prints stands for two parts. */
static void read_counts(FILE *lines, count *list, uint64_t *operations, size_t *n)
{
    char line[BENCH_NAME_BYTES + 32];
    while (*n < COUNTS_MAX && fgets(line, sizeof line, lines) != NULL) {
        char *name;
        operations[*n] = strtoull(line, &name, 10);
        name[strcspn(name, "\n")] = '\0';
        (void)snprintf(list[*n].name, sizeof list->name, "%s", *name ? name + 1 : name);
        ++*n;
    }
}

static pid_t spawn_valgrind(const char *folder, char *const *arguments, int output)
{
    char file[256];
    char *command[ARGUMENTS_MAX] = {
        "valgrind",
        "--quiet",
        "--tool=callgrind",
        "--toggle-collect=" COUNTED,
        "--dump-after=" COUNTED,
        file,
        "/proc/self/exe",
        "--counting",
    };
    char self[4096];
    ssize_t bytes = readlink(command[6], self, sizeof self - 1);
    if (bytes < 0)
        return -1;
    self[bytes] = '\0';
    command[6] = self;
    (void)snprintf(file, sizeof file, "--callgrind-out-file=%s/out", folder);
    for (size_t i = 8; *arguments != NULL && i < ARGUMENTS_MAX - 1; i++)
        command[i] = *arguments++;
    pid_t process = -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (posix_spawnp(&process, command[0], &actions, NULL, command, environ) != 0)
        process = -1;
    posix_spawn_file_actions_destroy(&actions);
    return process;
}

bool instructions_count(char *const *arguments)
{
    static uint64_t operations[COUNTS_MAX];
    char folder[] = "/tmp/scrim-bench-XXXXXX", last[sizeof folder + 8];
    int status = 0, ends[2];
    if (mkdtemp(folder) == NULL)
        return false;
    FILE *lines = NULL;
    if (pipe(ends) == 0) {
        pid_t process = spawn_valgrind(folder, arguments, ends[1]);
        (void)close(ends[1]);
        lines = fdopen(ends[0], "r");
        if (lines != NULL)
            read_counts(lines, counts, operations, &count_count);
        if (process < 0 || waitpid(process, &status, 0) < 0)
            status = -1;
    }
    for (size_t i = 0; i < count_count; i++) {
        double once = part_total(folder, 2 * i + 1);
        double twice = part_total(folder, 2 * i + 2);
        counts[i].each = once < 0 || twice < 0 ? BENCH_UNKNOWN
                                               : (twice - once) / (double)operations[i];
    }
    if (lines != NULL)
        (void)fclose(lines);
    (void)snprintf(last, sizeof last, "%s/out", folder);
    (void)unlink(last);
    (void)rmdir(folder);
    if (status != 0)
        fputs("bench: no instruction counts; is valgrind installed?\n", stderr);
    return status == 0;
}
