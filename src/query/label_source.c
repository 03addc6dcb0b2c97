#include "query/label_source.h"

#include "vault/vault.h"

#include <inttypes.h>
#include <string.h>

/* Entries: the charge, the answer behind it, the policy that was in force. */

typedef struct search {
    scrim_vault *vault;
    uint64_t id;
    sc_label_source *out;
    uint64_t dataset, datasets; /* the number asked for; those that were seen */
    bool has_answer;
    bool is_open; /* a run whose answers are entries of their own, so far */
} search;

static scrim_status see_traffic(void *context, const sc_chain *at, sc_text bytes,
                                scrim_error *error)
{
    search *s = context;
    const sc_event *e = &s->vault->event;
    const scrim_status status = sc_event_parse(bytes, &s->vault->event, error);
    if (status != SCRIM_OK)
        return status;
    if (at->generation == s->id) {
        s->out->charge = *at;
        s->dataset = e->dataset;
    }
    s->is_open |= e->kind == SC_EVENT_ASKED && e->charge == s->id;
    if (e->kind != SC_EVENT_RELEASE || e->charge != s->id)
        return SCRIM_OK;
    s->is_open = false;
    s->out->answer = *at;
    s->out->digest = e->digest;
    s->has_answer = true;
    return SCRIM_E_STATE; /* one is enough */
}

static scrim_status keep_policy(search *s, scrim_error *error)
{
    const sc_text body = s->vault->event.body;
    char *copy = sc_allocate(body.bytes + 1, 1);
    if (copy == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a label");
    if (body.bytes > 0)
        memcpy(copy, body.start, body.bytes);
    sc_release(s->out->policy);
    s->out->policy = copy;
    return SCRIM_OK;
}

/* Datasets are numbered as they come, and begin with version 1. */
static scrim_status see_policy(void *context, const sc_chain *at, sc_text bytes,
                               scrim_error *error)
{
    search *s = context;
    const sc_event *e = &s->vault->event;
    const scrim_status status = sc_event_parse(bytes, &s->vault->event, error);
    (void)at;
    if (status != SCRIM_OK)
        return status;
    if (e->kind == SC_EVENT_DATASET && ++s->datasets == s->dataset &&
        s->out->release.version == 1)
        return keep_policy(s, error);
    if ((e->kind == SC_EVENT_POLICY || e->kind == SC_EVENT_UPDATE) &&
        e->dataset == s->dataset && e->version == s->out->release.version)
        return keep_policy(s, error);
    return SCRIM_OK;
}

static scrim_status read_entries(scrim_vault *v, void *context, scrim_error *error)
{
    search *s = context;
    scrim_status status =
        v->store->functions->entries(v->store, s->id, false, see_traffic, s, error);
    if (status == SCRIM_E_STATE && s->has_answer)
        status = SCRIM_OK;
    if (status == SCRIM_OK)
        status = v->store->functions->entries(v->store, 1, true, see_policy, s, error);
    s->out->head = v->chain;
    s->out->is_test = v->book.is_test;
    return status;
}

/* Budget. */

static scrim_status read_budget(scrim_vault *vault, sc_label_source *out,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_budget(vault, i, NULL, &out->budget, error);
        if (status == SCRIM_OK &&
            strcmp(out->budget.population, out->release.population) == 0)
            return SCRIM_OK;
    }
    return status;
}

scrim_status sc_label_source_read(scrim_vault *vault, uint64_t id, sc_label_source *out,
                                  scrim_error *error)
{
    search s = {.vault = vault, .id = id, .out = out};
    memset(out, 0, sizeof *out);
    scrim_status status = scrim_vault_replay(vault, id, &out->release, error);
    if (status == SCRIM_OK && out->release.state != SCRIM_ENTRY_RELEASED)
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "release %" PRIu64 " is charged and has no answer: there is "
                         "nothing to label",
                         id);
    if (status == SCRIM_OK)
        status = read_budget(vault, out, error);
    if (status == SCRIM_OK)
        status = sc_vault_read(vault, read_entries, &s, error);
    if (status == SCRIM_OK && out->policy != NULL && s.is_open)
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "run %" PRIu64 " was never closed and has no label; 'scrim "
                         "replay %" PRIu64 "' shows its answers",
                         id, id);
    else if (status == SCRIM_OK && (out->policy == NULL || !s.has_answer))
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "a release without its entries; run scrim ledger verify");
    if (status != SCRIM_OK)
        sc_label_source_clear(out);
    return status;
}

void sc_label_source_clear(sc_label_source *source)
{
    scrim_vault_release_clear(&source->release);
    sc_release(source->policy);
    source->policy = NULL;
}

/* One entry. */

typedef struct asking {
    uint64_t id;
    sc_chain *out;
    bool *is_there;
} asking;

static scrim_status see_one(void *context, const sc_chain *at, sc_text bytes,
                            scrim_error *error)
{
    const asking *a = context;
    (void)bytes;
    (void)error;
    *a->is_there = at->generation == a->id;
    *a->out = *at;
    return SCRIM_E_STATE;
}

static scrim_status read_one(scrim_vault *v, void *context, scrim_error *error)
{
    const asking *a = context;
    const scrim_status status =
        v->store->functions->entries(v->store, a->id, false, see_one, context, error);
    return status == SCRIM_E_STATE ? SCRIM_OK : status;
}

scrim_status sc_label_source_entry(scrim_vault *vault, uint64_t id, sc_chain *out,
                                   bool *is_there, scrim_error *error)
{
    asking a = {id, out, is_there};
    *is_there = false;
    return sc_vault_read(vault, read_one, &a, error);
}
