/* THREATS A41 and A42: a process that is killed at every step of a spend, and a disk whose calls
 * fail one after the other. */
#include "check.h"
#include "faults.h"
#include "scene.h"
#include "secret.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The view of a spender, in memory that outlives it. */
typedef struct seen {
    scrim_status status; /* of the whole spend; -1 while it is under way */
    scrim_status again;  /* of another on the same handle, where it has failed */
    uint64_t entry;
    char answer[64];
} seen;

typedef struct victim {
    const scene *s;
    const scrim_measurement *question;
    seen *seen;
} victim;

static seen *share_seen(void)
{
    seen *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return CHECK(shared != MAP_FAILED) ? shared : NULL;
}

static void forget(seen *what)
{
    memset(what, 0, sizeof *what);
    what->status = what->again = (scrim_status)-1;
}

static scrim_status release(const victim *me, scrim_vault *vault, scrim_error *error)
{
    const int64_t people = 100;
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    scrim_status status = scrim_vault_ledger(vault, "people", &ledger, error);
    if (status == SCRIM_OK)
        status = scrim_release(ledger, me->question,
                               &(scrim_input){.integers = &people, .count = 1}, &answer,
                               error);
    if (status == SCRIM_OK) {
        snprintf(me->seen->answer, sizeof me->seen->answer, "%s",
                 scrim_answer_text(answer, 0));
        me->seen->entry = scrim_answer_entry(answer);
    }
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    return status;
}

/* Opens, releases, notes the answer that it was shown, and closes. */
static void spend(void *context)
{
    const victim *me = context;
    scrim_vault *vault = NULL;
    scrim_error error;
    scrim_status status = scrim_vault_open(me->s->path, NULL, &vault, &error);
    if (status == SCRIM_OK)
        status = release(me, vault, &error);
    me->seen->status = status;
    scrim_vault_close(vault);
}

/* And one more where the first has failed, on the handle that saw it fail. */
static void spend_again(void *context)
{
    const victim *me = context;
    scrim_vault *vault = NULL;
    scrim_error error;
    scrim_status status = scrim_vault_open(me->s->path, NULL, &vault, &error);
    if (status == SCRIM_OK)
        status = release(me, vault, &error);
    me->seen->status = status;
    if (status != SCRIM_OK && vault != NULL)
        me->seen->again = release(me, vault, &error);
    scrim_vault_close(vault);
}

typedef struct history {
    uint64_t charges, releases;
} history;

/* After whatever has happened: the vault opens and verifies, no more charges were added
 * than were tried, and an answer that was seen is charged and can be had again. */
static void check_after(const victim *me, history *h, const char *what, uint64_t nth)
{
    const bool is_again = me->seen->again == SCRIM_OK;
    const uint64_t tries = me->seen->again == (scrim_status)-1 ? 1 : 2;
    scrim_vault_state state;
    scrim_error error = {.message = ""};
    if (scrim_vault_check(me->s->path, NULL, &state, &error) != SCRIM_OK) {
        CHECK_FAIL("%s %llu: %s", what, (unsigned long long)nth, error.message);
        return;
    }
    const uint64_t charged = state.charges - h->charges;
    const uint64_t released = state.releases - h->releases;
    const bool is_shown = me->seen->status == SCRIM_OK || is_again;
    if (charged > tries || released > charged || (is_shown && released < 1))
        CHECK_FAIL("%s %llu: shown %d, %llu charges, %llu releases", what,
                   (unsigned long long)nth, (int)is_shown, (unsigned long long)charged,
                   (unsigned long long)released);
    if (is_shown) {
        scrim_vault *vault = scene_open(me->s);
        scrim_vault_release release;
        REQUIRE(vault != NULL);
        if (CHECK_STATUS(scrim_vault_replay(vault, me->seen->entry, &release, &error),
                         SCRIM_OK)) {
            CHECK_STR(release.answer, me->seen->answer);
            scrim_vault_release_clear(&release);
        }
        scrim_vault_close(vault);
    }
    *h = (history){state.charges, state.releases};
}

#define CYCLES_OF_A_VAULT 100 /* so that to verify it stays cheap */

/* kill -9 at each boundary of each system call, spread over the cycles there are. */
SLOW_TEST(A41_killed_at_every_step)
{
    CLAIM("vault.charged");
    CLAIM("store.atomic");
    scene s;
    history h = {0, 0};
    syscalls_result result;
    scrim_measurement *question = scene_question("0.1");
    seen *shared = share_seen();
    if (shared == NULL || !scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    victim me = {&s, question, shared};
    forget(shared);
    if (!syscalls_run(spend, &me, &(syscalls_plan){0}, &result)) {
        scene_end(&s);
        SKIP("this system does not let a process be traced");
    }
    CHECK_STATUS(shared->status, SCRIM_OK);
    check_after(&me, &h, "whole", 0);
    const uint64_t boundaries = result.boundaries;
    const uint64_t cycles = check_count(200, 10000);
    uint64_t killed = 0, shown = 0, wasted = 0, nothing = 0;
    for (uint64_t i = 0; i < cycles; i++) {
        /* All of them when there are cycles enough, else evenly spread. */
        const uint64_t at =
            1 +
            (cycles >= boundaries ? i % boundaries : i * (boundaries - 1) / (cycles - 1));
        if (i % CYCLES_OF_A_VAULT == CYCLES_OF_A_VAULT - 1) {
            scene_end(&s);
            h = (history){0, 0};
            if (!scene_begin_vault(&s, "epsilon=1000000", true))
                return;
        }
        const history before = h;
        forget(shared);
        CHECK(syscalls_run(spend, &me, &(syscalls_plan){.kill_at = at}, &result));
        check_after(&me, &h, "killed at", at);
        killed += result.was_hit;
        shown += shared->status == SCRIM_OK;
        wasted += h.charges - before.charges > h.releases - before.releases;
        nothing += h.charges == before.charges;
    }
    /* The campaign has seen all three: nothing done, a charge wasted, an answer shown. */
    CHECK(killed > cycles / 2 && shown > 0 && wasted > 0 && nothing > 0);
    scrim_measurement_free(question);
    scene_end(&s);
    munmap(shared, sizeof *shared);
}

/* Makes a vault with a witness. */
static void make(void *context)
{
    const scene *s = context;
    const scrim_vault_options options = {.size = sizeof options, .witness = s->witness};
    if (scrim_vault_init(s->path, &options, NULL) != SCRIM_OK)
        _exit(1);
}

/* A vault is there as a whole or not at all, whenever its maker is killed. */
SLOW_TEST(A41_killed_while_it_is_made)
{
    CLAIM("vault.charged");
    scene s;
    syscalls_result result = {.was_hit = true};
    uint64_t made = 0, absent = 0;
    for (uint64_t at = 1; result.was_hit; at += check_count(11, 1)) {
        scrim_vault *vault = NULL;
        if (!scene_begin(&s))
            return;
        if (!syscalls_run(make, &s, &(syscalls_plan){.kill_at = at}, &result)) {
            scene_end(&s);
            SKIP("this system does not let a process be traced");
        }
        if (access(s.path, F_OK) == 0) {
            made++;
            vault = scene_open(&s);
            scrim_vault_close(vault);
        } else {
            absent++;
            CHECK_STATUS(scrim_vault_open(s.path, NULL, &vault, NULL), SCRIM_E_LEDGER);
        }
        scene_end(&s);
    }
    CHECK(made > 0 && absent > 0);
}

/* A charge whose release was never shown is reported so, and not drawn again. */
SLOW_TEST(A41_a_charge_without_its_answer)
{
    CLAIM("vault.charged");
    scene s;
    scrim_vault_state state = {0};
    syscalls_result result;
    scrim_measurement *question = scene_question("0.1");
    seen *shared = share_seen();
    if (shared == NULL || !scene_begin_vault(&s, "epsilon=1000000", false))
        return;
    victim me = {&s, question, shared};
    bool was_found = false;
    for (uint64_t at = 1; !was_found; at += 5) {
        const uint64_t charges = state.charges, releases = state.releases;
        if (!syscalls_run(spend, &me, &(syscalls_plan){.kill_at = at}, &result)) {
            scene_end(&s);
            SKIP("this system does not let a process be traced");
        }
        if (!CHECK(result.was_hit) || !scene_verifies(&s, &state))
            break;
        was_found = state.charges > charges && state.releases == releases;
    }
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    scrim_vault_release release;
    char left[SCRIM_NUMBER_BYTES];
    uint64_t found = 7;
    REQUIRE_OK(scrim_vault_replay(vault, state.charges, &release, NULL));
    CHECK(release.state == SCRIM_ENTRY_CHARGED && release.answer == NULL);
    CHECK_STR(release.measurement,
              "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove");
    CHECK_STR(scene_left(vault, left), "999999.9");
    /* Nor is it found for the same question: that is charged anew. */
    CHECK_STATUS(scrim_vault_find(vault, "people", release.measurement, &found, NULL),
                 SCRIM_OK);
    CHECK_INT(found, 0);
    scrim_vault_release_clear(&release);
    scrim_vault_close(vault);
    scrim_measurement_free(question);
    scene_end(&s);
    munmap(shared, sizeof *shared);
}

static bool ends_with(const char *text, const char *tail)
{
    const size_t bytes = strlen(text), wanted = strlen(tail);
    return bytes >= wanted && strcmp(text + bytes - wanted, tail) == 0;
}

/* Every call that writes, syncs, cuts, renames or links fails in turn, in eight ways, or writes
 * half. Who saw a sync fail does not write again: what it has synced is unknown for good. */
FAULT_TEST(A42_disk_errors)
{
    if (secret_is_under_valgrind())
        SKIP("the calls that fail would be valgrind's own as well");
    CLAIM("vault.charged");
    static const int errors[] = {EIO,   ENOSPC, EINTR,  EROFS, EDQUOT,
                                 EFBIG, EPERM,  ENOMEM, 0 /* short */};
    scene s;
    history h = {0, 0};
    syscalls_result result;
    scrim_measurement *question = scene_question("0.1");
    seen *shared = share_seen();
    if (shared == NULL || !scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    victim me = {&s, question, shared};
    uint64_t refused = 0, syncs = 0, again = 0;
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        bool was_hit = true;
        /* Each call fails in each way in the long tier, in one or two ways else. */
        const uint64_t stride = check_count(5, 1);
        for (uint64_t at = 1 + e % stride; was_hit; at += stride) {
            const syscalls_plan plan = {
                .fail_at = at, .error = errors[e], .is_short = errors[e] == 0};
            forget(shared);
            if (!syscalls_run(spend_again, &me, &plan, &result)) {
                scene_end(&s);
                SKIP("this system does not let a process be traced");
            }
            was_hit = result.was_hit;
            CHECK_INT(result.wait_status, 0);
            const scrim_status status = shared->status;
            if (status != SCRIM_OK && status != SCRIM_E_LEDGER && status != SCRIM_E_BUSY)
                CHECK_FAIL("call %llu fails with %s: status %d", (unsigned long long)at,
                           strerror(errors[e]), (int)status);
            refused += status != SCRIM_OK;
            again += shared->again == SCRIM_OK;
            if (was_hit && status != SCRIM_OK && result.hit.is_sync && errors[e] != 0 &&
                (ends_with(result.hit.path, "-journal") ||
                 strcmp(result.hit.path, s.path) == 0)) {
                syncs++;
                CHECK_STATUS(shared->again, SCRIM_E_LEDGER);
            }
            check_after(&me, &h, strerror(errors[e]), at);
        }
        CHECK_STATUS(shared->status, SCRIM_OK); /* the last one, where none failed */
    }
    CHECK(refused > 30 && syncs >= check_count(3, 16) && again > 0);
    scrim_measurement_free(question);
    scene_end(&s);
    munmap(shared, sizeof *shared);
}

/* A vault that was made opens; what was not made is not there, nor its witness. */
FAULT_TEST(A42_disk_errors_while_it_is_made)
{
    if (secret_is_under_valgrind())
        SKIP("the calls that fail would be valgrind's own as well");
    static const int errors[] = {EIO,   ENOSPC, EINTR,  EROFS, EDQUOT,
                                 EFBIG, EPERM,  ENOMEM, 0 /* short */};
    scene s;
    uint64_t refused = 0;
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        const uint64_t stride = check_count(9, 1);
        syscalls_result result = {.was_hit = true};
        for (uint64_t at = 1 + e % stride; result.was_hit; at += stride) {
            const syscalls_plan plan = {
                .fail_at = at, .error = errors[e], .is_short = errors[e] == 0};
            if (!scene_begin(&s))
                return;
            if (!syscalls_run(make, &s, &plan, &result)) {
                scene_end(&s);
                SKIP("this system does not let a process be traced");
            }
            if (result.wait_status == 0) {
                scrim_vault *vault = scene_open(&s);
                scrim_vault_close(vault);
            } else {
                refused++;
                CHECK(access(s.path, F_OK) != 0 && access(s.witness, F_OK) != 0);
                make(&s); /* and it can be made now */
                scrim_vault *vault = scene_open(&s);
                scrim_vault_close(vault);
            }
            scene_end(&s);
        }
        CHECK_INT(result.wait_status, 0);
    }
    CHECK(refused > 20);
}

#define CALLS 400

/* A new vault is synced before it has its name, and its folder after that. */
TEST(A41_named_when_it_is_whole)
{
    CLAIM("vault.charged");
    static syscalls_call log[CALLS];
    scene s;
    syscalls_result result;
    bool is_written = false, is_named = false, is_synced = false;
    if (!scene_begin(&s))
        return;
    const syscalls_plan plan = {.log = log, .log_capacity = CALLS};
    if (!syscalls_run(make, &s, &plan, &result)) {
        scene_end(&s);
        SKIP("this system does not let a process be traced");
    }
    CHECK_INT(result.wait_status, 0);
    for (size_t i = 0; i < result.storage_calls && i < CALLS; i++) {
        const syscalls_call *call = &log[i];
        const bool is_vault = strncmp(call->path, s.path, strlen(s.path)) == 0;
        if (is_vault && call->is_rename) {
            CHECK(!is_written && !is_named);
            is_named = true;
        } else if (is_vault && !ends_with(call->path, "-shm")) {
            CHECK(!is_named);
            is_written = !call->is_sync;
        } else if (is_named && strncmp(call->path, s.folder, strlen(s.folder)) == 0) {
            is_synced = is_synced || call->is_sync;
        }
    }
    CHECK(is_named && is_synced);
    scene_end(&s);
}

/* As spend, and shows the answer: a file stands for the screen. */
static void show(void *context)
{
    const victim *me = context;
    char path[128];
    scrim_vault *vault = NULL;
    if (scrim_vault_open(me->s->path, NULL, &vault, NULL) != SCRIM_OK ||
        release(me, vault, NULL) != SCRIM_OK)
        _exit(1);
    snprintf(path, sizeof path, "%s/shown", me->s->folder);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (write(file, me->seen->answer, strlen(me->seen->answer)) < 1)
        _exit(1);
    close(file);
    scrim_vault_close(vault);
}

/* Everything that is written before the answer is shown is synced before it is shown, twice, for the charge and
 * for the answer: the journal before the vault, and the folder after each. With each goes the
 * witness, which is synced before the vault is written and has its name after the vault is synced;
 * its folder is synced behind it. */
TEST(A41_synced_before_it_is_shown)
{
    CLAIM("vault.charged");
    CLAIM("witness.forward");
    static syscalls_call log[CALLS];
    scene s;
    syscalls_result result;
    scrim_measurement *question = scene_question("0.1");
    seen *shared = share_seen();
    if (shared == NULL || !scene_begin_vault(&s, "epsilon=1", true))
        return;
    victim me = {&s, question, shared};
    const syscalls_plan plan = {.log = log, .log_capacity = CALLS};
    if (!syscalls_run(show, &me, &plan, &result)) {
        scene_end(&s);
        SKIP("this system does not let a process be traced");
    }
    CHECK_INT(result.wait_status, 0);
    uint64_t vault_syncs = 0, renames = 0, folder_syncs = 0;
    bool is_journal_written = false, is_vault_written = false, is_next_written = false;
    bool is_renamed = false, was_shown = false;
    for (size_t i = 0; i < result.storage_calls && i < CALLS && !was_shown; i++) {
        const syscalls_call *call = &log[i];
        if (ends_with(call->path, "/shown")) {
            was_shown = true;
        } else if (ends_with(call->path, "-journal")) {
            CHECK(!is_renamed && !is_vault_written); /* one after the other */
            is_journal_written = !call->is_sync;
        } else if (strcmp(call->path, s.path) == 0) {
            CHECK(!is_renamed && !is_next_written && !is_journal_written);
            vault_syncs += call->is_sync && is_vault_written;
            is_vault_written = !call->is_sync;
        } else if (call->is_rename) {
            CHECK(ends_with(call->path, "/witness.next") && !is_next_written);
            CHECK(!is_vault_written && vault_syncs > renames); /* it does not run ahead */
            CHECK_INT(folder_syncs, 2); /* the journal's name, and that it is gone */
            folder_syncs = 0;
            renames++;
            is_renamed = true;
        } else if (ends_with(call->path, "/witness.next")) {
            is_next_written = !call->is_sync;
        } else if (strcmp(call->path, s.folder) == 0) {
            CHECK(call->is_sync);
            folder_syncs += !is_renamed;
            is_renamed = false;
        }
    }
    CHECK(was_shown && !is_vault_written && !is_next_written && !is_renamed);
    CHECK_INT(vault_syncs, 2);
    CHECK_INT(renames, 2);
    CHECK_INT(folder_syncs, 0);
    scrim_measurement_free(question);
    scene_end(&s);
    munmap(shared, sizeof *shared);
}

/* Every allocation of the library fails in turn. */
FAULT_TEST(A67_vault_without_memory)
{
    CLAIM("vault.charged");
    scene s;
    history h = {0, 0};
    static seen here;
    scrim_measurement *question = scene_question("0.1");
    if (!scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    victim me = {&s, question, &here};
    FAULT_LOOP(fault)
    {
        forget(&here);
        spend_again(&me);
        const bool was_hit = fault_hit();
        const scrim_status status = here.status;
        CHECK(status == SCRIM_OK || (was_hit && status == SCRIM_E_MEMORY));
        if (was_hit)
            check_after(&me, &h, "allocation", fault.nth);
    }
    CHECK_STATUS(here.status, SCRIM_OK); /* the last one, where none failed */
    check_after(&me, &h, "whole", 0);
    scrim_measurement_free(question);
    scene_end(&s);
}
