/* Random bits that a key determines: those of a release that any process may finish.
 *
 * The key has 256 bits of the kernel's entropy and is drawn once a charge. Whoever asks the charged
 * question again takes the same key and so draws the same noise: an answer cannot be drawn twice,
 * and nobody who ends a process at a moment of their choice chooses among answers.
 *
 * The generator is that of bits_system.h, AES-256 in counter mode with a new key at each refill. Its
 * first key is the release's; its first counter names the stream. Streams of one key use other blocks
 * of the cipher and are as independent as blocks are.
 *
 * Claim  bits-keyed.same  the bits are a function of key and stream, in every process and however
 *                         they are taken (A84)
 * Claim  bits-keyed.fork  a child process gets no bit of its parent's source: SCRIM_E_STATE
 * Claim  bits-keyed.fail  an error of the kernel or of libcrypto is SCRIM_E_ENTROPY
 */
#ifndef SC_RANDOM_BITS_KEYED_H
#define SC_RANDOM_BITS_KEYED_H

#include "random/bits.h"

#define SC_BITS_KEY_BYTES 32

/* Secret for as long as the data are: with it the noise of a release can be computed. */
typedef struct sc_bits_key {
    unsigned char bytes[SC_BITS_KEY_BYTES];
} sc_bits_key;

/* The purposes for which keyed bits are drawn. */
typedef enum sc_bits_stream {
    SC_BITS_HASHES = 1, /* keys of hashes and of contribution bounding */
    SC_BITS_DRAWS = 2   /* what mechanisms draw */
} sc_bits_stream;

/* A fresh key from the kernel; zeros on failure. Wiped by the caller. */
SCRIM_MUST_USE scrim_status sc_bits_key_draw(sc_bits_key *out, scrim_error *error);

/* A source at the beginning of a stream, which copies the key. Freed, and wiped, by
 * sc_bits_keyed_close. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_bits_keyed_open(const sc_bits_key *key,
                                               sc_bits_stream stream, sc_bits **out,
                                               scrim_error *error);
/* At the beginning of another stream, as if just opened; without memory of its own. */
void sc_bits_keyed_restart(sc_bits *bits, const sc_bits_key *key, sc_bits_stream stream);
void sc_bits_keyed_close(sc_bits *bits); /* NULL is allowed */

#endif
