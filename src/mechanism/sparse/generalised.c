#include "mechanism/sparse/generalised.h"

#include "mechanism/sparse/sparse_renyi.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    SC_SPARSE_SENSITIVITY,
    SC_SPARSE_THRESHOLD,
    SC_SPARSE_SCALE("threshold-scale"),
    SC_SPARSE_VARIANCE("threshold-variance"),
    SC_SPARSE_SCALE("query-scale"),
    SC_SPARSE_VARIANCE("query-variance"),
    SC_SPARSE_COUNT(true),
    SC_SPARSE_NUMBER("length", true, "40"),
    SC_SPARSE_YES("resample"),
    SC_SPARSE_YES("nonnegative"),
    SC_SPARSE_DELTA,
    SC_PARAMETER_NEIGHBOURS,
    SC_SPARSE_QUERIES,
};

/* By its scale or by its variance, exactly one of which is given. */
static scrim_status one_noise(const scrim_measurement *m, sc_sparse_state *s,
                              sc_sparse_noise *noise, const char *const names[3],
                              scrim_error *error)
{
    scrim_status status = sc_measurement_one_of(m, names, error);
    if (status != SCRIM_OK)
        return status;
    const sc_ratio *scale = sc_measurement_get(m, names[0]);
    return scale != NULL ? sc_sparse_set_noise(s, noise, SC_SPARSE_LAPLACE, scale, error)
                         : sc_sparse_set_noise(s, noise, SC_SPARSE_GAUSSIAN,
                                               sc_measurement_get(m, names[1]), error);
}

static scrim_status set_domain(scrim_measurement *m, scrim_error *error)
{
    if (!sc_sparse_is(m, "nonnegative"))
        return SCRIM_OK;
    if (sc_measurement_integer(m, "threshold", 0) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "threshold",
                                 "with nonnegative=yes it must be at least 0");
    SC_OWN(sc_ratio, zero);
    return sc_domain_set_grid(&m->domain, NULL, &zero, NULL, error);
}

scrim_status sc_generalised_set_noise(scrim_measurement *m, sc_sparse_state *s,
                                      scrim_error *error)
{
    static const char *const threshold[] = {"threshold-scale", "threshold-variance",
                                            NULL};
    static const char *const query[] = {"query-scale", "query-variance", NULL};
    SC_TRY(set_domain(m, error));
    SC_TRY(one_noise(m, s, &s->plan.threshold, threshold, error));
    SC_TRY(one_noise(m, s, &s->plan.query, query, error));
    s->plan.redraws = sc_sparse_is(m, "resample");
    sc_sparse_renyi_init(&s->renyi, &s->plan.threshold.law, &s->plan.query.law,
                         s->sensitivity);
    s->has_renyi = true;
    return SCRIM_OK;
}

int64_t sc_generalised_level(const scrim_measurement *m)
{
    return sc_sparse_is(m, "nonnegative") ? sc_measurement_integer(m, "threshold", 0)
                                          : -1;
}

scrim_status sc_generalised_settle(scrim_measurement *m, sc_sparse_state *s,
                                   scrim_error *error)
{
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    if (!sc_sparse_renyi_is_finite(&s->renyi))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "length",
                           "%s: Gaussian noise has no proof for queries without a "
                           "length; give one, or nonnegative=yes and a query variance "
                           "well above count times a Gaussian threshold's",
                           m->mechanism->entry.name);
    if (delta != NULL && !sc_sparse_cost_settle(&s->renyi, delta))
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
            "no epsilon below 1048576 follows; choose wider noise or a "
            "larger delta");
    sc_sparse_set_family(m, s);
    return SCRIM_OK;
}

scrim_status sc_generalised_cost(const scrim_measurement *m, sc_exact_cost *out,
                                 scrim_error *error)
{
    (void)error;
    sc_sparse_cost_set(&sc_sparse_state_of(m)->renyi, sc_measurement_get(m, "delta"),
                       out);
    return SCRIM_OK;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_sparse_state *s = NULL;
    scrim_status status = sc_sparse_state_new(m, &s, error);
    if (status == SCRIM_OK)
        status = sc_generalised_set_noise(m, s, error);
    if (status != SCRIM_OK)
        return status;
    const uint64_t count = s->plan.count, length = sc_sparse_number(m, "length", 0);
    const bool redraws = s->plan.redraws;
    s->plan.stage_length = length;
    sc_sparse_renyi_add(&s->renyi, redraws ? count : 1, redraws ? 1 : count, length,
                        sc_generalised_level(m));
    return sc_generalised_settle(m, s, error);
}

const sc_mechanism sc_generalised_sparse_vector = {
    .entry = {.name = "generalised-sparse-vector",
              .parameters =
                  "sensitivity=R threshold=N threshold-scale=R|"
                  "threshold-variance=R query-scale=R|query-variance=R [count=N "
                  "length=N resample=yes nonnegative=yes delta=R]" SC_SPARSE_TEXT_AUDIT,
              .input = "queries",
              .claim = "a Renyi curve; with a delta (epsilon, delta)-DP; halts at the "
                       "count-th above or the length-th query",
              .does = "The sparse vector technique with Laplace or Gaussian noise of "
                      "your own choice on the threshold and on the queries. Its cost "
                      "is a Renyi curve, which composes well.",
              .example = "sensitivity=1 threshold=1000 threshold-scale=10 query-scale=20 "
                         "count=2 neighbours=replace",
              .example_input = "50\n2000\n80\n3000\n",
              .reference = "Zhu, Wang: Improving Sparse Vector Technique with Renyi "
                           "Differential Privacy, 2020, corrected: errata 99 to 108"},
    SC_MECHANISM_PARAMETERS,
    .audit_count = 1,
    .check = check,
    .cost = sc_generalised_cost,
    SC_SPARSE_MEMBERS,
};
