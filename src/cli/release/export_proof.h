/* Is the export of a ledger that of the owner, and complete? By the owner's key, by the vault, or by a head that was
 * noted earlier. An export that no key has signed holds only if the vault or the noted head proves it.
 */
#ifndef SC_CLI_EXPORT_PROOF_H
#define SC_CLI_EXPORT_PROOF_H

#include "cli/terminal/options.h"

#define SC_EXPORT_NOTES 3
#define SC_EXPORT_NOTE_BYTES 240

typedef struct sc_export_proof {
    scrim_vault_state state;
    char notes[SC_EXPORT_NOTES][SC_EXPORT_NOTE_BYTES]; /* what else is known; "" */
    size_t note_count;
} sc_export_proof;

/* Checks the file by the options --key, --head and --vault; a vault in the default place is used without a key, and a
 * note says so if it has another ledger. SCRIM_E_CHECK: it does not hold. SCRIM_E_INPUT: it is no export. */
SCRIM_MUST_USE scrim_status sc_export_prove(const sc_options *options, const char *path,
                                            sc_export_proof *out, scrim_error *error);

/* The head that --head gives, a hash. NULL: none was given. SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_head_option_read(const sc_options *options,
                                                const char **out, scrim_error *error);

/* How many entries the vault has since the noted head. SCRIM_E_CHECK: its ledger does not contain that head. */
SCRIM_MUST_USE scrim_status sc_head_find(scrim_vault *vault, const char *noted,
                                         uint64_t *since, scrim_error *error);

#endif
