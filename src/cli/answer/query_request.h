/* The request of `explain` and `query`: a dataset, one query or a file of them, and what may be
 * spent. All of it is looked at before any data are. */
#ifndef SC_CLI_QUERY_REQUEST_H
#define SC_CLI_QUERY_REQUEST_H

#include "cli/terminal/options.h"
#include "cli/terminal/whole_file.h"
#include "cli/vault/vault_place.h"

/* The options both verbs take. */
#define SC_OPTIONS_QUERY                                                                 \
    SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_TARGET_ERROR,                 \
        SCRIM_OPTION_EXPECT, SCRIM_OPTION_MECHANISM, SCRIM_OPTION_FILE,                  \
        SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_MAX_GROUPS, SCRIM_OPTION_MAX_ROWS,         \
        SCRIM_OPTION_MAX_TOTAL_ROWS, SCRIM_OPTION_MAX_TOTAL, SCRIM_OPTION_BOUNDS,        \
        SCRIM_OPTION_CUT_SHARE, SCRIM_OPTION_WITH
/* How their help shows them. */
#define SC_USAGE_QUERY                                                                   \
    "  --epsilon E    what the query may cost; there is no default\n"                    \
    "  --delta D      needed for private keys, Gaussian noise, WITH RANGE and\n"         \
    "                 --mechanism stlap (default 0)\n"                                   \
    "  --target-error X  instead of --epsilon: find the smallest epsilon with which\n"   \
    "                 every interval is at most X to either side. For MIN, MAX,\n"       \
    "                 RANGE and MAX_K, X is the expected error of evenly spread\n"       \
    "                 values. 5% means 5 % of the value, whose size must follow\n"       \
    "                 from --expect or from the declared range.\n"                       \
    "  --confidence C of the confidence intervals (default 0.95)\n"                      \
    "  --expect N[,COLUMN=MEAN[:DEVIATION]...]  public guesses, used to predict\n"       \
    "                 errors and to divide epsilon: rows per group (default 1000),\n"    \
    "                 mean and standard deviation of columns\n"                          \
    "  --mechanism laplace|gaussian|stlap  noise of counts and sums (default: the one\n" \
    "                 with the smaller error); stlap: laplace, and histograms of MIN,\n" \
    "                 MAX and others only lose rows\n"                                   \
    "  --max-total-rows N  use at most N rows of a unit (default: the owner's bounds)\n" \
    "  --max-groups N, --max-rows N  at most N groups of a unit, N rows in each\n"       \
    "  --max-total NAME=N  clamp a unit's total of a column in a group to -N..N;\n"      \
    "                 NAME=auto: with --bounds auto, which finds this bound too\n"       \
    "  --bounds auto[=SHARE]  a share of epsilon (default 1/5) finds how many rows of\n" \
    "                 a unit are used, in place of the declared bounds; both parts\n"    \
    "                 are one charge\n"                                                  \
    "  --cut-share R  the share of the cost (default 1/20) that counts the people\n"     \
    "                 whose rows the bounds leave out, if they can; 0: none\n"           \
    "  --with [NAME=]FILE  a small public table that the query joins, once a table: a\n" \
    "                 CSV file with a header; NAME is by default the file's\n"           \
    "  --file FILE    queries separated by ';', charged together as one batch; -\n"      \
    "                 is standard input\n" SC_USAGE_VAULT

/* Queries of a batch at most. */
#define SC_QUERY_BATCH 64

/* Bytes of all bounds of totals. */
#define SC_QUERY_TOTALS_BYTES 4096

typedef struct sc_query_request {
    const char *dataset;
    const char *queries[SC_QUERY_BATCH];
    size_t query_count;
    char totals[SC_QUERY_TOTALS_BYTES]; /* of --max-total, one a line */
    sc_whole_file file;                 /* what --file holds, cut into queries */
    char *with;                         /* the public tables of --with */
    scrim_vault *vault;
    scrim_plan *plan;
} sc_query_request;

/* The values of --max-total, one a line, and "" without any. SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_totals_read(const sc_options *options,
                                           char totals[SC_QUERY_TOTALS_BYTES],
                                           scrim_error *error);

/* Looks at the words and opens the vault; plan stays NULL. */
SCRIM_MUST_USE scrim_status sc_query_request_open(const sc_options *options,
                                                  sc_query_request *out,
                                                  scrim_error *error);
/* Opens the vault and plans. A refused query is shown on standard error with its place, and the
 * error says why. progress may be NULL. */
SCRIM_MUST_USE scrim_status
sc_query_request_read(const sc_options *options,
                      void (*progress)(void *context, uint64_t done, uint64_t total),
                      void *context, sc_query_request *out, scrim_error *error);
void sc_query_request_clear(sc_query_request *request); /* also of zeros */

/* Instead of what the options say; NULL: as they say. */
typedef struct sc_other_request {
    const char *epsilon, *delta, *max_total_rows, *max_rows;
} sc_other_request;

/* The queries planned in another way; freed by the caller. Nothing is said of a refusal. */
SCRIM_MUST_USE scrim_status sc_query_request_other(const sc_query_request *request,
                                                   const sc_options *options,
                                                   const sc_other_request *other,
                                                   scrim_plan **out);

/* The queries planned at an epsilon; freed by the caller. A refused query is shown likewise. */
SCRIM_MUST_USE scrim_status sc_query_request_at(const sc_query_request *request,
                                                const sc_options *options,
                                                const char *epsilon, scrim_plan **out,
                                                scrim_error *error);

/* The first ';' outside of quotes and comments, or the end of the text. */
const char *sc_query_end(const char *text);
/* Cuts text at each such ';', in place; blank parts are left
 * out. Returns how many there are, at most most + 1. */
size_t sc_query_split(char *text, const char **queries, size_t most);

#endif
