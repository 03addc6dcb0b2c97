/* The contribution bounds of a unit: a maximum of groups, of rows in each of them, and of rows in
 * the whole statement. They decide how much noise is added and which rows are left out, never the
 * guarantee, so that a question may choose its own; they are not secret.
 *
 * A bound may be left out. Rows left out are the total. Groups left out are no bound of their own: a unit
 * with T rows is in at most T groups; where keys are private they must be said, since selecting keys is
 * charged by group. A total left out is groups times rows.
 *
 * Claim  contribution.normal  normal bounds have the same rows within them as those that were said, with
 *                             1 <= groups <= total <= groups rows and rows <= total
 * Reference  spec/query-semantics.md 2.4
 */
#ifndef SC_DATA_CONTRIBUTION_H
#define SC_DATA_CONTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

/* The largest bound that can be said. */
#define SC_SCHEMA_CONTRIBUTION 1000000000

typedef struct sc_bounds {
    uint64_t groups, rows, total; /* 0: left out */
} sc_bounds;

/* Do they bound a unit: by a total, or by groups and rows? */
bool sc_bounds_are_whole(const sc_bounds *bounds);
bool sc_bounds_equal(const sc_bounds *a, const sc_bounds *b);

/* The bounds of a question that says some, all or none, over the defaults of the owner. If those that it
 * says bound a unit by themselves, no others are used. Else the defaults fill what it leaves out. */
sc_bounds sc_bounds_over(const sc_bounds *said, const sc_bounds *defaults);

/* All three, each as small as the others make it, for a question with `groups` groups; 0: any
 * number. The bounds are whole. */
sc_bounds sc_bounds_normal(const sc_bounds *bounds, uint64_t groups);

#endif
