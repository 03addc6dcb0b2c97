/* A tree as an icicle: a row a level, each node as wide as its count, shaded by its relative error. */
#ifndef SC_CLI_TREE_ICICLE_H
#define SC_CLI_TREE_ICICLE_H

#include "cli/release/tree_view.h"
#include "cli/terminal/terminal.h"

SCRIM_MUST_USE scrim_status sc_tree_icicle_svg(const sc_tree_view *view, const char *path,
                                               scrim_error *error);
/* In characters, on output. */
void sc_tree_icicle_write(sc_output *output, const sc_tree_view *view,
                          const sc_terminal *terminal);

#endif
