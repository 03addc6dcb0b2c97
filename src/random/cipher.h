/* AES-256 in counter mode: libcrypto's, in a library context of its own, so that neither a
 * configuration file nor the host program can put another cipher in its place.
 *
 * A state belongs to one thread. Between sc_cipher_start and sc_cipher_forget it holds the key.
 */
#ifndef SC_RANDOM_CIPHER_H
#define SC_RANDOM_CIPHER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define SC_CIPHER_KEY_BYTES 32
#define SC_CIPHER_COUNTER_BYTES 16

/* Where a keystream begins: blocks of 16 bytes, numbered by the counter, its last byte lowest. */
typedef struct sc_cipher_seed {
    unsigned char key[SC_CIPHER_KEY_BYTES];
    unsigned char counter[SC_CIPHER_COUNTER_BYTES];
} sc_cipher_seed;

typedef struct sc_cipher sc_cipher;

/* Tried on a known answer first. SCRIM_E_ENTROPY when libcrypto has none that is right,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_cipher_open(sc_cipher **out, scrim_error *error);
void sc_cipher_close(sc_cipher *cipher);

/* False: libcrypto has failed. */
SCRIM_MUST_USE bool sc_cipher_start(const sc_cipher *cipher, const sc_cipher_seed *from);
/* Adds the next so many bytes of the keystream, in place: encrypts, or decrypts. */
SCRIM_MUST_USE bool sc_cipher_apply(const sc_cipher *cipher, void *data, size_t bytes);
/* Overwrites the key that the state holds with one that is nobody's secret. */
SCRIM_MUST_USE bool sc_cipher_forget(const sc_cipher *cipher);

#endif
