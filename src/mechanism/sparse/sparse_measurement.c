#include "mechanism/sparse/sparse_measurement.h"

#include "base/memory.h"
#include "mechanism/sparse/sparse_accuracy.h"
#include "model/certificate.h"

const char *const sc_sparse_yes_words[] = {"no", "yes", NULL};

/* More queries are not asked of one run. */
#define QUERIES_FAR ((uint64_t)1 << 60)

/* Parameters. */

const sc_sparse_state *sc_sparse_state_of(const scrim_measurement *m)
{
    return m->state;
}

bool sc_sparse_is(const scrim_measurement *m, const char *name)
{
    return sc_parameters_word(&m->parameters, name, 0) == 1;
}

uint64_t sc_sparse_number(const scrim_measurement *m, const char *name, uint64_t missing)
{
    return (uint64_t)sc_measurement_integer(m, name, (int64_t)missing);
}

/* ceil(sensitivity): at least 1, at most 2^50 by its domain. */
static uint64_t sensitivity_steps(const scrim_measurement *m)
{
    uint64_t steps = 1;
    SC_OWN(sc_integer, whole);
    sc_ratio_ceil(sc_measurement_get(m, "sensitivity"), &whole);
    (void)sc_integer_get_uint64(&whole, &steps);
    return steps;
}

scrim_status sc_sparse_state_new(scrim_measurement *m, sc_sparse_state **out,
                                 scrim_error *error)
{
    if (sc_sparse_is(m, "monotone") && sc_measurement_neighbours(m) == SCRIM_REPLACE)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "monotone",
                                 "queries cannot be monotone when a unit is replaced; "
                                 "leave it out, or declare neighbours=add-remove");
    sc_sparse_state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->run_epsilon);
    s->sensitivity = sensitivity_steps(m);
    s->is_monotone = sc_sparse_is(m, "monotone");
    s->plan.is_numeric = sc_sparse_is(m, "numeric");
    s->plan.level = sc_measurement_integer(m, "threshold", 0);
    s->plan.count = s->plan.stage_count = sc_sparse_number(m, "count", 1);
    *out = s;
    return SCRIM_OK;
}

scrim_status sc_sparse_set_noise(sc_sparse_state *s, sc_sparse_noise *noise,
                                 sc_sparse_noise_kind kind, const sc_ratio *shape,
                                 scrim_error *error)
{
    bool *has = noise == &s->plan.threshold ? &s->has_threshold
                : noise == &s->plan.query   ? &s->has_query
                                            : &s->has_value;
    scrim_status status = sc_sparse_noise_init(noise, kind, shape, error);
    *has = status == SCRIM_OK;
    return status;
}

scrim_status sc_sparse_set_laplace(sc_sparse_state *s, sc_sparse_noise *noise,
                                   uint64_t times, const sc_ratio *epsilon,
                                   scrim_error *error)
{
    SC_OWN(sc_ratio, scale, factor);
    /* at most 2 count 2^50, count at most 2^20 */
    sc_ratio_set_int64(&scale, (int64_t)s->sensitivity);
    sc_ratio_set_int64(&factor, (int64_t)times);
    sc_ratio_mul(&scale, &scale, &factor);
    sc_ratio_div(&scale, &scale, epsilon);
    return sc_sparse_set_noise(s, noise, SC_SPARSE_LAPLACE, &scale, error);
}

/* Twice the standard deviation of the threshold's noise, about; 0 when it is not small. */
static int64_t some_height(const sc_sparse_plan *plan)
{
    uint64_t height = 0;
    SC_OWN(sc_ratio, square);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&square, plan->threshold.kind == SC_SPARSE_GAUSSIAN ? 4 : 8);
    sc_ratio_mul(&square, &square, &plan->threshold.law.shape);
    if (plan->threshold.kind == SC_SPARSE_LAPLACE)
        sc_ratio_mul(&square, &square, &plan->threshold.law.shape);
    sc_ratio_ceil(&square, &whole);
    sc_integer_sqrt(&whole, &whole);
    if (!sc_integer_get_uint64(&whole, &height) || height > (uint64_t)1 << 40)
        height = 0;
    return (int64_t)height;
}

void sc_sparse_set_family(scrim_measurement *m, sc_sparse_state *s)
{
    const int64_t shift = (int64_t)s->sensitivity;
    s->family = (sc_sparse_family){
        .domain = &m->domain,
        .level = s->plan.level,
        .shift = shift,
        .height = s->plan.is_numeric ? 0 : some_height(&s->plan),
        .queries = (size_t)sc_sparse_number(m, "queries", 3),
        .count = s->plan.stage_count,
        .length = s->plan.stage_length,
        .values = s->plan.is_numeric ? 4 * s->sensitivity + 1 : 1,
        .is_monotone = s->is_monotone,
    };
    s->family.is_full = sc_sparse_needs_full(&s->family);
    const int64_t reach = s->family.is_full ? shift : 2 * shift;
    s->range = (sc_sparse_range){s->plan.level - reach, s->plan.level + reach};
}

/* Members of the descriptors. */

void sc_sparse_discard(scrim_measurement *m)
{
    sc_sparse_state *s = m->state;
    if (s == NULL)
        return;
    if (s->has_threshold)
        sc_sparse_noise_clear(&s->plan.threshold);
    if (s->has_query)
        sc_sparse_noise_clear(&s->plan.query);
    if (s->has_value)
        sc_sparse_noise_clear(&s->plan.value);
    if (s->has_renyi)
        sc_sparse_renyi_clear(&s->renyi);
    sc_ratio_clear(&s->run_epsilon);
    sc_free(s);
}

/* A whole number of steps, which are of 1. */
static void set_steps(sc_int128 steps, sc_ratio *out)
{
    SC_OWN(sc_integer, whole, one);
    sc_integer_set_int128(&whole, steps);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_fraction(out, &whole, &one);
}

scrim_status sc_sparse_certify(const scrim_measurement *m, const sc_ratio *beta,
                               size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_sparse_plan *plan = &sc_sparse_state_of(m)->plan;
    sc_int128 steps = 0, value_steps = 0;
    if (count < 1 || count > QUERIES_FAR)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "queries",
                           "a run takes from 1 to 1.1e18 queries");
    scrim_status status = sc_sparse_radius(plan, beta, count, &steps, error);
    if (status == SCRIM_OK && plan->is_numeric)
        status = sc_law_radius(&plan->value.law, beta, &value_steps, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, radius);
    set_steps(steps, &radius);
    sc_certificate_pac(out, &radius, beta, "when the run halts, and clamping of queries");
    set_steps(value_steps, &radius);
    if (plan->is_numeric)
        sc_certificate_add_value_radius(out, &radius);
    return SCRIM_OK;
}

size_t sc_sparse_answer_count(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

scrim_status sc_sparse_release(const scrim_measurement *m, sc_bits *bits,
                               const sc_private_input *input, sc_draw *out,
                               scrim_error *error)
{
    return sc_sparse_draw(&sc_sparse_state_of(m)->plan, bits, input, out, error);
}

size_t sc_sparse_key_width(const scrim_measurement *m, size_t count)
{
    return sc_sparse_width(&sc_sparse_state_of(m)->plan, count);
}

scrim_status sc_sparse_release_law(const scrim_measurement *m,
                                   const sc_private_input *input, long bits,
                                   sc_outcomes *out, scrim_error *error)
{
    const sc_sparse_state *s = sc_sparse_state_of(m);
    return sc_sparse_law(&s->plan, &s->range, input, bits, out, error);
}

size_t sc_sparse_pairs(const scrim_measurement *m)
{
    return sc_sparse_pair_count(&sc_sparse_state_of(m)->family);
}

void sc_sparse_pair_at(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_sparse_pair(&sc_sparse_state_of(m)->family, index, out);
}

scrim_status sc_sparse_run_open(const scrim_measurement *m, sc_bits *bits, void *run,
                                scrim_error *error)
{
    return sc_sparse_open(&sc_sparse_state_of(m)->plan, bits, run, error);
}

scrim_status sc_sparse_run_ask(const scrim_measurement *m, sc_bits *bits, void *run,
                               int64_t query, sc_mark *mark, sc_int128 *value,
                               bool *has_halted, scrim_error *error)
{
    return sc_sparse_ask(&sc_sparse_state_of(m)->plan, bits, run, query, mark, value,
                         has_halted, error);
}

void sc_sparse_change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_EACH;
    out->is_monotone = sc_sparse_state_of(m)->is_monotone;
    sc_ratio_set(&out->amount, sc_measurement_get(m, "sensitivity"));
}
