/* Ed25519 signatures (RFC 8032), by libcrypto: with them somebody who has a public key alone can
 * tell who wrote a text.
 *
 * Claim  signature.ed25519  keys and signatures are those of RFC 8032, whatever the system's
 *                           configuration of libcrypto says
 * Claim  signature.strict   one text has one signature under a key: what is altered is refused, S
 *                           beyond the order of the group as well, and so are keys and
 *                           commitments of small order, under which one signature fits every
 *                           text, and keys that are not spelt as RFC 8032 spells them
 *
 * Seeds are secret: whoever has one wipes it after use (sc_wipe). libcrypto's copies are wiped
 * before a function returns.
 */
#ifndef SC_BASE_SIGNATURE_H
#define SC_BASE_SIGNATURE_H

#include "base/digest.h"

#define SC_SIGNATURE_SEED_BYTES 32
#define SC_SIGNATURE_BYTES 64
#define SC_SIGNATURE_TEXT_BYTES (2 * SC_SIGNATURE_BYTES + 1)

typedef struct sc_signature_seed {
    unsigned char bytes[SC_SIGNATURE_SEED_BYTES];
} sc_signature_seed;

typedef struct sc_signature {
    unsigned char bytes[SC_SIGNATURE_BYTES];
} sc_signature;

/* A public key has 32 bytes, and the text of a digest. Every function can fail with
 * SCRIM_E_MEMORY, and with SCRIM_E_INTERNAL when libcrypto has no Ed25519 or gets a known answer
 * wrong. */
SCRIM_MUST_USE scrim_status sc_signature_key(const sc_signature_seed *seed,
                                             sc_digest *key, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_signature_sign(const sc_signature_seed *seed, sc_text text,
                                              sc_signature *out, scrim_error *error);
/* SCRIM_E_CHECK when it is not the signature of this text under this key. */
SCRIM_MUST_USE scrim_status sc_signature_check(const sc_digest *key, sc_text text,
                                               const sc_signature *signature,
                                               scrim_error *error);

/* 128 small hexadecimal digits. */
void sc_signature_format(const sc_signature *signature,
                         char text[SC_SIGNATURE_TEXT_BYTES]);
/* False, with out untouched, for anything else. */
bool sc_signature_parse(sc_text text, sc_signature *out);

#endif
