/* The state of a grouping (group.h), for the files that make it. */
#ifndef SC_QUERY_GROUPING_H
#define SC_QUERY_GROUPING_H

#include "query/rows/bound.h"
#include "query/rows/group_cells.h"
#include "query/rows/group_kept.h"
#include "query/rows/group_plan.h"
#include "query/rows/key_set.h"
#include "query/rows/part_log.h"
#include "query/rows/unit_room.h"
#include "query/rows/unit_table.h"

#include <stdatomic.h>

/* Identities whose texts were logged lately. */
#define SC_UNHELD_RECENT 4096

/* Keys that a worker does not hold (group_parts.h). */
typedef struct sc_grouping_unheld {
    sc_unit_room room; /* rows: in front of the values stands the identity of their key */
    sc_part_log log;   /* by the part of a key */
    sc_key_identity recent[SC_UNHELD_RECENT];
    unsigned char *packed; /* one row's */
    size_t packed_bytes;
    bool has_rows;
} sc_grouping_unheld;

/* The results of one worker from its rows, and then from its parts. */
typedef struct sc_grouping_worker {
    unsigned number;
    sc_unit_room room;
    bool has_rows;         /* it was given some, counted or not */
    unsigned char *packed; /* the values of a block of rows */
    size_t packed_bytes;
    sc_key_set keys;   /* that it has discovered */
    uint32_t *numbers; /* of those among all */
    sc_cells cells;    /* where each row is a unit by its own keys, else by all */
    sc_kept kept;      /* as the cells */
    uint64_t cut[SC_CUT_CELLS];
    sc_grouping_unheld *unheld; /* NULL: all keys are held */
    char apart[64];             /* from another worker's line of cache */
} sc_grouping_worker;

struct sc_grouping {
    bool has_units, has_keys, are_distinct, is_finished;
    unsigned workers;
    scrim_status (*visit)(void *visitor, unsigned worker, const sc_group_unit *unit,
                          scrim_error *error);
    void *visitor;
    scrim_status (*keep)(void *keeper, unsigned worker, const sc_cell_plan *plan,
                         const sc_unit_row *row, scrim_error *error);
    void *keeper;
    sc_cell_plan cell_plan;
    sc_value_key hash_key;
    sc_bound_keys bound_keys;
    sc_bounds bounds;
    sc_cut_plan cut;
    size_t memory_bytes;
    sc_sealed_file *file; /* of all workers; NULL: nothing can be written */
    uint32_t held_keys;   /* by each worker; 0: all */
    size_t held_bytes;
    bool is_parted;         /* they were more, and groups come part by part */
    sc_hash_key mark_key;   /* of identities */
    sc_key_set no_keys;     /* one, for rows whose keys are not held */
    sc_key_identity *marks; /* of all keys that workers hold, one behind the other */
    size_t mark_bytes;
    struct sc_grouping *part; /* the groups of one part */
    sc_grouping_worker **states;
    sc_key_set
        keys; /* all: public ones in the order of the plan, others in bytewise order */
    uint64_t *tokens; /* their hashes */
    sc_cells cells;   /* the sums of all workers */
    sc_unit_share *shares;
    atomic_size_t next_part;
    sc_group *groups;
    uint64_t *present; /* of the groups */
    sc_int128 *sums;   /* of the groups, their squares and totals */
    size_t sum_count;
    sc_kept_lists lists;
    const int64_t **list_starts; /* of the groups */
    const sc_uint128 **bar_starts;
};

/* Frees the unheld keys of one worker; NULL is allowed. */
void sc_grouping_unheld_free(sc_grouping_unheld *unheld);
/* Frees the groups of the part that was made last. */
void sc_grouping_part_clear(sc_grouping *grouping);

/* The fate of a unit's rows: how many there were, and how many are in the numbers. */
typedef struct sc_grouping_rest {
    uint64_t all, kept;
    bool is_clamped;
} sc_grouping_rest;

/* Must rows of groups that go be told from others that go? */
bool sc_grouping_needs_groups(const sc_grouping *grouping);
/* Counts all rows of a unit; those in the groups that stay, side by side; those that stay. The last one counts the
 * unit in a worker's cells. */
sc_grouping_rest sc_grouping_rest_of(const sc_grouping *grouping, const sc_unit_row *rows,
                                     size_t count);
void sc_grouping_rest_groups(const sc_grouping *grouping, const sc_unit_row *rows,
                             size_t count, sc_grouping_rest *rest);
void sc_grouping_rest_put(const sc_grouping *grouping, sc_grouping_worker *state,
                          const sc_unit_row *rows, size_t count, sc_grouping_rest *rest);

/* Makes one of the rows of a unit that are alike, where the plan says so; returns how many rows are left. */
size_t sc_grouping_distinct(const sc_grouping *grouping, const sc_bound *bound,
                            sc_unit_row *rows, size_t count);

/* For bounding rows of units. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_grouping_make_bound(const sc_grouping *grouping,
                                                   sc_bound *bound, scrim_error *error);
/* Lists the groups when all sums are there. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_grouping_list(sc_grouping *grouping, sc_groups *out,
                                             scrim_error *error);
/* Adds keys in bytewise order, sorting the set they come from, which can only be cleared afterwards. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_grouping_sort_keys(sc_key_set *to, sc_key_set *from,
                                                  scrim_error *error);

/* Keeps a worker's rows within their share of memory. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_make_room(const sc_grouping *grouping,
                                                  sc_grouping_worker *state,
                                                  scrim_error *error);

#endif
