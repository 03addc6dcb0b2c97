/* The share of the people with each value, estimated from the answers of all: shown beside them
 * where each answers alone. It is computed from what was released, and free of charge. */
#ifndef SC_CLI_FREQUENCY_LIST_H
#define SC_CLI_FREQUENCY_LIST_H

#include "cli/answer/answer_sheet.h"
#include "cli/display/listing.h"

/* With more different values no list is shown: few of them would be told from 0. */
#define SC_FREQUENCIES_SHOWN 32

/* A member of an object: "frequencies", rows of a value and of its
 * frequency, a number with its interval. Nothing where none are estimated. */
void sc_frequency_json_write(sc_json *json, const sc_answer_sheet *sheet);
/* A box below that of the answers. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_frequency_table_write(sc_output *output,
                                                     const sc_answer_sheet *sheet,
                                                     const sc_terminal *terminal,
                                                     scrim_error *error);

#endif
