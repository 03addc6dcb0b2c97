#include "random/bits_system.h"

#include "random/cipher.h"

#include <errno.h>
#include <sys/random.h>

#ifdef SCRIM_TESTING
#include "random/bits_tape.h"
#endif

/* The first supply after fresh entropy is short, and each next one four times as long up to the
 * whole: one draw pays for a few blocks of the cipher, a million draws for full supplies. Even,
 * so that a run is a whole number of blocks. */
#define WORDS_FIRST 32
#define WORDS_GROWTH 4

/* A call that signals keep interrupting is repeated so often, then it counts as
 * failed. */
#define INTERRUPTIONS 1000

_Static_assert(WORDS_FIRST % 2 == 0, "a run is a whole number of cipher blocks");

/* The kernel. */

/* At most 256 bytes: so much the kernel gives whole or not at all. */
static scrim_status kernel_fill(void *out, size_t bytes, scrim_error *error)
{
#ifdef SCRIM_TESTING
    if (sc_entropy_fill(out, bytes))
        return SCRIM_OK;
#endif
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

/* The source. */

static scrim_status refill(sc_bits *bits, scrim_error *error)
{
    sc_keystream *self = (sc_keystream *)bits;
    if (!self->secrets->seeded) {
        scrim_status status = sc_bits_system_renew(bits, error);
        if (status != SCRIM_OK)
            return status;
    }
    const uint32_t last = self->secrets->length,
                   length = last == 0 ? WORDS_FIRST : last * WORDS_GROWTH;
    return sc_keystream_make(
        self, length < SC_KEYSTREAM_WORDS ? length : SC_KEYSTREAM_WORDS, error);
}

/* Where a fork wipes nothing: one word, which the caller takes at once. */
static scrim_status refill_fleeting(sc_bits *bits, scrim_error *error)
{
    sc_keystream_secrets *s = ((sc_keystream *)bits)->secrets;
    scrim_status status = kernel_fill(s->run.words, sizeof s->run.words[0], error);
    if (status != SCRIM_OK)
        return status;
    s->supply.end = s->run.words + 1;
    s->supply.left = 1;
    return SCRIM_OK;
}

scrim_status sc_bits_system_open(sc_bits **out, scrim_error *error)
{
    sc_keystream *new = NULL;
    scrim_status status = sc_keystream_open(&new, error);
    if (status != SCRIM_OK)
        return status;
    new->bits.refill = new->secrets->supply.fleeting != 0 ? refill_fleeting : refill;
    status = sc_bits_system_renew(&new->bits, error);
    if (status == SCRIM_OK)
        *out = &new->bits;
    else
        sc_keystream_close(new);
    return status;
}

void sc_bits_system_close(sc_bits *bits)
{
    sc_keystream_close((sc_keystream *)bits);
}

scrim_status sc_bits_system_renew(sc_bits *bits, scrim_error *error)
{
    sc_keystream *self = (sc_keystream *)bits;
    sc_cipher_seed *next = &self->secrets->run.next;
    sc_keystream_forget(self);
    const scrim_status status = kernel_fill(next, sizeof *next, error);
    self->secrets->seeded = status == SCRIM_OK;
    return status;
}
