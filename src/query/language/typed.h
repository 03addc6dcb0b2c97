/* From the tree of an expression to its types and public ranges: what it means for a schema.
 *
 * Columns are clamped to their declared ranges as they are read, and the extent of an expression is
 * derived from those ranges, so that it bounds the aggregated values, whatever stands between (A22).
 *
 * Claim  typed.allow-list  what is not on the lists of operators, functions and types is refused,
 *                          before data are opened, with what to write instead (A25, A65)
 * Claim  typed.bounded     the time that a text takes to be typed, and the size of what comes of it,
 *                          are bounded however it is nested (A67)
 * Claim  typed.range       a number whose range cannot be derived, or goes beyond 2^62 steps, is
 *                          refused (A22, A23)
 */
#ifndef SC_QUERY_TYPED_H
#define SC_QUERY_TYPED_H

#include "query/language/typed_node.h"

/* An expression that sees one row. SCRIM_E_PARAM for a name that is no column, for types that do
 * not fit, and for arguments that are not what a function asks for; SCRIM_E_LIMIT for a range
 * beyond the limits; SCRIM_E_POLICY for what is not on the lists. */
SCRIM_MUST_USE scrim_status sc_typed_row(sc_typing *typing, const sc_node *node,
                                         const sc_typed **out);
/* The same, and it must be of this type. purpose is said in the message: "WHERE". */
SCRIM_MUST_USE scrim_status sc_typed_condition(sc_typing *typing, const sc_node *node,
                                               const char *purpose, const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typed_number(sc_typing *typing, const sc_node *node,
                                            const char *purpose, const sc_typed **out);
/* A number that is the same for every row, as an extent whose ends are equal. */
SCRIM_MUST_USE scrim_status sc_typed_constant(sc_typing *typing, const sc_node *node,
                                              const char *purpose, sc_extent *out);

#endif
