/* A number whose point may separate thousands, as it does in much of Europe. */
#ifndef SC_CLI_GROUPED_NUMBER_H
#define SC_CLI_GROUPED_NUMBER_H

#include "scrim.h"

/* "20.000" is 20, but whoever types it may mean 20000. SCRIM_E_PARAM for a number with exactly three digits behind its
 * point; the message has both numbers in forms that pass. */
SCRIM_MUST_USE scrim_status sc_grouped_number_check(const char *text, scrim_error *error);

#endif
