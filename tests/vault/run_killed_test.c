/* THREATS A41 and A79: a process that asks an interactive run is killed at every step of it. Every answer that was shown was charged
 * before, and is on record. */
#include "check.h"
#include "scene.h"
#include "syscalls.h"
#include "wiping.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define QUERIES 4

/* At least three answers are given, whatever the noise: "no number" counts as 0, far below each threshold. */
typedef struct run_kind {
    const char *line;
    const char *queries[QUERIES];
    bool holds_data; /* three counts; queries are public */
} run_kind;

static const run_kind kinds[] = {
    {"sparse-vector sensitivity=1 epsilon=1/2 threshold=10 count=3 neighbours=add-remove",
     {"0", "2000000000", "5", "12"},
     false},
    {"above-threshold sensitivity=1 epsilon=1/2 threshold=1000 neighbours=add-remove",
     {"-2000000000", "no number", "-3000000000", "2000000000"},
     false},
    {"generalised-sparse-vector sensitivity=1 threshold=1000 threshold-scale=2 "
     "query-scale=2 count=2 neighbours=add-remove",
     {"0", "2000000000", "-2000000000", "2000000000"},
     false},
    {"stagewise-sparse-vector sensitivity=1 threshold=20 threshold-scale=2 "
     "query-scale=2 count=3 stage=2 neighbours=add-remove",
     {"2000000000", "0", "2000000000", "2000000000"},
     false},
    {"guess-and-check epsilon=1 sensitivity=1 threshold=1000 count=2 "
     "guesses=0,0,0,0 neighbours=add-remove",
     {"0", "2000000000", "5", "-2000000000"},
     false},
    {"online-weights bins=3 total=740 threshold=60 updates=3 epsilon=1 "
     "neighbours=add-remove",
     {"1,0,0", "1,1,0", "no query", "0,0,1"},
     true},
};

/* The view of who asks, in memory that outlives it. */
typedef struct shown {
    uint64_t entry; /* 0: the run was not opened */
    uint64_t answers;
} shown;

typedef struct asker {
    const scene *s;
    const run_kind *kind;
    shown *shown;
} asker;

static scrim_status open_run(const asker *me, scrim_ledger *ledger,
                             const scrim_measurement *m, scrim_run **run)
{
    static const int64_t counts[] = {120, 340, 280};
    return me->kind->holds_data
               ? scrim_run_open_on(
                     ledger, m, &(scrim_input){.integers = counts, .count = 3}, run, NULL)
               : scrim_run_open(ledger, m, run, NULL);
}

static void ask_all(void *context)
{
    const asker *me = context;
    scrim_vault *vault = NULL;
    scrim_ledger *ledger = NULL;
    scrim_measurement *m = NULL;
    scrim_run *run = NULL;
    if (scrim_vault_open(me->s->path, NULL, &vault, NULL) == SCRIM_OK &&
        scrim_vault_ledger(vault, "people", &ledger, NULL) == SCRIM_OK &&
        scrim_measurement_parse(me->kind->line, &m, NULL) == SCRIM_OK &&
        open_run(me, ledger, m, &run) == SCRIM_OK) {
        me->shown->entry = scrim_run_entry(run);
        for (size_t i = 0; i < QUERIES; i++) {
            scrim_run_answer answer;
            if (scrim_run_ask_text(run, me->kind->queries[i], &answer, NULL) == SCRIM_OK)
                me->shown->answers++;
        }
    }
    scrim_run_close(run);
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
    scrim_vault_close(vault);
}

static uint64_t charges_of(const scene *s)
{
    scrim_vault_state state = {.charges = 0};
    CHECK_STATUS(scrim_vault_check(s->path, NULL, &state, NULL), SCRIM_OK);
    return state.charges;
}

/* The vault holds, at most one run was `charged`, and whatever was shown is in the line of its answers. */
static void check_after(const asker *me, uint64_t charged, uint64_t at)
{
    if (!CHECK(charged <= 1) || !CHECK(me->shown->answers == 0 || charged == 1))
        CHECK_FAIL("%s, killed at %llu", me->kind->line, (unsigned long long)at);
    if (me->shown->answers == 0)
        return;
    scrim_vault *vault = scene_open(me->s);
    scrim_vault_release release;
    unsigned long long asked = 0;
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_replay(vault, me->shown->entry, &release, NULL));
    CHECK_INT(release.state, SCRIM_ENTRY_RELEASED);
    if (!CHECK(release.answer != NULL &&
               sscanf(release.answer, "asked=%llu", &asked) == 1) ||
        !CHECK(asked >= me->shown->answers && asked <= me->shown->answers + 1))
        CHECK_FAIL("%s, killed at %llu: %llu answers shown, '%s' on record",
                   me->kind->line, (unsigned long long)at,
                   (unsigned long long)me->shown->answers,
                   release.answer == NULL ? "" : release.answer);
    scrim_vault_release_clear(&release);
    scrim_vault_close(vault);
}

/* Counts what the kills left: nothing, a charge alone, answers. */
typedef struct outcomes {
    uint64_t nothing, wasted, some;
} outcomes;

static void kill_runs(const run_kind *kind, shown *shared)
{
    enum { PER_VAULT = 40 };
    scene s;
    outcomes seen = {0, 0, 0};
    syscalls_result result;
    uint64_t boundaries = 0, before = 0;
    const uint64_t cycles = check_count(40, 2000);
    for (uint64_t i = 0; i <= cycles; i++) {
        if (i % PER_VAULT == 0) {
            if (i > 0)
                scene_end(&s);
            if (!scene_begin_vault(&s, "epsilon=1000000", false))
                return;
            before = charges_of(&s);
        }
        const asker me = {&s, kind, shared};
        *shared = (shown){0, 0};
        /* The first is not killed, and counts the steps. */
        const uint64_t at = i == 0                 ? 0
                            : cycles >= boundaries ? 1 + i % boundaries
                                                   : 1 + i * (boundaries - 1) / cycles;
        if (!syscalls_run(ask_all, (void *)(uintptr_t)&me,
                          &(syscalls_plan){.kill_at = at}, &result)) {
            scene_end(&s);
            SKIP("this system does not let a process be traced");
        }
        boundaries = i == 0 ? result.boundaries : boundaries;
        const uint64_t charged = charges_of(&s) - before;
        check_after(&me, charged, at);
        before += charged;
        if (i == 0 && !CHECK(shared->answers >= 3))
            CHECK_FAIL("%s: %llu answers", kind->line,
                       (unsigned long long)shared->answers);
        REQUIRE(boundaries > 1);
        seen.nothing += charged == 0;
        seen.wasted += charged > 0 && shared->answers == 0;
        seen.some += shared->answers > 0;
    }
    CHECK(seen.nothing > 0 && seen.wasted > 0 && seen.some > 1);
    scene_end(&s);
}

SLOW_TEST(A79_runs_killed_at_every_step)
{
    CLAIM("run.recorded-first");
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    shown *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
    for (size_t i = 0; i < COUNT(kinds); i++)
        kill_runs(&kinds[i], shared);
    (void)munmap(shared, sizeof *shared);
}
