#include "mechanism/sparse/sparse_vector.h"

#include "mechanism/sparse/sparse_measurement.h"
#include "mechanism/sparse/sparse_split.h"
#include "model/domain.h"

static const char *const forms[] = {"a", "b", NULL};

static const sc_parameter_rule parameters[] = {
    SC_SPARSE_EPSILON,
    SC_SPARSE_SENSITIVITY,
    SC_SPARSE_THRESHOLD,
    SC_SPARSE_COUNT(false),
    SC_RULE_WORD("form", forms, "a (one threshold) or b (a threshold for each answer)"),
    SC_SPARSE_YES("numeric"),
    SC_SPARSE_DELTA,
    SC_SPARSE_YES("monotone"),
    SC_PARAMETER_NEIGHBOURS,
    SC_SPARSE_QUERIES,
};

static bool is_form_b(const scrim_measurement *m)
{
    return sc_parameters_word(&m->parameters, "form", 0) == 1;
}

/* Scales for a part of epsilon each: threshold, query and value times D over it. */
static scrim_status set_noise(sc_sparse_state *s, const sc_ratio *part[3],
                              const uint64_t times[3], scrim_error *error)
{
    sc_sparse_noise *const noise[] = {&s->plan.threshold, &s->plan.query, &s->plan.value};
    scrim_status status = SCRIM_OK;
    for (int i = 0; status == SCRIM_OK && i < (s->plan.is_numeric ? 3 : 2); i++)
        status = sc_sparse_set_laplace(s, noise[i], times[i], part[i], error);
    return status;
}

scrim_status sc_sparse_vector_one_threshold(const scrim_measurement *m,
                                            sc_sparse_state *s, scrim_error *error)
{
    const uint64_t c = s->plan.count;
    SC_OWN(sc_sparse_shares, shares);
    sc_sparse_split(sc_measurement_get(m, "epsilon"), c, s->is_monotone,
                    s->plan.is_numeric, &shares);
    return set_noise(
        s, (const sc_ratio *[]){&shares.threshold, &shares.query, &shares.value},
        (const uint64_t[]){1, s->is_monotone ? c : 2 * c, c}, error);
}

static scrim_status check_b(const scrim_measurement *m, sc_sparse_state *s,
                            scrim_error *error)
{
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    if (delta != NULL && s->plan.count > SC_SPARSE_COMPOSED_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "count: with a delta at most %d runs are composed; leave delta "
                       "out, or ask for fewer answers",
                       SC_SPARSE_COMPOSED_MAX);
    SC_OWN(sc_sparse_shares, shares);
    SC_OWN(sc_ratio, none);
    s->plan.redraws = true;
    sc_sparse_per_run_epsilon(sc_measurement_get(m, "epsilon"),
                              delta == NULL ? &none : delta, s->plan.count,
                              &s->run_epsilon);
    sc_sparse_split_run(&s->run_epsilon, s->is_monotone, s->plan.is_numeric, &shares);
    return set_noise(
        s, (const sc_ratio *[]){&shares.threshold, &shares.threshold, &shares.value},
        (const uint64_t[]){2, s->is_monotone ? 2 : 4, 1}, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_sparse_state *s = NULL;
    if (!is_form_b(m) && sc_measurement_get(m, "delta") != NULL)
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "delta",
            "form=a is pure and takes no delta; leave it out, or give form=b");
    scrim_status status = sc_sparse_state_new(m, &s, error);
    if (status == SCRIM_OK)
        status = is_form_b(m) ? check_b(m, s, error)
                              : sc_sparse_vector_one_threshold(m, s, error);
    if (status == SCRIM_OK)
        sc_sparse_set_family(m, s);
    return status;
}

/* count runs, and rho = count e0^2 / 2. */
static void composed_cost(const scrim_measurement *m, sc_exact_cost *out)
{
    const sc_sparse_state *s = sc_sparse_state_of(m);
    SC_OWN(sc_ratio, factor);
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    sc_curve_set_composed(&out->curve, &s->run_epsilon, s->plan.count);
    sc_ratio_set_int64(&factor, 2);
    sc_ratio_mul(&out->rho, &s->run_epsilon, &s->run_epsilon);
    sc_ratio_div(&out->rho, &out->rho, &factor);
    sc_ratio_set_int64(&factor, (int64_t)s->plan.count);
    sc_ratio_mul(&out->rho, &out->rho, &factor);
    sc_cost_round_up(&out->rho, &out->rho);
    out->has_rho = true;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    if (sc_measurement_get(m, "delta") != NULL)
        composed_cost(m, out);
    else
        sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

const sc_mechanism sc_sparse_vector = {
    .entry = {.name = "sparse-vector",
              .parameters = "epsilon=R sensitivity=R threshold=N count=N [form=a|b "
                            "numeric=yes delta=R monotone=yes]" SC_SPARSE_TEXT_AUDIT,
              .input = "queries",
              .claim = "epsilon-DP, pure, any number of queries; halts at the count-th "
                       "above; form=b with a delta: (epsilon, delta)-DP",
              .does = "Reports which queries are above a threshold, and stops after a "
                      "number of them. Only those above cost anything (the sparse "
                      "vector technique); numeric=yes also shows their values.",
              .example = "sensitivity=1 epsilon=1 threshold=1000 count=2 numeric=yes "
                         "neighbours=replace",
              .example_input = "50\n2000\n80\n3000\n",
              .reference = "Lyu, Su, Li: Understanding the Sparse Vector Technique for "
                           "Differential Privacy, 2017; errata 72 to 76"},
    SC_MECHANISM_PARAMETERS,
    .audit_count = 1,
    .check = check,
    .cost = cost,
    SC_SPARSE_MEMBERS,
};
