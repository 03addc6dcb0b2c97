/* The label of a floating body or a deep point (scrim/body_fit.h), from the line of its charge. */
#ifndef SC_QUERY_LABEL_BODY_H
#define SC_QUERY_LABEL_BODY_H

#include "query/label/label_part.h"

/* Is it the line of such a charge? */
bool sc_label_is_body(sc_text measurement);
/* Sets parts, from which the claim follows, schema, epsilon and delta. SCRIM_E_LEDGER for what this version cannot
 * read. */
SCRIM_MUST_USE scrim_status sc_label_body_read(sc_label_maker *maker, scrim_error *error);
/* The sections from mechanism to accuracy. */
SCRIM_MUST_USE scrim_status sc_label_body_put(sc_label_maker *maker, scrim_error *error);

#endif
