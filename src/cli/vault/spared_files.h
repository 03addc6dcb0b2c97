/* Files that no output may replace: the vault, what its store keeps beside it, and the data of its datasets.
 *
 * A file that is written takes the place of what has its name. A vault that is lost so has lost its charges, and
 * data cannot be had back from synthetic rows.
 *
 * Claim  spared_files.kept  an output option that leads to the vault, to a file beside it or to the source of a dataset is
 *                           refused before anything is charged; so is a link to one
 */
#ifndef SC_CLI_SPARED_FILES_H
#define SC_CLI_SPARED_FILES_H

#include "cli/terminal/options.h"

/* path: of the vault, which is open. SCRIM_E_PARAM names the option. */
SCRIM_MUST_USE scrim_status sc_spared_files_check(const sc_options *options,
                                                  const char *path, scrim_vault *vault,
                                                  scrim_error *error);

#endif
