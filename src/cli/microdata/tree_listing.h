/* A tree as a table, CSV or JSON, a row a node, and the notes beside it. */
#ifndef SC_CLI_TREE_LISTING_H
#define SC_CLI_TREE_LISTING_H

#include "cli/microdata/tree_view.h"

/* On standard output, or in the file of --out with its label, as the options say. */
SCRIM_MUST_USE scrim_status sc_tree_listing(const sc_tree_view *view, scrim_vault *vault,
                                            const sc_options *options,
                                            scrim_error *error);
/* On standard error: the error of each level, what is known, and what intervals mean. */
void sc_tree_notes(const sc_tree_view *view);

#endif
