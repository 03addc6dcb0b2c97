/* How typed expressions are made: what the parts of the typing (typed.c, typed_leaf.c,
 * typed_arithmetic.c, typed_condition.c, typed_case.c, typed_date.c, typed_function.c, typed_text.c) use
 * of one another. */
#ifndef SC_QUERY_TYPING_H
#define SC_QUERY_TYPING_H

#include "query/language/date_parts.h"
#include "query/language/function_list.h"
#include "query/language/typed_node.h"

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
/* The checks of sc_typed_number and sc_typed_constant, of what is typed already: nothing is typed
 * twice, since that would double with every level of nesting. */
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
/* Dates that are computed stay within the calendar. */
SCRIM_MUST_USE scrim_status sc_typing_check_dates(const sc_typing *typing, sc_span place,
                                                  const sc_typed *typed);

bool sc_typed_is_text_constant(const sc_typed *typed);
/* Sorts, and keeps one of equals; returns how many are left. */
size_t sc_typing_sort_texts(sc_text *texts, size_t count);
/* Text that stands beside a date is read as one, and NULL is of the other's type; then the types must
 * be the same. */
SCRIM_MUST_USE scrim_status sc_typing_unify(sc_typing *typing, const sc_node *node_a,
                                            const sc_typed **a, const sc_node *node_b,
                                            const sc_typed **b);
/* a = b, of one type. */
SCRIM_MUST_USE scrim_status sc_typing_equal(sc_typing *typing, sc_span place,
                                            const sc_typed *a, const sc_typed *b,
                                            const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_negate(sc_typing *typing, const sc_typed *a,
                                             const sc_typed **out);
/* A condition, or false where it is NULL. */
SCRIM_MUST_USE scrim_status sc_typing_or_false(sc_typing *typing,
                                               const sc_typed *condition,
                                               const sc_typed **out);

/* By kind of node. */
SCRIM_MUST_USE scrim_status sc_typing_leaf(sc_typing *typing, const sc_node *node,
                                           const sc_typed **out);
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
/* Of a text, or of the place of one on a list: the text. Of NULL itself. SCRIM_E_LIMIT for a literal
 * that is longer than a cell may be. */
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
/* value where the condition is true, else NULL. */
SCRIM_MUST_USE scrim_status sc_typing_where(sc_typing *typing, const sc_typed *condition,
                                            const sc_typed *value, const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_date_part(sc_typing *typing, const sc_node *node,
                                                sc_date_part part, const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_hour(sc_typing *typing, const sc_node *node,
                                           const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_date_trunc(sc_typing *typing, const sc_node *node,
                                                 const sc_typed **out);
/* LADDER. */
SCRIM_MUST_USE scrim_status sc_typing_rung(sc_typing *typing, const sc_node *node,
                                           const sc_typed **out);
SCRIM_MUST_USE scrim_status sc_typing_call(sc_typing *typing, const sc_node *node,
                                           const sc_typed **out);

#endif
