#include "random/keystream.h"

#include "base/memory.h"
#include "random/private_pages.h"

#include <stddef.h>
#include <unistd.h>

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

/* Of a run of so many words, with its seed. */
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
