/* A tree of released counts, as the files in this folder show it, and the options that ask for
 * one. */
#ifndef SC_CLI_TREE_VIEW_H
#define SC_CLI_TREE_VIEW_H

#include "cli/display/signed_file.h"
#include "cli/terminal/options.h"
#include "scrim.h"

/* The most levels below that of all rows. A query has at most this many keys. */
#define SC_TREE_VIEW_LEVELS 16
#define SC_TREE_VIEW_TABLES 8
/* Columns of all tables. */
#define SC_TREE_VIEW_COLUMNS (SC_TREE_VIEW_TABLES * SCRIM_TABLE_COLUMNS)

typedef struct sc_tree_view {
    scrim_hierarchy *tree;
    scrim_hierarchy_facts facts;
    scrim_hierarchy_level levels[SC_TREE_VIEW_LEVELS + 1];
    scrim_hierarchy_table tables[SC_TREE_VIEW_TABLES];
    size_t places
        [SC_TREE_VIEW_TABLES]; /* of each table: its first column among those of all tables */
    size_t columns;            /* of all tables */
} sc_tree_view;

void sc_tree_view_init(sc_tree_view *view, scrim_hierarchy *tree);

/* A file of CSV that shows the tree, signed by the vault. */
sc_signed_file sc_tree_view_file(const sc_tree_view *view, scrim_vault *vault,
                                 const char *kind, const char *option, const char *path);

/* The keys of a node, the coarsest first: keys[i] is the key at level i + 1, or NULL for a
 * missing value. Returns their number, which is the level of the node. */
size_t sc_tree_view_keys(const sc_tree_view *view, size_t node,
                         const char *keys[SC_TREE_VIEW_LEVELS]);

/* The smallest and largest whole number in an interval, at least 0. */
void sc_tree_view_interval(const scrim_hierarchy_node *node, int64_t *low, int64_t *high);

/* The columns of a query of a table: "sex*race". */
#define SC_TREE_QUERY_BYTES 400
const char *sc_tree_view_query(const sc_tree_view *view,
                               const scrim_hierarchy_query *query,
                               char out[SC_TREE_QUERY_BYTES]);

/* Half the width of the interval divided by the count, or by 1 if that is 0; 0 for a node whose
 * count is known. */
double sc_tree_view_error(const scrim_hierarchy_node *node);

/* A tree of counts as the options ask for it. */

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
