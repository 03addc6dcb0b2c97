/* Attack A87: whoever makes a vault is killed, or fails, and leaves nothing in the way of the next. */
#include "check.h"
#include "scene.h"
#include "secret.h"
#include "syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static scrim_status init(const scene *s, scrim_error *error)
{
    return scrim_vault_init(
        s->path, SCRIM_OPTIONS(scrim_vault_options, .witness = s->witness), error);
}

static void make(void *context)
{
    if (init(context, NULL) != SCRIM_OK)
        _exit(1);
}

static int files_in(const char *folder)
{
    int count = -2; /* itself and the one above */
    DIR *open_folder = opendir(folder);
    while (open_folder != NULL && readdir(open_folder) != NULL)
        count++;
    if (open_folder != NULL)
        closedir(open_folder);
    return count;
}

/* It is there, with its witness, and nothing else is. */
static void check_made(const scene *s, const char *what, uint64_t nth)
{
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    scrim_vault_state state;
    if (scrim_vault_open(s->path, NULL, &vault, &error) != SCRIM_OK)
        CHECK_FAIL("%s %llu: %s", what, (unsigned long long)nth, error.message);
    scrim_vault_close(vault);
    CHECK_STATUS(scrim_vault_check(s->path, NULL, &state, NULL), SCRIM_OK);
    CHECK(access(s->witness, F_OK) == 0);
    if (files_in(s->folder) != 2)
        CHECK_FAIL("%s %llu: %d files", what, (unsigned long long)nth,
                   files_in(s->folder));
}

SLOW_TEST(A87_killed_while_a_vault_is_made)
{
    CLAIM("vault.place");
    scene s;
    syscalls_result result = {.was_hit = true};
    uint64_t made = 0, absent = 0, unwitnessed = 0;
    uint64_t boundaries = UINT64_MAX; /* of a whole run: the fewest of three */
    if (!scene_begin(&s))
        return;
    CHECK_STATUS(init(&s, NULL), SCRIM_OK); /* what is read once is read */
    check_made(&s, "whole", 0);
    scene_end(&s);
    for (uint64_t at = 0, whole = 0, again = 0; result.was_hit || at <= 1;) {
        scrim_error error = {.message = ""};
        if (!scene_begin(&s))
            return;
        if (!syscalls_run(make, &s, &(syscalls_plan){.kill_at = at}, &result)) {
            scene_end(&s);
            SKIP("this system does not let a process be traced");
        }
        if (access(s.path, F_OK) == 0) {
            made++;
            unwitnessed += access(s.witness, F_OK) != 0;
        } else {
            absent++;
            if (init(&s, &error) != SCRIM_OK)
                CHECK_FAIL("killed at %llu: %s", (unsigned long long)at, error.message);
        }
        check_made(&s, "killed at", at);
        scene_end(&s);
        if (at == 0 && result.boundaries < boundaries)
            boundaries = result.boundaries;
        /* Most closely at the end, where it gets its names. */
        if (at > 0 || ++whole == 3)
            at += at == 0 || at + 90 > boundaries ? 1 : check_count(29, 1);
        /* No two runs have the same calls: what lies between the names may be missed. */
        if (!result.was_hit && at > 1 && unwitnessed == 0 && again++ < 10) {
            at = boundaries > 90 ? boundaries - 90 : 1;
            result.was_hit = true;
        }
    }
    CHECK(made > 1 && absent > 0 && unwitnessed > 0);
}

/* One that was killed between the two names is finished by whoever opens it, and only as long as
 * nothing was declared in it. */
TEST(A87_witness_is_made_again_for_an_empty_vault_only)
{
    CLAIM("vault.place");
    scene s;
    scrim_vault *vault = NULL;
    if (!scene_begin(&s))
        return;
    REQUIRE_OK(init(&s, NULL));
    CHECK(unlink(s.witness) == 0);
    check_made(&s, "without its witness", 0);
    scene_end(&s);
    if (!scene_begin_vault(&s, "epsilon=1", true))
        return;
    CHECK(unlink(s.witness) == 0);
    CHECK_STATUS(scrim_vault_open(s.path, NULL, &vault, NULL), SCRIM_E_LEDGER);
    CHECK(access(s.witness, F_OK) != 0);
    scene_end(&s);
}

/* A failure leaves the folder as it was. */
FAULT_TEST(A87_disk_errors_leave_nothing)
{
    if (secret_is_under_valgrind())
        SKIP("the calls that fail would be valgrind's own as well");
    static const int errors[] = {EIO, ENOSPC};
    scene s;
    uint64_t refused = 0;
    for (size_t e = 0; e < COUNT(errors); e++) {
        syscalls_result result = {.was_hit = true};
        for (uint64_t at = 1; result.was_hit; at += check_count(3, 1)) {
            if (!scene_begin(&s))
                return;
            if (!syscalls_run(make, &s,
                              &(syscalls_plan){.fail_at = at, .error = errors[e]},
                              &result)) {
                scene_end(&s);
                SKIP("this system does not let a process be traced");
            }
            if (result.wait_status == 0) {
                check_made(&s, "call", at);
            } else {
                refused++;
                if (files_in(s.folder) != 0)
                    CHECK_FAIL("call %llu: %d files", (unsigned long long)at,
                               files_in(s.folder));
            }
            scene_end(&s);
        }
    }
    CHECK(refused > 10);
}

/* A file that the user keeps under the name which is needed for a while is not touched. */
TEST(A87_files_of_others_are_not_replaced)
{
    scene s;
    char name[112];
    struct stat file;
    scrim_error error = {.message = ""};
    if (!scene_begin(&s))
        return;
    snprintf(name, sizeof name, "%s-init", s.path);
    CHECK(mkdir(name, 0700) == 0);
    CHECK_STATUS(init(&s, &error), SCRIM_E_LEDGER);
    CHECK(strstr(error.message, "move it away") != NULL && rmdir(name) == 0);
    const int made = open(name, O_CREAT | O_WRONLY, 0644);
    CHECK(made >= 0 && close(made) == 0 && chmod(name, 0644) == 0);
    CHECK_STATUS(init(&s, &error), SCRIM_E_LEDGER);
    CHECK(stat(name, &file) == 0 && files_in(s.folder) == 1 && unlink(name) == 0);
    CHECK_STATUS(init(&s, &error), SCRIM_OK);
    check_made(&s, "made", 0);
    scene_end(&s);
}
