/* Files beside the table of a tree, each with its label: records of people who could have been counted, and the noisy counts. */
#ifndef SC_CLI_TREE_FILES_H
#define SC_CLI_TREE_FILES_H

#include "cli/microdata/tree_view.h"

/* A row for each of the counted people, with the columns of the levels. */
SCRIM_MUST_USE scrim_status sc_tree_records_write(const sc_tree_view *view,
                                                  scrim_vault *vault, const char *path,
                                                  scrim_error *error);
/* A row for each noisy count, with its variance and its measurement. */
SCRIM_MUST_USE scrim_status sc_tree_measurements_write(const sc_tree_view *view,
                                                       scrim_vault *vault,
                                                       const char *path,
                                                       scrim_error *error);

#endif
