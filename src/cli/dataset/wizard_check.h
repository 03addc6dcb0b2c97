/* Is an answer right? Each check is about one field, in words about that field; the policy that the
 * answers make with it must be one as well. */
#ifndef SC_CLI_WIZARD_CHECK_H
#define SC_CLI_WIZARD_CHECK_H

#include "cli/dataset/wizard_answers.h"

/* A check of a field; see sc_wizard_field. */
typedef scrim_status sc_wizard_checker(sc_wizard *wizard, sc_wizard_step step,
                                       char text[SC_ANSWER_BYTES], scrim_error *error);

sc_wizard_checker sc_check_name;
sc_wizard_checker sc_check_line; /* of a line that is right or not by itself */
sc_wizard_checker sc_check_file; /* reads the header again */
sc_wizard_checker sc_check_unit;
sc_wizard_checker sc_check_column;
sc_wizard_checker sc_check_type;
sc_wizard_checker sc_check_step;
sc_wizard_checker sc_check_low;
sc_wizard_checker sc_check_high;
sc_wizard_checker sc_check_choice; /* y or n */
sc_wizard_checker sc_check_keys;
sc_wizard_checker sc_check_by;
sc_wizard_checker sc_check_at;
sc_wizard_checker sc_check_epsilon;
sc_wizard_checker sc_check_delta;
sc_wizard_checker sc_check_neighbours;

/* Whether both ends of a range were typed for the smallest value, or for a type that is known: "0,120" or
 * "[0,120]", which become the whole type "int[0,120]". Where the file has decimal commas, a comma without a blank in an
 * end of a decimal may be one, and is no such comma. */
bool sc_check_is_range(const sc_wizard *w, sc_wizard_step step,
                       char text[SC_ANSWER_BYTES]);

#define SC_LEGAL_BYTES 256
/* The text to type there, by the type of the column: "a whole number, such as 0". */
void sc_check_legal(const sc_wizard *wizard, sc_wizard_step step,
                    char legal[SC_LEGAL_BYTES]);

/* About how much is 3, 0.5, 1/3, 1e-6 or 2^-20? For what is said early: the vault decides exactly. */
double sc_answer_view(const char *text);

/* The text of the policy that the answers make. It gets a unit, bounds and a zone where they are
 * missing, because every policy needs them and they are asked for later. The caller frees it. */
SCRIM_MUST_USE scrim_status sc_wizard_policy(const sc_wizard *wizard, char **text,
                                             scrim_error *error);
/* Is it right, and does the source have what it says? Reads the header. What options and a file said
 * is checked so before anything is asked, since no answer can mend it. */
SCRIM_MUST_USE scrim_status sc_wizard_check_all(sc_wizard *wizard, scrim_error *error);

#endif
