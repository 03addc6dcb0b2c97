/* The label of a question: everything is in the record of its answer. */
#ifndef SC_QUERY_LABEL_QUERY_H
#define SC_QUERY_LABEL_QUERY_H

#include "query/label/label_part.h"

/* Sets parts, from which the claim follows, schema, epsilon and delta. SCRIM_E_LEDGER for what this
 * version cannot read. */
SCRIM_MUST_USE scrim_status sc_label_query_read(sc_label_maker *maker,
                                                scrim_error *error);
/* The sections from mechanism to accuracy. */
SCRIM_MUST_USE scrim_status sc_label_query_put(sc_label_maker *maker, scrim_error *error);

#endif
