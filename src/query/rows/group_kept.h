/* The values that stay, for answers that need more than sums (quantiles): each worker notes what
 * it keeps, in any order, and in the end they are put together by group, in ascending order.
 */
#ifndef SC_QUERY_GROUP_KEPT_H
#define SC_QUERY_GROUP_KEPT_H

#include "query/rows/group_cells.h"

/* One worker's notes: a group, how many copies, and list_count values, entry by entry. */
typedef struct sc_kept {
    uint32_t *groups;
    uint64_t *copies;
    int64_t *values;
    size_t count, capacity, list_count;
} sc_kept;

/* Zeros are empty notes. */
void sc_kept_clear(sc_kept *kept);
/* Notes a row's values of which the plan wants lists. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_kept_add(sc_kept *kept, const sc_cell_plan *plan,
                                        const sc_unit_row *row, scrim_error *error);

/* Notes what another has noted: as many values as there are lists, at any place in memory. */
SCRIM_MUST_USE scrim_status sc_kept_put(sc_kept *kept, size_t list_count, uint32_t group,
                                        uint64_t copies, const void *values,
                                        scrim_error *error);

/* The lists of all groups: those of group g begin at starts[g] in each of list_count blocks of
 * total values. */
typedef struct sc_kept_lists {
    size_t *starts; /* and the total, behind the last */
    int64_t *values;
    size_t groups, list_count;
} sc_kept_lists;

/* Zeros are no lists. */
void sc_kept_lists_clear(sc_kept_lists *lists);
/* Room for the rows that the cells have counted. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_kept_lists_init(sc_kept_lists *lists,
                                               const sc_cell_plan *plan,
                                               const sc_cells *cells, size_t groups,
                                               scrim_error *error);
/* Puts a worker's notes in. numbers are its groups' among all; NULL: the same. */
void sc_kept_lists_put(sc_kept_lists *lists, const sc_kept *kept,
                       const uint32_t *numbers);
/* After the last of all notes: puts each list in order. */
void sc_kept_lists_finish(sc_kept_lists *lists);
/* How many different values are among the first `count` of such a list. */
uint64_t sc_kept_different(const int64_t *list, size_t count);
/* As many values as the group has rows. list counts from 0. */
const int64_t *sc_kept_list(const sc_kept_lists *lists, size_t group, size_t list);

#endif
