/* SHA-256 of byte strings, by libcrypto: what a chain of records is made of.
 *
 * Claim  digest.sha256  the digest is that of FIPS 180-4, whatever the system's configuration of
 *                       libcrypto says
 *
 * A handle belongs to one thread at a time. It is opened once and used for many digests.
 */
#ifndef SC_BASE_DIGEST_H
#define SC_BASE_DIGEST_H

#include "base/status.h"
#include "base/text.h"

#define SC_DIGEST_BYTES 32
#define SC_DIGEST_TEXT_BYTES (2 * SC_DIGEST_BYTES + 1)

typedef struct sc_digest {
    unsigned char bytes[SC_DIGEST_BYTES];
} sc_digest;

typedef struct sc_digester sc_digester;

/* SCRIM_E_INTERNAL when libcrypto has no SHA-256 or gets a known answer wrong. */
SCRIM_MUST_USE scrim_status sc_digester_new(sc_digester **out, scrim_error *error);
void sc_digester_free(sc_digester *digester); /* NULL is allowed */

/* The digest of one text followed by another; either may be empty. */
SCRIM_MUST_USE scrim_status sc_digest_of(sc_digester *digester, sc_text first,
                                         sc_text second, sc_digest *out,
                                         scrim_error *error);

/* The digest of a text that comes in pieces: any number of them between the start and the end. False
 * where libcrypto fails; out is then untouched. */
SCRIM_MUST_USE bool sc_digester_start(sc_digester *digester);
SCRIM_MUST_USE bool sc_digester_add(sc_digester *digester, sc_text piece);
SCRIM_MUST_USE bool sc_digester_end(sc_digester *digester, sc_digest *out);

/* 64 small hexadecimal digits. */
void sc_digest_format(const sc_digest *digest, char text[SC_DIGEST_TEXT_BYTES]);
/* False, with out untouched, for anything else. */
bool sc_digest_parse(sc_text text, sc_digest *out);
bool sc_digest_equal(const sc_digest *a, const sc_digest *b);

#endif
