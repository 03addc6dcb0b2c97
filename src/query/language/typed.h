/* From the tree of an expression to its types and public ranges under a schema.
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

#include "query/language/aggregate.h"
#include "query/language/date_parts.h"
#include "query/language/lookup.h"
#include "query/language/typed_node.h"

/* An expression that sees one row. SCRIM_E_PARAM for a name that is no column, for types that do
 * not fit, and for arguments that are not what a function asks for; SCRIM_E_LIMIT for a range
 * beyond the limits; SCRIM_E_POLICY for what is not on the lists. */
SCRIM_MUST_USE scrim_status sc_typed_row(sc_typing *typing, const sc_node *node,
                                         const sc_typed **out);
/* The same for an expression that must have this type. The message names the purpose: "WHERE". */
SCRIM_MUST_USE scrim_status sc_typed_condition(sc_typing *typing, const sc_node *node,
                                               const char *purpose, const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typed_number(sc_typing *typing, const sc_node *node,
                                            const char *purpose, const sc_typed **out);
/* A number that is the same for every row, as an extent whose ends are equal. */
SCRIM_MUST_USE scrim_status sc_typed_constant(sc_typing *typing, const sc_node *node,
                                              const char *purpose, sc_extent *out);

/* The rest is for the files of the typing (typed*.c) and for readers of aggregates. */

/* A copy of value in the arena, nullable as its parts make it. A number, date or bool that can have
 * one value only, and is never NULL, becomes that constant. */
SCRIM_MUST_USE scrim_status sc_typing_make(sc_typing *typing, sc_typed value,
                                           const sc_typed **out);
/* An operation of one or two parts. */
SCRIM_MUST_USE scrim_status sc_typing_operation(sc_typing *typing, sc_typed value,
                                                const sc_typed *a, const sc_typed *b,
                                                const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_constant(sc_typing *typing, sc_type type,
                                               int64_t value, const sc_typed **out);
/* NULL of a type. */
SCRIM_MUST_USE scrim_status sc_typing_null(sc_typing *typing, sc_type type,
                                           const sc_typed **out);
bool sc_typed_is_null(const sc_typed *typed); /* always */
/* The same for every row, and present? */
bool sc_typed_is_constant(const sc_typed *typed);
/* A value on the grid of a column, or its text: a copy of value with its type and range. */
SCRIM_MUST_USE scrim_status sc_typing_cell(sc_typing *typing, const sc_node *node,
                                           const sc_column *column, sc_typed value,
                                           const sc_typed **out);
/* A date that is written as text. */
SCRIM_MUST_USE scrim_status sc_typing_date(sc_typing *typing, sc_span place, sc_text text,
                                           const sc_typed **out);
/* A timestamp that is written as text. */
SCRIM_MUST_USE scrim_status sc_typing_moment(sc_typing *typing, sc_span place,
                                             sc_text text, const sc_typed **out);
/* Room for count parts. */
SCRIM_MUST_USE scrim_status sc_typing_parts(sc_typing *typing, size_t count,
                                            const sc_typed ***out);

/* Brings two numbers or dates onto the same step. */
SCRIM_MUST_USE scrim_status sc_typing_align(sc_typing *typing, sc_span place,
                                            const sc_typed **a, const sc_typed **b);
/* The checks of sc_typed_number and sc_typed_constant for an expression that is typed already. Typing it
 * twice would double the time with every level of nesting. */
/* The argument as a hint names it: the name of a column as it is typed, and x for anything else. */
const char *sc_typing_hint(const sc_node *node, char out[SC_TEXT_NAME_BYTES]);
SCRIM_MUST_USE scrim_status sc_typing_check_number(const sc_typing *typing,
                                                   const sc_node *node,
                                                   const char *purpose,
                                                   const sc_typed *typed);
SCRIM_MUST_USE scrim_status sc_typing_check_constant(const sc_typing *typing,
                                                     const sc_node *node,
                                                     const char *purpose,
                                                     const sc_typed *typed);
/* SCRIM_E_PARAM for a value that is the same for every row, where an aggregate is asked for. */
SCRIM_MUST_USE scrim_status sc_typing_check_varies(const sc_typing *typing,
                                                   const sc_node *node,
                                                   const sc_typed *value);
SCRIM_MUST_USE scrim_status sc_typing_beyond(const sc_typing *typing, sc_span place);
/* Refuses computed dates that may leave the calendar. */
SCRIM_MUST_USE scrim_status sc_typing_check_dates(const sc_typing *typing, sc_span place,
                                                  const sc_typed *typed);

bool sc_typed_is_text_constant(const sc_typed *typed);
/* Sorts, and keeps one of equals; returns how many are left. */
size_t sc_typing_sort_texts(sc_text *texts, size_t count);
/* Reads a text beside a date as a date and gives NULL the other's type; then the types must be equal. */
SCRIM_MUST_USE scrim_status sc_typing_unify(sc_typing *typing, const sc_node *node_a,
                                            const sc_typed **a, const sc_node *node_b,
                                            const sc_typed **b);
/* a = b, of one type. */
SCRIM_MUST_USE scrim_status sc_typing_equal(sc_typing *typing, sc_span place,
                                            const sc_typed *a, const sc_typed *b,
                                            const sc_typed **out);
/* a < b, or a <= b, of one type. */
SCRIM_MUST_USE scrim_status sc_typing_less(sc_typing *typing, sc_span place,
                                           bool or_equal, const sc_typed *a,
                                           const sc_typed *b, const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_negate(sc_typing *typing, const sc_typed *a,
                                             const sc_typed **out);
/* A condition, or false where it is NULL. */
SCRIM_MUST_USE scrim_status sc_typing_or_false(sc_typing *typing,
                                               const sc_typed *condition,
                                               const sc_typed **out);

/* Joins (typed_joined.c). */

/* The joins of a SELECT. typing then knows their columns, and its schema how many they are. SCRIM_E_PARAM for
 * a table that is not declared, columns that do not exist or cannot be compared, and a key that is not
 * unique; otherwise as sc_validate. */
SCRIM_MUST_USE scrim_status sc_joins_read(const sc_tree *tree, sc_typing *typing);
/* A name that is perhaps a joined column: out is NULL for any other. SCRIM_E_PARAM where it may mean several. */
SCRIM_MUST_USE scrim_status sc_joined_column(sc_typing *typing, const sc_node *node,
                                             const sc_typed **out);
/* Has one of the joined tables a column of this name? */
bool sc_joined_has(const sc_typing *typing, sc_text name);
/* A declared table that has the column though the question does not join it; NULL: none has. */
const sc_public_table *sc_joined_lacks(const sc_typing *typing, sc_text column);

/* Types a node, by its kind. */
SCRIM_MUST_USE scrim_status sc_typing_arithmetic(sc_typing *typing, const sc_node *node,
                                                 const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_condition(sc_typing *typing, const sc_node *node,
                                                const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_case(sc_typing *typing, const sc_node *node,
                                           const sc_typed **out);
/* COALESCE and NULLIF. */
SCRIM_MUST_USE scrim_status sc_typing_coalesce(sc_typing *typing, const sc_node *node,
                                               const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_nullif(sc_typing *typing, const sc_node *node,
                                             const sc_typed **out);
/* The text of a text or of a place on a list; NULL stays NULL. SCRIM_E_LIMIT for a literal that is
 * longer than a cell may be. */
SCRIM_MUST_USE scrim_status sc_typing_text_of(sc_typing *typing, sc_span place,
                                              const sc_typed *typed,
                                              const sc_typed **out);
/* x || y, x LIKE y, and the functions of text. */
SCRIM_MUST_USE scrim_status sc_typing_joined(sc_typing *typing, const sc_node *node,
                                             const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_like(sc_typing *typing, const sc_node *node,
                                           const sc_typed **out);
bool sc_typing_is_text_function(sc_function_kind kind);
SCRIM_MUST_USE scrim_status sc_typing_text_function(sc_typing *typing,
                                                    const sc_node *node,
                                                    sc_function_kind kind,
                                                    const sc_typed **out);
/* The value if the condition is true, else NULL. */
SCRIM_MUST_USE scrim_status sc_typing_where(sc_typing *typing, const sc_typed *condition,
                                            const sc_typed *value, const sc_typed **out);
/* LADDER. */
SCRIM_MUST_USE scrim_status sc_typing_rung(sc_typing *typing, const sc_node *node,
                                           const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_call(sc_typing *typing, const sc_node *node,
                                           const sc_typed **out);

#endif
