/* All that is asked of an owner, as a table of fields, and what each of them shows. */
#ifndef SC_CLI_WIZARD_FIELDS_H
#define SC_CLI_WIZARD_FIELDS_H

#include "cli/dataset/wizard_answers.h"

/* SC_ASK_COUNT of them, by their number. */
extern const sc_wizard_field sc_wizard_fields[];

/* Says which dataset of another population seems to be about the same people; is_again: the owner was
 * asked for the population already. */
SCRIM_MUST_USE scrim_status sc_wizard_show_twin(sc_wizard *wizard, bool is_again,
                                                scrim_error *error);

#define SC_TREATMENT_BYTES 256
/* How scrim treats a column, in a sentence: public keys by list, private keys, not a key, ignored.
 * False, and "", of a declared column that is no text. */
bool sc_wizard_treatment(const sc_wizard *wizard, const sc_wizard_slot *slot,
                         char text[SC_TREATMENT_BYTES]);

#endif
