/* THREATS A41 and A42: a process that is killed at every step of a spend, and a disk whose calls
 * fail one after the other. */
#include "check.h"
#include "faults.h"
#include "scene.h"
#include "syscalls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a spender has seen, in memory that outlives it. */
typedef struct seen {
    scrim_status status; /* of the whole spend; -1 while it is under way */
    uint64_t entry;
    char answer[64];
} seen;

typedef struct victim {
    const scene *s;
    seen *seen;
} victim;

static seen *share_seen(void)
{
    seen *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return CHECK(shared != MAP_FAILED) ? shared : NULL;
}

/* Opens, releases, notes the answer that it was shown, and closes. */
static void spend(void *context)
{
    const victim *me = context;
    const int64_t people = 100;
    scrim_vault *vault = NULL;
    scrim_ledger *ledger = NULL;
    scrim_measurement *count = NULL;
    scrim_answer *answer = NULL;
    scrim_error error;
    scrim_status status = scrim_vault_open(me->s->path, NULL, &vault, &error);
    if (status == SCRIM_OK)
        status = scrim_measurement_parse(
            "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove", &count, &error);
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(vault, "people", &ledger, &error);
    if (status == SCRIM_OK)
        status =
            scrim_release(ledger, count, &(scrim_input){.integers = &people, .count = 1},
                          &answer, &error);
    if (status == SCRIM_OK) {
        snprintf(me->seen->answer, sizeof me->seen->answer, "%s",
                 scrim_answer_text(answer, 0));
        me->seen->entry = scrim_answer_entry(answer);
    }
    me->seen->status = status;
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(count);
    scrim_vault_close(vault);
}

typedef struct history {
    uint64_t charges, releases;
} history;

/* After whatever has happened: the vault opens and verifies, at most one charge was added, and
 * an answer that was seen is charged and can be had again. */
static void check_after(const victim *me, history *h, const char *what, uint64_t nth)
{
    scrim_vault_state state;
    scrim_error error = {.message = ""};
    if (scrim_vault_check(me->s->path, NULL, &state, &error) != SCRIM_OK) {
        CHECK_FAIL("%s %llu: %s", what, (unsigned long long)nth, error.message);
        return;
    }
    const uint64_t charged = state.charges - h->charges;
    const uint64_t released = state.releases - h->releases;
    const bool is_shown = me->seen->status == SCRIM_OK;
    if (charged > 1 || released > charged || (is_shown && released != 1))
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

/* kill -9 at each boundary of each system call, spread over the cycles there are. */
TEST(A41_killed_at_every_step)
{
    CLAIM("vault.charged");
    CLAIM("store.atomic");
    scene s;
    history h = {0, 0};
    syscalls_result result;
    seen *shared = share_seen();
    if (shared == NULL || !scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    const victim me = {&s, shared};
    victim *body = &(victim){&s, shared};
    if (!syscalls_run(spend, body, &(syscalls_plan){0}, &result)) {
        scene_end(&s);
        SKIP("this system does not let a process be traced");
    }
    CHECK_STATUS(shared->status, SCRIM_OK);
    check_after(&me, &h, "whole", 0);
    const uint64_t boundaries = result.boundaries;
    const uint64_t cycles = check_count(200, 10000);
    uint64_t killed = 0, shown = 0, wasted = 0;
    for (uint64_t i = 0; i < cycles; i++) {
        /* All of them when there are cycles enough, else evenly spread. */
        const uint64_t at =
            1 + (cycles >= boundaries ? i % boundaries : i * boundaries / cycles);
        const history before = h;
        memset(shared, 0, sizeof *shared);
        shared->status = (scrim_status)-1;
        CHECK(syscalls_run(spend, body, &(syscalls_plan){.kill_at = at}, &result));
        check_after(&me, &h, "killed at", at);
        killed += result.was_hit;
        shown += shared->status == SCRIM_OK;
        wasted += h.charges - before.charges > h.releases - before.releases;
    }
    /* The campaign has seen all three: nothing done, a charge wasted, an answer shown. */
    CHECK(killed > cycles / 2 && shown > 0 && wasted > 0 && h.charges < cycles);
    scene_end(&s);
    munmap(shared, sizeof *shared);
}

/* A charge whose release was never shown is reported so, and not drawn again. */
TEST(A41_a_charge_without_its_answer)
{
    CLAIM("vault.charged");
    scene s;
    scrim_vault_state state = {0};
    syscalls_result result;
    seen *shared = share_seen();
    if (shared == NULL || !scene_begin_vault(&s, "epsilon=1000000", false))
        return;
    victim me = {&s, shared};
    bool was_found = false;
    for (uint64_t at = 1; !was_found; at++) {
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
    REQUIRE_OK(scrim_vault_replay(vault, state.entries, &release, NULL));
    CHECK(release.state == SCRIM_ENTRY_CHARGED && release.answer == NULL);
    CHECK_STR(release.measurement,
              "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove");
    CHECK_STR(scene_left(vault, left), "999999.9");
    scrim_vault_release_clear(&release);
    scrim_vault_close(vault);
    scene_end(&s);
    munmap(shared, sizeof *shared);
}

/* Every call that writes, syncs, cuts, renames or links fails in turn, in eight ways, or writes
 * half. */
TEST(A42_disk_errors)
{
    CLAIM("vault.charged");
    static const int errors[] = {EIO,   ENOSPC, EINTR,  EROFS, EDQUOT,
                                 EFBIG, EPERM,  ENOMEM, 0 /* short */};
    scene s;
    history h = {0, 0};
    syscalls_result result;
    seen *shared = share_seen();
    if (shared == NULL || !scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    victim me = {&s, shared};
    uint64_t refused = 0;
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        bool was_hit = true;
        for (uint64_t at = 1; was_hit; at++) {
            const syscalls_plan plan = {
                .fail_at = at, .error = errors[e], .is_short = errors[e] == 0};
            memset(shared, 0, sizeof *shared);
            shared->status = (scrim_status)-1;
            if (!syscalls_run(spend, &me, &plan, &result)) {
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
            check_after(&me, &h, strerror(errors[e]), at);
        }
        CHECK_STATUS(shared->status, SCRIM_OK); /* the last one, where none failed */
    }
    CHECK(refused > 50);
    scene_end(&s);
    munmap(shared, sizeof *shared);
}

/* Every allocation of the library fails in turn. */
TEST(A67_vault_without_memory)
{
    CLAIM("vault.charged");
    scene s;
    history h;
    static seen here;
    if (!scene_begin_vault(&s, "epsilon=1000000", true))
        return;
    victim me = {&s, &here};
    FAULT_LOOP(fault)
    {
        memset(&here, 0, sizeof here);
        here.status = (scrim_status)-1;
        spend(&me);
        const bool was_hit = fault_hit();
        const scrim_status status = here.status;
        CHECK(status == SCRIM_OK || (was_hit && status % 10 == 2));
    }
    scrim_vault_state state;
    if (scene_verifies(&s, &state)) {
        h = (history){state.charges - 1, state.releases - 1};
        check_after(&me, &h, "the last", 0);
    }
    scene_end(&s);
}
