/* A file that appears whole or not at all: written beside its place under another name, and
 * moved there when all of it is on the disk. Signals are held back meanwhile, so that no half-written
 * file remains; a signal that comes ends the writing early. A pipe or a terminal is written
 * directly, and signals end that at once.
 *
 * Claim  file_writer.vault  no command replaces a vault by a file that it writes: all charges of the vault would be lost
 */
#ifndef SC_CLI_FILE_WRITER_H
#define SC_CLI_FILE_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/process.h"

/* As a path, this very pointer: standard output, which every caller may write. */
extern const char sc_standard_output[];

typedef struct sc_file_writer {
    const char *option; /* what named the file, for messages: "--svg" */
    char *path;         /* links followed */
    char *temporary;    /* NULL: written in place */
    int descriptor;     /* for an sc_output */
    bool is_held;
    sc_signal_hold hold; /* of a temporary file */
} sc_file_writer;

/* Writes to an output that is the file. */
typedef void sc_file_body(const void *context, sc_output *output);
/* A whole file, opened and closed as below. */
SCRIM_MUST_USE scrim_status sc_file_write(const char *option, const char *path,
                                          sc_file_body *body, const void *context,
                                          scrim_error *error);

/* Looks, without touching anything, whether a file can be made there: before hours of work.
 * SCRIM_E_PARAM, also where a vault is; SCRIM_E_POLICY when this process has the rights of another user than its caller,
 * who could otherwise replace that user's files. */
SCRIM_MUST_USE scrim_status sc_file_writer_check(const char *option, const char *path,
                                                 scrim_error *error);
/* The same for a file in a folder that may be missing, if the folder can be made. */
SCRIM_MUST_USE scrim_status sc_file_writer_check_in(const char *option,
                                                    const char *folder, const char *path,
                                                    scrim_error *error);
/* Makes the folder, unless it is there. SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_folder_make(const char *option, const char *folder,
                                           scrim_error *error);
/* SCRIM_E_PARAM when there can be no such file, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_file_writer_open(sc_file_writer *file, const char *option,
                                                const char *path, scrim_error *error);
/* Moves the file to its place; or, when the output had an error or the move fails, takes it
 * away and says why with SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_file_writer_close(sc_file_writer *file, sc_output *output,
                                                 scrim_error *error);

#endif
