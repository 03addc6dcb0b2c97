#include "vault/vault_key.h"

#include "base/memory.h"
#include "vault/store_key.h"

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

static scrim_status plan_sign(scrim_vault *v, void *context, scrim_error *error)
{
    const signing *s = context;
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
