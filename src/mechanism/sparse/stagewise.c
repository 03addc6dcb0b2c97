#include "mechanism/sparse/stagewise.h"

#include "mechanism/sparse/generalised.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    SC_SPARSE_SENSITIVITY,
    SC_SPARSE_THRESHOLD,
    SC_SPARSE_SCALE("threshold-scale"),
    SC_SPARSE_VARIANCE("threshold-variance"),
    SC_SPARSE_SCALE("query-scale"),
    SC_SPARSE_VARIANCE("query-variance"),
    SC_SPARSE_COUNT(false),
    SC_SPARSE_NUMBER("stage", false, "20"),
    SC_SPARSE_NUMBER("stage-length", true, "40"),
    SC_SPARSE_YES("resample"),
    SC_SPARSE_YES("nonnegative"),
    SC_SPARSE_DELTA,
    SC_PARAMETER_NEIGHBOURS,
    SC_SPARSE_QUERIES,
};

/* Stages of c' answers and, where c' does not divide c, a last one of the rest; a stage that
 * redraws its threshold is as many parts of one answer. */
static void add_parts(const scrim_measurement *m, sc_sparse_state *s)
{
    const sc_sparse_plan *plan = &s->plan;
    const uint64_t whole = plan->count / plan->stage_count,
                   rest = plan->count % plan->stage_count;
    const int64_t level = sc_generalised_level(m);
    if (plan->redraws) {
        sc_sparse_renyi_add(&s->renyi, plan->count, 1, plan->stage_length, level);
        return;
    }
    sc_sparse_renyi_add(&s->renyi, whole, plan->stage_count, plan->stage_length, level);
    if (rest > 0)
        sc_sparse_renyi_add(&s->renyi, 1, rest, plan->stage_length, level);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_sparse_state *s = NULL;
    scrim_status status = sc_sparse_state_new(m, &s, error);
    if (status == SCRIM_OK && sc_sparse_number(m, "stage", 1) > s->plan.count)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "stage",
                                   "must be at most count");
    if (status == SCRIM_OK)
        status = sc_generalised_set_noise(m, s, error);
    if (status != SCRIM_OK)
        return status;
    s->plan.stage_count = sc_sparse_number(m, "stage", 1);
    s->plan.stage_length = sc_sparse_number(m, "stage-length", 0);
    add_parts(m, s);
    return sc_generalised_settle(m, s, error);
}

const sc_mechanism sc_stagewise_sparse_vector = {
    .entry = {.name = "stagewise-sparse-vector",
              .parameters = "sensitivity=R threshold=N threshold-scale=R|"
                            "threshold-variance=R query-scale=R|query-variance=R count=N "
                            "stage=N [stage-length=N resample=yes nonnegative=yes "
                            "delta=R]" SC_SPARSE_TEXT_AUDIT,
              .input = "queries",
              .claim = "a Renyi curve; with a delta (epsilon, delta)-DP; halts after "
                       "ceil(count / stage) stages",
              .does = "Runs the generalised sparse vector technique in short stages, "
                      "each with a fresh threshold. With Gaussian noise and many "
                      "answers above, this costs less than one long run.",
              .example = "sensitivity=1 threshold=1000 threshold-variance=400 "
                         "query-variance=1600 count=4 stage=2 stage-length=10 delta=1e-6 "
                         "neighbours=replace",
              .example_input = "50\n2000\n80\n3000\n",
              .reference = "Zhu, Wang: Improving Sparse Vector Technique with Renyi "
                           "Differential Privacy, 2020, corrected: errata 109 and 110"},
    SC_MECHANISM_PARAMETERS,
    .audit_count = 1,
    .check = check,
    .cost = sc_generalised_cost,
    SC_SPARSE_MEMBERS,
};
