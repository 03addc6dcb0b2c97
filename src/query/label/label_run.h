/* The label of one measurement, as `scrim run --charge` releases it: whoever ran it has
 * computed its input, so that of columns, keys and bounds nothing is known but what the
 * measurement says. */
#ifndef SC_QUERY_LABEL_RUN_H
#define SC_QUERY_LABEL_RUN_H

#include "query/label/label_part.h"

/* Sets parts, from which the claim follows, epsilon and delta. SCRIM_E_LEDGER for what this version
 * cannot read. */
SCRIM_MUST_USE scrim_status sc_label_run_read(sc_label_maker *maker, scrim_error *error);
/* The sections from mechanism to accuracy. */
SCRIM_MUST_USE scrim_status sc_label_run_put(sc_label_maker *maker, scrim_error *error);

#endif
