/* What the library says about a line of a policy, said about the option that was typed.
 *
 *     column=age=int[9,1]: lower: it must be below upper
 *     --column age=int[9,1]: lower: it must be below upper
 *
 * Lines that came from a file are left to speak for themselves. */
#ifndef SC_CLI_OPTION_VOICE_H
#define SC_CLI_OPTION_VOICE_H

#include "cli/terminal/options.h"

/* lines is the set of options that are lines of a policy. A message that begins with a line is about
 * an option when that was given, with that value where a file was given as well; what a message
 * recommends is then an option too. */
void sc_option_voice(const sc_options *options, uint64_t lines, scrim_error *error);

#endif
