/* Attack A82: vaults of format 1, whose last charges are in a write-ahead log beside the file. */
#include "check.h"
#include "scene.h"
#include "syscalls.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VECTOR "tests/vectors/vault-format-1.sql"
#define SECOND "-- A second charge"

static char *read_vector(void)
{
    FILE *file = fopen(VECTOR, "r");
    char *text = calloc(1, 65536);
    if (!CHECK(file != NULL && text != NULL && fread(text, 1, 65535, file) > 0)) {
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

/* By a process that is killed before it has closed the file: the second charge is in the log. */
static void write_and_die(const char *path, char *text)
{
    sqlite3 *database = NULL;
    char *second = strstr(text, SECOND);
    second[0] = '\0';
    if (sqlite3_open(path, &database) != SQLITE_OK ||
        sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_close(database) != SQLITE_OK ||
        sqlite3_open(path, &database) != SQLITE_OK ||
        sqlite3_exec(database, strchr(second + 1, '\n'), NULL, NULL, NULL) != SQLITE_OK)
        _exit(1);
    raise(SIGKILL);
}

static bool lay(const scene *s, char *text)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal", "-unverified"};
    char name[128];
    int status = 0;
    for (size_t i = 0; i < COUNT(tails); i++) {
        snprintf(name, sizeof name, "%s%s", s->path, tails[i]);
        (void)unlink(name);
    }
    int file = open(s->path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    CHECK(file >= 0 && close(file) == 0);
    const pid_t child = fork();
    if (child == 0)
        write_and_die(s->path, text);
    snprintf(name, sizeof name, "%s-wal", s->path);
    return CHECK(child > 0 && waitpid(child, &status, 0) == child &&
                 WIFSIGNALED(status)) &&
           CHECK(access(name, F_OK) == 0);
}

static scrim_status open_moved(const scene *s, int wait_ms, scrim_vault **vault,
                               scrim_error *error)
{
    return scrim_vault_open(
        s->path, SCRIM_OPTIONS(scrim_vault_options, .is_moved = 1, .wait_ms = wait_ms),
        vault, error);
}

/* Its releases are found by the numbers that releases have now. */
static void check_replays(scrim_vault *vault)
{
    static const uint64_t entries[] = {8, 11};
    scrim_vault_release release;
    for (uint64_t i = 0; i < COUNT(entries); i++)
        if (CHECK_STATUS(scrim_vault_replay(vault, i + 1, &release, NULL), SCRIM_OK)) {
            CHECK_INT(release.id, i + 1);
            CHECK_INT(release.entry, entries[i]);
            CHECK_STR(release.answer, "98");
            scrim_vault_release_clear(&release);
        }
    CHECK_STATUS(scrim_vault_replay(vault, 8, &release, NULL), SCRIM_E_PARAM);
}

/* Both charges are there, and nothing is beside the file. */
static void check_converted(const scene *s, const char *what, uint64_t nth)
{
    static const char *const tails[] = {"-wal", "-shm", "-journal", "-unverified"};
    char name[128], left[SCRIM_NUMBER_BYTES];
    scrim_error error = {.message = ""};
    scrim_vault_state state;
    scrim_vault *vault = NULL;
    if (open_moved(s, 60000, &vault, &error) != SCRIM_OK) {
        CHECK_FAIL("%s %llu: %s", what, (unsigned long long)nth, error.message);
        return;
    }
    CHECK_STR(scene_left(vault, left), "0");
    CHECK_STATUS(scrim_vault_verify(vault, &state, &error), SCRIM_OK);
    CHECK(state.charges == 2 && state.releases == 2);
    check_replays(vault);
    scrim_vault_close(vault);
    for (size_t i = 0; i < COUNT(tails); i++) {
        snprintf(name, sizeof name, "%s%s", s->path, tails[i]);
        CHECK(access(name, F_OK) != 0);
    }
}

TEST(A82_old_log_is_written_into_the_file)
{
    CLAIM("journal.convert");
    scene s;
    char *text = read_vector();
    if (text == NULL || !scene_begin(&s) || !lay(&s, text))
        return;
    check_converted(&s, "whole", 0);
    /* A copy of the file alone has it all. */
    char copy[128];
    snprintf(copy, sizeof copy, "%s/copy", s.folder);
    CHECK(scene_copy(s.path, copy) && rename(copy, s.path) == 0);
    check_converted(&s, "copy", 0);
    free(text);
    scene_end(&s);
}

static void convert(void *context)
{
    scrim_vault *vault = NULL;
    if (open_moved(context, 60000, &vault, NULL) != SCRIM_OK)
        _exit(1);
    scrim_vault_close(vault);
}

SLOW_TEST(A82_killed_while_it_converts)
{
    CLAIM("journal.convert");
    scene s;
    syscalls_result result = {.was_hit = true};
    char *text = read_vector();
    if (text == NULL || !scene_begin(&s))
        return;
    for (uint64_t at = 1; result.was_hit; at += check_count(37, 1)) {
        if (!lay(&s, text))
            break;
        if (!syscalls_run(convert, &s, &(syscalls_plan){.kill_at = at}, &result)) {
            scene_end(&s);
            SKIP("this system does not let a process be traced");
        }
        check_converted(&s, "killed at", at);
    }
    CHECK_INT(result.wait_status, 0);
    free(text);
    scene_end(&s);
}

SLOW_TEST(A82_many_convert_at_once)
{
    CLAIM("journal.convert");
    scene s;
    char *text = read_vector();
    if (text == NULL || !scene_begin(&s))
        return;
    for (uint64_t round = check_count(4, 200); round > 0 && lay(&s, text); round--) {
        const int many = 8;
        for (int i = 0; i < many; i++)
            if (fork() == 0) {
                convert(&s);
                _exit(0);
            }
        for (int i = 0; i < many; i++) {
            int status = 1;
            CHECK(wait(&status) > 0 && status == 0);
        }
        check_converted(&s, "round", round);
    }
    free(text);
    scene_end(&s);
}

/* The index of a log is made anew by whoever comes first. */
SLOW_TEST(A82_damaged_index_of_an_old_log)
{
    CLAIM("journal.convert");
    scene s;
    char name[128];
    char *text = read_vector();
    if (text == NULL || !scene_begin(&s))
        return;
    snprintf(name, sizeof name, "%s-shm", s.path);
    const uint64_t bits = (uint64_t)8 * 32768, step = bits / check_count(25, 20000);
    for (uint64_t bit = check_seed() % step; bit < bits && lay(&s, text); bit += step) {
        unsigned char byte = 0;
        int file = open(name, O_RDWR);
        CHECK(file >= 0 && pread(file, &byte, 1, (off_t)(bit / 8)) == 1);
        byte ^= (unsigned char)(1u << bit % 8);
        CHECK(pwrite(file, &byte, 1, (off_t)(bit / 8)) == 1 && close(file) == 0);
        check_converted(&s, "bit", bit);
    }
    CHECK(lay(&s, text) && unlink(name) == 0);
    check_converted(&s, "gone", 0);
    free(text);
    scene_end(&s);
}

/* Logs of others are refused before they are read. */
TEST(A81_foreign_log_beside_an_old_vault)
{
    CLAIM("beside.own");
    scene s;
    char name[128];
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    char *text = read_vector();
    if (text == NULL || !scene_begin(&s) || !lay(&s, text))
        return;
    snprintf(name, sizeof name, "%s-wal", s.path);
    CHECK(chmod(name, 0640) == 0);
    CHECK_STATUS(open_moved(&s, 100, &vault, &error), SCRIM_E_LEDGER);
    CHECK(strstr(error.message, "is not a file of the vault's owner alone") != NULL);
    CHECK(chmod(name, 0600) == 0);
    check_converted(&s, "its own", 0);
    free(text);
    scene_end(&s);
}

static time_t seconds_now(void)
{
    struct timespec clock = {0};
    CHECK(clock_gettime(CLOCK_MONOTONIC, &clock) == 0);
    return clock.tv_sec;
}

/* While an earlier version of scrim uses the log, nobody takes it away. */
TEST(A82_old_log_in_use)
{
    CLAIM("journal.convert");
    scene s;
    sqlite3 *other = NULL;
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    char *text = read_vector();
    if (text == NULL || !scene_begin(&s) || !lay(&s, text))
        return;
    const pid_t child = fork();
    if (child == 0) {
        if (sqlite3_open(s.path, &other) != SQLITE_OK ||
            sqlite3_exec(other, "BEGIN; SELECT * FROM head", NULL, NULL, NULL) !=
                SQLITE_OK)
            _exit(1);
        raise(SIGSTOP);
        _exit(0);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    CHECK_STATUS(open_moved(&s, 50, &vault, &error), SCRIM_E_BUSY);
    /* Its turns wait as long together as one of them may: each for itself would take 15 s. */
    const time_t since = seconds_now();
    CHECK_STATUS(open_moved(&s, 400, &vault, &error), SCRIM_E_BUSY);
    CHECK(seconds_now() - since < 8);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
    check_converted(&s, "given up", 0);
    free(text);
    scene_end(&s);
}
