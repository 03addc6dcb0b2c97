#include "vault/handle/source_key.h"

#include "base/memory.h"
#include "random/bits_system.h"

#include <string.h>

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

static scrim_status make(scrim_vault *v, sc_source_key *out, scrim_error *error)
{
    uint64_t words[4];
    sc_digest secret;
    scrim_status status = draw(words, 4, error);
    memcpy(&secret, words, sizeof secret);
    memcpy(out, words, sizeof *out);
    if (status == SCRIM_OK)
        status = v->store->functions->put_secret(v->store, SECRET, &secret, error);
    sc_wipe(&secret, sizeof secret);
    sc_wipe(words, sizeof words);
    return status;
}

scrim_status sc_vault_seal_source(scrim_vault *v, const sc_source_stamp *stamp,
                                  sc_source_seal *out, scrim_error *error)
{
    sc_source_key key = {{{0, 0}}};
    uint64_t salt[2];
    bool is_there = false;
    scrim_status status = find(v, &key, &is_there, error);
    if (status == SCRIM_OK && !is_there)
        status = make(v, &key, error);
    if (status == SCRIM_OK)
        status = draw(salt, 2, error);
    if (status == SCRIM_OK)
        sc_source_seal_make(&key, salt, stamp, out);
    sc_wipe(&key, sizeof key);
    return status;
}
