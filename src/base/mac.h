/* Poly1305 (RFC 8439) by libcrypto, as a keyed hash of long texts: some ten bytes a nanosecond.
 *
 * Keep tags secret where a key is used for several texts: two tags reveal the key. To store a tag, store a pseudo-random
 * function (base/hash.h) of it under another key.
 *
 * Threads share a mac. Each thread has a state of its own, which it opens once and uses for many texts.
 *
 * Claim  mac.poly1305  the tag is that of RFC 8439, in whatever pieces the text comes, whatever the system's
 *                      configuration of libcrypto says; two texts of at most n bytes have the same tag for a
 *                      share of at most (n / 16 + 1) / 2^103 of all keys
 */
#ifndef SC_BASE_MAC_H
#define SC_BASE_MAC_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define SC_MAC_KEY_BYTES 32
#define SC_MAC_TAG_BYTES 16

typedef struct sc_mac sc_mac;
typedef struct sc_mac_state sc_mac_state;

/* SCRIM_E_INTERNAL when libcrypto has no Poly1305 or gets a known answer wrong, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_mac_open(sc_mac **out, scrim_error *error);
void sc_mac_close(sc_mac *mac); /* NULL is allowed; after all of its states */

/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_mac_state_new(const sc_mac *mac, sc_mac_state **out,
                                             scrim_error *error);
void sc_mac_state_free(sc_mac_state *state); /* NULL is allowed */

/* Begins a text, adds to it, ends it. False: libcrypto has failed. */
SCRIM_MUST_USE bool sc_mac_begin(sc_mac_state *state,
                                 const unsigned char key[SC_MAC_KEY_BYTES]);
SCRIM_MUST_USE bool sc_mac_add(sc_mac_state *state, const void *bytes, size_t count);
SCRIM_MUST_USE bool sc_mac_end(sc_mac_state *state, unsigned char tag[SC_MAC_TAG_BYTES]);

#endif
