/* Advice what to type next: the library says what is wrong, with a reason and a parameter, and the command
 * line adds the option or the command that mends it. All such sentences stand here, but for those
 * with a name that only the verb knows. */
#ifndef SC_CLI_ADVICE_H
#define SC_CLI_ADVICE_H

#include "cli/terminal/options.h"

/* The advice behind a message, with its punctuation; "" if there is no advice. verb may be NULL. */
const char *sc_advice(const char *verb, const sc_options *options,
                      const scrim_error *error);

/* A message about a line of a policy begins with the line's key. This makes it begin with the
 * option, "--column age=int[9,1]: ...", where all lines came from options of this set. */
void sc_advice_name_option(const sc_options *options, sc_option_set lines,
                           scrim_error *error);

#endif
