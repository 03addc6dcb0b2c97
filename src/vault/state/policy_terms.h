/* Lines of a policy that the book looks for, and the terms that can change without a new version. */
#ifndef SC_VAULT_POLICY_TERMS_H
#define SC_VAULT_POLICY_TERMS_H

#include "base/text.h"

#include <stdbool.h>

/* Single lines of a policy as an entry holds it. The book looks for a few of them, and reads every
 * policy that was ever entered: what is no policy to today's parser has no such lines.
 *
 * Claim  policy_line.first  the first line of a key is found, however it is spelt: "key=value" or
 *                           "key value"
 */

/* False, with value empty, when there is no line of that key. */
bool sc_policy_line(sc_text policy, const char *key, sc_text *value);

/* Whom a policy protects: "row", or the name of the unit, which is that of its column unless
 * same-unit says under which name the population knows it. Rows are units by themselves, and no
 * name makes them anything else. False, with name empty, when it has no unit. */
bool sc_policy_unit(sc_text policy, sc_text *name);

/* The lines of a policy that say how questions are answered, and nothing of the rows: "cap", what
 * one of them may cost, and "quantum", when an answer is seen. Other terms are no other version: an
 * entry of their own holds them, and they stand in place of those of the version's policy.
 *
 * Claim  policy_terms.canonical  terms have one spelling: cap, then quantum, each once at most
 * Claim  policy_terms.only       a policy under other terms differs from it in these lines alone
 */

#define SC_POLICY_TERMS_MORE 8 /* bytes */

/* The terms of a policy, as an entry holds them; empty for a policy without terms. out has room for
 * policy.bytes + SC_POLICY_TERMS_MORE. */
void sc_policy_terms(sc_text policy, char *out);
/* Are these terms, as sc_policy_terms writes them? */
bool sc_policy_terms_are_spelt(sc_text terms);
/* Do two policies have the same lines, whatever their terms? Comments are lines, too. */
bool sc_policy_terms_aside(sc_text a, sc_text b);
/* A policy under these terms, which stand before what the vault has written itself. To be freed by
 * sc_free; NULL: no memory. */
char *sc_policy_under(sc_text policy, sc_text terms);

#endif
