/* Attack A87: a disk that cannot be read is trouble with the disk, status 5, and never damage. */
#include "check.h"
#include "scene.h"
#include "secret.h"
#include "syscalls.h"
#include "table_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The view of a child, in memory that outlives it. */
typedef struct seen {
    scrim_status status;
    char message[SCRIM_MESSAGE_BYTES];
} seen;

typedef struct reader {
    const scene *s;
    scrim_measurement *question;
    seen *seen;
} reader;

static void note(const reader *me, scrim_status status, const scrim_error *error)
{
    me->seen->status = status;
    snprintf(me->seen->message, sizeof me->seen->message, "%s", error->message);
}

static void spend(void *context)
{
    const reader *me = context;
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    scrim_status status = scrim_vault_open(me->s->path, NULL, &vault, &error);
    if (status == SCRIM_OK)
        status = scene_release(vault, "people", me->question, NULL, &error);
    scrim_vault_close(vault);
    note(me, status, &error);
}

static void verify(void *context)
{
    const reader *me = context;
    scrim_error error = {.message = ""};
    scrim_vault_state state;
    note(me, scrim_vault_check(me->s->path, NULL, &state, &error), &error);
}

static void replay(void *context)
{
    const reader *me = context;
    scrim_error error = {.message = ""};
    scrim_vault_release release = {.answer = NULL};
    scrim_vault *vault = NULL;
    scrim_status status = scrim_vault_open(me->s->path, NULL, &vault, &error);
    if (status == SCRIM_OK)
        status = scrim_vault_replay(vault, 1, &release, &error);
    scrim_vault_release_clear(&release);
    scrim_vault_close(vault);
    note(me, status, &error);
}

/* A journal of a commit that was cut short, as often as it is needed. */
static char journal[112];

static void verify_with_journal(void *context)
{
    const reader *me = context;
    char kept[112];
    snprintf(kept, sizeof kept, "%s/kept", me->s->folder);
    if (!scene_copy(kept, journal))
        _exit(1);
    verify(context);
}

static bool leave_journal(const reader *me)
{
    char kept[112];
    syscalls_result result = {.was_hit = true};
    snprintf(journal, sizeof journal, "%s-journal", me->s->path);
    snprintf(kept, sizeof kept, "%s/kept", me->s->folder);
    for (uint64_t at = 400; result.was_hit; at += 10) {
        unsigned char first = 0;
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): what spends reads it alone */
        if (!syscalls_run(spend, (void *)(uintptr_t)me, &(syscalls_plan){.kill_at = at},
                          &result))
            return false;
        const int file = open(journal, O_RDONLY);
        const bool is_ready = file >= 0 && read(file, &first, 1) == 1 && first != 0;
        if (file >= 0)
            close(file);
        if (is_ready)
            return CHECK(scene_copy(journal, kept));
    }
    return CHECK(result.was_hit);
}

/* Every read from that file fails in turn. */
static void fail_reads(syscalls_body *body, reader *me, const char *of, const char *what)
{
    syscalls_result result = {.was_hit = true};
    uint64_t refused = 0;
    for (uint64_t at = 1; result.was_hit; at++) {
        const syscalls_plan plan = {.fail_at = at, .error = EIO, .reads_of = of};
        if (!syscalls_run(body, me, &plan, &result)) {
            scene_end(me->s);
            SKIP("this system does not let a process be traced");
        }
        CHECK_INT(result.wait_status, 0);
        const scrim_status status = me->seen->status;
        refused += status != SCRIM_OK;
        if (status != SCRIM_OK && status != SCRIM_E_LEDGER)
            CHECK_FAIL("%s, read %llu: status %d, %s", what, (unsigned long long)at,
                       (int)status, me->seen->message);
        if (strstr(me->seen->message, "damaged") != NULL ||
            strstr(me->seen->message, "no vault") != NULL ||
            strstr(me->seen->message, "not a witness") != NULL ||
            strstr(me->seen->message, "does not hold") != NULL)
            CHECK_FAIL("%s, read %llu: %s", what, (unsigned long long)at,
                       me->seen->message);
    }
    CHECK(refused > 0);
    CHECK_STATUS(me->seen->status, SCRIM_OK); /* the last one, where none failed */
}

FAULT_TEST(A87_read_errors_are_no_damage)
{
    if (secret_is_under_valgrind())
        SKIP("the calls that fail would be valgrind's own as well");
    CLAIM("store_sqlite.damage");
    scene s;
    scrim_vault_state state;
    if (!scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    reader me = {&s, scene_question("0.1"),
                 mmap(NULL, sizeof(seen), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
    REQUIRE(me.question != NULL && me.seen != MAP_FAILED);
    spend(&me);
    CHECK_STATUS(me.seen->status, SCRIM_OK);
    fail_reads(spend, &me, s.path, "spend");
    fail_reads(verify, &me, s.path, "verify");
    fail_reads(replay, &me, s.path, "replay");
    if (leave_journal(&me))
        fail_reads(verify_with_journal, &me, journal, "journal");
    fail_reads(spend, &me, s.witness, "witness");
    fail_reads(verify, &me, s.witness, "witness, verify");
    CHECK(scene_verifies(&s, &state));
    munmap(me.seen, sizeof *me.seen);
    scrim_measurement_free(me.question);
    scene_end(&s);
}

typedef struct source {
    const char *policy;
    scrim_status *status; /* in memory that outlives the child */
} source;

static void read_source(void *context)
{
    const source *me = context;
    table_rows rows;
    table_rows_read(&rows, me->policy, 1);
    *me->status = rows.status;
    table_rows_clear(&rows);
}

/* A source that cannot be read is status 6. */
TEST(A87_read_errors_of_a_source)
{
    if (secret_is_under_valgrind())
        SKIP("the calls that fail would be valgrind's own as well");
    scene s;
    if (!scene_begin(&s))
        return;
    scrim_status *status = mmap(NULL, sizeof *status, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(status != MAP_FAILED);
    for (size_t i = 0; i < 2; i++) {
        char policy[256], where[160];
        syscalls_result result = {.was_hit = true};
        uint64_t refused = 0;
        (void)unlink(s.path);
        if (i == 0) {
            FILE *file = fopen(s.path, "w");
            REQUIRE(file != NULL);
            CHECK(fputs("id,age\n1,30\n2,40\n", file) >= 0 && fclose(file) == 0);
        } else {
            scene_execute(s.path, "CREATE TABLE people(id, age);"
                                  "INSERT INTO people VALUES (1, 30), (2, 40)");
        }
        snprintf(where, sizeof where, i == 0 ? "csv=%s" : "sqlite=%s\ntable=people",
                 s.path);
        snprintf(policy, sizeof policy,
                 "unit=id\nrows-per-unit=1\ncolumn=age=int[0,120]\n%s", where);
        source me = {policy, status};
        for (uint64_t at = 1; result.was_hit; at++) {
            const syscalls_plan plan = {.fail_at = at, .error = EIO, .reads_of = s.path};
            if (!syscalls_run(read_source, &me, &plan, &result)) {
                scene_end(&s);
                SKIP("this system does not let a process be traced");
            }
            CHECK(*status == SCRIM_OK || *status == SCRIM_E_INPUT);
            refused += *status == SCRIM_E_INPUT;
        }
        CHECK(refused > 0);
        CHECK_STATUS(*status, SCRIM_OK);
    }
    munmap(status, sizeof *status);
    scene_end(&s);
}
