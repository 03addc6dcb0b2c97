/* The questions about the source: where it is, what its header names, and which column is the unit. */
#ifndef SC_CLI_WIZARD_SOURCE_H
#define SC_CLI_WIZARD_SOURCE_H

#include "cli/dataset/wizard_line.h"

/* Checks what was given before the first question, then asks for the source. Reads the header of a
 * CSV file into wizard->header. */
SCRIM_MUST_USE scrim_status sc_wizard_ask_source(sc_wizard *wizard, scrim_error *error);

/* Shows the names in the header, and asks for the unit. */
SCRIM_MUST_USE scrim_status sc_wizard_ask_unit(sc_wizard *wizard, scrim_error *error);

/* Calls visit for each name in the header; stops at the first failure. */
SCRIM_MUST_USE scrim_status sc_wizard_each_name(sc_wizard *wizard,
                                                scrim_status (*visit)(sc_wizard *wizard,
                                                                      const char *name,
                                                                      scrim_error *error),
                                                scrim_error *error);

#endif
