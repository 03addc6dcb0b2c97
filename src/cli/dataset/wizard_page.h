/* The last page: every line of the policy with a number, by which it is changed. */
#ifndef SC_CLI_WIZARD_PAGE_H
#define SC_CLI_WIZARD_PAGE_H

#include "cli/dataset/wizard_answers.h"

/* Shows the lines, with how text columns are treated, and the columns that are left out. */
SCRIM_MUST_USE scrim_status sc_wizard_page_show(sc_wizard *wizard, scrim_error *error);
/* Has the questions of a line of the page asked again, with their answers as defaults. False: no line
 * has that number. */
bool sc_wizard_page_edit(sc_wizard *wizard, size_t number);

#endif
