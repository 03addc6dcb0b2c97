#include "mechanism/linear/online_queries.h"

#include "base/memory.h"
#include "mechanism/linear/linear_noise.h"
#include "mechanism/sparse/sparse_law.h"
#include "mechanism/sparse/sparse_split.h"
#include "model/domain.h"

#include <string.h>

static const sc_parameter_rule parameters[] = {
    SC_WEIGHT_PARAMETERS,
    {.name = "threshold",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^31",
     .domain = "an error in rows, an integer from 1 to 2147483648"},
    {.name = "updates",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "64",
     .domain = "the most answers that are measured, an integer from 1 to 64"},
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct state {
    sc_weight_queries queries;
    sc_sparse_plan plan;
    bool has_threshold, has_query;
    int64_t step; /* of log weights, in 2^-32 */
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Making one. */

/* Noise of scale times D/epsilon. */
static scrim_status set_noise(const state *s, sc_sparse_noise *noise, uint64_t times,
                              const sc_ratio *epsilon, bool *is_made, scrim_error *error)
{
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int64(&scale, s->queries.move * (int64_t)times);
    sc_ratio_div(&scale, &scale, epsilon);
    const scrim_status status =
        sc_sparse_noise_init(noise, SC_SPARSE_LAPLACE, &scale, error);
    *is_made = status == SCRIM_OK;
    return status;
}

static scrim_status set_shares(const scrim_measurement *m, state *s, scrim_error *error)
{
    const uint64_t count = s->plan.count;
    sc_sparse_shares shares;
    SC_OWN(sc_ratio, each);
    sc_sparse_shares_init(&shares);
    sc_sparse_split(sc_measurement_get(m, "epsilon"), count, false, true, &shares);
    sc_ratio_set_int64(&each, (int64_t)count);
    sc_ratio_div(&each, &shares.value, &each);
    scrim_status status =
        set_noise(s, &s->plan.threshold, 1, &shares.threshold, &s->has_threshold, error);
    if (status == SCRIM_OK)
        status =
            set_noise(s, &s->plan.query, 2 * count, &shares.query, &s->has_query, error);
    if (status == SCRIM_OK)
        status = sc_weight_queries_set_noise(&s->queries, &each, error);
    sc_sparse_shares_clear(&shares);
    return status;
}

/* Counts are whole, and answers have steps. */
static scrim_status set_domain(scrim_measurement *m, scrim_error *error)
{
    const sc_ratio *grid = sc_measurement_get(m, "grid");
    SC_OWN(sc_ratio, low, high);
    sc_ratio_set_int64(&high, sc_measurement_integer(m, "max-count", (int64_t)1 << 31));
    if (grid != NULL)
        sc_ratio_mul(&high, &high, grid);
    const scrim_status status = sc_domain_set_grid(&m->domain, grid, &low, &high, error);
    m->domain.count_min = m->domain.count_max = state_of(m)->queries.matrix.bins;
    m->domain.is_whole = true;
    return status;
}

static void set_plan(const scrim_measurement *m, state *s)
{
    const int64_t threshold = sc_measurement_integer(m, "threshold", 1);
    const int64_t longest = (int64_t)1 << 32;
    s->plan.level = threshold * s->queries.steps;
    s->plan.count = s->plan.stage_count =
        (uint64_t)sc_measurement_integer(m, "updates", 1);
    s->step = threshold < s->queries.total ? (int64_t)((sc_int128)threshold * longest /
                                                       ((sc_int128)2 * s->queries.total))
                                           : longest / 2;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    scrim_status status = sc_weight_queries_read_any(m, &s->queries, error);
    if (status != SCRIM_OK)
        return status;
    set_plan(m, s);
    status = set_shares(m, s, error);
    return status == SCRIM_OK ? set_domain(m, error) : status;
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    if (s->has_threshold)
        sc_sparse_noise_clear(&s->plan.threshold);
    if (s->has_query)
        sc_sparse_noise_clear(&s->plan.query);
    sc_weight_queries_clear(&s->queries);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)m, (void)beta, (void)count, (void)error;
    sc_certificate_none(out, "the error of the model, which depends on the data");
    return SCRIM_OK;
}

/* Answering. */

static void start(const state *s, sc_fixed_weights *weights)
{
    const sc_weight_queries *w = &s->queries;
    sc_fixed_weights_start(weights, w->matrix.bins, w->total, w->steps);
}

static void learn(const state *s, const sc_linear_matrix *matrix, size_t query,
                  int64_t answer, int64_t value, sc_fixed_weights *weights)
{
    if (value != answer)
        sc_fixed_weights_step(weights, matrix, query,
                              value > answer ? s->step : -s->step);
}

static int64_t apart(int64_t truth, int64_t answer)
{
    return truth < answer ? answer - truth : truth - answer;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)count;
    return 2 * state_of(m)->queries.matrix.queries;
}

/* Between two queries: the run, the model, and the noise of the values. */
typedef struct work {
    sc_sparse_run run;
    sc_fixed_weights weights;
    sc_int128 noise[SC_ONLINE_UPDATES_MAX];
    size_t measured;
} work;

/* The noise of all values first, with no data near. */
static scrim_status begin(const state *s, sc_bits *bits, work *w, scrim_error *error)
{
    start(s, &w->weights);
    w->measured = 0;
    SC_TRY(sc_blocks_fill_wide(bits, &s->queries.noise.blocks, (size_t)s->plan.count,
                               w->noise, error));
    return sc_sparse_open(&s->plan, bits, &w->run, error);
}

typedef struct question {
    const sc_linear_matrix *matrix;
    size_t query;
    int64_t truth;
} question;

/* One query that is checked: SC_MARK_BELOW and the answer of the model, or SC_MARK_ABOVE_VALUE and the
 * measured one. */
static scrim_status check_one(const state *s, const question *q, sc_bits *bits, work *w,
                              sc_run_piece *out, scrim_error *error)
{
    const int64_t model = sc_fixed_weights_answer(&w->weights, q->matrix, q->query);
    SC_TRY(sc_sparse_ask(&s->plan, bits, &w->run, apart(q->truth, model), out, error));
    out->value = model;
    if (out->mark == SC_MARK_BELOW)
        return SCRIM_OK;
    const int64_t measured =
        sc_weight_queries_value(&s->queries, q->truth, w->noise[w->measured++]);
    out->mark = SC_MARK_ABOVE_VALUE;
    out->value = measured;
    learn(s, q->matrix, q->query, model, measured, &w->weights);
    return SCRIM_OK;
}

/* All queries, in one piece. */
static scrim_status answer_all(const state *s, sc_bits *bits, const int64_t *truth,
                               work *w, sc_int128 *out, scrim_error *error)
{
    const sc_linear_matrix *matrix = &s->queries.matrix;
    sc_run_piece r = {.has_halted = false};
    for (size_t i = 0; i < matrix->queries; i++) {
        int64_t source = SC_ONLINE_UNCHECKED;
        if (r.has_halted) {
            r.value = sc_fixed_weights_answer(&w->weights, matrix, i);
        } else {
            const question q = {matrix, i, truth[i]};
            SC_TRY(check_one(s, &q, bits, w, &r, error));
            source = r.mark == SC_MARK_BELOW ? SC_ONLINE_MODEL : SC_ONLINE_MEASURED;
        }
        out[2 * i] = r.value;
        out[2 * i + 1] = (sc_int128)source * s->queries.steps;
    }
    return SCRIM_OK;
}

typedef struct piece {
    work work;
    int64_t truth[SC_LINEAR_QUERIES];
} piece;

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    piece *p = sc_allocate(1, sizeof *p);
    if (p == NULL)
        return sc_no_memory(error, "a release");
    scrim_status status = begin(s, bits, &p->work, error);
    sc_weight_queries_answer(&s->queries, input, p->truth);
    if (status == SCRIM_OK)
        status = answer_all(s, bits, p->truth, &p->work, out->values, error);
    out->count = status == SCRIM_OK ? 2 * s->queries.matrix.queries : 0;
    for (size_t i = 0; i < out->count; i++)
        out->marks[i] = SC_MARK_VALUE;
    sc_free_wiped(p, sizeof *p);
    return status;
}

/* Query by query: the counts stay in the run, and a query is public. */

typedef struct online_run {
    work work;
    int64_t counts[SC_LINEAR_BINS];
    sc_linear_matrix query;
} online_run;

static scrim_status open_run(const scrim_measurement *m, sc_bits *bits, void *run,
                             scrim_error *error)
{
    online_run *r = run;
    return begin(state_of(m), bits, &r->work, error);
}

static void hold(const scrim_measurement *m, const sc_private_input *input, void *run)
{
    online_run *r = run;
    (void)m;
    memcpy(r->counts, input->values, input->count * sizeof *r->counts);
}

static scrim_status pose(const scrim_measurement *m, sc_text text, void *run,
                         int64_t *query, scrim_error *error)
{
    online_run *r = run;
    SC_TRY(sc_linear_matrix_read_query(m, text, &r->query, error));
    *query = sc_weight_queries_truth(&r->query, 0, r->counts);
    return SCRIM_OK;
}

static scrim_status ask(const scrim_measurement *m, sc_bits *bits, void *run,
                        int64_t query, sc_run_piece *out, scrim_error *error)
{
    online_run *r = run;
    const question q = {&r->query, 0, query};
    return check_one(state_of(m), &q, bits, &r->work, out, error);
}

/* The law: along each way the distances are known, and so is the law of the run. */

#define LAW_QUERIES 4

static size_t width(const scrim_measurement *m, size_t count)
{
    (void)count;
    return state_of(m)->queries.matrix.queries;
}

typedef struct way {
    const state *state;
    int64_t truth[LAW_QUERIES], apart[LAW_QUERIES], key[LAW_QUERIES];
    size_t asked;
    uint64_t above;
    int64_t pattern;
    long bits;
    sc_outcomes *out;
} way;

/* The probability of the pattern, on these distances. */
static scrim_status pattern_mass(const way *w, sc_ball *mass, scrim_error *error)
{
    const int64_t wanted[] = {(int64_t)w->asked, w->pattern};
    const sc_sparse_range none = {0, 0};
    sc_outcomes law;
    sc_outcomes_init(&law, sc_sparse_width(&w->state->plan, w->asked));
    scrim_status status = sc_sparse_law(
        &w->state->plan, &none,
        &(sc_private_input){.values = w->apart, .count = w->asked}, w->bits, &law, error);
    bool is_there = false;
    for (size_t i = 0; status == SCRIM_OK && i < law.count; i++)
        if (sc_outcomes_compare(&law.keys[law.width * i], wanted, 2) == 0) {
            sc_ball_set(mass, &law.mass[i]);
            is_there = true;
        }
    if (status == SCRIM_OK && !is_there)
        status = sc_fail(error, SCRIM_E_INTERNAL, "a law lacks a pattern");
    sc_outcomes_clear(&law);
    return status;
}

static scrim_status add(const way *w, const sc_ball *values, scrim_error *error)
{
    SC_OWN(sc_ball, mass);
    const scrim_status status = pattern_mass(w, &mass, error);
    sc_ball_mul(&mass, &mass, values, w->bits);
    return status == SCRIM_OK ? sc_outcomes_add(w->out, w->key, &mass, error) : status;
}

/* From query on, after values of such a probability. */
static scrim_status go_on(const way *before, const sc_fixed_weights *weights,
                          const sc_ball *values, scrim_error *error)
{
    const state *s = before->state;
    const size_t query = before->asked;
    way w = *before;
    if (query == s->queries.matrix.queries || w.above == s->plan.count) {
        for (size_t i = query; i < s->queries.matrix.queries; i++)
            w.key[i] = -1;
        return add(&w, values, error);
    }
    SC_OWN(sc_ball, mass);
    const int64_t model = sc_fixed_weights_answer(weights, &s->queries.matrix, query);
    w.apart[query] = apart(w.truth[query], model);
    w.asked++;
    w.key[query] = -1;
    scrim_status status = go_on(&w, weights, values, error);
    w.above++;
    w.pattern |= (int64_t)1 << query;
    for (int64_t y = 0; status == SCRIM_OK && y < sc_weight_queries_values(&s->queries);
         y++) {
        sc_fixed_weights next = *weights;
        learn(s, &s->queries.matrix, query, model, y, &next);
        sc_weight_queries_mass(&s->queries, w.truth[query], y, w.bits, &mass);
        sc_ball_mul(&mass, &mass, values, w.bits);
        w.key[query] = y;
        status = go_on(&w, &next, &mass, error);
    }
    return status;
}

/* The number of outcomes, at most values + 1 to the power of queries; 0 if there are more than `most`. */
static size_t listed(const state *s, size_t most)
{
    const sc_int128 each = (sc_int128)sc_weight_queries_values(&s->queries) + 1;
    sc_int128 all = 1;
    if (s->queries.matrix.queries == 0 || s->queries.matrix.queries > LAW_QUERIES)
        return 0;
    for (size_t i = 0; i < s->queries.matrix.queries && all <= (sc_int128)most; i++)
        all *= each;
    return all <= (sc_int128)most ? (size_t)all : 0;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_fixed_weights weights;
    SC_OWN(sc_ball, one);
    if (listed(s, 4096) == 0)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %zu answers", (size_t)4096);
    way w = {.state = s, .bits = bits + 64, .out = out};
    sc_weight_queries_answer(&s->queries, input, w.truth);
    start(s, &weights);
    sc_ball_set_int64(&one, 1);
    const scrim_status status = go_on(&w, &weights, &one, error);
    return status == SCRIM_OK ? sc_outcomes_sort(out, bits, error) : status;
}

static size_t pair_count(const scrim_measurement *m)
{
    const state *s = state_of(m);
    return listed(s, 64) > 0 ? sc_weight_queries_pairs(&s->queries) : 0;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_weight_queries_pair(m, &state_of(m)->queries, index, out);
}

const sc_mechanism sc_online_weights = {
    .entry = {.name = "online-weights",
              .parameters = "epsilon=R bins=N total=N threshold=N updates=N "
                            "[coefficients=R,...|workload=W "
                            "columns=N,... ways=N max-rows=N max-count=N grid=R]",
              .input = "numbers",
              .claim = "epsilon-DP, pure, for any number of queries",
              .does = "Answers queries one after another from a model, and measures "
                      "only those that the model answers badly. Most queries are then "
                      "free. Without coefficients and workload, queries are asked one by "
                      "one in an interactive run, which ends with the last update.",
              .example = "bins=3 workload=prefix total=740 threshold=100 updates=3 "
                         "epsilon=1 neighbours=add-remove",
              .example_input = "120\n340\n280\n",
              .reference = "Hardt, Rothblum: A Multiplicative Weights Mechanism for "
                           "Privacy-Preserving Data Analysis, 2010"},
    SC_MECHANISM_PARAMETERS,
    .law_is_folded = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .place = sc_linear_place,
    .width = width,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
    .run_bytes = sizeof(online_run),
    .open = open_run,
    .hold = hold,
    .pose = pose,
    .ask = ask,
};
