#include "feed_scene.h"

#include "check.h"
#include "store_memory.h"
#include "vault/vault.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <string.h>

bool feed_scene_begin(feed_scene *s, const char *policy, uint64_t seed)
{
    sc_store *store = NULL;
    char whole[2000];
    *s = (feed_scene){.vault = NULL};
    snprintf(whole, sizeof whole,
             "%s\nneighbours=add-remove\nbudget=epsilon=100000,delta=0.5\n", policy);
    scrim_status status = store_memory_new(&store, &s->error);
    if (status == SCRIM_OK)
        status = sc_vault_new(store, 0, &s->vault, &s->error);
    if (status == SCRIM_OK)
        status = sc_vault_begin(s->vault, NULL, NULL, NULL, &s->error);
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(s->vault, "rows", whole, &s->error);
    if (status == SCRIM_OK && seed != 0)
        status = sc_tape_seeded(seed, &s->tape, &s->error);
    if (status == SCRIM_OK && seed != 0)
        sc_vault_use_bits(s->vault, sc_tape_bits_of(s->tape));
    if (status != SCRIM_OK)
        CHECK_FAIL("no dataset: %s", s->error.message);
    return status == SCRIM_OK;
}

void feed_scene_end(feed_scene *s)
{
    scrim_vault_close(s->vault);
    sc_tape_free(s->tape);
}

scrim_plan *feed_scene_plan(feed_scene *s, const char *query,
                            const scrim_query_options *options)
{
    scrim_plan *plan = NULL;
    if (scrim_plan_new(s->vault, "rows", &query, 1, options, &plan, NULL, &s->error) !=
        SCRIM_OK)
        CHECK_FAIL("%s: %s", query, s->error.message);
    return plan;
}

scrim_status feed_scene_push(feed_scene *s, const scrim_plan *plan,
                             const arrow_batch *batch, scrim_result **out)
{
    scrim_feed *feed = NULL;
    scrim_status status =
        scrim_feed_begin(s->vault, plan, &batch->schema, &feed, &s->error);
    if (status != SCRIM_OK)
        return status;
    status = scrim_feed_put(feed, &batch->array, &s->error);
    if (status == SCRIM_OK)
        return scrim_feed_end(feed, out, &s->error);
    scrim_feed_abort(feed);
    return status;
}

char *feed_scene_record(feed_scene *s, uint64_t release)
{
    scrim_vault_release found;
    if (scrim_vault_replay(s->vault, release, &found, &s->error) != SCRIM_OK)
        return NULL;
    char *text = NULL;
    if (found.answer != NULL) {
        const size_t bytes =
            strlen(found.answer) + (found.note == NULL ? 0 : strlen(found.note)) + 2;
        text = malloc(bytes);
        if (text != NULL)
            snprintf(text, bytes, "%s\n%s", found.answer,
                     found.note == NULL ? "" : found.note);
    }
    scrim_vault_release_clear(&found);
    return text;
}

uint64_t feed_scene_charges(const feed_scene *s)
{
    scrim_budget budget = {.charges = 0};
    CHECK_STATUS(scrim_vault_budget(s->vault, 0, NULL, &budget, NULL), SCRIM_OK);
    return budget.charges;
}
