/* The same queries planned at several budgets, side by side: `explain --compare`. Nothing of it comes
 * from data. */
#ifndef SC_CLI_PLAN_COMPARE_H
#define SC_CLI_PLAN_COMPARE_H

#include "cli/answer/query_request.h"
#include "cli/display/chart.h"
#include "cli/display/curve_plot.h"

#define SC_COMPARE_BUDGETS 16

typedef struct sc_compared_plan {
    const char *epsilon;
    scrim_plan *plan; /* NULL: none can be made at this epsilon */
    scrim_plan_facts facts;
} sc_compared_plan;

typedef struct sc_plan_compare {
    const sc_query_request *request;
    char *text;                                   /* that the epsilons lie in */
    sc_compared_plan budgets[SC_COMPARE_BUDGETS]; /* in ascending order */
    size_t count;
    const sc_compared_plan *made; /* one that has a plan */
    sc_error_curve *curves;       /* of columns whose error is predicted */
    size_t curve_count;
    sc_error_point *points; /* of the curves */
    char (*titles)[SC_CHART_WORDS_BYTES];
} sc_plan_compare;

/* Plans at each epsilon of a list, "0.1,0.3,1,3". SCRIM_E_PARAM for an invalid list; else the
 * failure of planning, if it fails at every epsilon. out must be cleared in every case. */
SCRIM_MUST_USE scrim_status sc_plan_compare_read(const sc_query_request *request,
                                                 const sc_options *options,
                                                 sc_plan_compare *out,
                                                 scrim_error *error);
void sc_plan_compare_clear(sc_plan_compare *compare); /* also of zeros */

/* A row for each budget: what it takes of what is left, from how many people on a group of discovered
 * keys is kept, and the error of each column. */
SCRIM_MUST_USE scrim_status sc_plan_compare_write(sc_output *output,
                                                  const sc_plan_compare *compare,
                                                  sc_format format,
                                                  const sc_terminal *terminal,
                                                  scrim_error *error);

/* Sets the curves: those of at least two points. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_compare_draw(sc_plan_compare *compare,
                                                 scrim_error *error);

#endif
