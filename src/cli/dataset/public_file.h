/* Files with public tables, for 'dataset join' and --with. */
#ifndef SC_CLI_PUBLIC_FILE_H
#define SC_CLI_PUBLIC_FILE_H

#include "cli/terminal/options.h"

/* Fills in the content of the table and makes its lines, which scrim_vault_text_free frees. table has name, on and columns.
 * SCRIM_E_INPUT for a file that cannot be read, and as scrim_public_table_lines. */
SCRIM_MUST_USE scrim_status sc_public_file_read(scrim_public_table *table,
                                                const char *path, char **lines,
                                                scrim_error *error);
/* "regions" of "data/regions.csv", which the caller frees; NULL without memory. */
char *sc_public_file_name(const char *path);

/* The tables of each --with [NAME=]FILE, for scrim_query_options.with; NULL without any. free() frees them. */
SCRIM_MUST_USE scrim_status sc_public_files_read(const sc_options *options, char **with,
                                                 scrim_error *error);

#endif
