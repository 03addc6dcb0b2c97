/* From the text of a query to what the engine runs: everything in it is on the allow-list, has a
 * type, and every number a public range. No data are looked at.
 *
 * Claim  validate.allow-list  a query that is not made of keys, aggregates, conditions of one row
 *                             and conditions on released values is refused, with the nearest one
 *                             that is (A25, A36, A65, A66)
 * Claim  validate.bounds      an aggregate of a number has an extent of more than one value; its
 *                             centre is the middle of it, rounded down, its radius the distance of
 *                             the farther end, and its offset half of the radius' square (A20, A23)
 * Claim  validate.buckets     a width of buckets is a whole number of steps and makes no more of them
 *                             than are drawn; what gives a row a bucket is the only aggregate
 * Claim  validate.names       no name of the answer is that of a column that it is not, and no two
 *                             are the same: ranges belong to values, never to names (A24)
 */
#ifndef SC_QUERY_VALIDATE_H
#define SC_QUERY_VALIDATE_H

#include "query/language/question.h"

/* dataset is the name that FROM may give. All that is made lives in the arena; text and schema
 * must live as long. On failure refusal has the place in text. SCRIM_E_SYNTAX, SCRIM_E_PARAM,
 * SCRIM_E_LIMIT, SCRIM_E_POLICY, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_validate(sc_text text, sc_text dataset,
                                        const sc_schema *schema, sc_arena *arena,
                                        const sc_query **out, sc_refusal *refusal);

#endif
