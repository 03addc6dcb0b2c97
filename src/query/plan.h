/* The plan of a query, or of a batch of them: which numbers are drawn by which mechanism, with
 * what share of the budget, at what cost and with what error. It is made from public facts alone;
 * no data are opened.
 *
 * A batch is planned as one: its statements share epsilon and delta, and are charged together.
 */
#ifndef SC_QUERY_PLAN_H
#define SC_QUERY_PLAN_H

#include "account/bundle.h"
#include "query/statistic.h"
#include "scrim/query.h"

/* One draw, or one a group. */
typedef struct sc_plan_part {
    size_t
        statistic; /* among the statement's; SC_STATISTIC_NONE: the selection of keys */
    scrim_measurement *measurement;
    bool is_apart;   /* drawn for each group by itself; else for all groups at once */
    uint64_t copies; /* so many of its draws change with one unit: 1 unless it is apart */
    sc_ratio share;  /* of the statement's epsilon, or rho: from 0 to 1 */
} sc_plan_part;

typedef enum sc_plan_keys {
    SC_PLAN_NO_KEYS = 1, /* one group: all rows */
    SC_PLAN_PUBLIC_KEYS, /* all of them are shown */
    SC_PLAN_DISCOVERED   /* those that the selection keeps */
} sc_plan_keys;

/* A way to choose keys that was looked at. */
typedef struct sc_plan_choice {
    scrim_measurement *measurement;
    uint64_t half,
        most; /* the units of a group that is kept with probability 1/2, and 0.95 */
    bool is_chosen;
} sc_plan_choice;

typedef struct sc_plan_statement {
    const sc_query *query;
    sc_statistics statistics;
    uint64_t max_groups, max_rows; /* what one unit can reach in this statement */
    sc_plan_keys keys_kind;
    const sc_text
        *keys; /* of SC_PLAN_PUBLIC_KEYS: tuples, in increasing order (key_tuple.h) */
    size_t key_count;
    const sc_plan_part *parts;
    size_t part_count;
    const sc_plan_choice *choices; /* of SC_PLAN_DISCOVERED */
    size_t choice_count;
} sc_plan_statement;

struct scrim_plan {
    char dataset[SCRIM_NAME_BYTES];
    uint64_t version;
    char *policy; /* of that version */
    const sc_schema *schema;
    scrim_neighbours neighbours;
    sc_ratio epsilon, delta, expect, confidence;
    char *question; /* what is charged: the same tokens and options, the same question */
    const sc_plan_statement *statements;
    size_t statement_count;
    sc_bundle *bundle; /* all parts of all statements, in their order */
    sc_arena arena;
};

#endif
