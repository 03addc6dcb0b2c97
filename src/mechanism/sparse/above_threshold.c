#include "mechanism/sparse/above_threshold.h"

#include "mechanism/sparse/sparse_measurement.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    SC_SPARSE_EPSILON,         SC_SPARSE_SENSITIVITY,   SC_SPARSE_THRESHOLD,
    SC_SPARSE_YES("monotone"), SC_PARAMETER_NEIGHBOURS, SC_SPARSE_QUERIES,
};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    sc_sparse_state *s = NULL;
    scrim_status status = sc_sparse_state_new(m, &s, error);
    if (status == SCRIM_OK)
        status = sc_sparse_set_laplace(s, &s->plan.threshold, 2, epsilon, error);
    if (status == SCRIM_OK)
        status = sc_sparse_set_laplace(s, &s->plan.query, s->is_monotone ? 2 : 4, epsilon,
                                       error);
    if (status == SCRIM_OK)
        sc_sparse_set_family(m, s);
    return status;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

const sc_mechanism sc_above_threshold = {
    .entry =
        {.name = "above-threshold",
         .parameters =
             "epsilon=R sensitivity=R threshold=N [monotone=yes]" SC_SPARSE_TEXT_AUDIT,
         .input = "queries",
         .claim = "epsilon-DP, pure, any number of queries; halts at the first above",
         .does = "Reports for each query whether it is above a threshold, and "
                 "stops at the first that is. The cost is the same however many "
                 "queries are below.",
         .example = "epsilon=1 sensitivity=1 threshold=1000 neighbours=replace",
         .example_input = "50\n2000\n80\n",
         .reference = "Dwork, Naor, Reingold, Rothblum, Vadhan: On the Complexity of "
                      "Differentially Private Data Release, 2009; erratum 67"},
    SC_MECHANISM_PARAMETERS,
    .audit_count = 1,
    .check = check,
    .cost = cost,
    SC_SPARSE_MEMBERS,
};
