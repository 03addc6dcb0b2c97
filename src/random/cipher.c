#include "random/cipher.h"

#include "base/fork_guard.h"
#include "base/memory.h"
#include "random/private_pages.h"

#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/provider.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

struct sc_cipher {
    OSSL_LIB_CTX *library;
    OSSL_PROVIDER *provider;
    void *state;
    OSSL_FUNC_cipher_newctx_fn *state_new;
    OSSL_FUNC_cipher_freectx_fn *state_free;
    OSSL_FUNC_cipher_encrypt_init_fn *start;
    OSSL_FUNC_cipher_update_fn *update;
};

/* The provider's functions are called directly. EVP would, in OpenSSL 3.0, read the
 * system's configuration file first and then prefer an engine that this file or the host
 * program has made the default; and it takes ten times as long to start. */
static bool cipher_find(sc_cipher *c, const OSSL_ALGORITHM *algorithm)
{
    while (algorithm->algorithm_names != NULL &&
           strcmp(algorithm->algorithm_names, "AES-256-CTR") != 0)
        algorithm++;
    if (algorithm->algorithm_names == NULL)
        return false;
    for (const OSSL_DISPATCH *f = algorithm->implementation; f->function_id != 0; f++) {
        if (f->function_id == OSSL_FUNC_CIPHER_NEWCTX)
            c->state_new = OSSL_FUNC_cipher_newctx(f);
        else if (f->function_id == OSSL_FUNC_CIPHER_FREECTX)
            c->state_free = OSSL_FUNC_cipher_freectx(f);
        else if (f->function_id == OSSL_FUNC_CIPHER_ENCRYPT_INIT)
            c->start = OSSL_FUNC_cipher_encrypt_init(f);
        else if (f->function_id == OSSL_FUNC_CIPHER_UPDATE)
            c->update = OSSL_FUNC_cipher_update(f);
    }
    return c->state_new != NULL && c->state_free != NULL && c->start != NULL &&
           c->update != NULL;
}

bool sc_cipher_start(const sc_cipher *c, const sc_cipher_seed *from)
{
    return c->start(c->state, from->key, SC_CIPHER_KEY_BYTES, from->counter,
                    SC_CIPHER_COUNTER_BYTES, NULL) == 1;
}

bool sc_cipher_apply(const sc_cipher *c, void *data, size_t bytes)
{
    size_t done = 0;
    return c->update(c->state, data, &done, bytes, data, bytes) == 1 && done == bytes;
}

bool sc_cipher_forget(const sc_cipher *c)
{
    static const sc_cipher_seed none;
    return sc_cipher_start(c, &none);
}

/* NIST SP 800-38A, F.5.5: CTR-AES256.Encrypt. */
static bool cipher_is_right(const sc_cipher *c)
{
    static const sc_cipher_seed given = {
        {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae,
         0xf0, 0x85, 0x7d, 0x77, 0x81, 0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61,
         0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4},
        {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc,
         0xfd, 0xfe, 0xff}};
    static const unsigned char expected[64] = {
        0x60, 0x1e, 0xc3, 0x13, 0x77, 0x57, 0x89, 0xa5, 0xb7, 0xa7, 0xf5, 0x04, 0xbb,
        0xf3, 0xd2, 0x28, 0xf4, 0x43, 0xe3, 0xca, 0x4d, 0x62, 0xb5, 0x9a, 0xca, 0x84,
        0xe9, 0x90, 0xca, 0xca, 0xf5, 0xc5, 0x2b, 0x09, 0x30, 0xda, 0xa2, 0x3d, 0xe9,
        0x4c, 0xe8, 0x70, 0x17, 0xba, 0x2d, 0x84, 0x98, 0x8d, 0xdf, 0xc9, 0xc5, 0x8d,
        0xb6, 0x7a, 0xad, 0xa6, 0x13, 0xc2, 0xdd, 0x08, 0x45, 0x79, 0x41, 0xa6};
    unsigned char text[64] = {
        0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73,
        0x93, 0x17, 0x2a, 0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7,
        0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51, 0x30, 0xc8, 0x1c, 0x46, 0xa3, 0x5c, 0xe4,
        0x11, 0xe5, 0xfb, 0xc1, 0x19, 0x1a, 0x0a, 0x52, 0xef, 0xf6, 0x9f, 0x24, 0x45,
        0xdf, 0x4f, 0x9b, 0x17, 0xad, 0x2b, 0x41, 0x7b, 0xe6, 0x6c, 0x37, 0x10};
    return sc_cipher_start(c, &given) && sc_cipher_apply(c, text, sizeof text) &&
           memcmp(text, expected, sizeof text) == 0;
}

void sc_cipher_close(sc_cipher *c)
{
    if (c == NULL)
        return;
    if (c->state != NULL)
        c->state_free(c->state);
    sc_fork_guard_moment_enter();
    if (c->provider != NULL)
        (void)OSSL_PROVIDER_unload(c->provider);
    OSSL_LIB_CTX_free(c->library);
    sc_fork_guard_moment_leave();
    sc_free(c);
}

/* The default provider is a part of libcrypto, so only memory can be missing for it. */
static scrim_status load(sc_cipher *c, scrim_error *error)
{
    int no_cache;
    sc_fork_guard_moment_enter();
    c->library = OSSL_LIB_CTX_new();
    if (c->library != NULL)
        c->provider = OSSL_PROVIDER_load(c->library, "default");
    sc_fork_guard_moment_leave();
    if (c->provider == NULL)
        return sc_no_memory(error, "a cipher");
    const OSSL_ALGORITHM *all =
        OSSL_PROVIDER_query_operation(c->provider, OSSL_OP_CIPHER, &no_cache);
    const bool is_found = all != NULL && cipher_find(c, all);
    if (is_found)
        c->state = c->state_new(OSSL_PROVIDER_get0_provider_ctx(c->provider));
    OSSL_PROVIDER_unquery_operation(c->provider, OSSL_OP_CIPHER, all);
    if (!is_found)
        return sc_fail(
            error, SCRIM_E_ENTROPY,
            "random bits: libcrypto has no AES-256-CTR; install OpenSSL 3.0 or later");
    return c->state != NULL ? SCRIM_OK : sc_no_memory(error, "a cipher");
}

scrim_status sc_cipher_open(sc_cipher **out, scrim_error *error)
{
    sc_cipher *c = sc_allocate(1, sizeof *c);
    if (c == NULL)
        return sc_no_memory(error, "a cipher");
    scrim_status status = load(c, error);
    if (status == SCRIM_OK && !cipher_is_right(c))
        status =
            sc_fail(error, SCRIM_E_ENTROPY,
                    "random bits: libcrypto's AES-256-CTR fails its known-answer test; "
                    "nothing was drawn; reinstall OpenSSL");
    if (status == SCRIM_OK)
        *out = c;
    else
        sc_cipher_close(c);
    return status;
}

_Static_assert(sizeof(sc_keystream_secrets) == SC_KEYSTREAM_BYTES,
               "the secrets fill whole pages");
_Static_assert(sizeof(sc_keystream_run) % 16 == 0,
               "a run is a whole number of cipher blocks");

scrim_status sc_keystream_open(sc_keystream **out, scrim_error *error)
{
    bool is_wiped = false;
    sc_keystream *new = sc_allocate(1, sizeof *new);
    if (new != NULL)
        new->secrets = sc_private_pages_map(sizeof *new->secrets, &is_wiped);
    if (new == NULL || new->secrets == NULL) {
        sc_free(new);
        return sc_fail(error, SCRIM_E_MEMORY, "random bits: no memory for a source");
    }
    new->bits.supply = &new->secrets->supply;
    new->secrets->supply.fleeting = !is_wiped;
    new->process = getpid();
    const scrim_status status = sc_cipher_open(&new->cipher, error);
    if (status == SCRIM_OK)
        *out = new;
    else
        sc_keystream_close(new);
    return status;
}

void sc_keystream_close(sc_keystream *stream)
{
    if (stream == NULL)
        return;
    sc_private_pages_unmap(stream->secrets, sizeof *stream->secrets);
    sc_cipher_close(stream->cipher);
    sc_free(stream);
}

/* A run of this many words, with its seed. */
static inline size_t run_bytes(uint32_t length)
{
    return length * sizeof(uint64_t) + sizeof(sc_cipher_seed);
}

void sc_keystream_forget(sc_keystream *stream)
{
    sc_keystream_secrets *s = stream->secrets;
    const unsigned fleeting = s->supply.fleeting;
    sc_wipe(s->run.words + (SC_KEYSTREAM_WORDS - s->length), run_bytes(s->length));
    sc_wipe(s, offsetof(sc_keystream_secrets, run));
    s->supply.fleeting = fleeting;
}

scrim_status sc_keystream_make(sc_keystream *stream, uint32_t length, scrim_error *error)
{
    sc_keystream_secrets *s = stream->secrets;
    uint64_t *from = s->run.words + (SC_KEYSTREAM_WORDS - length);
    const size_t bytes = run_bytes(length);
    s->length = length;
    bool made = sc_cipher_start(stream->cipher, &s->run.next);
    sc_wipe(from, bytes); /* the keystream of zeros is the keystream */
    made = made && sc_cipher_apply(stream->cipher, from, bytes);
    made = sc_cipher_forget(stream->cipher) && made;
    if (!made) {
        sc_keystream_forget(stream);
        return sc_fail(error, SCRIM_E_ENTROPY,
                       "random bits: libcrypto's AES-256-CTR failed; nothing was drawn; "
                       "reinstall OpenSSL");
    }
    s->supply.end = s->run.words + SC_KEYSTREAM_WORDS;
    s->supply.left = length;
    return SCRIM_OK;
}
