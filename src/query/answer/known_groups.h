/* The groups of a release of a series that continues: those that were discovered, and those whose keys
 * an earlier release has shown, in one bytewise order.
 *
 * A key that was released is public from then on. It is asked without a selection and shown always,
 * also when nobody has it any more: then it is a group without rows.
 *
 * Claim  known-groups.all  every known key is there, once and marked, whatever rows there are; every
 *                          other group is there as it was
 */
#ifndef SC_QUERY_KNOWN_GROUPS_H
#define SC_QUERY_KNOWN_GROUPS_H

#include "query/rows/group_plan.h"

typedef struct sc_known_groups {
    sc_groups all; /* the groups' own keys, numbers and lists, and views of known keys */
    bool *is_known;
    sc_group *list;
    size_t capacity;
} sc_known_groups;

/* Both are in bytewise order, without repetition. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_known_groups_init(sc_known_groups *out,
                                                 const sc_groups *groups,
                                                 const sc_text *known, size_t known_count,
                                                 scrim_error *error);
/* Wipes. Also for zeros. */
void sc_known_groups_clear(sc_known_groups *groups);

#endif
