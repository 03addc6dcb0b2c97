#include "random/bits_system.h"

#include "base/memory.h"
#include "random/private_pages.h"

#include <errno.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>

#ifdef SCRIM_TESTING
sc_bits_system_calls sc_bits_system_call = {getrandom, OSSL_PROVIDER_query_operation};
#define SYSTEM_GETRANDOM sc_bits_system_call.getrandom
#define SYSTEM_QUERY sc_bits_system_call.query
#else
#define SYSTEM_GETRANDOM getrandom
#define SYSTEM_QUERY OSSL_PROVIDER_query_operation
#endif

#define KEY_BYTES 32
#define COUNTER_BYTES 16
#define PAGES_BYTES 16384
#define HEAD_BYTES 64
#define WORDS ((PAGES_BYTES - HEAD_BYTES - KEY_BYTES - COUNTER_BYTES) / 8)
/* The first window after fresh entropy is short, and each next one four times as long up to the
 * whole: one draw pays for a few blocks of the cipher, a million draws for full windows. Even,
 * so that a run is a whole number of blocks. */
#define WORDS_FIRST 32
#define WORDS_GROWTH 4

/* A call that signals keep interrupting is repeated so often, then it counts as
 * failed. */
#define INTERRUPTIONS 1000

typedef struct seed {
    unsigned char key[KEY_BYTES];
    unsigned char counter[COUNTER_BYTES];
} seed;

/* One run of the cipher: a window, and the seed of the run after it. A short run uses the last
 * words only. */
typedef struct run {
    uint64_t words[WORDS];
    seed next;
} run;

/* All that is secret, in pages of its own, which the kernel wipes in a child. */
typedef struct secrets {
    sc_bits_window window;
    bool seeded;     /* false in new pages and so, too, in a child */
    uint32_t length; /* words of the last window; 0 after fresh entropy */
    _Alignas(HEAD_BYTES) run run;
} secrets;

_Static_assert(sizeof(secrets) == PAGES_BYTES, "the secrets fill whole pages");
_Static_assert(sizeof(run) % 16 == 0 && WORDS_FIRST % 2 == 0,
               "a run is a whole number of cipher blocks");

typedef struct cipher {
    OSSL_LIB_CTX *library;
    OSSL_PROVIDER *provider;
    void *state;
    OSSL_FUNC_cipher_newctx_fn *state_new;
    OSSL_FUNC_cipher_freectx_fn *state_free;
    OSSL_FUNC_cipher_encrypt_init_fn *start;
    OSSL_FUNC_cipher_update_fn *update;
} cipher;

typedef struct source {
    sc_bits bits; /* first: the handle is a pointer to it */
    secrets *secrets;
    cipher cipher;
} source;

/* The kernel. */

/* At most 256 bytes: so much the kernel gives whole or not at all. */
static scrim_status kernel_fill(void *out, size_t bytes, scrim_error *error)
{
    for (int i = 0; i < INTERRUPTIONS; i++) {
        ssize_t got = SYSTEM_GETRANDOM(out, bytes, 0);
        if (got == (ssize_t)bytes)
            return SCRIM_OK;
        if (got < 0 && errno == EINTR)
            continue;
        if (got >= 0)
            return sc_fail(error, SCRIM_E_ENTROPY,
                           "random bits: getrandom gave %zu of %zu bytes; nothing was "
                           "drawn; see that "
                           "kernel and sandbox permit the call",
                           (size_t)got, bytes);
        return sc_fail(
            error, SCRIM_E_ENTROPY,
            "random bits: getrandom failed with errno %d; nothing was drawn; see "
            "that kernel and sandbox permit the call",
            errno);
    }
    return sc_fail(
        error, SCRIM_E_ENTROPY,
        "random bits: getrandom was interrupted %d times; nothing was drawn; try "
        "again when fewer signals arrive",
        INTERRUPTIONS);
}

static secrets *secrets_map(void)
{
    bool is_wiped = false;
    secrets *new = sc_private_pages_map(sizeof *new, &is_wiped);
    if (new != NULL)
        new->window.fleeting = !is_wiped;
    return new;
}

/* Leaves nothing to hand out and nothing to make it from. Beyond the last run all is zero. */
static void secrets_forget(secrets *s)
{
    unsigned fleeting = s->window.fleeting;
    sc_wipe(s->run.words + (WORDS - s->length),
            s->length * sizeof s->run.words[0] + sizeof s->run.next);
    sc_wipe(s, offsetof(secrets, run));
    s->window.fleeting = fleeting;
}

/* Libcrypto. */

/* The provider's functions are called directly. EVP would, in OpenSSL 3.0, read the
 * system's configuration file first and then prefer an engine that this file or the host
 * program has made the default; and it takes ten times as long to start. */
static bool cipher_find(cipher *c, const OSSL_ALGORITHM *algorithm)
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

static bool cipher_start(const cipher *c, const seed *from)
{
    return c->start(c->state, from->key, KEY_BYTES, from->counter, COUNTER_BYTES, NULL) ==
           1;
}

/* Encrypts in place. */
static bool cipher_apply(const cipher *c, void *data, size_t bytes)
{
    size_t done = 0;
    return c->update(c->state, data, &done, bytes, data, bytes) == 1 && done == bytes;
}

/* Overwrites the key that the state holds with one that is nobody's secret. */
static bool cipher_forget(const cipher *c)
{
    static const seed none;
    return cipher_start(c, &none);
}

/* NIST SP 800-38A, F.5.5: CTR-AES256.Encrypt. */
static bool cipher_is_right(const cipher *c)
{
    static const seed given = {{0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe,
                                0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
                                0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7,
                                0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4},
                               {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8,
                                0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff}};
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
    return cipher_start(c, &given) && cipher_apply(c, text, sizeof text) &&
           memcmp(text, expected, sizeof text) == 0;
}

static void cipher_close(cipher *c)
{
    if (c->state != NULL)
        c->state_free(c->state);
    if (c->provider != NULL)
        (void)OSSL_PROVIDER_unload(c->provider);
    OSSL_LIB_CTX_free(c->library);
    *c = (cipher){0};
}

/* On failure the caller closes what there is. */
static scrim_status cipher_open(cipher *c, scrim_error *error)
{
    c->library = OSSL_LIB_CTX_new();
    if (c->library != NULL)
        c->provider = OSSL_PROVIDER_load(c->library, "default");
    if (c->provider != NULL) {
        int no_cache;
        const OSSL_ALGORITHM *all = SYSTEM_QUERY(c->provider, OSSL_OP_CIPHER, &no_cache);
        if (all != NULL && cipher_find(c, all))
            c->state = c->state_new(OSSL_PROVIDER_get0_provider_ctx(c->provider));
        OSSL_PROVIDER_unquery_operation(c->provider, OSSL_OP_CIPHER, all);
    }
    if (c->state == NULL)
        return sc_fail(
            error, SCRIM_E_ENTROPY,
            "random bits: libcrypto has no AES-256-CTR; install OpenSSL 3.0 or later");
    if (!cipher_is_right(c))
        return sc_fail(
            error, SCRIM_E_ENTROPY,
            "random bits: libcrypto's AES-256-CTR fails its known-answer test; "
            "nothing was drawn; reinstall OpenSSL");
    return SCRIM_OK;
}

/* The source. */

static scrim_status seed_from_kernel(secrets *s, scrim_error *error)
{
    secrets_forget(s);
    scrim_status status = kernel_fill(&s->run.next, sizeof s->run.next, error);
    s->seeded = status == SCRIM_OK;
    return status;
}

static scrim_status refill(sc_bits *bits, scrim_error *error)
{
    source *self = (source *)bits;
    secrets *s = self->secrets;
    if (!s->seeded) {
        scrim_status status = seed_from_kernel(s, error);
        if (status != SCRIM_OK)
            return status;
    }
    uint32_t length = s->length == 0 ? WORDS_FIRST : s->length * WORDS_GROWTH;
    s->length = length < WORDS ? length : WORDS;
    uint64_t *from = s->run.words + (WORDS - s->length);
    size_t bytes = s->length * sizeof *from + sizeof s->run.next;
    bool made = cipher_start(&self->cipher, &s->run.next);
    sc_wipe(from, bytes); /* the keystream of zeros is the keystream */
    made = made && cipher_apply(&self->cipher, from, bytes);
    made = cipher_forget(&self->cipher) && made;
    if (!made) {
        secrets_forget(s);
        return sc_fail(error, SCRIM_E_ENTROPY,
                       "random bits: libcrypto's AES-256-CTR failed; nothing was drawn; "
                       "reinstall OpenSSL");
    }
    s->window.end = s->run.words + WORDS;
    s->window.left = s->length;
    return SCRIM_OK;
}

/* Where a fork wipes nothing: one word, which the caller takes at once. */
static scrim_status refill_fleeting(sc_bits *bits, scrim_error *error)
{
    secrets *s = ((source *)bits)->secrets;
    scrim_status status = kernel_fill(s->run.words, sizeof s->run.words[0], error);
    if (status != SCRIM_OK)
        return status;
    s->window.end = s->run.words + 1;
    s->window.left = 1;
    return SCRIM_OK;
}

scrim_status sc_bits_system_open(sc_bits **out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    source *new = sc_allocate(1, sizeof *new);
    if (new != NULL)
        new->secrets = secrets_map();
    if (new == NULL || new->secrets == NULL) {
        status = sc_fail(error, SCRIM_E_MEMORY, "random bits: no memory for a source");
        goto done;
    }
    new->bits.window = &new->secrets->window;
    new->bits.refill = new->secrets->window.fleeting != 0 ? refill_fleeting : refill;
    status = cipher_open(&new->cipher, error);
    if (status == SCRIM_OK)
        status = sc_bits_system_renew(&new->bits, error);
    if (status != SCRIM_OK)
        goto done;
    *out = &new->bits;
    new = NULL;
done:
    if (new != NULL)
        sc_bits_system_close(&new->bits);
    return status;
}

void sc_bits_system_close(sc_bits *bits)
{
    if (bits == NULL)
        return;
    source *self = (source *)bits;
    sc_private_pages_unmap(self->secrets, sizeof *self->secrets);
    cipher_close(&self->cipher);
    sc_release(self);
}

scrim_status sc_bits_system_renew(sc_bits *bits, scrim_error *error)
{
    return seed_from_kernel(((source *)bits)->secrets, error);
}
