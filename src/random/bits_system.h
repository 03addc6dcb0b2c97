/* The production source of random bits.
 *
 * AES-256 in counter mode (cipher.h), keyed with 256 bits and a 128-bit counter block from
 * getrandom(2). Each refill makes one supply of keystream and, from the same stream, the key and
 * counter of the next; the old key is overwritten, so what has been handed out cannot be computed
 * again from memory. Between refills the key lies beside the supply and nowhere else: a child has
 * neither, and a core dump leaves both out.
 *
 * Claim  bits.fork   a child made by fork or clone never repeats a bit of its parent:
 *                    the supply lies in pages with MADV_WIPEONFORK; where the kernel
 *                    lacks it, nothing is buffered and each word comes from getrandom
 * Claim  bits.fail   any error or short answer of the kernel or of libcrypto is
 *                    SCRIM_E_ENTROPY; nothing weaker takes its place
 * Claim  bits.host   the keystream is AES-256-CTR whatever libcrypto's configuration
 *                    says, and whatever the host program made of it
 * Claim  bits.renew  after sc_bits_system_renew no earlier bit, key or snapshot of this
 *                    process says anything about what follows
 */
#ifndef SC_RANDOM_BITS_SYSTEM_H
#define SC_RANDOM_BITS_SYSTEM_H

#include "random/bits.h"

/* A new source with fresh entropy. Freed, and wiped, by sc_bits_system_close. */
SCRIM_MUST_USE scrim_status sc_bits_system_open(sc_bits **out, scrim_error *error);
void sc_bits_system_close(sc_bits *bits);
/* Throws away what is buffered and takes a fresh key from the kernel: once a release. */
SCRIM_MUST_USE scrim_status sc_bits_system_renew(sc_bits *bits, scrim_error *error);

#endif
