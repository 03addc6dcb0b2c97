/* scrim microdata plan NAME --levels ...: the errors of a tree of counts, before it is asked for. */
#ifndef SC_CLI_TREE_PLAN_H
#define SC_CLI_TREE_PLAN_H

#include "cli/terminal/options.h"
#include "scrim.h"

SCRIM_MUST_USE scrim_status sc_tree_plan(const sc_options *options, scrim_error *error);

#endif
