/* Parts that the two writers of a plan share. */
#ifndef SC_CLI_PLAN_VIEW_H
#define SC_CLI_PLAN_VIEW_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

typedef struct sc_plan_view {
    const scrim_plan *plan;
    scrim_plan_facts facts;
    scrim_dataset dataset; /* for its cap */
    bool is_verbose;       /* also what is of use to few */
    bool has_expect;       /* the command takes --expect */
    sc_output *output;
    const sc_terminal *terminal;
    scrim_error *error;
} sc_plan_view;

/* A line for a literal on no list, and for each answer that would tell nothing, or whose groups are not
 * what they seem. result is NULL before there is an answer: the plan alone is looked at, and rows are as
 * many as expected. Else released values tell whether the answer tells nothing, which is free. */
SCRIM_MUST_USE scrim_status sc_plan_cautions_write(sc_output *output,
                                                   const scrim_plan *plan,
                                                   const scrim_result *result,
                                                   size_t statement, scrim_error *error);

/* The same of all statements, on standard error. */
SCRIM_MUST_USE scrim_status sc_plan_warn(scrim_vault *vault, const scrim_plan *plan,
                                         const scrim_result *result, scrim_error *error);
/* "keys        private: ...": how many units ("customers") a group needs, where a statement selects keys. It is said
 * whatever was found, so that it tells nothing of that. */
void sc_plan_needed_write(sc_output *output, const scrim_plan *plan, const char *units,
                          size_t statement);

/* Would the query be refused because it costs more than one query may? */
bool sc_plan_is_above_cap(const scrim_dataset *dataset, const scrim_plan_facts *facts);
/* "error       half of the interval ...": what the errors of a statement mean. */
void sc_plan_error_words(const sc_plan_view *view, size_t statement);
/* The dataset of a plan. */
SCRIM_MUST_USE scrim_status sc_plan_dataset(scrim_vault *vault, const char *name,
                                            scrim_dataset *out, scrim_error *error);

/* The protected unit, the cost and the rest. */
void sc_plan_head_write(const sc_plan_view *view);
/* "compared    laplace, not gaussian, which would have ...": the plans of a statement that were not taken. */
SCRIM_MUST_USE scrim_status sc_plan_others_write(const sc_plan_view *view,
                                                 size_t statement,
                                                 const scrim_plan_statement *facts);
/* All of it in words and boxes. */
SCRIM_MUST_USE scrim_status sc_plan_table_write(const sc_plan_view *view);
/* A row for each column of the answer, as CSV or JSON lines. */
SCRIM_MUST_USE scrim_status sc_plan_rows_write(const sc_plan_view *view,
                                               sc_format format);

#endif
