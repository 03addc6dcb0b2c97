#include "random/bits_keyed.h"

#include "base/memory.h"
#include "random/bits_system.h"
#include "random/cipher.h"

#include <string.h>
#include <unistd.h>

_Static_assert(SC_BITS_KEY_BYTES == SC_CIPHER_KEY_BYTES, "a key is a key of the cipher");

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
    sc_keystream *self = (sc_keystream *)bits;
    if (!self->secrets->seeded || self->process != getpid())
        return sc_fail(error, SCRIM_E_STATE,
                       "random bits: a release is drawn by the process that began it");
    const scrim_status status = sc_keystream_make(self, SC_KEYSTREAM_WORDS, error);
    if (status == SCRIM_OK)
        order_bytes(self->secrets->run.words, SC_KEYSTREAM_WORDS);
    return status;
}

void sc_bits_keyed_restart(sc_bits *bits, const sc_bits_key *key, sc_bits_stream stream)
{
    sc_keystream *self = (sc_keystream *)bits;
    sc_keystream_forget(self);
    sc_cipher_seed *next = &self->secrets->run.next;
    memcpy(next->key, key->bytes, sizeof key->bytes);
    next->counter[0] = (unsigned char)stream; /* 2^120 blocks from the others */
    self->secrets->seeded = true;
}

scrim_status sc_bits_keyed_open(const sc_bits_key *key, sc_bits_stream stream,
                                sc_bits **out, scrim_error *error)
{
    sc_keystream *new = NULL;
    const scrim_status status = sc_keystream_open(&new, error);
    if (status != SCRIM_OK)
        return status;
    new->bits.refill = refill;
    /* The bits are the same on every kernel: where it wipes no pages the process is looked at. */
    new->secrets->supply.fleeting = 0;
    sc_bits_keyed_restart(&new->bits, key, stream);
    *out = &new->bits;
    return SCRIM_OK;
}

void sc_bits_keyed_close(sc_bits *bits)
{
    sc_keystream_close((sc_keystream *)bits);
}
