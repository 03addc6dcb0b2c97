#include "random/bits_keyed.h"

#include "base/memory.h"
#include "random/bits_system.h"
#include "random/cipher.h"
#include "random/private_pages.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define PAGES_BYTES 16384
#define HEAD_BYTES 64
#define SEED_BYTES (SC_CIPHER_KEY_BYTES + SC_CIPHER_COUNTER_BYTES)
#define WORDS ((PAGES_BYTES - HEAD_BYTES - SEED_BYTES) / 8)

_Static_assert(SC_BITS_KEY_BYTES == SC_CIPHER_KEY_BYTES, "a key is a key of the cipher");

/* One run of the cipher: a supply, and the seed of the run after it. */
typedef struct run {
    uint64_t words[WORDS];
    sc_cipher_seed next;
} run;

/* All that is secret, in pages of its own, which the kernel wipes in a child. */
typedef struct secrets {
    sc_bits_supply supply;
    bool seeded; /* false in a child, whose pages are zeros */
    _Alignas(HEAD_BYTES) run run;
} secrets;

_Static_assert(sizeof(secrets) == PAGES_BYTES, "the secrets fill whole pages");

typedef struct source {
    sc_bits bits; /* first: the handle is a pointer to it */
    secrets *secrets;
    sc_cipher *cipher;
    pid_t process; /* for kernels that wipe nothing */
} source;

scrim_status sc_bits_key_draw(sc_bits_key *out, scrim_error *error)
{
    uint64_t words[SC_BITS_KEY_BYTES / sizeof(uint64_t)];
    sc_bits *bits = NULL;
    memset(words, 0, sizeof words);
    scrim_status status = sc_bits_system_open(&bits, error);
    if (status == SCRIM_OK)
        status = sc_bits_fill(bits, words, sizeof words / sizeof *words, error);
    if (status == SCRIM_OK)
        memcpy(out->bytes, words, sizeof words);
    else
        memset(out->bytes, 0, sizeof out->bytes);
    sc_wipe(words, sizeof words);
    sc_bits_system_close(bits);
    return status;
}

/* The same words whichever end of a number lies first. */
static void order_bytes(uint64_t *words, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; i++)
        words[i] = __builtin_bswap64(words[i]);
#else
    (void)words, (void)count;
#endif
}

static scrim_status refill(sc_bits *bits, scrim_error *error)
{
    source *self = (source *)bits;
    secrets *s = self->secrets;
    if (!s->seeded || self->process != getpid())
        return sc_fail(error, SCRIM_E_STATE,
                       "random bits: a release is drawn by the process that began it");
    bool made = sc_cipher_start(self->cipher, &s->run.next);
    sc_wipe(&s->run, sizeof s->run); /* the keystream of zeros is the keystream */
    made = made && sc_cipher_apply(self->cipher, &s->run, sizeof s->run);
    made = sc_cipher_forget(self->cipher) && made;
    if (!made) {
        sc_wipe(s, sizeof *s);
        return sc_fail(error, SCRIM_E_ENTROPY,
                       "random bits: libcrypto's AES-256-CTR failed; nothing was drawn; "
                       "reinstall OpenSSL");
    }
    order_bytes(s->run.words, WORDS);
    s->supply.end = s->run.words + WORDS;
    s->supply.left = WORDS;
    return SCRIM_OK;
}

void sc_bits_keyed_restart(sc_bits *bits, const sc_bits_key *key, sc_bits_stream stream)
{
    secrets *s = ((source *)bits)->secrets;
    sc_wipe(s, sizeof *s);
    memcpy(s->run.next.key, key->bytes, sizeof key->bytes);
    s->run.next.counter[0] = (unsigned char)stream; /* 2^120 blocks from the others */
    s->seeded = true;
}

scrim_status sc_bits_keyed_open(const sc_bits_key *key, sc_bits_stream stream,
                                sc_bits **out, scrim_error *error)
{
    bool is_wiped = false; /* else the process is looked at */
    source *new = sc_allocate(1, sizeof *new);
    if (new != NULL)
        new->secrets = sc_private_pages_map(sizeof *new->secrets, &is_wiped);
    if (new == NULL || new->secrets == NULL) {
        sc_free(new);
        return sc_fail(error, SCRIM_E_MEMORY, "random bits: no memory for a source");
    }
    new->bits.supply = &new->secrets->supply;
    new->bits.refill = refill;
    new->process = getpid();
    const scrim_status status = sc_cipher_open(&new->cipher, error);
    if (status != SCRIM_OK) {
        sc_bits_keyed_close(&new->bits);
        return status;
    }
    sc_bits_keyed_restart(&new->bits, key, stream);
    *out = &new->bits;
    return SCRIM_OK;
}

void sc_bits_keyed_close(sc_bits *bits)
{
    if (bits == NULL)
        return;
    source *self = (source *)bits;
    sc_private_pages_unmap(self->secrets, sizeof *self->secrets);
    sc_cipher_close(self->cipher);
    sc_free(self);
}
