/* AES-256 in counter mode: libcrypto's, in a library context of its own, so that neither a
 * configuration file nor the host program can put another cipher in its place.
 *
 * A state belongs to one thread. Between sc_cipher_start and sc_cipher_forget it holds the key.
 */
#ifndef SC_RANDOM_CIPHER_H
#define SC_RANDOM_CIPHER_H

#include "base/status.h"
#include "random/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SC_CIPHER_KEY_BYTES 32
#define SC_CIPHER_COUNTER_BYTES 16

/* Where a keystream begins: blocks of 16 bytes, numbered by the counter, its last byte lowest. */
typedef struct sc_cipher_seed {
    unsigned char key[SC_CIPHER_KEY_BYTES];
    unsigned char counter[SC_CIPHER_COUNTER_BYTES];
} sc_cipher_seed;

typedef struct sc_cipher sc_cipher;

/* Tries the cipher on a known answer first. SCRIM_E_ENTROPY when libcrypto lacks it or gives a
 * wrong answer, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_cipher_open(sc_cipher **out, scrim_error *error);
void sc_cipher_close(sc_cipher *cipher);

/* False: libcrypto has failed. */
SCRIM_MUST_USE bool sc_cipher_start(const sc_cipher *cipher, const sc_cipher_seed *from);
/* Adds the next bytes of the keystream, in place: encrypts, or decrypts. */
SCRIM_MUST_USE bool sc_cipher_apply(const sc_cipher *cipher, void *data, size_t bytes);
/* Overwrites the key that the state holds with one that is nobody's secret. */
SCRIM_MUST_USE bool sc_cipher_forget(const sc_cipher *cipher);

/* Bits from runs of the cipher: what the system's source and a keyed one have in common. Each run makes a
 * supply and the seed of the run after it, so that nothing handed out can be made again.
 *
 * All that is secret lies in pages of its own, which the kernel wipes in a child.
 */

#define SC_KEYSTREAM_BYTES 16384
#define SC_KEYSTREAM_HEAD_BYTES 64
#define SC_KEYSTREAM_WORDS                                                               \
    ((SC_KEYSTREAM_BYTES - SC_KEYSTREAM_HEAD_BYTES - sizeof(sc_cipher_seed)) / 8)

/* A short run uses the last words only. */
typedef struct sc_keystream_run {
    uint64_t words[SC_KEYSTREAM_WORDS];
    sc_cipher_seed next;
} sc_keystream_run;

typedef struct sc_keystream_secrets {
    sc_bits_supply supply;
    bool seeded; /* false in new pages and so, too, in a child */
    uint32_t
        length; /* words of the last run; 0: none yet. Beyond it all words are zero. */
    _Alignas(SC_KEYSTREAM_HEAD_BYTES) sc_keystream_run run;
} sc_keystream_secrets;

typedef struct sc_keystream {
    sc_bits bits; /* first: the handle is a pointer to it */
    sc_keystream_secrets *secrets;
    sc_cipher *cipher;
    pid_t process; /* that opened it */
} sc_keystream;

/* Without a seed and without a refill; its supply is fleeting where the kernel wipes no pages.
 * SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_keystream_open(sc_keystream **out, scrim_error *error);
void sc_keystream_close(sc_keystream *stream); /* NULL is allowed */

/* Leaves nothing to hand out and nothing to make it from. */
void sc_keystream_forget(sc_keystream *stream);
/* A supply of this many words, from the seed. When the cipher fails all is forgotten. */
SCRIM_MUST_USE scrim_status sc_keystream_make(sc_keystream *stream, uint32_t length,
                                              scrim_error *error);

#endif
