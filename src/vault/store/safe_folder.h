/* The folder of a file that must not be replaced: whoever can write a folder can put other files
 * in place of those in it, or beside them.
 *
 * Claim  safe_folder.closed  a folder that group or others may write is refused, and so is one of
 *                            a third user's, and one below a folder of a third user's, or one that
 *                            others may write and that does not keep its files to their owners
 *                            (the sticky bit)
 * Claim  safe_folder.regain  an empty file of the owner's that a umask took from them, because its
 *                            maker was killed before it could set the mode, blocks nobody
 */
#ifndef SC_VAULT_SAFE_FOLDER_H
#define SC_VAULT_SAFE_FOLDER_H

#include "base/status.h"

#include <stdbool.h>
#include <sys/types.h>

/* SCRIM_E_LEDGER unless the folder that holds this file is its owner's or the superuser's, and for
 * them alone to write. what names the file in messages: "the vault". */
SCRIM_MUST_USE scrim_status sc_safe_folder_check(const char *path, uid_t owner,
                                                 const char *what, scrim_error *error);

/* Makes an empty file of our own readable for us again; false when it is not such a file, or is
 * readable already. For folders that were checked. */
bool sc_safe_folder_regain(const char *path);

/* Opens the folder that holds this file, and locks it against others who do the same: SCRIM_E_BUSY
 * after wait_ms. The lock ends when the descriptor is closed. */
SCRIM_MUST_USE scrim_status sc_safe_folder_lock(const char *path, int wait_ms, int *out,
                                                scrim_error *error);

#endif
