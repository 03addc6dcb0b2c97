#include "mechanism/histogram/stlap.h"

#include "base/mask.h"
#include "base/memory.h"
#include "mechanism/histogram/stlap_noise.h"
#include "mechanism/noise/additive.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "scrim/histogram.h"

static const char *const samplers[] = {"exact", "table", NULL};
static const char *const modes[] = {"dense", "sparse", NULL};

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-31", "1000",
                     "a rational above 0, from 4.7e-10 to 1000"),
    SC_RULE_COUNT("q", "2147483647",
                  "how many elements a bar may lose, an integer from 1 to 2147483647"),
    SC_PARAMETER_DELTA,
    SC_RULE_COUNT("group", "2^20",
                  "how many elements one unit may have, an integer from 1 to 1048576"),
    SC_RULE_WORD("sampler", samplers, "exact or table"),
    SC_RULE_WORD("mode", modes, "dense or sparse"),
    SC_PARAMETER_NEIGHBOURS,
};

const sc_stlap_state *sc_stlap_state_of(const scrim_measurement *m)
{
    return m->state;
}

uint64_t sc_stlap_q(const scrim_measurement *m)
{
    return sc_stlap_state_of(m)->q;
}

/* Making one. */

/* epsilon / (sides group). */
static void set_epsilon(const scrim_measurement *m, sc_stlap_state *s)
{
    SC_OWN(sc_ratio, parts);
    sc_ratio_set_int64(&parts, (int64_t)(s->sides * s->group));
    sc_ratio_div(&s->epsilon, sc_measurement_get(m, "epsilon"), &parts);
}

/* At least the delta of the noise as it is drawn. */
static void delta_upper(const sc_stlap_state *s, sc_ball *out)
{
    if (!s->sampler.is_table) {
        sc_stlap_delta(&s->epsilon, s->q, s->group, s->sides, SC_STLAP_BITS, out);
        return;
    }
    SC_OWN(sc_ratio, side);
    sc_stlap_table_delta(&s->sampler.table, s->group, &side);
    sc_ball_set_ratio(out, &side, 2L * SC_CONSTANT_TABLE_BITS);
    sc_stlap_sides(out, s->sides, 2L * SC_CONSTANT_TABLE_BITS, out);
}

static bool is_within(const sc_stlap_state *s, const sc_ratio *delta)
{
    SC_OWN(sc_ball, mass, target);
    delta_upper(s, &mass);
    sc_ball_set_ratio(&target, delta, 2L * SC_CONSTANT_TABLE_BITS);
    return sc_ball_is_less_equal(&mass, &target);
}

/* Without a delta to meet, one that is below 1. */
static scrim_status check_delta(const sc_stlap_state *s, scrim_error *error)
{
    SC_OWN(sc_ball, mass, one);
    sc_ball_set_int64(&one, 1);
    delta_upper(s, &mass);
    const bool is_promise = sc_ball_is_less(&mass, &one);
    if (is_promise)
        return SCRIM_OK;
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
        "stlap: q is too small for units of %llu elements; there would be no guarantee",
        (unsigned long long)s->group);
}

/* The table's ends weigh a little more than those of the law, so that q may have to be a little
 * larger. */
static scrim_status prepare(const scrim_measurement *m, sc_stlap_state *s,
                            scrim_error *error)
{
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    const bool is_table = sc_parameters_word(&m->parameters, "sampler", 0) == 1;
    scrim_status status = SCRIM_OK;
    if (delta == NULL)
        s->q = (uint64_t)sc_measurement_integer(m, "q", 0);
    else
        status = sc_stlap_q_of(&s->epsilon, delta, s->group, s->sides, &s->q, error);
    if (status == SCRIM_OK)
        status = sc_stlap_sampler_init(&s->sampler, &s->epsilon, s->q, is_table, error);
    if (status == SCRIM_OK && delta == NULL)
        return check_delta(s, error);
    while (status == SCRIM_OK && !is_within(s, delta)) {
        s->q++;
        sc_stlap_sampler_clear(&s->sampler);
        status = sc_stlap_sampler_init(&s->sampler, &s->epsilon, s->q, is_table, error);
    }
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const end[] = {"q", "delta", NULL};
    scrim_status status = sc_measurement_one_of(m, end, error);
    if (status == SCRIM_OK)
        status = sc_unit_counts_elements(m, error);
    if (status != SCRIM_OK)
        return status;
    sc_stlap_state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->epsilon);
    s->group = (uint64_t)sc_measurement_integer(m, "group", 1);
    s->sides = sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 : 1;
    s->is_sparse = sc_parameters_word(&m->parameters, "mode", 0) == 1;
    set_epsilon(m, s);
    return prepare(m, s, error);
}

static void discard(scrim_measurement *m)
{
    sc_stlap_state *s = m->state;
    if (s == NULL)
        return;
    sc_stlap_sampler_clear(&s->sampler);
    sc_ratio_clear(&s->epsilon);
    sc_free(s);
}

/* Cost. */

static void table_curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                              sc_ball *out)
{
    const sc_stlap_state *s = curve->context;
    sc_stlap_table_delta_at(&s->sampler.table, epsilon, bits, out);
}

static const sc_curve_functions table_curve = {.name = "stlap-table",
                                               .delta = table_curve_delta};

/* Larger groups, and tables under replace, have no proof at a smaller epsilon. */
static void set_curve(const sc_stlap_state *s, sc_curve *curve)
{
    if (s->group > 1)
        return;
    if (!s->sampler.is_table) {
        sc_curve_set_shifted(curve, &s->epsilon, s->q, s->sides == 2);
        curve->is_attained = true;
    } else if (s->sides == 1) {
        curve->functions = &table_curve;
        curve->context = s;
    }
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_stlap_state *s = sc_stlap_state_of(m);
    const sc_ratio *given = sc_measurement_get(m, "delta");
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    SC_OWN(sc_ratio, delta);
    delta_upper(s, &mass);
    if (given != NULL)
        sc_ratio_set(&delta, given);
    else if (s->sampler.is_table && s->sides == 1)
        sc_stlap_table_delta(&s->sampler.table, s->group, &delta);
    else if (!sc_cost_round_up_ball(&mass, &delta))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a mass is not finite");
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"), &delta);
    set_curve(s, &out->curve);
    return status;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)beta;
    (void)count;
    (void)error;
    SC_OWN(sc_ratio, radius);
    sc_ratio_set_int64(&radius, (int64_t)sc_stlap_q(m));
    sc_certificate_drop(out, &radius, NULL);
    return SCRIM_OK;
}

/* Drawing. */

#define COUNT_MAX ((int64_t)1 << 62)

static inline int64_t select_int64(uint64_t mask, int64_t a, int64_t b)
{
    return (int64_t)sc_mask_select(mask, (uint64_t)a, (uint64_t)b);
}

void sc_stlap_apply(const int64_t *x, const int64_t *noise, size_t count, int64_t *y)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t cut = select_int64(sc_mask(x[i] > COUNT_MAX), COUNT_MAX, x[i]);
        const int64_t there = select_int64(sc_mask(cut < 0), 0, cut);
        const int64_t sum = there + noise[i];
        y[i] = select_int64(sc_mask(sum < 0), 0, sum);
    }
}

scrim_status sc_stlap_dense(sc_bits *bits, const sc_stlap_sampler *sampler,
                            const int64_t *x, size_t count, int64_t *y,
                            scrim_error *error)
{
    scrim_status status = sc_stlap_sampler_fill(bits, sampler, count, y, error);
    if (status == SCRIM_OK)
        sc_stlap_apply(x, y, count, y);
    else
        sc_wipe(y, count * sizeof *y);
    return status;
}

#define CHUNK ((size_t)2048)

scrim_status sc_stlap_sparse(sc_bits *bits, const sc_stlap_sampler *sampler,
                             const int64_t *x, size_t count, int64_t *y,
                             scrim_error *error)
{
    int64_t noise[CHUNK], full[CHUNK];
    size_t place[CHUNK];
    scrim_status status = SCRIM_OK;
    for (size_t at = 0; status == SCRIM_OK && at < count;) {
        size_t found = 0;
        for (; at < count && found < CHUNK; at++) {
            y[at] = 0;
            place[found] = at;
            full[found] = x[at];
            found += x[at] > 0;
        }
        status = sc_stlap_dense(bits, sampler, full, found, noise, error);
        for (size_t i = 0; status == SCRIM_OK && i < found; i++)
            /* cppcheck-suppress uninitvar ; the first `found` places are set */
            y[place[i]] = noise[i];
    }
    if (status != SCRIM_OK)
        sc_wipe(y, count * sizeof *y);
    sc_wipe(noise, sizeof noise);
    sc_wipe(full, sizeof full);
    sc_wipe(place, sizeof place);
    return status;
}

scrim_status sc_stlap_draw(sc_bits *bits, const sc_stlap_sampler *sampler,
                           sc_stlap_part *draw_part, const sc_private_input *input,
                           sc_draw *out, scrim_error *error)
{
    int64_t part[CHUNK];
    scrim_status status = SCRIM_OK;
    for (size_t at = 0; status == SCRIM_OK && at < input->count; at += CHUNK) {
        const size_t left = input->count - at, size = left < CHUNK ? left : CHUNK;
        status = draw_part(bits, sampler, input->values + at, size, part, error);
        for (size_t i = 0; status == SCRIM_OK && i < size; i++) {
            out->values[out->count] = part[i];
            out->marks[out->count++] = SC_MARK_VALUE;
        }
    }
    if (status != SCRIM_OK) {
        sc_wipe(out->values, out->count * sizeof *out->values);
        out->count = 0;
    }
    sc_wipe(part, sizeof part);
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const sc_stlap_state *s = sc_stlap_state_of(m);
    out->count = 0;
    return sc_stlap_draw(bits, &s->sampler,
                         s->is_sparse ? sc_stlap_sparse : sc_stlap_dense, input, out,
                         error);
}

/* The law. */

static scrim_status list_value(int64_t value, const sc_ball *mass, sc_outcomes *out,
                               scrim_error *error)
{
    return sc_outcomes_add(out, &value, mass, error);
}

scrim_status sc_stlap_bar_law(const void *context, int64_t x, long bits, sc_outcomes *out,
                              scrim_error *error)
{
    const sc_stlap_sampler *sampler = context;
    const int64_t q = (int64_t)sampler->law.bound;
    const int64_t first = x > q ? x - q : 0;
    scrim_status status = SCRIM_OK;
    if (x - first >= (int64_t)SC_OUTCOMES_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many values to give the probability of each");
    SC_OWN(sc_ball, mass);
    for (int64_t y = first; status == SCRIM_OK && y <= x; y++) {
        if (x == 0)
            sc_ball_set_int64(&mass, 1);
        else if (y == 0)
            sc_stlap_sampler_at_most(sampler, -x, bits, &mass);
        else
            sc_stlap_sampler_mass(sampler, y - x, bits, &mass);
        status = list_value(y, &mass, out, error);
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_outcomes_each each = {.values = input->values,
                                   .count = input->count,
                                   .list = sc_stlap_bar_law,
                                   .context = &sc_stlap_state_of(m)->sampler};
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many bars to give the probability of each answer");
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

static sc_stlap_sizes sizes_of(const scrim_measurement *m)
{
    const sc_stlap_state *s = sc_stlap_state_of(m);
    return (sc_stlap_sizes){.is_replace = s->sides == 2, .q = s->q, .group = s->group};
}

static size_t pair_count(const scrim_measurement *m)
{
    return sc_stlap_pair_count(sizes_of(m));
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_stlap_pair(sizes_of(m), index, out);
}

const sc_mechanism sc_stlap = {
    .entry = {.name = "stlap",
              .parameters = "epsilon=R q=N|delta=R [group=N sampler=exact|table "
                            "mode=dense|sparse]",
              .input = "counts",
              .claim =
                  "(epsilon, delta)-DP; no count is too large, none loses more than q",
              .does = "Lowers the count of each bar by a random number from 0 to q "
                      "(shifted truncated Laplace). No count is ever too high, and "
                      "none loses more than q; empty bars stay empty.",
              .example = "epsilon=1 delta=1e-6 neighbours=add-remove",
              .example_input = "40\n3\n900\n",
              .reference =
                  "Bansal, Chunduru, Data, Prabhakaran: Flexible Accuracy for "
                  "Differential Privacy, 2022, Algorithm 1, corrected: errata 12 to 17"},
    SC_MECHANISM_PARAMETERS,
    .clamps_itself = true,
    .answers_numbers = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = sc_unit_counts_answers,
    .draw = draw,
    .width = sc_unit_counts_answers,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};

uint64_t scrim_stlap_q(const scrim_measurement *m)
{
    return m->mechanism == &sc_stlap ? sc_stlap_q(m) : 0;
}
