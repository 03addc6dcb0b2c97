#include "query/label/label_source.h"

#include "base/text_copy.h"
#include "vault/booked_view.h"
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
    bool is_open;     /* a run whose answers are entries of their own, so far */
    uint64_t entries; /* that the ledger had; 0: all */
    sc_book past;     /* of those */
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
    char *copy = sc_text_copy(body);
    if (copy == NULL)
        return sc_no_memory(error, "a label");
    sc_free(s->out->policy);
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

/* The state of the ledger when it had an earlier number of entries. */

static scrim_status see_past(void *context, const sc_chain *at, sc_text bytes,
                             scrim_error *error)
{
    search *s = context;
    if (at->generation > s->entries)
        return SCRIM_E_STATE;
    scrim_status status = sc_event_parse(bytes, &s->vault->event, error);
    if (status == SCRIM_OK)
        status = sc_book_apply(&s->past, at->generation, &s->vault->event, error);
    s->out->head = *at;
    return status;
}

static scrim_status set_state(search *s, const sc_book *book, scrim_error *error)
{
    sc_label_source *out = s->out;
    const uint64_t population =
        sc_book_find_population(book, sc_text_of(out->release.population));
    out->has_key = book->key_entry != 0;
    out->key = book->key;
    if (population == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "the ledger had no such population then");
    sc_vault_set_budget(book, population, 0, &out->budget);
    return SCRIM_OK;
}

static scrim_status read_past(search *s, scrim_error *error)
{
    sc_store *store = s->vault->store;
    sc_book_init(&s->past);
    scrim_status status = store->functions->entries(store, 1, false, see_past, s, error);
    if (status == SCRIM_E_STATE && s->out->head.generation == s->entries)
        status = SCRIM_OK;
    if (status == SCRIM_OK)
        status = set_state(s, &s->past, error);
    sc_book_clear(&s->past);
    return status;
}

static scrim_status read_state(search *s, scrim_error *error)
{
    const scrim_vault *v = s->vault;
    if (s->entries > v->chain.generation)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "entries",
                           "the ledger has fewer entries");
    if (s->entries != 0 && s->entries < v->chain.generation)
        return read_past(s, error);
    s->out->head = v->chain;
    return set_state(s, &v->book, error);
}

/* All of it in one transaction: what was spent is what the entries up to the head say. */
static scrim_status read_entries(scrim_vault *v, void *context, scrim_error *error)
{
    search *s = context;
    scrim_status status =
        v->store->functions->entries(v->store, s->id, false, see_traffic, s, error);
    if (status == SCRIM_E_STATE && s->has_answer)
        status = SCRIM_OK;
    if (s->entries == SC_LABEL_AT_ANSWER)
        s->entries = s->out->answer.generation > v->book.key_entry
                         ? s->out->answer.generation
                         : v->book.key_entry;
    if (status == SCRIM_OK)
        status = v->store->functions->entries(v->store, 1, true, see_policy, s, error);
    if (status == SCRIM_OK)
        status = read_state(s, error);
    if (status == SCRIM_OK && s->out->answer.generation > s->out->head.generation)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "entries",
                             "the release had no answer then");
    s->out->is_test = v->book.is_test;
    return status;
}

scrim_status sc_label_source_read(scrim_vault *vault, uint64_t id, uint64_t entries,
                                  sc_label_source *out, scrim_error *error)
{
    search s = {.vault = vault, .out = out, .entries = entries};
    memset(out, 0, sizeof *out);
    scrim_status status = sc_vault_recall(vault, id, &out->release, error);
    if (status == SCRIM_OK)
        status = scrim_vault_release_check(&out->release, error);
    s.id = out->release.entry;
    if (status == SCRIM_OK)
        status = sc_vault_read(vault, read_entries, &s, error);
    if (status == SCRIM_OK && out->policy != NULL && s.is_open)
        status = sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_OPEN, "release",
                             "run %" PRIu64 " was never closed and has no label", id);
    else if (status == SCRIM_OK && (out->policy == NULL || !s.has_answer))
        status = sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                             "a release without its entries");
    if (status != SCRIM_OK)
        sc_label_source_clear(out);
    return status;
}

void sc_label_source_clear(sc_label_source *source)
{
    scrim_vault_release_clear(&source->release);
    sc_free(source->policy);
    source->policy = NULL;
}
