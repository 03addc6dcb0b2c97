/* The words of the wizard around its questions: lists and cautions before one, and after an answer what it
 * means. Columns of the table of fields (wizard_fields.h). */
#ifndef SC_CLI_WIZARD_WORDS_H
#define SC_CLI_WIZARD_WORDS_H

#include "cli/dataset/wizard_answers.h"

/* Before a question. */
scrim_status sc_show_separator(sc_wizard *w, const sc_wizard_slot *slot,
                               scrim_error *error);
scrim_status sc_show_size(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error);
scrim_status sc_show_tables(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error);
scrim_status sc_show_columns(sc_wizard *w, const sc_wizard_slot *slot,
                             scrim_error *error);
scrim_status sc_show_secret(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error);
scrim_status sc_show_bounds(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error);
scrim_status sc_show_groups(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error);
scrim_status sc_show_twin(sc_wizard *w, const sc_wizard_slot *slot, scrim_error *error);
/* After an answer. */
void sc_say_treatment(const sc_wizard *w, const sc_wizard_slot *slot);
void sc_say_no_source(const sc_wizard *w, const sc_wizard_slot *slot);
void sc_say_table_epsilon(const sc_wizard *w, const sc_wizard_slot *slot);
void sc_say_epsilon(const sc_wizard *w, const sc_wizard_slot *slot);
void sc_say_delta(const sc_wizard *w, const sc_wizard_slot *slot);
void sc_say_midnight(const sc_wizard *w, const sc_wizard_slot *slot);
void sc_say_ignored(const sc_wizard *w, const sc_wizard_slot *slot);

/* Says which dataset of another population seems to be about the same people; is_again: the owner
 * has answered for the population already, also by an option. Then a file that has the same size alone is not told. */
SCRIM_MUST_USE scrim_status sc_wizard_show_twin(sc_wizard *wizard, bool is_again,
                                                scrim_error *error);

#define SC_TREATMENT_BYTES 256
/* How scrim treats a column, in a sentence: public keys by list, private keys, not a key, ignored.
 * False, and "", of a declared column that is no text. */
bool sc_wizard_treatment(const sc_wizard *wizard, const sc_wizard_slot *slot,
                         char text[SC_TREATMENT_BYTES]);

#endif
