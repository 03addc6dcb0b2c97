/* The gate: the one place of the library that calls a mechanism's draw.
 *
 * Claim  release.charged  no answer exists whose charge is not in the ledger; when anything
 *                         fails after the charge, it stays
 * Claim  release.quiet    no value of the input is an error, and none changes a message, the
 *                         number of values of an answer of fixed size or what is allocated
 *
 * In this order: what is public is checked; memory and a source of bits are had; the input is
 * brought into the domain; the charge is made and is durable; the noise is drawn; the answer
 * is recorded; and only then is it shown.
 */
#ifndef SC_ACCOUNT_RELEASE_H
#define SC_ACCOUNT_RELEASE_H

#include "account/ledger.h"

/* Public facts: made for data, and for so many values. */
SCRIM_MUST_USE scrim_status sc_release_check(const scrim_measurement *measurement,
                                             size_t count, scrim_error *error);
/* The bits of one release: the ledger's tape in a test, else a source of its own that
 * sc_release_bits_close closes. */
SCRIM_MUST_USE scrim_status sc_release_bits_open(const scrim_ledger *ledger,
                                                 sc_bits **out, scrim_error *error);
void sc_release_bits_close(const scrim_ledger *ledger, sc_bits *bits);

#endif
