/* Writing an answer in every format. */
#ifndef SC_CLI_ANSWER_WRITER_H
#define SC_CLI_ANSWER_WRITER_H

#include "cli/answer/answer_sheet.h"
#include "cli/display/listing.h"

/* CSV has a row a value below the names of the columns, and a last one that says "halted"
 * where a run has given all its answers; JSON is an object with rows, cost, certificate and
 * release, and of a vault's release with dataset, version and what was charged; a table is a
 * box with an error bar beside each number. Where each person answers alone, the table and JSON
 * hold the estimated frequencies too. */
SCRIM_MUST_USE scrim_status sc_answer_write(sc_output *output,
                                            const sc_answer_sheet *sheet,
                                            sc_format format, const sc_terminal *terminal,
                                            scrim_error *error);

/* The members of the object of JSON behind its rows, whatever these are. */
void sc_answer_facts_json(sc_json *json, const sc_answer_sheet *sheet);

#endif
