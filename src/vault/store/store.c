#include "vault/store/store.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/signature.h"
#include "random/bits_keyed.h"

#include <string.h>

void sc_chain_init(sc_chain *chain)
{
    memset(chain, 0, sizeof *chain);
}

scrim_status sc_chain_extend(const sc_chain *chain, sc_digester *digester, sc_text bytes,
                             sc_chain *next, scrim_error *error)
{
    const sc_text before = {(const char *)chain->head.bytes, SC_DIGEST_BYTES};
    sc_digest head;
    scrim_status status = sc_digest_of(digester, before, bytes, &head, error);
    if (status == SCRIM_OK)
        *next = (sc_chain){chain->generation + 1, head};
    return status;
}

bool sc_chain_equal(const sc_chain *a, const sc_chain *b)
{
    return a->generation == b->generation && sc_digest_equal(&a->head, &b->head);
}

void sc_chain_format(const sc_chain *chain, char text[SC_CHAIN_TEXT_BYTES])
{
    char number[SC_INT128_BYTES], digest[SC_DIGEST_TEXT_BYTES];
    sc_text_sink sink;
    sc_int128_format((sc_int128)chain->generation, number);
    sc_digest_format(&chain->head, digest);
    sc_text_sink_init(&sink, text, SC_CHAIN_TEXT_BYTES);
    sc_text_put(&sink, sc_text_of(number));
    sc_text_put(&sink, sc_text_of(" "));
    sc_text_put(&sink, sc_text_of(digest));
}

bool sc_chain_parse(sc_text text, sc_chain *out)
{
    sc_text number, digest;
    sc_chain made;
    if (!sc_text_split(text, ' ', &number, &digest) ||
        !sc_text_uint64(number, &made.generation) || !sc_digest_parse(digest, &made.head))
        return false;
    *out = made;
    return true;
}

/* The secret's name in the store. */
#define SECRET "sign"

/* A store keeps 32 bytes as a digest. */
_Static_assert(sizeof(sc_signature_seed) == sizeof(sc_digest), "a seed has 32 bytes");
_Static_assert(sizeof(sc_bits_key) == sizeof(sc_digest), "a key has 32 bytes");

static scrim_status draw_seed(sc_digest *seed, scrim_error *error)
{
    sc_bits_key key;
    const scrim_status status = sc_bits_key_draw(&key, error);
    memcpy(seed->bytes, key.bytes, sizeof seed->bytes);
    sc_wipe(&key, sizeof key);
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

scrim_status sc_store_key_draw(sc_store *store, sc_digest *key, scrim_error *error)
{
    sc_digest secret = {{0}};
    scrim_status status = draw_seed(&secret, error);
    if (status == SCRIM_OK)
        status = key_of(&secret, key, error);
    if (status == SCRIM_OK)
        status = store->functions->put_secret(store, SECRET, &secret, error);
    sc_wipe(&secret, sizeof secret);
    return status;
}

scrim_status sc_store_key_read(sc_store *store, const sc_book *book, sc_digest *out,
                               bool *is_right, scrim_error *error)
{
    bool is_there = false;
    sc_digest key;
    *is_right = false;
    scrim_status status = store->functions->secret(store, SECRET, out, &is_there, error);
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
