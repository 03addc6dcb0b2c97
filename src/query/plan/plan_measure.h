/* The measurement of a part, from the sensitivity of its statistic and the cost that it may have. */
#ifndef SC_QUERY_PLAN_MEASURE_H
#define SC_QUERY_PLAN_MEASURE_H

#include "query/plan/plan_model.h"
#include "query/rows/sensitivity.h"

typedef enum sc_grant_kind {
    SC_GRANT_LAPLACE = 1, /* epsilon; also of the bars of all groups */
    SC_GRANT_RANGE,       /* epsilon and delta: noise within a bound */
    SC_GRANT_RHO,
    SC_GRANT_GAUSSIAN, /* epsilon and delta */
    SC_GRANT_QUANTILE, /* epsilon, of one draw */
    SC_GRANT_BARS      /* epsilon and delta, of the bars of all groups */
} sc_grant_kind;

/* The cost that a part may have. */
typedef struct sc_grant {
    sc_grant_kind kind;
    const sc_ratio *epsilon, *delta, *rho; /* those of its kind */
} sc_grant;

/* The groups and rows that one unit can reach in a statement. */
sc_reach sc_plan_reach(const sc_planned_statement *statement,
                       scrim_neighbours neighbours);
/* How far one unit moves a statistic of the statement. */
void sc_plan_norms(const sc_planned_statement *statement,
                   const sc_group_statistic *statistic, const sc_reach *reach,
                   sc_norms *norms);

/* SCRIM_E_LIMIT when one unit can change the statistic by more than noise is made for. */
SCRIM_MUST_USE scrim_status sc_plan_measure(const sc_planned_statement *statement,
                                            size_t statistic, scrim_neighbours neighbours,
                                            const sc_grant *grant,
                                            scrim_measurement **out, scrim_error *error);

/* How many people are cut, by cell (cut.h): Laplace noise by epsilon, or Gaussian by rho. */
SCRIM_MUST_USE scrim_status sc_plan_measure_cut(const sc_planned_statement *statement,
                                                scrim_neighbours neighbours,
                                                const sc_grant *grant,
                                                scrim_measurement **out,
                                                scrim_error *error);

/* "rows", "units", "sum of age", "quantiles of age"; keys for SC_STATISTIC_NONE. Cut to fit. */
#define SC_PLAN_WHAT_BYTES 200
void sc_plan_what(const sc_planned_statement *statement, size_t statistic,
                  char out[SC_PLAN_WHAT_BYTES]);

#endif
