/* The label of synthetic records (scrim/synth.h), from the line of its charge: how its rounds were spent follows from
 * the record, and what they cost together from the total that was charged for all of them. */
#ifndef SC_QUERY_LABEL_SYNTH_H
#define SC_QUERY_LABEL_SYNTH_H

#include "query/label/label_part.h"

/* Is it the line of such a charge? */
bool sc_label_is_synth(sc_text measurement);
/* Sets parts, from which the claim follows, schema, epsilon and delta. SCRIM_E_LEDGER for what this version cannot
 * read. */
SCRIM_MUST_USE scrim_status sc_label_synth_read(sc_label_maker *maker,
                                                scrim_error *error);
/* The sections from mechanism to accuracy. */
SCRIM_MUST_USE scrim_status sc_label_synth_put(sc_label_maker *maker, scrim_error *error);

#endif
