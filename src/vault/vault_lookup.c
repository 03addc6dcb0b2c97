/* A plan looks up, under the lock: entries, analysts, datasets, and the charge of a question. */
#include "base/checked.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "vault/same_question.h"
#include "vault/store/store.h"
#include "vault/vault.h"

typedef struct search {
    uint64_t id;
    char *bytes;
    size_t count;
} search;

/* Takes the first entry that comes, and ends the visit by SCRIM_E_STATE. */
static scrim_status take_one(void *context, const sc_chain *at, sc_text bytes,
                             scrim_error *error)
{
    search *s = context;
    if (at->generation != s->id)
        return SCRIM_E_STATE;
    s->bytes = sc_text_copy(bytes);
    if (s->bytes == NULL)
        return sc_no_memory(error, "an entry");
    s->count = bytes.bytes;
    return SCRIM_E_STATE;
}

scrim_status sc_vault_entry(scrim_vault *v, uint64_t id, char **found, scrim_error *error)
{
    search s = {.id = id};
    scrim_status status =
        v->store->functions->entries(v->store, id, false, take_one, &s, error);
    if (status == SCRIM_OK || (status == SCRIM_E_STATE && s.bytes == NULL))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "entry",
                             "the ledger has no entry of that number");
    else if (status == SCRIM_E_STATE)
        status = sc_event_parse((sc_text){s.bytes, s.count}, &v->event, error);
    if (status == SCRIM_OK)
        *found = s.bytes;
    else
        sc_free(s.bytes);
    return status;
}

scrim_status sc_vault_want_analyst(scrim_vault *v, const sc_identity *identity,
                                   uint64_t *number, scrim_error *error)
{
    const sc_text name = sc_text_of(identity->is_unsure ? "" : identity->name);
    *number = sc_book_find_analyst(&v->book, identity->user, name);
    if (*number != 0)
        return SCRIM_OK;
    if (identity->is_unsure)
        return sc_identity_fail(error);
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_ANALYST;
    event.user = identity->user;
    event.name = sc_text_of(identity->name);
    scrim_status status = sc_vault_append(v, &event, error);
    *number = v->book.analyst_count;
    return status;
}

scrim_status sc_vault_want_dataset(const scrim_vault *v, const char *name,
                                   uint64_t *number, scrim_error *error)
{
    *number = sc_book_find_dataset(&v->book, sc_text_of(name));
    if (*number != 0)
        return SCRIM_OK;
    const char *nearest = sc_book_nearest_dataset(&v->book, sc_text_of(name), false);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "dataset",
                           "unknown dataset '%s'; did you mean '%s'?", name, nearest);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "dataset",
                       "unknown dataset '%s'", name);
}

scrim_status sc_vault_question(scrim_vault *v, uint64_t dataset, uint64_t version,
                               sc_text measurement, sc_digest *out, scrim_error *error)
{
    char where[2 * SC_INT128_BYTES + 2], number[SC_INT128_BYTES];
    sc_text_sink sink;
    sc_text_sink_init(&sink, where, sizeof where);
    sc_int128_format((sc_int128)dataset, number);
    sc_text_put(&sink, sc_text_of(number));
    sc_text_put(&sink, sc_text_of(" "));
    sc_int128_format((sc_int128)version, number);
    sc_text_put(&sink, sc_text_of(number));
    sc_text_put(&sink, sc_text_of("\n"));
    const sc_text same = sc_same_word(measurement);
    return sc_digest_of(v->digester, sc_text_of(where),
                        same.bytes > 0 ? same : measurement, out, error);
}

scrim_status sc_vault_pending_of(scrim_vault *v, uint64_t dataset, uint64_t version,
                                 sc_text measurement, sc_text parts, sc_pending *out,
                                 scrim_error *error)
{
    const sc_text none = {NULL, 0};
    SC_TRY(sc_vault_question(v, dataset, version, measurement, &out->question, error));
    return sc_digest_of(v->digester, parts,
                        sc_same_word(measurement).bytes > 0 ? measurement : none,
                        &out->parts, error);
}

/* By the line as earlier versions wrote it. */
static scrim_status find_old(scrim_vault *v, uint64_t dataset, uint64_t version,
                             sc_text measurement, uint64_t *entry, scrim_error *error)
{
    sc_digest question;
    char *old = sc_same_without(measurement);
    if (old == NULL)
        return sc_no_memory(error, "a question");
    scrim_status status =
        sc_vault_question(v, dataset, version, sc_text_of(old), &question, error);
    if (status == SCRIM_OK)
        status = v->store->functions->find(v->store, &question, entry, error);
    sc_free(old);
    return status;
}

scrim_status sc_vault_check_charge(scrim_vault *v, uint64_t entry, uint64_t dataset,
                                   uint64_t version, sc_text measurement,
                                   scrim_error *error)
{
    char *bytes = NULL;
    scrim_status status = sc_vault_entry(v, entry, &bytes, error);
    if (status == SCRIM_OK &&
        (!sc_event_is_charge(v->event.kind) || v->event.dataset != dataset ||
         v->event.version != version || !sc_same_is(v->event.body, measurement)))
        status = sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                             "the vault's releases do not match its ledger");
    sc_free(bytes);
    return status;
}

scrim_status sc_vault_find_question(scrim_vault *v, uint64_t dataset, uint64_t version,
                                    sc_text measurement, uint64_t *entry,
                                    scrim_error *error)
{
    sc_digest question;
    SC_TRY(sc_vault_question(v, dataset, version, measurement, &question, error));
    SC_TRY(v->store->functions->find(v->store, &question, entry, error));
    if (*entry == 0 && sc_same_word(measurement).bytes > 0)
        SC_TRY(find_old(v, dataset, version, measurement, entry, error));
    return *entry == 0
               ? SCRIM_OK
               : sc_vault_check_charge(v, *entry, dataset, version, measurement, error);
}
