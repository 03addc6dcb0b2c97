/* The form of a formula in released numbers: a weighted sum, a quotient of two such sums, or anything else;
 * and the public range of its value for every table. Forms and ranges are exact, and known before
 * anything is drawn.
 *
 * Terms of the same number are collected first: A - A is 0, and A/(A + B) has A in both forms.
 *
 * A range holds for the rows kept after bounding, since all aggregates of a question see the same rows:
 * COUNT(x) / COUNT(*) lies in [0, 1], SUM(x) / COUNT(x) in the range of x, SUM(x) / COUNT(*) in that
 * range with 0. The range of a quotient holds if the quotient exists, so that a dividing count is not 0.
 *
 * Claim  formula-form.equal  the value of a step is that of its form, for all numbers at which no divisor
 *                            is 0
 * Claim  formula-form.range  the value of a step for what was kept lies within its range
 *
 * Reference  spec/query-semantics.md 4
 */
#ifndef SC_QUERY_FORMULA_FORM_H
#define SC_QUERY_FORMULA_FORM_H

#include "query/estimate/formula_bounds.h"
#include "query/rows/statistic.h"

typedef enum sc_form_kind { SC_FORM_OTHER, SC_FORM_SUM, SC_FORM_QUOTIENT } sc_form_kind;

/* weights[count] is the constant term. */
typedef struct sc_form {
    sc_form_kind kind;
    sc_ratio *top;
    sc_ratio *bottom; /* of a quotient */
} sc_form;

typedef struct sc_formula_forms {
    const sc_formula *formula;
    const sc_query *query;
    const sc_statistics *statistics;
    size_t *numbers; /* which statistics the forms are of, each once */
    size_t count;
    sc_form *forms;            /* by step */
    sc_formula_bounds *ranges; /* by step */
} sc_formula_forms;

/* Does it depend on a number? Else it is a constant. */
bool sc_form_has_numbers(const sc_formula_forms *forms, const sc_ratio *weights);
bool sc_form_equal(const sc_formula_forms *forms, const sc_form *a, const sc_form *b);
/* Does a number of the forms count rows or units? Else it is a sum of values. */
bool sc_form_counts(const sc_formula_forms *forms, size_t number);
/* The sum for the numbers of a group, as a record has them. */
void sc_form_value(const sc_formula_forms *forms, const sc_ratio *weights,
                   const sc_int128 *numbers, sc_ratio *out);

/* SCRIM_E_MEMORY. The caller clears it also on failure. */
SCRIM_MUST_USE scrim_status sc_formula_forms_init(sc_formula_forms *out,
                                                  const sc_formula *formula,
                                                  const sc_query *query,
                                                  const sc_statistics *statistics,
                                                  scrim_error *error);
void sc_formula_forms_clear(sc_formula_forms *forms);

#endif
