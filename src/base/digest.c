#include "base/digest.h"

#include "base/fork_guard.h"
#include "base/memory.h"

#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/provider.h>
#include <string.h>

struct sc_digester {
    OSSL_LIB_CTX *library;
    OSSL_PROVIDER *provider;
    void *state;
    OSSL_FUNC_digest_newctx_fn *state_new;
    OSSL_FUNC_digest_freectx_fn *state_free;
    OSSL_FUNC_digest_init_fn *start;
    OSSL_FUNC_digest_update_fn *update;
    OSSL_FUNC_digest_final_fn *final;
};

/* Names of one algorithm are separated by colons. */
static bool has_name(const char *names, const char *wanted)
{
    sc_text rest = sc_text_of(names), name;
    while (sc_text_split(rest, ':', &name, &rest))
        if (sc_text_is(name, wanted))
            return true;
    return sc_text_is(rest, wanted);
}

/* The provider's functions are called directly, as in random/bits_system.c: nothing that the
 * system's configuration file or the host program has made the default comes between. */
static bool find(sc_digester *d, const OSSL_ALGORITHM *algorithm)
{
    while (algorithm->algorithm_names != NULL &&
           !has_name(algorithm->algorithm_names, "SHA2-256"))
        algorithm++;
    if (algorithm->algorithm_names == NULL)
        return false;
    for (const OSSL_DISPATCH *f = algorithm->implementation; f->function_id != 0; f++) {
        if (f->function_id == OSSL_FUNC_DIGEST_NEWCTX)
            d->state_new = OSSL_FUNC_digest_newctx(f);
        else if (f->function_id == OSSL_FUNC_DIGEST_FREECTX)
            d->state_free = OSSL_FUNC_digest_freectx(f);
        else if (f->function_id == OSSL_FUNC_DIGEST_INIT)
            d->start = OSSL_FUNC_digest_init(f);
        else if (f->function_id == OSSL_FUNC_DIGEST_UPDATE)
            d->update = OSSL_FUNC_digest_update(f);
        else if (f->function_id == OSSL_FUNC_DIGEST_FINAL)
            d->final = OSSL_FUNC_digest_final(f);
    }
    return d->state_new != NULL && d->state_free != NULL && d->start != NULL &&
           d->update != NULL && d->final != NULL;
}

bool sc_digester_start(sc_digester *d)
{
    return d->start(d->state, NULL) == 1;
}

bool sc_digester_add(sc_digester *d, sc_text piece)
{
    return piece.bytes == 0 ||
           d->update(d->state, (const unsigned char *)piece.start, piece.bytes) == 1;
}

bool sc_digester_end(sc_digester *d, sc_digest *out)
{
    sc_digest made;
    size_t bytes = 0;
    if (d->final(d->state, made.bytes, &bytes, sizeof made.bytes) != 1 ||
        bytes != sizeof made.bytes)
        return false;
    *out = made;
    return true;
}

static bool compute(sc_digester *d, sc_text first, sc_text second, sc_digest *out)
{
    return sc_digester_start(d) && sc_digester_add(d, first) &&
           sc_digester_add(d, second) && sc_digester_end(d, out);
}

/* The example "abc" of the standard. */
static bool is_right(sc_digester *d)
{
    sc_digest want, got;
    return sc_digest_parse(sc_text_of("ba7816bf8f01cfea414140de5dae2223"
                                      "b00361a396177a9cb410ff61f20015ad"),
                           &want) &&
           compute(d, sc_text_of("a"), sc_text_of("bc"), &got) &&
           sc_digest_equal(&got, &want);
}

scrim_status sc_digester_new(sc_digester **out, scrim_error *error)
{
    sc_digester *d = sc_allocate(1, sizeof *d);
    if (d == NULL)
        return sc_no_memory(error, "a digest");
    bool is_found = true; /* until it was looked for */
    sc_fork_guard_moment_enter();
    d->library = OSSL_LIB_CTX_new();
    if (d->library != NULL)
        d->provider = OSSL_PROVIDER_load(d->library, "default");
    sc_fork_guard_moment_leave();
    if (d->provider != NULL) {
        int no_cache;
        const OSSL_ALGORITHM *all =
            OSSL_PROVIDER_query_operation(d->provider, OSSL_OP_DIGEST, &no_cache);
        is_found = all != NULL && find(d, all);
        if (is_found)
            d->state = d->state_new(OSSL_PROVIDER_get0_provider_ctx(d->provider));
        OSSL_PROVIDER_unquery_operation(d->provider, OSSL_OP_DIGEST, all);
    }
    if (d->state == NULL && is_found) {
        sc_digester_free(d);
        return sc_no_memory(error, "a digest");
    }
    if (d->state == NULL || !is_right(d)) {
        sc_digester_free(d);
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "libcrypto has no SHA-256 that works; install OpenSSL 3.0 or "
                       "later");
    }
    *out = d;
    return SCRIM_OK;
}

void sc_digester_free(sc_digester *d)
{
    if (d == NULL)
        return;
    if (d->state != NULL)
        d->state_free(d->state);
    sc_fork_guard_moment_enter();
    if (d->provider != NULL)
        (void)OSSL_PROVIDER_unload(d->provider);
    OSSL_LIB_CTX_free(d->library);
    sc_fork_guard_moment_leave();
    sc_free(d);
}

scrim_status sc_digest_of(sc_digester *d, sc_text first, sc_text second, sc_digest *out,
                          scrim_error *error)
{
    sc_digest made;
    if (!compute(d, first, second, &made))
        return sc_fail(error, SCRIM_E_INTERNAL, "libcrypto could not compute a digest");
    *out = made;
    return SCRIM_OK;
}

void sc_digest_format(const sc_digest *digest, char text[SC_DIGEST_TEXT_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < SC_DIGEST_BYTES; i++) {
        text[2 * i] = digits[digest->bytes[i] >> 4];
        text[2 * i + 1] = digits[digest->bytes[i] & 15];
    }
    text[SC_DIGEST_TEXT_BYTES - 1] = '\0';
}

/* The value of a digit plus 1, by character; 0: no digit. A table, since a ledger has two digests an entry. */
static const unsigned char digit_plus_1[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
    ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
    ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16};

bool sc_digest_parse(sc_text text, sc_digest *out)
{
    sc_digest made;
    if (text.bytes != SC_DIGEST_TEXT_BYTES - 1)
        return false;
    for (size_t i = 0; i < SC_DIGEST_BYTES; i++) {
        const unsigned high = digit_plus_1[(unsigned char)text.start[2 * i]];
        const unsigned low = digit_plus_1[(unsigned char)text.start[2 * i + 1]];
        if (high == 0 || low == 0)
            return false;
        made.bytes[i] = (unsigned char)((high - 1) << 4 | (low - 1));
    }
    *out = made;
    return true;
}

bool sc_digest_equal(const sc_digest *a, const sc_digest *b)
{
    return memcmp(a->bytes, b->bytes, SC_DIGEST_BYTES) == 0;
}
