/* Questions on a terminal: asked on standard error, answered by a line on standard input. Without an editor the
 * terminal is left as it is, so that Ctrl-C ends the program and Ctrl-D the answers; with one both end the answers. */
#ifndef SC_CLI_INTERVIEW_H
#define SC_CLI_INTERVIEW_H

#include "cli/terminal/line_editor.h"

#include <stdbool.h>

/* As much as a terminal takes for a line. */
#define SC_ANSWER_BYTES 4096

/* Can somebody be asked? */
bool sc_interview_is_possible(void);
/* One line of talk, cleaned of what could steer the terminal. */
__attribute__((format(printf, 1, 2))) void sc_interview_say(const char *format, ...);
/* Prompts and reads: answer is the line without blanks around it, perhaps empty. editor may be NULL. SCRIM_E_PARAM
 * when nobody answers any more. */
SCRIM_MUST_USE scrim_status sc_interview_ask(sc_line_editor *editor, const char *prompt,
                                             char answer[SC_ANSWER_BYTES],
                                             scrim_error *error);

#endif
