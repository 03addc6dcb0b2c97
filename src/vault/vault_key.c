#include "vault/vault_key.h"

#include "base/memory.h"
#include "random/bits_system.h"
#include "vault/store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

scrim_status sc_vault_key_check(scrim_vault *v, const sc_book *book, scrim_error *error)
{
    sc_digest secret = {{0}};
    bool is_right;
    scrim_status status = sc_store_key_read(v->store, book, &secret, &is_right, error);
    sc_wipe(&secret, sizeof secret);
    if (status == SCRIM_OK && !is_right)
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the ledger does not hold: its key is not the one that labels "
                         "are signed by");
    return status;
}

/* Signing. */

typedef struct signing {
    sc_text text;
    sc_signature *out;
} signing;

static scrim_status sign(scrim_vault *v, const signing *s, scrim_error *error)
{
    sc_digest secret = {{0}};
    sc_signature_seed seed;
    bool is_right;
    scrim_status status =
        sc_store_key_read(v->store, &v->book, &secret, &is_right, error);
    if (status == SCRIM_OK && (!is_right || v->book.key_entry == 0))
        status = sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                             "the vault lacks the key of its labels");
    memcpy(seed.bytes, secret.bytes, sizeof seed.bytes);
    sc_wipe(&secret, sizeof secret);
    if (status == SCRIM_OK)
        status = sc_signature_sign(&seed, s->text, s->out, error);
    sc_wipe(&seed, sizeof seed);
    return status;
}

static scrim_status plan_sign(scrim_vault *v, void *context, scrim_error *error)
{
    return sign(v, context, error);
}

scrim_status sc_vault_key_sign(scrim_vault *v, sc_text text, sc_signature *out,
                               scrim_error *error)
{
    signing s = {text, out};
    return sc_vault_read(v, plan_sign, &s, error);
}

/* The public half. */

static scrim_status plan_show(scrim_vault *v, void *context, scrim_error *error)
{
    scrim_key *out = context;
    (void)error;
    out->entry = v->book.key_entry;
    if (out->entry != 0)
        sc_digest_format(&v->book.key, out->text);
    return SCRIM_OK;
}

/* Somebody else may have been quicker. */
static scrim_status plan_make(scrim_vault *v, void *context, scrim_error *error)
{
    const scrim_status status =
        v->book.key_entry == 0 ? sc_vault_add_key(v, error) : SCRIM_OK;
    return status == SCRIM_OK ? plan_show(v, context, error) : status;
}

scrim_status scrim_vault_key(scrim_vault *vault, scrim_key *out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    scrim_key key = {.entry = 0};
    scrim_status status = sc_vault_read(vault, plan_show, &key, error);
    if (status == SCRIM_OK && key.entry == 0)
        status =
            vault->is_owner
                ? sc_vault_write(vault, plan_make, &key, error)
                : sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_MISSING, "key",
                              "the vault was made before labels were signed and has no "
                              "key");
    if (status == SCRIM_OK)
        *out = key;
    return status;
}

/* Heads. */

sc_text sc_head_text(const sc_chain *head, char text[SC_HEAD_TEXT_BYTES])
{
    char hash[SC_DIGEST_TEXT_BYTES];
    sc_digest_format(&head->head, hash);
    const int bytes =
        snprintf(text, SC_HEAD_TEXT_BYTES, "scrim-head 1\nentries %" PRIu64 "\nhead %s\n",
                 head->generation, hash);
    return (sc_text){text, (size_t)bytes};
}

typedef struct heading {
    uint64_t entries; /* 0: all */
    sc_chain at;
    scrim_head *out;
} heading;

/* SCRIM_E_STATE ends the walk behind the first entry. */
static scrim_status take_first(void *context, const sc_chain *at, sc_text bytes,
                               scrim_error *error)
{
    heading *h = context;
    (void)bytes;
    (void)error;
    h->at = *at;
    return SCRIM_E_STATE;
}

static scrim_status plan_find(scrim_vault *v, heading *h, scrim_error *error)
{
    h->at = v->chain;
    if (h->entries == 0 || h->entries == v->chain.generation)
        return SCRIM_OK;
    if (h->entries > v->chain.generation)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "entries",
                           "the ledger has %" PRIu64 " entries, fewer than %" PRIu64,
                           v->chain.generation, h->entries);
    const scrim_status status =
        v->store->functions->entries(v->store, h->entries, false, take_first, h, error);
    return status == SCRIM_E_STATE ? SCRIM_OK : status;
}

static scrim_status plan_head(scrim_vault *v, void *context, scrim_error *error)
{
    heading *h = context;
    sc_signature signature;
    char text[SC_HEAD_TEXT_BYTES];
    SC_TRY(plan_find(v, h, error));
    const signing s = {sc_head_text(&h->at, text), &signature};
    *h->out = (scrim_head){.entries = h->at.generation};
    sc_digest_format(&h->at.head, h->out->hash);
    /* The key of a vault that was made without one may be younger than the entry. */
    if (v->book.key_entry == 0 || v->book.key_entry > h->at.generation)
        return SCRIM_OK;
    SC_TRY(sign(v, &s, error));
    sc_digest_format(&v->book.key, h->out->key);
    sc_signature_format(&signature, h->out->signature);
    return SCRIM_OK;
}

scrim_status scrim_vault_head(scrim_vault *vault, uint64_t entries, scrim_head *out,
                              scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    scrim_head head = {.entries = 0};
    heading h = {.entries = entries, .out = &head};
    const scrim_status status = sc_vault_read(vault, plan_head, &h, error);
    if (status == SCRIM_OK)
        *out = head;
    return status;
}

/* The secret's name in the store. */
#define SECRET "source"

_Static_assert(sizeof(sc_source_key) == sizeof(sc_digest),
               "a key is a secret of a store");

static scrim_status draw(uint64_t *words, size_t count, scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = sc_bits_word(bits, &words[i], error);
    sc_bits_system_close(bits);
    return status;
}

static scrim_status find(scrim_vault *v, sc_source_key *out, bool *is_there,
                         scrim_error *error)
{
    sc_digest secret = {{0}};
    const scrim_status status =
        v->store->functions->secret(v->store, SECRET, &secret, is_there, error);
    if (status == SCRIM_OK && *is_there)
        memcpy(out, &secret, sizeof *out);
    sc_wipe(&secret, sizeof secret);
    return status;
}

scrim_status sc_vault_source_key(scrim_vault *v, sc_source_key *out, scrim_error *error)
{
    bool is_there = false;
    *out = (sc_source_key){{{0, 0}}};
    return find(v, out, &is_there, error);
}

static scrim_status draw_key(sc_source_key *out, scrim_error *error)
{
    uint64_t words[4] = {0};
    const scrim_status status = draw(words, 4, error);
    memcpy(out, words, sizeof *out);
    sc_wipe(words, sizeof words);
    return status;
}

static scrim_status put(scrim_vault *v, const sc_source_key *key, scrim_error *error)
{
    sc_digest secret;
    memcpy(&secret, key, sizeof secret);
    const scrim_status status =
        v->store->functions->put_secret(v->store, SECRET, &secret, error);
    sc_wipe(&secret, sizeof secret);
    return status;
}

typedef struct drafting {
    sc_source_key *key;
    bool is_there;
} drafting;

static scrim_status plan_draft(scrim_vault *v, void *context, scrim_error *error)
{
    drafting *d = context;
    return find(v, d->key, &d->is_there, error);
}

scrim_status sc_vault_draft_source_key(scrim_vault *v, sc_source_key *out,
                                       scrim_error *error)
{
    drafting d = {.key = out};
    const scrim_status status = sc_vault_read(v, plan_draft, &d, error);
    return status == SCRIM_OK && !d.is_there ? draw_key(out, error) : status;
}

scrim_status sc_vault_want_source_key(scrim_vault *v, const sc_source_key *draft,
                                      sc_source_key *out, scrim_error *error)
{
    bool is_there = false;
    scrim_status status = find(v, out, &is_there, error);
    if (status == SCRIM_OK && !is_there && draft == NULL)
        status = draw_key(out, error);
    else if (status == SCRIM_OK && !is_there)
        *out = *draft;
    if (status == SCRIM_OK && !is_there)
        status = put(v, out, error);
    if (status == SCRIM_OK && draft != NULL && memcmp(draft, out, sizeof *out) != 0)
        status = sc_fail(error, SCRIM_E_BUSY,
                         "another process has added the first dataset of this vault; try "
                         "again");
    return status;
}

scrim_status sc_vault_seal_source(const sc_source_key *key, const sc_source_stamp *stamp,
                                  const sc_source_content *content, sc_source_seal *out,
                                  scrim_error *error)
{
    uint64_t salt[2];
    const scrim_status status = draw(salt, 2, error);
    if (status == SCRIM_OK)
        sc_source_seal_make(key, salt, stamp, content, out);
    return status;
}

/* A version that is closed. */

typedef struct closing {
    uint64_t dataset, version;
} closing;

static scrim_status plan_close(scrim_vault *v, void *context, scrim_error *error)
{
    const closing *c = context;
    const sc_dataset_entry *d = sc_book_dataset(&v->book, c->dataset);
    if (d == NULL || d->is_removed || d->is_closed || d->version != c->version)
        return SCRIM_OK;
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_CLOSE;
    event.dataset = c->dataset;
    event.version = c->version;
    return sc_vault_append(v, &event, error);
}

scrim_status sc_vault_close_version(scrim_vault *v, uint64_t dataset, uint64_t version,
                                    scrim_error *error)
{
    closing c = {dataset, version};
    return sc_vault_write(v, plan_close, &c, error);
}
