/* All that is asked of an owner, as a table of fields, and what each of them shows. */
#ifndef SC_CLI_WIZARD_FIELDS_H
#define SC_CLI_WIZARD_FIELDS_H

#include "cli/dataset/wizard_answers.h"

/* SC_ASK_COUNT of them, by their number. */
extern const sc_wizard_field sc_wizard_fields[];

#endif
