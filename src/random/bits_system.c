#include "random/bits_system.h"

#include "base/memory.h"
#include "random/cipher.h"
#include "random/private_pages.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/random.h>

#define PAGES_BYTES 16384
#define HEAD_BYTES 64
#define SEED_BYTES (SC_CIPHER_KEY_BYTES + SC_CIPHER_COUNTER_BYTES)
#define WORDS ((PAGES_BYTES - HEAD_BYTES - SEED_BYTES) / 8)
/* The first supply after fresh entropy is short, and each next one four times as long up to the
 * whole: one draw pays for a few blocks of the cipher, a million draws for full supplies. Even,
 * so that a run is a whole number of blocks. */
#define WORDS_FIRST 32
#define WORDS_GROWTH 4

/* A call that signals keep interrupting is repeated so often, then it counts as
 * failed. */
#define INTERRUPTIONS 1000

/* One run of the cipher: a supply, and the seed of the run after it. A short run uses the last
 * words only. */
typedef struct run {
    uint64_t words[WORDS];
    sc_cipher_seed next;
} run;

/* All that is secret, in pages of its own, which the kernel wipes in a child. */
typedef struct secrets {
    sc_bits_supply supply;
    bool seeded;     /* false in new pages and so, too, in a child */
    uint32_t length; /* words of the last supply; 0 after fresh entropy */
    _Alignas(HEAD_BYTES) run run;
} secrets;

_Static_assert(sizeof(secrets) == PAGES_BYTES, "the secrets fill whole pages");
_Static_assert(sizeof(run) % 16 == 0 && WORDS_FIRST % 2 == 0,
               "a run is a whole number of cipher blocks");

typedef struct source {
    sc_bits bits; /* first: the handle is a pointer to it */
    secrets *secrets;
    sc_cipher *cipher;
} source;

/* The kernel. */

/* At most 256 bytes: so much the kernel gives whole or not at all. */
static scrim_status kernel_fill(void *out, size_t bytes, scrim_error *error)
{
    for (int i = 0; i < INTERRUPTIONS; i++) {
        ssize_t got = getrandom(out, bytes, 0);
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
        new->supply.fleeting = !is_wiped;
    return new;
}

/* Leaves nothing to hand out and nothing to make it from. Beyond the last run all is zero. */
static void secrets_forget(secrets *s)
{
    unsigned fleeting = s->supply.fleeting;
    sc_wipe(s->run.words + (WORDS - s->length),
            s->length * sizeof s->run.words[0] + sizeof s->run.next);
    sc_wipe(s, offsetof(secrets, run));
    s->supply.fleeting = fleeting;
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
    bool made = sc_cipher_start(self->cipher, &s->run.next);
    sc_wipe(from, bytes); /* the keystream of zeros is the keystream */
    made = made && sc_cipher_apply(self->cipher, from, bytes);
    made = sc_cipher_forget(self->cipher) && made;
    if (!made) {
        secrets_forget(s);
        return sc_fail(error, SCRIM_E_ENTROPY,
                       "random bits: libcrypto's AES-256-CTR failed; nothing was drawn; "
                       "reinstall OpenSSL");
    }
    s->supply.end = s->run.words + WORDS;
    s->supply.left = s->length;
    return SCRIM_OK;
}

/* Where a fork wipes nothing: one word, which the caller takes at once. */
static scrim_status refill_fleeting(sc_bits *bits, scrim_error *error)
{
    secrets *s = ((source *)bits)->secrets;
    scrim_status status = kernel_fill(s->run.words, sizeof s->run.words[0], error);
    if (status != SCRIM_OK)
        return status;
    s->supply.end = s->run.words + 1;
    s->supply.left = 1;
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
    new->bits.supply = &new->secrets->supply;
    new->bits.refill = new->secrets->supply.fleeting != 0 ? refill_fleeting : refill;
    status = sc_cipher_open(&new->cipher, error);
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
    sc_cipher_close(self->cipher);
    sc_free(self);
}

scrim_status sc_bits_system_renew(sc_bits *bits, scrim_error *error)
{
    return seed_from_kernel(((source *)bits)->secrets, error);
}
