/* The rules of a zone that the owner names, copied from the system's tables into the policy. This is
 * done when a dataset is declared and never later, so that newer tables change no question.
 *
 * Claim  zone-rules.copied  a policy whose zone has its changes is left as it is, unless a range of its
 *                           columns lies outside of the days that they cover
 */
#ifndef SC_DATA_ZONE_RULES_H
#define SC_DATA_ZONE_RULES_H

#include "data/value/calendar.h"

/* The policy with the changes of its zone, freed by sc_free; NULL where it needs none. SCRIM_E_PARAM
 * for a name that the system does not know, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_zone_rules_copy(sc_text policy, char **out,
                                               scrim_error *error);
/* Writes the line's value for the days from first to last from the bytes of a table (RFC 8536): the
 * length that it needs, as snprintf does, or 0 if the bytes are not such a table. */
size_t sc_zone_rules_write(sc_text name, sc_text table, int64_t first, int64_t last,
                           char *text, size_t capacity);

#endif
