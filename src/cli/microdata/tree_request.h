/* A tree of counts as the options ask for it. */
#ifndef SC_CLI_TREE_REQUEST_H
#define SC_CLI_TREE_REQUEST_H

#include "cli/terminal/options.h"
#include "scrim.h"

typedef struct sc_tree_request {
    const char *known[SC_OPTIONS_REPEATED], *tables[SC_OPTIONS_REPEATED],
        *queries[SC_OPTIONS_REPEATED];
    size_t known_count;
    scrim_hierarchy_design design;
    scrim_query_options how;
    char *policy; /* the text of a policy in place of a dataset of a vault; NULL: none */
} sc_tree_request;

void sc_tree_request_read(const sc_options *options, sc_tree_request *out);
/* Reads the file of --policy, where it is given. */
SCRIM_MUST_USE scrim_status sc_tree_request_policy(const sc_options *options,
                                                   sc_tree_request *request,
                                                   scrim_error *error);
void sc_tree_request_clear(sc_tree_request *request);
/* Plans the request for a dataset, or for the policy, and shows the place of what is refused. */
SCRIM_MUST_USE scrim_status sc_tree_request_plan(const sc_tree_request *request,
                                                 scrim_vault *vault, const char *dataset,
                                                 scrim_plan **out, scrim_error *error);

#endif
