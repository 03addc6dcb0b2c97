/* Which key has signed a file that shows a release, and is it unchanged? For commands that read such files: a body, a table of counts.
 *
 * The label of the file (scrim/report.h) is in it, or beside it in FILE.label. A file whose signature does not hold is
 * refused. A file without one is shown, and called so.
 *
 * Claim  file-proof.refuses  a file is called signed only if every byte of it is as the named key has signed it; a
 *                            changed one is refused, and one without a signature is never called signed (A105)
 */
#ifndef SC_CLI_FILE_PROOF_H
#define SC_CLI_FILE_PROOF_H

#include "cli/terminal/whole_file.h"
#include "cli/vault/vault_place.h"

/* The help of the options of commands that read such a file (SC_COMMAND_READ, SC_COMMAND_CHECK). */
#define SC_USAGE_PROOF                                                                   \
    "  --key KEY      refuse a file that this key has not signed; 'scrim ledger key'\n"  \
    "                 prints the owner's key\n"                                          \
    "  --vault FILE   refuse a file whose release is not in this vault\n"                \
    "  --wait SECONDS how long to wait for other users of it (default 60)\n"

/* All options of SC_COMMAND_READ. */
#define SC_USAGE_READ                                                                    \
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"            \
    "  --json         short for --format json\n" SC_USAGE_PROOF                          \
    "  --quiet        no notes on standard error\n"

/* The value of --key: the key itself, or the name of a file that holds it on one line. */
typedef struct sc_key_option {
    const char *text; /* NULL: none was given */
    sc_whole_file file;
} sc_key_option;
SCRIM_MUST_USE scrim_status sc_key_option_read(const sc_options *options,
                                               sc_key_option *out, scrim_error *error);
void sc_key_option_clear(sc_key_option *key);

/* The vault that a label is compared with: one that was named or, without a key, one that is there. out stays NULL if
 * there is no vault. */
SCRIM_MUST_USE scrim_status sc_proof_vault_open(const sc_options *options,
                                                scrim_vault **out, scrim_error *error);

/* The label beside a file; bytes stay NULL if the file has no label. */
SCRIM_MUST_USE scrim_status sc_label_beside_read(const char *path, sc_whole_file *out,
                                                 scrim_error *error);

#define SC_PROOF_BYTES 512
/* Checks the bytes of a file that was read from path. note is then the line that says by which key they are signed, or that they
 * are not: to be told first, where the file can be used; "" if --quiet is given. SCRIM_E_CHECK: changed, signed by
 * another key than --key, not in the vault of --vault, or, where either is given, not signed. Also fails as opening that vault
 * does. */
SCRIM_MUST_USE scrim_status sc_file_prove(const sc_options *options, const char *path,
                                          const char *bytes, size_t count,
                                          char note[SC_PROOF_BYTES], scrim_error *error);
/* Tells it on standard error. */
void sc_proof_say(const char *note);

#endif
