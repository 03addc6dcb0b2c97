/* Single lines of a policy as an entry holds it. The book looks for a few of them, and reads every
 * policy that was ever entered: what is no policy to today's parser has no such lines.
 *
 * Claim  policy_line.first  the first line of a key is found, however it is spelt: "key=value" or
 *                           "key value"
 */
#ifndef SC_VAULT_POLICY_LINE_H
#define SC_VAULT_POLICY_LINE_H

#include "base/text.h"

#include <stdbool.h>

/* False, with value empty, when there is no line of that key. */
bool sc_policy_line(sc_text policy, const char *key, sc_text *value);

/* Whom a policy protects: "row", or the name of the unit, which is that of its column unless
 * same-unit says under which name the population knows it. Rows are units by themselves, and no
 * name makes them anything else. False, with name empty, when it has no unit. */
bool sc_policy_unit(sc_text policy, sc_text *name);

#endif
