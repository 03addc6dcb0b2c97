/* THREATS A49: whoever shows what they read may stop at any moment, as before a pipe that nobody reads.
 * No lock is held meanwhile: others write at once. */
#include "check.h"
#include "scene.h"

#include <string.h>

typedef struct stall {
    const scene *s;
    const scrim_measurement *question;
    scrim_vault *reader;
    uint64_t calls, last;
    int writers; /* that were let through */
} stall;

/* By a handle that waits for nobody; and the reader's own handle can be used, too. */
static void write_meanwhile(stall *t)
{
    scrim_error error = {.message = ""};
    scrim_vault *writer = NULL;
    uint64_t count = 0;
    if (t->calls++ % 300 != 0)
        return;
    CHECK_STATUS(scrim_vault_open(t->s->path,
                                  SCRIM_OPTIONS(scrim_vault_options, .wait_ms = -1),
                                  &writer, &error),
                 SCRIM_OK);
    if (scene_release(writer, "people", t->question, NULL, &error) == SCRIM_OK)
        t->writers++;
    else
        CHECK_FAIL("call %llu: %s", (unsigned long long)t->calls, error.message);
    scrim_vault_close(writer);
    if (t->reader != NULL)
        CHECK_STATUS(scrim_vault_count(t->reader, &count, &error), SCRIM_OK);
}

static scrim_status see_entry(void *context, uint64_t id, const char *bytes, size_t count,
                              const char *hash, const char *answer)
{
    stall *t = context;
    (void)bytes, (void)count, (void)hash, (void)answer;
    CHECK_INT(id, t->last + 1);
    t->last = id;
    write_meanwhile(t);
    return SCRIM_OK;
}

static scrim_status see_charge(void *context, const scrim_vault_release *charge)
{
    stall *t = context;
    CHECK(charge->id > t->last && charge->state == SCRIM_ENTRY_RELEASED);
    t->last = charge->id;
    write_meanwhile(t);
    return SCRIM_OK;
}

static scrim_status see_budget(void *context, const scrim_budget_view *view)
{
    CHECK(view->budget->charges > 0);
    write_meanwhile(context);
    return SCRIM_OK;
}

static void see_progress(void *context, uint64_t done, uint64_t total)
{
    CHECK(done > 0 && done <= total);
    write_meanwhile(context);
}

SLOW_TEST(A49_a_reader_that_stalls_holds_no_lock)
{
    CLAIM("vault.alone");
    CLAIM("vault.verified");
    scene s;
    scrim_error error = {.message = ""};
    scrim_vault_state state;
    uint64_t entries = 0;
    scrim_measurement *question = scene_question("0.001");
    if (question == NULL || !scene_begin_vault(&s, "epsilon=1000", true))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    for (int i = 0; i < 520; i++) /* more than verify reads in one transaction */
        CHECK_STATUS(scene_release(vault, "people", question, NULL, &error), SCRIM_OK);
    CHECK_STATUS(scrim_vault_count(vault, &entries, &error), SCRIM_OK);
    CHECK(entries > 1024);
    stall t = {.s = &s, .question = question, .reader = vault};
    /* Entries written meanwhile are not shown. */
    CHECK_STATUS(scrim_vault_visit(vault, 1, see_entry, &t, &error), SCRIM_OK);
    CHECK_INT(t.calls, entries);
    CHECK_INT(t.writers, 4);
    t = (stall){.s = &s, .question = question, .reader = vault};
    CHECK_STATUS(scrim_vault_history(vault, "people", 1, see_charge, &t, &error),
                 SCRIM_OK);
    CHECK_INT(t.calls, 524);
    CHECK_INT(t.writers, 2);
    t = (stall){.s = &s, .question = question, .reader = vault};
    CHECK_STATUS(scrim_vault_budgets(vault, NULL, 0, see_budget, &t, &error), SCRIM_OK);
    CHECK_INT(t.writers, 1);
    t = (stall){.s = &s, .question = question};
    CHECK_STATUS(scrim_vault_check(s.path,
                                   SCRIM_OPTIONS(scrim_vault_options,
                                                 .progress = see_progress, .context = &t),
                                   &state, &error),
                 SCRIM_OK);
    CHECK_INT(t.writers, 1);
    /* Verified up to the head of the last transaction. */
    CHECK(state.charges == 528 && state.releases == 528);
    scrim_vault_close(vault);
    scrim_measurement_free(question);
    scene_end(&s);
}
