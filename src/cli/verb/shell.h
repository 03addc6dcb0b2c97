/* The session of `scrim shell`: a dataset, what its questions have in common, and the lines of the question that is being
 * written.
 *
 * Other verbs do the work, each in a process of its own: Ctrl-C ends the question that runs, with the words that it has for
 * that, and not the shell; memory that held rows is gone when its process ends.
 *
 * A person sees what a question costs before it is charged, and has to agree. The history holds questions and commands,
 * and no answer. tests/cli/shell.sh tries to break both.
 */
#ifndef SC_CLI_SHELL_H
#define SC_CLI_SHELL_H

#include "cli/terminal/line_editor.h"
#include "cli/terminal/options.h"

#include <stdbool.h>
#include <stdint.h>

/* Options of `query` and `explain` that stay for the next questions. */
typedef enum sc_shell_setting {
    SC_SHELL_EPSILON,
    SC_SHELL_DELTA,
    SC_SHELL_CONFIDENCE,
    SC_SHELL_EXPECT,
    SC_SHELL_MECHANISM,
    SC_SHELL_MAX_TOTAL_ROWS, /* from here on: bounds */
    SC_SHELL_MAX_GROUPS,
    SC_SHELL_MAX_ROWS,
    SC_SHELL_BOUNDS,
    SC_SHELL_CUT_SHARE,
    SC_SHELL_SETTINGS
} sc_shell_setting;
#define SC_SHELL_FIRST_BOUND SC_SHELL_MAX_TOTAL_ROWS

#define SC_SHELL_SETTING_BYTES 128
#define SC_SHELL_PROMPT_BYTES 256
#define SC_SHELL_QUESTION_BYTES ((size_t)1 << 20) /* also of a file of questions */

typedef struct sc_shell {
    const sc_options *options;
    sc_line_editor *editor;
    bool is_asked; /* a person is there, who is shown the cost first */
    bool is_over;
    char dataset[SCRIM_NAME_BYTES];                           /* "": none is chosen */
    char settings[SC_SHELL_SETTINGS][SC_SHELL_SETTING_BYTES]; /* "": not set */
    char *lines; /* of the question that is not whole yet; NULL: none */
    char *last;  /* the question before; NULL: none */
    uint64_t
        *release;   /* of the last answer; shared with the process that asks. 0: none */
    int status;     /* of the last command */
    unsigned depth; /* of files that read files */
} sc_shell;

/* "epsilon"; its option has two dashes more. */
const char *sc_shell_setting_name(sc_shell_setting setting);
/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_shell_open(const sc_options *options, sc_shell *out,
                                          scrim_error *error);
void sc_shell_close(sc_shell *shell); /* also of zeros */

/* Would a question be refused for these settings, from first to before end? The words of the refusal are shown then. Without a
 * dataset nothing is known, and false. */
bool sc_shell_is_refused(sc_shell *shell, size_t first, size_t end);

/* Runs a verb on the vault of the shell, "budget" "adult" as `scrim budget adult`. */
void sc_shell_run(sc_shell *shell, const char *const *words, size_t count);
/* Shows a release again, which is the last answer from now on. option may be NULL. */
void sc_shell_replay(sc_shell *shell, const char *release, const char *option);
/* The same for a release by its number, its answer written to a file. */
void sc_shell_run_to_file(sc_shell *shell, const char *word, const char *path);
/* Explains a question about the dataset. */
void sc_shell_explain(sc_shell *shell, const char *question);
/* Asks it; a person is shown the cost and the expected error, and may leave it. */
void sc_shell_ask(sc_shell *shell, const char *question);

/* Says what is wrong with a line; the session has that status then. */
__attribute__((format(printf, 2, 3))) void sc_shell_refuse(sc_shell *shell,
                                                           const char *format, ...);

/* Takes a line: a command, or a part of a question; an empty line ends the question. */
void sc_shell_take_line(sc_shell *shell, const char *line);
/* Runs a command (shell_commands.c), without its backslash: "use adult". */
void sc_shell_command(sc_shell *shell, const char *text);
const char *sc_shell_command_name(size_t index); /* NULL behind the last */
/* The dataset that questions are about from now on. */
SCRIM_MUST_USE scrim_status sc_shell_find_dataset(sc_shell *shell, const char *name,
                                                  scrim_error *error);

#endif
