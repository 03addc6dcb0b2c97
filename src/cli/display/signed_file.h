/* A file that shows a release, with its label (scrim/report.h): the digest of what is written is taken on the way, and the
 * label is signed by the vault's key.
 *
 * An object of JSON ends with the label, on standard output too. Any other file that has a name gets a file beside
 * it, FILE.label. Tables, CSV and JSON lines on standard output, and what goes into a pipe, have no label.
 *
 * Claim  signed-file.every-byte  the label is made for exactly the bytes that are written
 */
#ifndef SC_CLI_SIGNED_FILE_H
#define SC_CLI_SIGNED_FILE_H

#include "cli/display/json_writer.h"
#include "cli/terminal/file_writer.h"

typedef struct sc_signing {
    scrim_vault *vault;
    uint64_t release;
    const char *kind;                 /* of the file: "counts" */
    const scrim_label_period *period; /* of a file about all releases of it; else NULL */
    scrim_label_fact said[2]; /* more facts about the file; empty values are left out */
    sc_output *output;
    scrim_file_digest *digest;
} sc_signing;

/* Signs all that output writes from here on; nothing may have been written before. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_signing_begin(sc_signing *signing, sc_output *output,
                                             scrim_error *error);
/* Ends the object that is at the top with the label of all that is before it; in place of sc_json_end. */
SCRIM_MUST_USE scrim_status sc_signing_end(sc_signing *signing, sc_json *json,
                                           scrim_error *error);
/* The label of all that was written, for a page that has it before its end; no more is signed. */
SCRIM_MUST_USE scrim_status sc_signing_label(sc_signing *signing, scrim_label **out,
                                             scrim_error *error);
void sc_signing_clear(sc_signing *signing);

typedef struct sc_signed_file {
    sc_signing signing;
    const char *option, *path; /* NULL: standard output */
    sc_format format;
    sc_file_writer file;
} sc_signed_file;

/* As sc_file_writer_check, of the file and of the one beside it. */
SCRIM_MUST_USE scrim_status sc_signed_file_check(const char *option, const char *path,
                                                 sc_format format, scrim_error *error);
/* Begins the output. Its vault, release, kind, option, path and format are set. A listing has its signing. */
SCRIM_MUST_USE scrim_status sc_signed_file_open(sc_signed_file *file, sc_output *output,
                                                scrim_error *error);
/* Writes what is left, and the label beside it. Unless status is SCRIM_OK no file takes its place, and status is
 * returned. */
SCRIM_MUST_USE scrim_status sc_signed_file_close(sc_signed_file *file,
                                                 scrim_status status, scrim_error *error);

/* Tells where the label of a written file is, if it is beside it. */
void sc_signed_file_say(const char *path, sc_format format);

/* PATH.label, freed by free(); NULL without memory. */
char *sc_label_path(const char *path);

#endif
