/* Expressions of rows as flat programs over columns of integers and texts.
 *
 * A program computes every part of its expression for every row, in the same order, without
 * looking at what a value is: CASE computes all its branches and then picks. It cannot fail.
 *
 * Claim  expression.exact   the result is what exact rational arithmetic gives for the expression,
 *                           as a count of the steps of its extent
 * Claim  expression.null    it is NULL where SQL has it so, by three truth values (spec/query-semantics
 *                           1.3), and nowhere else
 * Claim  expression.inside  whatever the columns hold, also beyond their ranges, the result lies
 *                           within the extent, or is NULL where it may be: it is clamped last, unless it
 *                           is a truth value whatever they hold (A22)
 * Claim  expression.total   with columns within their ranges nothing overflows
 */
#ifndef SC_QUERY_EXPRESSION_H
#define SC_QUERY_EXPRESSION_H

#include "query/rows/text_value.h"

typedef struct sc_expression sc_expression;

/* columns are the places in the schema of those that rows will bring, in their order; it holds
 * all that the expression names. The program is in the arena; typed must live as long.
 * SCRIM_E_INTERNAL for a column that is not among them; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_expression_compile(const sc_typed *typed,
                                                  const size_t *columns,
                                                  size_t column_count, sc_arena *arena,
                                                  const sc_expression **out,
                                                  scrim_error *error);
/* How many integers of scratch memory the program wants: each thread has its own. */
size_t sc_expression_scratch(const sc_expression *expression);
/* Writes what stays the same into scratch; once, before the first evaluation. */
void sc_expression_prepare(const sc_expression *expression, int64_t *scratch);
/* For an expression that is text (sc_typed_is_text): the texts of at most SC_EXPRESSION_ROWS rows. room has
 * SC_TEXT_RESULT_BYTES for each of them; they are views of it or of what the columns hold. */
void sc_expression_texts(const sc_expression *expression, const sc_row_column *columns,
                         size_t rows, int64_t *scratch, sc_text *out, char *room);
/* For any other: the values of at most SC_EXPRESSION_ROWS rows. out is not one of the columns. */
void sc_expression_evaluate(const sc_expression *expression, const sc_row_column *columns,
                            size_t rows, int64_t *scratch, int64_t *out);

#endif
