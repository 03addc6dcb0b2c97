#include "vault/vault_key.h"

#include "base/memory.h"
#include "random/bits_system.h"

#include <string.h>

/* The secret's name in the store. */
#define SECRET "sign"

/* A store keeps 32 bytes as a digest. */
_Static_assert(sizeof(sc_signature_seed) == sizeof(sc_digest), "a seed has 32 bytes");

static scrim_status draw_seed(sc_digest *seed, scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    for (size_t i = 0; status == SCRIM_OK && i < sizeof seed->bytes;
         i += sizeof(uint64_t)) {
        uint64_t word = 0;
        status = sc_bits_word(bits, &word, error);
        memcpy(seed->bytes + i, &word, sizeof word);
        sc_wipe(&word, sizeof word);
    }
    sc_bits_system_close(bits);
    return status;
}

static scrim_status key_of(const sc_digest *secret, sc_digest *key, scrim_error *error)
{
    sc_signature_seed seed;
    memcpy(seed.bytes, secret->bytes, sizeof seed.bytes);
    const scrim_status status = sc_signature_key(&seed, key, error);
    sc_wipe(&seed, sizeof seed);
    return status;
}

scrim_status sc_vault_key_draw(scrim_vault *v, sc_digest *key, scrim_error *error)
{
    sc_digest secret = {{0}};
    scrim_status status = draw_seed(&secret, error);
    if (status == SCRIM_OK)
        status = key_of(&secret, key, error);
    if (status == SCRIM_OK)
        status = v->store->functions->put_secret(v->store, SECRET, &secret, error);
    sc_wipe(&secret, sizeof secret);
    return status;
}

scrim_status sc_vault_key_add(scrim_vault *v, scrim_error *error)
{
    sc_event event;
    sc_event_init(&event);
    event.kind = SC_EVENT_KEY;
    scrim_status status = sc_vault_key_draw(v, &event.digest, error);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status;
}

/* The private key of the public one that the book has; out is the caller's to wipe. */
static scrim_status read_secret(scrim_vault *v, const sc_book *book, sc_digest *out,
                                bool *is_right, scrim_error *error)
{
    bool is_there = false;
    sc_digest key;
    *is_right = false;
    scrim_status status =
        v->store->functions->secret(v->store, SECRET, out, &is_there, error);
    if (status != SCRIM_OK || is_there != (book->key_entry != 0))
        return status;
    if (!is_there) {
        *is_right = true;
        return SCRIM_OK;
    }
    status = key_of(out, &key, error);
    if (status == SCRIM_OK)
        *is_right = sc_digest_equal(&key, &book->key);
    return status;
}

scrim_status sc_vault_key_check(scrim_vault *v, const sc_book *book, scrim_error *error)
{
    sc_digest secret = {{0}};
    bool is_right;
    scrim_status status = read_secret(v, book, &secret, &is_right, error);
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

static scrim_status plan_sign(scrim_vault *v, void *context, scrim_error *error)
{
    const signing *s = context;
    sc_digest secret = {{0}};
    sc_signature_seed seed;
    bool is_right;
    scrim_status status = read_secret(v, &v->book, &secret, &is_right, error);
    if (status == SCRIM_OK && (!is_right || v->book.key_entry == 0))
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "the vault lacks the key of its labels; run scrim ledger "
                         "verify");
    memcpy(seed.bytes, secret.bytes, sizeof seed.bytes);
    sc_wipe(&secret, sizeof secret);
    if (status == SCRIM_OK)
        status = sc_signature_sign(&seed, s->text, s->out, error);
    sc_wipe(&seed, sizeof seed);
    return status;
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
        v->book.key_entry == 0 ? sc_vault_key_add(v, error) : SCRIM_OK;
    return status == SCRIM_OK ? plan_show(v, context, error) : status;
}

scrim_status scrim_vault_key(scrim_vault *vault, scrim_key *out, scrim_error *error)
{
    scrim_key key = {.entry = 0};
    scrim_status status = sc_vault_read(vault, plan_show, &key, error);
    if (status == SCRIM_OK && key.entry == 0)
        status = vault->is_owner
                     ? sc_vault_write(vault, plan_make, &key, error)
                     : sc_fail(error, SCRIM_E_POLICY,
                               "the vault was made before labels were signed and has no "
                               "key; its owner makes one with scrim ledger key");
    if (status == SCRIM_OK)
        *out = key;
    return status;
}
