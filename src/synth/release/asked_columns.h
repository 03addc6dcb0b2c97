/* The columns of synthetic records as a plan asks for them: which, with which cuts and private keys, or those of a
 * release; and the combinations of their values that no row has. In one order, so that another order is no other
 * question.
 */
#ifndef SC_SYNTH_ASKED_COLUMNS_H
#define SC_SYNTH_ASKED_COLUMNS_H

#include "synth/release/synth_domain.h"

/* Reads the columns of the options into the domain and its sizes. SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_asked_columns(scrim_synth *synth, scrim_error *error);
/* After the columns. As above. */
SCRIM_MUST_USE scrim_status sc_asked_never(scrim_synth *synth, scrim_error *error);

#endif
